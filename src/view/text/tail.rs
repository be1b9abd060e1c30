//! The tail: documents newer than the last commit, in memory, in pieces that never change.

use std::collections::HashMap;
use std::sync::Arc;

use tantivy::fieldnorm::FieldNormReader;

use crate::types::DocumentId;

use super::analyze::analyze;
use super::bm25::TermWeight;
use super::index::TERM_END;
use super::list::{Counts, Listed};
use super::top::Top;

/// What a document is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub text: String,
    /// The text is a name, and can be searched for among the names alone.
    pub is_name: bool,
}

/// Documents one after the other, by the terms in them.
pub(super) struct Piece {
    first: DocumentId,
    /// The terms of each document as the index takes them.
    bodies: Vec<Arc<str>>,
    norms: Vec<u8>,
    are_names: Vec<bool>,
    counts: [Counts; 2],
    postings: HashMap<Arc<str>, Vec<Posting>>,
}

#[derive(Clone, Copy)]
pub(super) struct Posting {
    /// Place in the piece.
    pub(super) place: u32,
    pub(super) frequency: u32,
}

impl Piece {
    pub(super) fn build(first: DocumentId, entries: &[Entry]) -> Piece {
        let mut piece = Piece::empty(first);
        for entry in entries {
            piece.push(entry);
        }
        piece
    }

    pub(super) fn empty(first: DocumentId) -> Piece {
        Piece {
            first,
            bodies: Vec::new(),
            norms: Vec::new(),
            are_names: Vec::new(),
            counts: [Counts::default(); 2],
            postings: HashMap::new(),
        }
    }

    /// Takes the next document.
    pub(super) fn push(&mut self, Entry { text, is_name }: &Entry) {
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
        let counts = Counts { documents: 1, tokens: length.into() };
        let [all, names] = self.counts;
        let among_names = *is_name && length > 0;
        self.counts = [all + counts, if among_names { names + counts } else { names }];
        self.are_names.push(*is_name);
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
            are_names: [self.are_names.as_slice(), &next.are_names].concat(),
            counts: std::array::from_fn(|list| self.counts[list] + next.counts[list]),
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

    pub(super) fn counts(&self, listed: Listed) -> Counts {
        self.counts[listed as usize]
    }

    pub(super) fn document(&self, place: u32) -> DocumentId {
        DocumentId::new(self.first.raw() + place)
    }

    /// Every document with its terms, and whether it is a name.
    pub(super) fn bodies(&self) -> impl Iterator<Item = (DocumentId, &Arc<str>, bool)> {
        let ids = (self.first.raw()..).map(DocumentId::new);
        ids.zip(self.bodies.iter().zip(&self.are_names)).map(|(id, (body, is))| (id, body, *is))
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

    /// The documents of a list that hold a term.
    pub(super) fn postings(
        &self,
        term: &str,
        listed: Listed,
    ) -> impl Iterator<Item = Posting> + Clone {
        let postings = self.postings.get(term).map_or(&[][..], Vec::as_slice).iter().copied();
        let lists = move |posting: &Posting| match listed {
            Listed::All => true,
            Listed::Names => self.are_names[posting.place as usize],
        };
        postings.filter(lists)
    }

    /// Offers every document that holds one of the terms.
    pub(super) fn search(
        &self,
        terms: &[(&str, TermWeight)],
        listed: Listed,
        top: &mut Top,
        visible: &dyn Fn(DocumentId) -> bool,
    ) {
        let found = terms.iter().filter_map(|(term, weight)| {
            let mut postings = self.postings(term, listed).peekable();
            postings.peek()?;
            Some((postings, weight))
        });
        let found: Vec<_> = found.collect();
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
