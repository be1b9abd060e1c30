//! Where a bug of this layer would live: in the bytes, at the edges of a batch, in a crash.

mod codec;
mod crash;
#[allow(unreachable_pub, reason = "integration tests use it too")]
#[path = "../../../tests/support/disk.rs"]
mod disk;
mod full;
mod sample;
mod table;
