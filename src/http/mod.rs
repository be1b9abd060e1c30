//! The door: gRPC, gRPC-Web and JSON on one port, and the pages beside them.
//!
//! Native gRPC passes through untouched. Everything else is made into gRPC, handed to the same
//! services in the same process, and made into what the caller speaks; no rule of a request lives
//! here, so an answer and a refusal are the same in every protocol. JSON is that of protobuf, by
//! descriptor: a field that is added to a proto needs nothing here.

mod front;
mod host;
mod content;
mod method;
mod raw;
mod call;
mod inlet;
mod outlet;
mod error;
mod pages;
mod openapi;

pub use error::response as refusal;
pub use front::FrontLayer;
pub use host::{HostError, Hosts};
pub use method::label;
pub use openapi::document as openapi;
pub use pages::pages;
