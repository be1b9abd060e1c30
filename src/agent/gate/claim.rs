//! What a sentence says, as a fact, before its names are looked up.

use crate::types::{Cardinality, ObjectKind};

use super::when::When;

/// Who or what a claim is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// Whoever said it.
    Speaker,
    Named(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    Holds,
    /// It held and does so no longer.
    Ended,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    pub subject: Who,
    pub predicate: String,
    pub object: String,
    pub points_at: ObjectKind,
    pub cardinality: Cardinality,
    pub says: Says,
    pub when: Option<When>,
    /// From 0 to 1.
    pub confidence: f32,
}

/// How sure a rule is of what it reads.
pub(super) const RULE_CONFIDENCE: f32 = 0.9;

/// A relation that a rule knows by its words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relation {
    pub(super) predicate: &'static str,
    pub(super) points_at: ObjectKind,
    pub(super) cardinality: Cardinality,
}

impl Relation {
    /// One entity at a time.
    pub(super) const fn one(predicate: &'static str) -> Relation {
        Relation { predicate, points_at: ObjectKind::Entity, cardinality: Cardinality::One }
    }

    /// Any number of entities.
    pub(super) const fn many(predicate: &'static str) -> Relation {
        Relation { predicate, points_at: ObjectKind::Entity, cardinality: Cardinality::Many }
    }

    /// Any number of words.
    pub(super) const fn words(predicate: &'static str) -> Relation {
        Relation { predicate, points_at: ObjectKind::Value, cardinality: Cardinality::Many }
    }

    /// One word at a time.
    pub(super) const fn word(predicate: &'static str) -> Relation {
        Relation { predicate, points_at: ObjectKind::Value, cardinality: Cardinality::One }
    }

    pub(super) fn claim(self, subject: Who, object: String) -> Claim {
        let Relation { predicate, points_at, cardinality } = self;
        Claim {
            subject,
            predicate: predicate.to_owned(),
            object,
            points_at,
            cardinality,
            says: Says::Holds,
            when: None,
            confidence: RULE_CONFIDENCE,
        }
    }
}

/// Attributes that name someone or something with facts of its own.
const ENTITIES: [&str; 28] = [
    "manager",
    "boss",
    "lead",
    "leader",
    "owner",
    "wife",
    "husband",
    "partner",
    "assistant",
    "reviewer",
    "maintainer",
    "team",
    "company",
    "employer",
    "hometown",
    "city",
    "contact",
    "mentor",
    "담당자",
    "팀장",
    "책임자",
    "매니저",
    "상사",
    "회사",
    "고향",
    "팀",
    "담당",
    "배우자",
];

/// An attribute by the words it has in the sentence. It has one value at a time.
pub(super) fn attribute(words: &[&str]) -> (String, ObjectKind) {
    let name = words.join("_").to_lowercase();
    let last = words.last().map_or_else(String::new, |word| word.to_lowercase());
    let is_entity = ENTITIES.contains(&last.as_str());
    (name, if is_entity { ObjectKind::Entity } else { ObjectKind::Value })
}
