//! How many pieces a text has, without cutting it again each time: an agent reads the same turns call
//! after call.
//!
//! A text is counted in stretches that end at white space behind a mark, and the counts of these are
//! kept. The tokenizer cuts at white space before anything else, so they add up to the count of the
//! whole. Only digests are kept: what is erased does not live on here.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use crate::types::limits::TOKEN_COUNTS_MAX;

#[derive(Default)]
pub(super) struct Counts {
    /// Two unrelated digests of a stretch: no two stretches have both in common.
    digests: [RandomState; 2],
    kept: Mutex<Kept>,
}

/// What was used since the last turn of the generations, and what was used before.
#[derive(Default)]
struct Kept {
    young: HashMap<[u64; 2], u32>,
    old: HashMap<[u64; 2], u32>,
}

impl Counts {
    pub(super) fn sum(&self, text: &str, count: impl Fn(&str) -> usize) -> usize {
        stretches(text).map(|stretch| self.one(stretch, &count)).sum()
    }

    fn one(&self, stretch: &str, count: impl Fn(&str) -> usize) -> usize {
        let digest = [0, 1].map(|place: usize| self.digests[place].hash_one(stretch));
        if let Some(known) = self.kept().get(digest) {
            return known as usize;
        }
        let found = count(stretch);
        if let Ok(small) = u32::try_from(found) {
            self.kept().put(digest, small);
        }
        found
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn get(&mut self, digest: [u64; 2]) -> Option<u32> {
        if let Some(count) = self.young.get(&digest) {
            return Some(*count);
        }
        let count = self.old.remove(&digest)?;
        self.put(digest, count);
        Some(count)
    }

    fn put(&mut self, digest: [u64; 2], count: u32) {
        if self.young.len() >= TOKEN_COUNTS_MAX / 2 {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(digest, count);
    }
}

/// Marks behind which a stretch may end.
const ENDS: [char; 9] = ['.', ',', ':', ';', '!', '?', ')', '…', '。'];

/// The text in stretches, without the white space between them.
fn stretches(text: &str) -> impl Iterator<Item = &str> {
    let ends = |stretch: &str| stretch.ends_with(ENDS);
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let gaps = rest.match_indices(char::is_whitespace).map(|(at, _)| at);
        let end = gaps.into_iter().find(|at| ends(&rest[..*at])).unwrap_or(rest.len());
        let stretch = &rest[..end];
        rest = rest[end..].trim_start();
        Some(stretch)
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_text_is_its_stretches_and_each_is_counted_once() {
        let all = |text| stretches(text).collect::<Vec<_>>();
        assert_eq!(
            all(" user: Hi.\n Is it 3.5 km?  Yes "),
            ["user:", "Hi.", "Is it 3.5 km?", "Yes"]
        );
        assert!(all(" \n").is_empty());
        let (counts, calls) = (Counts::default(), Cell::new(0));
        let count = |text: &str| {
            calls.set(calls.get() + 1);
            text.len()
        };
        assert_eq!(counts.sum("a b. cc", count), 6);
        assert_eq!(counts.sum("cc", count), 2);
        assert_eq!(counts.sum("user: a b. cc", count), 11);
        assert_eq!(calls.get(), 3, "two, and the speaker");
    }

    #[test]
    fn what_is_used_stays_and_the_rest_goes() {
        let counts = Counts::default();
        let calls = Cell::new(0);
        let count = |text: &str| {
            calls.set(calls.get() + usize::from(text == "used"));
            text.len()
        };
        for number in 0..2 * TOKEN_COUNTS_MAX {
            counts.sum(&number.to_string(), count);
            counts.sum("used", count);
        }
        assert_eq!(calls.get(), 1);
        let kept = counts.kept();
        assert!(kept.young.len() + kept.old.len() <= TOKEN_COUNTS_MAX);
    }
}
