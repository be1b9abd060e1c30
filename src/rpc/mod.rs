//! The wire: the only code that knows protobuf and gRPC.

pub mod proto;
pub mod civil;
pub mod status;
pub mod from_proto;
pub mod to_proto;
