//! Why a backup is not restored. Nothing was written then.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::super::error::{CommitError, OpenError, ReadError};

/// One thing that is wrong with what was given.
#[derive(Debug, Error)]
pub enum Fault {
    #[error("{}: the file cannot be read: {source}", path.display())]
    Unread { path: PathBuf, source: io::Error },
    #[error("{}: {what}", path.display())]
    Damaged { path: PathBuf, what: &'static str },
    #[error("{}: the backup has format {found}, this program reads format {known}", path.display())]
    Format { path: PathBuf, found: u32, known: u32 },
    #[error("{}: the backup of {namespace} follows transaction {found}, {expected} is the last before it", path.display())]
    Gap { path: PathBuf, namespace: String, expected: u64, found: u64 },
    #[error("{}: the backup of {namespace} continues another history", path.display())]
    Foreign { path: PathBuf, namespace: String },
    #[error("{}: it was begun before what is restored, and says nothing of what was erased since", path.display())]
    Older { path: PathBuf },
    #[error("{}: what was erased is told by a full backup, and this has none of {namespace}", path.display())]
    Partial { path: PathBuf, namespace: String },
    /// Backups had no receipts of erasures once.
    #[error("{}: it has no receipts of what was erased from {namespace}, so it cannot tell it: take a new one", path.display())]
    Untold { path: PathBuf, namespace: String },
    #[error("{}: every namespace of the backup is gone by then, and nothing is left to restore", path.display())]
    NothingLeft { path: PathBuf },
    #[error("{}: there is something already", path.display())]
    TargetExists { path: PathBuf },
    #[error("the namespace {namespace} ends with transaction {last}, {asked} was asked for")]
    PointUnknown { namespace: String, asked: u64, last: u64 },
    #[error("a transaction names a point in one namespace, the backup has {count}")]
    PointAmbiguous { count: usize },
}

impl Fault {
    /// A stable word for code that reacts.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Fault::Unread { .. } => "BACKUP_UNREADABLE",
            Fault::Damaged { .. } => "BACKUP_DAMAGED",
            Fault::Format { .. } => "BACKUP_FORMAT",
            Fault::Gap { .. } => "BACKUP_GAP",
            Fault::Foreign { .. } => "BACKUP_FOREIGN",
            Fault::Older { .. } => "BACKUP_OLDER",
            Fault::Partial { .. } | Fault::Untold { .. } => "BACKUP_PARTIAL",
            Fault::NothingLeft { .. } => "RESTORE_NOTHING_LEFT",
            Fault::TargetExists { .. } => "RESTORE_TARGET_EXISTS",
            Fault::PointUnknown { .. } => "RESTORE_POINT_UNKNOWN",
            Fault::PointAmbiguous { .. } => "RESTORE_POINT_AMBIGUOUS",
        }
    }
}

#[derive(Debug, Error)]
pub enum RestoreError {
    /// All that is wrong, in the order it was found.
    #[error("{}", told(.0))]
    Refused(Vec<Fault>),
    #[error("the directory {} cannot be made", path.display())]
    Directory { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Commit(#[from] CommitError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the tables of {namespace} differ from its log in {count} places")]
    Different { namespace: String, count: u64 },
    #[error("what was erased since cannot be erased again")]
    Forget(#[source] Box<dyn Error + Send + Sync>),
}

impl From<Fault> for RestoreError {
    fn from(fault: Fault) -> RestoreError {
        RestoreError::Refused(vec![fault])
    }
}

fn told(faults: &[Fault]) -> String {
    let lines: Vec<String> =
        faults.iter().map(|fault| format!("{fault} [{}]", fault.reason())).collect();
    lines.join("\n")
}
