//! `what_changed`: two points of both clocks, compared.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tonic::Status;

use crate::rpc::proto::{DiffFactsRequest, FactPattern};

use super::super::fact::{At, Fact};
use super::super::memory::Memory;
use super::super::verb::{Effect, Told, Verb};
use super::super::when;

pub(super) struct WhatChanged;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The earlier date in the world. Default: now.
    from: Option<String>,
    /// The later date in the world. Default: now.
    to: Option<String>,
    /// What was known first: a date or a transaction, such as `tx:17`. Default: what is known now.
    known_from: Option<String>,
    /// What was known last. Default: what is known now.
    known_to: Option<String>,
    /// Only facts about this entity.
    subject: Option<String>,
    /// Only facts of these predicates.
    #[serde(default)]
    predicates: Vec<String>,
    /// 1 to 10,000. Default 100.
    limit: Option<i32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Answer {
    removed: Vec<Fact>,
    added: Vec<Fact>,
    /// A predicate of one object that holds another.
    changed: Vec<Change>,
    from: At,
    to: At,
    /// There are more than the limit.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
struct Change {
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Fact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Fact>,
}

impl Told for Answer {
    fn text(&self) -> String {
        let text = |fact: &Option<Fact>| fact.as_ref().map(Fact::text).unwrap_or_default();
        let mut lines = Vec::new();
        lines.extend(self.removed.iter().map(|fact| format!("- {}", fact.text())));
        lines.extend(self.added.iter().map(|fact| format!("+ {}", fact.text())));
        lines.extend(
            self.changed
                .iter()
                .map(|pair| format!("{} -> {}", text(&pair.before), text(&pair.after))),
        );
        if lines.is_empty() { "Nothing changed.".to_owned() } else { lines.join("\n") }
    }
}

impl Verb for WhatChanged {
    const NAME: &'static str = "what_changed";
    const TITLE: &'static str = "What changed";
    const ABOUT: &'static str = "Compare two dates: what became true and what ceased to be. With \
        known_from and known_to compare what was believed on two dates, which shows what was \
        learnt or corrected in between.";
    const EFFECT: Effect = Effect::Reads;
    type Args = Args;
    type Answer = Answer;

    async fn run(mut memory: Memory, args: Args) -> Result<Answer, Status> {
        let side = |valid: Option<&str>, field: &str, known: Option<&str>| {
            let (valid, known) = (when::valid(valid), when::known(field, known)?);
            Ok::<_, Status>(Some(crate::rpc::proto::AsOf { valid, known }))
        };
        let request = DiffFactsRequest {
            namespace: memory.namespace.clone(),
            from: side(args.from.as_deref(), "known_from", args.known_from.as_deref())?,
            to: side(args.to.as_deref(), "known_to", args.known_to.as_deref())?,
            pattern: Some(FactPattern {
                subject: args.subject.unwrap_or_default(),
                predicates: args.predicates,
                object: None,
            }),
            page_size: args.limit.unwrap_or_default(),
            ..Default::default()
        };
        let response = memory.facts.diff_facts(request).await?.into_inner();
        let changed = response.changed.iter().map(|pair| Change {
            before: pair.before.as_ref().map(Fact::new),
            after: pair.after.as_ref().map(Fact::new),
        });
        Ok(Answer {
            removed: Fact::list(&response.removed),
            added: Fact::list(&response.added),
            changed: changed.collect(),
            from: At::new(response.from_basis.as_ref()),
            to: At::new(response.to_basis.as_ref()),
            truncated: !response.next_page_token.is_empty(),
        })
    }
}
