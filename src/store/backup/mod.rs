//! Backups: the log as it is stored, and what stands beside it and cannot be made again.
//!
//! A backup is one file: rows in parts, then a manifest with the hash of each. It is taken in short
//! steps, so that no read transaction lives long; what is read is whole because a log only grows. A
//! restore reads every byte before it writes one, and makes a directory under another name until it
//! is whole. Tables that follow from the log, views and vectors that a model made are made again.
//! The layout is in `docs/backup.md`.

mod apply;
mod fault;
mod file;
mod forget;
mod manifest;
mod plan;
mod restore;
mod write;

pub use fault::{Fault, RestoreError};
pub use file::BackupFile;
pub use forget::ToForget;
pub use manifest::{BACKUP_FORMAT, Manifest, NamespaceManifest, Part, SpaceManifest};
pub use restore::{Restore, Restored, Until, restore};
pub use write::{BackupError, BackupWriter, Base};
