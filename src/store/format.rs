//! The version of a data directory, and the steps from older ones to it.

use redb::{Database, ReadableDatabase};

use super::codec::{seal, unseal};
use super::error::{CommitError, Corrupt, OpenError, ReadError};
use super::table;

/// The layout of keys and tables. Values have versions of their own.
pub const FORMAT_VERSION: u32 = 3;
pub(super) const FORMAT: &str = "format";

/// Brings a database to the current format, or refuses it. Writes nothing to one that has it.
pub(super) fn prepare(database: &Database) -> Result<(), OpenError> {
    match format_of(database)? {
        Some(FORMAT_VERSION) => Ok(()),
        Some(found) => upgrade(database, found),
        None => Ok(create(database)?),
    }
}

/// The one place for steps from an older format to the next. A step and its version are one commit.
fn upgrade(database: &Database, found: u32) -> Result<(), OpenError> {
    match found {
        1 => {
            add_episodes(database)?;
            upgrade(database, 2)
        }
        2 => Ok(add_tenancy(database)?),
        _ => Err(OpenError::Format { found, known: FORMAT_VERSION }),
    }
}

/// From 1 to 2: tables for episodes and vectors, of which there are none yet. Values written before
/// keep their layout.
fn add_episodes(database: &Database) -> Result<(), CommitError> {
    let txn = database.begin_write()?;
    open_episode_tables(&txn)?;
    mark(&txn, 2)?;
    Ok(txn.commit()?)
}

/// From 2 to 3: values may say whom they are for; those written before are for everybody. Tables for
/// credentials, quotas, policies, costs, budgets, the audit log and erasures, of which there are none
/// yet.
fn add_tenancy(database: &Database) -> Result<(), CommitError> {
    let txn = database.begin_write()?;
    open_credential_tables(&txn)?;
    txn.open_table(table::ERASURE)?;
    mark(&txn, 3)?;
    Ok(txn.commit()?)
}

fn open_credential_tables(txn: &redb::WriteTransaction) -> Result<(), CommitError> {
    txn.open_table(table::CREDENTIAL)?;
    txn.open_table(table::QUOTA)?;
    txn.open_table(table::POLICY)?;
    txn.open_table(table::USAGE)?;
    txn.open_table(table::BUDGET)?;
    txn.open_table(table::AUDIT_DENIAL)?;
    txn.open_table(table::AUDIT_CHANGE)?;
    Ok(())
}

fn mark(txn: &redb::WriteTransaction, version: u32) -> Result<(), CommitError> {
    txn.open_table(table::META)?.insert(FORMAT, seal(&version).as_slice())?;
    Ok(())
}

fn open_episode_tables(txn: &redb::WriteTransaction) -> Result<(), CommitError> {
    txn.open_table(table::EPISODE)?;
    txn.open_table(table::EMBEDDING)?;
    txn.open_table(table::VECTOR)?;
    txn.open_table(table::ACCESS)?;
    Ok(())
}

/// The version of what is there; missing where nothing is.
fn format_of(database: &Database) -> Result<Option<u32>, ReadError> {
    let txn = database.begin_read()?;
    if txn.list_tables()?.next().is_none() {
        return Ok(None);
    }
    let lost = || ReadError::Corrupt(Corrupt::RowMissing { table: "meta" });
    let meta = match txn.open_table(table::META) {
        Err(redb::TableError::TableDoesNotExist(_)) => return Err(lost()),
        meta => meta?,
    };
    let row = meta.get(FORMAT)?.ok_or_else(lost)?;
    unseal(row.value()).map(Some).map_err(|fault| ReadError::row("meta", fault))
}

/// Makes every table and writes the version, in one commit: a directory has both or nothing.
fn create(database: &Database) -> Result<(), CommitError> {
    let txn = database.begin_write()?;
    txn.open_table(table::META)?.insert(FORMAT, seal(&FORMAT_VERSION).as_slice())?;
    txn.open_table(table::NAMESPACE)?;
    txn.open_table(table::LOG)?;
    txn.open_table(table::STATEMENT)?;
    txn.open_table(table::RECTANGLE)?;
    txn.open_table(table::REQUEST)?;
    txn.open_table(table::REQUEST_AGE)?;
    txn.open_table(table::ERASURE)?;
    open_episode_tables(&txn)?;
    open_credential_tables(&txn)?;
    Ok(txn.commit()?)
}
