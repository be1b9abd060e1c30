//! One subject and predicate over time: over valid time as believed at one transaction, over transaction time about
//! one instant, and both at once.

use std::collections::BTreeSet;

use petgraph::Direction;

use crate::types::{Basis, EntityId, Object, PredicateId, Rectangle, TxId};

use super::answer::Row;
use super::snapshot::Snapshot;

/// What was believed from a transaction on, until the next entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Belief {
    pub tx_from: TxId,
    /// Empty: nothing was believed.
    pub rows: Vec<Row>,
}

/// What held, as believed at the basis's transaction: by start, then object.
#[must_use]
pub fn timeline(snapshot: Snapshot<'_>, subject: EntityId, predicates: &[PredicateId]) -> Vec<Row> {
    let node = Object::Entity(subject);
    let tx = snapshot.basis.tx;
    let edges = snapshot.graph.believed_at(tx, node, Direction::Outgoing, predicates);
    let mut rows: Vec<Row> = edges.map(|edge| Row::of_edge(&edge, snapshot.basis)).collect();
    rows.sort_by_key(|row| (row.valid, row.triple.object, row.triple.predicate));
    rows
}

/// Every rectangle believed up to the basis's transaction, under every id that the entity was ever
/// read under or that was ever read under it: by the transaction that began to believe it, then
/// start, then object.
#[must_use]
pub fn audit(snapshot: Snapshot<'_>, entity: EntityId, predicates: &[PredicateId]) -> Vec<Row> {
    let tx = snapshot.basis.tx;
    let canonical = snapshot.directory.canonical_at(entity, tx);
    let mut ids = snapshot.directory.merged_ever(canonical, tx);
    ids.extend(snapshot.directory.canonical_ever(entity, tx));
    ids.push(canonical);
    ids.sort_unstable();
    ids.dedup();
    let mut rows: Vec<Row> = ids
        .into_iter()
        .flat_map(|subject| ever(snapshot, subject, predicates))
        .map(|rectangle| Row::of(rectangle, snapshot.basis))
        .collect();
    rows.sort_by_key(|row| (row.tx_from, row.valid, row.triple));
    rows
}

/// What was believed about the basis's valid instant, from the first transaction to the basis's;
/// one entry each time the answer changed. At each transaction the entity is read under the id it
/// counted as then.
#[must_use]
pub fn beliefs(
    snapshot: Snapshot<'_>,
    entity: EntityId,
    predicates: &[PredicateId],
) -> Vec<Belief> {
    if snapshot.basis.tx == TxId::ZERO {
        return Vec::new();
    }
    let directory = snapshot.directory;
    let ids = directory.canonical_ever(entity, snapshot.basis.tx);
    let rectangles: Vec<Rectangle> = ids
        .iter()
        .flat_map(|subject| ever(snapshot, *subject, predicates))
        .filter(|rectangle| rectangle.valid.contains(snapshot.basis.valid))
        .collect();
    let mut turns = BTreeSet::from([TxId::new(1)]);
    // A merge changes what the name is read under, also where it moves no rectangle.
    let aliases = ids.iter().flat_map(|id| directory.aliases(*id)).map(|alias| alias.believed);
    for believed in rectangles.iter().map(|rectangle| rectangle.believed).chain(aliases) {
        turns.extend([believed.from, believed.to]);
    }
    let mut beliefs: Vec<Belief> = Vec::new();
    for tx_from in turns.into_iter().filter(|tx| *tx <= snapshot.basis.tx) {
        let basis = Basis { tx: tx_from, ..snapshot.basis };
        let subject = directory.canonical_at(entity, tx_from);
        let visible = rectangles.iter().filter(|rectangle| {
            rectangle.triple.subject == subject && basis.sees(rectangle.valid, rectangle.believed)
        });
        let mut rows: Vec<Row> = visible.map(|seen| Row::of(*seen, snapshot.basis)).collect();
        rows.sort_by_key(|row| (row.triple.object, row.triple.predicate));
        let same = |belief: &Belief| objects(&belief.rows).eq(objects(&rows));
        if !beliefs.last().is_some_and(same) {
            beliefs.push(Belief { tx_from, rows });
        }
    }
    beliefs
}

fn objects(rows: &[Row]) -> impl Iterator<Item = (Object, PredicateId)> {
    rows.iter().map(|row| (row.triple.object, row.triple.predicate))
}

/// Every rectangle of a subject and some predicates that a reader at the basis may know of.
pub(super) fn ever(
    snapshot: Snapshot<'_>,
    subject: EntityId,
    predicates: &[PredicateId],
) -> Vec<Rectangle> {
    let node = Object::Entity(subject);
    let edges = snapshot.graph.rectangles(node, Direction::Outgoing, predicates);
    let rectangles = edges.map(crate::view::graph::Edge::rectangle);
    rectangles.filter(|rectangle| rectangle.believed.from <= snapshot.basis.tx).collect()
}
