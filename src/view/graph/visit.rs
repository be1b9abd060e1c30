//! petgraph's traits for the graph as of a basis, so that its algorithms run without a copy.
//!
//! They take no budget and no deadline: they are for analytics and for checking our own walks, not
//! for requests. An edge is its own id and its own weight.

use std::ops::Range;

use petgraph::Direction;
use petgraph::visit::{
    Data, EdgeRef, GraphBase, GraphRef, IntoEdgeReferences, IntoEdges, IntoEdgesDirected,
    IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, NodeCompactIndexable, NodeCount,
    NodeIndexable, VisitMap, Visitable,
};

use crate::types::{Object, ValueId};

use super::fold::entity_at;
use super::reader::{AsOf, Edge, Edges};

/// The nodes at the other end of the visible edges, once for each edge.
#[derive(Clone, Debug)]
pub struct Neighbors<'a> {
    edges: Edges<'a>,
    direction: Direction,
}

impl Iterator for Neighbors<'_> {
    type Item = Object;

    fn next(&mut self) -> Option<Object> {
        self.edges.next().map(|edge| edge.other(self.direction))
    }
}

/// All visible edges, subject by subject.
#[derive(Clone, Debug)]
pub struct EdgeReferences<'a> {
    graph: AsOf<'a>,
    subjects: Range<usize>,
    edges: Option<Edges<'a>>,
}

impl Iterator for EdgeReferences<'_> {
    type Item = Edge;

    fn next(&mut self) -> Option<Edge> {
        loop {
            if let Some(edge) = self.edges.as_mut().and_then(Iterator::next) {
                return Some(edge);
            }
            let subject = Object::Entity(entity_at(self.subjects.next()?));
            self.edges = Some(self.graph.edges(subject, Direction::Outgoing, &[]));
        }
    }
}

/// All nodes, entities first.
#[derive(Clone, Debug)]
pub struct Nodes {
    indexes: Range<usize>,
    entities: usize,
}

impl Iterator for Nodes {
    type Item = Object;

    fn next(&mut self) -> Option<Object> {
        self.indexes.next().map(|index| node_at(index, self.entities))
    }
}

/// The nodes a search has been at: one bit for each. It grows as needed, so a search may also start
/// at a node that no rectangle names yet.
#[derive(Clone, Debug, Default)]
pub struct Visited {
    entities: Vec<u64>,
    values: Vec<u64>,
}

impl Visited {
    fn word(&mut self, node: Object) -> (&mut u64, u64) {
        let (words, index) = match node {
            Object::Entity(id) => (&mut self.entities, id.index()),
            Object::Value(id) => (&mut self.values, id.index()),
        };
        if words.len() <= index / 64 {
            words.resize(index / 64 + 1, 0);
        }
        (&mut words[index / 64], 1 << (index % 64))
    }
}

impl VisitMap<Object> for Visited {
    fn visit(&mut self, node: Object) -> bool {
        let (word, bit) = self.word(node);
        let first = *word & bit == 0;
        *word |= bit;
        first
    }

    fn is_visited(&self, node: &Object) -> bool {
        let (words, index) = match node {
            Object::Entity(id) => (&self.entities, id.index()),
            Object::Value(id) => (&self.values, id.index()),
        };
        words.get(index / 64).is_some_and(|word| word & (1 << (index % 64)) != 0)
    }

    fn unvisit(&mut self, node: Object) -> bool {
        let (word, bit) = self.word(node);
        let visited = *word & bit != 0;
        *word &= !bit;
        visited
    }
}

impl GraphBase for AsOf<'_> {
    type EdgeId = Edge;
    type NodeId = Object;
}

impl GraphRef for AsOf<'_> {}

impl Data for AsOf<'_> {
    type NodeWeight = ();
    type EdgeWeight = Edge;
}

impl EdgeRef for Edge {
    type NodeId = Object;
    type EdgeId = Edge;
    type Weight = Edge;

    fn source(&self) -> Object {
        self.other(Direction::Incoming)
    }

    fn target(&self) -> Object {
        self.other(Direction::Outgoing)
    }

    fn weight(&self) -> &Edge {
        self
    }

    fn id(&self) -> Edge {
        *self
    }
}

impl<'a> IntoNeighbors for AsOf<'a> {
    type Neighbors = Neighbors<'a>;

    fn neighbors(self, node: Object) -> Neighbors<'a> {
        self.neighbors_directed(node, Direction::Outgoing)
    }
}

impl<'a> IntoNeighborsDirected for AsOf<'a> {
    type NeighborsDirected = Neighbors<'a>;

    fn neighbors_directed(self, node: Object, direction: Direction) -> Neighbors<'a> {
        Neighbors { edges: AsOf::edges(self, node, direction, &[]), direction }
    }
}

impl<'a> IntoEdgeReferences for AsOf<'a> {
    type EdgeRef = Edge;
    type EdgeReferences = EdgeReferences<'a>;

    fn edge_references(self) -> EdgeReferences<'a> {
        EdgeReferences { graph: self, subjects: 0..self.view().entity_count(), edges: None }
    }
}

impl<'a> IntoEdges for AsOf<'a> {
    type Edges = Edges<'a>;

    fn edges(self, node: Object) -> Edges<'a> {
        AsOf::edges(self, node, Direction::Outgoing, &[])
    }
}

impl<'a> IntoEdgesDirected for AsOf<'a> {
    type EdgesDirected = Edges<'a>;

    fn edges_directed(self, node: Object, direction: Direction) -> Edges<'a> {
        AsOf::edges(self, node, direction, &[])
    }
}

impl IntoNodeIdentifiers for AsOf<'_> {
    type NodeIdentifiers = Nodes;

    fn node_identifiers(self) -> Nodes {
        Nodes { indexes: 0..self.node_count(), entities: self.view().entity_count() }
    }
}

impl Visitable for AsOf<'_> {
    type Map = Visited;

    fn visit_map(&self) -> Visited {
        let view = self.view();
        Visited {
            entities: vec![0; view.entity_count().div_ceil(64)],
            values: vec![0; view.value_count().div_ceil(64)],
        }
    }

    fn reset_map(&self, map: &mut Visited) {
        *map = self.visit_map();
    }
}

impl NodeCount for AsOf<'_> {
    fn node_count(&self) -> usize {
        self.view().entity_count() + self.view().value_count()
    }
}

impl NodeIndexable for AsOf<'_> {
    fn node_bound(&self) -> usize {
        self.node_count()
    }

    fn to_index(&self, node: Object) -> usize {
        index_of(node, self.view().entity_count())
    }

    fn from_index(&self, index: usize) -> Object {
        node_at(index, self.view().entity_count())
    }
}

// Entities come first and values follow, so indexes have no holes.
impl NodeCompactIndexable for AsOf<'_> {}

fn index_of(node: Object, entities: usize) -> usize {
    match node {
        Object::Entity(id) => {
            assert!(id.index() < entities, "only a node of the view has an index");
            id.index()
        }
        Object::Value(id) => entities + id.index(),
    }
}

fn node_at(index: usize, entities: usize) -> Object {
    match index.checked_sub(entities) {
        None => Object::Entity(entity_at(index)),
        Some(value) => {
            Object::Value(ValueId::new(u32::try_from(value).expect("value ids are 32 bits wide")))
        }
    }
}
