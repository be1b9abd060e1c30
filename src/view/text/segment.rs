//! One segment of the index, opened for reading, and the walk along one of its lists of documents.

use std::sync::Arc;

use tantivy::columnar::Column;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::InvertedIndexReader;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::query::Bm25Weight;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, SegmentReader, TERMINATED};

use crate::types::DocumentId;

use super::bm25::{Statistics, TermWeight, average_length};
use super::error::TextError;
use super::index::{DOCUMENT, Fields};

/// Documents of a block that is stored with a bound; only the last block of a list is shorter.
const BLOCK: usize = 128;

pub(super) struct Segment {
    inverted: Arc<InvertedIndexReader>,
    norms: FieldNormReader,
    documents: Column<u64>,
    len: u32,
}

impl Segment {
    pub(super) fn open(reader: &SegmentReader, fields: Fields) -> Result<Segment, TextError> {
        Ok(Segment {
            inverted: reader.inverted_index(fields.body)?,
            norms: reader.get_fieldnorms_reader(fields.body)?,
            documents: reader.fast_fields().u64(DOCUMENT)?,
            len: reader.max_doc(),
        })
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
        let raw = self.documents.values.get_val(place);
        DocumentId::new(u32::try_from(raw).expect("document ids are 32 bits wide"))
    }

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
        info: &TermInfo,
        weight: &'a TermWeight,
        statistics: &Statistics,
        document_frequency: u64,
    ) -> Result<Cursor<'a>, TextError> {
        let average = average_length(self.len.into(), self.tokens());
        let stored = (info.doc_freq as usize >= BLOCK).then(|| {
            Bm25Weight::for_one_term_without_explain(
                document_frequency,
                statistics.documents(),
                average,
            )
        });
        Ok(Cursor {
            postings: self.postings(info)?,
            place: 0,
            segment: self,
            weight,
            stored,
            stretch: statistics.stretch(average),
        })
    }
}

/// A place in the list of documents that hold one term. It only moves forward.
pub(super) struct Cursor<'a> {
    postings: BlockSegmentPostings,
    /// Place in the block that is decoded.
    place: usize,
    segment: &'a Segment,
    weight: &'a TermWeight,
    /// The weight under which the bounds of the blocks were stored.
    stored: Option<Bm25Weight>,
    stretch: f32,
}

impl Cursor<'_> {
    /// The document it stands on; [`TERMINATED`] past the last.
    pub(super) fn doc(&self) -> DocId {
        self.postings.docs().get(self.place).copied().unwrap_or(TERMINATED)
    }

    /// No document scores more.
    pub(super) fn bound(&self) -> u32 {
        self.weight.bound()
    }

    /// The score of a document, none when the term is not in it.
    pub(super) fn score_at(&mut self, doc: DocId) -> u32 {
        if self.doc() < doc {
            self.place = self.postings.seek(doc);
        }
        if self.doc() != doc {
            return 0;
        }
        self.weight.score(self.segment.norm(doc), self.postings.freqs()[self.place])
    }

    /// Adds the scores of the documents from where it stands up to `end`, in a window that begins
    /// at `start`. A block whose best document stays below `needed` is passed over.
    pub(super) fn accumulate(&mut self, start: DocId, end: DocId, needed: u32, scores: &mut [u32]) {
        while self.doc() < end {
            let skips = self.block_bound() < needed;
            let docs = &self.postings.docs()[self.place..];
            let inside = match docs.last() {
                Some(last) if *last < end => docs.len(),
                _ => docs.partition_point(|doc| *doc < end),
            };
            if !skips {
                let freqs = &self.postings.freqs()[self.place..];
                for (doc, frequency) in docs[..inside].iter().zip(freqs) {
                    let norm = self.segment.norms.fieldnorm_id(*doc);
                    scores[(doc - start) as usize] += self.weight.score(norm, *frequency);
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
        match &self.stored {
            Some(stored) if self.postings.docs().len() == BLOCK => {
                let best = self.postings.block_max_score(&self.segment.norms, stored);
                self.weight.block_bound(best, self.stretch)
            }
            _ => self.weight.bound(),
        }
    }
}
