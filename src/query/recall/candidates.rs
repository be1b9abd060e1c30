//! What the legs offer, put together: each hit once, with what every leg says of it.

use std::collections::BTreeMap;

use crate::types::{DocumentId, Vector};
use crate::view::document::Documents;
use crate::view::vector::VectorView;

use super::super::traverse::Step;
use super::answer::Found;
use super::legs::Offer;
use super::request::Leg;
use super::sight::Sight;
use super::walk::Reached;

/// What one leg says of a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Said {
    /// From 1; missing where it was filled in.
    pub(super) rank: Option<u32>,
    pub(super) score: f32,
}

#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) found: Found,
    /// The document that speaks for it: the one the words found, if they did.
    pub(super) document: DocumentId,
    pub(super) text: Option<Said>,
    pub(super) vector: Option<Said>,
    pub(super) graph: Option<Said>,
    pub(super) path: Vec<Step>,
}

impl Candidate {
    fn new(found: Found, document: DocumentId) -> Candidate {
        Candidate { found, document, text: None, vector: None, graph: None, path: Vec::new() }
    }

    pub(super) fn said(&self, leg: Leg) -> Option<Said> {
        match leg {
            Leg::Text => self.text,
            Leg::Vector => self.vector,
            Leg::Graph => self.graph,
        }
    }
}

/// Candidates in the order of what was found, so that nothing depends on the order of the legs.
#[derive(Default)]
pub(super) struct Candidates {
    all: BTreeMap<Found, Candidate>,
}

impl Candidates {
    pub(super) fn add_text(&mut self, offers: Vec<Offer>) {
        for (rank, (found, document, score)) in (1..).zip(offers) {
            let candidate = self.candidate(found, document);
            candidate.text = Some(Said { rank: Some(rank), score });
        }
    }

    pub(super) fn add_vector(&mut self, offers: Vec<Offer>) {
        for (rank, (found, document, score)) in (1..).zip(offers) {
            let candidate = self.candidate(found, document);
            candidate.vector = Some(Said { rank: Some(rank), score });
        }
    }

    pub(super) fn add_graph(&mut self, documents: &Documents, reached: Vec<Reached>) {
        for (rank, Reached { triple, weight, path }) in (1..).zip(reached) {
            let fact = documents.fact(triple).expect("an edge is a fact that was recorded");
            let words = documents.words(fact).expect("a fact that held has its words");
            let candidate = self.candidate(Found::Fact(triple), words);
            candidate.graph = Some(Said { rank: Some(rank), score: weight });
            candidate.path = path;
        }
    }

    fn candidate(&mut self, found: Found, document: DocumentId) -> &mut Candidate {
        self.all.entry(found).or_insert_with(|| Candidate::new(found, document))
    }

    /// Fills in the cosine of what other legs offered, so that a hit is not worse off for having
    /// just missed the list of the vector leg.
    pub(super) fn complete(&mut self, view: &VectorView, query: &Vector, sight: &Sight<'_>) {
        for candidate in self.all.values_mut().filter(|candidate| candidate.vector.is_none()) {
            let documents = documents_of(candidate, sight);
            let scores = documents.into_iter().filter_map(|id| view.similarity(query, id));
            let best = scores.max_by(f32::total_cmp);
            candidate.vector = best.map(|score| Said { rank: None, score });
        }
    }

    pub(super) fn into_vec(self) -> Vec<Candidate> {
        self.all.into_values().collect()
    }
}

/// The documents that speak for a candidate and are visible.
fn documents_of(candidate: &Candidate, sight: &Sight<'_>) -> Vec<DocumentId> {
    let Found::Fact(triple) = candidate.found else { return vec![candidate.document] };
    let mut documents = vec![candidate.document];
    let all = sight.snapshot().documents;
    documents.extend(all.fact(triple).and_then(|fact| all.words(fact)));
    documents.extend(sight.supports(triple).iter().filter_map(|support| support.document));
    documents
}
