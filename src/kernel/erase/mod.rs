//! Erasing: a log to a log, as if some of it had never been said. The only operation that changes
//! the past.
//!
//! ```text
//! log ── Selection ──> Plan ── Rewrite ──> log of the same numbers, with tombstones
//!        two passes            one pass: touched slots are folded again, at every transaction
//! ```
//!
//! Invariants:
//! - Numbers of transactions, statements and names stay. What stood at a place that is erased is a
//!   tombstone, which holds ids alone.
//! - What was decided stays decided: statements that stay are folded again, none is weighed again.
//! - Slots that no erased statement was ever read under are not touched.

mod plan;
mod rewrite;
mod select;
mod shadow;

pub use plan::Plan;
pub use rewrite::{Rewrite, Rewritten, Toll};
pub use select::{Selection, Selector};
