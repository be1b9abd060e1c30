//! Tenure: a temporal knowledge-graph memory.

pub mod kernel;
pub mod store;
pub mod types;
