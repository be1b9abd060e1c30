//! What calls of models cost a namespace, one row for each day and month and purpose, and its budgets.

use crate::types::{Budgets, Cost, NamespaceId, Period, Purpose};

use super::batch::Batch;
use super::codec::{seal, unseal};
use super::error::{CommitError, ReadError};
use super::key::{self, Key};
use super::read::decoded;
use super::reader::Reader;
use super::table::{self, Rows};

/// The sum of a day or a month for one purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsageRow {
    pub period: Period,
    pub purpose: Purpose,
    pub cost: Cost,
}

impl Reader {
    /// Every sum of a namespace, days before months, oldest first.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn usage(&self, namespace: NamespaceId) -> Result<Vec<UsageRow>, ReadError> {
        let mut rows = Vec::new();
        for row in self.usage.under(Key::of(namespace))? {
            let (key, value) = row?;
            let (period, purpose) = decoded("usage", key::usage_parts(key.value()))?;
            let cost = decoded("usage", unseal(value.value()))?;
            rows.push(UsageRow { period, purpose, cost });
        }
        Ok(rows)
    }

    /// The budgets of a namespace; none where none were set.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn budgets(&self, namespace: NamespaceId) -> Result<Option<Budgets>, ReadError> {
        let row = self.budget.get(&Key::of(namespace).full())?;
        row.map(|row| decoded("budget", unseal(row.value()))).transpose()
    }
}

impl Batch {
    /// Puts sums in the place of those there are.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn put_usage(
        &mut self,
        namespace: NamespaceId,
        rows: &[UsageRow],
    ) -> Result<(), CommitError> {
        let mut table = self.txn.open_table(table::USAGE)?;
        for UsageRow { period, purpose, cost } in rows {
            let key = key::usage(namespace, *period, *purpose);
            table.insert(&key, seal(cost).as_slice())?;
        }
        Ok(())
    }

    /// Drops the sums of periods that are too old.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn forget_usage(
        &mut self,
        namespace: NamespaceId,
        is_old: impl Fn(Period) -> bool,
    ) -> Result<(), CommitError> {
        let mut table = self.txn.open_table(table::USAGE)?;
        let mut old = Vec::new();
        for row in table.under(Key::of(namespace))? {
            let key = *row?.0.value();
            let (period, _) = decoded("usage", key::usage_parts(&key))?;
            if is_old(period) {
                old.push(key);
            }
        }
        for key in &old {
            table.remove(key)?;
        }
        Ok(())
    }

    /// # Errors
    /// When the disk fails.
    pub fn put_budgets(
        &mut self,
        namespace: NamespaceId,
        budgets: &Budgets,
    ) -> Result<(), CommitError> {
        let mut table = self.txn.open_table(table::BUDGET)?;
        table.insert(&Key::of(namespace).full(), seal(budgets).as_slice())?;
        Ok(())
    }
}
