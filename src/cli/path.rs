//! `paths`: ways from one entity to another.

use clap::Args;
use serde_json::{Value, json};

use crate::rpc::proto::{FindPathsRequest, Path, PathMode, Step};
use crate::types::limits::{PATH_HOPS_DEFAULT, PATHS_DEFAULT, PATHS_MAX};

use super::{
    connect::Client,
    error::Error,
    graph::DirectionWord,
    object,
    output::{Output, Row, one_line},
    page::whole_limit,
    point::{AsOfArgs, range},
    row,
    run::Ending,
    time_text,
};

#[derive(Debug, Args)]
pub struct PathsArgs {
    /// Name of the entity to start from
    start: String,
    /// Name of the entity to reach [default: every entity within reach]
    target: Option<String>,
    /// The longest way, from 1 to 6
    #[arg(long, value_name = "N", default_value_t = PATH_HOPS_DEFAULT)]
    hops: u32,
    /// All facts of a way hold at one instant within the span from A up to B
    #[arg(long, num_args = 2, value_names = ["A", "B"], allow_hyphen_values = true, conflicts_with_all = ["as_of", "any_time"])]
    within: Vec<String>,
    /// Each fact of a way holds at some time, not all at once
    #[arg(long, conflicts_with = "as_of")]
    any_time: bool,
    /// Only ways of the fewest hops
    #[arg(long)]
    shortest: bool,
    /// Which way to walk facts
    #[arg(long, value_name = "WAY", default_value = "out")]
    direction: DirectionWord,
    /// Only along this predicate; may be given several times
    #[arg(long = "predicate", value_name = "NAME")]
    predicates: Vec<String>,
    #[command(flatten)]
    at: AsOfArgs,
    /// Ways to show, shortest first; 0 shows as many as the server returns
    #[arg(long, value_name = "N", default_value_t = PATHS_DEFAULT as u64)]
    limit: u64,
}

pub(crate) async fn paths(
    client: &mut Client,
    output: &mut Output,
    args: &PathsArgs,
) -> Result<Ending, Error> {
    let within = range(&args.within, args.at.zone())?;
    let mode = match (&within, args.any_time) {
        (Some(_), _) => PathMode::CommonInstant,
        (None, true) => PathMode::AnyTime,
        (None, false) => PathMode::AtBasis,
    };
    let request = FindPathsRequest {
        namespace: client.namespace.clone(),
        start: args.start.clone(),
        target: args.target.clone().unwrap_or_default(),
        hops: i32::try_from(args.hops).unwrap_or(i32::MAX),
        direction: args.direction.to_proto(),
        predicates: args.predicates.clone(),
        as_of: Some(args.at.to_proto()?),
        mode: mode.into(),
        within,
        limit: whole_limit(args.limit, PATHS_MAX),
        shortest: args.shortest,
    };
    let reply = client.graph.find_paths(request).await;
    let answer = client.answer(reply)?;
    for path in &answer.paths {
        output.say(&path_json(path), &path_text(path))?;
    }
    if answer.paths.is_empty() && !output.is_json() {
        output.text("(no way)")?;
    }
    output.basis(answer.basis.as_ref())?;
    if answer.truncated {
        eprintln!(
            "{} ways shown; there may be more: raise --limit, or narrow with --predicate",
            answer.paths.len()
        );
    }
    Ok(Ending::Done)
}

fn path_json(path: &Path) -> Value {
    json!({
        "hops": path.steps.len(),
        "simultaneous": path.simultaneous,
        "common_from": time_text::optional(path.common_from.as_ref()),
        "common_to": time_text::optional(path.common_to.as_ref()),
        "steps": path.steps.iter().map(Row::json).collect::<Vec<_>>(),
    })
}

/// "Ana -manages-> Team-K <-owns- Kiosk  [2021, open)".
fn path_text(path: &Path) -> String {
    let mut text = String::new();
    for (place, step) in path.steps.iter().enumerate() {
        let (from, arrow, to) = arrow(step);
        if place == 0 {
            text += &from;
        }
        text += &format!(" {arrow} {to}");
    }
    text += "  ";
    text += &if path.simultaneous {
        row::span_text(path.common_from.as_ref(), path.common_to.as_ref())
    } else {
        "(never all at once)".to_owned()
    };
    one_line(&text)
}

/// A step in the way it was walked.
fn arrow(step: &Step) -> (String, String, String) {
    let Some(rectangle) = &step.rectangle else { return Default::default() };
    let object = object::text(rectangle.object.as_ref());
    if step.reversed {
        (object, format!("<-{}-", rectangle.predicate), rectangle.subject.clone())
    } else {
        (rectangle.subject.clone(), format!("-{}->", rectangle.predicate), object)
    }
}

#[cfg(test)]
mod tests {
    use crate::rpc::proto::{Instant, Rectangle};

    use super::*;

    fn step(subject: &str, predicate: &str, name: &str, reversed: bool) -> Step {
        let rectangle = Rectangle {
            subject: subject.to_owned(),
            predicate: predicate.to_owned(),
            object: Some(object::entity(name)),
            ..Rectangle::default()
        };
        Step { rectangle: Some(rectangle), hop: 1, reversed }
    }

    #[test]
    fn a_way_is_read_from_start_to_target() {
        let path = Path {
            steps: vec![
                step("Ana", "manages", "Team-K", false),
                step("Kiosk", "owned_by", "Team-K", true),
            ],
            simultaneous: true,
            common_from: Some(Instant { unix_micros: 0 }),
            common_to: None,
        };
        assert_eq!(path_text(&path), "Ana -manages-> Team-K <-owned_by- Kiosk  [1970-01-01, open)");
        assert_eq!(path_json(&path)["hops"], 2);
        assert_eq!(path_json(&path)["steps"][1]["reversed"], true);
    }
}
