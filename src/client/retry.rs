//! When a call is sent again, and how long to wait before.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use tonic::Code;

use super::error::Error;

/// Waits grow from `first` by doubling up to `longest`, each somewhat shorter by chance. All
/// attempts share the deadline of the call.
#[derive(Clone, Copy, Debug)]
pub struct Retry {
    pub attempts: u32,
    pub first: Duration,
    pub longest: Duration,
}

impl Default for Retry {
    fn default() -> Retry {
        Retry { attempts: 5, first: Duration::from_millis(100), longest: Duration::from_secs(5) }
    }
}

impl Retry {
    /// Every call is sent once.
    pub const NEVER: Retry = Retry { attempts: 1, first: Duration::ZERO, longest: Duration::ZERO };

    /// How long to wait after so many failures; nothing to give up. `repeatable` says that the
    /// call may have been answered and be answered again without another effect.
    #[must_use]
    pub fn wait(&self, error: &Error, repeatable: bool, failures: u32) -> Option<Duration> {
        let passes = error.wrote_nothing() || (error.code == Code::Unavailable && repeatable);
        if !passes || failures >= self.attempts {
            return None;
        }
        let doubled = self.first.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1)));
        let grown = doubled.min(self.longest);
        // Between a half and the whole.
        let [byte, ..] = chance().to_le_bytes();
        let shortened = grown * (256 + u32::from(byte)) / 512;
        Some(shortened.max(error.retry_after.unwrap_or_default()))
    }
}

/// A number that nobody can foresee, from the seeds of the standard library's hash maps.
pub(super) fn chance() -> u64 {
    RandomState::new().hash_one(0)
}

#[cfg(test)]
mod tests {
    use tonic::Status;

    use super::*;
    use crate::rpc::status::{QUEUE_FULL, STORAGE_FULL, retry_after, status};

    #[test]
    fn what_may_do_harm_is_sent_once() {
        let lost = Error::from(Status::unavailable("lost"));
        let full = Error::from(retry_after(QUEUE_FULL, "full", Duration::from_millis(700)));
        let no_room = Error::from(status(STORAGE_FULL, "no room", &[]));
        let retry = Retry::default();
        for (error, repeatable, again) in [
            (&lost, true, true),
            (&lost, false, false),
            (&full, false, true),
            (&no_room, true, false),
        ] {
            assert_eq!(retry.wait(error, repeatable, 1).is_some(), again, "{error} {repeatable}");
            assert!(Retry::NEVER.wait(error, repeatable, 1).is_none());
        }
        assert!(retry.wait(&full, true, 1) >= Some(Duration::from_millis(700)));
        let waits = (1..=4).map(|failures| retry.wait(&lost, true, failures).unwrap());
        for (wait, longest_ms) in waits.zip([100, 200, 400, 800]) {
            let longest = Duration::from_millis(longest_ms);
            assert!(wait <= longest && wait >= longest / 2, "{wait:?}");
        }
        assert!(retry.wait(&lost, true, 5).is_none());
    }
}
