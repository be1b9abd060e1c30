//! The messages of one stream, and which record each operation came from.

use std::collections::BTreeMap;

use prost::Message;

use crate::rpc::proto::{ImportFactsRequest, Instant, Operation, RejectedRow};
use crate::types::limits::{IMPORT_ERRORS_MAX, MESSAGE_BYTES_MAX};

use super::super::error::violation_text;
use super::source::Record;

/// Operations of one stream. A server lists no more rejected rows than this, so none is missed.
const OPERATIONS_MAX: usize = IMPORT_ERRORS_MAX;
/// Messages of one stream.
const MESSAGES_MAX: usize = 1_000;
/// Bytes of one message; the rest of the bound is left for what surrounds the operations.
const MESSAGE_BYTES: usize = MESSAGE_BYTES_MAX / 2;
/// Bytes of one stream.
const STREAM_BYTES: usize = 2 * MESSAGE_BYTES_MAX;

/// A record as it may have to be written back.
pub(crate) struct Kept {
    pub(crate) line: u64,
    pub(crate) raw: Vec<u8>,
}

pub(crate) struct Load {
    namespace: String,
    batch: usize,
    deduplicate: bool,
    pub(crate) messages: Vec<ImportFactsRequest>,
    message_bytes: usize,
    bytes: usize,
    pub(crate) records: Vec<Kept>,
    /// The record of each operation, in order.
    owners: Vec<usize>,
    /// Reasons by record.
    pub(crate) rejected: BTreeMap<usize, Vec<String>>,
}

impl Load {
    pub(crate) fn new(namespace: &str, batch: usize, deduplicate: bool) -> Load {
        Load {
            namespace: namespace.to_owned(),
            batch,
            deduplicate,
            messages: Vec::new(),
            message_bytes: 0,
            bytes: 0,
            records: Vec::new(),
            owners: Vec::new(),
            rejected: BTreeMap::new(),
        }
    }

    /// Whether more operations would be more than one stream takes.
    pub(crate) fn is_full_for(&self, more: usize) -> bool {
        !self.records.is_empty()
            && (self.owners.len() + more > OPERATIONS_MAX
                || self.records.len() >= OPERATIONS_MAX
                || self.messages.len() >= MESSAGES_MAX
                || self.bytes >= STREAM_BYTES)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    pub(crate) fn reject(&mut self, record: Record, reasons: Vec<String>) {
        let place = self.keep(record);
        self.rejected.insert(place, reasons);
    }

    /// A row, in a transaction with the rows beside it.
    pub(crate) fn row(&mut self, record: Record, operation: Operation) {
        let size = operation.encoded_len() + 8;
        let open = self.messages.last().is_some_and(|message| {
            message.operations.len() < self.batch && self.message_bytes + size <= MESSAGE_BYTES
        });
        if !open {
            self.open_message(None);
        }
        let place = self.keep(record);
        self.push(place, operation, size);
    }

    /// A transaction of its own.
    pub(crate) fn transaction(
        &mut self,
        record: Record,
        operations: Vec<Operation>,
        tx_time: Option<Instant>,
    ) {
        self.open_message(tx_time);
        let place = self.keep(record);
        for operation in operations {
            let size = operation.encoded_len();
            self.push(place, operation, size);
        }
    }

    fn open_message(&mut self, tx_time: Option<Instant>) {
        self.message_bytes = 0;
        self.messages.push(ImportFactsRequest {
            namespace: self.namespace.clone(),
            operations: Vec::new(),
            deduplicate: self.deduplicate,
            tx_time,
            first_row: self.owners.len() as u64 + 1,
        });
    }

    fn push(&mut self, place: usize, operation: Operation, size: usize) {
        self.owners.push(place);
        self.message_bytes += size;
        self.bytes += size;
        let message = self.messages.last_mut().expect("a message was opened");
        message.operations.push(operation);
    }

    fn keep(&mut self, record: Record) -> usize {
        self.bytes += record.raw.len();
        self.records.push(Kept { line: record.line, raw: record.raw });
        self.records.len() - 1
    }

    /// Takes in what the server left out.
    pub(crate) fn take_rejected(&mut self, rows: &[RejectedRow]) {
        for row in rows {
            let owner = usize::try_from(row.row)
                .ok()
                .and_then(|row| row.checked_sub(1))
                .and_then(|place| self.owners.get(place));
            let Some(&owner) = owner else { continue };
            let reasons = self.rejected.entry(owner).or_default();
            reasons.extend(row.violations.iter().map(|violation| {
                let mut violation = violation.clone();
                violation.field = column_of(&violation.field).to_owned();
                violation_text(&violation)
            }));
            if row.violations.is_empty() {
                reasons.push("the server left it out".to_owned());
            }
        }
    }
}

/// "operations[3].assert.to" is told as "to": the place in the message means nothing to a reader.
fn column_of(field: &str) -> &str {
    match field.split_once("].") {
        Some((_, rest)) => rest.split_once('.').map_or(rest, |(_, column)| column),
        None => field,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::error::violation;
    use super::super::source::Content;
    use super::*;

    fn record(line: u64) -> Record {
        Record {
            line,
            raw: format!("row {line}\n").into_bytes(),
            content: Ok(Content::Cells(Vec::new())),
        }
    }

    #[test]
    fn rows_are_put_in_transactions_and_found_again() {
        let mut load = Load::new("lab", 2, true);
        load.row(record(2), Operation::default());
        load.reject(record(3), vec!["bad".to_owned()]);
        load.row(record(4), Operation::default());
        load.row(record(5), Operation::default());
        let sizes: Vec<(usize, u64)> =
            load.messages.iter().map(|m| (m.operations.len(), m.first_row)).collect();
        assert_eq!(sizes, [(2, 1), (1, 3)]);
        let violations = vec![violation(
            "operations[0].assert.to",
            "INVERTED_INTERVAL",
            "the end is before the start",
        )];
        load.take_rejected(&[
            RejectedRow { row: 3, violations },
            RejectedRow { row: 99, violations: vec![] },
        ]);
        let told: Vec<(u64, &str)> = load
            .rejected
            .iter()
            .map(|(place, why)| (load.records[*place].line, why[0].as_str()))
            .collect();
        assert_eq!(told, [(3, "bad"), (5, "to: the end is before the start [INVERTED_INTERVAL]")]);
    }

    #[test]
    fn a_transaction_stands_alone() {
        let mut load = Load::new("lab", 10, false);
        load.transaction(
            record(1),
            vec![Operation::default(); 3],
            Some(Instant { unix_micros: 1 }),
        );
        load.transaction(record(2), vec![Operation::default()], Some(Instant { unix_micros: 2 }));
        assert_eq!(load.messages.len(), 2);
        load.take_rejected(&[RejectedRow { row: 4, violations: vec![] }]);
        assert_eq!(load.records[*load.rejected.keys().next().unwrap()].line, 2);
    }
}
