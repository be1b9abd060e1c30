//! The legs of one question, each timed by itself.

use std::num::NonZero;
use std::thread;

use crate::types::EntityId;
use crate::view::text::{TextQuery, TextView};
use crate::view::vector::VectorView;

use super::super::facts::Span;
use super::super::halt::Halt;
use super::answer::{LegReport, LegState, Seed, SkipReason};
use super::legs::{Offer, by_vector, by_words};
use super::profile::Accesses;
use super::request::{Leg, Legs, RecallQuery};
use super::seeds::{resembling, seeds};
use super::sight::Sight;
use super::walk::{Reached, walk};

/// Documents with a vector from which on the legs run beside each other. With fewer a search is
/// over before a second thread has helped, and other questions have more of the cores.
const BESIDE_DOCUMENTS_MIN: usize = 400_000;

/// What is searched beside the snapshot.
#[derive(Clone, Copy)]
pub struct Views<'a> {
    /// Missing where the view is broken.
    pub text: Option<&'a TextView>,
    /// Missing where nothing was embedded.
    pub vector: Option<&'a VectorView>,
    pub accesses: &'a dyn Accesses,
    /// Looked at between the legs: a leg is bounded by itself.
    pub halt: &'a Halt,
}

/// Told of each leg as it begins and ends, so that whoever has a clock can time it. Legs may run at
/// the same time.
pub trait Laps: Sync {
    fn began(&self, leg: Leg);
    fn ended(&self, report: &LegReport);
}

/// What a leg has to say, and what it found.
#[derive(Debug, PartialEq)]
pub(super) struct Searched<T> {
    pub(super) report: LegReport,
    pub(super) found: Vec<T>,
}

impl<T> Searched<T> {
    fn new(leg: Leg, found: Vec<T>) -> Searched<T> {
        let (state, count) = (LegState::Searched, found.len());
        let report = LegReport { leg, state, found: count, dropped: 0, truncated: false };
        Searched { report, found }
    }

    fn nothing(leg: Leg, state: LegState) -> Searched<T> {
        let report = LegReport { leg, state, found: 0, dropped: 0, truncated: false };
        Searched { report, found: Vec::new() }
    }

    fn skipped(leg: Leg, reason: SkipReason) -> Searched<T> {
        Searched::nothing(leg, LegState::Skipped(reason))
    }
}

#[derive(Debug, PartialEq)]
pub(super) struct AllSearched {
    pub(super) text: Searched<Offer>,
    pub(super) vector: Searched<Offer>,
    pub(super) graph: Searched<Reached>,
    pub(super) seeds: Vec<Seed>,
}

impl AllSearched {
    /// The legs that took part.
    pub(super) fn legs(&self) -> Legs {
        let took = |report: &LegReport| report.state == LegState::Searched;
        Legs {
            text: took(&self.text.report),
            vector: took(&self.vector.report),
            graph: took(&self.graph.report),
        }
    }
}

pub(super) struct Search<'a> {
    pub(super) sight: &'a Sight<'a>,
    pub(super) views: Views<'a>,
    pub(super) query: &'a RecallQuery,
    pub(super) span: Span,
    /// Hits each leg is asked for.
    pub(super) depth: usize,
    pub(super) laps: &'a dyn Laps,
}

impl Search<'_> {
    /// Every leg. The one by direction runs beside the others where there is so much to search that
    /// a second thread pays.
    pub(super) fn run(&self, given: &[EntityId]) -> AllSearched {
        let legs = self.query.legs;
        let size = self.views.vector.map_or(0, VectorView::len);
        let pays = size >= BESIDE_DOCUMENTS_MIN && legs.vector && (legs.text || legs.graph);
        if !pays || thread::available_parallelism().map_or(1, NonZero::get) == 1 {
            return self.one_by_one(given);
        }
        self.beside_each_other(given)
    }

    pub(super) fn one_by_one(&self, given: &[EntityId]) -> AllSearched {
        self.joined(given, || self.timed(Leg::Vector, || self.vector()))
    }

    pub(super) fn beside_each_other(&self, given: &[EntityId]) -> AllSearched {
        thread::scope(|scope| {
            let vector = scope.spawn(|| self.timed(Leg::Vector, || self.vector()));
            self.joined(given, || match vector.join() {
                Ok(vector) => vector,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })
    }

    fn joined(&self, given: &[EntityId], vector: impl FnOnce() -> Searched<Offer>) -> AllSearched {
        let text = self.timed(Leg::Text, || self.text());
        let mut seeds = Vec::new();
        let graph = self.timed(Leg::Graph, || {
            seeds = self.seeds(given);
            self.graph(&seeds)
        });
        AllSearched { text, vector: vector(), graph, seeds }
    }

    fn timed<T>(&self, leg: Leg, search: impl FnOnce() -> Searched<T>) -> Searched<T> {
        if self.views.halt.is_halted() {
            return Searched::skipped(leg, SkipReason::NotAsked);
        }
        self.laps.began(leg);
        let searched = search();
        self.laps.ended(&searched.report);
        searched
    }

    fn text(&self) -> Searched<Offer> {
        if !self.query.legs.text {
            return Searched::skipped(Leg::Text, SkipReason::NotAsked);
        }
        if self.query.words.trim().is_empty() {
            return Searched::skipped(Leg::Text, SkipReason::NoQuery);
        }
        let words = TextQuery::new(&self.query.words);
        if words.is_empty() {
            return Searched::skipped(Leg::Text, SkipReason::NoWords);
        }
        let offers = self.views.text.map(|view| by_words(view, &words, self.sight, self.depth));
        let Some(Ok(offers)) = offers else {
            return Searched::nothing(Leg::Text, LegState::Broken);
        };
        let mut searched = Searched::new(Leg::Text, offers);
        searched.report.dropped = words.terms_dropped();
        searched
    }

    fn vector(&self) -> Searched<Offer> {
        if !self.query.legs.vector {
            return Searched::skipped(Leg::Vector, SkipReason::NotAsked);
        }
        let Some(view) = self.views.vector else {
            return Searched::skipped(Leg::Vector, SkipReason::NoSpace);
        };
        let Some(vector) = &self.query.vector else {
            return Searched::skipped(Leg::Vector, SkipReason::NoVector);
        };
        Searched::new(Leg::Vector, by_vector(view, vector, self.sight, self.depth))
    }

    /// Entities given or named; where there are none, those whose names resemble the question.
    fn seeds(&self, given: &[EntityId]) -> Vec<Seed> {
        if !self.query.legs.graph {
            return Vec::new();
        }
        let snapshot = self.sight.snapshot();
        let named = seeds(snapshot, given, &self.query.words);
        let Some(view) = self.views.text.filter(|_| named.is_empty()) else { return named };
        // A view that cannot be searched is told of by the text leg.
        resembling(snapshot, view, &TextQuery::new(&self.query.words)).unwrap_or_default()
    }

    fn graph(&self, seeds: &[Seed]) -> Searched<Reached> {
        if !self.query.legs.graph {
            return Searched::skipped(Leg::Graph, SkipReason::NotAsked);
        }
        if seeds.is_empty() {
            return Searched::skipped(Leg::Graph, SkipReason::NoEntity);
        }
        let snapshot = self.sight.snapshot();
        let walked = walk(snapshot, self.span, seeds, self.query.hops);
        let mut facts = walked.facts;
        facts.retain(|reached| self.sight.sees_triple(reached.triple));
        facts.truncate(self.depth);
        let mut searched = Searched::new(Leg::Graph, facts);
        searched.report.truncated = walked.truncated;
        searched
    }
}
