//! How large everything is and how far the views are, for whoever watches the process. It reads
//! what is in memory and takes no lock for long.

use crate::types::limits::QUEUE_COMMANDS_MAX;

use super::handle::Engine;
use super::meters::MetersSeen;
use super::namespace::{Namespace, Published};

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
