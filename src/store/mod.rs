//! What is on disk: one redb file per data directory, written by one transaction at a time.
//!
//! The store keeps what the kernel decided and gives it back; it decides nothing, reads no clock
//! and knows no view. Invariants: a commit is on the disk when [`Batch::commit`] returns; the log of
//! a namespace has no gap; the statement and rectangle tables are a function of the log, which
//! [`check`] proves; every value carries a version and a checksum; after an I/O error nothing is
//! written, and nothing is sure to be read, until [`Store::reopen`]. Byte layouts are in
//! `docs/storage-format.md`.

mod backup;
mod batch;
mod check;
mod cipher;
mod codec;
mod erasure;
mod error;
mod file;
mod format;
mod guard;
mod key;
mod purge;
mod read;
mod reader;
mod record;
mod recorded;
mod table;
mod usage;
mod vectors;
#[cfg(test)]
mod tests;

pub use backup::{
    BACKUP_FORMAT, BackupError, BackupFile, BackupWriter, Base, Fault, Manifest, NamespaceManifest,
    Part, Restore, RestoreError, Restored, SpaceManifest, ToForget, Until, restore,
};
pub use batch::Batch;
pub use check::{Difference, Report, check, check_while};
pub use cipher::DataCipher;
pub use codec::DecodeError;
pub use erasure::{ErasureRecord, request_digest};
pub use error::{CommitError, Corrupt, OpenError, ReadError};
pub use file::{Stats, Store};
pub use format::FORMAT_VERSION;
pub use guard::{AuditKind, tx_bytes};
pub use reader::{LogBound, Reader};
pub use record::{Access, EmbeddingRecord, NamespaceRecord, PolicyRecord, Receipt, SpaceRecord};
pub use recorded::Recorded;
pub use usage::UsageRow;
pub use vectors::VectorRow;
