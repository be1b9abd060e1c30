//! The tables. Each holds all namespaces, keyed by namespace first.

use redb::{Range, ReadableTable, TableDefinition};

use super::error::ReadError;
use super::key::{self, Key};

pub(super) type Bytes = &'static [u8];
pub(super) type Fixed<const N: usize> = &'static [u8; N];
type Table<const N: usize> = TableDefinition<'static, Fixed<N>, Bytes>;

/// Names and counters of the whole directory.
pub(super) const META: TableDefinition<&str, Bytes> = TableDefinition::new("meta");
pub(super) const NAMESPACE: Table<{ key::NAMESPACE }> = TableDefinition::new("namespace");
pub(super) const LOG: Table<{ key::LOG }> = TableDefinition::new("log");
pub(super) const STATEMENT: Table<{ key::STATEMENT }> = TableDefinition::new("statement");
pub(super) const RECTANGLE: Table<{ key::RECTANGLE }> = TableDefinition::new("rectangle");
pub(super) const REQUEST: Table<{ key::REQUEST }> = TableDefinition::new("request");
pub(super) const EPISODE: Table<{ key::EPISODE }> = TableDefinition::new("episode");
pub(super) const EMBEDDING: Table<{ key::NAMESPACE }> = TableDefinition::new("embedding");
pub(super) const VECTOR: Table<{ key::VECTOR }> = TableDefinition::new("vector");
pub(super) const ACCESS: Table<{ key::ACCESS }> = TableDefinition::new("access");
pub(super) const ERASURE: Table<{ key::ERASURE }> = TableDefinition::new("erasure");
/// Credentials of the whole directory, by id.
pub(super) const CREDENTIAL: Table<{ key::NUMBER }> = TableDefinition::new("credential");
pub(super) const QUOTA: Table<{ key::NAMESPACE }> = TableDefinition::new("quota");
pub(super) const POLICY: Table<{ key::NAMESPACE }> = TableDefinition::new("policy");
/// What calls of models have cost, and what may be spent on them.
pub(super) const USAGE: Table<{ key::USAGE }> = TableDefinition::new("usage");
pub(super) const BUDGET: Table<{ key::NAMESPACE }> = TableDefinition::new("budget");
/// What was denied and what was changed, of the whole directory, in the order it was stored. They
/// are apart so that a flood of denials pushes no change out.
pub(super) const AUDIT_DENIAL: Table<{ key::NUMBER }> = TableDefinition::new("audit_denial");
pub(super) const AUDIT_CHANGE: Table<{ key::NUMBER }> = TableDefinition::new("audit_change");
/// The receipts by age. The key says it all.
pub(super) const REQUEST_AGE: TableDefinition<Fixed<{ key::REQUEST_AGE }>, ()> =
    TableDefinition::new("request_age");

pub(super) type Read<const N: usize> = redb::ReadOnlyTable<Fixed<N>, Bytes>;

/// A table as both kinds of transaction read it.
pub(super) trait Rows<const N: usize>: ReadableTable<Fixed<N>, Bytes> {
    /// The rows whose keys begin so.
    fn under(&self, prefix: Key<N>) -> Result<Range<'_, Fixed<N>, Bytes>, ReadError> {
        let (least, greatest) = (prefix.least(), prefix.greatest());
        Ok(ReadableTable::range::<&[u8; N]>(self, &least..=&greatest)?)
    }
}

impl<const N: usize, T: ReadableTable<Fixed<N>, Bytes>> Rows<N> for T {}
