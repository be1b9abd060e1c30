//! What is recorded and what is derived, as plain data.

use thiserror::Error;

use super::{EpisodeId, Interval, Slot, SourceId, StatementId, Timestamp, Triple, TxSpan, Written};

/// How many objects a predicate holds at one instant for one subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Cardinality {
    One,
    /// What a predicate is until it is declared.
    #[default]
    Many,
}

/// Whether a predicate points at entities or at values; settled by its first use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectKind {
    Entity,
    Value,
}

/// How far a statement is to be trusted, lowest first. A lower class never displaces a higher one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Trust {
    /// The web, documents, tool output.
    Unverified,
    /// A model's conclusion.
    Inferred,
    /// Said by a user.
    #[default]
    Stated,
    /// Confirmed by a user.
    Confirmed,
    SystemOfRecord,
}

/// A probability from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Confidence(f32);

/// The number is no probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a confidence is a number from 0 to 1")]
pub struct ConfidenceError;

impl Confidence {
    /// # Errors
    /// [`ConfidenceError`] outside 0 to 1, and for NaN.
    pub fn new(value: f32) -> Result<Confidence, ConfidenceError> {
        if (0.0..=1.0).contains(&value) { Ok(Confidence(value)) } else { Err(ConfidenceError) }
    }

    #[must_use]
    pub const fn get(self) -> f32 {
        self.0
    }
}

// A confidence is never NaN, so equality is total.
impl Eq for Confidence {}

/// Names one row of an imported file by its content, so that reading the file again changes
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowKey(pub [u8; 16]);

/// What a statement says of its triple. Rules A1 to R4 of the law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// Holds from `from`; the end was not given.
    Open { from: Timestamp },
    /// Holds exactly here, and the end is a stated end.
    Definite(Interval),
    /// Was seen to hold here; states no end.
    AtLeast(Interval),
    /// Holds no longer from `at` on.
    End { at: Timestamp },
    /// Was never true.
    RetractAll { block: bool },
    /// Was not true here. `correct` also forgets an end stated exactly at the end of the range.
    RetractPart { range: Interval, correct: bool, block: bool },
}

impl StatementKind {
    #[must_use]
    pub const fn is_retract(self) -> bool {
        matches!(self, StatementKind::RetractAll { .. } | StatementKind::RetractPart { .. })
    }

    /// The start of an assert.
    #[must_use]
    pub const fn start(self) -> Option<Timestamp> {
        match self {
            StatementKind::Open { from } => Some(from),
            StatementKind::Definite(interval) | StatementKind::AtLeast(interval) => {
                Some(interval.start())
            }
            _ => None,
        }
    }
}

/// What was said: the truth everything else is folded from. It keeps the ids it was recorded
/// with, also after a merge.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub id: StatementId,
    pub triple: Triple,
    pub kind: StatementKind,
    pub trust: Trust,
    pub confidence: Option<Confidence>,
    pub source: Option<SourceId>,
    /// The sentence it came from.
    pub text: Option<String>,
    /// The bounds as they were written, for display.
    pub from_written: Option<Written>,
    pub to_written: Option<Written>,
    /// Stored but not folded: it would have displaced a statement of a higher class.
    pub contested: bool,
    /// What it displaced was displaced on purpose, which is no conflict.
    pub deliberate: bool,
    /// The stored statement that this one folds at a later transaction.
    pub accepts: Option<StatementId>,
    /// Statements of one composition share the place of the operation that asked for them.
    pub operation: u32,
    /// What it was concluded from.
    pub derived_from: Vec<StatementId>,
    pub row: Option<RowKey>,
    /// How much it matters.
    pub importance: Option<Confidence>,
    /// The text it was drawn from.
    pub episode: Option<EpisodeId>,
    /// A vector came with it.
    pub embedded: bool,
}

/// Why a rectangle was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CloseReason {
    /// Another object took part of it.
    Superseded,
    Ended,
    Retracted,
    /// The same object holds with other bounds.
    Extended,
    Merged,
    Regrouped,
}

/// One maximal run of a fact on both axes: derived, never written by a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rectangle {
    pub triple: Triple,
    pub valid: Interval,
    pub believed: TxSpan,
    /// Present exactly when `believed` has ended.
    pub closed: Option<CloseReason>,
}

/// Why two statements stand against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConflictKind {
    /// Two objects from the same start.
    SameStart,
    /// Two definite intervals that overlap.
    Overlap,
    /// The later one was not folded: the earlier is of a higher trust class.
    Contested,
}

/// One side of a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConflictSide {
    pub statement: StatementId,
    pub triple: Triple,
}

/// Two sides that neither is simply newer. It is named by the statement that raised it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    pub kind: ConflictKind,
    pub slot: Slot,
    pub raised_by: ConflictSide,
    pub against: Vec<ConflictSide>,
    pub believed: TxSpan,
}

impl Conflict {
    #[must_use]
    pub const fn id(&self) -> StatementId {
        self.raised_by.statement
    }
}
