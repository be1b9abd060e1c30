//! `recall`: what answers a question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tonic::Status;

use crate::rpc::proto::{
    Hit, HitKind, Leg, LegReport, LegStatus, RecallFilter, RecallMode, RecallRequest,
};

use super::super::fact::{At, Fact};
use super::super::memory::Memory;
use super::super::verb::{Effect, Told, Verb};
use super::super::when;

pub(super) struct Recall;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The question, in the words it was asked in.
    query: String,
    /// What held at this date. Default: now.
    as_of: Option<String>,
    /// As it was known at this date, or after this transaction, such as `tx:17`. Default: now.
    known_at: Option<String>,
    /// Also what held at other times, in the order of time. Not together with `as_of`.
    #[serde(default)]
    history: bool,
    /// Only facts about these entities.
    #[serde(default)]
    entities: Vec<String>,
    /// Only facts of these predicates.
    #[serde(default)]
    predicates: Vec<String>,
    /// Only what was said in this conversation or document.
    session: Option<String>,
    /// 1 to 1,000. Default 10.
    limit: Option<i32>,
    /// End the list before its texts pass this many tokens.
    token_budget: Option<i32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Answer {
    /// Best first.
    hits: Vec<Shown>,
    /// Ways of searching that did not take part, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skipped: Vec<String>,
    #[serde(flatten)]
    at: At,
}

#[derive(Serialize, JsonSchema)]
struct Shown {
    /// What to read.
    text: String,
    /// Higher is better, among these hits.
    score: f32,
    /// What found it: `text`, `vector`, `graph`.
    found_by: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fact: Option<Fact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    episode: Option<Said>,
}

/// Where words come from.
#[derive(Serialize, JsonSchema)]
struct Said {
    episode_id: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    speaker: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<String>,
}

impl Shown {
    fn new(hit: Hit) -> Shown {
        let found_by = hit.legs.iter().filter(|share| share.rank > 0);
        Shown {
            found_by: found_by.map(|share| leg(share.leg()).to_owned()).collect(),
            fact: hit.fact.as_ref().map(Fact::new),
            episode: hit.episode.map(|episode| Said {
                episode_id: episode.id,
                speaker: episode.speaker,
                title: episode.title,
                when: when::optional(episode.valid_from.as_ref()),
            }),
            text: hit.text,
            score: hit.score,
        }
    }

    fn line(&self) -> String {
        match (&self.fact, &self.episode) {
            (Some(fact), _) if fact.text().starts_with(&self.text) => fact.text(),
            (Some(fact), _) => format!("{} -- {}", self.text, fact.text()),
            (None, Some(said)) => {
                let when = said.when.as_deref().unwrap_or("unknown");
                format!("[{when}] {}: {}", said.speaker, self.text)
            }
            (None, None) => self.text.clone(),
        }
    }
}

fn leg(leg: Leg) -> &'static str {
    match leg {
        Leg::Unspecified => "unknown",
        Leg::Text => "text",
        Leg::Vector => "vector",
        Leg::Graph => "graph",
    }
}

fn skipped(report: &LegReport) -> Option<String> {
    let off = matches!(report.status(), LegStatus::Skipped | LegStatus::Failed);
    // A question that names nothing known has nowhere to start from; that is no fault.
    let worth = off && !report.detail.is_empty();
    worth.then(|| format!("{}: {} [{}]", leg(report.leg()), report.detail, report.reason))
}

impl Told for Answer {
    fn text(&self) -> String {
        let lines: Vec<_> = self.hits.iter().map(Shown::line).collect();
        let found = if lines.is_empty() { "Nothing found.".to_owned() } else { lines.join("\n") };
        format!("{found}\n{}", self.at.text())
    }
}

impl Verb for Recall {
    const NAME: &'static str = "recall";
    const TITLE: &'static str = "Recall";
    const ABOUT: &'static str = "Search the memory for what answers a question: facts that hold \
        and words that were said, best first, by words, by meaning and along relations. Use it \
        before answering from memory. With as_of it answers as of another date, with known_at \
        from what was known then.";
    const EFFECT: Effect = Effect::Reads;
    type Args = Args;
    type Answer = Answer;

    async fn run(mut memory: Memory, args: Args) -> Result<Answer, Status> {
        let mode = if args.history { RecallMode::History } else { RecallMode::Current };
        let kinds = if args.entities.is_empty() && args.predicates.is_empty() {
            Vec::new()
        } else {
            vec![HitKind::Fact.into()]
        };
        let request = RecallRequest {
            namespace: memory.namespace.clone(),
            query: args.query,
            as_of: Some(when::as_of(args.as_of.as_deref(), args.known_at.as_deref())?),
            filter: Some(RecallFilter {
                kinds,
                entities: args.entities,
                predicates: args.predicates,
                session: args.session.unwrap_or_default(),
                ..Default::default()
            }),
            mode: mode.into(),
            limit: args.limit.unwrap_or_default(),
            token_budget: args.token_budget.unwrap_or_default(),
            ..Default::default()
        };
        let response = memory.episodes.recall(request).await?.into_inner();
        Ok(Answer {
            at: At::new(response.basis.as_ref()),
            skipped: response.legs.iter().filter_map(skipped).collect(),
            hits: response.hits.into_iter().map(Shown::new).collect(),
        })
    }
}
