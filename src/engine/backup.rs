//! Backups of a running engine: each step a short read, between which nothing is held.

use thiserror::Error;

use crate::store::{self, BackupWriter, Base, NamespaceRecord};
use crate::types::Name;

use super::error::ReadError;
use super::handle::Engine;

/// A backup under way.
pub struct Backup {
    engine: Engine,
    writer: BackupWriter,
}

#[derive(Debug, Error)]
pub enum BackupError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the namespace {name} was deleted while it was copied")]
    NamespaceGone { name: String },
    #[error(
        "transaction {since} of the namespace {name} is not the one the earlier backup ends with"
    )]
    BaseForeign { name: String, since: u64 },
    #[error("something was erased from the namespace {name} while it was copied")]
    Overtaken { name: String },
}

impl Engine {
    /// Begins a backup of one namespace, or of all there are, each from where an earlier one ends.
    ///
    /// # Errors
    /// [`BackupError`].
    pub fn backup(
        &self,
        only: Option<&Name>,
        bases: &[(Name, Base)],
    ) -> Result<Backup, BackupError> {
        let time = self.now();
        let begun = self.stored(|store| {
            let reader = store.read()?;
            let mut records = reader.namespaces()?;
            records.retain(|record| only.is_none_or(|only| *only == record.name));
            let with_base = |record: NamespaceRecord| {
                let base = bases.iter().find(|(name, _)| *name == record.name);
                (record, base.map(|(_, base)| *base))
            };
            let records: Vec<_> = records.into_iter().map(with_base).collect();
            if let Some(only) = only.filter(|_| records.is_empty()) {
                return Ok(Err(ReadError::NamespaceUnknown { name: only.to_string() }.into()));
            }
            apart(BackupWriter::begin(&reader, &records, only.is_none(), time))
        });
        let writer = begun??;
        Ok(Backup { engine: self.clone(), writer })
    }
}

impl Backup {
    /// The next bytes of the file, none after the last.
    ///
    /// # Errors
    /// [`BackupError`]; what was given so far is then no backup.
    pub fn step(&mut self) -> Result<Option<Vec<u8>>, BackupError> {
        let Backup { engine, writer } = self;
        engine.stored(|store| apart(writer.step(&store.read()?)))?
    }
}

/// Errors of the disk, which the engine mends, apart from all others.
fn apart<T>(
    result: Result<T, store::BackupError>,
) -> Result<Result<T, BackupError>, store::ReadError> {
    match result {
        Ok(done) => Ok(Ok(done)),
        Err(store::BackupError::Read(error)) => Err(error),
        Err(store::BackupError::NamespaceGone { name }) => {
            Ok(Err(BackupError::NamespaceGone { name }))
        }
        Err(store::BackupError::BaseForeign { name, since }) => {
            Ok(Err(BackupError::BaseForeign { name, since }))
        }
        Err(store::BackupError::Overtaken { name }) => Ok(Err(BackupError::Overtaken { name })),
    }
}
