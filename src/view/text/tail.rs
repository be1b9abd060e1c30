//! The tail: documents newer than the last commit, in memory, in pieces that never change.

use std::collections::HashMap;
use std::sync::Arc;

use tantivy::fieldnorm::FieldNormReader;

use crate::types::DocumentId;

use super::analyze::analyze;
use super::bm25::TermWeight;
use super::index::TERM_END;
use super::top::Top;

/// Documents one after the other, by the terms in them.
pub(super) struct Piece {
    first: DocumentId,
    /// The terms of each document as the index takes them.
    bodies: Vec<Arc<str>>,
    norms: Vec<u8>,
    tokens: u64,
    postings: HashMap<Arc<str>, Vec<Posting>>,
}

#[derive(Clone, Copy)]
pub(super) struct Posting {
    /// Place in the piece.
    pub(super) place: u32,
    pub(super) frequency: u32,
}

impl Piece {
    pub(super) fn build(first: DocumentId, texts: &[String]) -> Piece {
        let mut piece = Piece::empty(first);
        for text in texts {
            piece.push(text);
        }
        piece
    }

    pub(super) fn empty(first: DocumentId) -> Piece {
        let postings = HashMap::new();
        Piece { first, bodies: Vec::new(), norms: Vec::new(), tokens: 0, postings }
    }

    /// Takes the next document.
    pub(super) fn push(&mut self, text: &str) {
        let place = u32::try_from(self.bodies.len()).expect("document ids are 32 bits wide");
        let tokens = analyze(text).tokens;
        let mut body = String::with_capacity(text.len() * 2);
        for token in &tokens {
            body.push_str(&token.text);
            body.push(TERM_END);
            self.count(&token.text, place);
        }
        let length = u32::try_from(tokens.len()).expect("the length of a text is bounded");
        self.norms.push(FieldNormReader::fieldnorm_to_id(length));
        self.tokens += u64::from(length);
        self.bodies.push(body.into());
    }

    fn count(&mut self, term: &str, place: u32) {
        if !self.postings.contains_key(term) {
            self.postings.insert(term.into(), Vec::new());
        }
        let postings = self.postings.get_mut(term).expect("it was put there");
        match postings.last_mut() {
            Some(last) if last.place == place => last.frequency += 1,
            _ => postings.push(Posting { place, frequency: 1 }),
        }
    }

    /// Two pieces that follow one another, as one.
    pub(super) fn join(&self, next: &Piece) -> Piece {
        let offset = u32::try_from(self.len()).expect("document ids are 32 bits wide");
        let mut postings = self.postings.clone();
        for (term, more) in &next.postings {
            let moved =
                more.iter().map(|posting| Posting { place: posting.place + offset, ..*posting });
            postings.entry(term.clone()).or_default().extend(moved);
        }
        Piece {
            first: self.first,
            bodies: [self.bodies.as_slice(), &next.bodies].concat(),
            norms: [self.norms.as_slice(), &next.norms].concat(),
            tokens: self.tokens + next.tokens,
            postings,
        }
    }

    pub(super) fn first(&self) -> DocumentId {
        self.first
    }

    /// The document after its last.
    pub(super) fn next(&self) -> DocumentId {
        let len = u32::try_from(self.len()).expect("document ids are 32 bits wide");
        self.document(len)
    }

    pub(super) fn len(&self) -> usize {
        self.bodies.len()
    }

    pub(super) fn tokens(&self) -> u64 {
        self.tokens
    }

    pub(super) fn document(&self, place: u32) -> DocumentId {
        DocumentId::new(self.first.raw() + place)
    }

    pub(super) fn bodies(&self) -> impl Iterator<Item = (DocumentId, &Arc<str>)> {
        (self.first.raw()..).map(DocumentId::new).zip(&self.bodies)
    }

    pub(super) fn norm(&self, place: u32) -> u8 {
        self.norms[place as usize]
    }

    /// Every document with its quantized length.
    pub(super) fn norms(&self) -> impl Iterator<Item = (DocumentId, u8)> {
        (self.first.raw()..).map(DocumentId::new).zip(self.norms.iter().copied())
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = &str> {
        self.postings.keys().map(AsRef::as_ref)
    }

    pub(super) fn postings(&self, term: &str) -> &[Posting] {
        self.postings.get(term).map_or(&[], Vec::as_slice)
    }

    /// Offers every document that holds one of the terms.
    pub(super) fn search(
        &self,
        terms: &[(&str, TermWeight)],
        top: &mut Top,
        visible: &dyn Fn(DocumentId) -> bool,
    ) {
        let found = terms.iter().map(|(term, weight)| (self.postings(term), weight));
        let found: Vec<_> = found.filter(|(postings, _)| !postings.is_empty()).collect();
        if found.is_empty() {
            return;
        }
        let mut scores = vec![0_u32; self.len()];
        for (postings, weight) in found {
            for posting in postings {
                scores[posting.place as usize] +=
                    weight.score(self.norm(posting.place), posting.frequency);
            }
        }
        for (document, score) in (self.first.raw()..).map(DocumentId::new).zip(scores) {
            if score > 0 && top.admits(score, document) && visible(document) {
                top.push(score, document);
            }
        }
    }
}
