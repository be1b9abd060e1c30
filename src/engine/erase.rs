//! Erasures as callers ask for them.

use std::collections::BTreeSet;

use tokio::sync::oneshot;

use crate::kernel::{Change, RequestKey};
use crate::store::ErasureRecord;
use crate::types::{
    AuditEvent, AuditSubject, EntityId, EpisodeId, ErasureKind, FactId, Label, Name, StatementId,
    TxId,
};

use super::audit::event;
use super::error::{ReadError, SubmitError};
use super::handle::Engine;
use super::job::Job;

/// What is to be erased of a namespace, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EraseWhat {
    Fact(FactId),
    Entity(Name),
    Source(Name),
    Owner(Label),
    /// What an erasure took before, to be taken again from an older copy.
    Listed(Forgotten),
    Everything,
}

/// The ids that an erasure took. They name nothing, and they are the same in an older copy of the
/// namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forgotten {
    pub kind: ErasureKind,
    pub statements: BTreeSet<StatementId>,
    pub episodes: BTreeSet<EpisodeId>,
    pub entities: BTreeSet<EntityId>,
}

/// An erasure that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erase {
    pub what: EraseWhat,
    /// Say what would go; erase nothing.
    pub dry_run: bool,
    /// Write the file anew.
    pub purge: bool,
    pub request: Option<RequestKey>,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Erased {
    /// Its number is zero where it was a dry run.
    pub record: ErasureRecord,
    /// The request id was known; this is its first receipt.
    pub replayed: bool,
}

/// What waits for the writer.
pub(super) struct EraseJob {
    pub(super) namespace: Name,
    pub(super) request: Erase,
    pub(super) event: AuditEvent,
    pub(super) reply: oneshot::Sender<Result<Erased, SubmitError>>,
}

impl Engine {
    /// Erases what was recorded. The reply comes when it is gone from every answer, and from every
    /// file where that was asked for.
    ///
    /// # Errors
    /// [`SubmitError`].
    pub async fn erase(
        &self,
        namespace: &Name,
        request: Erase,
        by: AuditSubject,
    ) -> Result<Erased, SubmitError> {
        let (reply, erased) = oneshot::channel();
        let about = AuditSubject { namespace: namespace.to_string(), ..by };
        let event = event(self.now(), "ERASED", about);
        let job = EraseJob { namespace: namespace.clone(), request, event, reply };
        self.queue()?.send(Job::Erase(Box::new(job))).await.map_err(|_| SubmitError::Closed)?;
        erased.await.unwrap_or(Err(SubmitError::Closed))
    }

    /// Every erasure of the data directory, by namespace and number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn erasures(&self) -> Result<Vec<ErasureRecord>, ReadError> {
        self.stored(|store| store.read()?.erasures())
    }

    /// What the erasures noted after a transaction took, oldest first: what an older copy of the
    /// namespace has to forget again.
    ///
    /// # Errors
    /// When the namespace or its log cannot be read.
    pub fn forgotten_since(
        &self,
        namespace: &Name,
        after: TxId,
    ) -> Result<Vec<(u32, Forgotten)>, ReadError> {
        let namespace = self.find(namespace)?.id();
        self.stored(|store| {
            let reader = store.read()?;
            let wanted =
                |record: &ErasureRecord| record.namespace == namespace && record.tx > after;
            let records = reader.erasures()?.into_iter().filter(wanted);
            let mut all: Vec<(u32, Forgotten)> =
                records.map(|record| (record.number, Forgotten::empty(record.kind))).collect();
            reader.for_each_tx(namespace, |tx| {
                for change in tx.changes {
                    let Change::Erased { by, what } = change else { continue };
                    if let Some((_, list)) = all.iter_mut().find(|(number, _)| *number == by) {
                        list.add(what);
                    }
                }
            })?;
            Ok(all)
        })
    }
}

impl Forgotten {
    fn empty(kind: ErasureKind) -> Forgotten {
        let (statements, episodes) = (BTreeSet::new(), BTreeSet::new());
        Forgotten { kind, statements, episodes, entities: BTreeSet::new() }
    }

    fn add(&mut self, what: crate::kernel::Erased) {
        match what {
            crate::kernel::Erased::Statement { id, .. } => drop(self.statements.insert(id)),
            crate::kernel::Erased::Episode(id) => drop(self.episodes.insert(id)),
            crate::kernel::Erased::Entity(id) => drop(self.entities.insert(id)),
            _ => {}
        }
    }
}
