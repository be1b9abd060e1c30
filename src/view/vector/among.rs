//! The search among a few documents that are named.

use crate::types::{DocumentId, Vector};

use super::code::Code;
use super::scan::{Collector, Question};
use super::search::{SearchPath, VectorHits};
use super::view::VectorView;

impl VectorView {
    /// The best of some documents, exactly, where the caller knows the few that are visible. They come
    /// ascending.
    ///
    /// # Panics
    /// When the vector has another dimension.
    #[must_use]
    pub fn search_among(
        &self,
        query: &Vector,
        limit: usize,
        documents: &[DocumentId],
    ) -> VectorHits {
        assert_eq!(query.dimension(), self.dimension(), "the dimension is checked at the door");
        let state = self.read();
        let mut slots: Vec<u32> =
            documents.iter().filter_map(|document| state.slots.slot_of(*document)).collect();
        slots.sort_unstable();
        slots.dedup();
        let code = Code::new(query);
        let visible = |document| documents.binary_search(&document).is_ok();
        let question = Question { vector: query, code: &code, limit, visible: &visible };
        let mut collector = Collector::new(&state.slots, question);
        collector.weigh_each(slots);
        let examined = collector.examined();
        VectorHits { hits: collector.finish(), path: SearchPath::Scan, examined }
    }
}
