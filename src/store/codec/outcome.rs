//! Receipts and namespaces in bytes.

use std::borrow::Cow;

use crate::kernel::{Displaced, Outcome, OutcomeStatus, Violation, ViolationKind};
use crate::store::record::{NamespaceRecord, Receipt};

use super::bytes::{DecodeError, Decoder, Stored, put_text, stored_as_byte};
use super::record::stored_by_field;

stored_by_field!(NamespaceRecord { id, name, zone, created });
stored_by_field!(Receipt { body, tx, time, outcomes });
stored_by_field!(Outcome { status, fact, statement, displaced, conflict, violations } since 2 { episode });
stored_by_field!(Displaced { fact, statement });
stored_by_field!(Violation { op, field, kind, detail });

impl Stored for Cow<'static, str> {
    fn put(&self, out: &mut Vec<u8>) {
        put_text(self, out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<Cow<'static, str>, DecodeError> {
        String::take(from).map(Cow::Owned)
    }
}

stored_as_byte!(
    OutcomeStatus,
    "outcome",
    Applied = 1,
    NoChange = 2,
    NoMatch = 3,
    Blocked = 4,
    Replayed = 5,
    Contested = 6,
    Invalid = 7,
);
stored_as_byte!(
    ViolationKind,
    "violation",
    Missing = 1,
    Malformed = 2,
    NameBlank = 3,
    TooLong = 4,
    TooMany = 5,
    DateInvalid = 6,
    ZoneMissing = 7,
    ZoneUnknown = 8,
    NumberInvalid = 9,
    EmptyInterval = 10,
    InvertedInterval = 11,
    PredicateClash = 12,
    ConflictInRequest = 13,
    EntityUnknown = 14,
    SourceUnknown = 15,
    StatementUnknown = 16,
    NoMatch = 17,
    AlreadyMerged = 18,
    NotMerged = 19,
    EpisodeUnknown = 20,
    VectorMismatch = 21,
    PredicateUnknown = 22,
    ScopeDenied = 23,
    FactUnknown = 24,
);
