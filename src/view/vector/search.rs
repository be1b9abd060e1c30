//! The plan of a search: the graph where it is sure to be cheaper, else the scan.

use crate::types::{DocumentId, Vector};

use super::code::Code;
use super::graph::{self, Graph, GraphPanic};
use super::links::Links;
use super::scan::{Collector, Question, Visible, scan};
use super::slots::Slots;

/// Slots a search tests to learn which share of all is visible.
const SAMPLE_SLOTS: u64 = 256;
/// Candidates of the graph with which it is as fast as the scan of [`GRAPH_SLOTS_MIN`].
const EFFORT: usize = 64;
/// Visible slots the scan looks at in the time the graph takes for one candidate.
const SLOTS_PER_CANDIDATE: usize = 280;
/// Runs of neighbouring slots, and slots of each, in which nothing nearer may be found than the
/// graph has found.
const PROBE_RUNS: usize = 32;
const PROBE_RUN_SLOTS: usize = 64;
/// Slots whose visibility is tested in the time one visible slot is looked at.
const TESTS_PER_SLOT: usize = 6;

/// Visible slots below which the scan is always as fast as the graph.
pub(super) const GRAPH_SLOTS_MIN: usize = EFFORT * SLOTS_PER_CANDIDATE;

/// How the slots were found that were then compared in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchPath {
    /// Every visible slot was looked at: the answer is exact.
    Scan,
    /// The graph was asked, and what it does not hold yet was scanned.
    Graph,
}

#[derive(Clone, Debug, PartialEq)]
pub struct VectorHits {
    /// Documents with their cosines, best first, ties by id.
    pub hits: Vec<(DocumentId, f32)>,
    pub path: SearchPath,
    /// Distinct vectors that were compared with the query.
    pub examined: usize,
}

/// What a search reads, all of one moment.
pub(super) struct Searched<'a> {
    pub(super) slots: &'a Slots,
    pub(super) links: &'a Links,
    /// With how many candidates it finds enough, where everything is visible.
    pub(super) graph: Option<(&'a Graph, usize)>,
    /// Visible slots from which on the graph is asked.
    pub(super) graph_slots_min: usize,
}

impl Searched<'_> {
    /// The hits, and whether the graph has panicked on the way.
    pub(super) fn search(
        &self,
        vector: &Vector,
        limit: usize,
        visible: &Visible<'_>,
    ) -> (VectorHits, Result<(), GraphPanic>) {
        let code = Code::new(vector);
        let question = Question { vector, code: &code, limit, visible };
        let mut state = Ok(());
        if let Some((graph, effort)) = self.graph
            && let Some(count) = self.candidates(effort, question)
        {
            match self.ask(graph, count, question) {
                Ok(Some(hits)) => return (hits, Ok(())),
                Ok(None) => {}
                Err(panic) => state = Err(panic),
            }
        }
        let collector = scan(self.slots, question);
        let examined = collector.examined();
        let hits = collector.finish();
        (VectorHits { hits, path: SearchPath::Scan, examined }, state)
    }

    /// How many candidates to ask the graph for, if that is cheaper than a scan of what it holds.
    fn candidates(&self, effort: usize, question: Question<'_>) -> Option<usize> {
        let held = self.links.node_count() - self.links.dead_count();
        if held < self.graph_slots_min || question.limit == 0 {
            return None;
        }
        let (visible, of) = self.sample(question.visible);
        let seen = held * visible / of.max(1);
        if seen < self.graph_slots_min {
            return None;
        }
        // Twice what the share calls for: the sample may flatter, and the graph finds its last
        // candidates least surely. Dead nodes are as good as invisible.
        let nodes = self.links.node_count();
        let called_for = 2 * question.limit * of / visible.max(1) * nodes / held;
        // A graph that finds enough with few candidates still has to bring what the share calls for.
        let count = (called_for * effort.max(EFFORT) / EFFORT).max(effort);
        let scan_cost = seen + held / TESTS_PER_SLOT;
        (count * self.graph_slots_min / EFFORT <= scan_cost).then_some(count)
    }

    /// How many of some slots are visible, of how many that hold a vector. The slots are spread over
    /// all and the same every time.
    fn sample(&self, visible: &Visible<'_>) -> (usize, usize) {
        let count = self.slots.slot_count() as u64;
        // The golden section of 32 bits: a step that shares no pattern with how documents came.
        let spread = (0..SAMPLE_SLOTS).map(|sample| (sample * 2_654_435_769) % (1 << 32));
        let slots = spread.filter_map(|place| u32::try_from((place * count) >> 32).ok());
        slots.filter(|slot| self.slots.holds(*slot)).fold((0, 0), |(seen, of), slot| {
            (seen + usize::from(self.slots.is_visible(slot, visible)), of + 1)
        })
    }

    /// The graph's answer, unless too little of it is visible or it has lost its way.
    fn ask(
        &self,
        graph: &Graph,
        count: usize,
        question: Question<'_>,
    ) -> Result<Option<VectorHits>, GraphPanic> {
        let Some(mut collector) = self.walk(graph, count, question)? else { return Ok(None) };
        for slot in self.links.waiting() {
            collector.look(slot);
        }
        let examined = collector.examined();
        let hits = collector.finish();
        Ok(Some(VectorHits { hits, path: SearchPath::Graph, examined }))
    }

    /// The nodes the graph finds, if enough are visible and none of a sample that it has not found
    /// is nearer. The links of `hnsw_rs` can end in a crowd of like vectors that has no way out, and
    /// then all it finds is far off.
    pub(super) fn walk<'a>(
        &'a self,
        graph: &Graph,
        count: usize,
        question: Question<'a>,
    ) -> Result<Option<Collector<'a>>, GraphPanic> {
        let node = graph::node(&question.code.numbers, question.code.gauge);
        let found = graph.search(&node, count)?;
        let found: Vec<u32> = found.into_iter().filter_map(|node| self.links.slot(node)).collect();
        let mut collector = Collector::new(self.slots, question);
        for slot in &found {
            collector.look(*slot);
        }
        let enough = collector.examined() >= question.limit;
        let missed =
            |slot| collector.would_gain(slot) && self.links.is_node(slot) && !found.contains(&slot);
        let lost = enough && self.spread(PROBE_RUNS, PROBE_RUN_SLOTS).any(missed);
        Ok((enough && !lost).then_some(collector))
    }

    /// Runs of slots, spread evenly over all.
    fn spread(&self, runs: usize, length: usize) -> impl Iterator<Item = u32> + '_ {
        let count = self.slots.slot_count();
        let starts = (0..runs).map(move |run| run * count / runs);
        let places = starts.flat_map(move |start| start..count.min(start + length));
        places.filter_map(|place| u32::try_from(place).ok())
    }
}
