//! Memory as tools for agents, by the Model Context Protocol.
//!
//! A room beside `rpc` that is a client of it: every tool is one or a few calls of the services,
//! over a connection or inside the server, so what a call refuses a tool refuses for the same
//! reason. Dates come and go as people write them. Two profiles: the tools of this memory, and the
//! nine of the reference memory server over the same facts.

mod wire;
mod memory;
mod when;
mod object;
mod fact;
mod written;
mod failure;
mod verb;
mod tools;
mod graph;
mod guide;
mod handler;
mod serve;

pub use graph::{Imported, import};
pub use handler::Profile;
pub use memory::Memory;
pub use serve::{McpError, pages, stdio};
pub use wire::Wire;
