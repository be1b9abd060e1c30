//! What a decision reads of the open batch.

use redb::{Table, WriteTransaction};

use crate::kernel::{By, Live};
use crate::types::{NamespaceId, Object, Slot, Statement, StatementId, Triple};

use super::error::ReadError;
use super::key;
use super::{read, table};

type Opened<'txn, const N: usize> = Table<'txn, table::Fixed<N>, table::Bytes>;

/// The tables of a batch, opened once for all reads of one decision: opening costs as much as a
/// read. The batch cannot be written while it lives.
pub struct Recorded<'txn> {
    log: Opened<'txn, { key::LOG }>,
    statement: Opened<'txn, { key::STATEMENT }>,
    rectangle: Opened<'txn, { key::RECTANGLE }>,
}

impl<'txn> Recorded<'txn> {
    pub(super) fn new(txn: &'txn WriteTransaction) -> Result<Recorded<'txn>, ReadError> {
        Ok(Recorded {
            log: txn.open_table(table::LOG)?,
            statement: txn.open_table(table::STATEMENT)?,
            rectangle: txn.open_table(table::RECTANGLE)?,
        })
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
}
