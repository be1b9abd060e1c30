//! The write transaction: what one fsync makes durable together.
//!
//! All of it is on the disk when [`Batch::commit`] returns, or none of it. Reads see the batch's own
//! earlier writes. Dropping a batch leaves no trace.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;

use redb::{ReadableTable, Table, WriteTransaction};

use crate::kernel::{Change, Tx};
use crate::types::{CloseReason, Interval, Name, NamespaceId, Timestamp, Triple, TxId};

use super::codec::{RectangleRow, seal, unseal};
use super::error::{CommitError, Corrupt, ReadError};
use super::key::{self, Key};
use super::record::{NamespaceRecord, Receipt};
use super::recorded::Recorded;
use super::{read, table};

pub(super) const NEXT_NAMESPACE: &str = "next_namespace";

/// The one open write. A table is opened for each call, which costs a microsecond, and never for
/// each row. What is written is checked against what it replaces as it is written: a batch in which
/// a write failed is dropped.
pub struct Batch {
    pub(super) txn: WriteTransaction,
    _writing: Arc<()>,
    /// redb opens a table once at a time, so two threads must not read at once.
    _not_shared: PhantomData<Cell<()>>,
}

impl Batch {
    pub(super) fn new(txn: WriteTransaction, writing: Arc<()>) -> Batch {
        Batch { txn, _writing: writing, _not_shared: PhantomData }
    }

    /// Makes the batch durable: one phase, one fsync.
    ///
    /// # Errors
    /// [`CommitError`]; see there for what it leaves open.
    pub fn commit(self) -> Result<(), CommitError> {
        Ok(self.txn.commit()?)
    }

    /// Adds a namespace under an id no other ever had. That its name is new is for the caller to
    /// know.
    ///
    /// # Errors
    /// When the disk fails.
    ///
    /// # Panics
    /// When all four billion ids were given out.
    pub fn create_namespace(
        &mut self,
        name: Name,
        zone: String,
        created: Timestamp,
    ) -> Result<NamespaceRecord, CommitError> {
        let mut meta = self.txn.open_table(table::META)?;
        let next = match meta.get(NEXT_NAMESPACE)? {
            Some(row) => read::decoded("meta", unseal::<u32>(row.value()))?,
            None => 1,
        };
        let following = next.checked_add(1).expect("fewer namespaces than ids");
        meta.insert(NEXT_NAMESPACE, seal(&following).as_slice())?;
        let record = NamespaceRecord { id: NamespaceId::new(next), name, zone, created };
        self.txn
            .open_table(table::NAMESPACE)?
            .insert(&Key::of(record.id).full(), seal(&record).as_slice())?;
        Ok(record)
    }

    /// Removes a namespace and every row of it; false if there was none.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn delete_namespace(&mut self, id: NamespaceId) -> Result<bool, CommitError> {
        let known = self.txn.open_table(table::NAMESPACE)?.remove(&Key::of(id).full())?.is_some();
        clear(&mut self.txn.open_table(table::LOG)?, id)?;
        clear(&mut self.txn.open_table(table::STATEMENT)?, id)?;
        clear(&mut self.txn.open_table(table::RECTANGLE)?, id)?;
        clear(&mut self.txn.open_table(table::REQUEST)?, id)?;
        clear(&mut self.txn.open_table(table::REQUEST_AGE)?, id)?;
        clear(&mut self.txn.open_table(table::EPISODE)?, id)?;
        clear(&mut self.txn.open_table(table::EMBEDDING)?, id)?;
        clear(&mut self.txn.open_table(table::VECTOR)?, id)?;
        clear(&mut self.txn.open_table(table::ACCESS)?, id)?;
        clear(&mut self.txn.open_table(table::QUOTA)?, id)?;
        clear(&mut self.txn.open_table(table::POLICY)?, id)?;
        clear(&mut self.txn.open_table(table::USAGE)?, id)?;
        clear(&mut self.txn.open_table(table::BUDGET)?, id)?;
        Ok(known)
    }

    /// Every namespace, by id.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn namespaces(&self) -> Result<Vec<NamespaceRecord>, ReadError> {
        read::namespaces(&self.txn.open_table(table::NAMESPACE)?)
    }

    /// Writes a transaction: its place in the log, its statements, its rectangles.
    ///
    /// # Errors
    /// [`Corrupt::RectangleNotOpen`] when it closes what is not open, else when the disk fails.
    /// After an error the batch is to be dropped.
    ///
    /// # Panics
    /// When the namespace does not exist or the transaction does not follow its last one.
    pub fn apply(&mut self, namespace: NamespaceId, tx: &Tx) -> Result<(), CommitError> {
        let known =
            self.txn.open_table(table::NAMESPACE)?.get(&Key::of(namespace).full())?.is_some();
        assert!(known, "a transaction is for a namespace that exists");
        {
            let mut log = self.txn.open_table(table::LOG)?;
            let last = read::last_tx(&log, namespace)?;
            assert_eq!(tx.id, last.next(), "log gap before the store");
            log.insert(&key::log(namespace, tx.id), seal(tx).as_slice())?;
        }
        self.write_statements(namespace, tx)?;
        self.write_episodes(namespace, tx)?;
        self.write_rectangles(namespace, tx)
    }

    /// In the order of keys: redb takes them twice as fast.
    fn write_statements(&self, namespace: NamespaceId, tx: &Tx) -> Result<(), CommitError> {
        let mut rows = Vec::new();
        for change in &tx.changes {
            if let Change::Stated(statement) = change {
                rows.push((key::statement(namespace, statement.triple, statement.id), statement));
            }
        }
        rows.sort_unstable_by_key(|(key, _)| *key);
        let mut table = self.txn.open_table(table::STATEMENT)?;
        for (key, statement) in rows {
            table.insert(&key, seal(statement).as_slice())?;
        }
        Ok(())
    }

    pub(super) fn write_rectangles(
        &self,
        namespace: NamespaceId,
        tx: &Tx,
    ) -> Result<(), CommitError> {
        let mut edits = Vec::new();
        for change in &tx.changes {
            match change {
                Change::Opened { triple, valid } => edits.push(Edit {
                    key: key::rectangle(namespace, *triple, valid.start(), tx.id),
                    triple: *triple,
                    valid: *valid,
                    believed_from: tx.id,
                    close: None,
                }),
                Change::Closed { triple, valid, believed_from, reason } => edits.push(Edit {
                    key: key::rectangle(namespace, *triple, valid.start(), *believed_from),
                    triple: *triple,
                    valid: *valid,
                    believed_from: *believed_from,
                    close: Some((tx.id, *reason)),
                }),
                _ => {}
            }
        }
        // Stable, so that the changes of one row keep their order.
        edits.sort_by_key(|edit| edit.key);
        let mut table = self.txn.open_table(table::RECTANGLE)?;
        for edit in &edits {
            edit.write(&mut table)?;
        }
        Ok(())
    }

    /// What became of a request, if it is remembered.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn receipt(
        &self,
        namespace: NamespaceId,
        request: &str,
    ) -> Result<Option<Receipt>, ReadError> {
        read::receipt(&self.txn.open_table(table::REQUEST)?, namespace, request)
    }

    /// Remembers what became of a request.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn put_receipt(
        &mut self,
        namespace: NamespaceId,
        request: &str,
        receipt: &Receipt,
    ) -> Result<(), CommitError> {
        let digest = read::digest(request);
        let mut ages = self.txn.open_table(table::REQUEST_AGE)?;
        if let Some(earlier) = self.receipt(namespace, request)? {
            ages.remove(&key::request_age(namespace, earlier.time, digest))?;
        }
        ages.insert(&key::request_age(namespace, receipt.time, digest), ())?;
        self.txn
            .open_table(table::REQUEST)?
            .insert(&key::request(namespace, digest), seal(receipt).as_slice())?;
        Ok(())
    }

    /// Forgets receipts from before an instant, oldest first, and says how many.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn forget_receipts(
        &mut self,
        namespace: NamespaceId,
        before: Timestamp,
        at_most: usize,
    ) -> Result<usize, CommitError> {
        let mut ages = self.txn.open_table(table::REQUEST_AGE)?;
        let mut old = Vec::new();
        let (first, bound) = (Key::of(namespace).least(), Key::of(namespace).time(before).least());
        for row in ages.range::<&[u8; key::REQUEST_AGE]>(&first..&bound)?.take(at_most) {
            old.push(*row?.0.value());
        }
        let mut requests = self.txn.open_table(table::REQUEST)?;
        for age in &old {
            let (_, digest) = key::request_age_parts(age);
            requests.remove(&key::request(namespace, digest))?;
            ages.remove(age)?;
        }
        Ok(old.len())
    }

    /// The last transaction; [`TxId::ZERO`] before the first.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn last_tx(&self, namespace: NamespaceId) -> Result<TxId, ReadError> {
        read::last_tx(&self.txn.open_table(table::LOG)?, namespace)
    }

    /// Opens what decisions read.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn recorded(&self) -> Result<Recorded<'_>, ReadError> {
        Recorded::new(&self.txn)
    }
}

/// One row of the table of rectangles to be opened, or closed at a transaction.
struct Edit {
    key: [u8; key::RECTANGLE],
    triple: Triple,
    valid: Interval,
    believed_from: TxId,
    close: Option<(TxId, CloseReason)>,
}

type Rectangles<'txn> = Table<'txn, table::Fixed<{ key::RECTANGLE }>, table::Bytes>;

impl Edit {
    fn write(&self, table: &mut Rectangles<'_>) -> Result<(), CommitError> {
        let open = RectangleRow { valid_end: self.valid.end(), closed: None };
        let row = seal(&RectangleRow { closed: self.close, ..open });
        let replaced = match table.insert(&self.key, row.as_slice())? {
            Some(row) => Some(read::decoded("rectangle", unseal(row.value()))?),
            None => None,
        };
        if self.close.is_some() && replaced != Some(open) {
            return Err(CommitError::Corrupt(Corrupt::RectangleNotOpen {
                triple: self.triple,
                start: self.valid.start(),
                believed_from: self.believed_from,
            }));
        }
        Ok(())
    }
}

fn clear<const N: usize, V: redb::Value + 'static>(
    table: &mut Table<'_, table::Fixed<N>, V>,
    namespace: NamespaceId,
) -> Result<(), CommitError> {
    let (least, greatest) = (Key::of(namespace).least(), Key::of(namespace).greatest());
    Ok(table.retain_in::<&[u8; N], _>(&least..=&greatest, |_, _| false)?)
}

/// Breaks the rule that the tables follow from the log, for tests of the check.
#[cfg(test)]
pub(super) struct Damage<'a> {
    batch: &'a Batch,
    namespace: NamespaceId,
}

#[cfg(test)]
impl<'a> Damage<'a> {
    pub(super) fn of(batch: &'a Batch, namespace: NamespaceId) -> Damage<'a> {
        Damage { batch, namespace }
    }

    pub(super) fn put_statement(&self, statement: &crate::types::Statement) {
        let key = key::statement(self.namespace, statement.triple, statement.id);
        let mut table = self.batch.txn.open_table(table::STATEMENT).expect("opens");
        table.insert(&key, seal(statement).as_slice()).expect("inserts");
    }

    pub(super) fn remove_statement(&self, triple: Triple, id: crate::types::StatementId) {
        let mut table = self.batch.txn.open_table(table::STATEMENT).expect("opens");
        table.remove(&key::statement(self.namespace, triple, id)).expect("removes");
    }

    pub(super) fn garble_rectangle(&self, triple: Triple, start: Timestamp, from: TxId) {
        let mut table = self.batch.txn.open_table(table::RECTANGLE).expect("opens");
        let key = key::rectangle(self.namespace, triple, start, from);
        table.insert(&key, b"garbled".as_slice()).expect("inserts");
    }
}
