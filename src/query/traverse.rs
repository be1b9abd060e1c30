//! Facts within reach of an entity, hop by hop, through edges that are true at the basis.

use std::collections::HashSet;

use petgraph::Direction;

use crate::types::{Object, PredicateId, Triple};

use super::answer::Row;
use super::snapshot::{Budget, Snapshot};

/// Which way to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    Out,
    In,
    Both,
}

impl Heading {
    pub(super) const fn directions(self) -> &'static [Direction] {
        match self {
            Heading::Out => &[Direction::Outgoing],
            Heading::In => &[Direction::Incoming],
            Heading::Both => &[Direction::Outgoing, Direction::Incoming],
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraverseQuery {
    pub start: Object,
    pub hops: u32,
    pub heading: Heading,
    pub predicates: Vec<PredicateId>,
    pub limit: usize,
    /// Edges followed from one node in one direction, newest first.
    pub fan_out: usize,
}

/// A fact, and how it was walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub row: Row,
    pub hop: u32,
    /// From object to subject.
    pub reversed: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traversal {
    pub steps: Vec<Step>,
    /// More facts are within reach than were returned.
    pub truncated: bool,
}

/// Breadth first. Each fact comes once, at its first hop; from each node newest start first, so the
/// same query at the same basis gives the same list.
#[must_use]
pub fn traverse(snapshot: Snapshot<'_>, query: &TraverseQuery, budget: &mut Budget) -> Traversal {
    let graph = snapshot.graph_as_of();
    let mut found = Traversal::default();
    let mut nodes: HashSet<Object> = HashSet::from([query.start]);
    let mut facts: HashSet<Triple> = HashSet::new();
    let mut frontier = vec![query.start];
    for hop in 1..=query.hops {
        let mut next = Vec::new();
        for node in frontier {
            for direction in query.heading.directions() {
                let mut edges = graph.edges(node, *direction, &query.predicates);
                for (followed, edge) in edges.by_ref().enumerate() {
                    if followed == query.fan_out {
                        found.truncated = true;
                        break;
                    }
                    if !facts.insert(edge.triple) {
                        continue;
                    }
                    if found.steps.len() == query.limit {
                        found.truncated = true;
                        return found;
                    }
                    let row = Row::of_edge(&edge, snapshot.basis);
                    let reversed = *direction == Direction::Incoming;
                    found.steps.push(Step { row, hop, reversed });
                    let other = edge.other(*direction);
                    if nodes.insert(other) {
                        next.push(other);
                    }
                }
                if !budget.spend(edges.examined()) {
                    found.truncated = true;
                    return found;
                }
            }
        }
        frontier = next;
    }
    found
}
