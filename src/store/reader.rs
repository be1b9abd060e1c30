//! A read transaction: everything as of one commit.

use std::sync::Arc;

use redb::{ReadOnlyTable, ReadTransaction};

use crate::kernel::{By, Live, Tx};
use crate::types::{NamespaceId, Object, Rectangle, Slot, Statement, StatementId, Triple, TxId};

use super::codec::unseal;
use super::error::ReadError;
use super::key::{self, Key};
use super::record::{NamespaceRecord, Receipt};
use super::table::Rows;
use super::{read, table};

/// While it lives redb cannot reuse pages, so it must not wait for anyone.
pub struct Reader {
    pub(super) namespace: table::Read<{ key::NAMESPACE }>,
    pub(super) log: table::Read<{ key::LOG }>,
    pub(super) statement: table::Read<{ key::STATEMENT }>,
    pub(super) rectangle: table::Read<{ key::RECTANGLE }>,
    pub(super) request: table::Read<{ key::REQUEST }>,
    pub(super) request_age: ReadOnlyTable<table::Fixed<{ key::REQUEST_AGE }>, ()>,
    pub(super) episode: table::Read<{ key::EPISODE }>,
    pub(super) embedding: table::Read<{ key::NAMESPACE }>,
    pub(super) vector: table::Read<{ key::VECTOR }>,
    pub(super) access: table::Read<{ key::ACCESS }>,
    pub(super) erasure: table::Read<{ key::ERASURE }>,
    _reading: Arc<()>,
    pub(super) credential: table::Read<{ key::NUMBER }>,
    pub(super) quota: table::Read<{ key::NAMESPACE }>,
    pub(super) policy: table::Read<{ key::NAMESPACE }>,
    pub(super) usage: table::Read<{ key::USAGE }>,
    pub(super) budget: table::Read<{ key::NAMESPACE }>,
    pub(super) audit_denial: table::Read<{ key::NUMBER }>,
    pub(super) audit_change: table::Read<{ key::NUMBER }>,
}

/// How much of the log to read at once. One transaction is read whole, however large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogBound {
    pub txs: usize,
    /// Bytes as stored.
    pub bytes: usize,
}

impl Reader {
    pub(super) fn new(txn: &ReadTransaction, reading: Arc<()>) -> Result<Reader, ReadError> {
        Ok(Reader {
            namespace: txn.open_table(table::NAMESPACE)?,
            log: txn.open_table(table::LOG)?,
            statement: txn.open_table(table::STATEMENT)?,
            rectangle: txn.open_table(table::RECTANGLE)?,
            request: txn.open_table(table::REQUEST)?,
            request_age: txn.open_table(table::REQUEST_AGE)?,
            episode: txn.open_table(table::EPISODE)?,
            embedding: txn.open_table(table::EMBEDDING)?,
            vector: txn.open_table(table::VECTOR)?,
            access: txn.open_table(table::ACCESS)?,
            erasure: txn.open_table(table::ERASURE)?,
            _reading: reading,
            credential: txn.open_table(table::CREDENTIAL)?,
            quota: txn.open_table(table::QUOTA)?,
            policy: txn.open_table(table::POLICY)?,
            usage: txn.open_table(table::USAGE)?,
            budget: txn.open_table(table::BUDGET)?,
            audit_denial: txn.open_table(table::AUDIT_DENIAL)?,
            audit_change: txn.open_table(table::AUDIT_CHANGE)?,
        })
    }

    /// Every namespace, by id.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn namespaces(&self) -> Result<Vec<NamespaceRecord>, ReadError> {
        read::namespaces(&self.namespace)
    }

    /// The last transaction; [`TxId::ZERO`] before the first.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn last_tx(&self, namespace: NamespaceId) -> Result<TxId, ReadError> {
        read::last_tx(&self.log, namespace)
    }

    /// One transaction.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn tx(&self, namespace: NamespaceId, id: TxId) -> Result<Option<Tx>, ReadError> {
        read::tx(&self.log, namespace, id)
    }

    /// The log from a transaction on: at least one of those there are, then as many as fit.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn log(
        &self,
        namespace: NamespaceId,
        from: TxId,
        bound: LogBound,
    ) -> Result<Vec<Tx>, ReadError> {
        let mut txs = Vec::new();
        let mut bytes = 0;
        let (first, last) = (key::log(namespace, from), key::log(namespace, TxId::OPEN));
        for row in self.log.range::<&[u8; key::LOG]>(&first..=&last)? {
            let value = row?.1;
            bytes += value.value().len();
            if !txs.is_empty() && (txs.len() >= bound.txs || bytes > bound.bytes) {
                break;
            }
            txs.push(read::decoded("log", unseal(value.value()))?);
        }
        Ok(txs)
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
        for row in self.log.under(Key::of(namespace))? {
            visit(read::decoded("log", unseal(row?.1.value()))?);
        }
        Ok(())
    }

    /// Every rectangle ever believed, by triple, start and transaction.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn for_each_rectangle(
        &self,
        namespace: NamespaceId,
        mut visit: impl FnMut(Rectangle),
    ) -> Result<(), ReadError> {
        for row in self.rectangle.under(Key::of(namespace))? {
            let (key, value) = row?;
            visit(read::decoded("rectangle", read::rectangle(key.value(), value.value()))?);
        }
        Ok(())
    }

    /// The statements recorded under exactly these ids, in the order of their ids.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn statements(
        &self,
        namespace: NamespaceId,
        slot: Slot,
        object: Option<Object>,
    ) -> Result<Vec<Statement>, ReadError> {
        read::statements(&self.statement, namespace, slot, object)
    }

    /// One statement of a triple, as recorded.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn statement_of(
        &self,
        namespace: NamespaceId,
        triple: Triple,
        id: StatementId,
    ) -> Result<Option<Statement>, ReadError> {
        let row = self.statement.get(&key::statement(namespace, triple, id))?;
        row.map(|row| read::decoded("statement", unseal(row.value()))).transpose()
    }

    /// The rectangles believed now, by object and start.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn live(
        &self,
        namespace: NamespaceId,
        slot: Slot,
        object: Option<Object>,
    ) -> Result<Vec<Live>, ReadError> {
        read::live(&self.rectangle, namespace, slot, object)
    }

    /// The distinct triples ever stated, as recorded, ascending.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn triples(&self, namespace: NamespaceId, by: By) -> Result<Vec<Triple>, ReadError> {
        read::triples(&self.statement, namespace, by)
    }

    /// One statement by its name.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn statement(
        &self,
        namespace: NamespaceId,
        id: StatementId,
    ) -> Result<Option<Statement>, ReadError> {
        read::statement(&self.log, namespace, id)
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
        read::receipt(&self.request, namespace, request)
    }
}
