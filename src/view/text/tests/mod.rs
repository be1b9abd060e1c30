//! What the view promises, from outside, and against a count by hand.

mod disk;
mod exact;
mod find;
mod support;
mod verify;
