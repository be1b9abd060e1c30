//! Why a request could not be served.

use thiserror::Error;

use crate::kernel::Rejection;
use crate::store;
use crate::types::{CredentialId, QuotaKind};

/// A write was not done. Nothing of it is recorded, but for [`SubmitError::StorageFull`] and
/// [`SubmitError::Disk`], which leave it open: whoever retries does so under the same request id.
#[derive(Debug, Error)]
pub enum SubmitError {
    #[error("there is no namespace {name}")]
    NamespaceUnknown { name: String },
    #[error("the namespace {name} exists already")]
    NamespaceExists { name: String },
    #[error("{count} namespaces are the most a data directory holds")]
    NamespacesFull { count: usize },
    #[error("the namespace has transactions of its own, so no times can be imported")]
    NamespaceNotEmpty,
    #[error("the imported commit time is not after the last one, or lies in the future")]
    ImportTime,
    #[error(transparent)]
    Rejected(#[from] Rejection),
    #[error("the request id was used for another body")]
    KeyReused,
    #[error("{queued} commands wait for the writer")]
    QueueFull { queued: usize },
    #[error("there is no credential {id}")]
    CredentialUnknown { id: CredentialId },
    #[error("{count} credentials are the most a data directory holds")]
    CredentialsFull { count: u64 },
    #[error("the policy was changed: its version is {version} now")]
    PolicyChanged { version: u64 },
    #[error("the quota of the namespace allows {limit} {which}")]
    QuotaExceeded { which: QuotaKind, limit: u64 },
    #[error("the disk is full")]
    StorageFull,
    #[error("the disk failed: {message}")]
    Disk { message: String },
    #[error("the server is shutting down")]
    Closed,
}

/// A read could not be answered.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error("there is no namespace {name}")]
    NamespaceUnknown { name: String },
    #[error(transparent)]
    Store(#[from] store::ReadError),
    /// An erasure put another file in the place of the one that was read. Read again.
    #[error("the file was written anew meanwhile, to purge what was erased")]
    Renewed,
    /// Whoever asked has gone, so nobody hears of it.
    #[error("nobody waits for the answer")]
    Halted,
}
