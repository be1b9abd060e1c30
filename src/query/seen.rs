//! What of a namespace a caller may see, in the numbers of one snapshot.

use crate::kernel::Directory;
use crate::types::{Clearance, PredicateId};
use crate::view::document::{Documents, ScopeNumber};

/// A clearance, worked out once a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    Everything,
    Only {
        /// Ascending. Never empty: a filter over no predicates lets everything pass.
        predicates: Vec<PredicateId>,
        /// Of episodes, ascending.
        scopes: Vec<ScopeNumber>,
    },
}

impl Seen {
    #[must_use]
    pub fn of(clearance: &Clearance, directory: &Directory, documents: &Documents) -> Seen {
        if *clearance == Clearance::Everything {
            return Seen::Everything;
        }
        let mut predicates = directory.predicates_for(clearance);
        if predicates.is_empty() {
            // Nobody's.
            predicates.push(PredicateId::MAX);
        }
        let scopes = documents.scopes_for(clearance);
        Seen::Only { predicates, scopes }
    }

    #[must_use]
    pub fn everything(&self) -> bool {
        *self == Seen::Everything
    }

    /// Whether the facts of a predicate are seen.
    #[must_use]
    pub fn predicate(&self, id: PredicateId) -> bool {
        match self {
            Seen::Everything => true,
            Seen::Only { predicates, .. } => predicates.binary_search(&id).is_ok(),
        }
    }

    /// Whether the episodes of a scope are seen.
    #[must_use]
    pub fn scope(&self, number: ScopeNumber) -> bool {
        match self {
            Seen::Everything => true,
            Seen::Only { scopes, .. } => scopes.binary_search(&number).is_ok(),
        }
    }

    /// As a filter over predicates, where none means all.
    #[must_use]
    pub fn filter(&self) -> &[PredicateId] {
        match self {
            Seen::Everything => &[],
            Seen::Only { predicates, .. } => predicates,
        }
    }
}
