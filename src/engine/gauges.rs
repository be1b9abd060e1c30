//! How large everything is and how far the views are, for whoever watches the process. It reads
//! what is in memory and takes no lock for long.

use crate::store::Store;
use crate::types::limits::QUEUE_COMMANDS_MAX;
use crate::types::{Name, TxId};

use super::error::ReadError;
use super::handle::Engine;
use super::meters::MetersSeen;
use super::namespace::{Namespace, Published};
use super::spaces::SpaceSpec;

/// One namespace, or several of them added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    pub transactions: u64,
    pub rectangles_live: u64,
    pub rectangles_closed: u64,
    pub documents: u64,
    /// Documents that the text view does not have yet.
    pub text_behind: u64,
    /// Documents that no vector was looked for yet, in the space that questions use.
    pub vectors_behind: u64,
    pub graph_bytes: u64,
    pub text_bytes: u64,
    pub vector_bytes: u64,
    /// Text views that are being opened or built anew while there are documents.
    pub text_opening: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    pub transactions: u64,
    pub entities: usize,
    pub predicates: usize,
    pub values: usize,
    pub sources: usize,
    pub rectangles_live: usize,
    pub rectangles_closed: usize,
    pub conflicts: usize,
    pub last_tx: TxId,
    pub graph_watermark: TxId,
    pub graph_bytes: usize,
    pub store_bytes: u64,
    pub episodes: usize,
    pub documents: usize,
    /// Documents that the text view holds.
    pub text_documents: u64,
    pub text_bytes: u64,
    pub vectors: VectorStatistics,
    /// The space that is being built, and how many documents it has looked at.
    pub next_space: Option<(SpaceSpec, u64)>,
}

/// The space that questions are compared in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VectorStatistics {
    pub space: Option<SpaceSpec>,
    /// Documents with a vector.
    pub documents: usize,
    /// Documents that wait for theirs.
    pub behind: u64,
    pub bytes: usize,
    /// Vectors that the HNSW graph holds.
    pub linked: usize,
}

impl Sizes {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Sizes) -> Sizes {
        Sizes {
            transactions: self.transactions + other.transactions,
            rectangles_live: self.rectangles_live + other.rectangles_live,
            rectangles_closed: self.rectangles_closed + other.rectangles_closed,
            documents: self.documents + other.documents,
            text_behind: self.text_behind + other.text_behind,
            vectors_behind: self.vectors_behind + other.vectors_behind,
            graph_bytes: self.graph_bytes + other.graph_bytes,
            text_bytes: self.text_bytes + other.text_bytes,
            vector_bytes: self.vector_bytes + other.vector_bytes,
            text_opening: self.text_opening + other.text_opening,
        }
    }
}

impl Engine {
    /// What the engine has counted since it was opened.
    #[must_use]
    pub fn meters(&self) -> MetersSeen {
        self.counted().seen()
    }

    /// Every namespace by name.
    #[must_use]
    pub fn sizes(&self) -> Vec<(String, Sizes)> {
        let all = self.inner.registry.all();
        all.iter().map(|each| (each.record.name.to_string(), sizes(each))).collect()
    }

    /// # Errors
    /// When the namespace or the store cannot be read.
    pub fn statistics(&self, namespace: &Name) -> Result<Statistics, ReadError> {
        let store_bytes = self.stored(Store::stats)?.file_bytes.unwrap_or(0);
        let namespace = self.find(namespace)?;
        let (text, spaces) = (namespace.search.text(), namespace.search.spaces());
        let text_bytes = text.as_ref().map_or(0, |view| view.disk_bytes().unwrap_or(0));
        let published = namespace.published();
        let Published { directory, graph, documents } = &*published;
        let [entities, predicates, values, sources] = directory.named();
        let next = documents.next().raw();
        let vectors = spaces.current.map(|space| VectorStatistics {
            space: Some(SpaceSpec::of(&space.record)),
            documents: space.view.len(),
            behind: next.saturating_sub(space.looked_at().raw()).into(),
            bytes: space.view.heap_bytes(),
            linked: space.view.linked(),
        });
        let next_space =
            spaces.next.map(|space| (SpaceSpec::of(&space.record), space.looked_at().raw().into()));
        Ok(Statistics {
            episodes: directory.episode_count(),
            documents: documents.len(),
            text_documents: text.map_or(0, |view| view.next().raw().into()),
            text_bytes,
            vectors: vectors.unwrap_or_default(),
            next_space,
            transactions: directory.last_tx().raw(),
            entities,
            predicates,
            values,
            sources,
            rectangles_live: graph.live_count(),
            rectangles_closed: graph.closed_count(),
            conflicts: directory.open_conflicts().count(),
            last_tx: directory.last_tx(),
            graph_watermark: graph.watermark(),
            graph_bytes: graph.heap_bytes(),
            store_bytes,
        })
    }

    /// Commands that wait for the writer; 0 once the engine is closed.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.queue().map_or(0, |queue| QUEUE_COMMANDS_MAX - queue.capacity())
    }

    /// Bytes of the data file; 0 where there is none, or none that can be read now.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.inner.store.file_bytes()
    }
}

fn sizes(namespace: &Namespace) -> Sizes {
    let (text, spaces) = (namespace.search.text(), namespace.search.spaces());
    let published = namespace.published();
    let Published { directory, graph, documents } = &*published;
    let next = u64::from(documents.next().raw());
    let count = |size: usize| u64::try_from(size).unwrap_or(u64::MAX);
    let vectors = spaces.current.as_ref();
    let text_next = text.as_ref().map_or(0, |view| u64::from(view.next().raw()));
    Sizes {
        transactions: directory.last_tx().raw(),
        rectangles_live: count(graph.live_count()),
        rectangles_closed: count(graph.closed_count()),
        documents: count(documents.len()),
        text_behind: next.saturating_sub(text_next),
        vectors_behind: vectors
            .map_or(0, |space| next.saturating_sub(space.looked_at().raw().into())),
        graph_bytes: count(graph.heap_bytes()),
        text_bytes: text.as_ref().map_or(0, |view| view.disk_bytes().unwrap_or(0)),
        vector_bytes: vectors.map_or(0, |space| count(space.view.heap_bytes())),
        text_opening: u64::from(text.is_none() && next > 0),
    }
}
