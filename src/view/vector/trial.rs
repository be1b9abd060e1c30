//! How far to trust the graph, by trying it on vectors it does not hold yet.
//!
//! How many candidates a graph has to be asked for depends on the vectors: where all are equally far
//! from each other, or crowd in few places, `hnsw_rs` loses its way. So it is tried as it grows,
//! against the scan.

use crate::types::Vector;

use super::code::Code;
use super::graph::{Graph, GraphPanic};
use super::scan::{Collector, Question};
use super::search::Searched;

/// Candidates that are tried, the least first.
pub(super) const EFFORTS: [usize; 5] = [32, 64, 128, 256, 512];
/// The best documents that are looked for.
const LIMIT: usize = 10;
/// Hundredths of them that have to be found.
const RECALL_MIN: usize = 97;
/// One answer in so many may send the search to the scan after all.
const LOST_SHARE_MIN: usize = 4;

/// A vector and how many nodes are how near to it, as the scan has it.
pub(super) struct Query {
    vector: Vector,
    wanted: usize,
    least: f32,
}

/// What came of asking for one number of candidates.
#[derive(Clone, Copy, Default)]
pub(super) struct Score {
    asked: usize,
    lost: usize,
    found: usize,
    wanted: usize,
}

impl Query {
    pub(super) fn new(searched: &Searched<'_>, vector: Vector) -> Query {
        let code = Code::new(&vector);
        let question = question(&vector, &code);
        let mut exact = Collector::new(searched.slots, question);
        searched.links.nodes().for_each(|slot| exact.look(slot));
        let exact = exact.finish();
        let least = exact.last().map_or(1.0, |(_, cosine)| *cosine);
        Query { vector, wanted: exact.len(), least }
    }
}

impl Score {
    /// Asks the graph once.
    pub(super) fn ask(
        &mut self,
        searched: &Searched<'_>,
        graph: &Graph,
        query: &Query,
        effort: usize,
    ) -> Result<(), GraphPanic> {
        self.asked += 1;
        let code = Code::new(&query.vector);
        let Some(found) = searched.walk(graph, effort, question(&query.vector, &code))? else {
            self.lost += 1;
            return Ok(());
        };
        self.wanted += query.wanted;
        self.found += found.finish().iter().filter(|(_, cosine)| *cosine >= query.least).count();
        Ok(())
    }

    pub(super) fn is_enough(&self) -> bool {
        self.lost * LOST_SHARE_MIN <= self.asked && self.found * 100 >= self.wanted * RECALL_MIN
    }
}

fn question<'a>(vector: &'a Vector, code: &'a Code) -> Question<'a> {
    Question { vector, code, limit: LIMIT, visible: &|_| true }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_is_asked_if_it_finds_enough_and_is_seldom_lost() {
        let enough = Score { asked: 64, lost: 16, found: 485, wanted: 500 };
        assert!(enough.is_enough());
        assert!(!Score { found: 484, ..enough }.is_enough());
        assert!(!Score { lost: 17, ..enough }.is_enough());
    }
}
