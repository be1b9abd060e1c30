//! The graph view: every rectangle as an edge of its subject and of its object, in memory, read as
//! of a point in both times.
//!
//! ```text
//! GraphView ── per node and direction ─┬─ live    sorted run, in blocks      (run.rs)
//!                                      └─ closed  in the order of closing
//! AsOf { view, basis } ── edges(node, direction, predicates) ── newest start first
//! ```
//!
//! It does not know names, statements, merges or the store: an edge keeps the ids its rectangle was
//! opened with. Ids are dense, so a node is a place in an array.
//!
//! Invariants:
//! - A rectangle stands in exactly two lists: the outgoing ones of its subject and the incoming ones
//!   of its object. Values have no outgoing list.
//! - Live rectangles stand in the run, closed ones beside it; closing moves one across and nothing
//!   else ever changes.
//! - Whether an edge is visible is decided by `Basis::sees` alone. Sort orders and block bounds
//!   only skip what it would refuse.
//! - The order of an answer is total and does not depend on what was closed later.

mod fold;
mod reader;
mod record;
mod run;
#[cfg(test)]
mod tests;
mod visit;

pub use fold::GraphView;
pub use petgraph::Direction;
pub use reader::{AsOf, Edge, Edges};
pub use visit::{EdgeReferences, Neighbors, Nodes, Visited};
