use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;

use super::super::analyze::analyze;
use super::super::bm25::{Statistics, TermWeight, shown};
use super::super::{Entry, TextHits, TextQuery, TextView};
use crate::types::DocumentId;

use tantivy::fieldnorm::FieldNormReader;

pub(super) const IDENTITY: [u8; 16] = [7; 16];

pub(super) fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

pub(super) fn memory() -> TextView {
    TextView::open(None, IDENTITY, None).expect("memory").view
}

pub(super) fn open(directory: &Path) -> TextView {
    TextView::open(Some(directory), IDENTITY, None).expect("a directory").view
}

pub(super) fn add(view: &TextView, texts: &[String]) {
    view.add(view.next(), &entries(texts));
}

/// No text is a name.
pub(super) fn entries(texts: &[String]) -> Vec<Entry> {
    let entry = |text: &String| Entry { text: text.clone(), is_name: false };
    texts.iter().map(entry).collect()
}

pub(super) fn search(
    view: &TextView,
    query: &str,
    limit: usize,
    visible: &(dyn Fn(DocumentId) -> bool + Sync),
) -> TextHits {
    view.search(&TextQuery::new(query), limit, visible).expect("a readable index")
}

pub(super) fn ids(view: &TextView, query: &str) -> Vec<u32> {
    let hits = search(view, query, 10, &|_| true).hits;
    hits.into_iter().map(|(document, _)| document.raw()).collect()
}

/// The same search without an index: every document is scored.
pub(super) struct Counted {
    documents: Vec<(HashMap<String, u32>, u32)>,
    statistics: Statistics,
}

impl Counted {
    pub(super) fn new(texts: &[String]) -> Counted {
        let documents: Vec<_> = texts.iter().map(|text| count(text)).collect();
        let tokens: u64 = documents.iter().map(|(_, length)| u64::from(*length)).sum();
        let statistics = Statistics::new(texts.len() as u64, tokens);
        Counted { documents, statistics }
    }

    pub(super) fn best(
        &self,
        query: &str,
        limit: usize,
        visible: &dyn Fn(DocumentId) -> bool,
    ) -> Vec<(DocumentId, f32)> {
        let mut scores = vec![0_u32; self.documents.len()];
        for term in TextQuery::new(query).terms() {
            let holders = self.documents.iter().filter(|(terms, _)| terms.contains_key(term));
            let weight = match holders.count() {
                0 => continue,
                holders => TermWeight::new(&self.statistics, holders as u64),
            };
            for (score, (terms, length)) in scores.iter_mut().zip(&self.documents) {
                if let Some(frequency) = terms.get(term) {
                    *score += weight.score(FieldNormReader::fieldnorm_to_id(*length), *frequency);
                }
            }
        }
        let all = (0..).map(DocumentId::new).zip(scores);
        let mut hits: Vec<_> =
            all.filter(|(document, score)| *score > 0 && visible(*document)).collect();
        hits.sort_by_key(|(document, score)| (Reverse(*score), *document));
        hits.truncate(limit);
        hits.into_iter().map(|(document, score)| (document, shown(score))).collect()
    }
}

fn count(text: &str) -> (HashMap<String, u32>, u32) {
    let tokens = analyze(text).tokens;
    let mut terms = HashMap::new();
    for token in &tokens {
        *terms.entry(token.text.clone()).or_default() += 1;
    }
    (terms, u32::try_from(tokens.len()).expect("a short text"))
}

/// Numbers that look random and are the same in every run.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % sides
    }

    /// A word, the first ones much commoner than the last.
    pub(super) fn word(&mut self, words: u64) -> String {
        let most = self.roll(words) + 1;
        format!("w{}", self.roll(most))
    }

    pub(super) fn text(&mut self, words: u64, length: u64) -> String {
        let length = self.roll(length) + 1;
        (0..length).map(|_| self.word(words)).collect::<Vec<_>>().join(" ")
    }
}
