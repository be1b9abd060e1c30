//! A query: the distinct terms of a text.

use std::collections::HashSet;

use crate::types::limits::TEXT_QUERY_TERMS_EXAMINED_MAX;

use super::analyze::{Use, analyze};

/// What a text asks for. Nothing in it is syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextQuery {
    terms: Vec<String>,
    terms_dropped: usize,
    stop_words: usize,
}

/// What a text is found by, were it a document.
#[must_use]
pub fn found_by(text: &str) -> HashSet<String> {
    analyze(text).tokens.into_iter().map(|token| token.text).collect()
}

impl TextQuery {
    #[must_use]
    pub fn new(text: &str) -> TextQuery {
        let analysis = analyze(text);
        let mut seen = HashSet::new();
        let tokens = analysis.tokens.into_iter().filter(|token| token.used == Use::Both);
        let mut terms: Vec<String> =
            tokens.map(|token| token.text).filter(|term| seen.insert(term.clone())).collect();
        let terms_dropped = terms.len().saturating_sub(TEXT_QUERY_TERMS_EXAMINED_MAX);
        terms.truncate(TEXT_QUERY_TERMS_EXAMINED_MAX);
        TextQuery { terms, terms_dropped, stop_words: analysis.stop_words }
    }

    /// Distinct terms, in the order of the text.
    #[must_use]
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// Terms past those a query may have, not even looked up.
    #[must_use]
    pub fn terms_dropped(&self) -> usize {
        self.terms_dropped
    }

    /// Nothing to search for: no search finds anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// There were words, but none that says what a text is about.
    #[must_use]
    pub fn only_stop_words(&self) -> bool {
        self.terms.is_empty() && self.stop_words > 0
    }
}
