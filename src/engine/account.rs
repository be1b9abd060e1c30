//! What one call did, noted while it runs: for the log of slow calls, and for traces.
//!
//! - The task that answers the call finds it by itself. Work that goes to another thread takes it
//!   along.
//! - It holds numbers, names of steps and the name of a namespace that exists; never what was asked,
//!   written or found.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::types::limits::CALL_STEPS_MAX;
use crate::types::{Basis, Name, TxId};

tokio::task_local! {
    static CURRENT: Arc<Account>;
}

/// A part of a call that is timed by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Until the views hold what was acknowledged.
    Wait,
    /// The question, to a vector.
    Embed,
    /// The legs of recall.
    Text,
    Vector,
    Graph,
    /// One list of what the legs found.
    Fuse,
    /// The order of the cross-encoder.
    Rerank,
    /// From the end of a batch to the end of its `fsync`.
    Commit,
}

impl Step {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Step::Wait => "wait",
            Step::Embed => "embed",
            Step::Text => "text",
            Step::Vector => "vector",
            Step::Graph => "graph",
            Step::Fuse => "fuse",
            Step::Rerank => "rerank",
            Step::Commit => "commit",
        }
    }
}

/// One step that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepNote {
    pub step: Step,
    pub began: Instant,
    pub took: Duration,
    /// What came of it: hits of a leg, commands of a commit.
    pub found: u64,
    pub failed: bool,
}

/// What is known of a call so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    pub namespace: Option<Name>,
    /// The first one that the call read at; its later reads are at the same.
    pub basis: Option<Basis>,
    /// The transaction that the call made last.
    pub written: Option<TxId>,
    /// Rows, hits or outcomes of the answer.
    pub found: u64,
    pub steps: Vec<StepNote>,
    /// Steps past [`CALL_STEPS_MAX`].
    pub steps_left_out: u64,
}

#[derive(Debug, Default)]
pub struct Account(Mutex<Notes>);

impl Account {
    /// Answers a call whose account this is.
    pub fn scope<F: Future>(self: Arc<Self>, answering: F) -> impl Future<Output = F::Output> {
        CURRENT.scope(self, answering)
    }

    /// The same for a part that does not wait.
    pub fn within<T>(self: Arc<Self>, work: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self, work)
    }

    /// That of the call being answered here. Work of the server's own has none.
    #[must_use]
    pub fn current() -> Option<Arc<Account>> {
        CURRENT.try_with(Arc::clone).ok()
    }

    /// Work for another thread that takes the account of this call along.
    pub fn carried<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
        let account = Account::current();
        move || match account {
            Some(account) => account.within(work),
            None => work(),
        }
    }

    /// The same for a task of its own.
    pub fn along<F: Future>(work: F) -> impl Future<Output = F::Output> {
        let account = Account::current();
        async move {
            match account {
                Some(account) => account.scope(work).await,
                None => work.await,
            }
        }
    }

    #[must_use]
    pub fn notes(&self) -> Notes {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn step(&self, note: StepNote) {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.steps.len() < CALL_STEPS_MAX {
            notes.steps.push(note);
        } else {
            notes.steps_left_out += 1;
        }
    }
}

/// Changes the notes of the call being answered here, where there is one.
fn note(change: impl FnOnce(&mut Notes)) {
    // An error says that nobody keeps an account.
    let _ = CURRENT.try_with(|account| {
        change(&mut account.0.lock().unwrap_or_else(PoisonError::into_inner));
    });
}

/// Notes a namespace, which must exist: what strangers ask for is noted nowhere.
pub fn note_namespace(name: &Name) {
    note(|notes| {
        if notes.namespace.as_ref() != Some(name) {
            notes.namespace = Some(name.clone());
        }
    });
}

pub fn note_found(found: usize) {
    note(|notes| notes.found += u64::try_from(found).unwrap_or(u64::MAX));
}

pub(super) fn note_basis(basis: Basis) {
    note(|notes| {
        notes.basis.get_or_insert(basis);
    });
}

/// Notes a transaction; a dry run makes none.
pub(super) fn note_written(tx: TxId, outcomes: usize) {
    note(|notes| notes.written = Some(tx).filter(|tx| *tx > TxId::ZERO));
    note_found(outcomes);
}

pub(super) fn note_step(step: StepNote) {
    if let Some(account) = Account::current() {
        account.step(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Timestamp;

    fn step(step: Step) -> StepNote {
        StepNote { step, began: Instant::now(), took: Duration::ZERO, found: 1, failed: false }
    }

    #[test]
    fn a_call_keeps_the_first_basis_and_as_many_steps_as_the_bound_says() {
        let account = Arc::new(Account::default());
        let basis = |tx| Basis { valid: Timestamp::from_micros(1), tx: TxId::new(tx) };
        Arc::clone(&account).within(|| {
            note_basis(basis(1));
            note_basis(basis(2));
            note_found(2);
            note_found(3);
            (0..CALL_STEPS_MAX).for_each(|_| note_step(step(Step::Commit)));
        });
        let notes = account.notes();
        assert_eq!((notes.basis, notes.found), (Some(basis(1)), 5));
        assert_eq!((notes.steps.len(), notes.steps_left_out), (CALL_STEPS_MAX, 0));
        Arc::clone(&account).within(|| note_step(step(Step::Text)));
        let notes = account.notes();
        assert_eq!((notes.steps.len(), notes.steps_left_out), (CALL_STEPS_MAX, 1));
    }

    #[test]
    fn work_on_another_thread_takes_the_account_along() {
        let account = Arc::new(Account::default());
        let work = Arc::clone(&account).within(|| Account::carried(|| note_found(7)));
        std::thread::spawn(work).join().expect("it ends");
        assert_eq!(account.notes().found, 7);
        // Without a call nothing is noted, and nothing fails.
        Account::carried(|| note_found(1))();
        assert_eq!(account.notes().found, 7);
    }
}
