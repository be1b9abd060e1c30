//! How often one peer may come with a credential that is not taken, before it has to rest.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::types::limits::{FAILING_PEERS_MAX, FAILURES_MAX};

/// The time in which one failure is forgiven.
const FORGIVEN_AFTER: Duration = Duration::from_secs(1);

/// For each peer that failed, the instant at which all its failures are forgiven.
#[derive(Default)]
pub(super) struct Failures {
    forgiven_at: Mutex<HashMap<IpAddr, Instant>>,
}

impl Failures {
    /// How long a peer has to rest before it may fail again; nothing where it may.
    pub(super) fn rest(&self, peer: IpAddr, now: Instant) -> Option<Duration> {
        let forgiven_at = self.forgiven_at.lock().unwrap_or_else(PoisonError::into_inner);
        let owed = forgiven_at.get(&peer)?.checked_duration_since(now)?;
        let most = FORGIVEN_AFTER * (FAILURES_MAX - 1);
        owed.checked_sub(most).filter(|rest| !rest.is_zero())
    }

    pub(super) fn note(&self, peer: IpAddr, now: Instant) {
        let mut all = self.forgiven_at.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= FAILING_PEERS_MAX && !all.contains_key(&peer) {
            all.retain(|_, at| *at > now);
            // All of them owe something: whoever owes the least is forgiven first.
            if all.len() >= FAILING_PEERS_MAX
                && let Some(least) = all.iter().min_by_key(|(_, at)| **at).map(|(peer, _)| *peer)
            {
                all.remove(&least);
            }
        }
        let at = all.entry(peer).or_insert(now);
        *at = (*at).max(now) + FORGIVEN_AFTER;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(n: u32) -> IpAddr {
        IpAddr::V4(n.into())
    }

    #[test]
    fn so_many_failures_and_then_a_rest() {
        let (failures, start) = (Failures::default(), Instant::now());
        for _ in 0..FAILURES_MAX {
            assert_eq!(failures.rest(peer(1), start), None);
            failures.note(peer(1), start);
        }
        assert_eq!(failures.rest(peer(1), start), Some(FORGIVEN_AFTER));
        assert_eq!(failures.rest(peer(2), start), None);
        let later = start + FORGIVEN_AFTER;
        assert_eq!(failures.rest(peer(1), later), None);
        failures.note(peer(1), later);
        assert_eq!(failures.rest(peer(1), later), Some(FORGIVEN_AFTER));
        let much_later = later + FORGIVEN_AFTER * 1_000;
        assert_eq!(failures.rest(peer(1), much_later), None);
    }

    #[test]
    fn the_table_is_bounded_and_keeps_who_owes_most() {
        let (failures, now) = (Failures::default(), Instant::now());
        for _ in 0..FAILURES_MAX {
            failures.note(peer(0), now);
        }
        let bound = u32::try_from(FAILING_PEERS_MAX).expect("a small number");
        for n in 1..=bound + 10 {
            failures.note(peer(n), now);
        }
        assert_eq!(failures.forgiven_at.lock().expect("no panic").len(), FAILING_PEERS_MAX);
        assert!(failures.rest(peer(0), now).is_some());
    }
}
