//! The static model in the binary: a vector for each piece of a text, weighted and added up. It
//! needs no network and no file, and the same text always gives the same vector. It knows English
//! and Korean; it does not know the order of words. `models/enko-static-256` says where it comes
//! from.
//!
//! Rows stay in the binary as the bytes they are. Only weights and places are decoded.

use std::sync::OnceLock;

use safetensors::{Dtype, SafeTensors};
use tokenizers::Tokenizer;

use crate::types::Vector;

use super::counts::Counts;
use super::text::cut;

const TENSORS: &[u8] = include_bytes!("../../models/enko-static-256/model.safetensors");
const TOKENIZER: &[u8] = include_bytes!("../../models/enko-static-256/tokenizer.json");

static SHARED: OnceLock<StaticModel> = OnceLock::new();

pub struct StaticModel {
    tokenizer: Tokenizer,
    /// By id of a piece. Pieces may share a row.
    pieces: Vec<Piece>,
    /// Signed bytes, one row after the other.
    rows: &'static [u8],
    /// The piece before a word that has no piece of its own. It has a row, but says nothing.
    space: u32,
    counts: Counts,
}

/// The piece for what is in no other. Its row is zero.
const UNKNOWN: u32 = 0;

#[derive(Clone, Copy)]
struct Piece {
    row: u32,
    weight: f32,
}

impl StaticModel {
    pub const NAME: &'static str = "enko-static-256";
    pub const DIMENSION: usize = 256;

    /// The model of the process. The first call decodes it, which takes a good part of a second.
    ///
    /// # Panics
    /// When the bytes in the binary are not the model.
    #[must_use]
    pub fn shared() -> &'static StaticModel {
        SHARED.get_or_init(StaticModel::decode)
    }

    /// The model of the process if it is decoded already.
    #[must_use]
    pub fn decoded() -> Option<&'static StaticModel> {
        SHARED.get()
    }

    fn decode() -> StaticModel {
        let tokenizer = Tokenizer::from_bytes(TOKENIZER).expect("the tokenizer is whole");
        let tensors = SafeTensors::deserialize(TENSORS).expect("the tensors are whole");
        let tensor = |name: &str, dtype: Dtype| -> &'static [u8] {
            let tensor = tensors.tensor(name).expect("the model has its three tensors");
            assert_eq!(tensor.dtype(), dtype, "numbers of `{name}`");
            tensor.data()
        };
        let rows = tensor("embeddings", Dtype::I8);
        let mapping = tensor("mapping", Dtype::I32);
        let weights = tensor("weights", Dtype::F32);
        let pieces: Vec<Piece> = mapping
            .as_chunks()
            .0
            .iter()
            .zip(weights.as_chunks().0)
            .map(|(row, weight)| Piece {
                row: u32::from_le_bytes(*row),
                weight: f32::from_le_bytes(*weight),
            })
            .collect();
        assert_eq!(pieces.len(), tokenizer.get_vocab_size(true), "every piece has a weight");
        let space = tokenizer.token_to_id("\u{2581}").expect("a piece for the start of a word");
        let model = StaticModel { tokenizer, pieces, rows, space, counts: Counts::default() };
        assert!(model.pieces.iter().all(|piece| model.row(*piece).is_some()), "a row outside");
        model
    }

    /// `None` when the model knows nothing that is in the text: else all texts in unknown scripts
    /// would point where their spaces do. What passes the bound on texts is left out.
    ///
    /// # Panics
    /// When the tokenizer does not take a text, which it has no way to say no to.
    #[must_use]
    pub fn embed(&self, text: &str) -> Option<Vector> {
        let mut sum = [0.0_f32; StaticModel::DIMENSION];
        let ids = self.ids(cut(text));
        if ids.iter().all(|id| [UNKNOWN, self.space].contains(id)) {
            return None;
        }
        for id in ids {
            let Some(piece) = self.pieces.get(id as usize).copied() else { continue };
            let Some(row) = self.row(piece) else { continue };
            for (sum, byte) in sum.iter_mut().zip(row) {
                *sum += piece.weight * f32::from(byte.cast_signed());
            }
        }
        // Only the direction counts, so the sum is as good as the mean.
        Vector::new(&sum).ok()
    }

    /// How many pieces the tokenizer cuts a text into. White space at its end is one.
    #[must_use]
    pub fn count_tokens(&self, text: &str) -> usize {
        let end = text.ends_with(char::is_whitespace) && !text.trim().is_empty();
        self.counts.sum(text, |stretch| self.ids(stretch).len()) + usize::from(end)
    }

    pub(super) fn ids(&self, text: &str) -> Vec<u32> {
        let pieces = self.tokenizer.encode_fast(text, false).expect("every text has pieces");
        pieces.get_ids().to_vec()
    }

    fn row(&self, piece: Piece) -> Option<&'static [u8; StaticModel::DIMENSION]> {
        self.rows.as_chunks().0.get(piece.row as usize)
    }
}
