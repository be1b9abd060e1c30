//! Facts that match a pattern: at a basis, or overlapping a range of valid time.

use petgraph::Direction;

use crate::types::{EntityId, Interval, Object, PredicateId, Timestamp, TxId};
use crate::view::graph::{Edge, Edges};

use super::answer::Row;
use super::snapshot::{Budget, Pattern, Snapshot};

/// Which part of valid time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// The valid instant of the basis.
    Basis,
    /// Facts that overlap the range, with bounds as stored or cut to it.
    Overlapping { range: Interval, clamp: bool },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactsQuery {
    pub pattern: Pattern,
    pub span: Span,
    pub limit: usize,
    /// Rows up to and including this one were given before.
    pub after: Option<RowKey>,
}

/// The order of rows: subject, predicate, start, object, then the transaction for those that share
/// all of these.
pub type RowKey = (EntityId, PredicateId, Timestamp, Object, TxId);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactsPage {
    pub rows: Vec<Row>,
    /// Where the next page goes on, unless this was the last.
    pub next: Option<RowKey>,
    /// There are rows that were not given.
    pub more: bool,
}

/// One page. With the budget spent a page may be short, even empty, and still have a next one.
#[must_use]
pub fn facts(snapshot: Snapshot<'_>, query: &FactsQuery, budget: &mut Budget) -> FactsPage {
    match query.pattern.anchor() {
        Some((node, direction)) => anchored(snapshot, query, node, direction, budget),
        None => everywhere(snapshot, query, budget),
    }
}

fn anchored(
    snapshot: Snapshot<'_>,
    query: &FactsQuery,
    node: Object,
    direction: Direction,
    budget: &mut Budget,
) -> FactsPage {
    let mut rows = matches(snapshot, query, node, direction, budget);
    rows.retain(|row| query.after.is_none_or(|after| row.key() > after));
    page(rows, query.limit)
}

/// Walks the subjects from where the page before ended.
fn everywhere(snapshot: Snapshot<'_>, query: &FactsQuery, budget: &mut Budget) -> FactsPage {
    let first = query.after.map_or(EntityId::new(0), |after| after.0);
    let mut rows = Vec::new();
    for subject in snapshot.graph.subjects_from(first) {
        let node = Object::Entity(subject);
        let mut found = matches(snapshot, query, node, Direction::Outgoing, budget);
        found.retain(|row| query.after.is_none_or(|after| row.key() > after));
        rows.append(&mut found);
        if rows.len() > query.limit {
            break;
        }
        if budget.is_spent() {
            let last = (subject, PredicateId::MAX, Timestamp::INFINITY, Object::MAX, TxId::OPEN);
            let next = rows.last().map_or(last, |row| row.key().max(last));
            return FactsPage { rows, next: Some(next), more: true };
        }
    }
    page(rows, query.limit)
}

/// The matching rows of one node, in the order of rows.
fn matches(
    snapshot: Snapshot<'_>,
    query: &FactsQuery,
    node: Object,
    direction: Direction,
    budget: &mut Budget,
) -> Vec<Row> {
    let mut edges = walk(snapshot, query, node, direction);
    let mut rows = Vec::new();
    for edge in edges.by_ref() {
        let fits = query.pattern.object.is_none_or(|object| object == edge.triple.object);
        if let Some(valid) = query.span.bounds(edge.valid).filter(|_| fits) {
            rows.push(Row { valid, ..Row::of_edge(&edge, snapshot.basis) });
        }
    }
    budget.spend(edges.examined() + 1);
    rows.sort_by_key(Row::key);
    rows
}

fn walk<'a>(
    snapshot: Snapshot<'a>,
    query: &FactsQuery,
    node: Object,
    direction: Direction,
) -> Edges<'a> {
    let predicates = &query.pattern.predicates;
    match query.span {
        Span::Basis => snapshot.graph_as_of().edges(node, direction, predicates),
        Span::Overlapping { .. } => {
            snapshot.graph.believed_at(snapshot.basis.tx, node, direction, predicates)
        }
    }
}

impl Span {
    /// The bounds to show of a fact, if it is in the span.
    fn bounds(self, valid: Interval) -> Option<Interval> {
        match self {
            Span::Basis => Some(valid),
            Span::Overlapping { range, clamp } => {
                let common = valid.intersection(range)?;
                Some(if clamp { common } else { valid })
            }
        }
    }
}

impl Row {
    /// Its place in the order of rows.
    #[must_use]
    pub fn key(&self) -> RowKey {
        let triple = self.triple;
        (triple.subject, triple.predicate, self.valid.start(), triple.object, self.tx_from)
    }
}

fn page(mut rows: Vec<Row>, limit: usize) -> FactsPage {
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(Row::key);
    FactsPage { rows, next, more }
}

/// The one visible edge of a triple at the basis.
pub(super) fn visible(snapshot: Snapshot<'_>, triple: crate::types::Triple) -> Option<Edge> {
    let node = Object::Entity(triple.subject);
    let edges = snapshot.graph_as_of().edges(node, Direction::Outgoing, &[triple.predicate]);
    edges.into_iter().find(|edge| edge.triple.object == triple.object)
}
