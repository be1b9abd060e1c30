//! A summary out of the sentences of a conversation, chosen without a chat model.
//!
//! A sentence counts for how near it is to what the whole is about, and for what it carries; one that
//! says again what a chosen one said is left out. The chosen ones stand in their order under who said
//! them, word for word: nothing in a summary was not said.

use std::collections::BTreeSet;

use crate::models::StaticModel;
use crate::types::limits::SUMMARY_SENTENCES_MAX;

use super::sentence::sentences;
use super::signal::{is_idle, signals};

/// What each thing that a sentence carries adds to its nearness to the whole, which is at most 1.
const SIGNAL_WEIGHT: f32 = 0.3;
/// How much being like a chosen sentence takes off.
const LIKENESS_WEIGHT: f32 = 0.5;
/// Sentences nearer to one another than this say the same.
const SAME: f32 = 0.95;

/// What one speaker said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said<'a> {
    pub role: &'a str,
    pub text: &'a str,
}

impl<'a> Said<'a> {
    /// A summary as what was said, so that it can be summarised again.
    pub fn of_summary(summary: &'a str) -> impl Iterator<Item = Said<'a>> {
        summary.lines().map(|line| {
            let (role, text) = line.split_once(": ").unwrap_or(("", line));
            Said { role, text }
        })
    }
}

struct Candidate<'a> {
    role: &'a str,
    text: &'a str,
    tokens: usize,
    direction: Vec<f32>,
    /// How much it is worth by itself.
    worth: f32,
    /// How like it is to the chosen one that it is most like.
    likeness: f32,
}

/// At most `tokens_max` of what was said, by the built-in tokenizer. Empty where nothing was said but
/// courtesies, or where no sentence fits.
#[must_use]
pub fn summarise(said: &[Said<'_>], tokens_max: usize) -> String {
    let mut left = candidates(said);
    weigh(&mut left);
    let mut chosen: Vec<usize> = Vec::new();
    let mut open: Vec<usize> = (0..left.len()).collect();
    let mut room = tokens_max;
    while let Some(best) = best(&left, &open) {
        let place = open.swap_remove(best);
        let candidate = &left[place];
        if candidate.tokens > room || candidate.likeness > SAME {
            continue;
        }
        room -= candidate.tokens;
        chosen.push(place);
        let direction = candidate.direction.clone();
        for other in &open {
            let like = cosine(&left[*other].direction, &direction);
            left[*other].likeness = left[*other].likeness.max(like);
        }
    }
    chosen.sort_unstable();
    written(chosen.into_iter().map(|place| &left[place]))
}

/// The newest sentences, oldest first, without courtesies and without what was said before in the
/// same words.
fn candidates<'a>(said: &[Said<'a>]) -> Vec<Candidate<'a>> {
    let model = StaticModel::shared();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    'all: for said in said.iter().rev() {
        for text in sentences(said.text).into_iter().rev() {
            if found.len() == SUMMARY_SENTENCES_MAX {
                break 'all;
            }
            if is_idle(text) || !seen.insert(text) {
                continue;
            }
            let direction = model.embed(text).map_or_else(Vec::new, |v| v.numbers().to_vec());
            // As if each stood on a line of its own, so that the whole is never longer.
            let tokens = model.count_tokens(&format!("{}: {text}\n", said.role));
            let (worth, likeness) = (0.0, 0.0);
            found.push(Candidate { role: said.role, text, tokens, direction, worth, likeness });
        }
    }
    found.reverse();
    found
}

fn weigh(candidates: &mut [Candidate<'_>]) {
    let mut whole = vec![0.0; StaticModel::DIMENSION];
    for candidate in &*candidates {
        let length = length(&candidate.direction);
        if length > 0.0 {
            for (sum, number) in whole.iter_mut().zip(&candidate.direction) {
                *sum += number / length;
            }
        }
    }
    for candidate in candidates {
        let carried: f32 = signals(candidate.text).iter().map(|_| SIGNAL_WEIGHT).sum();
        candidate.worth = cosine(&candidate.direction, &whole) + carried;
    }
}

/// Place in `open` of the one to take next; of equals the one said last.
fn best(all: &[Candidate<'_>], open: &[usize]) -> Option<usize> {
    let value = |place: usize| all[place].worth - LIKENESS_WEIGHT * all[place].likeness;
    let order = |a: &(usize, &usize), b: &(usize, &usize)| {
        value(*a.1).total_cmp(&value(*b.1)).then(a.1.cmp(b.1))
    };
    open.iter().enumerate().max_by(order).map(|(place, _)| place)
}

fn written<'a>(chosen: impl Iterator<Item = &'a Candidate<'a>>) -> String {
    let mut text = String::new();
    let mut speaker = None;
    for candidate in chosen {
        if speaker == Some(candidate.role) {
            text.push(' ');
        } else {
            text.push_str(if speaker.is_some() { "\n" } else { "" });
            text.push_str(candidate.role);
            text.push_str(": ");
            speaker = Some(candidate.role);
        }
        text.push_str(candidate.text);
    }
    text
}

fn length(a: &[f32]) -> f32 {
    a.iter().map(|x| x * x).sum::<f32>().sqrt()
}

/// 0 where one of them has no direction.
fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let lengths = length(a) * length(b);
    let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    if lengths > 0.0 { dot / lengths } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: [Said<'_>; 4] = [
        Said { role: "user", text: "Hello! We decided to store the facts in redb. Thanks!" },
        Said { role: "assistant", text: "Understood. The sky was grey that morning." },
        Said { role: "user", text: "The deadline for the storage layer is Friday." },
        Said { role: "user", text: "We decided to store the facts in redb." },
    ];

    #[test]
    fn decisions_stay_and_courtesies_and_repetitions_go() {
        let summary = summarise(&ENGLISH, 40);
        assert!(summary.contains("We decided to store the facts in redb."), "{summary}");
        assert!(summary.contains("The deadline for the storage layer is Friday."), "{summary}");
        assert!(!summary.contains("Hello") && !summary.contains("Thanks"), "{summary}");
        assert_eq!(summary.matches("decided").count(), 1, "{summary}");
    }

    #[test]
    fn a_summary_keeps_within_its_tokens_in_korean_too() {
        let turns: Vec<String> = (0..200)
            .map(|n| {
                format!("회의 {n}번에서 배포 일정을 다시 정했습니다. 담당자는 {n}번 팀입니다.")
            })
            .collect();
        let said: Vec<Said<'_>> =
            turns.iter().map(|text| Said { role: "사용자", text: text.as_str() }).collect();
        for tokens_max in [0, 1, 30, 500] {
            let summary = summarise(&said, tokens_max);
            let tokens = StaticModel::shared().count_tokens(&summary);
            assert!(tokens <= tokens_max, "{tokens} of {tokens_max}: {summary}");
            assert_eq!(summary.is_empty(), tokens_max < 2, "{tokens_max}: {summary}");
        }
    }

    #[test]
    fn a_summary_is_read_back_as_what_was_said() {
        let summary = summarise(&ENGLISH, 100);
        let said: Vec<Said<'_>> = Said::of_summary(&summary).collect();
        assert_eq!(summarise(&said, 100), summary);
    }
}
