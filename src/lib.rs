//! Tenure: a temporal knowledge-graph memory.

pub mod types;
pub mod kernel;
pub mod query;
pub mod rpc;
