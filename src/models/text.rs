//! How much of a text a model reads.

use crate::types::limits::MODEL_TEXT_BYTES_MAX;

/// The start of a text, up to the bound and to the end of a character.
pub(super) fn cut(text: &str) -> &str {
    cut_at(text, MODEL_TEXT_BYTES_MAX)
}

pub(super) fn cut_at(text: &str, bytes_max: usize) -> &str {
    let mut end = bytes_max.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
