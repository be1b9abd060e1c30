//! Operations in bulk, cut into messages and streams that are small enough to be sent again.

use prost::Message;

use crate::rpc::proto::{ImportFactsRequest, ImportFactsResponse, Operation, RejectedRow};
use crate::types::limits::{IMPORT_ERRORS_MAX, MESSAGE_BYTES_MAX};

/// Operations of one stream: as many rejected rows as a reply lists one by one.
const STREAM_OPERATIONS_MAX: usize = IMPORT_ERRORS_MAX;
/// Bytes of the operations of one message; the rest of the bound is left for what surrounds them.
const OPERATIONS_BYTES_MAX: usize = MESSAGE_BYTES_MAX / 2;

/// How to import.
#[derive(Clone, Copy, Debug)]
pub struct Import {
    /// Operations of one transaction.
    pub batch: usize,
    /// A row that was recorded before changes nothing, so a lost connection is made good by sending
    /// the same rows again.
    pub deduplicate: bool,
}

impl Default for Import {
    fn default() -> Import {
        Import { batch: 1_000, deduplicate: true }
    }
}

/// What became of the operations of an import, by outcome.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    pub applied: u64,
    pub no_change: u64,
    pub replayed: u64,
    pub contested: u64,
    pub blocked: u64,
    pub no_match: u64,
    pub rejected: u64,
    /// Operations that were left out. Rows count from 0.
    pub rejected_rows: Vec<RejectedRow>,
    /// The last transaction.
    pub tx: u64,
}

impl Imported {
    pub(super) fn add(&mut self, response: ImportFactsResponse) {
        self.applied += response.applied;
        self.no_change += response.no_change;
        self.replayed += response.replayed;
        self.contested += response.contested;
        self.blocked += response.blocked;
        self.no_match += response.no_match;
        self.rejected += response.rejected;
        self.rejected_rows.extend(response.rejected_rows);
        self.tx = self.tx.max(response.tx);
    }
}

/// The messages of one stream after the other.
pub(super) struct Streams<I> {
    operations: I,
    namespace: String,
    options: Import,
    row: u64,
}

impl<I: Iterator<Item = Operation>> Streams<I> {
    pub(super) fn new(operations: I, namespace: &str, options: Import) -> Streams<I> {
        Streams { operations, namespace: namespace.to_owned(), options, row: 0 }
    }

    fn message(&self) -> ImportFactsRequest {
        ImportFactsRequest {
            namespace: self.namespace.clone(),
            deduplicate: self.options.deduplicate,
            first_row: self.row,
            ..Default::default()
        }
    }
}

impl<I: Iterator<Item = Operation>> Iterator for Streams<I> {
    type Item = Vec<ImportFactsRequest>;

    fn next(&mut self) -> Option<Vec<ImportFactsRequest>> {
        let mut messages: Vec<ImportFactsRequest> = Vec::new();
        let mut bytes = 0;
        for _ in 0..STREAM_OPERATIONS_MAX {
            let Some(operation) = self.operations.next() else { break };
            let size = operation.encoded_len() + 8;
            let open = messages.last().is_some_and(|message| {
                message.operations.len() < self.options.batch
                    && bytes + size <= OPERATIONS_BYTES_MAX
            });
            if !open {
                messages.push(self.message());
                bytes = 0;
            }
            messages.last_mut().expect("a message is open").operations.push(operation);
            bytes += size;
            self.row += 1;
        }
        (!messages.is_empty()).then_some(messages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_cut_by_batch_and_stream() {
        let rows = STREAM_OPERATIONS_MAX + 5;
        let operations = std::iter::repeat_n(Operation::default(), rows);
        let options = Import { batch: 4_000, deduplicate: true };
        let streams: Vec<Vec<(u64, usize)>> = Streams::new(operations, "lab", options)
            .map(|stream| stream.iter().map(|m| (m.first_row, m.operations.len())).collect())
            .collect();
        assert_eq!(streams[0], [(0, 4_000), (4_000, 4_000), (8_000, 2_000)]);
        assert_eq!(streams[1], [(10_000, 5)]);
        assert_eq!(streams.len(), 2);
    }
}
