//! Generated messages, clients and servers of `proto/tenure/v1`, and their descriptors.

#![allow(clippy::all, clippy::pedantic, unreachable_pub, missing_docs)]

include!("generated/tenure.v1.rs");

/// What server reflection serves.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!("generated/descriptor.bin");
