//! Tenure: a temporal knowledge-graph memory.

pub mod kernel;
pub mod rpc;
pub mod types;
