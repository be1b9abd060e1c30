//! One segment of the index, opened for reading, and the walk along one of its lists of documents.

use std::sync::Arc;

use tantivy::columnar::Column;
use tantivy::index::SegmentId;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::{DocId, SegmentReader, TERMINATED};

use crate::types::DocumentId;

use super::bm25::{Statistics, TermWeight};
use super::error::TextError;
use super::index::{DOCUMENT, Fields};
use super::list::{BLOCK, Blocks, List, Listed};
use super::window::Window;

pub(super) struct Segment {
    id: SegmentId,
    all: List,
    names: List,
    ids: Ids,
    len: u32,
}

impl Segment {
    pub(super) fn open(reader: &SegmentReader, fields: Fields) -> Result<Segment, TextError> {
        let documents = reader.fast_fields().u64(DOCUMENT)?;
        Ok(Segment {
            id: reader.segment_id(),
            all: List::open(reader, fields.body, Listed::All)?,
            names: List::open(reader, fields.name, Listed::Names)?,
            ids: Ids::of(&documents),
            len: reader.max_doc(),
        })
    }

    pub(super) fn id(&self) -> SegmentId {
        self.id
    }

    pub(super) fn len(&self) -> u32 {
        self.len
    }

    pub(super) fn list(&self, listed: Listed) -> &List {
        match listed {
            Listed::All => &self.all,
            Listed::Names => &self.names,
        }
    }

    /// The lowest id in it.
    pub(super) fn first(&self) -> u64 {
        match &self.ids {
            Ids::Run(first) => (*first).into(),
            Ids::Listed(ids) => ids.iter().min().copied().unwrap_or(0).into(),
        }
    }

    pub(super) fn document(&self, place: DocId) -> DocumentId {
        match &self.ids {
            Ids::Run(first) => DocumentId::new(first + place),
            Ids::Listed(ids) => DocumentId::new(ids[place as usize]),
        }
    }
}

/// The ids of the documents of a segment, by their place.
enum Ids {
    /// They follow one another from here.
    Run(u32),
    /// As they were merged. A search asks for so many that their column is too slow.
    Listed(Vec<u32>),
}

impl Ids {
    fn of(documents: &Column<u64>) -> Ids {
        let id = |id| u32::try_from(id).expect("document ids are 32 bits wide");
        let first = documents.min_value();
        if documents.values.iter().zip(first..).all(|(id, next)| id == next) {
            Ids::Run(id(first))
        } else {
            Ids::Listed(documents.values.iter().map(id).collect())
        }
    }
}

impl List {
    pub(super) fn cursor<'a>(
        &'a self,
        term: &str,
        info: &TermInfo,
        weight: &'a TermWeight,
        statistics: &Statistics,
    ) -> Result<Cursor<'a>, TextError> {
        Ok(Cursor {
            postings: self.postings(info)?,
            place: 0,
            list: self,
            weight,
            blocks: self.blocks(term, info)?,
            block: 0,
            bound: 0,
            stretch: statistics.stretch(self.average()),
        })
    }
}

/// A place in the list of documents that hold one term. It only moves forward.
pub(super) struct Cursor<'a> {
    postings: BlockSegmentPostings,
    /// Place in the block that is decoded.
    place: usize,
    list: &'a List,
    weight: &'a TermWeight,
    blocks: Arc<Blocks>,
    /// The first block that reaches into the current window.
    block: usize,
    /// No document of the current window scores more.
    bound: u32,
    stretch: f32,
}

impl Cursor<'_> {
    /// The document it stands on; [`TERMINATED`] past the last.
    pub(super) fn doc(&self) -> DocId {
        self.postings.docs().get(self.place).copied().unwrap_or(TERMINATED)
    }

    /// Prepares for a window, which begins behind the last one.
    pub(super) fn enter(&mut self, window: &Window) {
        let blocks = &self.blocks;
        while blocks.last.get(self.block).is_some_and(|last| *last < window.start()) {
            self.block += 1;
        }
        let mut best = 0.0_f32;
        for (share, last) in blocks.best[self.block..].iter().zip(&blocks.last[self.block..]) {
            best = best.max(*share);
            if *last >= window.end() - 1 {
                break;
            }
        }
        let is_past = self.doc() >= window.end();
        self.bound =
            if is_past || best == 0.0 { 0 } else { self.weight.bound_for(best, self.stretch) };
    }

    /// No document of the current window scores more.
    pub(super) fn bound(&self) -> u32 {
        self.bound
    }

    /// The score of a document, none when the term is not in it.
    pub(super) fn score_at(&mut self, doc: DocId) -> u32 {
        self.seek(doc);
        if self.doc() != doc {
            return 0;
        }
        self.weight.score(self.list.norm(doc), self.postings.freqs()[self.place])
    }

    fn seek(&mut self, doc: DocId) {
        if self.doc() < doc {
            self.place = self.postings.seek(doc);
        }
    }

    /// Adds the scores of the documents of a window. A block whose best document stays below `needed`
    /// is passed over, and so is a document that is not `wanted`.
    pub(super) fn accumulate(
        &mut self,
        window: &mut Window,
        needed: u32,
        wanted: impl Fn(DocId) -> bool,
    ) {
        self.seek(window.start());
        while self.doc() < window.end() {
            let skips = needed > 0 && self.block_bound() < needed;
            let docs = &self.postings.docs()[self.place..];
            let inside = match docs.last() {
                Some(last) if *last < window.end() => docs.len(),
                _ => docs.partition_point(|doc| *doc < window.end()),
            };
            if !skips {
                let freqs = &self.postings.freqs()[self.place..];
                let all = docs[..inside].iter().zip(freqs);
                for (doc, frequency) in all.filter(|(doc, _)| wanted(**doc)) {
                    window.add(*doc, self.weight.score(self.list.norm(*doc), *frequency));
                }
            }
            self.place += inside;
            if self.place == self.postings.docs().len() {
                self.postings.advance();
                self.place = 0;
            }
        }
    }

    fn block_bound(&mut self) -> u32 {
        if self.postings.docs().len() < BLOCK {
            return self.bound;
        }
        let best = self.list.best(&mut self.postings);
        self.weight.bound_for(best, self.stretch)
    }
}
