//! Operations as JSON: the form that `transact` reads and `export` writes.

mod fields;
mod parse;
mod print;
mod words;

pub(crate) use parse::{Request, request};
pub(crate) use print::transaction;
pub(crate) use words::{cardinality, cardinality_word, episode_kind, trust, trust_word};
