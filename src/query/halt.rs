//! Word that nobody waits for an answer any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Held by whoever asks and by whoever answers. It is never taken back.
#[derive(Clone, Debug, Default)]
pub struct Halt(Arc<AtomicBool>);

impl Halt {
    pub fn halt(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    #[must_use]
    pub fn is_halted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
