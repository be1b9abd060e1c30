//! The search: the best visible documents over segments and tail.
//!
//! Per segment the terms are sorted by what they can add at most. Those that cannot lift a document
//! into the list even together are not walked, only asked about documents the others propose; the
//! more good documents are found, the more terms are of that kind.

use tantivy::postings::TermInfo;
use tantivy::{DocId, TERMINATED};

use crate::types::DocumentId;
use crate::types::limits::TEXT_QUERY_TERMS_MAX;

use super::bm25::{TermWeight, shown};
use super::error::TextError;
use super::fold::Snapshot;
use super::query::TextQuery;
use super::segment::{Cursor, Segment};
use super::top::Top;

/// Documents that are scored at once: their scores stay in the nearest cache.
const WINDOW: u32 = 4_096;

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextHits {
    /// Best first, ties by id.
    pub hits: Vec<(DocumentId, f32)>,
    /// Terms of the query that were not searched, because there are too many: the commonest ones.
    pub terms_dropped: usize,
}

/// A term that some document holds.
struct Found<'a> {
    term: &'a str,
    document_frequency: u64,
    /// By segment.
    infos: Vec<Option<TermInfo>>,
}

pub(super) fn search(
    snapshot: &Snapshot,
    query: &TextQuery,
    limit: usize,
    visible: &dyn Fn(DocumentId) -> bool,
) -> Result<TextHits, TextError> {
    let mut found = look_up(snapshot, query)?;
    // The order of a query's words must not decide which of two equally common terms stays.
    found.sort_by(|a, b| (a.document_frequency, a.term).cmp(&(b.document_frequency, b.term)));
    let terms_dropped = query.terms_dropped() + found.len().saturating_sub(TEXT_QUERY_TERMS_MAX);
    found.truncate(TEXT_QUERY_TERMS_MAX);
    if limit == 0 || found.is_empty() {
        return Ok(TextHits { hits: Vec::new(), terms_dropped });
    }
    let statistics = snapshot.statistics();
    let weight = |found: &Found| TermWeight::new(&statistics, found.document_frequency);
    let terms: Vec<(&str, TermWeight)> =
        found.iter().map(|found| (found.term, weight(found))).collect();
    let mut top = Top::new(limit);
    for (place, segment) in snapshot.index.segments.iter().enumerate() {
        let mut cursors = Vec::with_capacity(found.len());
        for (found, (_, weight)) in found.iter().zip(&terms) {
            if let Some(info) = &found.infos[place] {
                let frequency = found.document_frequency;
                cursors.push(segment.cursor(info, weight, &statistics, frequency)?);
            }
        }
        walk(segment, cursors, &mut top, visible);
    }
    for piece in &snapshot.tail {
        piece.search(&terms, &mut top, visible);
    }
    let hits = top.into_sorted().map(|(document, score)| (document, shown(score))).collect();
    Ok(TextHits { hits, terms_dropped })
}

/// The terms that are anywhere, with how many documents hold them.
fn look_up<'a>(snapshot: &Snapshot, query: &'a TextQuery) -> Result<Vec<Found<'a>>, TextError> {
    let mut all = Vec::with_capacity(query.terms().len());
    for term in query.terms() {
        let segments = snapshot.index.segments.iter();
        let infos: Vec<Option<TermInfo>> =
            segments.map(|segment| segment.term(term)).collect::<Result<_, _>>()?;
        let indexed: u64 = infos.iter().flatten().map(|info| u64::from(info.doc_freq)).sum();
        let newer: usize = snapshot.tail.iter().map(|piece| piece.postings(term).len()).sum();
        let document_frequency = indexed + newer as u64;
        if document_frequency > 0 {
            all.push(Found { term, document_frequency, infos });
        }
    }
    Ok(all)
}

/// Offers the documents of one segment.
fn walk(
    segment: &Segment,
    mut cursors: Vec<Cursor<'_>>,
    top: &mut Top,
    visible: &dyn Fn(DocumentId) -> bool,
) {
    cursors.sort_by_key(Cursor::bound);
    // What the first terms can add together, from none of them to all.
    let sums: Vec<u32> = std::iter::once(0)
        .chain(cursors.iter().scan(0, |sum, cursor| {
            *sum += cursor.bound();
            Some(*sum)
        }))
        .collect();
    let all = sums[cursors.len()];
    let mut scores = vec![0; WINDOW as usize];
    loop {
        let threshold = top.threshold();
        let asked = sums.iter().skip(1).take_while(|sum| **sum < threshold).count();
        let (asked, walked) = cursors.split_at_mut(asked);
        let start = walked.iter().map(Cursor::doc).min().unwrap_or(TERMINATED);
        if start == TERMINATED {
            return;
        }
        let end = start.saturating_add(WINDOW).min(segment.len());
        for cursor in walked.iter_mut() {
            let others = all - cursor.bound();
            cursor.accumulate(start, end, threshold.saturating_sub(others), &mut scores);
        }
        let window = &mut scores[..(end - start) as usize];
        let mut offers = Offers { segment, asked, sums: &sums, top, visible };
        for (doc, score) in (start..end).zip(window.iter()) {
            if *score > 0 {
                offers.offer(doc, *score);
            }
        }
        window.fill(0);
    }
}

/// Documents that the walked terms propose.
struct Offers<'a, 'b> {
    segment: &'a Segment,
    asked: &'a mut [Cursor<'b>],
    sums: &'a [u32],
    top: &'a mut Top,
    visible: &'a dyn Fn(DocumentId) -> bool,
}

impl Offers<'_, '_> {
    /// Completes the score of a document with the terms that are only asked, the strongest first,
    /// for as long as it may get in.
    fn offer(&mut self, doc: DocId, mut score: u32) {
        if score + self.sums[self.asked.len()] < self.top.threshold() {
            return;
        }
        let document = self.segment.document(doc);
        for place in (0..self.asked.len()).rev() {
            if !self.top.admits(score + self.sums[place + 1], document) {
                return;
            }
            score += self.asked[place].score_at(doc);
        }
        if self.top.admits(score, document) && (self.visible)(document) {
            self.top.push(score, document);
        }
    }
}
