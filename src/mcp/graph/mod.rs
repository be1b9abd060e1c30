//! The nine tools of the reference memory server, over facts.
//!
//! An observation is a fact of the predicate `observation` with a text, a type one of
//! `entity_type`, a relation a fact between entities. Other facts with literals are read as
//! observations too, so that whatever else writes into the namespace is seen here. Deleting
//! retracts. Names are compared as everywhere in this memory: without regard to case.

mod model;
mod read;
mod write;
mod remove;
mod list;
mod import;

pub use import::{Imported, import};
pub(super) use list::{call, offered};
