//! When to try again: later and later, and at a random moment, so that callers that failed
//! together do not return together.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use chrono::DateTime;

use crate::types::limits::MODEL_WAIT_MILLIS_MAX;

pub(super) const WAIT_MAX: Duration = Duration::from_millis(MODEL_WAIT_MILLIS_MAX);

/// The wait before the next attempt: anything up to `first` doubled with every attempt that
/// failed, and never less than the other side asked for. `None` if it asks for too much.
pub(super) fn wait(
    failed: u32,
    first: Duration,
    asked: Option<Duration>,
    random: u64,
) -> Option<Duration> {
    if asked.is_some_and(|asked| asked > WAIT_MAX) {
        return None;
    }
    let factor = 2_u32.saturating_pow(failed.saturating_sub(1));
    let span = first.saturating_mul(factor).min(WAIT_MAX);
    let micros = u64::try_from(span.as_micros()).expect("a bounded wait");
    let jitter = Duration::from_micros(random % micros.saturating_add(1));
    Some(asked.map_or(jitter, |asked| (asked + jitter).min(WAIT_MAX)))
}

/// What `Retry-After` says: seconds, or a date.
pub(super) fn retry_after(header: &str, now: SystemTime) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = SystemTime::from(DateTime::parse_from_rfc2822(header).ok()?);
    // A date that has passed asks for nothing more.
    Some(date.duration_since(now).unwrap_or_default())
}

/// Random enough to keep callers apart, from the seed the standard library gives its maps.
#[derive(Debug)]
pub(super) struct Jitter {
    seed: RandomState,
    drawn: AtomicU64,
}

impl Jitter {
    pub(super) fn new() -> Jitter {
        Jitter { seed: RandomState::new(), drawn: AtomicU64::new(0) }
    }

    pub(super) fn next(&self) -> u64 {
        self.seed.hash_one(self.drawn.fetch_add(1, Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Duration = Duration::from_millis(100);

    #[test]
    fn waits_double_up_to_a_bound_and_may_be_anything_below() {
        for (failed, millis) in [(1, 100), (2, 200), (3, 400), (40, MODEL_WAIT_MILLIS_MAX)] {
            let micros = millis * 1_000;
            let longest = wait(failed, FIRST, None, micros);
            assert_eq!(longest, Some(Duration::from_millis(millis)), "after {failed} failures");
            assert_eq!(wait(failed, FIRST, None, micros + 1), Some(Duration::ZERO));
        }
    }

    #[test]
    fn what_the_other_side_asks_for_is_waited_or_nothing_is() {
        let asked = Duration::from_secs(7);
        assert_eq!(wait(1, FIRST, Some(asked), 0), Some(asked));
        assert_eq!(wait(1, FIRST, Some(asked), 5_000), Some(asked + Duration::from_millis(5)));
        assert_eq!(wait(1, FIRST, Some(WAIT_MAX), 5_000), Some(WAIT_MAX));
        assert_eq!(wait(1, FIRST, Some(WAIT_MAX + Duration::from_nanos(1)), 0), None);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        for (header, seconds) in [
            (" 120 ", Some(120)),
            ("Sun, 06 Nov 1994 08:50:00 GMT", Some(23)),
            ("Sun, 06 Nov 1994 08:49:00 GMT", Some(0)),
            ("-1", None),
            ("soon", None),
        ] {
            assert_eq!(retry_after(header, now), seconds.map(Duration::from_secs), "{header}");
        }
    }

    #[test]
    fn jitter_does_not_repeat_itself() {
        let jitter = Jitter::new();
        assert_ne!(jitter.next(), jitter.next());
    }
}
