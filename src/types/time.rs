//! Time on both axes, and all arithmetic on it.
//!
//! A [`Timestamp`] is a signed 64-bit count of microseconds since 1970-01-01T00:00Z, which reaches
//! 292,000 years either way. Its two extreme values are the sentinels -infinity ("start unknown")
//! and +infinity ("no end"); they are bounds, never instants.

use std::fmt;

use thiserror::Error;

use super::TxId;

/// An instant, or one of the two sentinels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    pub const NEG_INFINITY: Timestamp = Timestamp(i64::MIN);
    pub const INFINITY: Timestamp = Timestamp(i64::MAX);
    /// The earliest and the latest instant.
    pub const MIN: Timestamp = Timestamp(i64::MIN + 1);
    pub const MAX: Timestamp = Timestamp(i64::MAX - 1);

    #[must_use]
    pub const fn from_micros(micros: i64) -> Timestamp {
        Timestamp(micros)
    }

    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Whether this is an instant rather than a sentinel.
    #[must_use]
    pub const fn is_instant(self) -> bool {
        self.0 != i64::MIN && self.0 != i64::MAX
    }

    /// The next microsecond; the last instant stays where it is.
    #[must_use]
    pub const fn successor(self) -> Timestamp {
        Timestamp(if self.0 >= i64::MAX - 1 { i64::MAX - 1 } else { self.0 + 1 })
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Timestamp::NEG_INFINITY => f.write_str("-inf"),
            Timestamp::INFINITY => f.write_str("inf"),
            Timestamp(micros) => micros.fmt(f),
        }
    }
}

/// Half-open span of valid time: `start` is inside, `end` is not, and it is never empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    start: Timestamp,
    end: Timestamp,
}

/// Two bounds that enclose nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IntervalError {
    #[error("both bounds name the same instant")]
    Empty,
    #[error("the end is before the start")]
    Inverted,
}

impl Interval {
    pub const ALL: Interval = Interval { start: Timestamp::NEG_INFINITY, end: Timestamp::INFINITY };

    /// # Errors
    /// [`IntervalError`] unless `start < end`.
    pub fn new(start: Timestamp, end: Timestamp) -> Result<Interval, IntervalError> {
        match start.cmp(&end) {
            std::cmp::Ordering::Less => Ok(Interval { start, end }),
            std::cmp::Ordering::Equal => Err(IntervalError::Empty),
            std::cmp::Ordering::Greater => Err(IntervalError::Inverted),
        }
    }

    #[must_use]
    pub const fn start(self) -> Timestamp {
        self.start
    }

    #[must_use]
    pub const fn end(self) -> Timestamp {
        self.end
    }

    #[must_use]
    pub fn contains(self, at: Timestamp) -> bool {
        self.start <= at && at < self.end
    }

    #[must_use]
    pub fn overlaps(self, other: Interval) -> bool {
        self.start < other.end && other.start < self.end
    }

    #[must_use]
    pub fn intersection(self, other: Interval) -> Option<Interval> {
        Interval::new(self.start.max(other.start), self.end.min(other.end)).ok()
    }

    /// The part of it around an instant in it within which another interval neither begins nor ends.
    #[must_use]
    pub fn undivided(self, at: Timestamp, other: Interval) -> Interval {
        let [mut start, mut end] = [self.start, self.end];
        for bound in [other.start, other.end] {
            if bound <= at {
                start = start.max(bound);
            } else {
                end = end.min(bound);
            }
        }
        Interval { start, end }
    }
}

impl fmt::Debug for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:?},{:?})", self.start, self.end)
    }
}

/// Half-open span of transactions in which something was believed. `to` is [`TxId::OPEN`] while
/// it still is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TxSpan {
    pub from: TxId,
    pub to: TxId,
}

impl TxSpan {
    #[must_use]
    pub fn contains(self, tx: TxId) -> bool {
        self.from <= tx && tx < self.to
    }
}

/// The point in both times that one read is answered at. Every reply echoes it; sending it back
/// repeats the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    pub valid: Timestamp,
    pub tx: TxId,
}

impl Basis {
    /// The bi-temporal predicate: the one place that decides whether something is visible.
    #[must_use]
    pub fn sees(self, valid: Interval, believed: TxSpan) -> bool {
        valid.contains(self.valid) && believed.contains(self.tx)
    }
}

/// How exactly a date was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Granularity {
    Century,
    Decade,
    Year,
    Month,
    Day,
    Second,
    Micro,
}

/// A date as a person wrote it, kept beside the instant it was resolved to. It is for display;
/// nothing compares it and nothing resolves it again when the zone database changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub text: String,
    pub zone: String,
    pub granularity: Granularity,
}

/// A bound with the words it came from, if it came from words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dated {
    pub at: Timestamp,
    pub written: Option<Written>,
}

impl From<Timestamp> for Dated {
    fn from(at: Timestamp) -> Dated {
        Dated { at, written: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros)
    }

    #[test]
    fn an_interval_is_half_open_and_never_empty() {
        assert_eq!(Interval::new(at(5), at(5)), Err(IntervalError::Empty));
        assert_eq!(Interval::new(at(6), at(5)), Err(IntervalError::Inverted));
        let span = Interval::new(at(5), at(8)).expect("5 < 8");
        assert_eq!([4, 5, 7, 8].map(|v| span.contains(at(v))), [false, true, true, false]);
    }

    #[test]
    fn intervals_that_only_touch_do_not_overlap() {
        let span = |a, b| Interval::new(at(a), at(b)).expect("ordered");
        assert!(!span(1, 5).overlaps(span(5, 9)));
        assert!(span(1, 6).overlaps(span(5, 9)));
        assert_eq!(span(1, 6).intersection(span(5, 9)), Some(span(5, 6)));
        assert_eq!(span(1, 5).intersection(span(5, 9)), None);
    }

    #[test]
    fn sentinels_are_not_instants() {
        assert!(!Timestamp::INFINITY.is_instant() && !Timestamp::NEG_INFINITY.is_instant());
        assert!(Timestamp::MIN.is_instant() && Timestamp::MAX.is_instant());
        assert_eq!(Timestamp::MAX.successor(), Timestamp::MAX);
    }

    #[test]
    fn a_basis_sees_what_holds_on_both_axes() {
        let valid = Interval::new(at(10), at(20)).expect("ordered");
        let believed = TxSpan { from: TxId::new(3), to: TxId::new(5) };
        let sees = |v, t| Basis { valid: at(v), tx: TxId::new(t) }.sees(valid, believed);
        assert!(sees(10, 3) && sees(19, 4));
        assert!(!sees(9, 3) && !sees(20, 3) && !sees(10, 2) && !sees(10, 5));
    }
}
