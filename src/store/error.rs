//! Why the store could not do it. redb's own errors stay behind `source`.

use std::error::Error as StdError;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::types::{Timestamp, Triple, TxId};

use super::codec::DecodeError;

type Source = Box<dyn StdError + Send + Sync>;

/// The data directory could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    #[error("the data directory {} cannot be used", path.display())]
    Directory { path: PathBuf, source: io::Error },
    #[error("the data directory {} is in use by another process", path.display())]
    Locked { path: PathBuf },
    #[error("the data has format {found}, this program reads format {known}")]
    Format { found: u32, known: u32 },
    #[error("the data directory {} is encrypted with the key {needed}; no key was given", path.display())]
    KeyMissing { path: PathBuf, needed: String },
    #[error("the data directory {} is encrypted with the key {needed}; the key given is {given}", path.display())]
    KeyWrong { path: PathBuf, needed: String, given: String },
    #[error("the data directory {} is not encrypted; the key {given} was given", path.display())]
    NotEncrypted { path: PathBuf, given: String },
    #[error("the key file {} is damaged; no key opens it", path.display())]
    KeyDamaged { path: PathBuf },
    #[error("a batch is still open")]
    Busy,
    #[error("the disk is full")]
    StorageFull(#[source] io::Error),
    #[error("the disk failed")]
    Io(#[source] io::Error),
    #[error(transparent)]
    Corrupt(Corrupt),
    /// The same where the database is a file.
    #[error("the database {} is damaged", path.display())]
    Damaged { path: PathBuf, source: Corrupt },
    #[error("the database does not open")]
    Engine(#[source] Source),
}

impl OpenError {
    /// Whoever reads of damage has to know of which file.
    pub(super) fn of_file(self, path: &Path) -> OpenError {
        match self {
            OpenError::Corrupt(source) => OpenError::Damaged { path: path.to_owned(), source },
            other => other,
        }
    }
}

/// A batch could not be written. Nothing of it is on the disk.
///
/// After [`CommitError::StorageFull`], [`CommitError::Io`] and [`CommitError::Closed`] the store
/// must be reopened. `Io` from the commit itself leaves one thing open: the batch may turn out to be
/// on the disk after all, so whoever retries must look for its receipt. So does `StorageFull` where
/// the file system finds room only when it syncs.
#[derive(Debug, Error)]
pub enum CommitError {
    #[error("another batch is open")]
    Busy,
    #[error("the disk is full")]
    StorageFull(#[source] io::Error),
    #[error("the disk failed")]
    Io(#[source] io::Error),
    #[error("the store is closed after an earlier I/O error")]
    Closed,
    #[error(transparent)]
    Corrupt(Corrupt),
    #[error("the database refused the batch")]
    Engine(#[source] Source),
}

/// Stored facts could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error("the disk failed")]
    Io(#[source] io::Error),
    #[error("the store is closed after an earlier I/O error")]
    Closed,
    #[error(transparent)]
    Corrupt(Corrupt),
    #[error("the database refused to read")]
    Engine(#[source] Source),
}

/// Something stored cannot be what was written.
#[derive(Debug, Error)]
pub enum Corrupt {
    #[error("a row of the table `{table}` is damaged")]
    Row { table: &'static str, source: DecodeError },
    #[error("the table `{table}` lacks a row that another refers to")]
    RowMissing { table: &'static str },
    /// A transaction closes a rectangle that is not there, or not open.
    #[error(
        "the rectangle of {triple:?} from {start:?}, believed from {believed_from}, is not open"
    )]
    RectangleNotOpen { triple: Triple, start: Timestamp, believed_from: TxId },
    #[error("the database file is damaged")]
    File(#[source] Source),
}

impl Corrupt {
    pub(super) const fn row(table: &'static str, source: DecodeError) -> Corrupt {
        Corrupt::Row { table, source }
    }
}

impl ReadError {
    pub(super) const fn row(table: &'static str, source: DecodeError) -> ReadError {
        ReadError::Corrupt(Corrupt::row(table, source))
    }

    pub(super) fn io(source: io::Error) -> ReadError {
        ReadError::of(redb::Error::Io(source))
    }

    fn of(error: redb::Error) -> ReadError {
        match error {
            redb::Error::Io(source) if is_damage(&source) => {
                ReadError::Corrupt(Corrupt::File(source.into()))
            }
            redb::Error::Io(source) => ReadError::Io(source),
            redb::Error::PreviousIo | redb::Error::DatabaseClosed => ReadError::Closed,
            redb::Error::Corrupted(_) => ReadError::Corrupt(Corrupt::File(error.into())),
            other => ReadError::Engine(other.into()),
        }
    }
}

impl From<ReadError> for CommitError {
    fn from(error: ReadError) -> CommitError {
        match error {
            ReadError::Io(source) if is_full(&source) => CommitError::StorageFull(source),
            ReadError::Io(source) => CommitError::Io(source),
            ReadError::Closed => CommitError::Closed,
            ReadError::Corrupt(corrupt) => CommitError::Corrupt(corrupt),
            ReadError::Engine(source) => CommitError::Engine(source),
        }
    }
}

impl From<CommitError> for OpenError {
    fn from(error: CommitError) -> OpenError {
        match error {
            CommitError::Busy => OpenError::Busy,
            CommitError::StorageFull(source) => OpenError::StorageFull(source),
            CommitError::Io(source) => OpenError::Io(source),
            CommitError::Closed => OpenError::Io(io::Error::other(CommitError::Closed)),
            CommitError::Corrupt(corrupt) => OpenError::Corrupt(corrupt),
            CommitError::Engine(source) => OpenError::Engine(source),
        }
    }
}

impl From<ReadError> for OpenError {
    fn from(error: ReadError) -> OpenError {
        CommitError::from(error).into()
    }
}

/// Lets `?` turn each of redb's errors into ours; redb has one type for each kind of call.
macro_rules! from_redb {
    ($($theirs:ty),*) => {
        $(
            impl From<$theirs> for ReadError {
                fn from(error: $theirs) -> ReadError {
                    ReadError::of(error.into())
                }
            }

            impl From<$theirs> for CommitError {
                fn from(error: $theirs) -> CommitError {
                    ReadError::of(error.into()).into()
                }
            }
        )*
    };
}

from_redb!(redb::StorageError, redb::TableError, redb::CommitError);

impl From<redb::TransactionError> for ReadError {
    fn from(error: redb::TransactionError) -> ReadError {
        ReadError::of(error.into())
    }
}

impl From<redb::TransactionError> for CommitError {
    fn from(error: redb::TransactionError) -> CommitError {
        match error {
            redb::TransactionError::WouldBlock => CommitError::Busy,
            other => ReadError::of(other.into()).into(),
        }
    }
}

impl From<redb::DatabaseError> for OpenError {
    fn from(error: redb::DatabaseError) -> OpenError {
        ReadError::of(error.into()).into()
    }
}

/// The file is no database, or ends before what is known to be in it.
fn is_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
}

impl From<redb::DatabaseError> for CommitError {
    fn from(error: redb::DatabaseError) -> CommitError {
        ReadError::of(error.into()).into()
    }
}

/// No room is a state an operator ends, unlike other I/O errors.
fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
