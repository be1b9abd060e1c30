//! The command line's client side: every verb is one or a few calls to a running server.
//!
//! A rim beside `rpc`: it knows the wire types and the limits and nothing below them. Dates are
//! sent as they were written and resolved by the server. With `--json` only rows reach standard
//! output, one JSON object a line; everything said to a person goes to standard error.

mod args;
mod access;
mod encryption;
mod models;
mod log;
mod settings;
mod run;
mod error;
mod connect;
mod output;
mod row;
mod scope;
mod time_text;
mod object;
mod point;
mod page;
mod lines;
mod namespace;
mod quota;
mod key;
mod audit_log;
mod ops;
mod transact;
mod state;
mod declare;
mod facts;
mod timeline;
mod diff;
mod graph;
mod path;
mod policy;
mod sweep;
mod names;
mod erase;
mod explain;
mod episode;
mod memory;
mod session;
mod reflect;
mod recall;
mod conflicts;
mod inspect;
mod usage;
mod watch;
mod export;
mod backup;
mod restore;
mod mcp;
mod import;
mod demo;
mod eval;

pub use access::{AccessArgs, AccessArgsError};
pub use args::{Cli, Command, Connection, Demo, Serve, Verb};
pub use demo::{TourError, Toured, tour};
pub use encryption::{EncryptionArgs, EncryptionArgsError};
pub use log::LogArgs;
pub use models::{ModelArgs, ModelArgsError};
pub use restore::{RekeyArgs, RestoreArgs, rekey, restore};
pub use run::run;
pub use settings::{Settings, SettingsError};
