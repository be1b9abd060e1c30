//! The vector view: the nearest visible documents to a direction, in one embedding space of one
//! namespace.
//!
//! ```text
//! VectorView ─┬─ slots   one per distinct vector: codes, numbers, documents     (slots.rs)
//!             ├─ links   which slots the graph holds, and which wait for it     (links.rs)
//!             └─ graph   hnsw_rs over the codes, at times absent or behind      (graph.rs)
//! search ── scan of everything │ graph + scan of what waits ── re-scored in f32 (search.rs)
//! ```
//!
//! It does not know where vectors come from, what makes a document visible, or the log: the caller
//! folds the log and passes visibility as a function.
//!
//! Invariants:
//! - A document stands in at most one slot; equal vectors share a slot.
//! - A slot with documents is in the graph or waits for it, never both.
//! - The scan is exact: a code only ever rules a slot out when its error cannot change the answer.
//! - The graph never decides what is visible or how near it is, only what is looked at. Losing it
//!   costs time, not answers, and it is asked only once it has been tried against the scan.
//! - Nothing of `hnsw_rs` runs outside `catch_unwind`, and none of its files is read before its
//!   checksum.

mod among;
mod blocks;
mod code;
mod dump;
mod graph;
mod links;
mod scan;
mod search;
mod slots;
#[cfg(test)]
mod tests;
mod trial;
mod view;

pub use dump::{DumpError, Loaded};
pub use search::{SearchPath, VectorHits};
pub use view::{Built, VectorDifferences, VectorView};
