//! What an erasure takes, by id.

use std::collections::BTreeSet;

use crate::types::{Conflict, EpisodeId, Item, Slot, Statement, StatementId, Triple};

use super::super::change::{Change, Erased};
use super::super::directory::ErasedNames;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Number of the erasure.
    pub number: u32,
    pub statements: BTreeSet<StatementId>,
    pub episodes: BTreeSet<EpisodeId>,
    /// Names that nothing else uses.
    pub names: ErasedNames,
    /// Conflicts that lost the statement that raised them, or all it stood against.
    pub conflicts: BTreeSet<StatementId>,
    /// Facts that were put into the archive, and that nothing is said of any more.
    pub archived: BTreeSet<Triple>,
    /// What is folded again.
    pub slots: BTreeSet<Slot>,
}

/// What becomes of one change.
#[allow(clippy::large_enum_variant, reason = "there is one of it at a time")]
pub(super) enum Fate {
    Stays,
    /// It stays without what it said of erased ones.
    Becomes(Change),
    Goes(Erased),
}

impl Plan {
    /// Whether the rectangles of a triple are made anew.
    #[must_use]
    pub fn touches(&self, triple: Triple) -> bool {
        self.slots.contains(&triple.slot())
    }

    /// Nothing that was ever said is taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty() && self.episodes.is_empty() && self.names.is_empty()
    }

    /// Of everything but rectangles, which are folded again.
    pub(super) fn fate(&self, change: &Change) -> Fate {
        let names = &self.names;
        let goes = |goes: bool, erased| if goes { Fate::Goes(erased) } else { Fate::Stays };
        match change {
            Change::EntityCreated { id, .. } => {
                goes(names.entities.contains(id), Erased::Entity(*id))
            }
            Change::PredicateCreated { id, .. } | Change::PredicateScoped { id, .. } => {
                goes(names.predicates.contains(id), Erased::Predicate(*id))
            }
            Change::ValueCreated { id, .. } => goes(names.values.contains(id), Erased::Value(*id)),
            Change::SourceCreated { id, .. } => {
                goes(names.sources.contains(id), Erased::Source(*id))
            }
            Change::PredicateTyped { id, .. } | Change::PredicateDeclared { id, .. } => {
                goes(names.predicates.contains(id), Erased::Consequence)
            }
            Change::Stated(statement) => self.fate_of(statement),
            Change::Merged { duplicate, into } => {
                let gone = names.entities.contains(duplicate) || names.entities.contains(into);
                goes(gone, Erased::Consequence)
            }
            Change::SourceWithdrawn { source, .. } => {
                goes(names.sources.contains(source), Erased::Consequence)
            }
            Change::ConflictOpened(conflict) => self.fate_of_conflict(conflict),
            Change::ConflictClosed { id } => goes(self.conflicts.contains(id), Erased::Consequence),
            Change::EpisodeAdded(episode) => {
                goes(self.episodes.contains(&episode.id), Erased::Episode(episode.id))
            }
            Change::EpisodeRetracted { id } => {
                goes(self.episodes.contains(id), Erased::Consequence)
            }
            Change::Archived { item } | Change::Restored { item } => {
                let gone = match item {
                    Item::Fact(triple) => self.archived.contains(triple),
                    Item::Episode(id) => self.episodes.contains(id),
                };
                goes(gone, Erased::Consequence)
            }
            Change::Unmerged { .. }
            | Change::Opened { .. }
            | Change::Closed { .. }
            | Change::Erased { .. }
            | Change::Erasure(_) => Fate::Stays,
        }
    }

    fn fate_of(&self, statement: &Statement) -> Fate {
        let (id, triple) = (statement.id, statement.triple);
        if self.statements.contains(&id) {
            return Fate::Goes(Erased::Statement { id, triple });
        }
        let ground = |id: &StatementId| self.statements.contains(id);
        let episode = statement.episode.filter(|id| !self.episodes.contains(id));
        if episode == statement.episode && !statement.derived_from.iter().any(ground) {
            return Fate::Stays;
        }
        let mut left = Statement { episode, ..statement.clone() };
        left.derived_from.retain(|id| !ground(id));
        Fate::Becomes(Change::Stated(left))
    }

    fn fate_of_conflict(&self, conflict: &Conflict) -> Fate {
        if self.conflicts.contains(&conflict.id()) {
            return Fate::Goes(Erased::Consequence);
        }
        let erased = |id: StatementId| self.statements.contains(&id);
        if !conflict.against.iter().any(|side| erased(side.statement)) {
            return Fate::Stays;
        }
        let mut left = conflict.clone();
        left.against.retain(|side| !erased(side.statement));
        Fate::Becomes(Change::ConflictOpened(left))
    }
}

impl ErasedNames {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.entities.len() + self.predicates.len() + self.values.len() + self.sources.len()
    }
}
