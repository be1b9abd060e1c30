//! Ways from one entity to others: through edges true at the basis, through edges that are all true
//! at one common instant, or through edges true at any time.

use std::collections::HashMap;

use petgraph::Direction;

use crate::types::{Interval, Object, PredicateId};
use crate::view::graph::{Edge, Edges};

use super::answer::Row;
use super::snapshot::{Budget, Snapshot};
use super::traverse::{Heading, Step};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathMode {
    AtBasis,
    /// All edges hold at one instant of the window.
    CommonInstant {
        within: Interval,
    },
    /// Each edge holds at some time.
    AnyTime,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathsQuery {
    pub start: Object,
    /// Missing: wherever the edges lead.
    pub target: Option<Object>,
    pub hops: u32,
    pub heading: Heading,
    pub predicates: Vec<PredicateId>,
    pub mode: PathMode,
    pub limit: usize,
    /// Only paths of the fewest hops.
    pub shortest: bool,
}

/// One path. No node comes twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    pub steps: Vec<Step>,
    /// The instants, within the window, at which all its edges hold.
    pub common: Option<Interval>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paths {
    pub paths: Vec<Way>,
    /// There are more paths than were returned, or the budget was spent.
    pub truncated: bool,
}

/// Shortest first, then in the order of discovery, which is newest start first at each node.
///
/// Deepens hop by hop, so that the limit cuts the longest; with a target, nodes that cannot reach
/// it in the hops that are left are not entered, as far as a short search back from it can tell.
#[must_use]
pub fn paths(snapshot: Snapshot<'_>, query: &PathsQuery, budget: &mut Budget) -> Paths {
    let mut search = Search {
        snapshot,
        query,
        nearness: HashMap::new(),
        known_back: 0,
        trail: Vec::new(),
        visited: vec![query.start],
        found: Paths::default(),
    };
    if !search.look_back(budget) {
        search.found.truncated = true;
        return search.found;
    }
    for length in 1..=query.hops {
        let window = match query.mode {
            PathMode::CommonInstant { within } => within,
            PathMode::AtBasis | PathMode::AnyTime => Interval::ALL,
        };
        let goes_on = search.walk(query.start, length, Some(window), budget);
        if !goes_on || (query.shortest && !search.found.paths.is_empty()) {
            break;
        }
    }
    search.found
}

struct Search<'a, 'q> {
    snapshot: Snapshot<'a>,
    query: &'q PathsQuery,
    /// Fewest hops from a node to the target, for nodes within `known_back` of it.
    nearness: HashMap<Object, u32>,
    known_back: u32,
    trail: Vec<Step>,
    visited: Vec<Object>,
    found: Paths,
}

impl<'a> Search<'a, '_> {
    fn edges(&self, node: Object, direction: Direction) -> Edges<'a> {
        let predicates = &self.query.predicates;
        match self.query.mode {
            PathMode::AtBasis => self.snapshot.graph_as_of().edges(node, direction, predicates),
            PathMode::CommonInstant { .. } | PathMode::AnyTime => {
                let tx = self.snapshot.basis.tx;
                self.snapshot.graph.believed_at(tx, node, direction, predicates)
            }
        }
    }

    /// Measures how near nodes are to the target, over half of the hops. False: budget spent.
    fn look_back(&mut self, budget: &mut Budget) -> bool {
        let Some(target) = self.query.target else { return true };
        self.nearness.insert(target, 0);
        let mut frontier = vec![target];
        for hop in 1..=self.query.hops / 2 {
            let mut next = Vec::new();
            for node in frontier {
                for direction in self.query.heading.directions() {
                    let mut edges = self.edges(node, direction.opposite());
                    for edge in edges.by_ref() {
                        let other = edge.other(direction.opposite());
                        self.nearness.entry(other).or_insert_with(|| {
                            next.push(other);
                            hop
                        });
                    }
                    if !budget.spend(edges.examined()) {
                        return false;
                    }
                }
            }
            self.known_back = hop;
            frontier = next;
        }
        true
    }

    /// Whether the target may be reached from a node in exactly so many hops at the most.
    fn may_reach(&self, node: Object, left: u32) -> bool {
        match self.nearness.get(&node) {
            Some(near) => *near <= left,
            None => self.query.target.is_none() || left > self.known_back,
        }
    }

    /// Finds the paths that need exactly `left` more hops. False: stop the whole search.
    fn walk(
        &mut self,
        node: Object,
        left: u32,
        common: Option<Interval>,
        budget: &mut Budget,
    ) -> bool {
        for direction in self.query.heading.directions() {
            let mut edges = self.edges(node, *direction);
            for edge in edges.by_ref() {
                let common = common.and_then(|common| common.intersection(edge.valid));
                if common.is_none() && self.query.mode != PathMode::AnyTime {
                    continue;
                }
                if !self.step(&edge, *direction, left, common, budget) {
                    return false;
                }
            }
            if !budget.spend(edges.examined()) {
                self.found.truncated = true;
                return false;
            }
        }
        true
    }

    fn step(
        &mut self,
        edge: &Edge,
        direction: Direction,
        left: u32,
        common: Option<Interval>,
        budget: &mut Budget,
    ) -> bool {
        let other = edge.other(direction);
        let arrived = left == 1 && self.query.target.is_none_or(|target| target == other);
        let passes =
            left > 1 && self.query.target != Some(other) && self.may_reach(other, left - 1);
        if self.visited.contains(&other) || !(arrived || passes) {
            return true;
        }
        let hop = u32::try_from(self.trail.len() + 1).expect("hops are bounded");
        let row = Row::of_edge(edge, self.snapshot.basis);
        self.trail.push(Step { row, hop, reversed: direction == Direction::Incoming });
        self.visited.push(other);
        let goes_on =
            if arrived { self.arrive(common) } else { self.walk(other, left - 1, common, budget) };
        self.visited.pop();
        self.trail.pop();
        goes_on
    }

    fn arrive(&mut self, common: Option<Interval>) -> bool {
        if self.found.paths.len() == self.query.limit {
            self.found.truncated = true;
            return false;
        }
        self.found.paths.push(Way { steps: self.trail.clone(), common });
        true
    }
}
