//! The view: documents in, commits between, searches at any time.
//!
//! One state at a time is published and never changes; a search takes it and is done with locks.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::{fs, io};

use crate::types::{Bits, Cipher, DocumentId};

use super::bm25::Statistics;
use super::compare::{TextDifferences, compare};
use super::error::TextError;
use super::index::{Committed, Disk, Rebuilt};
use super::list::{Counts, Listed};
use super::query::TextQuery;
use super::search::{Sight, TextHits, rarities, search};
use super::tail::{Entry, Piece};

/// The documents of one namespace by the words in them.
pub struct TextView {
    directory: Option<PathBuf>,
    /// Held for the whole of a commit.
    disk: Mutex<Disk>,
    /// Held by whoever makes the next state; says which documents a commit is writing.
    folding: Mutex<Folding>,
    state: RwLock<Arc<Snapshot>>,
    broken: AtomicBool,
}

/// A view, and why it begins at zero when it had to be made anew.
pub struct Opened {
    pub view: TextView,
    pub rebuilt: Option<Rebuilt>,
}

struct Folding {
    /// Pieces of the tail from here on may still be joined.
    joins_from: DocumentId,
}

/// Everything a search looks at.
#[derive(Clone)]
pub(super) struct Snapshot {
    pub(super) index: Arc<Committed>,
    pub(super) tail: Vec<Arc<Piece>>,
    next: DocumentId,
}

impl Snapshot {
    pub(super) fn statistics(&self, listed: Listed) -> Statistics {
        let tail: Counts = self.tail.iter().map(|piece| piece.counts(listed)).sum();
        let Counts { documents, tokens } = self.index.counts[listed as usize] + tail;
        Statistics::new(documents, tokens)
    }
}

impl TextView {
    /// Opens the index of a directory, whose files a cipher encrypts, or one in memory. What cannot be trusted is removed, and the
    /// view begins at zero.
    ///
    /// # Errors
    /// When the directory can be neither read nor made anew.
    pub fn open(
        directory: Option<&Path>,
        identity: [u8; 16],
        cipher: Option<&Arc<dyn Cipher>>,
    ) -> Result<Opened, TextError> {
        let (disk, committed, rebuilt) = match directory {
            Some(directory) => Disk::open(directory, identity, cipher)?,
            None => {
                let (disk, committed) = Disk::in_memory(identity)?;
                (disk, committed, Some(Rebuilt::Missing))
            }
        };
        let next = committed.next;
        let state = Snapshot { index: Arc::new(committed), tail: Vec::new(), next };
        let view = TextView {
            directory: directory.map(Path::to_owned),
            disk: Mutex::new(disk),
            folding: Mutex::new(Folding { joins_from: next }),
            state: RwLock::new(Arc::new(state)),
            broken: AtomicBool::new(false),
        };
        Ok(Opened { view, rebuilt })
    }

    /// Every document below it is found.
    #[must_use]
    pub fn next(&self) -> DocumentId {
        self.snapshot().next
    }

    /// Every document below it is in the index, and still there when the view is opened again.
    #[must_use]
    pub fn committed(&self) -> DocumentId {
        self.snapshot().index.next
    }

    /// Documents that are not committed yet.
    #[must_use]
    pub fn tail_len(&self) -> usize {
        self.snapshot().tail.iter().map(|piece| piece.len()).sum()
    }

    /// A commit failed: the view has to be opened again before anything is committed.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Acquire)
    }

    /// Bytes of the index on disk.
    ///
    /// # Errors
    /// When its directory cannot be read.
    pub fn disk_bytes(&self) -> Result<u64, TextError> {
        let Some(directory) = &self.directory else { return Ok(0) };
        let mut bytes = 0;
        for entry in fs::read_dir(directory)? {
            match entry?.metadata() {
                Ok(metadata) => bytes += metadata.len(),
                // A merge may remove a file at any time.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(bytes)
    }

    /// Takes the documents from `first` on; they are found at once.
    ///
    /// # Panics
    /// When `first` is not the next document: the log and the view disagree, which is a bug.
    pub fn add(&self, first: DocumentId, entries: &[Entry]) {
        let folding = locked(&self.folding);
        let mut state = Snapshot::clone(&self.snapshot());
        assert_eq!(first, state.next, "log gap before the text view");
        if entries.is_empty() {
            return;
        }
        let mut newest = Arc::new(Piece::build(first, entries));
        // Equal pieces are joined, so there are as many as the length of the tail has binary digits.
        while let Some(last) = state.tail.last() {
            if last.first() < folding.joins_from || last.len() > newest.len() {
                break;
            }
            newest = Arc::new(last.join(&newest));
            state.tail.pop();
        }
        let added = u32::try_from(entries.len()).expect("document ids are 32 bits wide");
        state.next = DocumentId::new(first.raw() + added);
        state.tail.push(newest);
        self.publish(state);
    }

    /// Moves the tail into the index. Searches and additions go on meanwhile.
    ///
    /// # Errors
    /// When the index cannot be written. The view then still finds everything, and is broken.
    pub fn commit(&self) -> Result<(), TextError> {
        self.commit_while(|| {})
    }

    /// The same, with something that happens while the index is written.
    pub(super) fn commit_while(&self, meanwhile: impl FnOnce()) -> Result<(), TextError> {
        let mut disk = locked(&self.disk);
        if self.is_broken() {
            return Err(TextError::Broken);
        }
        let before = {
            let mut folding = locked(&self.folding);
            let state = self.snapshot();
            folding.joins_from = state.next;
            state
        };
        meanwhile();
        let next = before.next;
        let written = if before.tail.is_empty() {
            disk.refresh(next, &before.index)
        } else {
            disk.commit(&before.tail, next, &before.index)
        };
        let committed = written.inspect_err(|_| self.broken.store(true, Ordering::Release))?;
        let _folding = locked(&self.folding);
        let mut state = Snapshot::clone(&self.snapshot());
        state.tail.retain(|piece| piece.first() >= next);
        state.index = Arc::new(committed);
        self.publish(state);
        Ok(())
    }

    /// The best documents among the visible ones.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search(
        &self,
        query: &TextQuery,
        limit: usize,
        visible: &(dyn Fn(DocumentId) -> bool + Sync),
    ) -> Result<TextHits, TextError> {
        self.search_beside(query, limit, visible, None)
    }

    /// The same where the caller has a bit for each of many documents that are not visible, by its id.
    /// These are passed over without being weighed.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search_beside(
        &self,
        query: &TextQuery,
        limit: usize,
        visible: &(dyn Fn(DocumentId) -> bool + Sync),
        hidden: Option<&Bits>,
    ) -> Result<TextHits, TextError> {
        search(&self.snapshot(), Listed::All, query, limit, Sight::new(&visible, hidden))
    }

    /// The best among the visible documents that are a name, by how common a term is in names.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search_names(
        &self,
        query: &TextQuery,
        limit: usize,
        visible: &(dyn Fn(DocumentId) -> bool + Sync),
    ) -> Result<TextHits, TextError> {
        search(&self.snapshot(), Listed::Names, query, limit, Sight::new(&visible, None))
    }

    /// How much it tells that a document holds each term of a query, in their order: 0 for a term that
    /// none holds, and more the fewer do.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn rarities(&self, query: &TextQuery) -> Result<Vec<f32>, TextError> {
        rarities(&self.snapshot(), query)
    }

    /// Builds every list of documents anew from the texts and says where the view has something
    /// else. `entries` gives those of all documents below the one it is asked for.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn difference<I: Iterator<Item = (DocumentId, Entry)>>(
        &self,
        entries: impl FnOnce(DocumentId) -> I,
    ) -> Result<TextDifferences, TextError> {
        let snapshot = self.snapshot();
        compare(&snapshot, entries(snapshot.next))
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn publish(&self, state: Snapshot) {
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
    }
}

/// What these locks guard is whole at any time, also after a panic.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
