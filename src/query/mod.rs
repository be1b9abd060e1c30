//! The read path over one snapshot.
//!
//! 1. `request`: what is asked, by name.
//! 2. `snapshot`: names and graph of one namespace at one basis; names become ids here.
//!    `seen`: what of it the caller may see, which every question passes.
//! 3. `facts`, `timeline`, `diff`, `traverse`, `paths`, `explain`, `entity`: one question each.
//!    `halt`: word that nobody waits for the answer.
//! 4. `answer`: rectangles with what a reader at the basis may know of them.
//!
//! Pure reads: no clock, no writer, no thread. Whether something is visible is decided by
//! `Basis::sees` and nowhere else.

mod answer;
mod diff;
mod entity;
mod explain;
mod facts;
mod held;
mod halt;
mod paths;
pub mod recall;
mod request;
mod seen;
mod snapshot;
mod timeline;
mod traverse;

pub use answer::Row;
pub use diff::{Changed, Diff, DiffQuery, Side, diff};
pub use entity::{EntityFacts, EntityInfo, entity_facts, entity_info, resolve_entity};
pub use explain::{Explained, ExplainedRectangle, explain};
pub use facts::{FactsPage, FactsQuery, RowKey, Span, facts};
pub use halt::Halt;
pub use held::{Held, for_each_held};
pub use paths::{PathMode, Paths, PathsQuery, Way, paths};
pub use request::{AsOf, Known, PatternName};
pub use seen::Seen;
pub use snapshot::{Budget, Pattern, Snapshot};
pub use timeline::{Belief, audit, beliefs, timeline};
pub use traverse::{Heading, Step, Traversal, TraverseQuery, traverse};
