//! Everything a caller can ask to change, already validated one by one, and what became of it.

pub use crate::types::ObjectName;
use crate::types::{
    Cardinality, Confidence, Dated, EpisodeId, EpisodeKind, FactId, Fold, Name, RowKey, Scope,
    StatementId, Timestamp, Trust, TxId, Vector,
};

use super::Violation;

/// One atomic request: its operations share one transaction and apply in list order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub request: Option<RequestKey>,
    pub mode: Mode,
    pub ops: Vec<Op>,
}

/// An idempotency key, and a digest of the body it came with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestKey {
    pub id: String,
    pub body: [u8; 32],
}

/// What one bad operation does to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// Nothing is written.
    #[default]
    Atomic,
    /// The others are.
    Partial,
}

/// The number and the time of the transaction a command becomes, if it becomes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    pub tx: TxId,
    pub time: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    Assert(Assert),
    End(End),
    Retract(Retract),
    Supersede(Supersede),
    Correct(Correct),
    Merge(Merge),
    Unmerge(Unmerge),
    Declare(Declare),
    Accept(Accept),
    WithdrawSource(WithdrawSource),
    AddEpisode(AddEpisode),
    RetractEpisode(RetractEpisode),
    Archive(Archive),
    Restore(Restore),
    Compact(Compact),
    /// Could not be understood at the edge. Refuses an atomic request, is skipped in a partial one.
    Invalid(Vec<Violation>),
}

impl Op {
    /// Where its statements come from, for those that record any.
    pub fn evidence_mut(&mut self) -> Option<&mut Evidence> {
        match self {
            Op::Assert(op) => Some(&mut op.evidence),
            Op::End(op) => Some(&mut op.evidence),
            Op::Retract(op) => Some(&mut op.evidence),
            Op::Supersede(op) => Some(&mut op.evidence),
            Op::Correct(op) => Some(&mut op.evidence),
            Op::Merge(_)
            | Op::Unmerge(_)
            | Op::Declare(_)
            | Op::Accept(_)
            | Op::WithdrawSource(_)
            | Op::AddEpisode(_)
            | Op::RetractEpisode(_)
            | Op::Archive(_)
            | Op::Restore(_)
            | Op::Compact(_)
            | Op::Invalid(_) => None,
        }
    }

    /// Where its statements come from, for those that record any.
    #[must_use]
    pub fn evidence(&self) -> Option<&Evidence> {
        match self {
            Op::Assert(op) => Some(&op.evidence),
            Op::End(op) => Some(&op.evidence),
            Op::Retract(op) => Some(&op.evidence),
            Op::Supersede(op) => Some(&op.evidence),
            Op::Correct(op) => Some(&op.evidence),
            _ => None,
        }
    }

    /// Whom what it is about is for.
    #[must_use]
    pub fn scope(&self) -> Option<&Scope> {
        match self {
            Op::AddEpisode(op) => Some(&op.scope),
            Op::Compact(op) => Some(&op.short.scope),
            Op::Archive(Archive { item }) | Op::Restore(Restore { item }) => item.scope(),
            _ => self.evidence().map(|evidence| &evidence.scope),
        }
    }

    /// The vector that came with it.
    #[must_use]
    pub fn vector(&self) -> Option<&SuppliedVector> {
        match self {
            Op::Assert(op) => op.evidence.vector.as_ref(),
            Op::Supersede(op) => op.evidence.vector.as_ref(),
            Op::Correct(op) => op.evidence.vector.as_ref(),
            Op::AddEpisode(op) => op.vector.as_ref(),
            Op::Compact(op) => op.short.vector.as_ref(),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TripleName {
    pub subject: Name,
    pub predicate: Name,
    pub object: ObjectName,
}

/// Where a statement comes from. It never influences the timeline but for the trust gate.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Evidence {
    pub source: Option<Name>,
    pub trust: Trust,
    pub confidence: Option<Confidence>,
    pub text: Option<String>,
    pub derived_from: Vec<StatementId>,
    pub row: Option<RowKey>,
    pub importance: Option<Confidence>,
    pub episode: Option<EpisodeId>,
    pub vector: Option<SuppliedVector>,
    /// Whom the fact is for. It is a part of which fact is meant: one owner's never displaces what
    /// another sees.
    pub scope: Scope,
}

/// A vector from outside. That it fits the space of the namespace is for the engine to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuppliedVector {
    pub vector: Vector,
    /// The model that made it, if that was said.
    pub model: Option<String>,
}

/// `from` missing means the transaction time; `to` missing means not known to have ended, which is
/// something else than an explicit +infinity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assert {
    pub triple: TripleName,
    pub from: Option<Dated>,
    pub to: Option<Dated>,
    pub at_least: bool,
    /// Passes a block set by an earlier retract.
    pub overrides: bool,
    /// What it displaces is displaced on purpose: no conflict is raised.
    pub deliberate: bool,
    /// Store it as contested against these, and do not fold it.
    pub contested_against: Vec<StatementId>,
    pub evidence: Evidence,
}

/// `at` missing means the transaction time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    pub triple: TripleName,
    pub at: Option<Dated>,
    pub evidence: Evidence,
}

/// Both bounds missing means whole; one missing reaches to the infinity on its side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retract {
    pub triple: TripleName,
    pub from: Option<Dated>,
    pub to: Option<Dated>,
    pub correct: bool,
    pub block: bool,
    pub evidence: Evidence,
}

/// The world changed: `old` held until `at`, `new` holds from then on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supersede {
    pub subject: Name,
    pub predicate: Name,
    /// May be missing where the predicate holds one value: whatever holds at `at`.
    pub old: Option<ObjectName>,
    pub new: ObjectName,
    pub at: Option<Dated>,
    /// Refuse the request unless `old` holds at `at`.
    pub expect_held: bool,
    pub evidence: Evidence,
}

/// We were wrong: the hold of `triple` around `at` becomes another object, other bounds, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correct {
    pub triple: TripleName,
    /// An instant inside the hold; missing means the transaction time.
    pub at: Option<Dated>,
    /// Missing keeps the object.
    pub new: Option<ObjectName>,
    /// Missing keeps the bound.
    pub from: Option<Dated>,
    pub to: Option<Dated>,
    pub evidence: Evidence,
}

/// Two names of one thing. Not a world event: it begins with the transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merge {
    pub duplicate: Name,
    pub into: Name,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmerge {
    pub duplicate: Name,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declare {
    pub predicate: Name,
    pub cardinality: Cardinality,
}

/// Takes one side of a conflict: a contested statement is folded, any other is kept as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accept {
    pub statement: StatementId,
    pub trust: Trust,
}

/// All earlier statements of the source count as never said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithdrawSource {
    pub source: Name,
}

/// A raw text. `from` missing means the transaction time; `to` missing means without end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddEpisode {
    pub kind: EpisodeKind,
    pub text: String,
    pub speaker: Option<String>,
    pub title: Option<String>,
    pub session: Option<String>,
    pub from: Option<Dated>,
    pub to: Option<Dated>,
    pub source: Option<Name>,
    pub trust: Trust,
    pub importance: Option<Confidence>,
    pub vector: Option<SuppliedVector>,
    pub scope: Scope,
    /// Of a summary, and of nothing else.
    pub fold: Option<Fold>,
    pub derived_from: Vec<EpisodeId>,
}

/// The episode counts as never said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetractEpisode {
    pub episode: EpisodeId,
}

/// What goes to the archive or comes back from it, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemName {
    /// The fact of a triple that is for a scope.
    Fact {
        triple: TripleName,
        scope: Scope,
    },
    Episode(EpisodeId),
}

impl ItemName {
    fn scope(&self) -> Option<&Scope> {
        match self {
            ItemName::Fact { scope, .. } => Some(scope),
            ItemName::Episode(_) => None,
        }
    }
}

/// The item stays as it is believed, and does not come up by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    pub item: ItemName,
}

/// The item comes up again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restore {
    pub item: ItemName,
}

/// A short text in the place of a long one, if that is still believed. It is in the archive if the
/// long one was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compact {
    pub episode: EpisodeId,
    pub short: AddEpisode,
}

/// What became of one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub status: OutcomeStatus,
    /// The fact the operation was about, for those that are about one.
    pub fact: Option<FactId>,
    /// What was recorded for it; a composition records more than one and names its last.
    pub statement: Option<StatementId>,
    /// Statements about other objects that it took instants from.
    pub displaced: Vec<Displaced>,
    /// Neither side was simply newer: the pair is in the list of conflicts under `statement`.
    pub conflict: bool,
    /// Why a partial request left it out.
    pub violations: Vec<Violation>,
    /// The episode that was added, retracted, archived or restored.
    pub episode: Option<EpisodeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Displaced {
    pub fact: FactId,
    pub statement: StatementId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutcomeStatus {
    Applied,
    /// The assert was already implied; it is kept as evidence.
    NoChange,
    /// The end or retract matched nothing; an end is remembered all the same.
    NoMatch,
    /// A retract with `block` stands in the way.
    Blocked,
    /// This row was recorded before.
    Replayed,
    /// Stored and listed as a conflict, not folded: a statement of a higher class stands there.
    Contested,
    /// Left out of a partial request.
    Invalid,
}

impl Outcome {
    #[must_use]
    pub fn new(status: OutcomeStatus) -> Outcome {
        Outcome {
            status,
            fact: None,
            statement: None,
            displaced: Vec::new(),
            conflict: false,
            violations: Vec::new(),
            episode: None,
        }
    }
}
