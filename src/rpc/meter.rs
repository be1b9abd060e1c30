//! How fast a namespace is asked and how many streams it has open, held against its quotas.
//!
//! Counts live as long as the process. Facts and bytes are the writer's to count.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tonic::Status;

use crate::types::limits::NAMESPACES_MAX;
use crate::types::{NamespaceId, QuotaKind, Quotas};

use super::failure;

/// What a namespace has used of what comes back with time.
struct Used {
    /// Requests that may come at once.
    left: f64,
    at: Instant,
    streams: u32,
}

#[derive(Default)]
pub(super) struct Meter {
    used: Mutex<HashMap<NamespaceId, Used>>,
}

impl Meter {
    /// Counts one request.
    ///
    /// # Errors
    /// `QUOTA_EXCEEDED`, and when to come back.
    pub(super) fn request(
        &self,
        namespace: NamespaceId,
        quotas: &Quotas,
        now: Instant,
    ) -> Result<(), Status> {
        let Some(limit) = quotas.requests_per_second else { return Ok(()) };
        let rate = f64::from(limit);
        let mut used = self.of(namespace, rate, now);
        let used = used.get_mut(&namespace).expect("it was just put there");
        let rested = now.saturating_duration_since(used.at).as_secs_f64();
        used.left = (used.left + rested * rate).min(rate);
        used.at = now;
        if used.left < 1.0 {
            let wait = Duration::from_secs_f64((1.0 - used.left) / rate);
            let which = QuotaKind::RequestsPerSecond;
            return Err(failure::quota_exceeded(which, limit.into(), Some(wait)));
        }
        used.left -= 1.0;
        Ok(())
    }

    /// Counts one stream until the permit is dropped. Also where nothing bounds it: a bound may come.
    ///
    /// # Errors
    /// `QUOTA_EXCEEDED`.
    pub(super) fn stream(
        self: &Arc<Meter>,
        namespace: NamespaceId,
        quotas: &Quotas,
        now: Instant,
    ) -> Result<Permit, Status> {
        let rate = f64::from(quotas.requests_per_second.unwrap_or_default());
        let mut used = self.of(namespace, rate, now);
        let used = used.get_mut(&namespace).expect("it was just put there");
        if let Some(limit) = quotas.streams
            && used.streams >= limit
        {
            return Err(failure::quota_exceeded(QuotaKind::Streams, limit.into(), None));
        }
        used.streams += 1;
        Ok(Permit { meter: Arc::clone(self), namespace })
    }

    fn of(
        &self,
        namespace: NamespaceId,
        rate: f64,
        now: Instant,
    ) -> MutexGuard<'_, HashMap<NamespaceId, Used>> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if used.len() >= NAMESPACES_MAX && !used.contains_key(&namespace) {
            // Those of namespaces that are gone. The others begin anew, which forgives one second.
            used.retain(|_, used| used.streams > 0);
        }
        used.entry(namespace).or_insert(Used { left: rate, at: now, streams: 0 });
        used
    }
}

/// One open stream.
pub(super) struct Permit {
    meter: Arc<Meter>,
    namespace: NamespaceId,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut used = self.meter.used.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(used) = used.get_mut(&self.namespace) {
            used.streams = used.streams.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use tonic_types::StatusExt;

    use super::*;

    #[test]
    fn requests_come_back_with_time_up_to_the_bound() {
        let (meter, start) = (Meter::default(), Instant::now());
        let quotas = Quotas { requests_per_second: Some(4), ..Quotas::default() };
        let ask = |namespace, millis| {
            let now = start + Duration::from_millis(millis);
            meter.request(NamespaceId::new(namespace), &quotas, now)
        };
        for _ in 0..4 {
            ask(1, 0).expect("within the bound");
        }
        let status = ask(1, 0).expect_err("one too many");
        let wait = status.get_details_retry_info().and_then(|info| info.retry_delay);
        assert_eq!(wait, Some(Duration::from_millis(250)));
        let info = status.get_details_error_info().expect("a reason");
        assert_eq!(info.reason, "QUOTA_EXCEEDED");
        assert_eq!(info.metadata["which"], "requests_per_second");
        assert_eq!(info.metadata["limit"], "4");
        ask(2, 0).expect("another namespace has its own");
        assert!(ask(1, 249).is_err());
        ask(1, 250).expect("one came back");
        for _ in 0..4 {
            ask(1, 60_000).expect("no more than the bound comes back");
        }
        assert!(ask(1, 60_000).is_err());
    }

    #[test]
    fn a_stream_gives_its_place_back() {
        let (meter, now) = (Arc::new(Meter::default()), Instant::now());
        let quotas = Quotas { streams: Some(2), ..Quotas::default() };
        let begin = || meter.stream(NamespaceId::new(1), &quotas, now);
        let first = begin().expect("within the bound");
        let _second = begin().expect("within the bound");
        assert!(begin().is_err());
        drop(first);
        begin().expect("there is room again");
    }
}
