//! What an item is worth as time passes, and when one ends by itself. Everything is worked out from
//! stored instants: asking twice gives the same, and nothing is ever multiplied up.

use crate::types::limits::READS_HALFWAY;
use crate::types::{KindPolicy, MemoryKind, Policy, Timestamp};

const DAY_MICROS: i64 = 24 * 3_600 * 1_000_000;

/// When an item of a kind ends that was said at an instant: it is written with this end, so that it
/// is gone at once when its time has come, and no read brings it back. `None`: not by itself.
#[must_use]
pub fn ends(policy: &Policy, kind: MemoryKind, said: Timestamp) -> Option<Timestamp> {
    let days = policy.of(kind).live_days.filter(|_| said.is_instant())?;
    let end = said.micros().checked_add(i64::from(days).checked_mul(DAY_MICROS)?)?;
    Some(Timestamp::from_micros(end)).filter(|end| end.is_instant())
}

/// What an item is worth: its confidence x exp(-decay x age), where the age is the days since it was
/// last read, said or confirmed, divided by 1 for one that was never read and by at most 2 for one
/// that was read ever so often: no number of reads keeps an item for good.
#[must_use]
pub fn value(
    policy: &KindPolicy,
    confidence: f64,
    last: Timestamp,
    now: Timestamp,
    reads: u64,
) -> f64 {
    confidence * (-policy.decay * days(last, now) / (1.0 + boost(reads))).exp()
}

/// From 0 towards 1, half of it at [`READS_HALFWAY`].
fn boost(reads: u64) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "a count far past the point of no difference")]
    let reads = reads as f64;
    reads / (reads + READS_HALFWAY)
}

/// Days that have passed, none if the moment is yet to come.
#[must_use]
pub fn days(since: Timestamp, now: Timestamp) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "an age to a fraction of a second")]
    let micros = now.micros().saturating_sub(since.micros()).max(0) as f64;
    #[allow(clippy::cast_precision_loss, reason = "a day has far fewer microseconds than 2^52")]
    let day = DAY_MICROS as f64;
    micros / day
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: i64) -> Timestamp {
        Timestamp::from_micros(day * DAY_MICROS)
    }

    #[test]
    fn an_untouched_item_is_archived_on_day_161() {
        let policy = KindPolicy::of(MemoryKind::Episode);
        let falls = |on: i64| value(&policy, 1.0, day(0), day(on), 0) < policy.archive_below;
        // Compounded each day it would be on day 18.
        assert_eq!((falls(18), falls(160), falls(161)), (false, false, true));
        assert!(!falls(-5) && value(&policy, 1.0, day(9), day(0), 0) >= 1.0);
    }

    #[test]
    fn no_number_of_reads_keeps_an_item_for_good() {
        let policy = KindPolicy::of(MemoryKind::Fact);
        let worth = |reads, on| value(&policy, 1.0, day(0), day(on), reads);
        assert!(worth(0, 100) < worth(1, 100) && worth(1, 100) < worth(10, 100));
        assert!(worth(u64::MAX, 320) > policy.archive_below);
        assert!(worth(u64::MAX, 322) < policy.archive_below);
    }

    #[test]
    fn what_does_not_decay_is_worth_its_confidence() {
        let policy = KindPolicy::of(MemoryKind::Procedure);
        let worth = value(&policy, 0.75, day(0), day(100_000), 0);
        assert!((worth - 0.75).abs() < f64::EPSILON, "{worth}");
    }

    #[test]
    fn what_has_a_time_to_live_ends_by_itself() {
        let policy = Policy::default();
        for (kind, lives) in [
            (MemoryKind::Preference, Some(365)),
            (MemoryKind::Project, Some(30)),
            (MemoryKind::Transient, Some(1)),
            (MemoryKind::Fact, None),
            (MemoryKind::Episode, None),
            (MemoryKind::Core, None),
        ] {
            assert_eq!(ends(&policy, kind, day(7)), lives.map(|days| day(7 + days)), "{kind:?}");
        }
        // No end is better than one that is no instant.
        assert_eq!(ends(&policy, MemoryKind::Transient, Timestamp::MAX), None);
        assert_eq!(ends(&policy, MemoryKind::Transient, Timestamp::NEG_INFINITY), None);
    }
}
