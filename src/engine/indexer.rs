//! The threads that keep the text and vector views up to the documents: one adds what is new, one
//! commits and saves, one links vectors into the HNSW graph. None of them is on the way of a write.
//!
//! ```text
//! writer ── publish ──> indexer ── add ──> text view, vectors that came along ──> progress
//!                          │
//!                          └── dirty ──> keeper: text commits, unsaved vectors and reads
//!                                        builder: HNSW, at low priority
//! ```

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tracing::{debug, error, info, warn};

use crate::store::{self, Store};
use crate::types::limits::{TAIL_DOCUMENTS_MAX, TAIL_DOCUMENTS_MIN, VIEW_CHUNK_DOCUMENTS};
use crate::types::{DocumentId, DocumentKey, DocumentKind, NamespaceId};
use crate::view::text::{Entry, TextView};
use crate::view::vector::Loaded;

use super::namespace::Namespace;
use super::search::{Search, Space};
use super::words::words;

/// How long what is new may wait for its commit.
const KEEP_EVERY: Duration = Duration::from_millis(500);
/// How long a view that could not be brought up waits for the next try.
const RETRY_AFTER: Duration = Duration::from_millis(200);
/// Priority of the thread that links vectors: it must not take time from answers.
const BUILDER_NICE: i32 = 10;

/// Wakes the indexer. Cloned by everyone who publishes.
#[derive(Clone)]
pub(super) struct Waker {
    /// Nothing asks the indexer to end.
    queue: mpsc::Sender<Option<Arc<Namespace>>>,
}

impl Waker {
    /// There are documents the views do not hold.
    pub(super) fn wake(&self, namespace: &Arc<Namespace>) {
        if namespace.search.queue() {
            // It is gone only when the engine closes.
            drop(self.queue.send(Some(Arc::clone(namespace))));
        }
    }

    fn end(&self) {
        drop(self.queue.send(None));
    }
}

/// What the keeper and the builder have to look at.
#[derive(Default)]
pub(super) struct Dirty {
    namespaces: Mutex<BTreeMap<NamespaceId, Arc<Namespace>>>,
    /// There is an end to tell of.
    ended: Condvar,
}

impl Dirty {
    fn add(&self, namespace: &Arc<Namespace>) {
        let mut namespaces = self.namespaces.lock().unwrap_or_else(PoisonError::into_inner);
        namespaces.insert(namespace.id(), Arc::clone(namespace));
    }

    /// Those that changed during a while, or until the end.
    fn gather(&self, patience: Duration, stop: &AtomicBool) -> Vec<Arc<Namespace>> {
        let namespaces = self.namespaces.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = |_: &mut BTreeMap<_, _>| !stop.load(Ordering::Acquire);
        let waited = self.ended.wait_timeout_while(namespaces, patience, waits);
        let (mut namespaces, _) = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *namespaces).into_values().collect()
    }
}

/// The threads, and what ends them.
pub(super) struct Indexers {
    stop: Arc<AtomicBool>,
    to_keep: Arc<Dirty>,
    to_build: Arc<Dirty>,
    waker: Waker,
    threads: Vec<JoinHandle<()>>,
}

/// Is told of a namespace with documents to embed.
pub(super) type Told = Box<dyn Fn(&Arc<Namespace>) + Send>;
/// Stores what the views have made.
pub(super) type Saver = Box<dyn Fn(&Arc<Namespace>) + Send>;

impl Indexers {
    pub(super) fn start(
        store: Arc<Store>,
        saver: Saver,
        embed: Told,
    ) -> std::io::Result<(Indexers, Waker)> {
        let (queue, waiting) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let (to_keep, to_build) = (Arc::new(Dirty::default()), Arc::new(Dirty::default()));
        let waker = Waker { queue };
        let indexer = Indexer {
            store,
            waker: waker.clone(),
            to_keep: Arc::clone(&to_keep),
            to_build: Arc::clone(&to_build),
            embed,
        };
        let mut threads = Vec::new();
        let stopped = Arc::clone(&stop);
        threads.push(spawn("tenure-indexer", move || indexer.run(&waiting, &stopped))?);
        let (stopped, dirty) = (Arc::clone(&stop), Arc::clone(&to_keep));
        threads.push(spawn("tenure-keeper", move || keep(&dirty, &stopped, &saver))?);
        let (stopped, dirty) = (Arc::clone(&stop), Arc::clone(&to_build));
        threads.push(spawn("tenure-builder", move || build(&dirty, &stopped))?);
        Ok((Indexers { stop, to_keep, to_build, waker: waker.clone(), threads }, waker))
    }

    /// There is something to store.
    pub(super) fn keep(&self, namespace: &Arc<Namespace>) {
        self.to_keep.add(namespace);
    }

    /// Commits what is not committed and ends the threads.
    pub(super) fn close(self) {
        let Indexers { stop, to_keep, to_build, waker, threads } = self;
        stop.store(true, Ordering::Release);
        waker.end();
        for dirty in [to_keep, to_build] {
            // Under the lock: else one that is about to wait would not hear of it.
            let _waits = dirty.namespaces.lock().unwrap_or_else(PoisonError::into_inner);
            dirty.ended.notify_all();
        }
        for thread in threads {
            if thread.join().is_err() {
                error!("a thread of the views panicked");
            }
        }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(work)
}

struct Indexer {
    store: Arc<Store>,
    waker: Waker,
    to_keep: Arc<Dirty>,
    to_build: Arc<Dirty>,
    /// Tells whoever embeds that there is something to embed.
    embed: Told,
}

impl Indexer {
    fn run(self, waiting: &mpsc::Receiver<Option<Arc<Namespace>>>, stop: &AtomicBool) {
        while let Ok(Some(namespace)) = waiting.recv() {
            if stop.load(Ordering::Acquire) {
                return;
            }
            namespace.search.unqueue();
            if let Err(failure) = self.catch_up(&namespace, stop) {
                warn!(%failure, "the views of a namespace could not be brought up; trying again");
                thread::sleep(RETRY_AFTER);
                self.waker.wake(&namespace);
            }
        }
    }

    fn catch_up(&self, namespace: &Arc<Namespace>, stop: &AtomicBool) -> Result<(), Failure> {
        let search = &namespace.search;
        let view = {
            let Some(_alive) = search.alive() else { return Ok(()) };
            match search.text().filter(|view| !view.is_broken()) {
                Some(view) => view,
                None => open(namespace)?,
            }
        };
        while !stop.load(Ordering::Acquire) {
            let Some(_alive) = search.alive() else { return Ok(()) };
            let chunk = Chunk::read(&self.store, namespace, view.next())?;
            if chunk.entries.is_empty() {
                break;
            }
            // Before the documents are taken: one that came with the space is in what is read, one
            // that comes after it is looked at below.
            self.load_spaces(namespace)?;
            let supplied = search.spaces().current.filter(|space| space.record.supplied);
            if let Some(space) = supplied.filter(|space| space.is_loaded()) {
                self.take_supplied(namespace, &space, &chunk)?;
            }
            view.add(chunk.first, &chunk.entries);
            search.report();
            if view.tail_len() >= TAIL_DOCUMENTS_MAX {
                self.to_keep.add(namespace);
            }
        }
        self.load_spaces(namespace)?;
        self.to_keep.add(namespace);
        self.to_build.add(namespace);
        (self.embed)(namespace);
        Ok(())
    }

    /// Reads what is stored of the spaces, once.
    fn load_spaces(&self, namespace: &Arc<Namespace>) -> Result<(), Failure> {
        let spaces = namespace.search.spaces();
        for space in [spaces.current, spaces.next].into_iter().flatten() {
            if space.is_loaded() {
                continue;
            }
            let reader = self.store.read()?;
            // Before the vectors are read: what comes meanwhile is looked at again.
            let last = if space.record.supplied {
                namespace.published().documents.next()
            } else {
                DocumentId::new(space.record.looked_at)
            };
            let mut keys = Keys::default();
            let mut rows = Vec::new();
            reader.for_each_vector(namespace.id(), space.record.id, |(key, vector)| {
                if let Some(document) = keys.document(namespace, key) {
                    rows.push((document, vector));
                }
            })?;
            for rows in rows.chunks(VIEW_CHUNK_DOCUMENTS) {
                space.view.add_all(rows.iter().map(|(document, vector)| (*document, vector)));
            }
            space.look_up_to(last);
            space.set_loaded();
        }
        namespace.search.report();
        Ok(())
    }

    /// Vectors that came with statements and episodes.
    fn take_supplied(
        &self,
        namespace: &Arc<Namespace>,
        space: &Space,
        chunk: &Chunk,
    ) -> Result<(), Failure> {
        let reader = self.store.read()?;
        let mut vectors = Vec::new();
        for (document, key) in &chunk.documents {
            if matches!(key.kind, DocumentKind::Statement | DocumentKind::Episode)
                && let Some(vector) = reader.vector(namespace.id(), space.record.id, *key)?
            {
                vectors.push((*document, vector));
            }
        }
        space.view.add_all(vectors.iter().map(|(document, vector)| (*document, vector)));
        if let Some((last, _)) = chunk.documents.last() {
            space.look_up_to(last.next());
        }
        Ok(())
    }
}

/// Why a view could not be brought up.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Store(#[from] store::ReadError),
    #[error(transparent)]
    Text(#[from] crate::view::text::TextError),
}

/// Some documents in their order, with their words.
pub(super) struct Chunk {
    pub(super) first: DocumentId,
    pub(super) documents: Vec<(DocumentId, DocumentKey)>,
    /// One a document.
    pub(super) entries: Vec<Entry>,
}

impl Chunk {
    /// The documents from one on that are published, as many as fit.
    pub(super) fn read(
        store: &Store,
        namespace: &Namespace,
        first: DocumentId,
    ) -> Result<Chunk, store::ReadError> {
        let (documents, places) = {
            let published = namespace.published();
            let documents = &published.documents;
            let bound = first
                .raw()
                .saturating_add(u32::try_from(VIEW_CHUNK_DOCUMENTS).expect("a chunk is small"));
            let range = first.raw()..documents.next().raw().min(bound);
            let ids = range.map(DocumentId::new);
            ids.map(|id| ((id, documents.key(id)), words(&published.directory, documents, id)))
                .unzip::<_, _, Vec<_>, Vec<_>>()
        };
        if documents.is_empty() {
            return Ok(Chunk { first, documents, entries: Vec::new() });
        }
        let reader = store.read()?;
        let mut entries = Vec::with_capacity(places.len());
        for (place, (_, key)) in places.into_iter().zip(&documents) {
            let text = place.read(&reader, namespace.id())?;
            entries.push(Entry { text, is_name: key.kind == DocumentKind::Entity });
        }
        Ok(Chunk { first, documents, entries })
    }
}

/// Finds documents by their keys, which come in the order of the log.
#[derive(Default)]
pub(super) struct Keys {
    tx: Option<crate::types::TxId>,
    of_tx: BTreeMap<DocumentKey, DocumentId>,
}

impl Keys {
    pub(super) fn document(
        &mut self,
        namespace: &Namespace,
        key: DocumentKey,
    ) -> Option<DocumentId> {
        if self.tx != Some(key.tx) {
            let published = namespace.published();
            let documents = published.documents.made_by(key.tx).map(DocumentId::new);
            self.of_tx = documents.map(|id| (published.documents.key(id), id)).collect();
            self.tx = Some(key.tx);
        }
        self.of_tx.get(&key).copied()
    }
}

fn open(namespace: &Namespace) -> Result<Arc<TextView>, Failure> {
    let search = &namespace.search;
    // The broken one, if there is one, must let go of its files first.
    search.set_text(None);
    let folder = search.home().map(|home| home.folder.join("text"));
    let cipher = search.home().and_then(|home| home.cipher.as_ref());
    let opened = TextView::open(folder.as_deref(), search.identity(), cipher)?;
    let documents = namespace.published().documents.next();
    if let Some(reason) = opened.rebuilt
        && documents > DocumentId::new(0)
        && folder.is_some()
    {
        info!(?reason, namespace = namespace.id().raw(), "the text view is built anew");
    }
    // A view that is ahead of the log was made over another one.
    let view = if opened.view.next() > documents {
        warn!(namespace = namespace.id().raw(), "the text view is ahead of the log; built anew");
        drop(opened);
        if let Some(folder) = &folder {
            // What cannot be removed is told by the open that follows.
            drop(std::fs::remove_dir_all(folder));
        }
        TextView::open(folder.as_deref(), search.identity(), cipher)?.view
    } else {
        opened.view
    };
    search.set_text(Some(view));
    Ok(search.text().expect("it was just set"))
}

/// Commits text and stores what was made, a while after it came.
fn keep(dirty: &Dirty, stop: &AtomicBool, save: &Saver) {
    loop {
        let ending = stop.load(Ordering::Acquire);
        for namespace in dirty.gather(KEEP_EVERY, stop) {
            save(&namespace);
            commit_text(&namespace.search);
        }
        if ending {
            return;
        }
    }
}

fn commit_text(search: &Search) {
    let Some(_alive) = search.alive() else { return };
    let enough = |view: &Arc<TextView>| view.tail_len() >= TAIL_DOCUMENTS_MIN;
    let Some(view) = search.text().filter(enough).filter(|view| !view.is_broken()) else { return };
    if let Err(error) = view.commit() {
        warn!(%error, "the text view could not be committed; it will be built anew");
    }
}

/// Links vectors, loading what was linked before.
fn build(dirty: &Dirty, stop: &AtomicBool) {
    lower_priority();
    while !stop.load(Ordering::Acquire) {
        for namespace in dirty.gather(KEEP_EVERY, stop) {
            let spaces = namespace.search.spaces();
            for space in [spaces.current, spaces.next].into_iter().flatten() {
                if space.is_loaded() {
                    link(&namespace.search, &space, stop);
                }
            }
        }
    }
}

fn link(search: &Search, space: &Space, stop: &AtomicBool) {
    match space.view.load() {
        Loaded::Nothing => {}
        Loaded::Fits { nodes } => debug!(nodes, "the vector graph was read"),
        Loaded::Discarded => info!("the vector graph was damaged or old; it is built anew"),
    }
    if !space.view.wants_build() {
        return;
    }
    let built = space.view.build(stop);
    debug!(?built, "vectors were linked");
    let Some(_alive) = search.alive() else { return };
    if let Err(error) = space.view.save() {
        warn!(%error, "the vector graph could not be saved; it is built again at the next start");
    }
}

fn lower_priority() {
    let thread = rustix::thread::gettid();
    if let Err(error) = rustix::process::setpriority_process(Some(thread), BUILDER_NICE) {
        debug!(%error, "the builder runs at normal priority");
    }
}
