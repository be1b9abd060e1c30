//! Erasures as callers ask for them.

use std::collections::BTreeSet;

use tokio::sync::oneshot;

use crate::kernel::RequestKey;
use crate::store::ErasureRecord;
use crate::types::{
    AuditEvent, AuditSubject, EntityId, EpisodeId, ErasureKind, FactId, Label, Name, StatementId,
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
}

impl Forgotten {
    pub(super) fn add(&mut self, what: crate::kernel::Erased) {
        match what {
            crate::kernel::Erased::Statement { id, .. } => drop(self.statements.insert(id)),
            crate::kernel::Erased::Episode(id) => drop(self.episodes.insert(id)),
            crate::kernel::Erased::Entity(id) => drop(self.entities.insert(id)),
            _ => {}
        }
    }
}
