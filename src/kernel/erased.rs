//! What the directory knows of erasures: which ids lost their names, and when the past was changed.
//! An id keeps its place, so that replaying the log gives all others the ids they had.

use std::sync::Arc;

use crate::types::{EpisodeId, StatementId, Triple, TxId, Value};

use super::change::{Erased, Erasure};
use super::directory::{Directory, ErasedNames};
use super::predicates::PredicateInfo;

impl Directory {
    pub(super) fn erase(&mut self, tx: TxId, by: u32, what: Erased) {
        let nameless: Arc<str> = Arc::from("");
        match what {
            Erased::Entity(id) => {
                assert_eq!(id.index(), self.entities.len(), "entity ids are dense");
                self.entities.push((nameless, tx));
                self.erased_names.entities.insert(id);
            }
            Erased::Predicate(id) => {
                assert_eq!(id.index(), self.predicates.len(), "predicate ids are dense");
                self.predicates.push(PredicateInfo {
                    name: nameless,
                    since: tx,
                    typed: None,
                    declared: Vec::new(),
                    scoped: None,
                });
                self.erased_names.predicates.insert(id);
            }
            Erased::Value(id) => {
                assert_eq!(id.index(), self.values.len(), "value ids are dense");
                self.values.push(Value::Text(String::new()));
                self.erased_names.values.insert(id);
            }
            Erased::Source(id) => {
                assert_eq!(id.index(), self.sources.len(), "source ids are dense");
                self.sources.push(nameless);
                self.erased_names.sources.insert(id);
            }
            Erased::Statement { id, triple } => {
                self.erased_facts.insert(triple, by);
                self.erased_statements.insert(id);
            }
            Erased::Episode(id) => {
                self.erased_episodes.insert(id);
            }
            Erased::Consequence => {}
        }
    }

    /// Erasures, oldest first, with the transactions that note them.
    #[must_use]
    pub fn erasures(&self) -> &[(TxId, Erasure)] {
        &self.erasures
    }

    /// Whether something that was known at a transaction was erased later.
    #[must_use]
    pub fn is_rewritten(&self, tx: TxId) -> bool {
        let rewrote = |(noted, erasure): &(TxId, Erasure)| {
            tx < *noted && erasure.first.is_some_and(|first| first <= tx)
        };
        self.erasures.iter().any(rewrote)
    }

    /// The erasure that statements of a fact went with, the last of them.
    #[must_use]
    pub fn erased_fact(&self, fact: Triple) -> Option<u32> {
        self.erased_facts.get(&fact).copied()
    }

    /// Ids whose names were erased.
    #[must_use]
    pub fn erased_names(&self) -> &ErasedNames {
        &self.erased_names
    }

    /// Entities, predicates, values and sources that have a name.
    #[must_use]
    pub fn named(&self) -> [usize; 4] {
        let gone = &self.erased_names;
        [
            self.entities.len() - gone.entities.len(),
            self.predicates.len() - gone.predicates.len(),
            self.values.len() - gone.values.len(),
            self.sources.len() - gone.sources.len(),
        ]
    }

    /// The id that a statement gets where the log is told without what was erased: those erased
    /// before it in its transaction leave no place.
    #[must_use]
    pub fn told_statement(&self, id: StatementId) -> StatementId {
        let first = StatementId { op: 0, ..id };
        let before = self.erased_statements.range(first..id).count();
        StatementId { op: id.op - narrow(before), ..id }
    }

    /// The same for an episode.
    #[must_use]
    pub fn told_episode(&self, id: EpisodeId) -> EpisodeId {
        let first = EpisodeId { op: 0, ..id };
        let before = self.erased_episodes.range(first..id).count();
        EpisodeId { op: id.op - narrow(before), ..id }
    }
}

fn narrow(count: usize) -> u32 {
    u32::try_from(count).expect("places in a transaction are 32 bits wide")
}
