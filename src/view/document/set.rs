//! The facts that hold at one moment, one bit each, kept until something changes.

use std::sync::{Arc, Mutex, PoisonError};

use crate::types::{Basis, Interval, TxId};

use super::record::FactNumber;

#[derive(Clone, Debug)]
pub struct FactSet {
    words: Vec<u64>,
}

impl FactSet {
    /// From whether each fact is in it, in their order.
    pub(super) fn of(mut facts: impl ExactSizeIterator<Item = bool>) -> FactSet {
        let mut words = Vec::with_capacity(facts.len().div_ceil(64));
        while facts.len() > 0 {
            let word = facts.by_ref().take(64).zip(0..);
            words.push(word.fold(0, |word, (is_in, bit)| word | u64::from(is_in) << bit));
        }
        FactSet { words }
    }

    pub(super) fn insert(&mut self, fact: FactNumber) {
        self.words[fact.index() / 64] |= 1 << (fact.index() % 64);
    }

    #[must_use]
    pub fn holds(&self, fact: FactNumber) -> bool {
        self.words[fact.index() / 64] >> (fact.index() % 64) & 1 == 1
    }
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
            assert_eq!(held(&set), (0..count).step_by(3).collect::<Vec<_>>(), "{count}");
            if count > 1 {
                set.insert(FactNumber::new(1));
                assert!(set.holds(FactNumber::new(1)));
            }
        }
    }
}
