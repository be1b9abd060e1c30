//! Words and identifiers: runs of letters and digits, and what is joined out of them.
//!
//! ```text
//! ruo@example.com ── whole ── ruo@example.com
//!                 ├─ pieces ─ example.com           between strong joiners, when they have parts
//!                 └─ parts ── ruo, example, com     stop words dropped, English words stemmed
//! ```

use crate::types::limits::TEXT_TERM_BYTES_MAX;

use super::fold::fold;
use super::token::{Tokens, Use};

/// Gathers the terms of one run of letters, digits and joiners.
pub(super) fn push_chunk(run: &[char], tokens: &mut Tokens) {
    if let Some(number) = grouped_number(run) {
        tokens.push(number, Use::Both);
        return;
    }
    for chunk in run.split(|letter| *letter == ',') {
        push_joined(chunk, tokens);
    }
}

/// `1,200,000` without its commas.
fn grouped_number(run: &[char]) -> Option<String> {
    let text: String = trim(run).iter().collect();
    let mut groups = text.split(',');
    let first = groups.next().filter(|first| (1..=3).contains(&first.len()))?;
    let rest: Vec<&str> = groups.collect();
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let grouped = !rest.is_empty() && digits(first);
    let grouped = grouped && rest.iter().all(|group| group.len() == 3 && digits(group));
    grouped.then(|| format!("{first}{}", rest.concat()))
}

fn push_joined(chunk: &[char], tokens: &mut Tokens) {
    let whole = trim(chunk);
    let parts = parts_of(whole);
    let named = suffixed(chunk, whole);
    if parts.is_empty() {
        return;
    }
    if let Some(name) = named {
        tokens.push(fold(&name.iter().collect::<String>()), Use::Both);
    } else if parts.len() > 1 {
        tokens.push(fold(&whole.iter().collect::<String>()), Use::Both);
        push_pieces(whole, tokens);
    }
    for part in parts {
        push_word(part, tokens);
    }
}

/// `example.com` of an address: what stands between strong joiners and is joined itself.
fn push_pieces(whole: &[char], tokens: &mut Tokens) {
    let pieces: Vec<&[char]> = whole.split(|letter| is_strong(*letter)).collect();
    for piece in pieces.iter().filter(|_| pieces.len() > 1) {
        let inner = trim(piece);
        if let Some(name) = suffixed(piece, inner) {
            tokens.push(fold(&name.iter().collect::<String>()), Use::Both);
        } else if parts_of(inner).len() > 1 {
            tokens.push(fold(&inner.iter().collect::<String>()), Use::Both);
        }
    }
}

/// Plain words between joiners. An apostrophe joins letters of one word.
fn parts_of(whole: &[char]) -> Vec<&[char]> {
    let parts = whole.split(|letter| !letter_like(*letter) && *letter != '\'');
    parts.map(trim).filter(|part| !part.is_empty()).collect()
}

/// `C++` and `C#` with what ends them.
fn suffixed<'a>(chunk: &'a [char], whole: &[char]) -> Option<&'a [char]> {
    let start = chunk.iter().position(|letter| letter_like(*letter))?;
    let end = start + whole.len();
    let suffix: String = chunk[end..].iter().take_while(|letter| **letter != '.').collect();
    let is_name = ["+", "++", "#"].contains(&suffix.as_str());
    is_name.then(|| &chunk[start..end + suffix.len()])
}

fn trim(run: &[char]) -> &[char] {
    let start = run.iter().position(|letter| letter_like(*letter)).unwrap_or(run.len());
    let end = run.iter().rposition(|letter| letter_like(*letter)).map_or(start, |last| last + 1);
    &run[start..end]
}

fn letter_like(letter: char) -> bool {
    !letter.is_ascii() || letter.is_ascii_alphanumeric()
}

fn is_strong(letter: char) -> bool {
    matches!(letter, '/' | '\\' | ':' | '@' | '#' | '&' | '=' | '?' | '%')
}

/// One word: without its possessive, and in parts when it is written in humps.
fn push_word(word: &[char], tokens: &mut Tokens) {
    let word = without_possessive(word);
    let apostrophes = word.contains(&'\'');
    let joined: String = word.iter().filter(|letter| **letter != '\'').collect();
    tokens.push_word(fold(&joined));
    if apostrophes {
        for part in word.split(|letter| *letter == '\'').filter(|part| part.len() > 2) {
            tokens.push_word(fold(&part.iter().collect::<String>()));
        }
    } else if joined.len() <= TEXT_TERM_BYTES_MAX {
        push_humps(word, tokens);
    }
}

fn without_possessive(word: &[char]) -> &[char] {
    match word {
        [owner @ .., '\'', 's' | 'S'] if !owner.is_empty() => owner,
        _ => word,
    }
}

/// `QueryParser` as query and parser, `GPT4` as gpt and 4.
fn push_humps(word: &[char], tokens: &mut Tokens) {
    let mut starts = vec![0];
    starts.extend((1..word.len()).filter(|place| starts_hump(word, *place)));
    if starts.len() == 1 {
        return;
    }
    let ends = starts[1..].iter().copied().chain([word.len()]);
    for (start, end) in starts.iter().zip(ends) {
        let hump = &word[*start..end];
        if hump.len() > 1 || hump.iter().all(char::is_ascii_digit) {
            tokens.push_word(fold(&hump.iter().collect::<String>()));
        }
    }
}

fn starts_hump(word: &[char], place: usize) -> bool {
    let (before, here) = (word[place - 1], word[place]);
    let after = word.get(place + 1);
    let rises = before.is_lowercase() && here.is_uppercase();
    let ends_capitals = before.is_uppercase() && here.is_uppercase();
    let ends_capitals = ends_capitals && after.is_some_and(|after| after.is_lowercase());
    let letters_before = place > 1 && word[place - 2].is_alphabetic() && before.is_alphabetic();
    rises || ends_capitals || (letters_before && here.is_ascii_digit())
}
