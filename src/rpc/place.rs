//! Bases and rows as numbers, the way page tokens carry them.

use crate::query::{AsOf, Known, RowKey};
use crate::types::{Basis, EntityId, Object, PredicateId, Timestamp, TxId, ValueId};

/// A basis as an as-of point: asking there again repeats the answer.
pub(super) fn at(valid: i64, tx: i64) -> AsOf {
    let tx = TxId::new(tx.cast_unsigned());
    AsOf { valid: Some(Timestamp::from_micros(valid)), known: Known::Tx(tx) }
}

pub(super) fn number(tx: TxId) -> i64 {
    tx.raw().cast_signed()
}

pub(super) fn entity(word: i64) -> EntityId {
    EntityId::new(u32::try_from(word).unwrap_or(u32::MAX))
}

pub(super) fn facts_words(basis: Basis, key: RowKey) -> [i64; 8] {
    let (subject, predicate, start, object, tx) = key;
    let (is_value, object) = match object {
        Object::Entity(id) => (0, id.raw()),
        Object::Value(id) => (1, id.raw()),
    };
    [
        basis.valid.micros(),
        number(basis.tx),
        subject.raw().into(),
        predicate.raw().into(),
        start.micros(),
        is_value,
        object.into(),
        number(tx),
    ]
}

pub(super) fn facts_place(words: [i64; 8]) -> (AsOf, RowKey) {
    let [valid, tx, subject, predicate, start, is_value, object, row_tx] = words;
    let raw = |word: i64| u32::try_from(word).unwrap_or(u32::MAX);
    let object = match is_value {
        0 => Object::Entity(EntityId::new(raw(object))),
        _ => Object::Value(ValueId::new(raw(object))),
    };
    let predicate = PredicateId::new(raw(predicate));
    let start = Timestamp::from_micros(start);
    (at(valid, tx), (entity(subject), predicate, start, object, TxId::new(row_tx.cast_unsigned())))
}
