//! The documents that search finds, and when each is visible: a fold over the log, in memory.
//!
//! ```text
//! log ── Documents ─┬─ what       DocumentId -> fact, statement, entity or episode
//!                   ├─ first      one rectangle a fact, in an array, tested during a search
//!                   ├─ more       the further rectangles of the few facts that have them
//!                   ├─ supports   the statements behind a fact: source, trust, confidence
//!                   ├─ episodes
//!                   └─ archive    when each was believed and did not come up by itself
//! ```
//!
//! It knows no words and no scores. Text and vector views number what they hold by [`DocumentId`]
//! and ask here, through the caller, whether a document is visible.
//!
//! Invariants:
//! - Documents are given out in the order of the log, and what one is never changes: closing a
//!   rectangle changes when it is visible, and nothing has to be indexed again.
//! - A fact has one document for its words, and one for each sentence that was said of it.
//! - Whether a rectangle is visible is decided by `Basis::sees` and `TxSpan::contains` alone.
//!
//! [`DocumentId`]: crate::types::DocumentId

mod archive;
mod fold;
mod record;
mod set;
#[cfg(test)]
mod tests;

pub use fold::Documents;
pub use record::{EpisodeEntry, FactNumber, Hold, ScopeNumber, Support, What};
pub use set::FactSet;
