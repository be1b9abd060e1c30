//! The deterministic core: what a command changes, and how statements fold into timelines.
//!
//! Pure functions over plain data. No I/O, no clock, no randomness, no async, and no iteration over
//! a hash map: the same command over the same facts gives the same transaction on every machine.

mod change;
mod command;
mod decide;
mod directory;
mod erase;
mod erased;
mod error;
mod grounds;
mod group;
mod lookup;
mod memory;
mod names;
mod predicates;
mod rules;
mod timeline;

pub use change::{Change, Erased, Erasure, Tx};
pub use command::{
    Accept, AddEpisode, Archive, Assert, Command, Compact, Correct, Declare, Displaced, End,
    Evidence, ItemName, Merge, Mode, ObjectName, Op, Outcome, OutcomeStatus, RequestKey, Restore,
    Retract, RetractEpisode, Stamp, Supersede, SuppliedVector, TripleName, Unmerge, WithdrawSource,
};
pub use decide::{Decision, decide};
pub use directory::{Alias, Directory, EpisodeInfo, ErasedNames};
pub use erase::{Plan, Rewrite, Rewritten, Selection, Selector, Toll};
pub use error::{DecideError, Rejection, Violation, ViolationKind};
pub use group::{Group, GroupKey, Live};
pub use lookup::{By, Lookup};
pub use memory::Memory;
pub use predicates::PredicateInfo;
pub use timeline::{Effect, Extent, Owner, Piece, Run, Timeline};
