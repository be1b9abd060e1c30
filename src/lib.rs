//! Tenure: a temporal knowledge-graph memory.

pub mod types;

pub mod kernel;

pub mod store;
pub mod view;

pub mod query;

pub mod engine;

pub mod models;

pub mod agent;

pub mod rpc;

pub mod auth;

pub mod client;
pub mod http;
pub mod mcp;

pub mod eval;

pub mod cli;
pub mod server;
