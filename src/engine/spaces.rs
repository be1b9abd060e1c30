//! Embedding spaces: which there are, what is still to be embedded, and moving to another.
//!
//! Vectors are made elsewhere and handed in. They are found as soon as they are there and stored a
//! while later, together with how far they reach: what a crash takes is embedded again.

use std::sync::Arc;

use crate::store::{Batch, CommitError, EmbeddingRecord, SpaceRecord, VectorRow};
use crate::types::limits::VECTORS_UNSAVED_MAX;
use crate::types::{DocumentId, DocumentKind, Name, SpaceId, Vector};

use super::error::{ReadError, SubmitError};
use super::handle::Engine;
use super::indexer::Chunk;
use super::job::Job;
use super::namespace::Namespace;
use super::search::Space;

/// What vectors can be compared with one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceSpec {
    /// Name of the model.
    pub model: String,
    pub dimension: u32,
    /// Callers supply the vectors.
    pub supplied: bool,
}

impl SpaceSpec {
    pub(super) fn of(record: &SpaceRecord) -> SpaceSpec {
        let SpaceRecord { model, dimension, supplied, .. } = record;
        SpaceSpec { model: model.clone(), dimension: *dimension, supplied: *supplied }
    }

    /// The spaces of a namespace with this one as the current.
    pub(super) fn claimed(&self, record: EmbeddingRecord) -> EmbeddingRecord {
        let last = record.last + 1;
        EmbeddingRecord { current: Some(self.record(last)), last, ..record }
    }

    fn record(&self, id: u32) -> SpaceRecord {
        let SpaceSpec { model, dimension, supplied } = self.clone();
        SpaceRecord { id: SpaceId::new(id), model, dimension, supplied, looked_at: 0 }
    }
}

/// Something to be done to the spaces of a namespace.
#[derive(Debug)]
pub(super) enum SpaceJob {
    /// The first space, unless there is one.
    Claim(SpaceSpec),
    /// A new space beside the current one.
    Reembed(SpaceSpec),
    Store {
        space: SpaceId,
        rows: Vec<VectorRow>,
        looked_at: DocumentId,
    },
    /// The next space becomes the current one, if it is complete.
    Switch {
        space: SpaceId,
    },
}

impl SpaceJob {
    /// Writes it and gives the record as it then stands, if that changed.
    pub(super) fn apply(
        self,
        namespace: &Namespace,
        batch: &mut Batch,
    ) -> Result<Option<EmbeddingRecord>, CommitError> {
        let id = namespace.id();
        let mut record = batch.embedding(id)?;
        match self {
            SpaceJob::Claim(spec) => {
                if record.current.is_some() {
                    return Ok(None);
                }
                record = spec.claimed(record);
            }
            SpaceJob::Reembed(spec) => {
                if let Some(unfinished) = record.next.take() {
                    batch.clear_space(id, unfinished.id)?;
                }
                record.last += 1;
                record.next = Some(spec.record(record.last));
            }
            SpaceJob::Store { space, rows, looked_at } => {
                let spaces = [record.current.as_mut(), record.next.as_mut()];
                let Some(known) = spaces.into_iter().flatten().find(|known| known.id == space)
                else {
                    return Ok(None);
                };
                known.looked_at = known.looked_at.max(looked_at.raw());
                batch.put_vectors(id, space, &rows)?;
            }
            SpaceJob::Switch { space } => {
                let complete = |next: &SpaceRecord| {
                    let documents = namespace.published().documents.next();
                    next.id == space && documents.raw() <= next.looked_at
                };
                if !record.next.as_ref().is_some_and(complete) {
                    return Ok(None);
                }
                if let Some(old) = record.current.take() {
                    batch.clear_space(id, old.id)?;
                }
                record.current = record.next.take();
            }
        }
        batch.put_embedding(id, &record)?;
        Ok(Some(record))
    }
}

/// Documents that wait for their vectors, with their words.
pub struct ToEmbed {
    namespace: Arc<Namespace>,
    space: Arc<Space>,
    chunk: Chunk,
    /// Places of the texts in the chunk.
    places: Vec<usize>,
    /// What a model has to look at, in order.
    pub texts: Vec<String>,
}

impl Engine {
    /// Names of namespaces with documents that may wait for vectors. A name comes once until it is
    /// asked for with [`Engine::to_embed`].
    #[must_use]
    pub fn waiting_for_vectors(&self) -> Vec<Name> {
        self.embedding().take()
    }

    /// Waits until some namespace may have documents to embed.
    pub async fn something_to_embed(&self) {
        self.embedding().notified().await;
    }

    /// The next documents of a namespace that wait for vectors of a model. Makes the space if there
    /// is none; `None` when nothing waits, or the namespace has a space of another kind.
    ///
    /// # Errors
    /// When the namespace or what is stored of it cannot be read, or the space not be recorded.
    pub async fn to_embed(
        &self,
        name: &Name,
        spec: &SpaceSpec,
    ) -> Result<Option<ToEmbed>, SubmitError> {
        let unknown = |_| SubmitError::NamespaceUnknown { name: name.to_string() };
        let namespace = self.find(name).map_err(unknown)?;
        if namespace.search.spaces().record.current.is_none() {
            self.space_job(&namespace, SpaceJob::Claim(spec.clone())).await?;
            // The one that was made is read in by the indexer.
            self.wake(&namespace);
            return Ok(None);
        }
        let spaces = namespace.search.spaces();
        let fits = |space: &Arc<Space>| SpaceSpec::of(&space.record) == *spec;
        for space in [spaces.current, spaces.next.clone()].into_iter().flatten().filter(fits) {
            if !space.is_loaded() {
                self.wake(&namespace);
                continue;
            }
            let chunk = self.stored(|store| Chunk::read(store, &namespace, space.looked_at()));
            let chunk = chunk.map_err(unread)?;
            if !chunk.entries.is_empty() {
                return self.without_supplied(namespace, space, chunk).map(Some);
            }
        }
        if let Some(space) = spaces.next.filter(fits).filter(|space| space.is_loaded()) {
            self.store_vectors(&namespace, &space).await?;
            let switch = SpaceJob::Switch { space: space.record.id };
            self.space_job(&namespace, switch).await?;
            namespace.search.report();
        }
        Ok(None)
    }

    /// Leaves out names, which are found by their words alone, and what came with a vector.
    fn without_supplied(
        &self,
        namespace: Arc<Namespace>,
        space: Arc<Space>,
        chunk: Chunk,
    ) -> Result<ToEmbed, SubmitError> {
        let mut places = Vec::with_capacity(chunk.entries.len());
        let supplied = self.stored(|store| {
            let reader = store.read()?;
            let mut supplied = Vec::new();
            for (place, (document, key)) in chunk.documents.iter().enumerate() {
                let given = match key.kind {
                    DocumentKind::Entity => continue,
                    DocumentKind::Fact => None,
                    DocumentKind::Statement | DocumentKind::Episode => {
                        reader.vector(namespace.id(), space.record.id, *key)?
                    }
                };
                match given {
                    Some(vector) => supplied.push((*document, vector)),
                    None if chunk.entries[place].text.trim().is_empty() => {}
                    None => places.push(place),
                }
            }
            Ok(supplied)
        });
        let supplied: Vec<(DocumentId, Vector)> = supplied.map_err(unread)?;
        space.view.add_all(supplied.iter().map(|(document, vector)| (*document, vector)));
        let texts = places.iter().map(|place| chunk.entries[*place].text.clone()).collect();
        Ok(ToEmbed { namespace, space, chunk, places, texts })
    }

    /// Takes the vectors of some documents, in the order of their texts; `None` where the model
    /// knows nothing of one. They are found at once.
    ///
    /// # Errors
    /// When they could not be stored; they are then embedded again after a restart.
    ///
    /// # Panics
    /// When there are not as many as texts, or one has another dimension than the space.
    pub async fn embedded(
        &self,
        work: ToEmbed,
        vectors: Vec<Option<Vector>>,
    ) -> Result<(), SubmitError> {
        let ToEmbed { namespace, space, chunk, places, .. } = work;
        assert_eq!(vectors.len(), places.len(), "one vector a text");
        let made: Vec<(DocumentId, Vector)> = places
            .iter()
            .zip(vectors)
            .filter_map(|(place, vector)| Some((chunk.documents[*place].0, vector?)))
            .collect();
        space.view.add_all(made.iter().map(|(document, vector)| (*document, vector)));
        let rows =
            places.iter().map(|place| chunk.documents[*place]).filter_map(|(document, key)| {
                let at = made.binary_search_by_key(&document, |(made, _)| *made).ok()?;
                Some((key, made[at].1.clone()))
            });
        let unsaved = space.keep(rows);
        let (last, _) = chunk.documents.last().expect("there was something to embed");
        space.look_up_to(last.next());
        namespace.search.report();
        if unsaved >= VECTORS_UNSAVED_MAX {
            self.store_vectors(&namespace, &space).await?;
        } else {
            self.keep(&namespace);
        }
        Ok(())
    }

    async fn store_vectors(
        &self,
        namespace: &Arc<Namespace>,
        space: &Space,
    ) -> Result<(), SubmitError> {
        let looked_at = space.looked_at();
        let rows = space.take_unsaved();
        let job = SpaceJob::Store { space: space.record.id, rows: rows.clone(), looked_at };
        // What was not stored is stored with the next: else it would count as looked at and be lost.
        self.space_job(namespace, job).await.inspect_err(|_| {
            space.keep(rows);
        })
    }

    /// Begins to embed a namespace anew with another model.
    ///
    /// # Errors
    /// [`SubmitError`].
    pub async fn reembed(&self, name: &Name, spec: &SpaceSpec) -> Result<u32, SubmitError> {
        let unknown = |_| SubmitError::NamespaceUnknown { name: name.to_string() };
        let namespace = self.find(name).map_err(unknown)?;
        let first = namespace.search.spaces().record.current.is_none();
        let job =
            if first { SpaceJob::Claim(spec.clone()) } else { SpaceJob::Reembed(spec.clone()) };
        self.space_job(&namespace, job).await?;
        self.wake(&namespace);
        Ok(namespace.published().documents.next().raw())
    }

    async fn space_job(
        &self,
        namespace: &Arc<Namespace>,
        job: SpaceJob,
    ) -> Result<(), SubmitError> {
        let (reply, done) = tokio::sync::oneshot::channel();
        let job = Job::Space { namespace: Arc::clone(namespace), job, reply };
        self.queue()?.send(job).await.map_err(|_| SubmitError::Closed)?;
        done.await.unwrap_or(Err(SubmitError::Closed))
    }

    /// The space that questions of a namespace are compared in, and the one being built.
    ///
    /// # Errors
    /// [`ReadError::NamespaceUnknown`].
    pub fn space(&self, name: &Name) -> Result<Option<SpaceSpec>, ReadError> {
        let spaces = self.find(name)?.search.spaces();
        Ok(spaces.record.current.as_ref().map(SpaceSpec::of))
    }
}

/// What waits is asked for again once the disk answers.
fn unread(error: ReadError) -> SubmitError {
    match error {
        ReadError::NamespaceUnknown { name } => SubmitError::NamespaceUnknown { name },
        error @ (ReadError::Store(_) | ReadError::Renewed | ReadError::Halted) => {
            SubmitError::Disk { message: error.to_string() }
        }
    }
}
