//! The writer's side of an erasure: one batch for the log, the tables and the receipt; then what is
//! published is built anew, the old views go, and the file is written anew.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tracing::{info, warn};

use crate::kernel::{
    Change, Erasure, Plan, Rejection, Rewrite, Selection, Selector, Toll, Tx, Violation,
    ViolationKind,
};
use crate::store::{
    AuditKind, Batch, CommitError, Corrupt, ErasureRecord, ReadError, SpaceRecord, request_digest,
};
use crate::types::{AuditEvent, AuditSubject, ErasureCounts, ErasureKind, Name, Timestamp, TxId};

use super::erase::{Erase, EraseJob, EraseWhat, Erased, Forgotten};
use super::error::SubmitError;
use super::failure::Failure;
use super::guard::Guarded;
use super::namespace::Namespace;
use super::recover;
use super::writer::Writer;

/// How often the new file tries to take its place while the old one is read, and how long it waits
/// in between: together some seconds, longer than any answer but a verification.
const SWAP_TRIES: u32 = 500;
const SWAP_AFTER: Duration = Duration::from_millis(10);

/// What was done in a batch that is not durable yet.
struct Done {
    record: ErasureRecord,
    namespace: Arc<Namespace>,
}

/// A disk that failed ends the batch; everything else is a reply.
type Tried<T> = Result<Result<T, SubmitError>, CommitError>;

impl Writer {
    /// Nothing else is in its batch: what it rewrites is what is published.
    pub(super) fn erase(&mut self, job: EraseJob) {
        let EraseJob { namespace, request, event, reply } = job;
        let result = self.erased(&namespace, &request, event);
        // A caller that has gone does not mind.
        drop(reply.send(result));
    }

    fn erased(
        &mut self,
        name: &Name,
        request: &Erase,
        event: AuditEvent,
    ) -> Result<Erased, SubmitError> {
        let mut batch = self.begin().map_err(|failure| {
            self.with.meters.set_broken(true);
            SubmitError::from(&failure)
        })?;
        let tried = self.erase_in(&mut batch, name, request, event);
        let done = match tried {
            Ok(Ok(Known::Before(record))) => return Ok(Erased { record, replayed: true }),
            Ok(Ok(Known::Now(done))) => done,
            Ok(Err(refused)) => return Err(refused),
            Err(error) => {
                drop(batch);
                return Err(self.lost(error));
            }
        };
        if request.dry_run {
            let record = ErasureRecord { number: 0, tx: TxId::ZERO, ..done.record };
            return Ok(Erased { record, replayed: false });
        }
        self.with.meters.timed(1, &[], || batch.commit()).map_err(|error| self.lost(error))?;
        self.replace(&done).map_err(|error| self.lost(error.into()))?;
        let ErasureRecord { namespace, number, kind, .. } = done.record;
        info!(namespace = namespace.raw(), number, ?kind, "an erasure is recorded");
        let purged = request.purge && self.purge();
        Ok(Erased { record: ErasureRecord { purged, ..done.record }, replayed: false })
    }

    fn lost(&mut self, error: CommitError) -> SubmitError {
        warn!(%error, "an erasure could not be done");
        self.forget();
        SubmitError::from(&Failure::from(error))
    }

    fn erase_in(
        &mut self,
        batch: &mut Batch,
        name: &Name,
        request: &Erase,
        event: AuditEvent,
    ) -> Tried<Known> {
        let records = batch.erasures()?;
        let shared = self.with.registry.get(name);
        if let Some(key) = &request.request {
            let digest = request_digest(&key.id);
            let here = |record: &&ErasureRecord| {
                let same = shared.as_ref().is_some_and(|shared| shared.id() == record.namespace);
                same && record.request.is_some_and(|(known, _)| known == digest)
            };
            if let Some(record) = records.iter().find(here) {
                let same = record.request.is_some_and(|(_, body)| body == key.body);
                return Ok(if same {
                    Ok(Known::Before(*record))
                } else {
                    Err(SubmitError::KeyReused)
                });
            }
        }
        let Some(shared) = shared else {
            return Ok(Err(SubmitError::NamespaceUnknown { name: name.to_string() }));
        };
        let mine = records.iter().filter(|record| record.namespace == shared.id());
        let number = mine.map(|record| record.number).max().unwrap_or(0) + 1;
        let now = self.with.clock.now();
        let tried = match selector(&request.what, &shared) {
            Ok(None) => erase_all(batch, &shared, number, now)?,
            Ok(Some(selector)) => {
                let note = note(&shared, now);
                erase_some(batch, &shared, &selector, number, &note)?
            }
            Err(rejection) => return Ok(Err(rejection.into())),
        };
        tell_audit(batch, &shared, kind_of(&request.what), now, event)?;
        let kind = kind_of(&request.what);
        let key = request.request.as_ref();
        let key = key.map(|key| (request_digest(&key.id), key.body));
        let record = ErasureRecord { kind, request: key, ..tried };
        batch.put_erasure(&record)?;
        if request.purge {
            batch.mark_purge()?;
        }
        Ok(Ok(Known::Now(Done { record, namespace: shared })))
    }

    /// Publishes the namespace as it is now under its name, or nothing. Whoever still reads the old
    /// one reads it whole.
    fn replace(&mut self, done: &Done) -> Result<(), ReadError> {
        let old = &done.namespace;
        self.ahead.remove(&old.id());
        if done.record.kind == ErasureKind::Namespace {
            self.with.registry.remove(&old.record.name);
            self.with.guard.apply(vec![Guarded::Gone(old.id())]);
            old.search.forget();
            return Ok(());
        }
        let reader = self.with.store.read()?;
        let record = old.record.clone();
        let fresh = recover::namespace(&reader, record, self.with.views.as_ref())?.after(old);
        let fresh = self.with.registry.insert(fresh);
        old.search.forget();
        fresh.tell();
        self.with.waker.wake(&fresh);
        Ok(())
    }

    /// Writes the file anew, and says whether it was. What could not be done now is done with the
    /// next purge, or when the directory is opened.
    fn purge(&mut self) -> bool {
        let result = self.try_purge();
        if let Err(failure) = &result {
            warn!(
                ?failure,
                "the file could not be written anew yet; it still holds what was erased"
            );
            self.forget();
        }
        matches!(result, Ok(true))
    }

    fn try_purge(&self) -> Result<bool, Failure> {
        let store = &self.with.store;
        if !store.wants_purge()? {
            return Ok(false);
        }
        store.write_anew()?;
        for _ in 0..SWAP_TRIES {
            if store.swap(true)? {
                return Ok(true);
            }
            thread::sleep(SWAP_AFTER);
        }
        Ok(store.swap(false)?)
    }
}

enum Known {
    /// The receipt that a request id has already.
    Before(ErasureRecord),
    Now(Done),
}

/// The audit log says that something was erased, and by whom. Of a namespace that went it keeps the
/// number in place of the name.
fn tell_audit(
    batch: &mut Batch,
    namespace: &Namespace,
    kind: ErasureKind,
    now: Timestamp,
    event: AuditEvent,
) -> Result<(), CommitError> {
    let event = event.at(now);
    if kind != ErasureKind::Namespace {
        return batch.add_audit(AuditKind::Change, vec![event]);
    }
    let number = format!("#{}", namespace.id().raw());
    let about = AuditSubject { namespace: number.clone(), ..event.about };
    batch.rename_in_audit(&namespace.record.name.to_string(), &number)?;
    batch.add_audit(AuditKind::Change, vec![AuditEvent { about, ..event }])
}

const fn kind_of(what: &EraseWhat) -> ErasureKind {
    match what {
        EraseWhat::Fact(_) => ErasureKind::Fact,
        EraseWhat::Entity(_) => ErasureKind::Entity,
        EraseWhat::Source(_) => ErasureKind::Source,
        EraseWhat::Owner(_) => ErasureKind::Owner,
        EraseWhat::Listed(list) => list.kind,
        EraseWhat::Everything => ErasureKind::Namespace,
    }
}

/// By ids; none is everything.
fn selector(what: &EraseWhat, namespace: &Namespace) -> Result<Option<Selector>, Rejection> {
    let published = namespace.published();
    let directory = &published.directory;
    let unknown = |field: &'static str, kind, name: &Name| {
        let detail = format!("no {field} is named {name}");
        Rejection::from(Violation { op: None, field: field.into(), kind, detail })
    };
    Ok(Some(match what {
        EraseWhat::Everything => return Ok(None),
        EraseWhat::Fact(fact) => Selector::Fact(fact.0),
        EraseWhat::Entity(name) => {
            let found = directory.entity(name);
            Selector::Entity(
                found.ok_or_else(|| unknown("entity", ViolationKind::EntityUnknown, name))?,
            )
        }
        EraseWhat::Source(name) => {
            let found = directory.source(name);
            Selector::Source(
                found.ok_or_else(|| unknown("source", ViolationKind::SourceUnknown, name))?,
            )
        }
        EraseWhat::Owner(owner) => Selector::Owner(owner.clone()),
        EraseWhat::Listed(Forgotten { statements, episodes, entities, .. }) => Selector::Listed {
            statements: statements.clone(),
            episodes: episodes.clone(),
            entities: entities.clone(),
        },
    }))
}

/// The transaction that is to note an erasure, later than the last one whatever the clock says.
fn note(namespace: &Namespace, now: Timestamp) -> Tx {
    let published = namespace.published();
    let last = published.directory.last_tx();
    let earliest = published.directory.time_of(last).map_or(Timestamp::MIN, Timestamp::successor);
    Tx { id: last.next(), time: now.max(earliest), changes: Vec::new() }
}

/// Rewrites the log and all that is stored of it. `note` becomes the transaction that notes it.
fn erase_some(
    batch: &mut Batch,
    namespace: &Namespace,
    selector: &Selector,
    number: u32,
    note: &Tx,
) -> Result<ErasureRecord, CommitError> {
    let id = namespace.id();
    let plan = select(batch, namespace, selector, number)?;
    batch.clear_rectangles(id, &plan)?;
    let mut rewrite = Rewrite::new(plan);
    let mut lost = BTreeSet::new();
    let mut next = TxId::ZERO.next();
    while next < note.id {
        let gap = CommitError::Corrupt(Corrupt::RowMissing { table: "log" });
        let tx = batch.tx(id, next)?.ok_or(gap)?;
        let rewritten = rewrite.next(&tx);
        batch.rewrite(id, &tx, &rewritten.tx, rewrite.plan())?;
        if rewritten.lost {
            lost.insert(next);
        }
        next = next.next();
    }
    let (plan, toll, _) = rewrite.finish();
    let (vectors, accesses) = forget(batch, namespace, &toll)?;
    let receipts = batch.forget_receipts_of(id, &lost)?;
    let erasure = Change::Erasure(Erasure { number, first: toll.first });
    batch.apply(id, &Tx { changes: vec![erasure], ..*note })?;
    let counts = ErasureCounts { receipts, vectors, accesses, ..counts(&plan, &toll) };
    Ok(ErasureRecord {
        namespace: id,
        number,
        kind: ErasureKind::Fact,
        tx: note.id,
        time: note.time,
        first: toll.first,
        counts,
        request: None,
        purged: false,
    })
}

fn select(
    batch: &Batch,
    namespace: &Namespace,
    selector: &Selector,
    number: u32,
) -> Result<Plan, ReadError> {
    let published = namespace.published();
    let mut selection = Selection::new(selector, &published.directory);
    batch.for_each_tx(namespace.id(), |tx| selection.read(&tx))?;
    batch.for_each_tx(namespace.id(), |tx| selection.reread(&tx))?;
    Ok(selection.finish(number))
}

/// Removes what is stored of documents that are no more. The others from the first change on have
/// other numbers now, so they are looked at again.
fn forget(
    batch: &mut Batch,
    namespace: &Namespace,
    toll: &Toll,
) -> Result<(u64, u64), CommitError> {
    let Some(first) = toll.first else { return Ok((0, 0)) };
    let id = namespace.id();
    let mut spaces = batch.embedding(id)?;
    let kept = namespace.published().documents.made_by(first).start;
    let mut found = Vec::new();
    for space in [spaces.current.as_mut(), spaces.next.as_mut()].into_iter().flatten() {
        let SpaceRecord { id, looked_at, .. } = space;
        *looked_at = kept.min(*looked_at);
        found.push(*id);
    }
    if !found.is_empty() {
        batch.put_embedding(id, &spaces)?;
    }
    batch.forget_documents(id, &found, &toll.documents)
}

fn counts(plan: &Plan, toll: &Toll) -> ErasureCounts {
    ErasureCounts {
        statements: plan.statements.len() as u64,
        evidence: toll.evidence,
        episodes: plan.episodes.len() as u64,
        rectangles: toll.rectangles,
        rectangles_restored: toll.rectangles_restored,
        log_changes: toll.log_changes,
        names: plan.names.len() as u64,
        documents: toll.documents.len() as u64 - toll.moved,
        facts: toll.facts,
        ..ErasureCounts::default()
    }
}

fn erase_all(
    batch: &mut Batch,
    namespace: &Namespace,
    number: u32,
    now: Timestamp,
) -> Result<ErasureRecord, CommitError> {
    let id = namespace.id();
    let mut counts = ErasureCounts::default();
    batch.for_each_tx(id, |tx| {
        counts.log_changes += tx.changes.len() as u64;
        for change in &tx.changes {
            match change {
                Change::Stated(statement) => {
                    counts.statements += 1;
                    counts.evidence += u64::from(statement.text.is_some());
                }
                Change::EpisodeAdded(_) => counts.episodes += 1,
                Change::Opened { .. } => counts.rectangles += 1,
                Change::EntityCreated { .. }
                | Change::PredicateCreated { .. }
                | Change::PredicateScoped { .. }
                | Change::ValueCreated { .. }
                | Change::SourceCreated { .. } => counts.names += 1,
                _ => {}
            }
        }
    })?;
    let [receipts, vectors, accesses] = batch.rows_of(id)?;
    let published = namespace.published();
    counts.documents = published.documents.len() as u64;
    counts.facts = published.documents.fact_count() as u64;
    drop(published);
    batch.delete_namespace(id)?;
    Ok(ErasureRecord {
        namespace: id,
        number,
        kind: ErasureKind::Namespace,
        tx: TxId::ZERO,
        time: now,
        first: None,
        counts: ErasureCounts { receipts, vectors, accesses, ..counts },
        request: None,
        purged: false,
    })
}
