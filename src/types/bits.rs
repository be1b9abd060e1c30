//! Whether each of many things is meant, one bit each, by its place.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// In the order of their places.
    #[must_use]
    pub fn of(mut all: impl ExactSizeIterator<Item = bool>) -> Bits {
        let mut words = Vec::with_capacity(all.len().div_ceil(64));
        while all.len() > 0 {
            let word = all.by_ref().take(64).zip(0..);
            words.push(word.fold(0, |word, (is_set, bit)| word | u64::from(is_set) << bit));
        }
        Bits { words }
    }

    /// What came later than the last of them is not set.
    #[must_use]
    #[inline]
    pub fn has(&self, place: usize) -> bool {
        self.words.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// # Panics
    /// For a place behind the last.
    pub fn set(&mut self, place: usize) {
        self.words[place / 64] |= 1 << (place % 64);
    }

    /// # Panics
    /// For a place behind the last.
    pub fn unset(&mut self, place: usize) {
        self.words[place / 64] &= !(1 << (place % 64));
    }

    /// How many are set.
    #[must_use]
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The places that are set, ascending.
    pub fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        (0..).step_by(64).zip(&self.words).flat_map(|(first, word)| {
            let rest = std::iter::successors(Some(*word), |word| Some(word & word.wrapping_sub(1)));
            let bits = rest.take_while(|word| *word != 0);
            bits.map(move |word| first + word.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn what_was_set_is_set() {
        for count in [0, 1, 63, 64, 65, 200] {
            let mut bits = Bits::of((0..count).map(|place| place % 3 == 0));
            let expected: Vec<usize> = (0..count).step_by(3).collect();
            assert!(bits.ones().eq(expected.iter().copied()), "{count}");
            assert_eq!(bits.count(), expected.len());
            assert!((0..count + 200).filter(|place| bits.has(*place)).eq(expected.iter().copied()));
            if count > 1 {
                bits.set(1);
                assert!(bits.has(1) && bits.count() == expected.len() + 1);
                bits.unset(1);
                assert!(!bits.has(1) && bits.count() == expected.len());
            }
        }
    }
}
