//! The entities a question names: exactly, longest first, in any script.

use crate::types::limits::{NAME_WORDS_MAX, QUERY_WORDS_MAX, SEEDS_MAX};
use crate::types::{EntityId, Name};
use crate::view::document::What;
use crate::view::text::{TextError, TextQuery, TextView};

use super::super::snapshot::Snapshot;
use super::answer::Seed;

/// Weight of an entity that was given or named in full.
const NAMED: f32 = 1.0;
/// Weight of the entity whose name resembles the question most.
const RESEMBLING: f32 = 0.5;
/// Entities that are taken for resembling a question.
const RESEMBLING_MAX: usize = 3;

/// Entities given, then those the words name.
pub(super) fn seeds(snapshot: Snapshot<'_>, given: &[EntityId], words: &str) -> Vec<Seed> {
    let given = given.iter();
    let mut seeds: Vec<Seed> =
        given.map(|entity| Seed { entity: *entity, words: String::new(), weight: NAMED }).collect();
    for (entity, words) in mentions(snapshot, words) {
        if seeds.len() == SEEDS_MAX {
            break;
        }
        if seeds.iter().all(|seed| seed.entity != entity) {
            seeds.push(Seed { entity, words, weight: NAMED });
        }
    }
    seeds
}

/// Entities whose names share words with the question, for one that names none in full. Best first.
pub(super) fn resembling(
    snapshot: Snapshot<'_>,
    view: &TextView,
    words: &TextQuery,
) -> Result<Vec<Seed>, TextError> {
    let named = |document| match snapshot.documents.what(document) {
        What::Entity(id) => {
            snapshot.directory.is_named_at(id, snapshot.basis.tx) && snapshot.sees_entity(id)
        }
        _ => false,
    };
    let hits = view.search_names(words, RESEMBLING_MAX, &named)?.hits;
    let best = hits.first().map_or(0.0, |(_, score)| *score);
    let mut seeds: Vec<Seed> = Vec::new();
    for (document, score) in hits.into_iter().filter(|(_, score)| *score >= best / 2.0) {
        let What::Entity(id) = snapshot.documents.what(document) else { continue };
        let entity = snapshot.directory.canonical_at(id, snapshot.basis.tx);
        if seeds.iter().all(|seed| seed.entity != entity) {
            seeds.push(Seed { entity, words: String::new(), weight: RESEMBLING * score / best });
        }
    }
    Ok(seeds)
}

/// Names that stand in a text word by word, longest first, no word used twice; then those that
/// begin or stand inside what is left.
fn mentions(snapshot: Snapshot<'_>, text: &str) -> Vec<(EntityId, String)> {
    let words: Vec<&str> = text.split_whitespace().take(QUERY_WORDS_MAX).collect();
    let mut used = vec![false; words.len()];
    let mut found = Vec::new();
    for length in (1..=words.len().min(NAME_WORDS_MAX)).rev() {
        for start in 0..=words.len() - length {
            let range = start..start + length;
            if used[range.clone()].iter().any(|used| *used) {
                continue;
            }
            let window = words[range.clone()].join(" ");
            if let Some((entity, name)) = named(snapshot, &window) {
                used[range].fill(true);
                found.push((start, entity, name));
            }
        }
    }
    for (place, word) in words.iter().enumerate().filter(|(place, _)| !used[*place]) {
        found
            .extend(inside(snapshot, word).into_iter().map(|(entity, name)| (place, entity, name)));
    }
    // In the order of the text, whatever was found first.
    found.sort_by_key(|(place, ..)| *place);
    found.into_iter().map(|(_, entity, name)| (entity, name)).collect()
}

/// The entity that some words name: as they stand, without the signs around them, without a
/// possessive.
fn named(snapshot: Snapshot<'_>, window: &str) -> Option<(EntityId, String)> {
    let bare = window.trim_matches(|c: char| !c.is_alphanumeric());
    let owner = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("\u{2019}s"));
    [Some(window), Some(bare), owner]
        .into_iter()
        .flatten()
        .find_map(|text| Some((lookup(snapshot, text)?, text.to_owned())))
}

fn lookup(snapshot: Snapshot<'_>, text: &str) -> Option<EntityId> {
    snapshot.entity_by_key(Name::new(text).ok()?.key())
}

/// Names inside a word that is written without spaces. Korean puts particles behind a noun, so a
/// name there begins the word; Chinese and Japanese put anything anywhere.
fn inside(snapshot: Snapshot<'_>, word: &str) -> Vec<(EntityId, String)> {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let chars: Vec<char> = bare.chars().take(INSIDE_CHARS_MAX).collect();
    if chars.iter().any(|c| is_han_or_kana(*c)) {
        return anywhere(snapshot, &chars);
    }
    if !chars.last().is_some_and(|c| is_hangul(*c)) {
        return Vec::new();
    }
    let stem = |length: &usize| chars[..*length].iter().collect::<String>();
    (2..chars.len())
        .rev()
        .map(|length| stem(&length))
        .find_map(|name| Some((lookup(snapshot, &name)?, name)))
        .into_iter()
        .collect()
}

/// Characters of one word in which names are looked for.
const INSIDE_CHARS_MAX: usize = 64;
/// Characters of a name that stands inside a run.
const INSIDE_NAME_CHARS_MAX: usize = 16;

fn anywhere(snapshot: Snapshot<'_>, chars: &[char]) -> Vec<(EntityId, String)> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < chars.len() {
        let longest = (chars.len() - start).min(INSIDE_NAME_CHARS_MAX);
        let name = (2..=longest).rev().find_map(|length| {
            let name: String = chars[start..start + length].iter().collect();
            Some((lookup(snapshot, &name)?, name, length))
        });
        match name {
            Some((entity, name, length)) => {
                found.push((entity, name));
                start += length;
            }
            None => start += 1,
        }
    }
    found
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7A3}')
}

fn is_han_or_kana(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}')
}
