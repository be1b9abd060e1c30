//! Why a command is refused: one kind a rule, in order of precedence.

use std::borrow::Cow;

use thiserror::Error;

/// Nothing of the command was written. Every violation is listed, the most telling kind first.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the request breaks {} rule(s), first: {}", violations.len(), violations[0].kind)]
pub struct Rejection {
    pub violations: Vec<Violation>,
}

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Place of the operation in the request, from 0; missing where the request as a whole is meant.
    pub op: Option<usize>,
    /// Path of the field inside the operation, such as `to` or `triple.subject`.
    pub field: Cow<'static, str>,
    pub kind: ViolationKind,
    /// What was found, for a person to read.
    pub detail: String,
}

/// The rules. Declared in order of precedence: the first one present names the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Error)]
pub enum ViolationKind {
    #[error("a required field is missing")]
    Missing,
    #[error("a field does not have the form it must have")]
    Malformed,
    #[error("a name is blank")]
    NameBlank,
    #[error("a string is over its bound")]
    TooLong,
    #[error("a list is over its bound")]
    TooMany,
    #[error("a date does not exist or is not written as a date")]
    DateInvalid,
    #[error("a local time came without a zone")]
    ZoneMissing,
    #[error("a zone is not known")]
    ZoneUnknown,
    #[error("a number is not one that can be stored")]
    NumberInvalid,
    #[error("both bounds name the same instant")]
    EmptyInterval,
    #[error("the end is before the start")]
    InvertedInterval,
    #[error("a predicate is declared or used in two ways")]
    PredicateClash,
    #[error("two objects for one single-valued slot in one request")]
    ConflictInRequest,
    #[error("the caller may not see what it speaks of")]
    ScopeDenied,
    #[error("the entity is not known")]
    EntityUnknown,
    #[error("the predicate is not known")]
    PredicateUnknown,
    #[error("the source is not known")]
    SourceUnknown,
    #[error("the statement is not known")]
    StatementUnknown,
    #[error("the episode is not known")]
    EpisodeUnknown,
    #[error("the fact is not known")]
    FactUnknown,
    #[error("a vector is not one of the embedding space")]
    VectorMismatch,
    #[error("the old value does not hold there")]
    NoMatch,
    #[error("the entities are merged already, or are one")]
    AlreadyMerged,
    #[error("the entity is not merged into another")]
    NotMerged,
}

impl Rejection {
    /// # Panics
    /// When there is no violation: nothing would explain the refusal.
    #[must_use]
    pub fn new(mut violations: Vec<Violation>) -> Rejection {
        assert!(!violations.is_empty(), "a rejection names at least one violation");
        violations.sort_by_key(|violation| violation.kind);
        Rejection { violations }
    }

    #[must_use]
    pub fn kind(&self) -> ViolationKind {
        self.violations[0].kind
    }
}

impl From<Violation> for Rejection {
    fn from(violation: Violation) -> Rejection {
        Rejection::new(vec![violation])
    }
}

/// A command was refused, or the facts it needs could not be read.
#[derive(Debug, Error)]
pub enum DecideError<E> {
    #[error(transparent)]
    Rejected(#[from] Rejection),
    #[error("the facts could not be read")]
    Lookup(E),
}
