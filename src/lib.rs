//! Tenure: a temporal knowledge-graph memory.

pub mod kernel;
pub mod types;
pub mod view;
