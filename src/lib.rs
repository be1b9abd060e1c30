//! Tenure: a temporal knowledge-graph memory.

pub mod types;
pub mod kernel;
pub mod rpc;
pub mod cli;
