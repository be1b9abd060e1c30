//! One slot over time: over valid time as believed at one transaction, over transaction time about
//! one instant, and both at once.

use std::collections::BTreeSet;

use petgraph::Direction;

use crate::types::{Basis, Object, Rectangle, Slot, Timestamp, TxId};

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
pub fn timeline(snapshot: Snapshot<'_>, slot: Slot) -> Vec<Row> {
    let node = Object::Entity(slot.subject);
    let tx = snapshot.basis.tx;
    let edges = snapshot.graph.believed_at(tx, node, Direction::Outgoing, &[slot.predicate]);
    let mut rows: Vec<Row> = edges.map(|edge| Row::of_edge(&edge, snapshot.basis)).collect();
    rows.sort_by_key(|row| (row.valid, row.triple.object));
    rows
}

/// Every rectangle believed up to the basis's transaction: by the transaction that began to
/// believe it, then start, then object.
#[must_use]
pub fn audit(snapshot: Snapshot<'_>, slot: Slot) -> Vec<Row> {
    let rectangles = ever(snapshot, slot);
    let mut rows: Vec<Row> =
        rectangles.into_iter().map(|rectangle| Row::of(rectangle, snapshot.basis)).collect();
    rows.sort_by_key(|row| (row.tx_from, row.valid, row.triple.object));
    rows
}

/// What was believed about the basis's valid instant, from the first transaction to the basis's;
/// one entry each time the answer changed.
#[must_use]
pub fn beliefs(snapshot: Snapshot<'_>, slot: Slot) -> Vec<Belief> {
    if snapshot.basis.tx == TxId::ZERO {
        return Vec::new();
    }
    let rectangles = about(ever(snapshot, slot), snapshot.basis.valid);
    let mut turns = BTreeSet::from([TxId::new(1)]);
    for rectangle in &rectangles {
        turns.extend([rectangle.believed.from, rectangle.believed.to]);
    }
    let mut beliefs: Vec<Belief> = Vec::new();
    for tx_from in turns.into_iter().filter(|tx| *tx <= snapshot.basis.tx) {
        let basis = Basis { tx: tx_from, ..snapshot.basis };
        let visible =
            rectangles.iter().filter(|rectangle| basis.sees(rectangle.valid, rectangle.believed));
        let mut rows: Vec<Row> = visible.map(|seen| Row::of(*seen, snapshot.basis)).collect();
        rows.sort_by_key(|row| row.triple.object);
        let same = |belief: &Belief| objects(&belief.rows).eq(objects(&rows));
        if !beliefs.last().is_some_and(same) {
            beliefs.push(Belief { tx_from, rows });
        }
    }
    beliefs
}

fn objects(rows: &[Row]) -> impl Iterator<Item = Object> {
    rows.iter().map(|row| row.triple.object)
}

fn about(mut rectangles: Vec<Rectangle>, at: Timestamp) -> Vec<Rectangle> {
    rectangles.retain(|rectangle| rectangle.valid.contains(at));
    rectangles
}

/// Every rectangle of the slot that a reader at the basis may know of.
pub(super) fn ever(snapshot: Snapshot<'_>, slot: Slot) -> Vec<Rectangle> {
    let node = Object::Entity(slot.subject);
    let edges = snapshot.graph.rectangles(node, Direction::Outgoing, &[slot.predicate]);
    let rectangles = edges.map(crate::view::graph::Edge::rectangle);
    rectangles.filter(|rectangle| rectangle.believed.from <= snapshot.basis.tx).collect()
}
