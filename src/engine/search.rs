//! What recall searches in one namespace: the text view, the embedding spaces, and when documents
//! were last read.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use tokio::sync::watch;

use crate::query::recall::Accesses;
use crate::store::{Access, EmbeddingRecord, NamespaceRecord, SpaceRecord, VectorRow};
use crate::types::{Cipher, DocumentId, DocumentKey, SpaceId, Timestamp};
use crate::view::text::TextView;
use crate::view::vector::VectorView;

use super::policy::Reads;

/// How often a folder is tried to be removed. What is left goes when the directory is opened.
const REMOVE_TRIES: usize = 3;

/// Documents that a recall can count on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) text: DocumentId,
    /// In the current space.
    pub(super) vectors: DocumentId,
}

/// Where views keep their files, and what they encrypt them with.
#[derive(Clone, Debug)]
pub(super) struct Views {
    pub(super) folder: PathBuf,
    pub(super) cipher: Option<Arc<dyn Cipher>>,
}

/// One embedding space in memory.
pub(super) struct Space {
    pub(super) record: SpaceRecord,
    pub(super) view: VectorView,
    /// Documents below it have their vector, or have nothing a vector could be made of.
    looked_at: AtomicU32,
    /// What is stored of it was read.
    loaded: AtomicBool,
    /// Made and found, but not stored yet.
    unsaved: Mutex<Vec<VectorRow>>,
}

impl Space {
    pub(super) fn new(record: SpaceRecord, home: Option<&Views>) -> Space {
        let dimension = usize::try_from(record.dimension).expect("a dimension is small");
        // hnsw_rs writes its files by itself and in the clear, so an encrypted directory has none.
        let home = home.filter(|home| home.cipher.is_none());
        let folder = home.map(|home| home.folder.join(format!("vector-{}", record.id.raw())));
        Space {
            view: VectorView::new(dimension, folder),
            looked_at: AtomicU32::new(0),
            loaded: AtomicBool::new(false),
            unsaved: Mutex::default(),
            record,
        }
    }

    pub(super) fn looked_at(&self) -> DocumentId {
        DocumentId::new(self.looked_at.load(Ordering::Acquire))
    }

    pub(super) fn look_up_to(&self, document: DocumentId) {
        self.looked_at.fetch_max(document.raw(), Ordering::AcqRel);
    }

    pub(super) fn is_loaded(&self) -> bool {
        self.loaded.load(Ordering::Acquire)
    }

    pub(super) fn set_loaded(&self) {
        self.loaded.store(true, Ordering::Release);
    }

    /// Keeps vectors until they are stored, and says how many wait.
    pub(super) fn keep(&self, rows: impl IntoIterator<Item = VectorRow>) -> usize {
        let mut unsaved = locked(&self.unsaved);
        unsaved.extend(rows);
        unsaved.len()
    }

    pub(super) fn take_unsaved(&self) -> Vec<VectorRow> {
        std::mem::take(&mut locked(&self.unsaved))
    }
}

/// The spaces of a namespace.
#[derive(Clone, Default)]
pub(super) struct Spaces {
    pub(super) record: EmbeddingRecord,
    pub(super) current: Option<Arc<Space>>,
    pub(super) next: Option<Arc<Space>>,
}

pub(super) struct Search {
    /// Missing where the store is not in a file either.
    home: Option<Views>,
    identity: [u8; 16],
    text: RwLock<Option<Arc<TextView>>>,
    spaces: RwLock<Spaces>,
    progress: watch::Sender<Progress>,
    /// It waits for the indexer already.
    queued: AtomicBool,
    reads: Mutex<Noted>,
    /// False once it is to leave nothing behind. Held while files are written.
    alive: RwLock<bool>,
}

#[derive(Default)]
struct Noted {
    all: HashMap<DocumentKey, Access>,
    unsaved: HashMap<DocumentKey, Access>,
}

impl Search {
    pub(super) fn new(
        namespace: &NamespaceRecord,
        erasures: usize,
        views: Option<Views>,
        record: EmbeddingRecord,
    ) -> Search {
        // After an erasure the numbers of documents are others, so the views are too.
        let id = namespace.id.raw();
        let name = if erasures == 0 { id.to_string() } else { format!("{id}-{erasures}") };
        let home =
            views.map(|Views { folder, cipher }| Views { folder: folder.join(name), cipher });
        // An id is never given twice in a directory, and no two directories begin at one instant.
        let mut identity = [0; 16];
        identity[..4].copy_from_slice(&namespace.id.raw().to_le_bytes());
        let erasures = u32::try_from(erasures).expect("erasures are numbered in 32 bits");
        identity[4..8].copy_from_slice(&erasures.to_le_bytes());
        identity[8..].copy_from_slice(&namespace.created.micros().to_le_bytes());
        let none = DocumentId::new(0);
        let search = Search {
            home,
            identity,
            text: RwLock::new(None),
            spaces: RwLock::default(),
            progress: watch::Sender::new(Progress { text: none, vectors: none }),
            queued: AtomicBool::new(false),
            reads: Mutex::default(),
            alive: RwLock::new(true),
        };
        search.adopt(record);
        search
    }

    /// Removes what is on disk, of a namespace that was deleted or has other views now. Nothing is
    /// written there afterwards.
    pub(super) fn forget(&self) {
        let mut alive = self.alive.write().unwrap_or_else(PoisonError::into_inner);
        *alive = false;
        self.set_text(None);
        self.adopt(EmbeddingRecord::default());
        let Some(home) = &self.home else { return };
        // Threads of the text view may add a file while the folder is being emptied.
        for _ in 0..REMOVE_TRIES {
            match std::fs::remove_dir_all(&home.folder) {
                Ok(()) => return,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
                Err(error) => {
                    tracing::warn!(%error, "views that are not used could not be removed");
                }
            }
        }
    }

    /// Leave to write files, while it is held; none once all is to be forgotten.
    pub(super) fn alive(&self) -> Option<RwLockReadGuard<'_, bool>> {
        Some(self.alive.read().unwrap_or_else(PoisonError::into_inner)).filter(|alive| **alive)
    }

    pub(super) fn home(&self) -> Option<&Views> {
        self.home.as_ref()
    }

    pub(super) fn identity(&self) -> [u8; 16] {
        self.identity
    }

    pub(super) fn text(&self) -> Option<Arc<TextView>> {
        self.text.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_text(&self, view: Option<TextView>) {
        *self.text.write().unwrap_or_else(PoisonError::into_inner) = view.map(Arc::new);
    }

    pub(super) fn spaces(&self) -> Spaces {
        self.spaces.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Brings the spaces in line with what was recorded. Those that go on keep what they hold.
    pub(super) fn adopt(&self, record: EmbeddingRecord) {
        let mut spaces = self.spaces.write().unwrap_or_else(PoisonError::into_inner);
        let mut known: HashMap<SpaceId, Arc<Space>> = HashMap::new();
        for space in [spaces.current.take(), spaces.next.take()].into_iter().flatten() {
            known.insert(space.record.id, space);
        }
        let mut open = |record: &Option<SpaceRecord>| {
            record.as_ref().map(|record| {
                let kept = known.remove(&record.id);
                kept.unwrap_or_else(|| Arc::new(Space::new(record.clone(), self.home.as_ref())))
            })
        };
        spaces.current = open(&record.current);
        spaces.next = open(&record.next);
        spaces.record = record;
        drop(spaces);
        // A space that is new holds nothing yet, and whoever asks next has to wait for it.
        self.report();
    }

    pub(super) fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// Tells who waits how far the views are.
    pub(super) fn report(&self) {
        let text = self.text().map_or(DocumentId::new(0), |view| view.next());
        let vectors = self.spaces().current.map_or(DocumentId::new(0), |space| space.looked_at());
        self.progress.send_if_modified(|progress| {
            let now = Progress { text, vectors };
            std::mem::replace(progress, now) != now
        });
    }

    /// True unless it was queued already.
    pub(super) fn queue(&self) -> bool {
        !self.queued.swap(true, Ordering::AcqRel)
    }

    pub(super) fn unqueue(&self) {
        self.queued.store(false, Ordering::Release);
    }

    pub(super) fn load_reads(&self, reads: HashMap<DocumentKey, Access>) {
        locked(&self.reads).all = reads;
    }

    /// Notes that documents were read, without a place in the log: it changes no answer but the
    /// order of those that ask for it.
    pub(super) fn read(&self, documents: &[DocumentKey], now: Timestamp) {
        let mut reads = locked(&self.reads);
        let Noted { all, unsaved } = &mut *reads;
        for document in documents {
            let access = all.entry(*document).or_insert(Access { last: now, count: 0 });
            access.last = access.last.max(now);
            access.count += 1;
            unsaved.insert(*document, *access);
        }
    }

    pub(super) fn reads_of(&self, documents: &[DocumentKey]) -> Vec<Option<Reads>> {
        let reads = locked(&self.reads);
        let of = |document: &DocumentKey| {
            reads
                .all
                .get(document)
                .map(|Access { last, count }| Reads { last: *last, count: *count })
        };
        documents.iter().map(of).collect()
    }

    pub(super) fn take_unsaved_reads(&self) -> Vec<(DocumentKey, Access)> {
        let mut unsaved: Vec<_> = locked(&self.reads).unsaved.drain().collect();
        unsaved.sort_unstable_by_key(|(document, _)| *document);
        unsaved
    }
}

impl Accesses for Search {
    fn last_read(&self, document: DocumentKey) -> Option<Timestamp> {
        locked(&self.reads).all.get(&document).map(|access| access.last)
    }
}

/// What these locks guard is whole at any time, also after a panic.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
