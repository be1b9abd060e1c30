//! A namespace as the writer sees it.

use std::cell::RefCell;
use std::sync::Arc;

use crate::kernel::{Change, Command, DecideError, Decision, Directory, Stamp, Tx, decide};
use crate::store::{Batch, ReadError, tx_bytes};
use crate::types::{QuotaKind, Quotas, Timestamp, TxId};

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
    /// Facts believed.
    facts: u64,
    /// Bytes of the log, once somebody bounds them.
    bytes: Option<u64>,
}

impl Ahead {
    pub(super) fn new(shared: Arc<Namespace>) -> Ahead {
        let published = shared.published();
        let (directory, facts) = (published.directory.clone(), published.graph.live_count() as u64);
        drop(published);
        let cache = RefCell::default();
        Ahead { shared, directory, cache, replaying: false, facts, bytes: None }
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

    /// Whether a transaction stays within the bounds of the namespace. What adds no fact is let
    /// through where there are too many, so that there is a way back.
    pub(super) fn must_fit(
        &mut self,
        quotas: &Quotas,
        tx: &Tx,
        batch: &Batch,
    ) -> Result<Result<(), SubmitError>, ReadError> {
        let over = |which, limit| Ok(Err(SubmitError::QuotaExceeded { which, limit }));
        let grown = growth(tx);
        if let Some(limit) = quotas.facts
            && grown > 0
            && self.facts.saturating_add_signed(grown) > limit
        {
            return over(QuotaKind::Facts, limit);
        }
        let Some(limit) = quotas.bytes else {
            self.bytes = None;
            return Ok(Ok(()));
        };
        let bytes = match self.bytes {
            Some(bytes) => bytes,
            None => batch.log_bytes(self.shared.id())?,
        };
        self.bytes = Some(bytes);
        if bytes + tx_bytes(tx) > limit { over(QuotaKind::Bytes, limit) } else { Ok(Ok(())) }
    }

    /// What was decided is part of what the next command is decided upon.
    pub(super) fn take(&mut self, tx: &Tx) {
        self.facts = self.facts.saturating_add_signed(growth(tx));
        if let Some(bytes) = &mut self.bytes {
            *bytes += tx_bytes(tx);
        }
        self.directory.apply(tx);
    }
}

/// Facts that are believed after a transaction and were not before.
fn growth(tx: &Tx) -> i64 {
    let changes = tx.changes.iter().map(|change| match change {
        Change::Opened { .. } => 1,
        Change::Closed { .. } => -1,
        _ => 0,
    });
    changes.sum()
}
