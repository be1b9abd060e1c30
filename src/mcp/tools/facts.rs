//! `facts_as_of`: what held at a date.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tonic::Status;

use crate::rpc::proto::{FactPattern, ListFactsRequest};

use super::super::fact::{At, Fact, lines};
use super::super::memory::Memory;
use super::super::verb::{Effect, Told, Verb};
use super::super::{object, when};

pub(super) struct FactsAsOf;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Only facts about this entity.
    subject: Option<String>,
    /// Only facts of these predicates.
    #[serde(default)]
    predicates: Vec<String>,
    /// Only facts that point at this entity.
    object: Option<String>,
    /// Only facts that point at this literal.
    value: Option<Value>,
    /// What held at this date. Default: now.
    as_of: Option<String>,
    /// As it was known at this date, or after this transaction, such as `tx:17`. Default: now.
    known_at: Option<String>,
    /// Instead of one date: what held at any time since then ...
    from: Option<String>,
    /// ... and before this date.
    to: Option<String>,
    /// 1 to 10,000. Default 100.
    limit: Option<i32>,
    /// From the answer before.
    page_token: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Answer {
    facts: Vec<Fact>,
    /// There is more: send it back for the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    page_token: Option<String>,
    #[serde(flatten)]
    at: At,
}

impl Told for Answer {
    fn text(&self) -> String {
        let more = if self.page_token.is_some() { "\nThere are more." } else { "" };
        format!("{}{more}\n{}", lines(&self.facts), self.at.text())
    }
}

impl Verb for FactsAsOf {
    const NAME: &'static str = "facts_as_of";
    const TITLE: &'static str = "Facts as of a date";
    const ABOUT: &'static str = "List facts by subject, predicate or object as they held at a \
        date, and as they were known at a date. Use it for exact questions; for questions in \
        words use recall.";
    const EFFECT: Effect = Effect::Reads;
    type Args = Args;
    type Answer = Answer;

    async fn run(mut memory: Memory, args: Args) -> Result<Answer, Status> {
        let target =
            object::read(args.object.as_deref(), args.value.as_ref(), ["object", "value"])?;
        let request = ListFactsRequest {
            namespace: memory.namespace.clone(),
            pattern: Some(FactPattern {
                subject: args.subject.unwrap_or_default(),
                predicates: args.predicates,
                object: target,
            }),
            as_of: Some(when::as_of(args.as_of.as_deref(), args.known_at.as_deref())?),
            overlapping: when::range(args.from.as_deref(), args.to.as_deref()),
            page_size: args.limit.unwrap_or_default(),
            page_token: args.page_token.unwrap_or_default(),
            ..Default::default()
        };
        let response = memory.facts.list_facts(request).await?.into_inner();
        let token = response.next_page_token;
        Ok(Answer {
            facts: Fact::list(&response.rectangles),
            page_token: (!token.is_empty()).then_some(token),
            at: At::new(response.basis.as_ref()),
        })
    }
}
