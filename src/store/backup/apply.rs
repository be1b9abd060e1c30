//! Rows of a backup as they are written again.

use redb::ReadableTable;

use crate::types::{NamespaceId, SpaceId};

use super::super::batch::{Batch, NEXT_NAMESPACE};
use super::super::codec::{seal, unseal};
use super::super::error::CommitError;
use super::super::key::{self, Key};
use super::super::record::{NamespaceRecord, Receipt};
use super::super::vectors::VectorRow;
use super::super::{read, table};

/// A receipt under the digest of its request id.
pub(super) fn receipt_row(row: &[u8]) -> Option<([u8; key::DIGEST], Receipt)> {
    let (digest, value) = row.split_first_chunk()?;
    Some((*digest, unseal(value).ok()?))
}

/// A vector under its space and document.
pub(super) fn vector_row(row: &[u8]) -> Option<(SpaceId, VectorRow)> {
    let (space, rest) = row.split_first_chunk()?;
    let (document, value) = rest.split_at_checked(key::DOCUMENT)?;
    let document = key::document_of(document).ok()?;
    Some((SpaceId::new(u32::from_be_bytes(*space)), (document, unseal(value).ok()?)))
}

impl Batch {
    /// Adds a namespace under the id it had. None that is made later gets it again.
    pub(super) fn adopt_namespace(&mut self, record: &NamespaceRecord) -> Result<(), CommitError> {
        let mut meta = self.txn.open_table(table::META)?;
        let next = match meta.get(NEXT_NAMESPACE)? {
            Some(row) => read::decoded("meta", unseal::<u32>(row.value()))?,
            None => 1,
        };
        let next = next.max(record.id.raw().saturating_add(1));
        meta.insert(NEXT_NAMESPACE, seal(&next).as_slice())?;
        self.txn
            .open_table(table::NAMESPACE)?
            .insert(&Key::of(record.id).full(), seal(record).as_slice())?;
        Ok(())
    }

    pub(super) fn adopt_receipt(
        &mut self,
        namespace: NamespaceId,
        digest: [u8; key::DIGEST],
        receipt: &Receipt,
    ) -> Result<(), CommitError> {
        let mut requests = self.txn.open_table(table::REQUEST)?;
        let before = match requests.get(&key::request(namespace, digest))? {
            Some(row) => Some(read::decoded("request", unseal::<Receipt>(row.value()))?),
            None => None,
        };
        requests.insert(&key::request(namespace, digest), seal(receipt).as_slice())?;
        let mut ages = self.txn.open_table(table::REQUEST_AGE)?;
        if let Some(before) = before {
            ages.remove(&key::request_age(namespace, before.time, digest))?;
        }
        ages.insert(&key::request_age(namespace, receipt.time, digest), ())?;
        Ok(())
    }
}
