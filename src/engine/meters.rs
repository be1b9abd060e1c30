//! What the engine counts of itself. Who shows it reads it when asked; counting costs an addition.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crate::query::recall::{Leg, LegReport, LegState};

use super::account::{Account, Step, StepNote, note_step};
use super::handle::Engine;

/// Upper ends of the buckets of a duration, in microseconds: from 50 us to 10 s.
pub const DURATION_BUCKETS: [u64; 16] = [
    50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 10_000_000,
];

/// Upper ends of the buckets of a batch, in commands.
const BATCH_BUCKETS: [u64; 6] = [1, 4, 16, 64, 256, 1_024];

/// A histogram. Its parts are read one after the other, so they are of about the same moment.
#[derive(Debug)]
struct Spread<const N: usize> {
    ends: [u64; N],
    counts: [AtomicU64; N],
    above: AtomicU64,
    sum: AtomicU64,
}

/// A histogram as it was read: each bucket's upper end and what fell into that bucket alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub buckets: Vec<(u64, u64)>,
    /// Past the last bucket.
    pub above: u64,
    pub sum: u64,
}

impl<const N: usize> Spread<N> {
    fn new(ends: [u64; N]) -> Spread<N> {
        let counts = std::array::from_fn(|_| AtomicU64::new(0));
        Spread { ends, counts, above: AtomicU64::new(0), sum: AtomicU64::new(0) }
    }

    fn add(&self, value: u64) {
        let place = self.ends.partition_point(|end| *end < value);
        let count = self.counts.get(place).unwrap_or(&self.above);
        count.fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    fn seen(&self) -> Seen {
        let counts = self.counts.iter().map(|count| count.load(Ordering::Relaxed));
        Seen {
            buckets: self.ends.into_iter().zip(counts).collect(),
            above: self.above.load(Ordering::Relaxed),
            sum: self.sum.load(Ordering::Relaxed),
        }
    }
}

/// How a leg of recall ended, and how often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LegCounts {
    pub searched: u64,
    pub skipped: u64,
    pub broken: u64,
}

#[derive(Debug, Default)]
struct LegMeter {
    searched: AtomicU64,
    skipped: AtomicU64,
    broken: AtomicU64,
}

/// The steps of recall, in the order they are taken. That of a commit is counted with the batch.
const STEPS: [Step; 7] =
    [Step::Wait, Step::Embed, Step::Text, Step::Vector, Step::Graph, Step::Fuse, Step::Rerank];

/// How long one step took, in microseconds, and how often it failed.
#[derive(Debug)]
struct StepMeter {
    took: Spread<{ DURATION_BUCKETS.len() }>,
    failures: AtomicU64,
}

/// The same as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepSeen {
    pub step: &'static str,
    pub took: Seen,
    pub failures: u64,
}

#[derive(Debug)]
pub(super) struct Meters {
    commits: Spread<{ DURATION_BUCKETS.len() }>,
    batches: Spread<{ BATCH_BUCKETS.len() }>,
    failures: AtomicU64,
    broken: AtomicBool,
    text: LegMeter,
    vector: LegMeter,
    graph: LegMeter,
    steps: [StepMeter; STEPS.len()],
}

/// The meters as they were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetersSeen {
    /// Microseconds from the end of a batch to the end of its `fsync`.
    pub commits: Seen,
    /// Commands of a batch.
    pub batches: Seen,
    /// Batches that the disk did not take.
    pub failures: u64,
    /// The last batch failed and the store is not open again: nothing can be written.
    pub broken: bool,
    pub legs: [(&'static str, LegCounts); 3],
    pub steps: Vec<StepSeen>,
}

impl Default for Meters {
    fn default() -> Meters {
        Meters {
            commits: Spread::new(DURATION_BUCKETS),
            batches: Spread::new(BATCH_BUCKETS),
            failures: AtomicU64::new(0),
            broken: AtomicBool::new(false),
            text: LegMeter::default(),
            vector: LegMeter::default(),
            graph: LegMeter::default(),
            steps: std::array::from_fn(|_| StepMeter {
                took: Spread::new(DURATION_BUCKETS),
                failures: AtomicU64::new(0),
            }),
        }
    }
}

impl Meters {
    /// Runs a commit of so many commands, counts it, and notes it for the calls that wait for it.
    pub(super) fn timed<E>(
        &self,
        commands: usize,
        waiting: &[Arc<Account>],
        commit: impl FnOnce() -> Result<(), E>,
    ) -> Result<(), E> {
        let began = Instant::now();
        let result = commit();
        let (took, failed) = (began.elapsed(), result.is_err());
        let commands = u64::try_from(commands).unwrap_or(u64::MAX);
        self.commits.add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
        self.batches.add(commands);
        self.failures.fetch_add(u64::from(failed), Ordering::Relaxed);
        let note = StepNote { step: Step::Commit, began, took, found: commands, failed };
        for account in waiting {
            account.step(note);
        }
        result
    }

    fn stepped(&self, note: &StepNote) {
        let place = STEPS.iter().position(|step| *step == note.step);
        if let Some(meter) = place.map(|place| &self.steps[place]) {
            meter.took.add(u64::try_from(note.took.as_micros()).unwrap_or(u64::MAX));
            meter.failures.fetch_add(u64::from(note.failed), Ordering::Relaxed);
        }
    }

    /// A commit failed: the store is reopened before the next batch.
    pub(super) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Acquire)
    }

    pub(super) fn set_broken(&self, broken: bool) {
        self.broken.store(broken, Ordering::Release);
    }

    pub(super) fn recalled(&self, reports: &[LegReport]) {
        for report in reports {
            let meter = match report.leg {
                Leg::Text => &self.text,
                Leg::Vector => &self.vector,
                Leg::Graph => &self.graph,
            };
            let count = match report.state {
                LegState::Searched => &meter.searched,
                LegState::Broken => &meter.broken,
                LegState::Skipped(_) => &meter.skipped,
            };
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn seen(&self) -> MetersSeen {
        let leg = |meter: &LegMeter| LegCounts {
            searched: meter.searched.load(Ordering::Relaxed),
            skipped: meter.skipped.load(Ordering::Relaxed),
            broken: meter.broken.load(Ordering::Relaxed),
        };
        MetersSeen {
            commits: self.commits.seen(),
            batches: self.batches.seen(),
            failures: self.failures.load(Ordering::Relaxed),
            broken: self.broken.load(Ordering::Acquire),
            legs: [
                ("text", leg(&self.text)),
                ("vector", leg(&self.vector)),
                ("graph", leg(&self.graph)),
            ],
            steps: STEPS.iter().zip(&self.steps).map(step_seen).collect(),
        }
    }
}

fn step_seen((step, meter): (&Step, &StepMeter)) -> StepSeen {
    let failures = meter.failures.load(Ordering::Relaxed);
    StepSeen { step: step.name(), took: meter.took.seen(), failures }
}

impl Engine {
    /// Counts a step that a call has just ended, and notes it for the call.
    pub fn stepped(&self, step: Step, began: Instant, found: usize, failed: bool) {
        let found = u64::try_from(found).unwrap_or(u64::MAX);
        let note = StepNote { step, began, took: began.elapsed(), found, failed };
        self.counted().stepped(&note);
        note_step(note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_at_the_end_of_a_bucket_is_in_it() {
        let spread = Spread::new([10, 20]);
        for value in [0, 10, 11, 20, 21] {
            spread.add(value);
        }
        assert_eq!(spread.seen(), Seen { buckets: vec![(10, 2), (20, 2)], above: 1, sum: 62 });
    }

    #[test]
    fn a_step_and_a_commit_are_counted_by_themselves() {
        let meters = Meters::default();
        let account = Arc::new(Account::default());
        let waiting = [Arc::clone(&account)];
        meters.timed(3, &waiting, || Err::<(), ()>(())).expect_err("it fails");
        let (began, took) = (Instant::now(), std::time::Duration::from_micros(70));
        let note = StepNote { step: Step::Fuse, began, took, found: 1, failed: true };
        meters.stepped(&note);
        let seen = meters.seen();
        assert_eq!((seen.failures, seen.batches.sum), (1, 3));
        let counted = seen.steps.iter().map(|step| (step.step, step.took.sum, step.failures));
        let counted: Vec<_> = counted.filter(|(_, sum, _)| *sum > 0).collect();
        assert_eq!(counted, [("fuse", 70, 1)]);
        let notes = account.notes();
        assert_eq!(notes.steps.len(), 1);
        let commit = notes.steps[0];
        assert_eq!((commit.step, commit.found, commit.failed), (Step::Commit, 3, true));
    }

    #[test]
    fn buckets_ascend() {
        assert!(DURATION_BUCKETS.is_sorted() && BATCH_BUCKETS.is_sorted());
    }
}
