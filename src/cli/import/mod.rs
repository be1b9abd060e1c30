//! `import`: facts in bulk from CSV, TSV or JSON lines, or the transactions that `export` wrote.
//!
//! A bad row never stops the rest. Memory holds the rows of two streams and no more.

mod args;
mod run;
mod graph;
mod source;
mod delimited;
mod field;
mod plan;
mod operation;
mod load;
mod sender;
mod rejects;
mod summary;

pub(super) use args::ImportArgs;
pub(crate) use run::run;
