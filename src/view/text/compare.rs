//! The check of a view against the texts it was made from, list by list.

use std::collections::{BTreeMap, BTreeSet};

use crate::types::DocumentId;
use crate::types::limits::TEXT_DIFFERENCES_MAX;

use super::error::TextError;
use super::fold::Snapshot;
use super::list::Listed;
use super::tail::{Entry, Piece, Posting};

/// What a view has and should not, or should have and has not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextDifferences {
    pub count: usize,
    /// The first few.
    pub first: Vec<TextDifference>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextDifference {
    /// A document is there another number of times than once, or at all though it was never given.
    Document { document: DocumentId, expected: u32, found: u32 },
    /// The length of a document, quantized as the ranking uses it.
    Length { document: DocumentId, expected: u8, found: u8 },
    /// How often a term is in a document; none when it is not.
    Term { term: String, document: DocumentId, expected: Option<u32>, found: Option<u32> },
    /// The same among the documents that are a name.
    Name { term: String, document: DocumentId, expected: Option<u32>, found: Option<u32> },
}

impl TextDifferences {
    fn push(&mut self, difference: impl FnOnce() -> TextDifference) {
        self.count += 1;
        if self.first.len() < TEXT_DIFFERENCES_MAX {
            self.first.push(difference());
        }
    }
}

pub(super) fn compare(
    snapshot: &Snapshot,
    entries: impl Iterator<Item = (DocumentId, Entry)>,
) -> Result<TextDifferences, TextError> {
    let mut expected = Piece::empty(DocumentId::new(0));
    for (document, entry) in entries {
        assert_eq!(document, expected.next(), "texts come in the order of their documents");
        expected.push(&entry);
    }
    let mut differences = TextDifferences::default();
    compare_documents(snapshot, &expected, &mut differences);
    compare_lengths(snapshot, &expected, &mut differences);
    let mut terms: BTreeSet<String> = expected.terms().map(str::to_owned).collect();
    for piece in &snapshot.tail {
        terms.extend(piece.terms().map(str::to_owned));
    }
    for segment in &snapshot.index.segments {
        for listed in [Listed::All, Listed::Names] {
            let mut stream = segment.list(listed).inverted().terms().stream()?;
            while let Some((term, _)) = stream.next() {
                terms.insert(String::from_utf8_lossy(term).into_owned());
            }
        }
    }
    for term in terms {
        for listed in [Listed::All, Listed::Names] {
            let found = holders(snapshot, &term, listed)?;
            let expected = expected.postings(&term, listed);
            compare_term(&term, listed, expected, &found, &mut differences);
        }
    }
    Ok(differences)
}

/// Every place where a view keeps documents, with their quantized lengths.
fn all_documents(snapshot: &Snapshot) -> impl Iterator<Item = (DocumentId, u8)> {
    let indexed = snapshot.index.segments.iter().flat_map(|segment| {
        (0..segment.len())
            .map(|place| (segment.document(place), segment.list(Listed::All).norm(place)))
    });
    let newer = snapshot.tail.iter().flat_map(|piece| piece.norms());
    indexed.chain(newer)
}

fn compare_documents(snapshot: &Snapshot, expected: &Piece, differences: &mut TextDifferences) {
    let mut times: BTreeMap<DocumentId, u32> = expected.norms().map(|(id, _)| (id, 0)).collect();
    for (document, _) in all_documents(snapshot) {
        *times.entry(document).or_default() += 1;
    }
    for (document, found) in times {
        let expected = u32::from(document < expected.next());
        if found != expected {
            differences.push(|| TextDifference::Document { document, expected, found });
        }
    }
}

fn compare_lengths(snapshot: &Snapshot, expected: &Piece, differences: &mut TextDifferences) {
    for (document, found) in all_documents(snapshot) {
        if document < expected.next() {
            let expected = expected.norm(document.raw());
            if expected != found {
                differences.push(|| TextDifference::Length { document, expected, found });
            }
        }
    }
}

/// The documents that hold a term, ascending, with how often they do.
fn holders(
    snapshot: &Snapshot,
    term: &str,
    listed: Listed,
) -> Result<Vec<(DocumentId, u32)>, TextError> {
    let mut found = Vec::new();
    for segment in &snapshot.index.segments {
        let list = segment.list(listed);
        let Some(info) = list.term(term)? else { continue };
        let mut postings = list.postings(&info)?;
        while !postings.docs().is_empty() {
            let held = postings.docs().iter().zip(postings.freqs());
            found.extend(held.map(|(place, frequency)| (segment.document(*place), *frequency)));
            postings.advance();
        }
    }
    for piece in &snapshot.tail {
        let held = piece.postings(term, listed);
        found.extend(held.map(|held| (piece.document(held.place), held.frequency)));
    }
    found.sort_unstable();
    Ok(found)
}

fn compare_term(
    term: &str,
    listed: Listed,
    expected: impl Iterator<Item = Posting>,
    found: &[(DocumentId, u32)],
    differences: &mut TextDifferences,
) {
    let mut expected =
        expected.map(|held| (DocumentId::new(held.place), held.frequency)).peekable();
    let mut found = found.iter().copied().peekable();
    loop {
        let (wanted, given) = match (expected.peek().copied(), found.peek().copied()) {
            (None, None) => return,
            (Some(wanted), Some(given)) if wanted.0 == given.0 => (expected.next(), found.next()),
            (Some(wanted), Some(given)) if given.0 < wanted.0 => (None, found.next()),
            (None, Some(_)) => (None, found.next()),
            _ => (expected.next(), None),
        };
        if wanted != given {
            let document = wanted.or(given).expect("one of them was there").0;
            let frequency = |held: Option<(DocumentId, u32)>| held.map(|(_, frequency)| frequency);
            let (term, expected, found) = (term.to_owned(), frequency(wanted), frequency(given));
            differences.push(|| match listed {
                Listed::All => TextDifference::Term { term, document, expected, found },
                Listed::Names => TextDifference::Name { term, document, expected, found },
            });
        }
    }
}
