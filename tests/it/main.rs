//! The running server, asked over a socket: one module a matter.

#![allow(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
#![allow(
    clippy::needless_update,
    reason = "one macro builds requests with and without more fields"
)]
#![allow(clippy::type_complexity, reason = "a table of cases is read where it stands")]
#![allow(clippy::items_after_statements, reason = "a type of one test stands in it")]
#![allow(clippy::needless_pass_by_value, reason = "helpers take answers as they come")]

#[path = "../support/mod.rs"]
mod support;
#[path = "../support/player.rs"]
mod player;
#[path = "../support/disk.rs"]
mod disk;
#[path = "../support/raw.rs"]
mod raw;
#[path = "../support/stub.rs"]
mod stub;

mod ask;
mod chance;
mod client;

mod access;
mod agent;
mod asof;
mod backup;
mod bad_input;
mod basis;
mod bounds;
mod bytes;
mod chat;
mod clock;
mod concurrent;
mod consolidating;
mod deploy;
mod embedding;
mod encryption;
mod erasing;
mod eval;
mod fixture;
mod forgetting;
mod golden;
mod graph;
mod health;
mod json;
mod mcp;
mod merged;
mod observe;
mod paging;
mod policies;
mod protocols;
mod quotas;
mod recall;
mod recall_cases;
mod recall_shape;
mod scopes;
mod sessions;
mod stream;
mod tenants;
mod time;
mod tls;
mod tokens;
mod traces;
mod write;
