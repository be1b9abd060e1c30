//! What was found, and why each hit is there.

use crate::types::{DocumentId, EntityId, EpisodeId, Triple};

use super::super::answer::Row;
use super::super::traverse::Step;
use super::request::Leg;

/// A hit before it has a rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Found {
    /// Under the ids its entities count as at the basis.
    Fact(Triple),
    Episode(EpisodeId),
    Entity(EntityId),
}

/// What one leg says of a hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegShare {
    pub leg: Leg,
    /// From 1; missing where the leg did not offer it and its score was filled in.
    pub rank: Option<u32>,
    pub score: f32,
    pub share: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    Importance,
    Recency,
    Access,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignalShare {
    pub signal: Signal,
    pub value: f32,
    pub share: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub found: Found,
    /// The rectangle that makes a fact visible.
    pub row: Option<Row>,
    /// The document that speaks for it.
    pub document: DocumentId,
    pub score: f32,
    pub legs: Vec<LegShare>,
    pub signals: Vec<SignalShare>,
    /// It is in the archive at the basis.
    pub archived: bool,
    /// From an entity of the question, for hits of the graph leg.
    pub path: Vec<Step>,
}

/// Why a leg did not search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// The question leaves it out.
    NotAsked,
    /// The question has no words.
    NoQuery,
    /// The question has only stop words or signs.
    NoWords,
    /// The question came without a vector, and nothing could make one.
    NoVector,
    /// The namespace has no vectors.
    NoSpace,
    /// The question names no entity.
    NoEntity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegState {
    Searched,
    Skipped(SkipReason),
    /// The view could not be searched.
    Broken,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegReport {
    pub leg: Leg,
    pub state: LegState,
    /// Hits it had to offer.
    pub found: usize,
    /// Words of the question that it left out, past a bound.
    pub dropped: usize,
    /// It was searched as exactly as there is time for: some facts in reach were not looked at.
    pub truncated: bool,
}

/// An entity the question named.
#[derive(Clone, Debug, PartialEq)]
pub struct Seed {
    pub entity: EntityId,
    /// The words that name it; empty for those given.
    pub words: String,
    pub weight: f32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recalled {
    pub hits: Vec<Hit>,
    pub reports: Vec<LegReport>,
    pub seeds: Vec<Seed>,
    /// Hits below the minimum score.
    pub left_out: usize,
}
