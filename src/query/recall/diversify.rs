//! Maximal marginal relevance (Carbonell and Goldstein, 1998): the next hit is the one that is good
//! and unlike those before it.

use crate::types::limits::DIVERSIFIED_HITS_MAX;
use crate::view::vector::VectorView;

use super::answer::{Found, Hit};

/// Puts the first `limit` hits in the order that balances score and variety. `diversity` is from 0,
/// which changes nothing, to 1.
pub(super) fn diversify(
    hits: Vec<Hit>,
    view: Option<&VectorView>,
    diversity: f32,
    limit: usize,
) -> Vec<Hit> {
    if diversity <= 0.0 {
        return hits;
    }
    // Each choice is held against all that are left, and the snapshot is held meanwhile.
    let considered = hits.into_iter().take(DIVERSIFIED_HITS_MAX);
    let mut left: Vec<(Hit, f32)> = considered.map(|hit| (hit, 0.0)).collect();
    let mut chosen: Vec<Hit> = Vec::with_capacity(limit.min(left.len()));
    while chosen.len() < limit && !left.is_empty() {
        let worth =
            |(hit, likeness): &(Hit, f32)| (1.0 - diversity) * hit.score - diversity * likeness;
        // The first of the best: those before it in the list have the better score.
        let mut best = 0;
        for place in 1..left.len() {
            if worth(&left[place]) > worth(&left[best]) {
                best = place;
            }
        }
        let (hit, _) = left.remove(best);
        for (other, likeness) in &mut left {
            *likeness = likeness.max(alike(&hit, other, view));
        }
        chosen.push(hit);
    }
    chosen
}

/// How alike two hits are: by their vectors, else by the names two facts have in common.
fn alike(a: &Hit, b: &Hit, view: Option<&VectorView>) -> f32 {
    let cosine = view.and_then(|view| view.similarity_between(a.document, b.document));
    if let Some(cosine) = cosine {
        return cosine.max(0.0);
    }
    match (a.found, b.found) {
        (Found::Fact(a), Found::Fact(b)) => {
            let same = [a.subject == b.subject, a.predicate == b.predicate, a.object == b.object];
            same.into_iter().map(|same| if same { 1.0 / 3.0 } else { 0.0 }).sum()
        }
        _ => 0.0,
    }
}
