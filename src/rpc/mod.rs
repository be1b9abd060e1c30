//! The wire: the only code that knows protobuf and gRPC.

pub mod proto;
pub mod civil;
