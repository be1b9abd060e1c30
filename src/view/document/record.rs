//! What is kept of a document, packed for a scan over a million of them.

use std::num::NonZeroU32;

use crate::types::{
    Confidence, DocumentId, EntityId, Episode, EpisodeId, EpisodeKind, Interval, SourceId,
    Statement, StatementId, Timestamp, Trust, TxId, TxSpan, session_digest,
};

/// Place of a fact in the arrays, as it was recorded: a merge leads to another. Kept as one more than
/// the place, so that none takes no room of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactNumber(NonZeroU32);

impl FactNumber {
    pub(super) fn new(place: u32) -> FactNumber {
        FactNumber(NonZeroU32::MIN.saturating_add(place))
    }

    const fn place(self) -> u32 {
        self.0.get() - 1
    }

    pub(super) const fn index(self) -> usize {
        self.place() as usize
    }
}

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The words of a triple.
    Fact(FactNumber),
    /// Place of a support with a sentence.
    Statement(u32),
    Entity(EntityId),
    /// Place of an episode.
    Episode(u32),
}

/// [`What`] in four bytes: two bits of kind, thirty of place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed(u32);

const PLACE_BITS: u32 = 30;
const PLACE_MASK: u32 = (1 << PLACE_BITS) - 1;

impl Packed {
    pub(super) fn new(what: What) -> Packed {
        let (kind, place) = match what {
            What::Fact(fact) => (0, fact.place()),
            What::Statement(place) => (1, place),
            What::Entity(id) => (2, id.raw()),
            What::Episode(place) => (3, place),
        };
        assert!(place <= PLACE_MASK, "a namespace holds fewer than a billion documents of a kind");
        Packed(kind << PLACE_BITS | place)
    }

    pub(super) fn what(self) -> What {
        let place = self.0 & PLACE_MASK;
        match self.0 >> PLACE_BITS {
            0 => What::Fact(FactNumber::new(place)),
            1 => What::Statement(place),
            2 => What::Entity(EntityId::new(place)),
            _ => What::Episode(place),
        }
    }
}

/// One rectangle of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    pub valid: Interval,
    pub believed: TxSpan,
}

impl Hold {
    /// Stands for the rectangle of a fact that never had one.
    pub(super) const NEVER: Hold =
        Hold { valid: Interval::ALL, believed: TxSpan { from: TxId::OPEN, to: TxId::OPEN } };
}

/// A statement behind a fact, without its words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    pub id: StatementId,
    pub fact: FactNumber,
    /// It says that the fact holds, and not that it ended.
    pub asserts: bool,
    pub contested: bool,
    pub source: Option<SourceId>,
    pub trust: Trust,
    pub confidence: Option<Confidence>,
    pub importance: Option<Confidence>,
    /// The document of its sentence, if it came with one or with a vector.
    pub document: Option<DocumentId>,
    /// The next older one of the fact.
    pub(super) older: Option<u32>,
}

impl Support {
    pub(super) fn new(statement: &Statement, fact: FactNumber, older: Option<u32>) -> Support {
        Support {
            id: statement.id,
            fact,
            asserts: statement.kind.start().is_some(),
            contested: statement.contested,
            source: statement.source,
            trust: statement.trust,
            confidence: statement.confidence,
            importance: statement.importance,
            document: None,
            older,
        }
    }
}

/// An episode without its text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpisodeEntry {
    pub id: EpisodeId,
    pub kind: EpisodeKind,
    pub valid: Interval,
    pub believed: TxSpan,
    pub source: Option<SourceId>,
    pub trust: Trust,
    pub importance: Option<Confidence>,
    /// Digest of the name of its session.
    pub session: Option<u64>,
    /// Whom it is for.
    pub scope: ScopeNumber,
}

/// Place of a scope among those that episodes have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeNumber(u32);

impl ScopeNumber {
    pub(super) const fn new(place: u32) -> ScopeNumber {
        ScopeNumber(place)
    }

    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl EpisodeEntry {
    pub(super) fn new(episode: &Episode, tx: TxId, scope: ScopeNumber) -> EpisodeEntry {
        EpisodeEntry {
            id: episode.id,
            kind: episode.kind,
            valid: episode.valid,
            believed: TxSpan { from: tx, to: TxId::OPEN },
            source: episode.source,
            trust: episode.trust,
            importance: episode.importance,
            session: episode.session.as_deref().map(session_digest),
            scope,
        }
    }

    /// When it was said, if that is known.
    #[must_use]
    pub fn said(&self) -> Option<Timestamp> {
        Some(self.valid.start()).filter(|start| start.is_instant())
    }
}
