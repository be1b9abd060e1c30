//! Many scores become one, from 0 to 1.

use super::answer::LegShare;
use super::candidates::Candidate;
use super::request::{Fusion, Leg, Legs};

/// What a leg's best hit is worth beside the others'. Measured by `benches/recall_quality`.
const fn weight(leg: Leg) -> f32 {
    match leg {
        Leg::Text => 1.0,
        Leg::Vector => 0.4,
        Leg::Graph => 0.3,
    }
}

/// The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009).
const RANK_OFFSET: f32 = 60.0;

/// The score of each candidate and what the legs add to it. `legs` are those that searched.
pub(super) fn fuse(
    candidates: &[Candidate],
    fusion: Fusion,
    legs: Legs,
) -> Vec<(f32, Vec<LegShare>)> {
    let legs: Vec<Leg> = Leg::ALL.into_iter().filter(|leg| legs.has(*leg)).collect();
    let total: f32 = legs.iter().map(|leg| weight(*leg)).sum();
    let bests: Vec<f32> = legs.iter().map(|leg| best(candidates, *leg)).collect();
    let scored = candidates.iter().map(|candidate| {
        let mut shares = Vec::with_capacity(legs.len());
        for (leg, best) in legs.iter().zip(&bests) {
            let Some(said) = candidate.said(*leg) else { continue };
            let worth = match fusion {
                Fusion::RelativeScore => relative(*leg, said.score, *best),
                Fusion::ReciprocalRank => said.rank.map_or(0.0, reciprocal),
            };
            let share = worth * weight(*leg) / total;
            shares.push(LegShare { leg: *leg, rank: said.rank, score: said.score, share });
        }
        (shares.iter().map(|share| share.share).sum(), shares)
    });
    scored.collect()
}

/// A cosine is on a scale of its own; BM25 and weights in the graph are on that of their best.
fn relative(leg: Leg, score: f32, best: f32) -> f32 {
    match leg {
        Leg::Vector => score.clamp(0.0, 1.0),
        Leg::Text | Leg::Graph if best > 0.0 => score / best,
        Leg::Text | Leg::Graph => 0.0,
    }
}

/// 1 for the first rank.
fn reciprocal(rank: u32) -> f32 {
    #[allow(clippy::cast_precision_loss, reason = "a rank is small")]
    let rank = rank as f32;
    (RANK_OFFSET + 1.0) / (RANK_OFFSET + rank)
}

fn best(candidates: &[Candidate], leg: Leg) -> f32 {
    let scores = candidates.iter().filter_map(|candidate| candidate.said(leg));
    scores.map(|said| said.score).fold(0.0, f32::max)
}
