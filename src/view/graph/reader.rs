//! Reading the graph: the edges of a node at a point in both times, newest start first.
//!
//! A node with a short run is read at once and sorted. A hub is read lazily: one cursor for each
//! predicate and a heap that merges them, so that the first fifty edges cost about fifty. Closed
//! rectangles that a past transaction still sees are gathered, sorted and merged in.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use petgraph::Direction;

use crate::types::{
    Basis, CloseReason, Interval, Object, PredicateId, Rectangle, Timestamp, Triple, TxId, TxSpan,
};

use super::fold::GraphView;
use super::record::Record;
use super::run::{Blocks, Cursor, Run};

/// The graph at one point in both times. petgraph's algorithms run on it as it is.
#[derive(Clone, Copy, Debug)]
pub struct AsOf<'a> {
    view: &'a GraphView,
    basis: Basis,
}

impl<'a> AsOf<'a> {
    pub(super) fn new(view: &'a GraphView, basis: Basis) -> AsOf<'a> {
        AsOf { view, basis }
    }

    #[must_use]
    pub fn view(self) -> &'a GraphView {
        self.view
    }

    #[must_use]
    pub fn basis(self) -> Basis {
        self.basis
    }

    /// The visible edges of a node, newest start first, then by predicate and other end. No
    /// predicates means all.
    #[must_use]
    pub fn edges(
        self,
        node: Object,
        direction: Direction,
        predicates: &[PredicateId],
    ) -> Edges<'a> {
        Edges::new(self.view, Scope::AsOf(self.basis), node, direction, predicates)
    }
}

/// One rectangle, seen as an edge from its subject to its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    pub triple: Triple,
    pub valid: Interval,
    /// Its end and the reason for it tell of today, also when the edge was read as of a past
    /// transaction.
    pub believed: TxSpan,
    pub closed: Option<CloseReason>,
}

impl Edge {
    /// The node that the edge leads to when it is read in this direction.
    #[must_use]
    pub const fn other(&self, direction: Direction) -> Object {
        match direction {
            Direction::Outgoing => self.triple.object,
            Direction::Incoming => Object::Entity(self.triple.subject),
        }
    }

    #[must_use]
    pub const fn rectangle(self) -> Rectangle {
        let Edge { triple, valid, believed, closed } = self;
        Rectangle { triple, valid, believed, closed }
    }
}

/// What a walk lets through.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scope {
    AsOf(Basis),
    /// Believed at a transaction, whatever its valid time.
    Believed(TxId),
    Ever,
}

impl Scope {
    fn sees(self, record: &Record) -> bool {
        match self {
            Scope::AsOf(basis) => basis.sees(record.valid, record.believed),
            Scope::Believed(tx) => record.believed.contains(tx),
            Scope::Ever => true,
        }
    }

    /// What was closed at or before this transaction is out of sight.
    fn closed_by(self) -> TxId {
        match self {
            Scope::AsOf(basis) => basis.tx,
            Scope::Believed(tx) => tx,
            Scope::Ever => TxId::ZERO,
        }
    }

    /// A record must start at or before the first and end after the second.
    fn cut_offs(self) -> (Timestamp, Timestamp) {
        match self {
            Scope::AsOf(basis) => (basis.valid, basis.valid),
            Scope::Believed(_) | Scope::Ever => (Timestamp::INFINITY, Timestamp::NEG_INFINITY),
        }
    }
}

/// The edges of one node in one direction, newest start first.
#[derive(Clone, Debug)]
pub struct Edges<'a> {
    scope: Scope,
    node: Object,
    direction: Direction,
    /// Last one first: it is taken from the end.
    gathered: Vec<Record>,
    heads: BinaryHeap<Head<'a>>,
    examined: u64,
}

impl<'a> Edges<'a> {
    pub(super) fn new(
        view: &'a GraphView,
        scope: Scope,
        node: Object,
        direction: Direction,
        predicates: &[PredicateId],
    ) -> Edges<'a> {
        let (gathered, heads) = (Vec::new(), BinaryHeap::new());
        let mut edges = Edges { scope, node, direction, gathered, heads, examined: 0 };
        let Some(side) = view.side(node, direction) else { return edges };
        match &side.live {
            Run::Short(records) => edges.gather(records.iter(), predicates),
            Run::Long(blocks) => edges.merge(blocks, predicates),
        }
        let closed_by = scope.closed_by();
        let closed = side.closed.iter().rev().take_while(|past| past.believed.to > closed_by);
        edges.gather(closed, predicates);
        edges.gathered.sort_unstable_by_key(|record| Reverse(record.reading_key()));
        edges
    }

    /// Edges looked at so far, seen or not; a block that was skipped whole counts as one.
    #[must_use]
    pub fn examined(&self) -> u64 {
        self.examined
    }

    fn gather(&mut self, records: impl Iterator<Item = &'a Record>, predicates: &[PredicateId]) {
        for record in records {
            self.examined += 1;
            let wanted = predicates.is_empty() || predicates.contains(&record.predicate);
            if wanted && self.scope.sees(record) {
                self.gathered.push(*record);
            }
        }
    }

    fn merge(&mut self, blocks: &'a Blocks, predicates: &[PredicateId]) {
        let mut wanted = predicates.to_vec();
        wanted.sort_unstable();
        wanted.dedup();
        if wanted.is_empty() {
            wanted = blocks.predicates();
        }
        let (start_max, ended_by) = self.scope.cut_offs();
        for predicate in wanted {
            let mut cursor = blocks.cursor(predicate, start_max, ended_by);
            let scope = self.scope;
            let first = cursor.find(|record| scope.sees(record));
            self.examined += cursor.take_examined();
            if let Some(record) = first {
                self.heads.push(Head { record, cursor });
            }
        }
    }

    /// Takes the record on top and moves its cursor to the next visible one.
    fn pop_head(&mut self) -> Option<Record> {
        let mut head = self.heads.peek_mut()?;
        let record = *head.record;
        let scope = self.scope;
        let next = head.cursor.find(|record| scope.sees(record));
        self.examined += head.cursor.take_examined();
        match next {
            Some(next) => head.record = next,
            None => {
                PeekMut::pop(head);
            }
        }
        Some(record)
    }
}

impl Iterator for Edges<'_> {
    type Item = Edge;

    fn next(&mut self) -> Option<Edge> {
        let gathered_first = match (self.gathered.last(), self.heads.peek()) {
            (Some(gathered), Some(head)) => gathered.reading_key() < head.record.reading_key(),
            (gathered, _) => gathered.is_some(),
        };
        let record = if gathered_first { self.gathered.pop() } else { self.pop_head() };
        record.map(|record| edge_of(record, self.node, self.direction))
    }
}

/// The next visible record of one predicate of a hub. The greatest head is the one to be read next.
#[derive(Clone, Debug)]
struct Head<'a> {
    record: &'a Record,
    cursor: Cursor<'a>,
}

impl Ord for Head<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.record.reading_key().cmp(&self.record.reading_key())
    }
}

impl PartialOrd for Head<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Head<'_> {}

fn edge_of(record: Record, node: Object, direction: Direction) -> Edge {
    let Record { valid, believed, other, predicate, closed } = record;
    let (subject, object) = match direction {
        Direction::Outgoing => (node, other),
        Direction::Incoming => (other, node),
    };
    let subject = subject.entity().expect("only entities are subjects");
    Edge { triple: Triple { subject, predicate, object }, valid, believed, closed }
}
