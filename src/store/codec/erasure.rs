//! Receipts of erasures in bytes.

use crate::types::{ErasureCounts, ErasureKind};

use super::super::erasure::ErasureRecord;
use super::bytes::{DecodeError, Decoder, Stored, stored_as_byte};
use super::record::stored_by_field;

stored_as_byte!(ErasureKind, "erasure", Fact = 1, Entity = 2, Source = 3, Owner = 4, Namespace = 5);
stored_by_field!(ErasureCounts {
    statements,
    evidence,
    episodes,
    rectangles,
    rectangles_restored,
    log_changes,
    names,
    receipts,
    vectors,
    accesses,
    documents,
    facts,
});
stored_by_field!(ErasureRecord {
    namespace,
    number,
    kind,
    tx,
    time,
    first,
    counts,
    request,
    purged
});

impl Stored for ([u8; 16], [u8; 32]) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<([u8; 16], [u8; 32]), DecodeError> {
        Ok((Stored::take(from)?, Stored::take(from)?))
    }
}
