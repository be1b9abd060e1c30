//! BM25 in whole numbers. Sums of whole numbers do not depend on their order, so neither the
//! segments of an index nor the terms of a query change a score.

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::BlockSegmentPostings;
use tantivy::query::Bm25Weight;

const K1: f32 = 1.2;
const B: f32 = 0.75;

/// Steps of a score in one unit of BM25. The largest sum, over all terms a query may have, stays
/// within 32 bits.
const STEPS: f32 = 65_536.0;

/// What the documents of index and tail have in common.
pub(super) struct Statistics {
    documents: u64,
    average: f32,
    /// The part of the formula that depends on the length of a document, by quantized length.
    lengths: [f32; 256],
}

impl Statistics {
    pub(super) fn new(documents: u64, tokens: u64) -> Statistics {
        let average = average_length(documents, tokens);
        let lengths = std::array::from_fn(|norm| {
            let norm = u8::try_from(norm).expect("a table of 256");
            let length = real(FieldNormReader::id_to_fieldnorm(norm).into());
            K1 * (1.0 - B + B * length / average)
        });
        Statistics { documents, average, lengths }
    }

    /// How much longer the average document is here than in a segment of `average`, at least one.
    pub(super) fn stretch(&self, average: f32) -> f32 {
        (self.average / average).max(1.0)
    }

    /// How much it tells that a document holds a term that so many hold.
    pub(super) fn rarity(&self, document_frequency: u64) -> f32 {
        inverse_frequency(self.documents, document_frequency)
    }
}

/// One term of a query, ready to score.
pub(super) struct TermWeight {
    weight: f32,
    lengths: [f32; 256],
    /// Scores of a term that occurs once, by quantized length.
    once: [u32; 256],
}

impl TermWeight {
    /// A term that so many documents hold.
    pub(super) fn new(statistics: &Statistics, document_frequency: u64) -> TermWeight {
        let inverse = inverse_frequency(statistics.documents, document_frequency);
        let weight = inverse * (1.0 + K1);
        let lengths = statistics.lengths;
        let once = lengths.map(|length| steps(weight / (1.0 + length)));
        TermWeight { weight, lengths, once }
    }

    #[inline]
    pub(super) fn score(&self, norm: u8, frequency: u32) -> u32 {
        if frequency == 1 {
            return self.once[usize::from(norm)];
        }
        let frequency = real(frequency.into());
        steps(self.weight * (frequency / (frequency + self.lengths[usize::from(norm)])))
    }

    /// No document scores more.
    pub(super) fn bound(&self) -> u32 {
        steps(self.weight) + 1
    }

    /// No document scores more, when none of them has a larger share than `best` under the average
    /// length of its segment.
    ///
    /// The index keeps one document a block, the best one under that average. Under a longer average
    /// another may be better: with `x = frequency / length part`, a share is `x / (1 + x)`, and `x`
    /// grows by at most the ratio of the averages, so the bound lets it grow by as much.
    pub(super) fn bound_for(&self, best: f32, stretch: f32) -> u32 {
        const ROUNDING: f32 = 1.0 + 1e-4;
        if best >= 1.0 {
            return self.bound();
        }
        let grown = best / (1.0 - best) * stretch;
        let bound = steps(self.weight * (grown / (1.0 + grown)) * ROUNDING) + 1;
        bound.min(self.bound())
    }
}

/// Reads the bounds that a segment keeps: which share of the most a term can add its best document
/// gets under the average length of the segment.
pub(super) struct Gauge {
    weight: Bm25Weight,
    full: f32,
    average: f32,
}

impl Gauge {
    pub(super) fn new(documents: u64, tokens: u64) -> Gauge {
        let average = average_length(documents, tokens);
        // Shares do not depend on how rare a term is; this one is in one of one documents.
        let weight = Bm25Weight::for_one_term_without_explain(1, 1, average);
        Gauge { weight, full: inverse_frequency(1, 1) * (1.0 + K1), average }
    }

    pub(super) fn average(&self) -> f32 {
        self.average
    }

    /// The share of the best document of the block that is decoded.
    #[inline]
    pub(super) fn best(&self, postings: &mut BlockSegmentPostings, norms: &FieldNormReader) -> f32 {
        postings.block_max_score(norms, &self.weight) / self.full
    }
}

fn inverse_frequency(documents: u64, holders: u64) -> f32 {
    (1.0 + (real(documents - holders) + 0.5) / (real(holders) + 0.5)).ln()
}

fn average_length(documents: u64, tokens: u64) -> f32 {
    real(tokens) / real(documents)
}

/// A sum of scores as a number for people.
pub(super) fn shown(score: u32) -> f32 {
    real(score.into()) / STEPS
}

/// At least one step: who holds a term is found, however common the term is.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a weight is positive and below 64, the logarithm of what 32 bits count times 2.2"
)]
fn steps(score: f32) -> u32 {
    ((score * STEPS).round() as u32).max(1)
}

#[expect(clippy::cast_precision_loss, reason = "the index rounds the same numbers the same way")]
fn real(number: u64) -> f32 {
    number as f32
}
