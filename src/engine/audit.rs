//! What was denied, gathered until the next flush, so that a flood becomes a few rows.
//!
//! Changes do not come by here: each is written in the commit of what it tells of.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::oneshot;

use crate::types::limits::{AUDIT_DENIALS_MAX, AUDIT_TEXT_BYTES_MAX};
use crate::types::{AuditEvent, AuditSubject, Name, NamespaceId, Quotas, Timestamp};

use super::error::{ReadError, SubmitError};
use super::guard::GuardJob;
use super::handle::Engine;
use super::job::Job;

/// Stands for denials that are no longer told apart.
const OTHERS: &str = "OTHER_DENIALS";

type Alike = (String, AuditSubject);

#[derive(Default)]
pub(super) struct Denials {
    gathered: Mutex<HashMap<Alike, AuditEvent>>,
}

impl Denials {
    fn add(&self, event: AuditEvent) {
        let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        let alike = (event.action.clone(), event.about.clone());
        let full = gathered.len() >= AUDIT_DENIALS_MAX && !gathered.contains_key(&alike);
        let (alike, event) = if full {
            let action = OTHERS.to_owned();
            let about = AuditSubject::default();
            ((action.clone(), about.clone()), AuditEvent { action, about, ..event })
        } else {
            (alike, event)
        };
        match gathered.get_mut(&alike) {
            Some(first) => {
                first.time = first.time.min(event.time);
                first.count += event.count;
            }
            None => drop(gathered.insert(alike, event)),
        }
    }

    /// In the order they happened.
    fn take(&self) -> Vec<AuditEvent> {
        let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        let mut events: Vec<AuditEvent> = gathered.drain().map(|(_, event)| event).collect();
        events.sort_by(|a, b| {
            (a.time, &a.action, &a.about.who).cmp(&(b.time, &b.action, &b.about.who))
        });
        events
    }
}

/// One event, with texts as long as the log takes.
pub(super) fn event(time: Timestamp, action: &str, about: AuditSubject) -> AuditEvent {
    let AuditSubject { who, peer, method, namespace, credential } = about;
    let about = AuditSubject {
        who: shortened(who),
        peer: shortened(peer),
        method: shortened(method),
        namespace: shortened(namespace),
        credential,
    };
    AuditEvent { sequence: 0, time, action: action.to_owned(), about, count: 1 }
}

fn shortened(mut text: String) -> String {
    let end = (0..=AUDIT_TEXT_BYTES_MAX.min(text.len())).rev();
    let end = end.into_iter().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.truncate(end);
    text
}

impl Engine {
    /// Notes a denial. It is stored with the next flush.
    pub fn denied(&self, action: &str, about: AuditSubject) {
        self.denials().add(event(self.now(), action, about));
    }

    /// Stores what was denied since the last time. What could not be stored is kept for the next.
    ///
    /// # Errors
    /// Why it could not be stored.
    pub async fn flush_denials(&self) -> Result<(), SubmitError> {
        let events = self.denials().take();
        if events.is_empty() {
            return Ok(());
        }
        let (reply, stored) = oneshot::channel();
        let job = Job::Guard(GuardJob::Denials { events: events.clone(), reply });
        let stored = match self.send(job) {
            Ok(()) => stored.await.unwrap_or(Err(SubmitError::Closed)),
            Err(error) => Err(error),
        };
        if stored.is_err() {
            for event in events {
                self.denials().add(event);
            }
        }
        stored
    }

    /// Events that fit, the newest first, before a number.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn audit(
        &self,
        before: u64,
        at_most: usize,
        fits: impl FnMut(&AuditEvent) -> bool,
    ) -> Result<Vec<AuditEvent>, ReadError> {
        self.stored(|store| store.read()?.audit(before, at_most, fits))
    }

    /// Sets the bounds of a namespace.
    ///
    /// # Errors
    /// [`SubmitError::NamespaceUnknown`], or why it could not be recorded.
    pub async fn set_quotas(
        &self,
        name: &Name,
        quotas: Quotas,
        by: AuditSubject,
    ) -> Result<(), SubmitError> {
        let (reply, done) = oneshot::channel();
        let about = AuditSubject { namespace: name.to_string(), ..by };
        let event = event(self.now(), "QUOTAS_SET", about);
        self.send(Job::Guard(GuardJob::Quotas { name: name.clone(), quotas, event, reply }))?;
        done.await.unwrap_or(Err(SubmitError::Closed))
    }

    #[must_use]
    pub fn quotas(&self, namespace: NamespaceId) -> Quotas {
        self.guard().quotas(namespace)
    }

    /// Facts of a namespace, and bytes of its log.
    ///
    /// # Errors
    /// When the namespace or what is stored of it cannot be read.
    pub fn usage(&self, name: &Name) -> Result<(u64, u64), ReadError> {
        let namespace = self.find(name)?;
        let facts = namespace.published().graph.live_count() as u64;
        let bytes = self.stored(|store| store.read()?.log_bytes(namespace.id()))?;
        Ok((facts, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denial(micros: i64, peer: &str) -> AuditEvent {
        let about = AuditSubject { peer: peer.to_owned(), ..AuditSubject::default() };
        event(Timestamp::from_micros(micros), "UNAUTHENTICATED", about)
    }

    #[test]
    fn a_flood_becomes_a_few_rows() {
        let denials = Denials::default();
        for n in 0..100 {
            denials.add(denial(9 - n % 5, "one"));
        }
        for n in 0..2 * AUDIT_DENIALS_MAX {
            denials.add(denial(20, &format!("peer {n}")));
        }
        let events = denials.take();
        assert_eq!(events.len(), AUDIT_DENIALS_MAX + 1);
        assert_eq!((events[0].time.micros(), events[0].count), (5, 100));
        let others: Vec<_> = events.iter().filter(|event| event.action == OTHERS).collect();
        assert_eq!(others.len(), 1);
        assert_eq!(others[0].count, AUDIT_DENIALS_MAX as u64 + 1);
        assert_eq!(
            events.iter().map(|event| event.count).sum::<u64>(),
            100 + 2 * AUDIT_DENIALS_MAX as u64
        );
        assert!(denials.take().is_empty());
    }

    #[test]
    fn texts_of_strangers_are_cut() {
        let long = "\u{d55c}".repeat(AUDIT_TEXT_BYTES_MAX);
        let cut = denial(1, &long).about.peer;
        assert!(cut.len() <= AUDIT_TEXT_BYTES_MAX && long.starts_with(&cut) && !cut.is_empty());
        let fits = "x".repeat(AUDIT_TEXT_BYTES_MAX);
        assert_eq!(denial(1, &fits).about.peer, fits);
    }
}
