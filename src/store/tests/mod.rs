//! Where a bug of this layer would live: in the bytes, at the edges of a batch, in a crash.

mod codec;
mod crash;
#[path = "../../../tests/support/disk.rs"]
mod disk;
mod full;
mod guard;
mod hostile;
mod mutated;
mod purge;
mod sample;
mod table;
