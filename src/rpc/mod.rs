//! The wire: the only code that knows protobuf and gRPC.
//!
//! A request goes through `from_proto`, the engine, and `render` or `to_proto`; an error through
//! `status`. Services in between only connect them.

mod admin;
mod background;
mod backup;
mod bearing;
mod bundle;
mod caller;
pub mod civil;
mod conflicts;
mod consolidate;
mod context;
mod core_memory;
mod credentials;
mod echo;
mod export;
mod extract;
mod facts;
mod list;
mod near;
mod derived;
mod diff;
mod erase;
mod explain;
mod failure;
pub mod from_proto;
mod graph;
mod hidden;
mod legs;
mod memory;
mod meter;
mod page;
mod policy;
mod place;
mod promote;
pub mod proto;
mod recall;
mod reflect;
mod remember;
mod render;
mod services;
mod session;
mod summary;
mod sweep;
pub mod status;
mod stream;
pub mod to_proto;
mod told;
mod usage;

pub use caller::{Caller, Ends, Origin};
pub use services::{Services, Terms, services};
pub use sweep::Sweeping;
