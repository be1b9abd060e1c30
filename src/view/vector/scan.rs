//! The exact scan: every visible slot by its code, and those that can be among the best in full.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::num::NonZero;
use std::ops::Range;
use std::thread;

use crate::types::{DocumentId, Vector};

use super::code::Code;
use super::slots::Slots;

/// What decides whether a document may be found.
pub(super) type Visible<'a> = dyn Fn(DocumentId) -> bool + Sync + 'a;

/// Slots from which on a second thread is worth its start.
const SPLIT_SLOTS_MIN: usize = 400_000;

/// Visible slots whose codes are fetched together.
const BATCH_SLOTS: usize = 64;
const CACHE_LINE_BYTES: usize = 64;

/// Candidates that are kept before the hopeless ones are thrown out.
const KEPT_MIN: usize = 1_024;

/// One question to the slots.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) vector: &'a Vector,
    pub(super) code: &'a Code,
    pub(super) limit: usize,
    pub(super) visible: &'a Visible<'a>,
}

/// The slots that can still be among the best.
///
/// A code bounds the cosine of its vector from both sides. With as many lower bounds at hand as
/// documents are asked for, a slot whose upper bound is below all of them is out.
pub(super) struct Collector<'a> {
    slots: &'a Slots,
    question: Question<'a>,
    kept: Vec<Candidate>,
    kept_max: usize,
    /// The best lower bounds, the smallest on top.
    bounds: BinaryHeap<Reverse<Bound>>,
    floor: f32,
    examined: usize,
}

#[derive(Clone, Copy)]
struct Candidate {
    slot: u32,
    lower: f32,
    upper: f32,
}

#[derive(Clone, Copy, PartialEq)]
struct Bound(f32);

impl Eq for Bound {}

impl PartialOrd for Bound {
    fn partial_cmp(&self, other: &Bound) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bound {
    fn cmp(&self, other: &Bound) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl<'a> Collector<'a> {
    pub(super) fn new(slots: &'a Slots, question: Question<'a>) -> Collector<'a> {
        Collector {
            slots,
            question,
            kept: Vec::new(),
            kept_max: KEPT_MIN,
            bounds: BinaryHeap::new(),
            floor: f32::NEG_INFINITY,
            examined: 0,
        }
    }

    /// Looks at one slot. No slot may come twice.
    #[inline]
    pub(super) fn look(&mut self, slot: u32) {
        if self.slots.is_visible(slot, self.question.visible) {
            self.weigh(slot);
        }
    }

    /// Looks at slots that are known to be visible, none of them twice.
    pub(super) fn weigh_each(&mut self, slots: impl IntoIterator<Item = u32>) {
        let mut batch = Vec::with_capacity(BATCH_SLOTS);
        for slot in slots {
            batch.push(slot);
            if batch.len() == BATCH_SLOTS {
                self.weigh_all(&mut batch);
            }
        }
        self.weigh_all(&mut batch);
    }

    /// A batch of them. Where few are visible, their codes are far apart: the processor waits for many
    /// of them at once only if it is asked for them one right after the other.
    fn weigh_all(&mut self, batch: &mut Vec<u32>) {
        let touched = batch.iter().fold(0, |sum, slot| {
            let lines = self.slots.code(*slot).iter().step_by(CACHE_LINE_BYTES);
            lines.fold(sum, |sum: i8, code| sum.wrapping_add(*code))
        });
        std::hint::black_box(touched);
        batch.drain(..).for_each(|slot| self.weigh(slot));
    }

    /// Whether a slot is sure to be nearer than one of the best so far.
    pub(super) fn would_gain(&self, slot: u32) -> bool {
        self.candidate(slot).lower > self.floor
            && self.slots.is_visible(slot, self.question.visible)
    }

    /// Looks at a slot that is known to be visible. No slot may come twice.
    pub(super) fn weigh(&mut self, slot: u32) {
        self.examined += 1;
        let candidate = self.candidate(slot);
        if candidate.upper >= self.floor {
            self.keep(candidate);
        }
    }

    fn candidate(&self, slot: u32) -> Candidate {
        let code = self.question.code;
        let gauge = self.slots.gauge(slot);
        let cosine = gauge.cosine(code.gauge, self.slots.dot(slot, &code.numbers));
        let reach = gauge.reach(code.gauge);
        Candidate { slot, lower: cosine - reach, upper: cosine + reach }
    }

    fn keep(&mut self, candidate: Candidate) {
        self.kept.push(candidate);
        if self.bounds.len() < self.question.limit {
            self.bounds.push(Reverse(Bound(candidate.lower)));
        } else if candidate.lower > self.floor {
            self.bounds.pop();
            self.bounds.push(Reverse(Bound(candidate.lower)));
        }
        if self.bounds.len() == self.question.limit {
            self.floor = self.bounds.peek().map_or(f32::INFINITY, |bound| bound.0.0);
        }
        if self.kept.len() >= self.kept_max {
            self.kept.retain(|candidate| candidate.upper >= self.floor);
            self.kept_max = KEPT_MIN.max(2 * self.kept.len());
        }
    }

    /// Takes over what another has found in other slots.
    fn merge(&mut self, other: Collector<'_>) {
        self.examined += other.examined;
        for candidate in other.kept {
            if candidate.upper >= self.floor {
                self.keep(candidate);
            }
        }
    }

    /// Slots whose code was looked at.
    pub(super) fn examined(&self) -> usize {
        self.examined
    }

    /// The best visible documents with their cosines, ties by id.
    pub(super) fn finish(self) -> Vec<(DocumentId, f32)> {
        let Question { vector, limit, visible, .. } = self.question;
        let standing = self.kept.iter().filter(|candidate| candidate.upper >= self.floor);
        let mut hits = Vec::new();
        for Candidate { slot, .. } in standing {
            let cosine = self.slots.cosine(*slot, vector.numbers());
            let documents = self.slots.documents(*slot).filter(|document| visible(*document));
            hits.extend(documents.take(limit).map(|document| (document, cosine)));
        }
        hits.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        hits.truncate(limit);
        hits
    }
}

/// Looks at every slot.
pub(super) fn scan<'a>(slots: &'a Slots, question: Question<'a>) -> Collector<'a> {
    let count = u32::try_from(slots.slot_count()).expect("slots are counted in 32 bits");
    let one_core = thread::available_parallelism().map_or(1, NonZero::get) == 1;
    if slots.slot_count() < SPLIT_SLOTS_MIN || one_core {
        return scan_range(slots, question, 0..count);
    }
    thread::scope(|scope| {
        let upper = scope.spawn(move || scan_range(slots, question, count / 2..count));
        let mut collector = scan_range(slots, question, 0..count / 2);
        match upper.join() {
            Ok(upper) => collector.merge(upper),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        collector
    })
}

fn scan_range<'a>(slots: &'a Slots, question: Question<'a>, range: Range<u32>) -> Collector<'a> {
    let mut collector = Collector::new(slots, question);
    let visible =
        slots.owners(range).filter(|(slot, owner)| slots.shows(*slot, *owner, question.visible));
    collector.weigh_each(visible.map(|(slot, _)| slot));
    collector
}
