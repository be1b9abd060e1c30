//! `connections`: what is around an entity, or between two.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tonic::Status;

use crate::rpc::proto::{AsOf, Direction, FindPathsRequest, Step, TraverseRequest};

use super::super::fact::{At, Fact};
use super::super::memory::Memory;
use super::super::verb::{Effect, Told, Verb};
use super::super::when;

pub(super) struct Connections;

#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Way {
    /// From subject to object.
    Out,
    /// From object to subject.
    In,
    #[default]
    Both,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The entity to begin with.
    start: String,
    /// The entity to reach. Default: everything within reach.
    target: Option<String>,
    /// 1 to 3, or to 6 with a target. Default: 1, or 3 with a target.
    hops: Option<i32>,
    /// Which way facts are followed. Default: both.
    #[serde(default)]
    direction: Way,
    /// Only along these predicates.
    #[serde(default)]
    predicates: Vec<String>,
    /// What held at this date. Default: now.
    as_of: Option<String>,
    /// As it was known at this date, or after this transaction, such as `tx:17`. Default: now.
    known_at: Option<String>,
    /// Facts, or paths with a target. Default: 100 facts, 10 paths.
    limit: Option<i32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Answer {
    /// With a target: ways to it, shortest first. Else one list of all facts within reach.
    paths: Vec<Path>,
    /// There is more than was returned.
    truncated: bool,
    #[serde(flatten)]
    at: At,
}

#[derive(Serialize, JsonSchema)]
struct Path {
    steps: Vec<Hop>,
}

#[derive(Serialize, JsonSchema)]
struct Hop {
    /// 1 for facts of the start.
    hop: i32,
    fact: Fact,
}

impl Path {
    fn new(steps: &[Step]) -> Path {
        let hop = |step: &Step| {
            let fact = Fact::new(step.rectangle.as_ref()?);
            Some(Hop { hop: step.hop, fact })
        };
        Path { steps: steps.iter().filter_map(hop).collect() }
    }
}

impl Told for Answer {
    fn text(&self) -> String {
        let mut lines = Vec::new();
        for path in &self.paths {
            lines.extend(
                path.steps.iter().map(|step| format!("{}: {}", step.hop, step.fact.text())),
            );
            lines.push(String::new());
        }
        let found = lines.join("\n");
        let found = if found.is_empty() { "No connections." } else { found.trim_end() };
        format!("{found}\n{}", self.at.text())
    }
}

impl Verb for Connections {
    const NAME: &'static str = "connections";
    const TITLE: &'static str = "Connections";
    const ABOUT: &'static str = "Walk the facts from an entity: what is around it within a few \
        hops, or with a target how it is connected to another. Nothing walks along a fact that \
        does not hold at the date.";
    const EFFECT: Effect = Effect::Reads;
    type Args = Args;
    type Answer = Answer;

    async fn run(memory: Memory, args: Args) -> Result<Answer, Status> {
        let direction = match args.direction {
            Way::Out => Direction::Out,
            Way::In => Direction::In,
            Way::Both => Direction::Both,
        };
        let as_of = when::as_of(args.as_of.as_deref(), args.known_at.as_deref())?;
        match &args.target {
            Some(target) => paths(memory, &args, target, direction, as_of).await,
            None => around(memory, &args, direction, as_of).await,
        }
    }
}

async fn around(
    mut memory: Memory,
    args: &Args,
    direction: Direction,
    as_of: AsOf,
) -> Result<Answer, Status> {
    let request = TraverseRequest {
        namespace: memory.namespace.clone(),
        start: args.start.clone(),
        hops: args.hops.unwrap_or_default(),
        direction: direction.into(),
        predicates: args.predicates.clone(),
        as_of: Some(as_of),
        limit: args.limit.unwrap_or_default(),
        ..Default::default()
    };
    let response = memory.graph.traverse(request).await?.into_inner();
    Ok(Answer {
        paths: vec![Path::new(&response.steps)],
        truncated: response.truncated,
        at: At::new(response.basis.as_ref()),
    })
}

async fn paths(
    mut memory: Memory,
    args: &Args,
    target: &str,
    direction: Direction,
    as_of: AsOf,
) -> Result<Answer, Status> {
    let request = FindPathsRequest {
        namespace: memory.namespace.clone(),
        start: args.start.clone(),
        target: target.to_owned(),
        hops: args.hops.unwrap_or_default(),
        direction: direction.into(),
        predicates: args.predicates.clone(),
        as_of: Some(as_of),
        limit: args.limit.unwrap_or_default(),
        ..Default::default()
    };
    let response = memory.graph.find_paths(request).await?.into_inner();
    Ok(Answer {
        paths: response.paths.iter().map(|path| Path::new(&path.steps)).collect(),
        truncated: response.truncated,
        at: At::new(response.basis.as_ref()),
    })
}
