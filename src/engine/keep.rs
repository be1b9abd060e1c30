//! What the views have made and models have cost and the store does not hold yet, and who waits for vectors.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Notify, mpsc, oneshot};
use tracing::warn;

use crate::types::Name;

use super::job::Job;
use super::namespace::Namespace;
use super::spaces::SpaceJob;

/// Namespaces with documents that may wait for vectors.
#[derive(Default)]
pub(super) struct Waiting {
    names: Mutex<BTreeSet<Name>>,
    changed: Notify,
}

impl Waiting {
    pub(super) fn add(&self, name: &Name) {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone());
        self.changed.notify_one();
    }

    pub(super) fn take(&self) -> Vec<Name> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *names).into_iter().collect()
    }

    pub(super) async fn notified(&self) {
        self.changed.notified().await;
    }
}

/// Hands to the writer what was made since the last time, and waits for it. What could not be stored
/// stays unsaved.
pub(super) fn save(queue: &mpsc::WeakSender<Job>, namespace: &Arc<Namespace>) {
    let Some(queue) = queue.upgrade() else { return };
    let spaces = namespace.search.spaces();
    for space in [spaces.current, spaces.next].into_iter().flatten() {
        let looked_at = space.looked_at();
        let rows = space.take_unsaved();
        if rows.is_empty() {
            continue;
        }
        let (reply, stored) = oneshot::channel();
        let job = SpaceJob::Store { space: space.record.id, rows: rows.clone(), looked_at };
        let job = Job::Space { namespace: Arc::clone(namespace), job, reply };
        let sent = queue.blocking_send(job).is_ok();
        if !sent || !matches!(stored.blocking_recv(), Ok(Ok(()))) {
            // With the next: else they would count as looked at and be lost.
            warn!("vectors could not be stored yet");
            space.keep(rows);
        }
    }
    // Where nothing was counted nothing is written.
    let (name, id) = (namespace.record.name.clone(), namespace.id());
    drop(queue.blocking_send(Job::Usage { namespace: name, id }));
    let reads = namespace.search.take_unsaved_reads();
    if !reads.is_empty() {
        // Reads that get lost make an item look older than it is, and nothing else.
        drop(queue.blocking_send(Job::Reads { namespace: Arc::clone(namespace), reads }));
    }
}
