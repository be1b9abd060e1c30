//! One segment of the index, opened for reading, and the walk along one of its lists of documents.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use tantivy::columnar::Column;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::{InvertedIndexReader, SegmentId};
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, SegmentReader, TERMINATED};

use crate::types::DocumentId;
use crate::types::limits::TEXT_BOUNDS_MAX;

use super::bm25::{Gauge, Statistics, TermWeight};
use super::error::TextError;
use super::index::{DOCUMENT, Fields};
use super::window::Window;

/// Documents of a block that is stored with a bound; only the last block of a list is shorter.
const BLOCK: usize = 128;

pub(super) struct Segment {
    id: SegmentId,
    inverted: Arc<InvertedIndexReader>,
    norms: FieldNormReader,
    documents: Column<u64>,
    /// The first id, when the ids follow one another.
    run: Option<u32>,
    len: u32,
    gauge: Gauge,
    /// The blocks of long lists. To know them, the whole list has to be decoded once.
    blocks: RwLock<HashMap<String, Arc<Blocks>>>,
}

impl Segment {
    pub(super) fn open(reader: &SegmentReader, fields: Fields) -> Result<Segment, TextError> {
        let inverted = reader.inverted_index(fields.body)?;
        let documents = reader.fast_fields().u64(DOCUMENT)?;
        let first = documents.min_value();
        let follows = documents.values.iter().zip(first..).all(|(id, next)| id == next);
        let run = u32::try_from(first).ok().filter(|_| follows);
        Ok(Segment {
            id: reader.segment_id(),
            run,
            gauge: Gauge::new(reader.max_doc().into(), inverted.total_num_tokens()),
            blocks: RwLock::default(),
            inverted,
            norms: reader.get_fieldnorms_reader(fields.body)?,
            documents,
            len: reader.max_doc(),
        })
    }

    pub(super) fn id(&self) -> SegmentId {
        self.id
    }

    pub(super) fn len(&self) -> u32 {
        self.len
    }

    pub(super) fn tokens(&self) -> u64 {
        self.inverted.total_num_tokens()
    }

    /// The lowest id in it.
    pub(super) fn first(&self) -> u64 {
        self.documents.min_value()
    }

    pub(super) fn document(&self, place: DocId) -> DocumentId {
        if let Some(first) = self.run {
            return DocumentId::new(first + place);
        }
        let raw = self.documents.values.get_val(place);
        DocumentId::new(u32::try_from(raw).expect("document ids are 32 bits wide"))
    }

    #[inline]
    pub(super) fn norm(&self, place: DocId) -> u8 {
        self.norms.fieldnorm_id(place)
    }

    pub(super) fn inverted(&self) -> &InvertedIndexReader {
        &self.inverted
    }

    pub(super) fn term(&self, term: &str) -> Result<Option<TermInfo>, TextError> {
        Ok(self.inverted.terms().get(term.as_bytes())?)
    }

    pub(super) fn postings(&self, info: &TermInfo) -> Result<BlockSegmentPostings, TextError> {
        let option = IndexRecordOption::WithFreqs;
        Ok(self.inverted.read_block_postings_from_terminfo(info, option)?)
    }

    pub(super) fn cursor<'a>(
        &'a self,
        term: &str,
        info: &TermInfo,
        weight: &'a TermWeight,
        statistics: &Statistics,
    ) -> Result<Cursor<'a>, TextError> {
        let stretch = statistics.stretch(self.gauge.average());
        let mut postings = self.postings(info)?;
        let blocks = if info.doc_freq as usize <= BLOCK {
            let best = self.gauge.best(&mut postings, &self.norms);
            Arc::new(Blocks { last: vec![TERMINATED], best: vec![best] })
        } else {
            self.blocks(term, info)?
        };
        Ok(Cursor {
            postings,
            place: 0,
            segment: self,
            weight,
            blocks,
            block: 0,
            bound: 0,
            stretch,
        })
    }

    fn blocks(&self, term: &str, info: &TermInfo) -> Result<Arc<Blocks>, TextError> {
        let known = self.blocks.read().unwrap_or_else(PoisonError::into_inner).get(term).cloned();
        if let Some(blocks) = known {
            return Ok(blocks);
        }
        let mut postings = self.postings(info)?;
        let mut blocks = Blocks::default();
        while let Some(last) = postings.docs().last() {
            blocks.last.push(*last);
            blocks.best.push(self.gauge.best(&mut postings, &self.norms));
            postings.advance();
        }
        let blocks = Arc::new(blocks);
        let mut known = self.blocks.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < TEXT_BOUNDS_MAX {
            known.insert(term.to_owned(), Arc::clone(&blocks));
        }
        Ok(blocks)
    }
}

/// The blocks of one list: where each ends, and the share its best document gets.
#[derive(Default)]
struct Blocks {
    last: Vec<DocId>,
    best: Vec<f32>,
}

/// A place in the list of documents that hold one term. It only moves forward.
pub(super) struct Cursor<'a> {
    postings: BlockSegmentPostings,
    /// Place in the block that is decoded.
    place: usize,
    segment: &'a Segment,
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
        self.weight.score(self.segment.norm(doc), self.postings.freqs()[self.place])
    }

    fn seek(&mut self, doc: DocId) {
        if self.doc() < doc {
            self.place = self.postings.seek(doc);
        }
    }

    /// Adds the scores of the documents of a window. A block whose best document stays below `needed`
    /// is passed over.
    pub(super) fn accumulate(&mut self, window: &mut Window, needed: u32) {
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
                for (doc, frequency) in docs[..inside].iter().zip(freqs) {
                    window.add(*doc, self.weight.score(self.segment.norm(*doc), *frequency));
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
        let best = self.segment.gauge.best(&mut self.postings, &self.segment.norms);
        self.weight.bound_for(best, self.stretch)
    }
}
