//! Time, threads and order: one writer, group commit, snapshots for readers.
//!
//! - A reply to a write is sent after its fsync, and after the views have folded it, so whoever holds
//!   a reply can read what it says.
//! - Readers see whole transactions only: directory and graph are published together.
//! - After a failed commit the writer forgets what it had decided, reopens the store, and goes on;
//!   readers keep answering from what is published.

mod account;
mod ahead;
mod audit;
mod backup;
mod cache;
mod clock;
mod erase;
mod erasing;
mod error;
mod failure;
mod gauges;
mod guard;
mod handle;
mod indexer;
mod job;
mod keep;
mod keys;
mod log;
mod lookup;
mod meters;
mod namespace;
mod open;
mod pending;
mod policy;
mod recall;
mod recover;
mod restore;
mod search;
mod spaces;
mod spending;
mod submission;
mod vectors;
mod verify;
mod verify_views;
mod words;
mod writer;

pub use crate::store::{
    BackupFile, Base as BackupBase, ErasureRecord, Fault, Manifest, NamespaceManifest,
    PolicyRecord, Restore, RestoreError, Restored, Until, UsageRow,
};
pub use account::{Account, Notes, Step, StepNote, note_found, note_namespace};
pub use backup::{Backup, BackupError};
pub use clock::{Clock, SystemClock};
pub use erase::{Erase, EraseWhat, Erased, Forgotten};
pub use error::{ReadError, SubmitError};
pub use gauges::{Sizes, Statistics, VectorStatistics};
pub use handle::{Engine, Explanation};
pub use keys::{Issued, KeyFault, NewCredential, create_credential_in, digest_of, same};
pub use log::LogChunk;
pub use meters::{DURATION_BUCKETS, LegCounts, MetersSeen, Seen, StepSeen};
pub use namespace::NamespaceInfo;
pub use open::{Config, OpenError, change_key};
pub use policy::Reads;
pub use recall::{Answer, Behind, Evidence, RecallError};
pub use restore::restore;
pub use spaces::{SpaceSpec, ToEmbed};
pub use submission::{Receipt, Submission};
pub use vectors::mismatch;
pub use verify::Verification;
pub use words::shown;
