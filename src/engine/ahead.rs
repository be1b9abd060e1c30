//! A namespace as the writer sees it.

use std::cell::RefCell;
use std::sync::Arc;

use crate::kernel::{Command, DecideError, Decision, Directory, Stamp, decide};
use crate::store::{Batch, ReadError};
use crate::types::{Timestamp, TxId};

use super::cache::GroupCache;
use super::error::SubmitError;
use super::lookup::BatchLookup;
use super::namespace::Namespace;

/// The writer's own directory of a namespace, ahead of the published one by the open batch.
pub(super) struct Ahead {
    pub(super) shared: Arc<Namespace>,
    pub(super) directory: Directory,
    pub(super) cache: RefCell<GroupCache>,
    /// Every transaction so far was imported with its time.
    pub(super) replaying: bool,
}

impl Ahead {
    pub(super) fn new(shared: Arc<Namespace>) -> Ahead {
        let directory = shared.published().directory.clone();
        Ahead { shared, directory, cache: RefCell::default(), replaying: false }
    }

    /// The last transaction and its time.
    pub(super) fn last(&self) -> Option<(TxId, Timestamp)> {
        let tx = self.directory.last_tx();
        Some((tx, self.directory.time_of(tx)?))
    }

    /// The next number, at a time later than the last one whatever the clock says.
    pub(super) fn stamp(
        &self,
        now: Timestamp,
        imported: Option<Timestamp>,
    ) -> Result<Stamp, SubmitError> {
        let last = self.directory.last_tx();
        let earliest = self.directory.time_of(last).map_or(Timestamp::MIN, Timestamp::successor);
        let tx = last.next();
        let Some(time) = imported else {
            return Ok(Stamp { tx, time: now.max(earliest) });
        };
        if last != TxId::ZERO && !self.replaying {
            return Err(SubmitError::NamespaceNotEmpty);
        }
        if time < earliest || time > now || !time.is_instant() {
            return Err(SubmitError::ImportTime);
        }
        Ok(Stamp { tx, time })
    }

    pub(super) fn decide(
        &self,
        command: &Command,
        stamp: Stamp,
        batch: &Batch,
    ) -> Result<Decision, DecideError<ReadError>> {
        let namespace = self.shared.id();
        let (directory, cache) = (&self.directory, &self.cache);
        let recorded = batch.recorded().map_err(DecideError::Lookup)?;
        decide(command, stamp, &BatchLookup { recorded, namespace, directory, cache })
    }
}
