//! Rectangles as a reader at a basis may know them.

use crate::types::{Basis, CloseReason, Interval, Rectangle, Triple, TxId};
use crate::view::graph::Edge;

/// One row of an answer. What happened after the basis is not in it: asking again at the same basis
/// gives the same row for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row {
    pub triple: Triple,
    pub valid: Interval,
    pub tx_from: TxId,
    /// Missing while it was believed.
    pub closed: Option<(TxId, CloseReason)>,
}

impl Row {
    #[must_use]
    pub fn of(rectangle: Rectangle, basis: Basis) -> Row {
        let Rectangle { triple, valid, believed, closed } = rectangle;
        let known = believed.to <= basis.tx;
        let closed = closed.filter(|_| known).map(|reason| (believed.to, reason));
        Row { triple, valid, tx_from: believed.from, closed }
    }

    #[must_use]
    pub fn of_edge(edge: &Edge, basis: Basis) -> Row {
        Row::of(edge.rectangle(), basis)
    }
}
