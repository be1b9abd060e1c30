//! One list of documents of a segment: by each term the documents that hold it, and their lengths.

use std::collections::HashMap;
use std::iter::Sum;
use std::ops::Add;
use std::sync::{Arc, PoisonError, RwLock};

use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::InvertedIndexReader;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, SegmentReader, TERMINATED};

use crate::types::limits::TEXT_BOUNDS_MAX;

use super::bm25::Gauge;
use super::error::TextError;

/// Documents of a block that is stored with a bound; only the last block of a list is shorter.
pub(super) const BLOCK: usize = 128;

/// Which documents are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listed {
    All,
    Names,
}

/// Documents of a list that hold any term, and the terms in them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) documents: u64,
    pub(super) tokens: u64,
}

impl Add for Counts {
    type Output = Counts;

    fn add(self, other: Counts) -> Counts {
        let documents = self.documents + other.documents;
        Counts { documents, tokens: self.tokens + other.tokens }
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(all: I) -> Counts {
        all.fold(Counts::default(), Counts::add)
    }
}

pub(super) struct List {
    inverted: Arc<InvertedIndexReader>,
    norms: FieldNormReader,
    counts: Counts,
    gauge: Gauge,
    /// The blocks of long lists. To know them, the whole list has to be decoded once.
    blocks: RwLock<HashMap<String, Arc<Blocks>>>,
}

/// The blocks of one list: where each ends, and the share its best document gets.
#[derive(Default)]
pub(super) struct Blocks {
    pub(super) last: Vec<DocId>,
    pub(super) best: Vec<f32>,
}

impl List {
    pub(super) fn open(
        reader: &SegmentReader,
        field: Field,
        listed: Listed,
    ) -> Result<List, TextError> {
        let inverted = reader.inverted_index(field)?;
        let norms = reader.get_fieldnorms_reader(field)?;
        let tokens = inverted.total_num_tokens();
        let documents = match listed {
            Listed::All => reader.max_doc().into(),
            Listed::Names => {
                (0..reader.max_doc()).map(|doc| u64::from(norms.fieldnorm_id(doc) > 0)).sum()
            }
        };
        let counts = Counts { documents, tokens };
        let gauge = Gauge::new(reader.max_doc().into(), tokens);
        Ok(List { inverted, norms, counts, gauge, blocks: RwLock::default() })
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    pub(super) fn average(&self) -> f32 {
        self.gauge.average()
    }

    pub(super) fn inverted(&self) -> &InvertedIndexReader {
        &self.inverted
    }

    #[inline]
    pub(super) fn norm(&self, place: DocId) -> u8 {
        self.norms.fieldnorm_id(place)
    }

    pub(super) fn term(&self, term: &str) -> Result<Option<TermInfo>, TextError> {
        Ok(self.inverted.terms().get(term.as_bytes())?)
    }

    pub(super) fn postings(&self, info: &TermInfo) -> Result<BlockSegmentPostings, TextError> {
        let option = IndexRecordOption::WithFreqs;
        Ok(self.inverted.read_block_postings_from_terminfo(info, option)?)
    }

    /// The share of the best document of the block that is decoded.
    pub(super) fn best(&self, postings: &mut BlockSegmentPostings) -> f32 {
        self.gauge.best(postings, &self.norms)
    }

    pub(super) fn blocks(&self, term: &str, info: &TermInfo) -> Result<Arc<Blocks>, TextError> {
        if info.doc_freq as usize <= BLOCK {
            let best = self.best(&mut self.postings(info)?);
            return Ok(Arc::new(Blocks { last: vec![TERMINATED], best: vec![best] }));
        }
        let known = self.blocks.read().unwrap_or_else(PoisonError::into_inner).get(term).cloned();
        if let Some(blocks) = known {
            return Ok(blocks);
        }
        let mut postings = self.postings(info)?;
        let mut blocks = Blocks::default();
        while let Some(last) = postings.docs().last() {
            blocks.last.push(*last);
            blocks.best.push(self.best(&mut postings));
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
