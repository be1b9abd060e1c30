//! The text and vector legs: documents become hits, each once.

use std::collections::HashSet;
use std::convert::Infallible;

use crate::types::{DocumentId, Vector};
use crate::view::text::{TextError, TextQuery, TextView};
use crate::view::vector::VectorView;

use super::answer::Found;
use super::sight::Sight;

/// Documents a scan passes over in the time it takes to look one up.
const DOCUMENTS_PER_LOOK: usize = 24;

/// One hit of a leg: what was found, by which document, and how well.
pub(super) type Offer = (Found, DocumentId, f32);

/// The best `depth` hits by words, best first.
pub(super) fn by_words(
    view: &TextView,
    query: &TextQuery,
    sight: &Sight<'_>,
    depth: usize,
) -> Result<Vec<Offer>, TextError> {
    let sees = |document| sight.sees(document);
    distinct(sight, depth, |documents| {
        Ok(view.search_beside(query, documents, &sees, sight.hidden())?.hits)
    })
}

/// The best `depth` hits by direction, best first.
pub(super) fn by_vector(
    view: &VectorView,
    query: &Vector,
    sight: &Sight<'_>,
    depth: usize,
) -> Vec<Offer> {
    let few = sight.few(view.len() / DOCUMENTS_PER_LOOK);
    let sees = |document| sight.sees(document);
    let search = |limit| {
        Ok::<_, Infallible>(match &few {
            Some(few) => view.search_among(query, limit, few).hits,
            None => view.search(query, limit, &sees).hits,
        })
    };
    let Ok(offers) = distinct(sight, depth, search);
    offers
}

/// Asks for more documents until they are enough hits, or there are no more.
fn distinct<E>(
    sight: &Sight<'_>,
    depth: usize,
    search: impl Fn(usize) -> Result<Vec<(DocumentId, f32)>, E>,
) -> Result<Vec<Offer>, E> {
    // Several documents may speak for one hit; most often one does, and each costs a comparison.
    let mut asked = depth;
    loop {
        let documents = search(asked)?;
        let exhausted = documents.len() < asked;
        let mut places: HashSet<Found> = HashSet::with_capacity(depth);
        let mut offers = Vec::with_capacity(depth);
        for (document, score) in documents {
            let found = sight.found(document);
            if places.insert(found) {
                offers.push((found, document, score));
            }
        }
        if offers.len() >= depth || exhausted {
            offers.truncate(depth);
            return Ok(offers);
        }
        asked *= 2;
    }
}
