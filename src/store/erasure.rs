//! Erasures on the disk: rows that go, transactions that are written anew in their places, and the
//! receipts that stay. All of one erasure is one batch.

use std::collections::BTreeSet;

use crate::kernel::{Change, Plan, Tx};
use crate::types::{
    DocumentKey, ErasureCounts, ErasureKind, NamespaceId, SpaceId, Timestamp, TxId,
};

use super::batch::Batch;
use super::codec::{seal, unseal};
use super::error::{CommitError, ReadError};
use super::key::{self, Key};
use super::read::{self, decoded};
use super::reader::Reader;
use super::record::Receipt;
use super::table::{self, Rows};

/// The receipt of an erasure. It holds nothing of what was erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErasureRecord {
    pub namespace: NamespaceId,
    /// 1, 2, 3 in a namespace.
    pub number: u32,
    pub kind: ErasureKind,
    /// The transaction that notes it; [`TxId::ZERO`] where the namespace went.
    pub tx: TxId,
    pub time: Timestamp,
    /// The first transaction that was rewritten.
    pub first: Option<TxId>,
    pub counts: ErasureCounts,
    /// Digest of the request id, and of the body that came with it.
    pub request: Option<([u8; 16], [u8; 32])>,
    /// The file was written anew since.
    pub purged: bool,
}

/// The digest that a request id of an erasure is known by.
#[must_use]
pub fn request_digest(request: &str) -> [u8; 16] {
    read::digest(request)
}

impl Reader {
    /// Every erasure, by namespace and number.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn erasures(&self) -> Result<Vec<ErasureRecord>, ReadError> {
        erasures(&self.erasure)
    }
}

fn erasures(table: &impl Rows<{ key::ERASURE }>) -> Result<Vec<ErasureRecord>, ReadError> {
    let mut records = Vec::new();
    for row in table.iter()? {
        records.push(decoded("erasure", unseal(row?.1.value()))?);
    }
    Ok(records)
}

impl Batch {
    /// Every erasure, by namespace and number.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn erasures(&self) -> Result<Vec<ErasureRecord>, ReadError> {
        erasures(&self.txn.open_table(table::ERASURE)?)
    }

    /// Keeps the receipt of an erasure.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn put_erasure(&mut self, record: &ErasureRecord) -> Result<(), CommitError> {
        let key = key::erasure(record.namespace, record.number);
        self.txn.open_table(table::ERASURE)?.insert(&key, seal(record).as_slice())?;
        Ok(())
    }

    /// The whole log, in order.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn for_each_tx(
        &self,
        namespace: NamespaceId,
        mut visit: impl FnMut(Tx),
    ) -> Result<(), ReadError> {
        for row in self.txn.open_table(table::LOG)?.under(Key::of(namespace))? {
            visit(decoded("log", unseal(row?.1.value()))?);
        }
        Ok(())
    }

    /// One transaction.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn tx(&self, namespace: NamespaceId, id: TxId) -> Result<Option<Tx>, ReadError> {
        read::tx(&self.txn.open_table(table::LOG)?, namespace, id)
    }

    /// Removes the rectangles of the slots that are folded again. [`Batch::rewrite`] writes them
    /// anew, transaction by transaction.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn clear_rectangles(
        &mut self,
        namespace: NamespaceId,
        plan: &Plan,
    ) -> Result<(), CommitError> {
        let mut table = self.txn.open_table(table::RECTANGLE)?;
        for slot in &plan.slots {
            let prefix = Key::of(namespace).slot(*slot);
            let (least, greatest) = (prefix.least(), prefix.greatest());
            table.retain_in::<&[u8; key::RECTANGLE], _>(&least..=&greatest, |_, _| false)?;
        }
        Ok(())
    }

    /// Writes a transaction anew in its place. What it is now says the same of all that is not
    /// erased.
    ///
    /// # Errors
    /// When the disk fails, or the rectangles do not follow from those before.
    pub fn rewrite(
        &mut self,
        namespace: NamespaceId,
        was: &Tx,
        is: &Tx,
        plan: &Plan,
    ) -> Result<(), CommitError> {
        if was != is {
            let key = key::log(namespace, is.id);
            self.txn.open_table(table::LOG)?.insert(&key, seal(is).as_slice())?;
            self.rewrite_statements(namespace, was, is)?;
        }
        let touched = |change: &&Change| match change {
            Change::Opened { triple, .. } | Change::Closed { triple, .. } => plan.touches(*triple),
            _ => false,
        };
        let changes: Vec<Change> = is.changes.iter().filter(touched).cloned().collect();
        if changes.is_empty() {
            return Ok(());
        }
        self.write_rectangles(namespace, &Tx { changes, ..*is })
    }

    fn rewrite_statements(
        &self,
        namespace: NamespaceId,
        was: &Tx,
        is: &Tx,
    ) -> Result<(), CommitError> {
        let mut statements = self.txn.open_table(table::STATEMENT)?;
        let mut episodes = self.txn.open_table(table::EPISODE)?;
        for (was, is) in was.changes.iter().zip(&is.changes).filter(|(was, is)| was != is) {
            match (was, is) {
                (Change::Stated(_), Change::Stated(now)) => {
                    let key = key::statement(namespace, now.triple, now.id);
                    statements.insert(&key, seal(now).as_slice())?;
                }
                (Change::Stated(gone), _) => {
                    statements.remove(&key::statement(namespace, gone.triple, gone.id))?;
                }
                (Change::EpisodeAdded(gone), _) => {
                    episodes.remove(&key::episode(namespace, gone.id))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes what is stored of some documents in the spaces given, and says how many vectors and
    /// how many notes of reading went.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn forget_documents(
        &mut self,
        namespace: NamespaceId,
        spaces: &[SpaceId],
        documents: &BTreeSet<DocumentKey>,
    ) -> Result<(u64, u64), CommitError> {
        let mut vectors = self.txn.open_table(table::VECTOR)?;
        let mut accesses = self.txn.open_table(table::ACCESS)?;
        let (mut forgotten, mut unread) = (0, 0);
        for document in documents {
            for space in spaces {
                let key = key::vector(namespace, *space, *document);
                forgotten += u64::from(vectors.remove(&key)?.is_some());
            }
            unread += u64::from(accesses.remove(&key::access(namespace, *document))?.is_some());
        }
        Ok((forgotten, unread))
    }

    /// Removes the receipts of the requests that became some transactions, and says how many.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn forget_receipts_of(
        &mut self,
        namespace: NamespaceId,
        txs: &BTreeSet<TxId>,
    ) -> Result<u64, CommitError> {
        let mut requests = self.txn.open_table(table::REQUEST)?;
        let mut found = Vec::new();
        for row in requests.under(Key::of(namespace))? {
            let (key, value) = row?;
            let receipt: Receipt = decoded("request", unseal(value.value()))?;
            if txs.contains(&receipt.tx) {
                found.push((*key.value(), receipt.time));
            }
        }
        let mut ages = self.txn.open_table(table::REQUEST_AGE)?;
        for (key, time) in &found {
            requests.remove(key)?;
            ages.remove(&key::request_age(namespace, *time, key::request_digest(key)))?;
        }
        Ok(found.len() as u64)
    }

    /// How many rows a namespace has of receipts, vectors and notes of reading.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn rows_of(&self, namespace: NamespaceId) -> Result<[u64; 3], ReadError> {
        Ok([
            count(&self.txn.open_table(table::REQUEST)?, namespace)?,
            count(&self.txn.open_table(table::VECTOR)?, namespace)?,
            count(&self.txn.open_table(table::ACCESS)?, namespace)?,
        ])
    }
}

fn count<const N: usize>(table: &impl Rows<N>, namespace: NamespaceId) -> Result<u64, ReadError> {
    let mut count = 0;
    for row in table.under(Key::of(namespace))? {
        row?;
        count += 1;
    }
    Ok(count)
}
