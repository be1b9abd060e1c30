//! What reads ask: points, ranges, patterns, ids.

use super::date::Side;
use super::{Checked, Form};
use crate::kernel::ViolationKind;
use crate::query::{AsOf, Known, PatternName};
use crate::rpc::civil::Resolved;
use crate::rpc::proto;
use crate::types::limits::{
    HOPS_MAX, PATH_HOPS_DEFAULT, PATH_HOPS_MAX, PREDICATES_MAX, ROWS_DEFAULT, ROWS_MAX,
};
use crate::types::{FactId, Interval, Name, StatementId, Timestamp, TxId};

/// # Errors
/// `Bad` unless `text` is the id of a fact as a reply spelled it.
pub fn fact_id(form: &mut Form, field: &'static str, text: &str) -> Checked<FactId> {
    let missing = "the id of a fact is needed";
    id(form, field, text, missing, "not the id of a fact: send it as it was received")
}

/// # Errors
/// `Bad` unless `text` is the id of a statement as a reply spelled it.
pub fn statement_id(form: &mut Form, field: &'static str, text: &str) -> Checked<StatementId> {
    let missing = "the id of a statement is needed";
    id(form, field, text, missing, "not the id of a statement: send it as it was received")
}

fn id<T: std::str::FromStr>(
    form: &mut Form,
    field: &'static str,
    text: &str,
    missing: &str,
    malformed: &str,
) -> Checked<T> {
    if text.is_empty() {
        return Err(form.fail(field, ViolationKind::Missing, missing));
    }
    text.parse().map_err(|_| form.fail(field, ViolationKind::Malformed, malformed))
}

impl Form {
    /// # Errors
    /// `Bad` if either point is.
    pub fn as_of(&mut self, field: &'static str, as_of: Option<&proto::AsOf>) -> Checked<AsOf> {
        let Some(as_of) = as_of else { return Ok(AsOf::default()) };
        self.within(field, |form| {
            let valid = form.valid_point("valid", as_of.valid.as_ref());
            let known = form.transaction_point("known", as_of.known.as_ref());
            Ok(AsOf { valid: valid?, known: known? })
        })
    }

    /// A point of valid time; missing means now.
    ///
    /// # Errors
    /// `Bad` if it is there and names no instant.
    pub fn valid_point(
        &mut self,
        field: &'static str,
        point: Option<&proto::ValidPoint>,
    ) -> Checked<Option<Timestamp>> {
        let Some(point) = point else { return Ok(None) };
        let edge = self.variant(field, point.edge);
        let at = match &point.point {
            Some(proto::valid_point::Point::Instant(at)) => self.instant(field, *at),
            Some(proto::valid_point::Point::Date(date)) => {
                let date = self.date(field, date);
                Ok(on_edge(&date?, edge?))
            }
            None => Err(self.fail(field, ViolationKind::Malformed, EMPTY_POINT)),
        };
        edge?;
        at.map(Some)
    }

    /// A point of transaction time; missing means the last commit.
    ///
    /// # Errors
    /// `Bad` if it is there and names no point.
    pub fn transaction_point(
        &mut self,
        field: &'static str,
        point: Option<&proto::TransactionPoint>,
    ) -> Checked<Known> {
        let Some(point) = point else { return Ok(Known::Latest) };
        let edge = self.variant(field, point.edge);
        let known = match &point.point {
            // The largest number means "open" inside, and both lie after every commit.
            Some(proto::transaction_point::Point::Tx(tx)) => {
                Ok(Known::Tx(TxId::new((*tx).min(u64::MAX - 1))))
            }
            Some(proto::transaction_point::Point::Instant(at)) => {
                self.instant(field, *at).map(Known::At)
            }
            Some(proto::transaction_point::Point::Date(date)) => {
                let date = self.date(field, date);
                Ok(Known::At(on_edge(&date?, edge?)))
            }
            None => Err(self.fail(field, ViolationKind::Malformed, EMPTY_POINT)),
        };
        edge?;
        known
    }

    /// A span of valid time; what is missing or unbounded is infinite on its side.
    ///
    /// # Errors
    /// `Bad` if a bound is, or if they enclose nothing.
    pub fn range(
        &mut self,
        field: &'static str,
        range: Option<&proto::Range>,
    ) -> Checked<Option<Interval>> {
        let Some(range) = range else { return Ok(None) };
        self.within(field, |form| {
            let from = form.bound("from", range.from.as_ref(), Side::From);
            let to = form.bound("to", range.to.as_ref(), Side::To);
            let from = from?.map_or(Timestamp::NEG_INFINITY, |from| from.at);
            let to = to?.map_or(Timestamp::INFINITY, |to| to.at);
            form.interval("to", from, to).map(Some)
        })
    }

    /// # Errors
    /// `Bad` if a name or value in it is, or if it lists too many predicates.
    pub fn pattern(
        &mut self,
        field: &'static str,
        pattern: Option<&proto::FactPattern>,
    ) -> Checked<PatternName> {
        let Some(pattern) = pattern else { return Ok(PatternName::default()) };
        self.within(field, |form| form.pattern_here(pattern))
    }

    /// The patterns of a batch.
    ///
    /// # Errors
    /// `Bad` if one of them is, or if there are more than `max`.
    pub fn patterns(
        &mut self,
        field: &'static str,
        patterns: &[proto::FactPattern],
        max: usize,
    ) -> Checked<Vec<PatternName>> {
        self.length(field, patterns.len(), max)?;
        let read =
            |(index, pattern)| self.within_item(field, index, |form| form.pattern_here(pattern));
        // Collected twice so that every bad pattern is told, not only the first.
        let read: Vec<_> = patterns.iter().enumerate().map(read).collect();
        read.into_iter().collect()
    }

    fn pattern_here(&mut self, pattern: &proto::FactPattern) -> Checked<PatternName> {
        let subject = self.name_if_any("subject", &pattern.subject);
        let predicates = self.predicates("predicates", &pattern.predicates);
        let object = self.object_if_any("object", pattern.object.as_ref());
        Ok(PatternName { subject: subject?, predicates: predicates?, object: object? })
    }

    /// A filter of predicates; an empty list means all.
    ///
    /// # Errors
    /// `Bad` if a name is, or if there are too many.
    pub fn predicates(&mut self, field: &'static str, names: &[String]) -> Checked<Vec<Name>> {
        self.length(field, names.len(), PREDICATES_MAX)?;
        let read =
            |(index, name): (usize, &String)| self.within_item(field, index, |f| f.name("", name));
        let names: Vec<_> = names.iter().enumerate().map(read).collect();
        names.into_iter().collect()
    }

    /// Rows that are not paged.
    ///
    /// # Errors
    /// `Bad` outside 1 to [`ROWS_MAX`].
    pub fn row_limit(&mut self, value: i32) -> Checked<usize> {
        self.count("limit", value, ROWS_DEFAULT, ROWS_MAX)
    }

    /// Hops of a traversal, one unless said otherwise.
    ///
    /// # Errors
    /// `Bad` outside 1 to [`HOPS_MAX`].
    pub fn hops(&mut self, value: i32) -> Checked<u32> {
        self.hops_up_to(value, 1, HOPS_MAX)
    }

    /// Hops of a path.
    ///
    /// # Errors
    /// `Bad` outside 1 to [`PATH_HOPS_MAX`].
    pub fn path_hops(&mut self, value: i32) -> Checked<u32> {
        self.hops_up_to(value, PATH_HOPS_DEFAULT, PATH_HOPS_MAX)
    }

    fn hops_up_to(&mut self, value: i32, default: u32, max: u32) -> Checked<u32> {
        match u32::try_from(value) {
            Ok(0) => Ok(default),
            Ok(hops) if hops <= max => Ok(hops),
            _ => {
                let detail = format!("{value} is not from 1 to {max}");
                Err(self.fail("hops", ViolationKind::TooMany, detail))
            }
        }
    }
}

const EMPTY_POINT: &str = "the point is empty; leave the message out for the default";

fn on_edge(date: &Resolved, edge: proto::Edge) -> Timestamp {
    match edge {
        proto::Edge::Unspecified | proto::Edge::Start => date.start,
        proto::Edge::End => date.last(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::civil::Zone;

    fn day(text: &str, zone: &str) -> proto::CivilDate {
        proto::CivilDate { text: text.into(), zone: zone.into(), granularity: 0 }
    }

    fn valid(text: &str, zone: &str, edge: proto::Edge) -> i64 {
        let point = Some(proto::valid_point::Point::Date(day(text, zone)));
        let point = proto::ValidPoint { point, edge: edge.into() };
        let mut form = Form::new(Zone::UNSET);
        let at = form.valid_point("valid", Some(&point)).expect("a date").expect("a point");
        at.micros()
    }

    const DAY: i64 = 86_400_000_000;

    #[test]
    fn n17_a_day_is_its_start_or_its_last_microsecond() {
        let start = valid("1970-01-02", "", proto::Edge::Unspecified);
        assert_eq!((start, valid("1970-01-02", "", proto::Edge::Start)), (DAY, DAY));
        assert_eq!(valid("1970-01-02", "", proto::Edge::End), 2 * DAY - 1);
        // R40
        let auckland = valid("2024-07-01", "Pacific/Auckland", proto::Edge::Start);
        assert_eq!(valid("2024-07-01", "UTC", proto::Edge::Start) - auckland, DAY / 2);
        let known = proto::TransactionPoint {
            point: Some(proto::transaction_point::Point::Date(day("1970-01-02", ""))),
            edge: proto::Edge::End.into(),
        };
        let known = Form::new(Zone::UNSET).transaction_point("known", Some(&known));
        assert_eq!(known, Ok(Known::At(Timestamp::from_micros(2 * DAY - 1))));
    }

    #[test]
    fn points_have_defaults_but_are_never_empty() {
        let mut form = Form::new(Zone::UNSET);
        assert_eq!(form.as_of("as_of", None), Ok(AsOf::default()));
        let empty = proto::AsOf {
            valid: Some(proto::ValidPoint::default()),
            known: Some(proto::TransactionPoint::default()),
        };
        assert!(form.as_of("as_of", Some(&empty)).is_err());
        let bad = proto::ValidPoint {
            point: Some(proto::valid_point::Point::Date(day("2026-13-40", ""))),
            edge: 9,
        };
        assert!(form.valid_point("valid", Some(&bad)).is_err());
        let told: Vec<_> = form.take().into_iter().map(|v| (v.field, v.kind)).collect();
        let expected = [
            ("as_of.valid", ViolationKind::Malformed),
            ("as_of.known", ViolationKind::Malformed),
            ("valid", ViolationKind::Malformed),
            ("valid", ViolationKind::DateInvalid),
        ];
        assert_eq!(told, expected.map(|(field, kind)| (field.into(), kind)));
    }

    #[test]
    fn a_transaction_is_its_number() {
        let known = |tx| {
            let point = Some(proto::transaction_point::Point::Tx(tx));
            let point = proto::TransactionPoint { point, edge: 0 };
            Form::new(Zone::UNSET).transaction_point("known", Some(&point))
        };
        assert_eq!(known(0), Ok(Known::Tx(TxId::ZERO)));
        assert_eq!(known(7), Ok(Known::Tx(TxId::new(7))));
        assert!(matches!(known(u64::MAX), Ok(Known::Tx(tx)) if !tx.is_open()));
    }

    #[test]
    fn r21_a_range_is_never_empty() {
        let bound = |text| {
            Some(proto::Bound {
                bound: Some(proto::bound::Bound::Date(day(text, ""))),
                written: None,
            })
        };
        let mut form = Form::new(Zone::UNSET);
        let all = form.range("overlapping", Some(&proto::Range::default()));
        assert_eq!(all, Ok(Some(Interval::ALL)));
        let ended = proto::Range { from: bound("2020"), to: bound("9999-12-31") };
        let ended = form.range("overlapping", Some(&ended)).expect("ordered").expect("given");
        assert_eq!(ended.end(), Timestamp::INFINITY);
        let empty = proto::Range { from: bound("2024"), to: bound("2024-01-01") };
        assert!(form.range("overlapping", Some(&empty)).is_err());
        let inverted = proto::Range { from: bound("2024"), to: bound("2023") };
        assert!(form.range("within", Some(&inverted)).is_err());
        let told: Vec<_> = form.take().into_iter().map(|v| (v.field, v.kind)).collect();
        assert_eq!(told[0], ("overlapping.to".into(), ViolationKind::EmptyInterval));
        assert_eq!(told[1], ("within.to".into(), ViolationKind::InvertedInterval));
    }

    #[test]
    fn patterns_name_what_they_filter_by() {
        let mut form = Form::new(Zone::UNSET);
        assert_eq!(form.pattern("pattern", None), Ok(PatternName::default()));
        let blank = proto::FactPattern { subject: "  ".into(), ..Default::default() };
        assert!(form.patterns("patterns", &[blank.clone(), blank], 2).is_err());
        let many = proto::FactPattern {
            predicates: vec!["p".into(); PREDICATES_MAX + 1],
            ..Default::default()
        };
        assert!(form.pattern("pattern", Some(&many)).is_err());
        let told: Vec<_> = form.take().into_iter().map(|v| v.field).collect();
        assert_eq!(told, ["patterns[0].subject", "patterns[1].subject", "pattern.predicates"]);
    }

    #[test]
    fn hops_and_ids_are_checked_at_the_edge() {
        let mut form = Form::new(Zone::UNSET);
        assert_eq!((form.hops(0), form.hops(3), form.path_hops(0)), (Ok(1), Ok(3), Ok(3)));
        assert!(form.hops(4).is_err() && form.path_hops(7).is_err() && form.hops(-1).is_err());
        assert!(fact_id(&mut form, "fact_id", "e1-p2-v3").is_ok());
        assert!(fact_id(&mut form, "fact_id", "").is_err());
        assert!(statement_id(&mut form, "statement_id", "7").is_err());
        let kinds: Vec<_> = form.take().iter().map(|violation| violation.kind).collect();
        assert_eq!(kinds[3..], [ViolationKind::Missing, ViolationKind::Malformed]);
    }
}
