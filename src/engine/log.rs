//! The log as streams read it: in chunks, each a short read transaction, so that a slow reader costs
//! the store nothing.

use crate::kernel::Tx;
use crate::store::LogBound;
use crate::types::limits::STREAM_ROWS_MAX;
use crate::types::{Name, Statement, Triple, TxId};

use super::error::ReadError;
use super::handle::Engine;

/// Bytes of the log read at once.
const CHUNK_BYTES: usize = 1_024 * 1_024;

/// A run of transactions.
#[derive(Clone, Debug, PartialEq)]
pub struct LogChunk {
    pub txs: Vec<Tx>,
}

impl Engine {
    /// The transactions from one on, up to the last that is published; none when there are none yet.
    ///
    /// # Errors
    /// When the namespace or its log cannot be read.
    pub fn log(&self, namespace: &Name, from: TxId) -> Result<LogChunk, ReadError> {
        let namespace = self.find(namespace)?;
        let published = namespace.published().directory.last_tx();
        let bound = LogBound { txs: STREAM_ROWS_MAX, bytes: CHUNK_BYTES };
        let mut txs = self.stored(|store| store.read()?.log(namespace.id(), from, bound))?;
        txs.retain(|tx| tx.id <= published);
        Ok(LogChunk { txs })
    }

    /// The statements about a triple, as recorded, in the order of their ids.
    ///
    /// # Errors
    /// When the namespace or what is stored of it cannot be read.
    pub fn statements_about(
        &self,
        namespace: &Name,
        triple: Triple,
    ) -> Result<Vec<Statement>, ReadError> {
        let id = self.find(namespace)?.id();
        let object = Some(triple.object);
        self.stored(|store| store.read()?.statements(id, triple.slot(), object))
    }
}
