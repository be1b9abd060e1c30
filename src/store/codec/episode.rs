//! Episodes, vectors and what goes with them, in bytes.

use crate::store::record::{Access, EmbeddingRecord, SpaceRecord};
use crate::types::{Episode, EpisodeId, EpisodeKind, Fold, SpaceId, Vector};

use super::bytes::{DecodeError, Decoder, Stored, stored_as_byte};
use super::record::stored_by_field;

stored_as_byte!(
    EpisodeKind,
    "episode",
    Turn = 1,
    Passage = 2,
    ToolResult = 3,
    Note = 4,
    Summary = 5,
    Core = 6,
    Reflection = 7,
    Procedure = 8,
    Failure = 9
);
stored_by_field!(EpisodeId { tx, op });
stored_by_field!(Episode {
    id,
    kind,
    text,
    speaker,
    title,
    session,
    source,
    trust,
    importance,
    valid,
    from_written,
    to_written,
    dated,
    embedded,
    operation,
} since 3 { scope, fold, derived_from });
stored_by_field!(Fold { through, turns, generation, closes });
stored_by_field!(SpaceRecord { id, model, dimension, supplied, looked_at });
stored_by_field!(EmbeddingRecord { current, next, last });
stored_by_field!(Access { last, count });

impl Stored for SpaceId {
    fn put(&self, out: &mut Vec<u8>) {
        self.raw().put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<SpaceId, DecodeError> {
        u32::take(from).map(SpaceId::new)
    }
}

/// The numbers as 32-bit floats, little-endian: as they are compared.
impl Stored for Vector {
    fn put(&self, out: &mut Vec<u8>) {
        self.dimension().put(out);
        for number in self.numbers() {
            out.extend_from_slice(&number.to_le_bytes());
        }
    }

    fn take(from: &mut Decoder<'_>) -> Result<Vector, DecodeError> {
        let count = from.count()?;
        let mut numbers = Vec::with_capacity(count.min(crate::types::limits::VECTOR_NUMBERS_MAX));
        for _ in 0..count {
            numbers.push(f32::from_le_bytes(from.array()?));
        }
        Vector::new(&numbers).map_err(|_| DecodeError::Range { of: "vector" })
    }
}
