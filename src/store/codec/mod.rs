//! How values are spelled in bytes: `[version u8][payload][crc32 u32 LE]`, little-endian.
//!
//! Hand-written, so that no change of a type changes the format unseen. Decoding never panics and
//! never allocates more than a small multiple of its input, whatever the bytes.

mod bytes;
mod change;
mod episode;
mod erasure;
mod guard;
mod outcome;
mod policy;
mod record;
mod usage;

pub use bytes::DecodeError;
#[cfg(test)]
pub(super) use bytes::Stored;
pub(super) use bytes::{seal, unseal};
pub(super) use record::RectangleRow;
