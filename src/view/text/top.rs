//! The best documents so far.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::types::DocumentId;

/// At most `limit` documents, the highest scores, ties by the lower id.
pub(super) struct Top {
    limit: usize,
    /// The worst on top.
    heap: BinaryHeap<Reverse<(u32, Reverse<DocumentId>)>>,
}

impl Top {
    pub(super) fn new(limit: usize) -> Top {
        Top { limit, heap: BinaryHeap::new() }
    }

    /// No score below this one gets in; an equal one does with a lower id.
    pub(super) fn threshold(&self) -> u32 {
        match self.heap.peek() {
            Some(Reverse((score, _))) if self.heap.len() == self.limit => *score,
            _ => 0,
        }
    }

    pub(super) fn admits(&self, score: u32, document: DocumentId) -> bool {
        if self.heap.len() < self.limit {
            return true;
        }
        self.heap.peek().is_some_and(|Reverse(worst)| (score, Reverse(document)) > *worst)
    }

    pub(super) fn push(&mut self, score: u32, document: DocumentId) {
        if self.heap.len() == self.limit {
            self.heap.pop();
        }
        self.heap.push(Reverse((score, Reverse(document))));
    }

    /// Best first.
    pub(super) fn into_sorted(self) -> impl Iterator<Item = (DocumentId, u32)> {
        let sorted = self.heap.into_sorted_vec().into_iter();
        sorted.map(|Reverse((score, Reverse(document)))| (document, score))
    }
}
