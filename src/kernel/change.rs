//! Everything that can be recorded. The log holds these decided changes, not the commands they came
//! from, so that replaying it never decides again.

use std::sync::Arc;

use crate::types::{
    Cardinality, CloseReason, Conflict, EntityId, Episode, EpisodeId, Interval, Item, ObjectKind,
    PredicateId, Scope, SourceId, Statement, StatementId, Timestamp, Triple, TxId, Value, ValueId,
};

/// One transaction as it stands in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Tx {
    pub id: TxId,
    pub time: Timestamp,
    pub changes: Vec<Change>,
}

/// One decided effect. Ids are given out in order, so a change that names a new one follows the
/// change that made it.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "most changes of a transaction are statements")]
pub enum Change {
    EntityCreated {
        id: EntityId,
        name: Arc<str>,
    },
    PredicateCreated {
        id: PredicateId,
        name: Arc<str>,
    },
    /// The predicate `of`, for those whom a scope admits. Its name, what it points at and how many
    /// objects it holds are those of the other.
    PredicateScoped {
        id: PredicateId,
        of: PredicateId,
        scope: Arc<Scope>,
    },
    ValueCreated {
        id: ValueId,
        value: Value,
    },
    SourceCreated {
        id: SourceId,
        name: Arc<str>,
    },
    /// The first use of a predicate settles what it points at.
    PredicateTyped {
        id: PredicateId,
        kind: ObjectKind,
    },
    PredicateDeclared {
        id: PredicateId,
        cardinality: Cardinality,
    },
    Stated(Statement),
    Merged {
        duplicate: EntityId,
        into: EntityId,
    },
    Unmerged {
        duplicate: EntityId,
    },
    /// Every statement of the source before `bound` counts as never said.
    SourceWithdrawn {
        source: SourceId,
        bound: StatementId,
    },
    /// A rectangle begins; its transaction span starts with this transaction.
    Opened {
        triple: Triple,
        valid: Interval,
    },
    /// The live rectangle of `triple` that starts at `valid.start()` ends with this transaction.
    Closed {
        triple: Triple,
        valid: Interval,
        believed_from: TxId,
        reason: CloseReason,
    },
    ConflictOpened(Conflict),
    ConflictClosed {
        id: StatementId,
    },
    EpisodeAdded(Arc<Episode>),
    EpisodeRetracted {
        id: EpisodeId,
    },
    /// It is believed as before, and does not come up by itself any more.
    Archived {
        item: Item,
    },
    /// It comes up again.
    Restored {
        item: Item,
    },
    /// Here stood a change that an erasure took.
    Erased {
        /// Number of the erasure.
        by: u32,
        what: Erased,
    },
    /// Earlier transactions were rewritten, as if what was erased had never been said.
    Erasure(Erasure),
}

/// What a change was about that was erased: ids, which keep their places, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Erased {
    Entity(EntityId),
    Predicate(PredicateId),
    Value(ValueId),
    Source(SourceId),
    Statement {
        id: StatementId,
        triple: Triple,
    },
    Episode(EpisodeId),
    /// A change that only followed from others.
    Consequence,
}

/// The note of an erasure in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// 1, 2, 3 in a namespace.
    pub number: u32,
    /// The first transaction that was rewritten, if any was.
    pub first: Option<TxId>,
}
