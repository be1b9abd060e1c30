//! The running server, asked over a socket: one module a matter.

#[path = "../support/mod.rs"]
mod support;

mod ask;
mod chance;

mod asof;
mod bad_input;
mod basis;
mod bounds;
mod concurrent;
mod fixture;
mod golden;
mod graph;
mod health;
mod paging;
mod stream;
mod time;
mod write;
