//! The log in bytes.

use std::sync::Arc;

use crate::kernel::{Change, Erased, Erasure, Tx};
use crate::types::Item;

use super::bytes::{DecodeError, Decoder, Stored};
use super::record::stored_by_field;

stored_by_field!(Tx { id, time, changes });
stored_by_field!(Erasure { number, first });

impl Stored for Change {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Change::EntityCreated { id, name } => put_two(1, id, name, out),
            Change::PredicateCreated { id, name } => put_two(2, id, name, out),
            Change::ValueCreated { id, value } => put_two(3, id, value, out),
            Change::SourceCreated { id, name } => put_two(4, id, name, out),
            Change::PredicateTyped { id, kind } => put_two(5, id, kind, out),
            Change::PredicateDeclared { id, cardinality } => put_two(6, id, cardinality, out),
            Change::Stated(statement) => put_one(7, statement, out),
            Change::Merged { duplicate, into } => put_two(8, duplicate, into, out),
            Change::Unmerged { duplicate } => put_one(9, duplicate, out),
            Change::SourceWithdrawn { source, bound } => put_two(10, source, bound, out),
            Change::Opened { triple, valid } => put_two(11, triple, valid, out),
            Change::Closed { triple, valid, believed_from, reason } => {
                put_two(12, triple, valid, out);
                believed_from.put(out);
                reason.put(out);
            }
            Change::ConflictOpened(conflict) => put_one(13, conflict, out),
            Change::ConflictClosed { id } => put_one(14, id, out),
            Change::EpisodeAdded(episode) => put_one(15, episode.as_ref(), out),
            Change::EpisodeRetracted { id } => put_one(16, id, out),
            Change::PredicateScoped { id, of, scope } => {
                put_two(17, id, of, out);
                scope.put(out);
            }
            Change::Erased { by, what } => put_two(18, by, what, out),
            Change::Erasure(erasure) => put_one(19, erasure, out),
            Change::Archived { item } => put_one(20, item, out),
            Change::Restored { item } => put_one(21, item, out),
        }
    }

    fn take(from: &mut Decoder<'_>) -> Result<Change, DecodeError> {
        Ok(match from.byte()? {
            1 => Change::EntityCreated { id: Stored::take(from)?, name: Stored::take(from)? },
            2 => Change::PredicateCreated { id: Stored::take(from)?, name: Stored::take(from)? },
            3 => Change::ValueCreated { id: Stored::take(from)?, value: Stored::take(from)? },
            4 => Change::SourceCreated { id: Stored::take(from)?, name: Stored::take(from)? },
            5 => Change::PredicateTyped { id: Stored::take(from)?, kind: Stored::take(from)? },
            6 => Change::PredicateDeclared {
                id: Stored::take(from)?,
                cardinality: Stored::take(from)?,
            },
            7 => Change::Stated(Stored::take(from)?),
            8 => Change::Merged { duplicate: Stored::take(from)?, into: Stored::take(from)? },
            9 => Change::Unmerged { duplicate: Stored::take(from)? },
            10 => {
                Change::SourceWithdrawn { source: Stored::take(from)?, bound: Stored::take(from)? }
            }
            11 => Change::Opened { triple: Stored::take(from)?, valid: Stored::take(from)? },
            12 => Change::Closed {
                triple: Stored::take(from)?,
                valid: Stored::take(from)?,
                believed_from: Stored::take(from)?,
                reason: Stored::take(from)?,
            },
            13 => Change::ConflictOpened(Stored::take(from)?),
            14 => Change::ConflictClosed { id: Stored::take(from)? },
            15 => Change::EpisodeAdded(Arc::new(Stored::take(from)?)),
            16 => Change::EpisodeRetracted { id: Stored::take(from)? },
            17 => Change::PredicateScoped {
                id: Stored::take(from)?,
                of: Stored::take(from)?,
                scope: Arc::new(Stored::take(from)?),
            },
            18 => Change::Erased { by: Stored::take(from)?, what: Stored::take(from)? },
            19 => Change::Erasure(Stored::take(from)?),
            20 => Change::Archived { item: Stored::take(from)? },
            21 => Change::Restored { item: Stored::take(from)? },
            tag => return Err(DecodeError::Tag { of: "change", tag }),
        })
    }
}

impl Stored for Item {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Item::Fact(triple) => put_one(1, triple, out),
            Item::Episode(id) => put_one(2, id, out),
        }
    }

    fn take(from: &mut Decoder<'_>) -> Result<Item, DecodeError> {
        match from.byte()? {
            1 => Stored::take(from).map(Item::Fact),
            2 => Stored::take(from).map(Item::Episode),
            tag => Err(DecodeError::Tag { of: "item", tag }),
        }
    }
}

impl Stored for Erased {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Erased::Entity(id) => put_one(1, id, out),
            Erased::Predicate(id) => put_one(2, id, out),
            Erased::Value(id) => put_one(3, id, out),
            Erased::Source(id) => put_one(4, id, out),
            Erased::Statement { id, triple } => put_two(5, id, triple, out),
            Erased::Episode(id) => put_one(6, id, out),
            Erased::Consequence => out.push(7),
        }
    }

    fn take(from: &mut Decoder<'_>) -> Result<Erased, DecodeError> {
        Ok(match from.byte()? {
            1 => Erased::Entity(Stored::take(from)?),
            2 => Erased::Predicate(Stored::take(from)?),
            3 => Erased::Value(Stored::take(from)?),
            4 => Erased::Source(Stored::take(from)?),
            5 => Erased::Statement { id: Stored::take(from)?, triple: Stored::take(from)? },
            6 => Erased::Episode(Stored::take(from)?),
            7 => Erased::Consequence,
            tag => return Err(DecodeError::Tag { of: "erased change", tag }),
        })
    }
}

fn put_one(tag: u8, only: &impl Stored, out: &mut Vec<u8>) {
    out.push(tag);
    only.put(out);
}

fn put_two(tag: u8, first: &impl Stored, second: &impl Stored, out: &mut Vec<u8>) {
    put_one(tag, first, out);
    second.put(out);
}
