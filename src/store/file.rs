//! The data directory: a lock, a format version, and one redb file.
//!
//! ```text
//! <directory>/LOCK              held exclusively while the store is open
//! <directory>/KEY               the key of the data, where it is encrypted
//! <directory>/tenure.redb       everything
//! <directory>/tenure.redb.new   a database that was not finished; removed when found
//! ```
//!
//! redb cannot open a file whose making was cut short, so a new database is made under another name
//! and takes its own only once it is whole and synced.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use redb::backends::FileBackend;
use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTableMetadata, StorageBackend};

use crate::types::EncryptionKey;

use super::batch::Batch;
use super::cipher::{self, DataCipher, EncryptedFile, Slots};
use super::error::{CommitError, OpenError, ReadError};
use super::format::prepare;
use super::purge::{Renewal, remove};
use super::reader::Reader;
use super::record::NamespaceRecord;

const LOCK_FILE: &str = "LOCK";
const DATABASE_FILE: &str = "tenure.redb";
const UNFINISHED_FILE: &str = "tenure.redb.new";
/// Bytes of pages kept in memory.
const CACHE_BYTES: usize = 512 * 1_024 * 1_024;

type Make = dyn Fn() -> Result<Database, OpenError> + Send + Sync;

/// The open data directory. Shared by the writer and all readers.
pub struct Store {
    /// Missing when the last reopening failed.
    pub(super) database: RwLock<Option<Database>>,
    pub(super) make: Box<Make>,
    /// Held once more by an open batch: redb would put off closing the file until it ends, and a
    /// second database over the same bytes would destroy them.
    pub(super) writing: Arc<()>,
    /// Held once more by every reader.
    pub(super) reading: Arc<()>,
    pub(super) path: Option<PathBuf>,
    pub(super) cipher: Option<DataCipher>,
    /// Missing where the store is not in a file.
    pub(super) renewal: Option<Renewal>,
    /// How often another file took the place of the old one.
    pub(super) renewals: AtomicU64,
    /// Of the file that is open, if it is encrypted.
    pub(super) slots: Slots,
    _lock: Option<File>,
}

/// How much is stored, over all namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Length of the file; missing where the store is not in a file.
    pub file_bytes: Option<u64>,
    pub namespaces: u64,
    pub txs: u64,
    pub statements: u64,
    pub rectangles: u64,
    pub receipts: u64,
}

impl Store {
    /// Opens a data directory that has no key; it is made if it does not exist.
    ///
    /// # Errors
    /// [`OpenError`]; in particular when another process has it open, or it has a key.
    pub fn open(directory: &Path) -> Result<Store, OpenError> {
        Store::open_with(directory, None)
    }

    /// Opens a data directory, which is made if it does not exist: encrypted, if there is a key.
    ///
    /// # Errors
    /// [`OpenError`]; in particular when another process has it open, or it takes another key.
    pub fn open_with(directory: &Path, key: Option<&EncryptionKey>) -> Result<Store, OpenError> {
        let unusable = |source| OpenError::Directory { path: directory.to_owned(), source };
        fs::create_dir_all(directory).map_err(unusable)?;
        let lock = lock(directory)?;
        let path = directory.join(DATABASE_FILE);
        let has_data = path.try_exists().map_err(unusable)?;
        let cipher = cipher::open(directory, key, has_data)?;
        // It may hold what was erased since.
        remove(&unfinished(&path)).map_err(unusable)?;
        if !has_data {
            create_file(directory, cipher.as_ref())?;
        }
        let file = path.clone();
        let slots = Slots::default();
        let make: Box<Make> = match cipher.clone() {
            None => Box::new(move || open_file(&file)),
            Some(cipher) => {
                let slots = slots.clone();
                Box::new(move || {
                    let file = EncryptedFile::new(existing(&file)?, cipher.clone(), slots.clone());
                    let file = file.map_err(unread)?;
                    if file.len().map_err(unread)? == 0 {
                        // redb would make an empty database of it.
                        return Err(unread(io::ErrorKind::InvalidData.into()));
                    }
                    repaired(file)
                })
            }
        };
        let renewal = Renewal::of_file(&path, cipher.clone());
        let mut store = Store::with(make, Some(path), cipher, Some(lock))?;
        store.slots = slots;
        store.renewal = Some(renewal);
        store.finish_purge()?;
        Ok(store)
    }

    /// Changes the key of a data directory that no process has open. The data stays as it is: who
    /// had the old key and a copy can still read the copy.
    ///
    /// # Errors
    /// [`OpenError`]; the old key then still opens it.
    pub fn change_key(
        directory: &Path,
        from: &EncryptionKey,
        to: &EncryptionKey,
    ) -> Result<(), OpenError> {
        let _lock = lock(directory)?;
        cipher::change(directory, from, to)
    }

    /// Whether a directory has a database, or may have one: where that cannot be told, opening does.
    #[must_use]
    pub fn is_in(directory: &Path) -> bool {
        directory.join(DATABASE_FILE).try_exists().unwrap_or(true)
    }

    /// Opens a store over any bytes, to simulate disks that fail. `make` is called again by
    /// [`Store::reopen`], so what it gives must share those bytes. Only a database that was made
    /// whole survives a power cut; for files [`Store::open`] sees to that.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn with_backend<B: StorageBackend>(
        make: impl Fn() -> io::Result<B> + Send + Sync + 'static,
    ) -> Result<Store, OpenError> {
        let make = move || {
            let backend = make().map_err(unread)?;
            Ok(Database::builder().set_cache_size(CACHE_BYTES).create_with_backend(backend)?)
        };
        Store::with(Box::new(make), None, None, None)
    }

    /// The same with room for a second file: `fresh` empties it, and `replace` puts it where `make`
    /// looks. What is erased can then be purged.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn with_two_backends<B: StorageBackend>(
        make: impl Fn() -> io::Result<B> + Send + Sync + 'static,
        fresh: impl Fn() -> io::Result<B> + Send + Sync + 'static,
        replace: impl Fn() -> io::Result<()> + Send + Sync + 'static,
    ) -> Result<Store, OpenError> {
        let fresh = move || Ok(Database::builder().create_with_backend(fresh().map_err(unread)?)?);
        let mut store = Store::with_backend(make)?;
        store.renewal = Some(Renewal { fresh: Box::new(fresh), replace: Box::new(replace) });
        store.finish_purge()?;
        Ok(store)
    }

    /// The same as [`Store::with_backend`], encrypted with the key of the data itself.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn with_encrypted_backend<B: StorageBackend>(
        make: impl Fn() -> io::Result<B> + Send + Sync + 'static,
        cipher: DataCipher,
    ) -> Result<Store, OpenError> {
        let (slots, inner) = (Slots::default(), cipher.clone());
        let make = move || {
            let backend = make().map_err(unread)?;
            let file = EncryptedFile::new(backend, inner.clone(), slots.clone());
            repaired(file.map_err(unread)?)
        };
        Store::with(Box::new(make), None, Some(cipher), None)
    }

    fn with(
        make: Box<Make>,
        path: Option<PathBuf>,
        cipher: Option<DataCipher>,
        lock: Option<File>,
    ) -> Result<Store, OpenError> {
        let database = opened(&make, path.as_deref())?;
        let database = RwLock::new(Some(database));
        let (writing, reading) = (Arc::new(()), Arc::new(()));
        let slots = Slots::default();
        let renewal = None;
        Ok(Store {
            database,
            make,
            writing,
            reading,
            path,
            cipher,
            renewal,
            renewals: AtomicU64::new(0),
            slots,
            _lock: lock,
        })
    }

    /// What the views of this store have to encrypt their files with.
    #[must_use]
    pub fn cipher(&self) -> Option<&DataCipher> {
        self.cipher.as_ref()
    }

    /// Closes the file and opens it again, which is the only way on after an I/O error. Readers
    /// that are still alive get [`ReadError::Closed`] from then on. If it fails the store stays
    /// closed and can be reopened later.
    ///
    /// # Errors
    /// [`OpenError::Busy`] while a batch is open, else whatever keeps the file from opening.
    pub fn reopen(&self) -> Result<(), OpenError> {
        let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
        if Arc::strong_count(&self.writing) > 1 {
            return Err(OpenError::Busy);
        }
        // Closed before it is opened again: both would hold the same bytes.
        drop(database.take());
        *database = Some(opened(&self.make, self.path.as_deref())?);
        Ok(())
    }

    /// Begins the write transaction. There is one at a time.
    ///
    /// # Errors
    /// [`CommitError::Busy`] while another is open, [`CommitError::Closed`] after an I/O error.
    pub fn begin(&self) -> Result<Batch, CommitError> {
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
        let txn = database.as_ref().ok_or(CommitError::Closed)?.try_begin_write()?;
        Ok(Batch::new(txn, Arc::clone(&self.writing)))
    }

    /// Begins a read transaction on the last commit. Keep it short: the file grows while it lives.
    ///
    /// # Errors
    /// [`ReadError::Closed`] after an I/O error.
    pub fn read(&self) -> Result<Reader, ReadError> {
        let reading = Arc::clone(&self.reading);
        Reader::new(&self.begin_read()?, reading)
    }

    pub(super) fn begin_read(&self) -> Result<ReadTransaction, ReadError> {
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
        Ok(database.as_ref().ok_or(ReadError::Closed)?.begin_read()?)
    }

    /// Every namespace, by id.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn namespaces(&self) -> Result<Vec<NamespaceRecord>, ReadError> {
        self.read()?.namespaces()
    }

    /// Length of the file; 0 where there is none, or it cannot be asked.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        let metadata = self.path.as_ref().and_then(|path| fs::metadata(path).ok());
        metadata.map_or(0, |metadata| metadata.len())
    }

    /// # Errors
    /// When the disk cannot be read.
    pub fn stats(&self) -> Result<Stats, ReadError> {
        let file_bytes = self.path.as_ref().map(fs::metadata).transpose().map_err(ReadError::io)?;
        let reader = self.read()?;
        Ok(Stats {
            file_bytes: file_bytes.map(|metadata| metadata.len()),
            namespaces: reader.namespace.len()?,
            txs: reader.log.len()?,
            statements: reader.statement.len()?,
            rectangles: reader.rectangle.len()?,
            receipts: reader.request.len()?,
        })
    }
}

fn lock(directory: &Path) -> Result<File, OpenError> {
    let unusable = |source| OpenError::Directory { path: directory.to_owned(), source };
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(directory.join(LOCK_FILE))
        .map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::Locked { path: directory.to_owned() }),
        Err(TryLockError::Error(source)) => Err(unusable(source)),
    }
}

/// A database in the current format. Damage of a file names it.
fn opened(make: &Make, path: Option<&Path>) -> Result<Database, OpenError> {
    let named = |error: OpenError| match path {
        Some(path) => error.of_file(path),
        None => error,
    };
    let database = make().map_err(named)?;
    prepare(&database).map_err(named)?;
    Ok(database)
}

/// redb believes a file that was closed in order and may panic over one that something else has
/// cut or changed since, so all of it is checked against its checksums before anything is read.
fn open_file(path: &Path) -> Result<Database, OpenError> {
    let mut builder = Database::builder();
    builder.set_cache_size(CACHE_BYTES).set_check_integrity_on_open(true);
    Ok(builder.open(path)?)
}

fn create_file(directory: &Path, cipher: Option<&DataCipher>) -> Result<(), OpenError> {
    let unusable = |source| OpenError::Directory { path: directory.to_owned(), source };
    let unfinished = directory.join(UNFINISHED_FILE);
    let database = new_database(&unfinished, cipher)?;
    prepare(&database)?;
    database.close()?;
    fs::rename(&unfinished, directory.join(DATABASE_FILE)).map_err(unusable)?;
    sync_directory(directory).map_err(unusable)
}

/// An empty database in a file that is not there yet.
pub(super) fn new_database(
    path: &Path,
    cipher: Option<&DataCipher>,
) -> Result<Database, OpenError> {
    let Some(cipher) = cipher else { return Ok(Database::create(path)?) };
    File::create_new(path).map_err(unread)?;
    let file = EncryptedFile::new(existing(path)?, cipher.clone(), Slots::default());
    repaired(file.map_err(unread)?)
}

fn existing(path: &Path) -> Result<FileBackend, OpenError> {
    let file = OpenOptions::new().read(true).write(true).open(path).map_err(unread)?;
    Ok(FileBackend::new(file)?)
}

/// A database over encrypted blocks. While redb repairs one that was not closed, a block that does
/// not open is one of the commit that the power took, or damage that a checksum shows.
fn repaired<B: StorageBackend>(file: EncryptedFile<B>) -> Result<Database, OpenError> {
    let forgiving = file.forgiving();
    let repairs = Arc::clone(&forgiving);
    let database = Database::builder()
        .set_cache_size(CACHE_BYTES)
        .set_repair_callback(move |_| repairs.store(true, Ordering::Release))
        .create_with_backend(file)?;
    forgiving.store(false, Ordering::Release);
    Ok(database)
}

fn unread(error: io::Error) -> OpenError {
    OpenError::from(ReadError::io(error))
}

/// Where a new file is made before it takes its place.
pub(super) fn unfinished(database: &Path) -> PathBuf {
    database.with_file_name(UNFINISHED_FILE)
}

/// Makes the names of new files durable; redb syncs only what is in them.
pub(super) fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::super::codec::seal;
    use super::super::format::{FORMAT, FORMAT_VERSION};
    use super::super::table;
    use super::*;

    #[test]
    fn a_directory_is_open_once() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("new").join("deep");
        let store = Store::open(&path).expect("opens");
        assert!(matches!(Store::open(&path), Err(OpenError::Locked { .. })));
        store.reopen().expect("reopens under its own lock");
        drop(store);
        Store::open(&path).expect("the lock went with the store");
    }

    #[test]
    fn an_unknown_format_is_refused_and_both_versions_are_named() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        drop(Store::open(directory.path()).expect("opens"));
        for found in [0, FORMAT_VERSION + 1] {
            let database = Database::create(directory.path().join(DATABASE_FILE)).expect("opens");
            let txn = database.begin_write().expect("begins");
            txn.open_table(table::META)
                .expect("the table is there")
                .insert(FORMAT, seal(&found).as_slice())
                .expect("inserts");
            txn.commit().expect("commits");
            drop(database);
            let error = Store::open(directory.path()).err().expect("refused");
            assert!(
                matches!(error, OpenError::Format { found: f, known: FORMAT_VERSION } if f == found)
            );
        }
    }

    #[test]
    fn a_file_that_is_no_store_is_refused() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        fs::write(directory.path().join(DATABASE_FILE), "x".repeat(10_000)).expect("writes");
        assert!(matches!(Store::open(directory.path()), Err(OpenError::Damaged { .. })));
    }

    #[test]
    fn a_database_that_was_not_finished_is_made_anew() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let unfinished = directory.path().join(UNFINISHED_FILE);
        fs::write(&unfinished, [0; 10_000]).expect("writes");
        Store::open(directory.path()).expect("opens");
        assert!(!unfinished.exists());
    }

    #[test]
    fn there_is_one_batch_and_no_reopening_under_it() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let store = Store::open(directory.path()).expect("opens");
        let batch = store.begin().expect("the first");
        assert!(matches!(store.begin(), Err(CommitError::Busy)));
        assert!(matches!(store.reopen(), Err(OpenError::Busy)));
        drop(batch);
        store.reopen().expect("nothing is open");
        store.begin().expect("the first again");
    }
}
