//! `assert_fact`: states that something holds.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tonic::Status;

use crate::rpc::proto::operation::Operation as Kind;
use crate::rpc::proto::{Assert, Cardinality, DeclarePredicate, Evidence, Supersede};

use super::super::memory::Memory;
use super::super::verb::{Effect, Verb};
use super::super::written::Written;
use super::super::{object, when};

pub(super) struct AssertFact;

/// One fact and where it comes from.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    /// What the fact is about: a person, a project, a thing.
    pub(super) subject: String,
    /// The relation, such as `works_at`. Use the ones that are there.
    pub(super) predicate: String,
    /// The entity it points at. Either this or `value`.
    pub(super) object: Option<String>,
    /// The text, number or boolean it points at.
    pub(super) value: Option<Value>,
    /// True from this date on. Default: now. `unknown` where nobody knows since when.
    pub(super) from: Option<String>,
    /// True until this date, exclusive. Default: no end is known. `never` where it has none.
    pub(super) to: Option<String>,
    /// The predicate holds one object at a time, such as `born_in`: a newer one ends the older.
    /// It stays so for this predicate.
    #[serde(default)]
    pub(super) single: bool,
    /// The entity that this one takes the place of from `from` on.
    pub(super) replaces: Option<String>,
    /// Who or what says so.
    pub(super) source: Option<String>,
    /// The sentence it was taken from.
    pub(super) statement: Option<String>,
    /// From 0 to 1. Leave it out when it is not known.
    pub(super) confidence: Option<f32>,
}

impl Claim {
    /// As operations, where `episode` is what it was drawn from.
    pub(super) fn kinds(&self, episode: &str) -> Result<Vec<Kind>, Status> {
        let target =
            object::read(self.object.as_deref(), self.value.as_ref(), ["object", "value"])?;
        let evidence = Some(Evidence {
            source: self.source.clone().unwrap_or_default(),
            statement: self.statement.clone().unwrap_or_default(),
            confidence: self.confidence,
            episode_id: episode.to_owned(),
            ..Default::default()
        });
        let mut kinds = Vec::new();
        if self.single {
            kinds.push(Kind::DeclarePredicate(DeclarePredicate {
                predicate: self.predicate.clone(),
                cardinality: Cardinality::One.into(),
            }));
        }
        let from = when::bound(self.from.as_deref());
        kinds.push(match &self.replaces {
            Some(old) => Kind::Supersede(Supersede {
                subject: self.subject.clone(),
                predicate: self.predicate.clone(),
                old_object: Some(object::entity(old)),
                new_object: target,
                at: from,
                evidence,
                ..Default::default()
            }),
            None => Kind::Assert(Assert {
                triple: Some(object::triple(&self.subject, &self.predicate, target)),
                from,
                to: when::bound(self.to.as_deref()),
                evidence,
                ..Default::default()
            }),
        });
        Ok(kinds)
    }
}

impl Verb for AssertFact {
    const NAME: &'static str = "assert_fact";
    const TITLE: &'static str = "Assert a fact";
    const ABOUT: &'static str = "State that something holds, from a date on. Use it when something \
        is learnt or when the world changed; what held before stays known for its time. For a \
        record that was wrong use correct_fact.";
    const EFFECT: Effect = Effect::AddsOnce;
    type Args = Claim;
    type Answer = Written;

    async fn run(mut memory: Memory, claim: Claim) -> Result<Written, Status> {
        Ok(Written::new(&memory.transact(claim.kinds("")?, None).await?))
    }
}
