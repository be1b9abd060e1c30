//! Recall: the few facts and episodes that answer a question, as they stood at a basis.
//!
//! ```text
//! words, vector, seeds ─┬─ text     BM25 ──────────────┐
//!                       ├─ vector   cosine ────────────┼─ candidates ─ fuse ─ profile ─ diversify ─ hits
//!                       └─ graph    walk from entities ┘
//! ```
//!
//! Invariants:
//! - Whether a document may be found is decided by [`Sight`] while a leg searches, so a leg's list
//!   is the best of what is visible and not what is left of the best.
//! - A hit is a fact, an episode or an entity, never a document: what several documents say of one
//!   fact is one hit.
//! - Equal scores are settled by trust, then age, then id: the same question at the same basis over
//!   the same documents gives the same list.
//! - A leg that did not search says why; nothing is left out in silence.

mod request;
mod sight;
mod seeds;
mod walk;
mod legs;
mod candidates;
mod fuse;
mod profile;
mod diversify;
mod answer;
mod search;
mod cover;
mod run;
#[cfg(test)]
mod tests;

pub use answer::{
    Found, Hit, LegReport, LegShare, LegState, Recalled, Seed, Signal, SignalShare, SkipReason,
};
pub use cover::Wanted;
pub use profile::Accesses;
pub use request::{Filter, FilterName, Fusion, Kinds, Leg, Legs, Profile, RecallQuery};
pub use run::recall;
pub use search::{Laps, Views};
pub use sight::Sight;
