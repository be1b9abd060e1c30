//! The facts that hold at one moment, one bit each, kept until something changes.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::types::{Basis, Bits, DocumentId, Interval, TxId};

use super::record::FactNumber;

#[derive(Clone, Debug)]
pub struct FactSet {
    facts: Bits,
    len: usize,
    /// The documents that a search need not ask about any more: those that speak of other facts.
    hidden: Bits,
    /// The documents that speak of these facts, ascending, once somebody wanted them all.
    documents: OnceLock<Vec<DocumentId>>,
}

impl FactSet {
    /// `of_documents` has the fact of each document, in their order.
    pub(super) fn new(
        facts: Bits,
        of_documents: impl ExactSizeIterator<Item = Option<FactNumber>>,
    ) -> FactSet {
        let is_hidden =
            |fact: Option<FactNumber>| fact.is_some_and(|fact| !facts.has(fact.index()));
        let hidden = Bits::of(of_documents.map(is_hidden));
        FactSet { len: facts.count(), facts, hidden, documents: OnceLock::new() }
    }

    /// Documents that speak of facts that are not in it.
    #[must_use]
    pub fn hidden(&self) -> &Bits {
        &self.hidden
    }

    #[must_use]
    #[inline]
    pub fn holds(&self, fact: FactNumber) -> bool {
        self.facts.has(fact.index())
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Ascending.
    ///
    /// # Panics
    /// Never: facts are numbered in 32 bits.
    pub fn iter(&self) -> impl Iterator<Item = FactNumber> + '_ {
        let number = |place| FactNumber::new(u32::try_from(place).expect("facts have 32 bits"));
        self.facts.ones().map(number)
    }

    pub(super) fn documents(&self, all: impl FnOnce() -> Vec<DocumentId>) -> &[DocumentId] {
        self.documents.get_or_init(all)
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
    fn documents_that_speak_of_other_facts_are_hidden() {
        let facts = Bits::of((0..200).map(|place| place % 3 == 0));
        let of = |place: u32| (!place.is_multiple_of(5)).then(|| FactNumber::new(place));
        let places = 0..200_usize;
        let set = FactSet::new(facts, places.map(|place| of(u32::try_from(place).expect("small"))));
        for place in 0..200 {
            assert_eq!(set.holds(FactNumber::new(place)), place.is_multiple_of(3));
            let hidden = !place.is_multiple_of(5) && !place.is_multiple_of(3);
            assert_eq!(set.hidden().has(place as usize), hidden, "{place}");
        }
        assert_eq!((set.len(), set.iter().count(), set.is_empty()), (67, 67, false));
    }
}
