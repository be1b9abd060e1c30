//! One recall from question to hits.

use crate::kernel::Rejection;
use crate::types::{EntityId, Interval, Timestamp};
use crate::view::text::{TextQuery, TextView};
use crate::view::vector::VectorView;

use super::super::facts::Span;
use super::super::halt::Halt;
use super::super::snapshot::Snapshot;
use super::answer::{
    Found, Hit, LegReport, LegShare, LegState, Recalled, Seed, SignalShare, SkipReason,
};
use super::candidates::{Candidate, Candidates};
use super::diversify::diversify;
use super::fuse::fuse;
use super::legs::{by_vector, by_words};
use super::profile::{Accesses, Standing, settle, standing, weigh};
use super::request::{Leg, Legs, Named, Profile, RecallQuery};
use super::seeds::{resembling, seeds};
use super::sight::Sight;
use super::walk::walk;

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

/// Hits each leg is asked for, for one that is wanted: fusion brings up what no leg has first.
const DEPTH_PER_HIT: usize = 3;
const DEPTH_MIN: usize = 20;

/// Once it is halted it ends early, with an answer for nobody. `ended` hears of each leg as it ends, so that whoever has a clock can time it.
///
/// # Errors
/// Every name of the question that nobody ever used.
pub fn recall(
    snapshot: Snapshot<'_>,
    views: Views<'_>,
    query: &RecallQuery,
    ended: &mut dyn FnMut(&LegReport),
) -> Result<Recalled, Rejection> {
    let Named { seeds: given, filter } = Named::resolve(snapshot, query)?;
    let span = match query.filter.valid {
        Some(range) => Span::Overlapping { range, clamp: false },
        None if query.history => Span::Overlapping { range: Interval::ALL, clamp: false },
        None => Span::Basis,
    };
    let sight = Sight::new(snapshot, span, &filter);
    let alone = Leg::ALL.into_iter().filter(|leg| query.legs.has(*leg)).count() == 1;
    let plain = alone && query.profile == Profile::Balanced && query.diversity <= 0.0;
    let depth = if plain && !query.history {
        query.limit
    } else {
        (query.limit * DEPTH_PER_HIT).max(DEPTH_MIN)
    };
    let mut search = Search {
        sight: &sight,
        views,
        query,
        span,
        depth,
        candidates: Candidates::default(),
        reports: Vec::with_capacity(Leg::ALL.len()),
    };
    search.text();
    search.reports.last().into_iter().for_each(&mut *ended);
    if views.halt.is_halted() {
        return Ok(Recalled::default());
    }
    search.vector();
    search.reports.last().into_iter().for_each(&mut *ended);
    if views.halt.is_halted() {
        return Ok(Recalled::default());
    }
    let seeds = search.seeds(&given);
    search.graph(&seeds);
    search.reports.last().into_iter().for_each(ended);
    if views.halt.is_halted() {
        return Ok(Recalled::default());
    }
    let Search { mut candidates, reports, .. } = search;
    if let (Some(view), Some(vector)) = (views.vector, &query.vector)
        && query.legs.vector
    {
        candidates.complete(view, vector, &sight);
    }
    let candidates = candidates.into_vec();
    let ranked = ranked(&sight, views, query, candidates, searched(&reports));
    let before = ranked.len();
    let hits: Vec<Hit> = ranked.into_iter().filter(|hit| hit.score >= query.score_min).collect();
    let left_out = before - hits.len();
    let hits = diversify(hits, views.vector, query.diversity, query.limit);
    let mut hits = with_rows(&sight, hits, query);
    if query.history {
        let start = |hit: &Hit| hit.row.map_or(Timestamp::MIN, |row| row.valid.start());
        hits.sort_by_key(start);
    }
    Ok(Recalled { hits, reports, seeds, left_out })
}

/// The legs that took part.
fn searched(reports: &[LegReport]) -> Legs {
    let took =
        |leg| reports.iter().any(|report| report.leg == leg && report.state == LegState::Searched);
    Legs { text: took(Leg::Text), vector: took(Leg::Vector), graph: took(Leg::Graph) }
}

struct Search<'a> {
    sight: &'a Sight<'a>,
    views: Views<'a>,
    query: &'a RecallQuery,
    span: Span,
    depth: usize,
    candidates: Candidates,
    reports: Vec<LegReport>,
}

impl Search<'_> {
    fn report(&mut self, leg: Leg, state: LegState, found: usize) -> &mut LegReport {
        let report = LegReport { leg, state, found, dropped: 0, truncated: false };
        self.reports.push(report);
        self.reports.last_mut().expect("it was just put there")
    }

    fn skip(&mut self, leg: Leg, reason: SkipReason) {
        self.report(leg, LegState::Skipped(reason), 0);
    }

    fn text(&mut self) {
        if !self.query.legs.text {
            return self.skip(Leg::Text, SkipReason::NotAsked);
        }
        if self.query.words.trim().is_empty() {
            return self.skip(Leg::Text, SkipReason::NoQuery);
        }
        let words = TextQuery::new(&self.query.words);
        if words.is_empty() {
            return self.skip(Leg::Text, SkipReason::NoWords);
        }
        let Some(view) = self.views.text else {
            self.report(Leg::Text, LegState::Broken, 0);
            return;
        };
        let Ok(offers) = by_words(view, &words, self.sight, self.depth) else {
            self.report(Leg::Text, LegState::Broken, 0);
            return;
        };
        let report = self.report(Leg::Text, LegState::Searched, offers.len());
        report.dropped = words.terms_dropped();
        self.candidates.add_text(offers);
    }

    fn vector(&mut self) {
        if !self.query.legs.vector {
            return self.skip(Leg::Vector, SkipReason::NotAsked);
        }
        let Some(view) = self.views.vector else {
            return self.skip(Leg::Vector, SkipReason::NoSpace);
        };
        let Some(vector) = &self.query.vector else {
            return self.skip(Leg::Vector, SkipReason::NoVector);
        };
        let offers = by_vector(view, vector, self.sight, self.depth);
        self.report(Leg::Vector, LegState::Searched, offers.len());
        self.candidates.add_vector(offers);
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

    fn graph(&mut self, seeds: &[Seed]) {
        if !self.query.legs.graph {
            return self.skip(Leg::Graph, SkipReason::NotAsked);
        }
        if seeds.is_empty() {
            return self.skip(Leg::Graph, SkipReason::NoEntity);
        }
        let snapshot = self.sight.snapshot();
        let walked = walk(snapshot, self.span, seeds, self.query.hops);
        let mut facts = walked.facts;
        facts.retain(|reached| self.sight.sees_triple(reached.triple));
        facts.truncate(self.depth);
        let report = self.report(Leg::Graph, LegState::Searched, facts.len());
        report.truncated = walked.truncated;
        self.candidates.add_graph(snapshot.documents, facts);
    }
}

/// A candidate with everything that counts.
struct Weighed {
    candidate: Candidate,
    standing: Standing,
    score: f32,
    legs: Vec<LegShare>,
    signals: Vec<SignalShare>,
}

/// Candidates as hits, best first.
fn ranked(
    sight: &Sight<'_>,
    views: Views<'_>,
    query: &RecallQuery,
    candidates: Vec<Candidate>,
    legs: Legs,
) -> Vec<Hit> {
    let fused = fuse(&candidates, query.fusion, legs);
    let mut weighed: Vec<Weighed> = candidates
        .into_iter()
        .zip(fused)
        .map(|(candidate, (similarity, mut shares))| {
            let standing = standing(sight, candidate.found);
            let key = sight.snapshot().documents.key(candidate.document);
            let read = if query.current { views.accesses.last_read(key) } else { None };
            let (score, own, signals) =
                weigh(query.profile, similarity, &standing, query.now, read);
            for share in &mut shares {
                share.share *= own;
            }
            Weighed { candidate, standing, score, legs: shares, signals }
        })
        .collect();
    weighed.sort_by(|a, b| {
        let settled = || settle((&a.candidate, &a.standing), (&b.candidate, &b.standing));
        b.score.total_cmp(&a.score).then_with(settled)
    });
    let hits = weighed.into_iter().map(|Weighed { candidate, score, legs, signals, .. }| Hit {
        found: candidate.found,
        row: None,
        document: candidate.document,
        score,
        legs,
        signals,
        archived: sight.is_archived(candidate.found),
        path: candidate.path,
    });
    hits.collect()
}

/// The first `limit` hits with the rectangles that make them visible: one at a basis, each of them
/// over a span.
fn with_rows(sight: &Sight<'_>, hits: Vec<Hit>, query: &RecallQuery) -> Vec<Hit> {
    let mut shown = Vec::with_capacity(query.limit.min(hits.len()));
    for hit in hits {
        if shown.len() >= query.limit {
            break;
        }
        let Found::Fact(triple) = hit.found else {
            shown.push(hit);
            continue;
        };
        for row in sight.rows(triple) {
            shown.push(Hit { row: Some(row), ..hit.clone() });
        }
    }
    shown.truncate(query.limit);
    shown
}
