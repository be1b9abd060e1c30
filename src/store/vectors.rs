//! Episodes, embedding spaces, vectors and accesses: what recall reads and writes.

use crate::types::{DocumentKey, Episode, EpisodeId, NamespaceId, SpaceId, Vector};

use super::batch::Batch;
use super::codec::{seal, unseal};
use super::error::{CommitError, ReadError};
use super::key::{self, Key};
use super::read::decoded;
use super::reader::Reader;
use super::record::{Access, EmbeddingRecord};
use super::table::{self, Rows};
use redb::ReadableTable;

/// A document and its vector.
pub type VectorRow = (DocumentKey, Vector);

impl Reader {
    /// # Errors
    /// When the disk cannot be read.
    pub fn episode(
        &self,
        namespace: NamespaceId,
        id: EpisodeId,
    ) -> Result<Option<Episode>, ReadError> {
        let row = self.episode.get(&key::episode(namespace, id))?;
        row.map(|row| decoded("episode", unseal(row.value()))).transpose()
    }

    /// The spaces of a namespace; none where nothing was ever embedded.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn embedding(&self, namespace: NamespaceId) -> Result<EmbeddingRecord, ReadError> {
        match self.embedding.get(&Key::of(namespace).full())? {
            Some(row) => decoded("embedding", unseal(row.value())),
            None => Ok(EmbeddingRecord::default()),
        }
    }

    /// # Errors
    /// When the disk cannot be read.
    pub fn vector(
        &self,
        namespace: NamespaceId,
        space: SpaceId,
        document: DocumentKey,
    ) -> Result<Option<Vector>, ReadError> {
        let row = self.vector.get(&key::vector(namespace, space, document))?;
        row.map(|row| decoded("vector", unseal(row.value()))).transpose()
    }

    /// Every vector of a space, in the order of the log.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn for_each_vector(
        &self,
        namespace: NamespaceId,
        space: SpaceId,
        mut visit: impl FnMut(VectorRow),
    ) -> Result<(), ReadError> {
        for row in self.vector.under(Key::of(namespace).space(space))? {
            let (key, value) = row?;
            let document = decoded("vector", key::document_of(key.value()))?;
            visit((document, decoded("vector", unseal(value.value()))?));
        }
        Ok(())
    }

    /// Every document that was ever read by a recall.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn for_each_access(
        &self,
        namespace: NamespaceId,
        mut visit: impl FnMut(DocumentKey, Access),
    ) -> Result<(), ReadError> {
        for row in self.access.under(Key::of(namespace))? {
            let (key, value) = row?;
            let document = decoded("access", key::document_of(key.value()))?;
            visit(document, decoded("access", unseal(value.value()))?);
        }
        Ok(())
    }
}

impl Batch {
    /// # Errors
    /// When the disk cannot be read.
    pub fn embedding(&self, namespace: NamespaceId) -> Result<EmbeddingRecord, ReadError> {
        match self.txn.open_table(table::EMBEDDING)?.get(&Key::of(namespace).full())? {
            Some(row) => decoded("embedding", unseal(row.value())),
            None => Ok(EmbeddingRecord::default()),
        }
    }

    /// # Errors
    /// When the disk fails.
    pub fn put_embedding(
        &mut self,
        namespace: NamespaceId,
        record: &EmbeddingRecord,
    ) -> Result<(), CommitError> {
        let mut table = self.txn.open_table(table::EMBEDDING)?;
        table.insert(&Key::of(namespace).full(), seal(record).as_slice())?;
        Ok(())
    }

    /// Keeps vectors of a space; a document's earlier one is replaced.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn put_vectors(
        &mut self,
        namespace: NamespaceId,
        space: SpaceId,
        rows: &[VectorRow],
    ) -> Result<(), CommitError> {
        let mut table = self.txn.open_table(table::VECTOR)?;
        let mut rows: Vec<_> = rows
            .iter()
            .map(|(document, vector)| (key::vector(namespace, space, *document), vector))
            .collect();
        // In the order of keys: redb takes them twice as fast.
        rows.sort_unstable_by_key(|(key, _)| *key);
        for (key, vector) in rows {
            table.insert(&key, seal(vector).as_slice())?;
        }
        Ok(())
    }

    /// Removes every vector of a space that is no longer used.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn clear_space(
        &mut self,
        namespace: NamespaceId,
        space: SpaceId,
    ) -> Result<(), CommitError> {
        let prefix = Key::of(namespace).space(space);
        let (least, greatest) = (prefix.least(), prefix.greatest());
        let mut table = self.txn.open_table(table::VECTOR)?;
        Ok(table.retain_in::<&[u8; key::VECTOR], _>(&least..=&greatest, |_, _| false)?)
    }

    /// # Errors
    /// When the disk fails.
    pub fn put_accesses(
        &mut self,
        namespace: NamespaceId,
        accesses: &[(DocumentKey, Access)],
    ) -> Result<(), CommitError> {
        let mut table = self.txn.open_table(table::ACCESS)?;
        for (document, access) in accesses {
            table.insert(&key::access(namespace, *document), seal(access).as_slice())?;
        }
        Ok(())
    }

    pub(super) fn write_episodes(
        &self,
        namespace: NamespaceId,
        tx: &crate::kernel::Tx,
    ) -> Result<(), CommitError> {
        let mut added = tx.changes.iter().filter_map(|change| match change {
            crate::kernel::Change::EpisodeAdded(episode) => Some(episode),
            _ => None,
        });
        // Most transactions add none, and opening a table costs a microsecond.
        let Some(first) = added.next() else { return Ok(()) };
        let mut table = self.txn.open_table(table::EPISODE)?;
        for episode in std::iter::once(first).chain(added) {
            let key = key::episode(namespace, episode.id);
            table.insert(&key, seal(episode.as_ref()).as_slice())?;
        }
        Ok(())
    }
}
