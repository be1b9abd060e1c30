//! Case and marks: what two spellings of one word have in common.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// Lower case, and without the marks of Latin, Greek and Cyrillic letters. Elsewhere a mark is a
/// vowel, a tone or a voicing, and stays.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut strips = false;
    for letter in text.chars().flat_map(char::to_lowercase) {
        if letter.is_ascii() {
            folded.push(letter);
            strips = true;
        } else if is_combining_mark(letter) {
            if !strips {
                folded.push(letter);
            }
        } else {
            strips = has_case_marks(letter);
            push_base(letter, strips, &mut folded);
        }
    }
    folded
}

fn push_base(letter: char, strips: bool, folded: &mut String) {
    match letter {
        'ß' => folded.push_str("ss"),
        'ς' => folded.push('σ'),
        'æ' => folded.push_str("ae"),
        'œ' => folded.push_str("oe"),
        'ø' => folded.push('o'),
        'ł' => folded.push('l'),
        'đ' => folded.push('d'),
        'ı' => folded.push('i'),
        _ if strips => decompose_canonical(letter, |part| {
            if !is_combining_mark(part) {
                folded.push(part);
            }
        }),
        _ => folded.push(letter),
    }
}

fn has_case_marks(letter: char) -> bool {
    matches!(
        letter,
        '\u{c0}'..='\u{24f}' | '\u{250}'..='\u{2af}' | '\u{370}'..='\u{52f}'
            | '\u{1e00}'..='\u{1fff}' | '\u{2c60}'..='\u{2c7f}' | '\u{a640}'..='\u{a69f}'
            | '\u{a720}'..='\u{a7ff}'
    )
}

/// The longest prefix of whole characters within so many bytes.
pub(super) fn boundary(text: &str, bytes_max: usize) -> usize {
    let mut end = bytes_max.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}
