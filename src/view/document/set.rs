//! The facts that hold at one moment, one bit each, kept until something changes.

use std::sync::{Arc, Mutex, PoisonError};

use crate::types::{Basis, DocumentId, Interval, TxId};

use super::record::FactNumber;

#[derive(Clone, Debug)]
pub struct FactSet {
    words: Vec<u64>,
    /// The documents that a search need not ask about any more: those that speak of other facts.
    hidden: Vec<u64>,
}

impl FactSet {
    /// From whether each fact is in it, in their order.
    pub(super) fn of(facts: impl ExactSizeIterator<Item = bool>) -> FactSet {
        FactSet { words: bits(facts), hidden: Vec::new() }
    }

    /// Takes the fact of each document, in their order.
    pub(super) fn hide(&mut self, facts: impl ExactSizeIterator<Item = Option<FactNumber>>) {
        self.hidden = bits(facts.map(|fact| fact.is_some_and(|fact| !self.holds(fact))));
    }

    /// Whether a document speaks of a fact that is not in it.
    #[must_use]
    #[inline]
    pub fn hides(&self, document: DocumentId) -> bool {
        is_set(&self.hidden, document.index())
    }

    pub(super) fn insert(&mut self, fact: FactNumber) {
        self.words[fact.index() / 64] |= 1 << (fact.index() % 64);
    }

    pub(super) fn remove(&mut self, fact: FactNumber) {
        self.words[fact.index() / 64] &= !(1 << (fact.index() % 64));
    }

    #[must_use]
    #[inline]
    pub fn holds(&self, fact: FactNumber) -> bool {
        is_set(&self.words, fact.index())
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Ascending.
    pub fn iter(&self) -> impl Iterator<Item = FactNumber> + '_ {
        (0..).step_by(64).zip(&self.words).flat_map(|(first, word)| {
            let rest = std::iter::successors(Some(*word), |word| Some(word & word.wrapping_sub(1)));
            let bits = rest.take_while(|word| *word != 0);
            bits.map(move |word| FactNumber::new(first + word.trailing_zeros()))
        })
    }
}

fn bits(mut all: impl ExactSizeIterator<Item = bool>) -> Vec<u64> {
    let mut words = Vec::with_capacity(all.len().div_ceil(64));
    while all.len() > 0 {
        let word = all.by_ref().take(64).zip(0..);
        words.push(word.fold(0, |word, (is_in, bit)| word | u64::from(is_in) << bit));
    }
    words
}

fn is_set(words: &[u64], place: usize) -> bool {
    words[place / 64] >> (place % 64) & 1 == 1
}

/// The facts of the last moment that was asked about, and how long they are the same: between two
/// bounds of facts, and as long as nothing is recorded.
#[derive(Debug, Default)]
pub(super) struct Moment {
    kept: Mutex<Option<Kept>>,
}

#[derive(Debug)]
struct Kept {
    watermark: TxId,
    tx: TxId,
    valid: Interval,
    facts: Arc<FactSet>,
}

impl Moment {
    pub(super) fn facts(&self, watermark: TxId, basis: Basis) -> Option<Arc<FactSet>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |kept: &&Kept| {
            kept.watermark == watermark && kept.tx == basis.tx && kept.valid.contains(basis.valid)
        };
        kept.as_ref().filter(same).map(|kept| Arc::clone(&kept.facts))
    }

    pub(super) fn keep(
        &self,
        watermark: TxId,
        tx: TxId,
        valid: Interval,
        facts: FactSet,
    ) -> Arc<FactSet> {
        let facts = Arc::new(facts);
        let kept = Kept { watermark, tx, valid, facts: Arc::clone(&facts) };
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
        facts
    }
}

/// A copy starts with nothing kept.
impl Clone for Moment {
    fn clone(&self) -> Moment {
        Moment::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        for count in [0_u32, 1, 63, 64, 65, 200] {
            let mut set = FactSet::of((0..count as usize).map(|place| place % 3 == 0));
            let held = |set: &FactSet| -> Vec<u32> {
                (0..count).filter(|place| set.holds(FactNumber::new(*place))).collect()
            };
            let expected: Vec<u32> = (0..count).step_by(3).collect();
            assert_eq!(held(&set), expected, "{count}");
            assert!(set.iter().eq(expected.iter().map(|place| FactNumber::new(*place))));
            assert_eq!((set.len(), set.is_empty()), (expected.len(), expected.is_empty()));
            let of = |place: u32| (!place.is_multiple_of(5)).then(|| FactNumber::new(place));
            set.hide((0..count as usize).map(|place| of(u32::try_from(place).expect("small"))));
            for place in 0..count {
                let hidden = !place.is_multiple_of(5) && !place.is_multiple_of(3);
                assert_eq!(set.hides(DocumentId::new(place)), hidden, "{place} of {count}");
            }
            if count > 1 {
                set.insert(FactNumber::new(1));
                assert!(set.holds(FactNumber::new(1)));
                set.remove(FactNumber::new(1));
                assert!(!set.holds(FactNumber::new(1)) && set.len() == expected.len());
            }
        }
    }
}
