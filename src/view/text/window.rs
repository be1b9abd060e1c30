//! Scores of documents that stand close together, gathered term by term.

use tantivy::DocId;

/// Documents of one window: their scores stay in the nearest cache.
const LEN: u32 = 4_096;

pub(super) struct Window {
    start: DocId,
    end: DocId,
    scores: Vec<u32>,
    /// Which scores are there, a bit each.
    touched: Vec<u64>,
}

impl Window {
    pub(super) fn new() -> Window {
        let touched = vec![0; LEN as usize / 64];
        Window { start: 0, end: 0, scores: vec![0; LEN as usize], touched }
    }

    /// Moves on to the documents from `start`, below `len`. Nothing is gathered at this time.
    pub(super) fn start_at(&mut self, start: DocId, len: u32) {
        self.start = start;
        self.end = start.saturating_add(LEN).min(len);
    }

    pub(super) fn start(&self) -> DocId {
        self.start
    }

    pub(super) fn end(&self) -> DocId {
        self.end
    }

    #[inline]
    pub(super) fn add(&mut self, doc: DocId, score: u32) {
        let place = (doc - self.start) as usize;
        self.scores[place] += score;
        self.touched[place / 64] |= 1 << (place % 64);
    }

    /// Hands out what was gathered, in the order of documents.
    pub(super) fn drain(&mut self, mut each: impl FnMut(DocId, u32)) {
        for (word, first) in self.touched.iter_mut().zip((self.start..).step_by(64)) {
            while *word != 0 {
                let doc = first + word.trailing_zeros();
                *word &= *word - 1;
                each(doc, std::mem::take(&mut self.scores[(doc - self.start) as usize]));
            }
        }
    }
}
