//! The single writer: takes what waits, decides it in order, makes it durable in one commit, folds it
//! into the views, and replies.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::mpsc;
use tracing::{error, warn};

use crate::kernel::{Command, DecideError, Outcome, RequestKey, Stamp, Tx};
use crate::store::{
    AuditKind, Batch, CommitError, EmbeddingRecord, NamespaceRecord, Receipt, Store, VectorRow,
};
use crate::types::limits::{
    BATCH_COMMANDS_MAX, BATCH_OPS_MAX, NAMESPACES_MAX, REQUEST_AGE_MAX_MICROS,
};
use crate::types::{AuditEvent, Name, NamespaceId, Timestamp, TxId};

use super::ahead::Ahead;
use super::clock::Clock;
use super::error::SubmitError;
use super::failure::Failure;
use super::guard::{self, Guard, Guarded};
use super::indexer::Waker;
use super::job::{Job, refuse};
use super::meters::Meters;
use super::namespace::{Namespace, NamespaceInfo, Published, Registry};
use super::pending::Pending;
use super::recover::recover;
use super::search::{Search, Views};
use super::spaces::{SpaceJob, SpaceSpec};
use super::submission::{self, Submission};
use super::vectors;

/// Receipts forgotten with one commit, at most.
const FORGET_AT_ONCE: usize = 64;

/// What the writer works with.
pub(super) struct Writing {
    pub(super) store: Arc<Store>,
    pub(super) registry: Arc<Registry>,
    pub(super) guard: Arc<Guard>,
    pub(super) meters: Arc<Meters>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) waker: Waker,
    /// Missing where views are in memory alone.
    pub(super) views: Option<Views>,
    /// The space that the server embeds in.
    pub(super) space: Option<SpaceSpec>,
}

pub(super) struct Writer {
    pub(super) with: Writing,
    pub(super) ahead: HashMap<NamespaceId, Ahead>,
}

impl Writer {
    pub(super) fn new(with: Writing) -> Writer {
        Writer { with, ahead: HashMap::new() }
    }

    /// Ends when every sender is gone and the queue is empty.
    pub(super) fn run(mut self, mut queue: mpsc::Receiver<Job>) {
        while let Some(first) = queue.blocking_recv() {
            let mut ops = 0;
            let mut jobs = Vec::new();
            let mut next = Some(first);
            let mut erasure = None;
            while let Some(job) = next.take() {
                if let Job::Erase(job) = job {
                    erasure = Some(job);
                    break;
                }
                ops += job.ops();
                jobs.push(job);
                if ops < BATCH_OPS_MAX && jobs.len() < BATCH_COMMANDS_MAX {
                    next = queue.try_recv().ok();
                }
            }
            if !jobs.is_empty() {
                self.serve(jobs);
            }
            if let Some(job) = erasure {
                self.erase(*job);
            }
        }
    }

    fn serve(&mut self, jobs: Vec<Job>) {
        let mut batch = match self.begin() {
            Ok(batch) => batch,
            Err(failure) => {
                self.with.meters.set_broken(true);
                for job in jobs {
                    refuse(job, &failure);
                }
                return;
            }
        };
        let mut pending = Pending::default();
        let mut failed = None;
        let mut waiting = jobs.into_iter();
        for job in waiting.by_ref() {
            if let Err(error) = self.take(job, &mut batch, &mut pending) {
                failed = Some(error);
                break;
            }
        }
        let result = match failed {
            Some(error) => {
                // The store is not reopened over an open batch.
                drop(batch);
                Err(error)
            }
            None if pending.writes => pending.commit(batch, &self.with.meters),
            None => Ok(()),
        };
        match result {
            Ok(()) => {
                self.publish(pending.txs, pending.created, &pending.deleted);
                for (namespace, record) in pending.spaces {
                    namespace.search.adopt(record);
                    self.with.waker.wake(&namespace);
                }
                self.with.guard.apply(pending.guarded);
                pending.promises.into_iter().for_each(|promise| promise(Ok(())));
            }
            Err(error) => {
                error!(%error, "a batch could not be committed");
                self.forget();
                let failure = Failure::from(error);
                pending.promises.into_iter().for_each(|promise| promise(Err(&failure)));
                waiting.for_each(|job| refuse(job, &failure));
            }
        }
    }

    pub(super) fn begin(&mut self) -> Result<Batch, Failure> {
        if !self.with.meters.is_broken() {
            match self.with.store.begin() {
                // A read that failed closes the file as a write does.
                Err(CommitError::Closed) => {}
                begun => return Ok(begun?),
            }
        }
        self.mend()?;
        Ok(self.with.store.begin()?)
    }

    /// Nothing of the failed batch is recorded, so nothing the writer knew of it counts.
    pub(super) fn forget(&mut self) {
        self.ahead.clear();
        self.with.meters.set_broken(true);
        // At once, so that reads of the file go on; if the disk is still failing, the next write or
        // read tries again.
        if let Err(failure) = self.mend() {
            warn!(?failure, "the store cannot be reopened yet");
        }
    }

    fn mend(&mut self) -> Result<(), Failure> {
        self.with.store.reopen()?;
        recover(&self.with.store, &self.with.registry, self.with.views.as_ref())?;
        self.with.guard.load(&self.with.store.read()?)?;
        warn!("the store was reopened after an I/O error");
        self.with.meters.set_broken(false);
        Ok(())
    }

    fn publish(
        &mut self,
        txs: Vec<(NamespaceId, Tx)>,
        created: Vec<(NamespaceRecord, EmbeddingRecord)>,
        deleted: &[Name],
    ) {
        let mut by_namespace: HashMap<NamespaceId, Vec<Tx>> = HashMap::new();
        for (namespace, tx) in txs {
            by_namespace.entry(namespace).or_default().push(tx);
        }
        for (namespace, txs) in by_namespace {
            if let Some(ahead) = self.ahead.get(&namespace) {
                ahead.shared.publish(&txs);
                self.with.waker.wake(&ahead.shared);
            }
        }
        for name in deleted {
            if let Some(namespace) = self.with.registry.get(name) {
                self.ahead.remove(&namespace.id());
                namespace.search.forget();
            }
            self.with.registry.remove(name);
        }
        for (record, spaces) in created {
            let search = Search::new(&record, 0, self.with.views.clone(), spaces);
            let namespace = Namespace::new(record, Published::default(), search);
            self.with.waker.wake(&self.with.registry.insert(namespace));
        }
    }

    /// Decides one job within the batch. An error is the disk's and ends the batch; everything else
    /// is promised as a reply.
    fn take(
        &mut self,
        job: Job,
        batch: &mut Batch,
        pending: &mut Pending,
    ) -> Result<(), CommitError> {
        match job {
            Job::Submit { namespace, submission, reply, account } => {
                pending.accounts.extend(account);
                let result = self.submit(&namespace, &submission, batch, pending);
                pending.settle(reply, result)
            }
            Job::Create { name, zone, space, reply } => {
                let result = self.create(name, zone, space.as_ref(), batch, pending);
                pending.settle(reply, result)
            }
            Job::Delete { name, event, reply } => {
                let result = self.delete(&name, event, batch, pending);
                pending.settle(reply, result)
            }
            Job::Guard(job) => guard::take(job, &self.with.registry, batch, pending),
            Job::Space { namespace, job, reply } => {
                let result = self.space(&namespace, job, batch, pending);
                pending.settle(reply, result)
            }
            Job::Reads { namespace, reads } => {
                if self.is_current(&namespace, pending) {
                    pending.writes = true;
                    batch.put_accesses(namespace.id(), &reads)?;
                }
                Ok(())
            }
            Job::Usage { namespace, id } => self.usage(&namespace, id, batch, pending),
            // It has a batch of its own.
            Job::Erase(_) | Job::Mend => Ok(()),
        }
    }

    /// Whether a namespace that was looked up earlier is still there.
    fn is_current(&self, namespace: &Namespace, pending: &Pending) -> bool {
        let name = &namespace.record.name;
        let there = self.with.registry.get(name);
        // An erasure puts another in its place.
        there.is_some_and(|there| std::ptr::eq(&raw const *there, namespace))
            && !pending.deleted.contains(name)
    }

    fn space(
        &self,
        namespace: &Arc<Namespace>,
        job: SpaceJob,
        batch: &mut Batch,
        pending: &mut Pending,
    ) -> Result<Result<(), SubmitError>, CommitError> {
        if !self.is_current(namespace, pending) {
            let name = namespace.record.name.to_string();
            return Ok(Err(SubmitError::NamespaceUnknown { name }));
        }
        pending.writes = true;
        if let Some(record) = job.apply(namespace, batch)? {
            pending.spaces.push((Arc::clone(namespace), record));
        }
        Ok(Ok(()))
    }

    /// The spaces that vectors of a command must fit, as they will stand once it is taken. Nothing is
    /// written here: a command that is refused, or only tried, makes no space.
    fn spaces_for(
        &self,
        command: &Command,
        namespace: &Namespace,
        batch: &Batch,
    ) -> Result<Option<EmbeddingRecord>, CommitError> {
        let Some(asked) = vectors::asked_for(command) else { return Ok(None) };
        let record = batch.embedding(namespace.id())?;
        if record.current.is_some() {
            return Ok(Some(record));
        }
        Ok(Some(self.with.space.clone().unwrap_or(asked).claimed(record)))
    }

    fn submit(
        &mut self,
        name: &Name,
        submission: &Submission,
        batch: &mut Batch,
        pending: &mut Pending,
    ) -> Result<Result<submission::Receipt, SubmitError>, CommitError> {
        let gone = || SubmitError::NamespaceUnknown { name: name.to_string() };
        let Some(shared) = self.with.registry.get(name).filter(|_| !pending.deleted.contains(name))
        else {
            return Ok(Err(gone()));
        };
        let now = self.with.clock.now();
        let namespace = shared.id();
        self.ahead.entry(namespace).or_insert_with(|| Ahead::new(Arc::clone(&shared)));
        if let Some(key) = submission.command.request.as_ref()
            && let Some(known) = batch.receipt(namespace, &key.id)?
        {
            return Ok(replay(known, key));
        }
        let spaces = self.spaces_for(&submission.command, &shared, batch)?;
        let current = spaces.as_ref().and_then(|spaces| spaces.current.as_ref());
        let left = match vectors::checked(&submission.command, current) {
            Ok(left) => left,
            Err(rejection) => return Ok(Err(rejection.into())),
        };
        let command = left.as_ref().unwrap_or(&submission.command);
        let ahead = self.ahead.get_mut(&namespace).expect("it was just looked at");
        let stamp = match ahead.stamp(now, submission.time) {
            Ok(stamp) => stamp,
            Err(refused) => return Ok(Err(refused)),
        };
        let mut decision = match ahead.decide(command, stamp, batch) {
            Ok(decision) => decision,
            Err(DecideError::Rejected(rejection)) => return Ok(Err(rejection.into())),
            Err(DecideError::Lookup(error)) => return Err(error.into()),
        };
        let quotas = self.with.guard.quotas(namespace);
        if let Err(over) = ahead.must_fit(&quotas, &decision.tx, batch)? {
            return Ok(Err(over));
        }
        let outcomes = std::mem::take(&mut decision.outcomes);
        if submission.dry_run {
            return Ok(Ok(submission::Receipt {
                tx: TxId::ZERO,
                time: stamp.time,
                outcomes,
                replayed: false,
            }));
        }
        if decision.is_idle(&outcomes) && submission.command.request.is_none() {
            let (tx, time) = ahead.last().unwrap_or((TxId::ZERO, now));
            return Ok(Ok(submission::Receipt { tx, time, outcomes, replayed: false }));
        }
        pending.writes = true;
        batch.apply(namespace, &decision.tx)?;
        if let Some(spaces) = &spaces {
            put_vectors(spaces, &shared, &vectors::rows(command, &decision.tx), batch, pending)?;
        }
        if let Some(key) = &submission.command.request {
            put_receipt(namespace, key, stamp, &outcomes, now, batch)?;
        }
        ahead.replaying = submission.time.is_some();
        ahead.take(&decision.tx);
        ahead.cache.borrow_mut().settle(&mut decision);
        pending.txs.push((namespace, decision.tx));
        let Stamp { tx, time } = stamp;
        Ok(Ok(submission::Receipt { tx, time, outcomes, replayed: false }))
    }

    fn create(
        &self,
        name: Name,
        zone: String,
        space: Option<&SpaceSpec>,
        batch: &mut Batch,
        pending: &mut Pending,
    ) -> Result<Result<NamespaceInfo, SubmitError>, CommitError> {
        let here = pending.created.iter().any(|(record, _)| record.name == name);
        let there = self.with.registry.get(&name).is_some() && !pending.deleted.contains(&name);
        if here || there {
            return Ok(Err(SubmitError::NamespaceExists { name: name.to_string() }));
        }
        let count = self.with.registry.len() + pending.created.len();
        if count >= NAMESPACES_MAX {
            return Ok(Err(SubmitError::NamespacesFull { count }));
        }
        let record = batch.create_namespace(name, zone, self.with.clock.now())?;
        let space = space.or(self.with.space.as_ref());
        let info = NamespaceInfo {
            id: record.id,
            name: record.name.to_string(),
            zone: record.zone.clone(),
            created: record.created,
            space: space.cloned(),
        };
        let mut spaces = EmbeddingRecord::default();
        if let Some(space) = space {
            spaces = space.claimed(spaces);
            batch.put_embedding(record.id, &spaces)?;
        }
        pending.created.push((record, spaces));
        pending.writes = true;
        Ok(Ok(info))
    }

    fn delete(
        &self,
        name: &Name,
        event: AuditEvent,
        batch: &mut Batch,
        pending: &mut Pending,
    ) -> Result<Result<(), SubmitError>, CommitError> {
        let namespace = self.with.registry.get(name).filter(|_| !pending.deleted.contains(name));
        let Some(namespace) = namespace else {
            return Ok(Err(SubmitError::NamespaceUnknown { name: name.to_string() }));
        };
        batch.delete_namespace(namespace.id())?;
        batch.add_audit(AuditKind::Change, vec![event.at(self.with.clock.now())])?;
        pending.guarded.push(Guarded::Gone(namespace.id()));
        pending.txs.retain(|(id, _)| *id != namespace.id());
        pending.deleted.push(name.clone());
        pending.writes = true;
        Ok(Ok(()))
    }
}

/// Writes the vectors of a command that is taken, and the space with the first of them.
fn put_vectors(
    spaces: &EmbeddingRecord,
    namespace: &Arc<Namespace>,
    rows: &[VectorRow],
    batch: &mut Batch,
    pending: &mut Pending,
) -> Result<(), CommitError> {
    let Some(space) = &spaces.current else { return Ok(()) };
    if batch.embedding(namespace.id())?.current.is_none() {
        batch.put_embedding(namespace.id(), spaces)?;
        pending.spaces.push((Arc::clone(namespace), spaces.clone()));
    }
    batch.put_vectors(namespace.id(), space.id, rows)
}

/// Remembers what became of a request, and forgets some of those that are old.
fn put_receipt(
    namespace: NamespaceId,
    key: &RequestKey,
    stamp: Stamp,
    outcomes: &[Outcome],
    now: Timestamp,
    batch: &mut Batch,
) -> Result<(), CommitError> {
    let (Stamp { tx, time }, body) = (stamp, key.body);
    let receipt = Receipt { body, tx, time, outcomes: outcomes.to_vec() };
    batch.put_receipt(namespace, &key.id, &receipt)?;
    let age = now.micros().saturating_sub(REQUEST_AGE_MAX_MICROS);
    batch.forget_receipts(namespace, Timestamp::from_micros(age), FORGET_AT_ONCE)?;
    Ok(())
}

/// T4. The first receipt again, or a refusal if the body is another.
fn replay(known: Receipt, key: &RequestKey) -> Result<submission::Receipt, SubmitError> {
    if known.body != key.body {
        return Err(SubmitError::KeyReused);
    }
    let Receipt { tx, time, outcomes, .. } = known;
    Ok(submission::Receipt { tx, time, outcomes, replayed: true })
}
