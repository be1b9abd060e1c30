//! The search: the best visible documents over segments and tail.
//!
//! A segment is searched in windows of documents. In each the terms are sorted by what they can add
//! at most. Those that cannot lift a document into the list even together are not walked, only asked
//! about documents the others propose; the more good documents are found, the more terms are of that
//! kind, until whole windows are passed over.

use tantivy::postings::TermInfo;
use tantivy::{DocId, TERMINATED};

use crate::types::limits::TEXT_QUERY_TERMS_MAX;
use crate::types::{Bits, DocumentId};

use super::bm25::{TermWeight, shown};
use super::error::TextError;
use super::fold::Snapshot;
use super::list::Listed;
use super::query::TextQuery;
use super::segment::{Cursor, Segment};
use super::top::Top;
use super::window::Window;

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
    listed: Listed,
    query: &TextQuery,
    limit: usize,
    mut sight: Sight<'_>,
) -> Result<TextHits, TextError> {
    let mut found = look_up(snapshot, listed, query)?;
    // The order of a query's words must not decide which of two equally common terms stays.
    found.sort_by(|a, b| (a.document_frequency, a.term).cmp(&(b.document_frequency, b.term)));
    let terms_dropped = query.terms_dropped() + found.len().saturating_sub(TEXT_QUERY_TERMS_MAX);
    found.truncate(TEXT_QUERY_TERMS_MAX);
    if limit == 0 || found.is_empty() {
        return Ok(TextHits { hits: Vec::new(), terms_dropped });
    }
    let statistics = snapshot.statistics(listed);
    let weight = |found: &Found| TermWeight::new(&statistics, found.document_frequency);
    let terms: Vec<(&str, TermWeight)> =
        found.iter().map(|found| (found.term, weight(found))).collect();
    let mut top = Top::new(limit);
    for (place, segment) in snapshot.index.segments.iter().enumerate() {
        let mut cursors = Vec::with_capacity(found.len());
        for (found, (term, weight)) in found.iter().zip(&terms) {
            if let Some(info) = &found.infos[place] {
                cursors.push(segment.list(listed).cursor(term, info, weight, &statistics)?);
            }
        }
        walk(segment, cursors, &mut top, &mut sight);
    }
    for piece in &snapshot.tail {
        piece.search(&terms, listed, &mut top, sight.visible);
    }
    let hits = top.into_sorted().map(|(document, score)| (document, shown(score))).collect();
    Ok(TextHits { hits, terms_dropped })
}

/// The terms that are anywhere, with how many documents hold them.
fn look_up<'a>(
    snapshot: &Snapshot,
    listed: Listed,
    query: &'a TextQuery,
) -> Result<Vec<Found<'a>>, TextError> {
    let mut all = Vec::with_capacity(query.terms().len());
    for term in query.terms() {
        let segments = snapshot.index.segments.iter();
        let infos: Vec<Option<TermInfo>> =
            segments.map(|segment| segment.list(listed).term(term)).collect::<Result<_, _>>()?;
        let indexed: u64 = infos.iter().flatten().map(|info| u64::from(info.doc_freq)).sum();
        let newer: usize =
            snapshot.tail.iter().map(|piece| piece.postings(term, listed).count()).sum();
        let document_frequency = indexed + newer as u64;
        if document_frequency > 0 {
            all.push(Found { term, document_frequency, infos });
        }
    }
    Ok(all)
}

/// How rare each term of the query is, in its order: 0 for one that no document holds.
pub(super) fn rarities(snapshot: &Snapshot, query: &TextQuery) -> Result<Vec<f32>, TextError> {
    let found = look_up(snapshot, Listed::All, query)?;
    if found.is_empty() {
        return Ok(vec![0.0; query.terms().len()]);
    }
    let statistics = snapshot.statistics(Listed::All);
    let mut found = found.into_iter().peekable();
    // What was found comes in the order of the query.
    let rarity = |term: &String| {
        let held = found.next_if(|found| found.term == term);
        held.map_or(0.0, |found| statistics.rarity(found.document_frequency))
    };
    Ok(query.terms().iter().map(rarity).collect())
}

/// Offers the documents of one segment, window by window.
fn walk(segment: &Segment, mut cursors: Vec<Cursor<'_>>, top: &mut Top, sight: &mut Sight<'_>) {
    let mut window = Window::new();
    let mut order: Vec<usize> = (0..cursors.len()).collect();
    let mut sums = Vec::with_capacity(cursors.len());
    let mut from = 0;
    loop {
        let next = cursors.iter().map(Cursor::doc).min().unwrap_or(TERMINATED);
        from = next.max(from);
        if from >= segment.len() {
            return;
        }
        window.start_at(from, segment.len());
        from = window.end();
        for cursor in &mut cursors {
            cursor.enter(&window);
        }
        order.sort_unstable_by_key(|place| cursors[*place].bound());
        sums.clear();
        sums.extend(order.iter().scan(0, |sum, place| {
            *sum += cursors[*place].bound();
            Some(*sum)
        }));
        let threshold = top.threshold();
        let asked = sums.iter().take_while(|sum| **sum < threshold).count();
        for place in &order[asked..] {
            let others = sums[order.len() - 1] - cursors[*place].bound();
            let needed = threshold.saturating_sub(others);
            match sight.hidden {
                None => cursors[*place].accumulate(&mut window, needed, |_| true),
                Some(hidden) => cursors[*place].accumulate(&mut window, needed, |doc| {
                    !hidden.has(segment.document(doc).index())
                }),
            }
        }
        let asked = &order[..asked];
        let mut offers = Offers { segment, cursors: &mut cursors, asked, sums: &sums, top, sight };
        window.drain(|doc, score| offers.offer(doc, score));
    }
}

/// Documents that the walked terms propose.
struct Offers<'a, 'b, 'c> {
    segment: &'a Segment,
    cursors: &'a mut [Cursor<'b>],
    /// The terms that are only asked, by what they can add in this window.
    asked: &'a [usize],
    /// What the first of them can add together.
    sums: &'a [u32],
    top: &'a mut Top,
    sight: &'a mut Sight<'c>,
}

impl Offers<'_, '_, '_> {
    #[inline]
    fn offer(&mut self, doc: DocId, score: u32) {
        let most = self.asked.len().checked_sub(1).map_or(0, |last| self.sums[last]);
        if score + most >= self.top.threshold() {
            self.complete(doc, score);
        }
    }

    /// Completes the score of a document with the terms that are only asked, the strongest first,
    /// for as long as it may get in. Asking terms costs more than asking the caller, so where most
    /// documents are hidden the caller is asked before.
    fn complete(&mut self, doc: DocId, mut score: u32) {
        let document = self.segment.document(doc);
        let hidden_mostly = self.sight.hides_most();
        if hidden_mostly && !self.sight.sees(document) {
            return;
        }
        for (place, sum) in self.asked.iter().zip(self.sums).rev() {
            if !self.top.admits(score + sum, document) {
                return;
            }
            score += self.cursors[*place].score_at(doc);
        }
        if self.top.admits(score, document) && (hidden_mostly || self.sight.sees(document)) {
            self.top.push(score, document);
        }
    }
}

/// What the caller lets be seen, and how much of it so far.
pub(super) struct Sight<'a> {
    visible: &'a dyn Fn(DocumentId) -> bool,
    /// Documents that are not visible, without asking.
    hidden: Option<&'a Bits>,
    asked: u32,
    seen: u32,
}

impl<'a> Sight<'a> {
    pub(super) fn new(
        visible: &'a dyn Fn(DocumentId) -> bool,
        hidden: Option<&'a Bits>,
    ) -> Sight<'a> {
        Sight { visible, hidden, asked: 0, seen: 0 }
    }

    fn sees(&mut self, document: DocumentId) -> bool {
        let sees = (self.visible)(document);
        self.asked += 1;
        self.seen += u32::from(sees);
        sees
    }

    fn hides_most(&self) -> bool {
        self.seen < self.asked / 2
    }
}
