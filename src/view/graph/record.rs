//! One rectangle as a node holds it, and the two orders that records stand in.

use std::cmp::{Ordering, Reverse};

use crate::types::{CloseReason, Interval, Object, PredicateId, Triple, TxSpan};

/// One rectangle as one of its two nodes holds it. The node and the direction are known from where
/// it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) valid: Interval,
    pub(super) believed: TxSpan,
    pub(super) other: Object,
    pub(super) predicate: PredicateId,
    pub(super) closed: Option<CloseReason>,
}

const _: () = assert!(size_of::<Record>() == 48);

impl Record {
    fn run_key(&self) -> impl Ord + use<> {
        let newest = Reverse(self.valid.start());
        (self.predicate, newest, self.other, self.valid.end(), self.believed, self.closed)
    }

    /// The order of every answer: newest start first, then as in the run.
    pub(super) fn reading_key(&self) -> impl Ord + use<> {
        (Reverse(self.valid.start()), self.run_key())
    }
}

impl Ord for Record {
    fn cmp(&self, other: &Record) -> Ordering {
        self.run_key().cmp(&other.run_key())
    }
}

impl PartialOrd for Record {
    fn partial_cmp(&self, other: &Record) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A rectangle as its subject and as its object hold it.
pub(super) fn records(
    triple: Triple,
    valid: Interval,
    believed: TxSpan,
    closed: Option<CloseReason>,
) -> (Record, Record) {
    let Triple { subject, predicate, object } = triple;
    let outgoing = Record { valid, believed, other: object, predicate, closed };
    (outgoing, Record { other: Object::Entity(subject), ..outgoing })
}
