//! The engine as callers hold it: a cheap clone.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use tokio::sync::{mpsc, oneshot, watch};

use crate::query::{AsOf, Explained, Halt, Known, Seen, Snapshot, explain};
use crate::store::{self, Store};
use crate::types::limits::QUEUE_COMMANDS_MAX;
use crate::types::{
    AuditSubject, Basis, Grant, Name, Object, Slot, Statement, Timestamp, Triple, TxId,
};

use super::account::{note_basis, note_written};
use super::audit::{Denials, event};
use super::clock::Clock;
use super::error::{ReadError, SubmitError};
use super::guard::Guard;
use super::indexer::{Indexers, Waker};
use super::job::Job;
use super::keep::Waiting;
use super::meters::Meters;
use super::namespace::{Namespace, NamespaceInfo, Published, Registry};
use super::spaces::SpaceSpec;
use super::submission::{Receipt, Submission};

#[derive(Clone)]
pub struct Engine {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    pub(super) store: Arc<Store>,
    pub(super) registry: Arc<Registry>,
    guard: Arc<Guard>,
    meters: Arc<Meters>,
    denials: Denials,
    clock: Arc<dyn Clock>,
    /// Missing once the engine is closed.
    queue: Mutex<Option<mpsc::Sender<Job>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    waker: Waker,
    indexers: Mutex<Option<Indexers>>,
    embedding: Arc<Waiting>,
}

/// What an engine is put together from.
pub(super) struct Parts {
    pub(super) store: Arc<Store>,
    pub(super) registry: Arc<Registry>,
    pub(super) guard: Arc<Guard>,
    pub(super) meters: Arc<Meters>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) queue: mpsc::Sender<Job>,
    pub(super) writer: JoinHandle<()>,
    pub(super) waker: Waker,
    pub(super) indexers: Indexers,
    pub(super) embedding: Arc<Waiting>,
}

/// Why a fact holds or not, at a basis.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    pub explained: Explained,
    pub basis: Basis,
}

impl Engine {
    pub(super) fn new(parts: Parts) -> Engine {
        let Parts {
            store,
            registry,
            guard,
            meters,
            clock,
            queue,
            writer,
            waker,
            indexers,
            embedding,
        } = parts;
        let queue = Mutex::new(Some(queue));
        let writer = Mutex::new(Some(writer));
        let indexers = Mutex::new(Some(indexers));
        let inner = Inner {
            store,
            registry,
            guard,
            meters,
            denials: Denials::default(),
            clock,
            queue,
            writer,
            waker,
            indexers,
            embedding,
        };
        Engine { inner: Arc::new(inner) }
    }

    pub(super) fn guard(&self) -> &Guard {
        &self.inner.guard
    }

    pub(super) fn counted(&self) -> &Meters {
        &self.inner.meters
    }

    pub(super) fn denials(&self) -> &Denials {
        &self.inner.denials
    }

    pub(super) fn embedding(&self) -> &Waiting {
        &self.inner.embedding
    }

    /// What was noted of a namespace is stored a while later.
    pub(super) fn keep(&self, namespace: &Arc<Namespace>) {
        let indexers = self.inner.indexers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(indexers) = &*indexers {
            indexers.keep(namespace);
        }
    }

    /// The views of a namespace have something to do.
    pub(super) fn wake(&self, namespace: &Arc<Namespace>) {
        self.inner.waker.wake(namespace);
    }

    /// Changes facts. The reply comes after the fsync.
    ///
    /// # Errors
    /// [`SubmitError`].
    pub async fn submit(
        &self,
        namespace: &Name,
        submission: Submission,
    ) -> Result<Receipt, SubmitError> {
        let receipt = self.enqueue(namespace, submission)?.await;
        let receipt = receipt.unwrap_or(Err(SubmitError::Closed))?;
        note_written(receipt.tx, receipt.outcomes.len());
        Ok(receipt)
    }

    /// Puts a command in the writer's queue. Commands queued in order are decided in order, so a
    /// stream may have several on their way.
    ///
    /// # Errors
    /// [`SubmitError::QueueFull`] and [`SubmitError::Closed`]; all others come with the reply.
    pub fn enqueue(
        &self,
        namespace: &Name,
        submission: Submission,
    ) -> Result<oneshot::Receiver<Result<Receipt, SubmitError>>, SubmitError> {
        let (job, receipt) = Job::submit(namespace, submission);
        self.send(job)?;
        Ok(receipt)
    }

    /// The same, waiting for room in the queue: for streams, which slow down instead of failing.
    ///
    /// # Errors
    /// [`SubmitError::Closed`]; all others come with the reply.
    pub async fn enqueue_patiently(
        &self,
        namespace: &Name,
        submission: Submission,
    ) -> Result<oneshot::Receiver<Result<Receipt, SubmitError>>, SubmitError> {
        let (job, receipt) = Job::submit(namespace, submission);
        let queue = self.queue()?;
        queue.send(job).await.map_err(|_| SubmitError::Closed)?;
        Ok(receipt)
    }

    /// # Errors
    /// [`SubmitError::NamespaceExists`], or why it could not be recorded.
    pub async fn create_namespace(
        &self,
        name: &Name,
        zone: &str,
        space: Option<&SpaceSpec>,
    ) -> Result<NamespaceInfo, SubmitError> {
        let (reply, made) = oneshot::channel();
        let (name, zone, space) = (name.clone(), zone.to_owned(), space.cloned());
        self.send(Job::Create { name, zone, space, reply })?;
        made.await.unwrap_or(Err(SubmitError::Closed))
    }

    /// # Errors
    /// [`SubmitError::NamespaceUnknown`], or why it could not be recorded.
    pub async fn delete_namespace(&self, name: &Name, by: AuditSubject) -> Result<(), SubmitError> {
        let (reply, gone) = oneshot::channel();
        let about = AuditSubject { namespace: name.to_string(), ..by };
        let event = event(self.now(), "NAMESPACE_DELETED", about);
        self.send(Job::Delete { name: name.clone(), event, reply })?;
        gone.await.unwrap_or(Err(SubmitError::Closed))
    }

    pub(super) fn send(&self, job: Job) -> Result<(), SubmitError> {
        self.queue()?.try_send(job).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => {
                SubmitError::QueueFull { queued: QUEUE_COMMANDS_MAX }
            }
            mpsc::error::TrySendError::Closed(_) => SubmitError::Closed,
        })
    }

    pub(super) fn queue(&self) -> Result<mpsc::Sender<Job>, SubmitError> {
        let queue = self.inner.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.clone().ok_or(SubmitError::Closed)
    }

    /// In the order they were made.
    #[must_use]
    pub fn namespaces(&self) -> Vec<NamespaceInfo> {
        self.inner.registry.all().iter().map(|namespace| namespace.info()).collect()
    }

    /// # Errors
    /// [`ReadError::NamespaceUnknown`].
    pub fn namespace(&self, name: &Name) -> Result<NamespaceInfo, ReadError> {
        Ok(self.find(name)?.info())
    }

    pub(super) fn find(&self, name: &Name) -> Result<Arc<Namespace>, ReadError> {
        let unknown = || ReadError::NamespaceUnknown { name: name.to_string() };
        self.inner.registry.get(name).ok_or_else(unknown)
    }

    /// Reads what is stored. After an error of the disk the writer is asked to open the file again,
    /// so that reads come back with the disk also when nobody writes. A purge closes the file to whoever
    /// reads it for too long, and nothing has failed then.
    pub(super) fn stored<T>(
        &self,
        read: impl FnOnce(&Store) -> Result<T, store::ReadError>,
    ) -> Result<T, ReadError> {
        let renewals = self.inner.store.renewals();
        let result = read(&self.inner.store);
        if let Err(store::ReadError::Closed | store::ReadError::Io(_)) = &result {
            if self.inner.store.renewals() != renewals {
                return Err(ReadError::Renewed);
            }
            // If the queue is full, what waits in it does the same.
            drop(self.send(Job::Mend));
        }
        Ok(result?)
    }

    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// Answers a question over a snapshot at the basis that the as-of point resolves to (Q1). The
    /// views stay as they are while it runs, so it must not wait for anything.
    ///
    /// # Errors
    /// [`ReadError::NamespaceUnknown`].
    pub fn read<T>(
        &self,
        grant: &Grant,
        as_of: AsOf,
        ask: impl FnOnce(Snapshot<'_>) -> T,
    ) -> Result<T, ReadError> {
        Ok(self.read_in(&*self.find(grant)?, grant, as_of, ask))
    }

    /// The same of a namespace that was looked up before, for questions that ask its views too: an
    /// erasure puts another in its place, with other documents.
    pub(super) fn read_in<T>(
        &self,
        namespace: &Namespace,
        grant: &Grant,
        as_of: AsOf,
        ask: impl FnOnce(Snapshot<'_>) -> T,
    ) -> T {
        let published = namespace.published();
        let Published { directory, graph, documents } = &*published;
        let last = directory.last_tx();
        let tx = match as_of.known {
            Known::Latest => last,
            Known::Tx(tx) => tx.min(last),
            Known::At(instant) => directory.tx_at(instant),
        };
        let valid = as_of.valid.unwrap_or_else(|| self.now());
        let seen = &Seen::of(&grant.clearance, directory, documents);
        let basis = Basis { valid, tx };
        note_basis(basis);
        ask(Snapshot { directory, graph, documents, basis, seen })
    }

    /// # Errors
    /// When the namespace or what is stored of it cannot be read.
    pub fn explain(
        &self,
        namespace: &Grant,
        as_of: AsOf,
        triple: Triple,
        halt: &Halt,
    ) -> Result<Explanation, ReadError> {
        // A fact of an entity that is merged into another is read under that other.
        let (basis, triple, slots) = self.read(namespace, as_of, |snapshot| {
            let triple = snapshot.canonical(triple);
            (snapshot.basis, triple, recorded_slots(snapshot, triple))
        })?;
        let id = self.find(namespace)?.id();
        let mut statements: Vec<Statement> = self.stored(|store| {
            let reader = store.read()?;
            let mut statements = Vec::new();
            for (slot, object) in slots {
                if halt.is_halted() {
                    break;
                }
                statements.extend(reader.statements(id, slot, object)?);
            }
            Ok(statements)
        })?;
        statements.retain(|statement| statement.id.tx <= basis.tx);
        statements.sort_by_key(|statement| statement.id);
        let as_of = AsOf { valid: Some(basis.valid), known: Known::Tx(basis.tx) };
        let explained =
            self.read(namespace, as_of, |snapshot| explain(snapshot, triple, statements, halt))?;
        if halt.is_halted() {
            return Err(ReadError::Halted);
        }
        Ok(Explanation { explained, basis })
    }

    /// One statement, wherever it stands.
    ///
    /// # Errors
    /// When the namespace or what is stored of it cannot be read.
    pub fn statement(
        &self,
        namespace: &Name,
        id: crate::types::StatementId,
    ) -> Result<Option<Statement>, ReadError> {
        let namespace = self.find(namespace)?.id();
        self.stored(|store| store.read()?.statement(namespace, id))
    }

    /// Follows the last transaction of a namespace. The receiver ends when the namespace is gone.
    ///
    /// # Errors
    /// [`ReadError::NamespaceUnknown`].
    pub fn follow(&self, namespace: &Name) -> Result<watch::Receiver<TxId>, ReadError> {
        Ok(self.find(namespace)?.committed())
    }

    /// Takes no more commands, finishes those that wait, and ends the threads. Views are saved
    /// before the writer ends, which stores what they have made.
    pub fn close(&self) {
        let indexers = self.inner.indexers.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(indexers) = indexers {
            indexers.close();
        }
        drop(self.inner.queue.lock().unwrap_or_else(PoisonError::into_inner).take());
        let writer = self.inner.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer
            && writer.join().is_err()
        {
            tracing::error!("the writer panicked");
        }
    }
}

/// Where the statements about a triple's group were recorded.
fn recorded_slots(snapshot: Snapshot<'_>, triple: Triple) -> Vec<(Slot, Option<Object>)> {
    let (directory, tx) = (snapshot.directory, snapshot.basis.tx);
    let members = |id| {
        let mut members = directory.merged_ever(id, tx);
        members.retain(|member| directory.canonical_at(*member, tx) == id);
        members.insert(0, id);
        members
    };
    let one = directory.cardinality_at(triple.predicate, tx) == crate::types::Cardinality::One;
    let objects: Vec<Option<Object>> = match triple.object {
        _ if one => vec![None],
        Object::Entity(id) => members(id).into_iter().map(|id| Some(Object::Entity(id))).collect(),
        value @ Object::Value(_) => vec![Some(value)],
    };
    let slots = members(triple.subject).into_iter();
    slots
        .map(|subject| Slot { subject, predicate: triple.predicate })
        .flat_map(|slot| objects.iter().map(move |object| (slot, *object)))
        .collect()
}
