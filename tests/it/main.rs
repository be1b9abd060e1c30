//! The running server, asked over a socket: one module a matter.

#[path = "../support/mod.rs"]
mod support;

mod asof;
mod golden;
