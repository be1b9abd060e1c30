//! Runs of Hangul: pairs of syllables of the word without the particles that end it.
//!
//! Pairs find a word inside any longer one. Those that reach into a particle say nothing of the word
//! and are left out. A particle is guessed from its spelling alone; where the guess takes a part of
//! the word, what is left still begins it, on either side.

use super::split::push_pairs;
use super::token::{Tokens, Use};

/// What ends a noun, the longest first.
const PARTICLES: &[&str] = &[
    "이라고",
    "에게서",
    "한테서",
    "으로서",
    "으로써",
    "입니다",
    "이에요",
    "예요",
    "이다",
    "에서",
    "에게",
    "한테",
    "께서",
    "으로",
    "까지",
    "부터",
    "처럼",
    "보다",
    "마다",
    "조차",
    "마저",
    "밖에",
    "이나",
    "이랑",
    "라고",
    "하고",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "에",
    "로",
    "와",
    "과",
    "의",
    "도",
    "만",
    "나",
    "랑",
];

/// One-syllable particles that hardly ever end a noun: one syllable before them may be a word.
const CERTAIN: &[&str] = &["은", "는", "을", "를", "에"];

/// Particles one upon the other, as in `서울에서는`.
const PARTICLES_STACKED_MAX: usize = 3;

/// Gathers the terms of one run. A run that stands right behind a word of another script may be
/// nothing but its particle, as in `API를`.
pub(super) fn push_hangul(run: &[char], follows_word: bool, tokens: &mut Tokens) {
    if follows_word && is_particle(run) {
        return;
    }
    if run.len() == 2 && ends_like_a_noun(run) {
        // Two syllables are a word, or a noun of one and its particle: a document is found as both.
        push_pairs(run, tokens);
        tokens.push(run[0].to_string(), Use::Document);
        return;
    }
    let bare = bare_len(run);
    if bare > 1 || run.len() == 1 {
        push_pairs(&run[..bare], tokens);
    } else {
        push_pairs(run, tokens);
        tokens.push(run[0].to_string(), Use::Both);
    }
}

/// Syllables that stay when the particles are gone: at least one, and at least two before a particle
/// that ends many a noun as well. Only what is certain, or longer, stands before another particle.
fn bare_len(run: &[char]) -> usize {
    let mut len = run.len();
    for stacked in 0..PARTICLES_STACKED_MAX {
        let stripped = PARTICLES.iter().find_map(|particle| {
            let syllables = particle.chars().count();
            let left = len.checked_sub(syllables).filter(|left| *left > 0)?;
            let allowed = match (syllables, stacked) {
                (1, 0) => left > 1 || CERTAIN.contains(particle),
                (1, _) => *particle == "에",
                _ => true,
            };
            (allowed && run[left..len].iter().copied().eq(particle.chars())).then_some(left)
        });
        match stripped {
            Some(shorter) => len = shorter,
            None => break,
        }
    }
    len
}

fn is_particle(run: &[char]) -> bool {
    PARTICLES.contains(&run.iter().collect::<String>().as_str())
}

/// Whether the last syllable is a particle that may as well be part of the word, as in `고양이`.
fn ends_like_a_noun(run: &[char]) -> bool {
    let last = run.last().map(char::to_string).unwrap_or_default();
    run.len() > 1 && PARTICLES.contains(&last.as_str()) && !CERTAIN.contains(&last.as_str())
}
