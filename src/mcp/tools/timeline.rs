//! `timeline`: how something changed over time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tonic::Status;

use crate::rpc::proto::GetTimelineRequest;

use super::super::fact::{At, Fact, lines};
use super::super::memory::Memory;
use super::super::verb::{Effect, Told, Verb};
use super::super::when;

pub(super) struct Timeline;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    subject: String,
    predicate: String,
    /// As it was known at this date, or after this transaction, such as `tx:17`. Default: now.
    known_at: Option<String>,
    /// Everything that was ever believed, instead of what is believed at `known_at`.
    #[serde(default)]
    audit: bool,
    /// 1 to 10,000. Default 100.
    limit: Option<i32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Answer {
    /// By start; an audit by when it was believed first.
    facts: Vec<Fact>,
    /// There are more than the limit.
    truncated: bool,
    #[serde(flatten)]
    at: At,
}

impl Told for Answer {
    fn text(&self) -> String {
        format!("{}\n{}", lines(&self.facts), self.at.text())
    }
}

impl Verb for Timeline {
    const NAME: &'static str = "timeline";
    const TITLE: &'static str = "Timeline";
    const ABOUT: &'static str = "Show what held over time for one subject and predicate: every \
        employer, every address, with dates. With audit also what was believed once and is not \
        any longer.";
    const EFFECT: Effect = Effect::Reads;
    type Args = Args;
    type Answer = Answer;

    async fn run(mut memory: Memory, args: Args) -> Result<Answer, Status> {
        let request = GetTimelineRequest {
            namespace: memory.namespace.clone(),
            subject: args.subject,
            predicate: args.predicate,
            known: when::known("known_at", args.known_at.as_deref())?,
            audit: args.audit,
            page_size: args.limit.unwrap_or_default(),
            ..Default::default()
        };
        let response = memory.facts.get_timeline(request).await?.into_inner();
        Ok(Answer {
            facts: Fact::list(&response.rectangles),
            truncated: !response.next_page_token.is_empty(),
            at: At::new(response.basis.as_ref()),
        })
    }
}
