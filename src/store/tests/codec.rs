use std::fmt::Debug;
use std::sync::Arc;

use crate::kernel::{Change, Outcome, OutcomeStatus, Tx, Violation, ViolationKind};
use crate::store::codec::{RectangleRow, Stored, seal, unseal};
use crate::store::{Access, EmbeddingRecord, NamespaceRecord, PolicyRecord, Receipt, SpaceRecord};
use crate::types::{
    Cardinality, CloseReason, Conflict, ConflictKind, ConflictSide, EntityId, EpisodeId,
    EpisodeKind, Interval, Item, Name, NamespaceId, ObjectKind, Policy, PredicateId, SourceId,
    SpaceId, StatementId, StatementKind, Timestamp, TxId, TxSpan, Value, ValueId, Vector,
};

use super::sample::{
    at, entity, outcome, scope, slot, span, statement, triple, value, whole_episode,
    whole_statement,
};

/// Survives the round trip, and no byte that is changed or missing goes unnoticed.
fn check<T: Stored + PartialEq + Debug>(original: &T) {
    let bytes = seal(original);
    assert_eq!(unseal::<T>(&bytes).as_ref(), Ok(original));
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(unseal::<T>(&flipped).is_err(), "bit {bit} of {original:?}");
    }
    for len in 0..bytes.len() {
        assert!(unseal::<T>(&bytes[..len]).is_err(), "{len} bytes of {original:?}");
    }
    // What a checksum that happens to fit would let through must not panic either.
    for at in 1..bytes.len() - 4 {
        for byte in [0, 1, 0x7F, 0x80, 0xFF] {
            let mut forged = bytes[..bytes.len() - 4].to_vec();
            forged[at] = byte;
            let crc = crc32fast::hash(&forged);
            forged.extend_from_slice(&crc.to_le_bytes());
            let _ = unseal::<T>(&forged);
        }
    }
}

fn check_tx(change: Change) {
    check(&Tx { id: TxId::new(300), time: at(-1), changes: vec![change] });
}

#[test]
fn every_change_survives() {
    let id = StatementId { tx: TxId::new(1 << 40), op: u32::MAX };
    let e = EntityId::new;
    check_tx(Change::EntityCreated { id: e(u32::MAX), name: "Ann".into() });
    check_tx(Change::PredicateCreated { id: PredicateId::new(1), name: "works at".into() });
    check_tx(Change::SourceCreated { id: SourceId::new(1), name: "mail".into() });
    for literal in [
        Value::Boolean(true),
        Value::Integer(i64::MIN),
        Value::Number(-1.5),
        Value::Time(at(5)),
        Value::Text("\u{d55c}\u{ae00}".to_owned()),
    ] {
        check_tx(Change::ValueCreated { id: ValueId::new(2), value: literal });
    }
    for kind in [ObjectKind::Entity, ObjectKind::Value] {
        check_tx(Change::PredicateTyped { id: PredicateId::new(2), kind });
    }
    for cardinality in [Cardinality::One, Cardinality::Many] {
        check_tx(Change::PredicateDeclared { id: PredicateId::new(2), cardinality });
    }
    check_tx(Change::Stated(statement(1, 0, triple(0, 0, entity(0)))));
    check_tx(Change::Merged { duplicate: e(1), into: e(2) });
    check_tx(Change::Unmerged { duplicate: e(1) });
    check_tx(Change::SourceWithdrawn { source: SourceId::new(1), bound: id });
    check_tx(Change::Opened { triple: triple(1, 2, value(3)), valid: Interval::ALL });
    for reason in [
        CloseReason::Superseded,
        CloseReason::Ended,
        CloseReason::Retracted,
        CloseReason::Extended,
        CloseReason::Merged,
        CloseReason::Regrouped,
    ] {
        let (triple, valid) = (triple(1, 2, entity(3)), span(1, 2));
        check_tx(Change::Closed { triple, valid, believed_from: TxId::new(1), reason });
        let closed = Some((TxId::new(5), reason));
        check(&RectangleRow { valid_end: Timestamp::INFINITY, closed });
    }
    for kind in [ConflictKind::SameStart, ConflictKind::Overlap, ConflictKind::Contested] {
        let side = ConflictSide { statement: id, triple: triple(1, 2, entity(3)) };
        check_tx(Change::ConflictOpened(Conflict {
            kind,
            slot: slot(1, 2),
            raised_by: side,
            against: vec![side, side],
            believed: TxSpan { from: TxId::new(1), to: TxId::OPEN },
        }));
    }
    check_tx(Change::ConflictClosed { id });
    for kind in [
        EpisodeKind::Turn,
        EpisodeKind::Passage,
        EpisodeKind::ToolResult,
        EpisodeKind::Note,
        EpisodeKind::Summary,
    ] {
        check_tx(Change::EpisodeAdded(Arc::new(whole_episode(kind))));
    }
    let id = EpisodeId { tx: TxId::new(9), op: 300 };
    check_tx(Change::EpisodeRetracted { id });
    check_tx(Change::Archived { item: Item::Episode(id) });
    check_tx(Change::Restored { item: Item::Fact(triple(1, 2, value(3))) });
    let (id, of) = (PredicateId::new(9), PredicateId::new(2));
    check_tx(Change::PredicateScoped { id, of, scope: Arc::new(scope()) });
}

#[test]
fn every_kind_of_statement_survives() {
    let range = span(-5, 5);
    for kind in [
        StatementKind::Open { from: Timestamp::NEG_INFINITY },
        StatementKind::Definite(range),
        StatementKind::AtLeast(range),
        StatementKind::End { at: at(3) },
        StatementKind::RetractAll { block: true },
        StatementKind::RetractPart { range, correct: true, block: false },
        StatementKind::RetractPart { range, correct: false, block: true },
    ] {
        check(&whole_statement(kind));
    }
}

#[test]
fn receipts_and_namespaces_survive() {
    for status in [
        OutcomeStatus::Applied,
        OutcomeStatus::NoChange,
        OutcomeStatus::NoMatch,
        OutcomeStatus::Blocked,
        OutcomeStatus::Replayed,
        OutcomeStatus::Contested,
        OutcomeStatus::Invalid,
    ] {
        let outcomes = vec![Outcome::new(status), outcome(status)];
        check(&Receipt { body: [9; 32], tx: TxId::new(1), time: at(4), outcomes });
    }
    check(&NamespaceRecord {
        id: NamespaceId::new(1),
        name: Name::new("Ann \u{d55c}").expect("a name"),
        zone: "Asia/Seoul".to_owned(),
        created: at(5),
    });
}

#[test]
fn every_violation_survives() {
    use ViolationKind as Kind;
    for kind in [
        Kind::Missing,
        Kind::Malformed,
        Kind::NameBlank,
        Kind::TooLong,
        Kind::TooMany,
        Kind::DateInvalid,
        Kind::ZoneMissing,
        Kind::ZoneUnknown,
        Kind::NumberInvalid,
        Kind::EmptyInterval,
        Kind::InvertedInterval,
        Kind::PredicateClash,
        Kind::ConflictInRequest,
        Kind::EntityUnknown,
        Kind::SourceUnknown,
        Kind::StatementUnknown,
        Kind::NoMatch,
        Kind::AlreadyMerged,
        Kind::NotMerged,
        Kind::FactUnknown,
    ] {
        check(&Violation { op: None, field: "to".into(), kind, detail: String::new() });
    }
}

#[test]
fn policies_survive() {
    let mut policy = Policy::default();
    policy.gate.near_by_model.insert("one".to_owned(), -0.5);
    policy.reflection.after = Some(20);
    check(&PolicyRecord { version: 1 << 40, policy: Arc::new(policy) });
}

#[test]
fn spaces_vectors_and_accesses_survive() {
    let space = SpaceRecord {
        id: SpaceId::new(3),
        model: "one".to_owned(),
        dimension: 4,
        supplied: true,
        looked_at: 300,
    };
    let next = Some(SpaceRecord { supplied: false, ..space.clone() });
    check(&EmbeddingRecord { current: Some(space), next, last: 7 });
    check(&EmbeddingRecord::default());
    check(&Access { last: at(-5), count: 1 << 40 });
    let vector = Vector::new(&[1.0, -2.0, 0.5]).expect("a direction");
    let read: Vector = unseal(&seal(&vector)).expect("sealed");
    for (read, written) in read.numbers().iter().zip(vector.numbers()) {
        assert!((read - written).abs() <= f32::EPSILON, "{read} {written}");
    }
}
