//! What was asked of a model so far.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts since the process started. Each is exact; together they are of about the same moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Usage {
    /// Requests that were wanted, each with all its attempts.
    pub calls: u64,
    /// Calls that ended in an error.
    pub failures: u64,
    /// Attempts after the first.
    pub retries: u64,
    /// Texts that were answered. Of the built-in model the texts it read.
    pub inputs: u64,
    /// Tokens as the other side counted them; 0 if it does not say.
    pub tokens: u64,
    /// Questions that were answered from what was kept at hand.
    pub cache_hits: u64,
}

#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) calls: Counter,
    pub(super) failures: Counter,
    pub(super) retries: Counter,
    pub(super) inputs: Counter,
    pub(super) tokens: Counter,
    pub(super) cache_hits: Counter,
}

#[derive(Debug, Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Counters {
    pub(super) fn usage(&self) -> Usage {
        Usage {
            calls: self.calls.get(),
            failures: self.failures.get(),
            retries: self.retries.get(),
            inputs: self.inputs.get(),
            tokens: self.tokens.get(),
            cache_hits: self.cache_hits.get(),
        }
    }
}
