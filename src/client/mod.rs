//! A client in Rust: a connection, and help where the generated one is awkward.
//!
//! A rim beside `rpc`, of which it knows the wire types and nothing else. [`Client`] holds the
//! generated clients, for everything; its own calls fill in the namespace, keep a deadline, turn
//! errors into [`Error`] and send again what may be sent again. Dates are sent as they were
//! written and resolved by the server.

pub(crate) mod time;
mod access;
mod build;
mod connection;
mod error;
mod import;
mod pages;
mod retry;

pub use access::{Access, Key, KeyError, KeyHeader, Tls, Wire};
pub use build::{Text, date, known, triple, unbounded, valid};
pub use connection::{Client, Options};
pub use error::{Error, Violation};
pub use import::{Import, Imported};
pub use pages::Pages;
pub use retry::Retry;
