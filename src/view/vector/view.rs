//! The view: what is locked, who changes it, and what callers ask of it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::types::{DocumentId, Vector};

use super::code::cosine;
use super::graph::{Graph, GraphPanic, node};
use super::links::{Held, Links};
use super::search::{GRAPH_SLOTS_MIN, Searched, VectorHits};
use super::slots::Slots;
use super::trial::{EFFORTS, Query, Score};

/// Slots the graph takes before it looks up from its work.
const CHUNK_SLOTS: usize = 128;
/// Slots that may wait for the graph before it is worth waking: a scan of them costs microseconds.
const WAITING_MAX: usize = 1_024;
/// Waiting vectors the graph is tried on.
const TRIAL_QUERIES: usize = 64;
/// The graph is tried again when it has grown by one in so many nodes.
const TRIAL_GROWTH: usize = 4;
/// One in so many nodes may be dead before the graph is built anew.
const DEAD_SHARE_MIN: usize = 5;

/// The vectors of one embedding space.
///
/// One thread adds, one builds, any number search, all at once. Locks are taken in the order
/// `building`, `state`, `graph`, and nobody waits for `state` who holds `graph` for writing.
pub struct VectorView {
    pub(super) dimension: usize,
    pub(super) directory: Option<PathBuf>,
    pub(super) graph_slots_min: usize,
    state: RwLock<State>,
    graph: RwLock<Option<Graph>>,
    building: Mutex<Building>,
    /// Candidates to ask the graph for; none while it has not proven itself.
    effort: AtomicUsize,
    broken: AtomicBool,
}

/// What a build remembers for the next.
#[derive(Default)]
pub(super) struct Building {
    /// Nodes the graph had when it was last tried.
    pub(super) nodes_tried: usize,
}

pub(super) struct State {
    pub(super) slots: Slots,
    pub(super) links: Links,
}

/// A slot whose turn with the graph it is, as a node unless it has been emptied.
pub(super) struct Taken {
    pub(super) slot: u32,
    pub(super) node: Option<Vec<i8>>,
}

/// How a build ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Built {
    /// The graph holds every vector there is.
    Complete,
    Stopped,
    /// `hnsw_rs` has panicked. The graph is gone for as long as this view lives, which scans instead.
    Failed,
}

/// What a view holds against what it should, in documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VectorDifferences {
    pub missing: usize,
    pub different: usize,
    pub unexpected: usize,
}

impl VectorView {
    /// An empty view. Without a directory nothing of it is kept on disk.
    #[must_use]
    pub fn new(dimension: usize, directory: Option<PathBuf>) -> VectorView {
        VectorView::tuned(dimension, directory, GRAPH_SLOTS_MIN)
    }

    /// The same, asking the graph from fewer visible vectors on.
    pub(super) fn tuned(
        dimension: usize,
        directory: Option<PathBuf>,
        graph_slots_min: usize,
    ) -> VectorView {
        VectorView {
            dimension,
            directory,
            graph_slots_min,
            state: RwLock::new(State { slots: Slots::new(dimension), links: Links::default() }),
            graph: RwLock::new(None),
            building: Mutex::default(),
            effort: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
        }
    }

    /// Numbers of every vector here.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Gives a document its vector, in place of the one it had.
    ///
    /// # Panics
    /// When the vector has another dimension: the door above has checked it.
    pub fn add(&self, document: DocumentId, vector: &Vector) {
        self.add_all([(document, vector)]);
    }

    /// The same for many, which wait only once for the searches that run.
    ///
    /// # Panics
    /// When a vector has another dimension.
    pub fn add_all<'a>(&self, vectors: impl IntoIterator<Item = (DocumentId, &'a Vector)>) {
        let mut state = self.write();
        let State { slots, links } = &mut *state;
        for (document, vector) in vectors {
            assert_eq!(vector.dimension(), self.dimension, "the dimension is checked at the door");
            let moved = slots.put(document, vector);
            // A slot that is emptied may be the one that is filled: in this order.
            if let Some(slot) = moved.emptied {
                links.left(slot);
            }
            if let Some(slot) = moved.filled {
                links.arrived(slot);
            }
        }
    }

    /// Takes a document out. Its vector is found no more from here on; a copy may stay in the graph
    /// and in its dump until the next build of either.
    pub fn remove(&self, document: DocumentId) {
        let mut state = self.write();
        if let Some(slot) = state.slots.take(document) {
            state.links.left(slot);
        }
    }

    /// Documents with a vector.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read().slots.document_count()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Vectors that the graph holds.
    #[must_use]
    pub fn linked(&self) -> usize {
        let state = self.read();
        state.links.node_count() - state.links.dead_count()
    }

    /// The documents nearest to a vector among those that are visible. `visible` is asked while
    /// nothing can be added, so it must not wait for whoever adds.
    ///
    /// # Panics
    /// When the vector has another dimension.
    pub fn search(
        &self,
        query: &Vector,
        limit: usize,
        visible: &(dyn Fn(DocumentId) -> bool + Sync),
    ) -> VectorHits {
        assert_eq!(query.dimension(), self.dimension, "the dimension is checked at the door");
        let state = self.read();
        let graph = self.graph.read().unwrap_or_else(PoisonError::into_inner);
        let graph = graph.as_ref().zip(self.effort()).filter(|_| !self.is_broken());
        let (hits, graph_state) = self.searched(&state, graph).search(query, limit, visible);
        if graph_state == Err(GraphPanic) {
            self.broken.store(true, Ordering::Relaxed);
        }
        hits
    }

    /// The cosine of a query and the vector of a document, if it has one.
    ///
    /// # Panics
    /// When the vector has another dimension.
    #[must_use]
    pub fn similarity(&self, query: &Vector, document: DocumentId) -> Option<f32> {
        assert_eq!(query.dimension(), self.dimension, "the dimension is checked at the door");
        let state = self.read();
        let slot = state.slots.slot_of(document)?;
        Some(state.slots.cosine(slot, query.numbers()))
    }

    /// The cosine of the vectors of two documents, if both have one.
    #[must_use]
    pub fn similarity_between(&self, a: DocumentId, b: DocumentId) -> Option<f32> {
        let state = self.read();
        let (a, b) = (state.slots.slot_of(a)?, state.slots.slot_of(b)?);
        Some(cosine(state.slots.numbers(a), state.slots.numbers(b)))
    }

    /// Whether [`VectorView::build`] would make searches faster.
    #[must_use]
    pub fn wants_build(&self) -> bool {
        if self.is_broken() {
            return self.graph.read().unwrap_or_else(PoisonError::into_inner).is_some();
        }
        let state = self.read();
        let worth_it = state.slots.slots_held() >= self.graph_slots_min;
        worth_it && (state.links.waiting().len() >= WAITING_MAX || state.is_worn())
    }

    /// Brings the graph up to the vectors there are. It takes minutes for a hundred thousand and runs
    /// on one thread, beside searches and additions, until done or told to stop.
    pub fn build(&self, stop: &AtomicBool) -> Built {
        let mut building = self.building();
        if self.is_broken() {
            self.drop_graph();
            return Built::Failed;
        }
        // Down first and then up again: two graphs at once would take twice the memory.
        if self.read().is_worn() {
            self.drop_graph();
            *building = Building::default();
        }
        while !stop.load(Ordering::Relaxed) {
            match self.try_graph(&mut building, stop).and_then(|()| self.absorb(stop)) {
                Ok(0) => return Built::Complete,
                Ok(_) => {}
                Err(GraphPanic) => {
                    self.broken.store(true, Ordering::Relaxed);
                    self.drop_graph();
                    return Built::Failed;
                }
            }
        }
        Built::Stopped
    }

    /// How a view that was built by other means differs from this one.
    ///
    /// # Panics
    /// Never: every document named is looked up by its id.
    #[must_use]
    pub fn compare(
        &self,
        expected: impl IntoIterator<Item = (DocumentId, Vector)>,
    ) -> VectorDifferences {
        let mut differences = VectorDifferences::default();
        let mut found = 0;
        for (document, vector) in expected {
            let state = self.read();
            match state.slots.slot_of(document) {
                None => differences.missing += 1,
                Some(slot) => {
                    found += 1;
                    let same = state.slots.numbers(slot) == vector.numbers();
                    differences.different += usize::from(!same);
                }
            }
        }
        differences.unexpected = self.len().saturating_sub(found);
        differences
    }

    /// Bytes the view holds on the heap, without what the allocator adds. For the graph it is a
    /// measured estimate.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let state = self.read();
        let graph = self.graph.read().unwrap_or_else(PoisonError::into_inner);
        let graph = graph.as_ref().map_or(0, Graph::heap_bytes);
        state.slots.heap_bytes() + state.links.heap_bytes() + graph
    }

    fn searched<'a>(&self, state: &'a State, graph: Option<(&'a Graph, usize)>) -> Searched<'a> {
        let State { slots, links } = state;
        Searched { slots, links, graph, graph_slots_min: self.graph_slots_min }
    }

    /// Tries the graph on vectors that wait, if it has grown enough since the last time.
    fn try_graph(&self, building: &mut Building, stop: &AtomicBool) -> Result<(), GraphPanic> {
        let nodes = self.read().links.node_count();
        let grown = nodes > building.nodes_tried + building.nodes_tried / TRIAL_GROWTH;
        if nodes < self.graph_slots_min || !grown {
            return Ok(());
        }
        let queries = self.queries(stop);
        for effort in EFFORTS {
            let mut score = Score::default();
            for query in &queries {
                if stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let state = self.read();
                let graph = self.graph();
                let graph = graph.as_ref().expect("nodes are there as long as the graph is");
                score.ask(&self.searched(&state, None), graph, query, effort)?;
            }
            self.set_effort(score.is_enough().then_some(effort));
            if score.is_enough() {
                break;
            }
        }
        building.nodes_tried = nodes;
        Ok(())
    }

    /// Vectors that wait, from all over the queue.
    fn queries(&self, stop: &AtomicBool) -> Vec<Query> {
        let vectors: Vec<Vector> = {
            let State { slots, links } = &*self.read();
            let apart = links.waiting().len().div_ceil(TRIAL_QUERIES).max(1);
            let held = links.waiting().step_by(apart).filter(|slot| slots.holds(*slot));
            held.filter_map(|slot| Vector::new(slots.numbers(slot)).ok()).collect()
        };
        let going_on = vectors.into_iter().take_while(|_| !stop.load(Ordering::Relaxed));
        going_on.map(|vector| Query::new(&self.searched(&self.read(), None), vector)).collect()
    }

    /// Moves some of the waiting slots into the graph; how many.
    fn absorb(&self, stop: &AtomicBool) -> Result<usize, GraphPanic> {
        let (taken, first, expected) = self.next_chunk();
        let mut done = 0;
        {
            let graph = self.graph_or_new(expected);
            let graph = graph.as_ref().expect("the graph was made, and only a build takes it away");
            let mut number = first;
            for Taken { node, .. } in &taken {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                if let Some(node) = node {
                    graph.insert(node, number)?;
                    number += 1;
                }
                done += 1;
            }
        }
        self.settle(&taken[..done]);
        Ok(done)
    }

    /// The slots whose turn it is, the number of the first node, how many nodes to expect in all.
    pub(super) fn next_chunk(&self) -> (Vec<Taken>, usize, usize) {
        let state = self.read();
        let State { slots, links } = &*state;
        let taken = links.waiting().take(CHUNK_SLOTS).map(|slot| {
            let node = || node(slots.code(slot), slots.gauge(slot));
            Taken { slot, node: slots.holds(slot).then(node) }
        });
        (taken.collect(), links.node_count(), slots.slots_held())
    }

    /// Enters what the graph has taken. Meanwhile a slot may have been emptied and even refilled.
    pub(super) fn settle(&self, taken: &[Taken]) {
        let mut state = self.write();
        let State { slots, links } = &mut *state;
        for Taken { slot, node } in taken {
            let Some(node) = node else {
                links.pass(slots.holds(*slot));
                continue;
            };
            links.absorb(match slots.holds(*slot) {
                false => Held::Nothing,
                true if node.starts_with(slots.code(*slot)) => Held::Same,
                true => Held::Other,
            });
        }
    }

    pub(super) fn graph_or_new(&self, expected: usize) -> RwLockReadGuard<'_, Option<Graph>> {
        let graph = self.graph();
        if graph.is_some() {
            return graph;
        }
        drop(graph);
        self.set_graph(Graph::new(self.dimension, expected));
        self.graph()
    }

    fn drop_graph(&self) {
        let mut state = self.write();
        let graph = self.graph.write().unwrap_or_else(PoisonError::into_inner).take();
        let State { slots, links } = &mut *state;
        links.reset(|slot| slots.holds(slot));
        self.set_effort(None);
        // It takes a second to take down a large graph: nobody shall wait for that.
        drop(state);
        drop(graph);
    }

    pub(super) fn set_graph(&self, graph: Graph) {
        *self.graph.write().unwrap_or_else(PoisonError::into_inner) = Some(graph);
    }

    pub(super) fn graph(&self) -> RwLockReadGuard<'_, Option<Graph>> {
        self.graph.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn effort(&self) -> Option<usize> {
        Some(self.effort.load(Ordering::Relaxed)).filter(|effort| *effort > 0)
    }

    pub(super) fn set_effort(&self, effort: Option<usize>) {
        self.effort.store(effort.unwrap_or(0), Ordering::Relaxed);
    }

    pub(super) fn building(&self) -> MutexGuard<'_, Building> {
        self.building.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().expect("nobody panics while changing the slots")
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().expect("nobody panics while changing the slots")
    }
}

impl State {
    /// Whether too many nodes of the graph lead nowhere.
    pub(super) fn is_worn(&self) -> bool {
        self.links.dead_count() * DEAD_SHARE_MIN > self.links.node_count()
    }
}
