//! One recall from question to hits.

use crate::kernel::Rejection;
use crate::types::{Interval, Timestamp};

use super::super::facts::Span;
use super::super::snapshot::Snapshot;
use super::answer::{Found, Hit, LegShare, Recalled, SignalShare};
use super::candidates::{Candidate, Candidates};
use super::diversify::diversify;
use super::fuse::fuse;
use super::profile::{Standing, settle, standing, weigh};
use super::request::{Leg, Legs, Named, Profile, RecallQuery};
use super::search::{AllSearched, Laps, Search, Views};
use super::sight::Sight;

/// Hits each leg is asked for, for one that is wanted: fusion brings up what no leg has first.
const DEPTH_PER_HIT: usize = 3;
const DEPTH_MIN: usize = 20;

/// Once it is halted it ends early, with an answer for nobody.
///
/// # Errors
/// Every name of the question that nobody ever used.
pub fn recall(
    snapshot: Snapshot<'_>,
    views: Views<'_>,
    query: &RecallQuery,
    laps: &dyn Laps,
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
    let searched = Search { sight: &sight, views, query, span, depth, laps }.run(&given);
    if views.halt.is_halted() {
        return Ok(Recalled::default());
    }
    let legs = searched.legs();
    let AllSearched { text, vector, graph, seeds } = searched;
    let mut candidates = Candidates::default();
    candidates.add_text(text.found);
    candidates.add_vector(vector.found);
    candidates.add_graph(snapshot.documents, graph.found);
    let reports = vec![text.report, vector.report, graph.report];
    if let (Some(view), Some(vector)) = (views.vector, &query.vector)
        && query.legs.vector
    {
        candidates.complete(view, vector, &sight);
    }
    let candidates = candidates.into_vec();
    let ranked = ranked(&sight, views, query, candidates, legs);
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
