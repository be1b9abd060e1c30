//! A set of facts, one bit each.

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
