//! What differs between two bases: a difference in valid time, in transaction time, or both.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::Direction;

use crate::types::{Basis, Cardinality, EntityId, Object, PredicateId, Triple};
use crate::view::graph::GraphView;

use super::answer::Row;
use super::snapshot::{Budget, Pattern, Snapshot};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffQuery {
    pub from: Side,
    pub to: Side,
    /// Do not pair a removed and an added object of a single-valued slot as one change.
    pub plain: bool,
    pub limit: usize,
    /// Subjects up to and including this one were compared before.
    pub after: Option<EntityId>,
}

/// One basis, and the pattern as its names are read there: merges lie between bases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    pub basis: Basis,
    /// Missing: it names what is not known there.
    pub pattern: Option<Pattern>,
}

/// A single-valued slot that holds another object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changed {
    pub before: Row,
    pub after: Row,
}

/// Rows by subject and predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    pub removed: Vec<Row>,
    pub added: Vec<Row>,
    pub changed: Vec<Changed>,
    /// The last subject compared, if there may be more.
    pub next: Option<EntityId>,
}

impl Diff {
    fn len(&self) -> usize {
        self.removed.len() + self.added.len() + self.changed.len()
    }
}

/// Compares subject by subject; a subject is never cut in two, so a page may run over its limit.
#[must_use]
pub fn diff(snapshot: Snapshot<'_>, query: &DiffQuery, budget: &mut Budget) -> Diff {
    let mut diff = Diff::default();
    if let Some(subjects) = query.subjects() {
        if query.after.is_none() {
            for subject in subjects {
                compare(snapshot, query, subject, &mut diff, budget);
            }
        }
        return diff;
    }
    let first = query.after.map_or(EntityId::new(0), EntityId::next);
    for subject in snapshot.graph.subjects_from(first) {
        compare(snapshot, query, subject, &mut diff, budget);
        if diff.len() >= query.limit || budget.is_spent() {
            diff.next = Some(subject);
            break;
        }
    }
    diff
}

fn compare(
    snapshot: Snapshot<'_>,
    query: &DiffQuery,
    subject: EntityId,
    diff: &mut Diff,
    budget: &mut Budget,
) {
    let before = query.from.held(snapshot.graph, subject, budget);
    let mut after = query.to.held(snapshot.graph, subject, budget);
    let mut removed: BTreeMap<PredicateId, Vec<Row>> = BTreeMap::new();
    for (triple, row) in before {
        if after.remove(&triple).is_none() {
            removed.entry(triple.predicate).or_default().push(row);
        }
    }
    let mut added: BTreeMap<PredicateId, Vec<Row>> = BTreeMap::new();
    for (triple, row) in after {
        added.entry(triple.predicate).or_default().push(row);
    }
    for (predicate, before) in removed {
        let after = added.get(&predicate).map_or(&[][..], Vec::as_slice);
        match (before.as_slice(), after) {
            (&[before], &[after]) if !query.plain && is_one(snapshot, query, predicate) => {
                added.remove(&predicate);
                diff.changed.push(Changed { before, after });
            }
            _ => diff.removed.extend(before),
        }
    }
    diff.added.extend(added.into_values().flatten());
}

/// Single-valued at both bases: otherwise the two rows are no two values of one slot.
fn is_one(snapshot: Snapshot<'_>, query: &DiffQuery, predicate: PredicateId) -> bool {
    let one =
        |basis: Basis| snapshot.directory.cardinality_at(predicate, basis.tx) == Cardinality::One;
    one(query.from.basis) && one(query.to.basis)
}

impl DiffQuery {
    /// The subjects that the pattern names, if it names any.
    fn subjects(&self) -> Option<BTreeSet<EntityId>> {
        let patterns = || [&self.from.pattern, &self.to.pattern].into_iter().flatten();
        let open = patterns().any(|pattern| pattern.subject.is_none());
        (!open).then(|| patterns().filter_map(|pattern| pattern.subject).collect())
    }
}

impl Side {
    fn held(
        &self,
        graph: &GraphView,
        subject: EntityId,
        budget: &mut Budget,
    ) -> BTreeMap<Triple, Row> {
        let Some(pattern) = &self.pattern else { return BTreeMap::new() };
        if pattern.subject.is_some_and(|wanted| wanted != subject) {
            return BTreeMap::new();
        }
        let (node, basis) = (Object::Entity(subject), self.basis);
        let mut edges = graph.as_of(basis).edges(node, Direction::Outgoing, &pattern.predicates);
        let rows = edges
            .by_ref()
            .filter(|edge| pattern.object.is_none_or(|object| object == edge.triple.object))
            .map(|edge| (edge.triple, Row::of_edge(&edge, basis)))
            .collect();
        budget.spend(edges.examined() + 1);
        rows
    }
}
