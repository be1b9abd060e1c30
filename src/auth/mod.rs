//! Who may come in: keys, tokens, and how often a stranger may try.
//!
//! A room beside `rpc`. Every way in asks [`Gate::admit`] before it does any work and hands on the
//! caller it gives; what a caller may do and see is decided where requests are answered. Invariants:
//! nothing that is wrong with a credential is told apart to whoever sent it; no secret is logged,
//! shown or kept; without a credential there is no caller, unless the server was started open.

mod gate;
mod admin_key;
mod peer;
mod failures;
mod narrow;
mod jwks;
mod token;

pub use admin_key::{AdminKey, AdminKeyError};
pub use gate::{Gate, GateConfig, LIVE, READY, is_open};
pub use jwks::{JwksError, JwksSource, KeySet};
pub use peer::Peer;
pub use token::{ClaimNames, TokenConfig};
