//! The file written anew, so that no page keeps what was erased: redb frees pages and does not clear
//! them.
//!
//! A mark in the batch of the erasure says that it is to be done, and the new file lacks the mark: so
//! a crash at any point leaves the old file with the mark or the new one without, and opening the
//! directory goes on from there.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use redb::{Database, Key, ReadTransaction, ReadableTable, TableDefinition, TableHandle, Value};

use super::batch::Batch;
use super::cipher::DataCipher;
use super::codec::{seal, unseal};
use super::erasure::ErasureRecord;
use super::error::{CommitError, OpenError, ReadError};
use super::file::{Store, new_database, sync_directory, unfinished};
use super::read::decoded;
use super::table;

/// Present while the file is to be written anew.
const PURGE: &str = "purge";
/// Rows of one commit of the new file.
const ROWS_AT_ONCE: usize = 50_000;

impl Batch {
    /// The file is to be written anew once this batch is durable.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn mark_purge(&mut self) -> Result<(), CommitError> {
        self.txn.open_table(table::META)?.insert(PURGE, seal(&true).as_slice())?;
        Ok(())
    }
}

/// How a new file is made beside the old one, and takes its place.
pub(super) struct Renewal {
    /// An empty database in the place of whatever an earlier try has left.
    pub(super) fresh: Box<dyn Fn() -> Result<Database, OpenError> + Send + Sync>,
    /// Nothing of the old file is reached any more, also after a power cut.
    pub(super) replace: Box<dyn Fn() -> io::Result<()> + Send + Sync>,
}

impl Renewal {
    pub(super) fn of_file(path: &Path, cipher: Option<DataCipher>) -> Renewal {
        let (made, fresh, path) = (unfinished(path), unfinished(path), path.to_owned());
        Renewal {
            fresh: Box::new(move || {
                let unusable = |source| OpenError::Directory { path: made.clone(), source };
                remove(&made).map_err(unusable)?;
                new_database(&made, cipher.as_ref())
            }),
            replace: Box::new(move || {
                fs::rename(&fresh, &path)?;
                path.parent().map_or(Ok(()), sync_directory)
            }),
        }
    }
}

impl Store {
    /// Whether a purge was begun and is not done. A store that is not in a file has none to write
    /// anew.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn wants_purge(&self) -> Result<bool, ReadError> {
        if self.renewal.is_none() {
            return Ok(false);
        }
        let txn = self.begin_read()?;
        Ok(txn.open_table(table::META)?.get(PURGE)?.is_some())
    }

    /// How often another file took the place of the old one. A reader of before a change is closed
    /// although nothing failed.
    #[must_use]
    pub fn renewals(&self) -> u64 {
        self.renewals.load(Ordering::Acquire)
    }

    /// Does the rest of a purge that was cut short, before anybody reads.
    pub(super) fn finish_purge(&self) -> Result<(), OpenError> {
        if self.wants_purge()? {
            self.write_anew()?;
            self.swap(false)?;
        }
        Ok(())
    }

    /// Writes everything that is stored into a new file beside the old one. No batch may come between
    /// this and [`Store::swap`].
    ///
    /// # Errors
    /// When the disk fails. The old file stays as it is.
    pub fn write_anew(&self) -> Result<(), CommitError> {
        let Some(renewal) = &self.renewal else { return Ok(()) };
        let from = self.begin_read()?;
        let to = (renewal.fresh)();
        let to = to.map_err(|error| CommitError::Engine(error.to_string().into()))?;
        copy_all(&from, &to)?;
        drop(from);
        Ok(to.close()?)
    }

    /// Puts the new file in the place of the old. While there are readers and it is asked to be
    /// `patient` it does nothing and says so; else they get [`ReadError::Closed`].
    ///
    /// # Errors
    /// [`OpenError::Busy`] while a batch is open, else what keeps the file from its place. The store
    /// may be closed then and has to be reopened.
    pub fn swap(&self, patient: bool) -> Result<bool, OpenError> {
        let Some(renewal) = &self.renewal else { return Ok(true) };
        let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
        if Arc::strong_count(&self.writing) > 1 {
            return Err(OpenError::Busy);
        }
        if patient && Arc::strong_count(&self.reading) > 1 {
            return Ok(false);
        }
        self.renewals.fetch_add(1, Ordering::Release);
        drop(database.take());
        (renewal.replace)().map_err(|source| {
            let path = self.path.clone().unwrap_or_default();
            OpenError::Directory { path, source }
        })?;
        // What was known of the old file says nothing of the new one.
        self.slots.forget();
        *database = Some((self.make)()?);
        Ok(true)
    }
}

/// Removes a file, if it is there.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A table that is not named here would be lost, so one that is not known ends it.
fn copy_all(from: &ReadTransaction, to: &Database) -> Result<(), CommitError> {
    let mut copy = Copy { from, to, known: Vec::new() };
    copy.table(table::META, |key, value| (key != PURGE).then(|| value.to_vec()))?;
    copy.rows(table::NAMESPACE)?;
    copy.rows(table::LOG)?;
    copy.rows(table::STATEMENT)?;
    copy.rows(table::RECTANGLE)?;
    copy.rows(table::REQUEST)?;
    copy.rows(table::EPISODE)?;
    copy.rows(table::EMBEDDING)?;
    copy.rows(table::VECTOR)?;
    copy.rows(table::ACCESS)?;
    copy.rows(table::CREDENTIAL)?;
    copy.rows(table::QUOTA)?;
    copy.rows(table::POLICY)?;
    copy.rows(table::USAGE)?;
    copy.rows(table::BUDGET)?;
    copy.rows(table::AUDIT_DENIAL)?;
    copy.rows(table::AUDIT_CHANGE)?;
    copy.plain(table::REQUEST_AGE)?;
    copy.erasures()?;
    for table in from.list_tables()? {
        if !copy.known.iter().any(|known| known == table.name()) {
            let message = format!("the table `{}` is not known", table.name());
            return Err(CommitError::Engine(message.into()));
        }
    }
    Ok(())
}

struct Copy<'a> {
    from: &'a ReadTransaction,
    to: &'a Database,
    known: Vec<String>,
}

impl Copy<'_> {
    fn rows<K: Key + 'static>(
        &mut self,
        definition: TableDefinition<'static, K, table::Bytes>,
    ) -> Result<(), CommitError> {
        self.table(definition, |_, value| Some(value.to_vec()))
    }

    /// Receipts of erasures say from here on that they are purged.
    fn erasures(&mut self) -> Result<(), CommitError> {
        let mut unread = None;
        self.table(table::ERASURE, |_, value| {
            match decoded("erasure", unseal::<ErasureRecord>(value)) {
                Ok(record) => Some(seal(&ErasureRecord { purged: true, ..record })),
                Err(error) => {
                    unread = Some(error);
                    None
                }
            }
        })?;
        unread.map_or(Ok(()), |error| Err(error.into()))
    }

    fn plain<K: Key + 'static>(
        &mut self,
        definition: TableDefinition<'static, K, ()>,
    ) -> Result<(), CommitError> {
        self.each(definition, |table, key, value| {
            table.insert(key, value)?;
            Ok(())
        })
    }

    /// What `kept` gives of each row; none leaves it out.
    fn table<K: Key + 'static>(
        &mut self,
        definition: TableDefinition<'static, K, table::Bytes>,
        mut kept: impl FnMut(K::SelfType<'_>, &[u8]) -> Option<Vec<u8>>,
    ) -> Result<(), CommitError> {
        self.each(definition, |table, key, value| {
            // The key is read twice: it is moved into the question.
            let bytes = K::as_bytes(&key).as_ref().to_vec();
            if let Some(value) = kept(K::from_bytes(&bytes), value) {
                table.insert(key, value.as_slice())?;
            }
            Ok(())
        })
    }

    fn each<K: Key + 'static, V: Value + 'static>(
        &mut self,
        definition: TableDefinition<'static, K, V>,
        mut put: impl FnMut(
            &mut redb::Table<'_, K, V>,
            K::SelfType<'_>,
            V::SelfType<'_>,
        ) -> Result<(), CommitError>,
    ) -> Result<(), CommitError> {
        self.known.push(definition.name().to_owned());
        let source = self.from.open_table(definition)?;
        let mut rows = source.iter()?.peekable();
        loop {
            let txn = self.to.begin_write()?;
            {
                let mut table = txn.open_table(definition)?;
                for row in rows.by_ref().take(ROWS_AT_ONCE) {
                    let (key, value) = row?;
                    put(&mut table, key.value(), value.value())?;
                }
            }
            txn.commit()?;
            if rows.peek().is_none() {
                return Ok(());
            }
        }
    }
}
