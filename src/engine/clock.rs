//! Where the time comes from. Tests bring their own.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::types::Timestamp;

pub trait Clock: Send + Sync + 'static {
    fn now(&self) -> Timestamp;
}

/// The wall clock. It may go backwards; commit times do not.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let micros = match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_micros()),
            Err(before) => i64::try_from(before.duration().as_micros()).map(|micros| -micros),
        };
        micros.map_or(Timestamp::MAX, Timestamp::from_micros)
    }
}
