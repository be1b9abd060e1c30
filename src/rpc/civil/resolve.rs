//! From a civil date to the instants it spans.

use chrono::{FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use thiserror::Error;

use super::Zone;
use super::text::{Civil, YEAR_MAX, parse};
use crate::types::limits::DATE_BYTES_MAX;
use crate::types::{Granularity, Timestamp, Written};

/// What a date spans: `start` is inside, `end` is not, and it is never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    pub start: Timestamp,
    pub end: Timestamp,
    pub written: Written,
    /// Digits past the microsecond were dropped.
    pub floored: bool,
    /// Whether the start, and the end, lie on or past 9999-12-31 on the calendar of the writer.
    /// An instant cannot tell: that day begins at 26 different ones.
    start_is_endless: bool,
    end_is_endless: bool,
}

/// Why a text is no date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DateError {
    #[error("the date is empty")]
    Empty,
    #[error("the date has {bytes} bytes, {DATE_BYTES_MAX} are allowed")]
    TooLong { bytes: usize },
    #[error(
        "a bare number has no unit: write a date such as 2021-03-05, or send an instant in \
         microseconds"
    )]
    BareNumber,
    #[error(
        "not a date as ISO 8601 writes it: 2021, 2021-03, 2021-03-05, 2021-03-05T10:00:00+09:00, \
         -0044-03-15, 201X"
    )]
    Form,
    #[error("there is no such date")]
    NoSuchDay,
    #[error("there is no such time: hours go to 23, minutes and seconds to 59")]
    NoSuchTime,
    #[error("the clocks of the zone skipped this day")]
    SkippedDay,
    #[error("dates go from year -{YEAR_MAX} to {YEAR_MAX}")]
    OutOfRange,
    #[error("a time of day needs an offset such as +09:00, or a zone")]
    ZoneMissing,
    #[error("the zone is no IANA name such as Asia/Seoul")]
    ZoneUnknown,
}

impl Resolved {
    /// As an exclusive end, where the last day of year 9999 and all after it mean +infinity.
    #[must_use]
    pub fn exclusive_end(&self) -> Timestamp {
        if self.start_is_endless { Timestamp::INFINITY } else { self.start }
    }

    /// As an inclusive end, likewise.
    #[must_use]
    pub fn inclusive_end(&self) -> Timestamp {
        if self.end_is_endless { Timestamp::INFINITY } else { self.end }
    }

    /// The last microsecond inside.
    #[must_use]
    pub fn last(&self) -> Timestamp {
        Timestamp::from_micros(self.end.micros() - 1)
    }
}

/// Reads `text`. An offset in it settles the instant; otherwise `zone` does, then `default_zone`.
///
/// # Errors
/// [`DateError`] if it is not written as a date, does not exist, is out of range, or is a time of
/// day and nothing says where.
pub fn resolve(text: &str, zone: Option<&str>, default_zone: &Zone) -> Result<Resolved, DateError> {
    let civil = parse(text)?;
    let asked = zone.map(Zone::named).transpose()?;
    match civil {
        Civil::Days { first, after, granularity } => {
            let zone = asked.unwrap_or(*default_zone);
            let span = Span { first: midnight(first), after: midnight(after) };
            let (start, end) = (zone.instant(span.first)?, zone.instant(span.after)?);
            if start >= end {
                return Err(DateError::SkippedDay);
            }
            Ok(span.resolved(start, end, written(text, zone.name(), granularity), false))
        }
        Civil::Time { local, offset, granularity, floored } => {
            let (start, zone) = match (offset, asked) {
                (Some(offset), _) => (at_offset(local, offset)?, asked.map_or("", Zone::name)),
                (None, Some(zone)) => (zone.instant(local)?, zone.name()),
                (None, None) if default_zone.is_chosen() => {
                    (default_zone.instant(local)?, default_zone.name())
                }
                (None, None) => return Err(DateError::ZoneMissing),
            };
            let micros = if granularity == Granularity::Second { 1_000_000 } else { 1 };
            let end = Timestamp::from_micros(start.micros() + micros);
            let span = Span { first: local, after: local + TimeDelta::microseconds(micros) };
            Ok(span.resolved(start, end, written(text, zone, granularity), floored))
        }
    }
}

/// The bounds as the writer's calendar and clock show them.
struct Span {
    first: NaiveDateTime,
    after: NaiveDateTime,
}

impl Span {
    fn resolved(
        &self,
        start: Timestamp,
        end: Timestamp,
        written: Written,
        floored: bool,
    ) -> Resolved {
        let endless = NaiveDate::from_ymd_opt(9_999, 12, 31).expect("a date that exists");
        Resolved {
            start,
            end,
            written,
            floored,
            start_is_endless: self.first.date() >= endless,
            end_is_endless: self.after.date() >= endless,
        }
    }
}

fn midnight(day: NaiveDate) -> NaiveDateTime {
    day.and_time(NaiveTime::MIN)
}

fn at_offset(local: NaiveDateTime, seconds_east: i32) -> Result<Timestamp, DateError> {
    let offset = FixedOffset::east_opt(seconds_east).ok_or(DateError::NoSuchTime)?;
    let at = local.checked_sub_offset(offset).ok_or(DateError::OutOfRange)?;
    Ok(Timestamp::from_micros(at.and_utc().timestamp_micros()))
}

fn written(text: &str, zone: &str, granularity: Granularity) -> Written {
    Written { text: text.to_owned(), zone: zone.to_owned(), granularity }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Resolves both bounds to RFC 3339 text, with a third party's parser as the judge.
    #[track_caller]
    fn check(text: &str, zone: Option<&str>, start: &str, end: &str) {
        let found = resolve(text, zone, &Zone::UNSET).expect(text);
        let micros = |text: &str| {
            chrono::DateTime::parse_from_rfc3339(text).expect("a time").timestamp_micros()
        };
        let expected = (micros(start), micros(end));
        assert_eq!((found.start.micros(), found.end.micros()), expected, "{text}");
    }

    #[track_caller]
    fn refused(text: &str, error: DateError) {
        assert_eq!(resolve(text, Some("UTC"), &Zone::UNSET), Err(error), "{text:?}");
    }

    fn start(text: &str) -> i64 {
        resolve(text, None, &Zone::UNSET).expect(text).start.micros()
    }

    #[test]
    fn n01_n02_t12_spellings_of_one_instant_are_one_value() {
        check(
            "2024-03-05T06:07:08.123456Z",
            None,
            "2024-03-05T06:07:08.123456Z",
            "2024-03-05T06:07:08.123457Z",
        );
        for text in [
            "2024-03-05T08:07:08.123456+02:00",
            "2024-03-05T06:07:08.123456+00:00",
            "2024-03-05T06:07:08.123456-00:00",
            "2024-03-05 06:07:08.123456Z",
            "2024-03-05t06:07:08.123456z",
            "2024-03-05T06:07:08.123456000Z",
            "2024-03-05T15:07:08.123456+0900",
            "2024-03-05T15:07:08.123456+09",
            "2024-03-04T23:37:08.123456-06:30",
            "+2024-03-05T06:07:08.123456Z",
        ] {
            assert_eq!(start(text), start("2024-03-05T06:07:08.123456Z"), "{text}");
        }
        assert!(start("2024-03-10T23:30:00-05:00") > start("2024-03-11T04:20:00Z"));
        assert!(start("2024-03-11T00:00:00Z") < start("2024-03-11T00:00:00.250Z"));
        assert_eq!(start("2026-03-01T00:30+09:00"), start("2026-02-28T15:30Z"));
    }

    #[test]
    fn n03_nanoseconds_are_floored_and_said_to_be() {
        let found = |text| resolve(text, None, &Zone::UNSET).expect(text);
        let exact = found("2024-03-05T06:07:08.123456Z");
        let finer = found("2024-03-05T06:07:08.123456789Z");
        assert_eq!((finer.start, finer.floored), (exact.start, true));
        assert!(!exact.floored && !found("2024-03-05T06:07:08.123456000Z").floored);
        // Down, not towards 1970.
        assert_eq!(start("1969-12-31T23:59:59.9999999Z"), -1);
    }

    #[test]
    fn n04_to_n08_days_months_and_years_span_all_of_themselves() {
        check("2024-03-05", None, "2024-03-05T00:00:00Z", "2024-03-06T00:00:00Z");
        check("2024-12-31", None, "2024-12-31T00:00:00Z", "2025-01-01T00:00:00Z");
        check("2020", None, "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z");
        check("2024-02", None, "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z");
        check("2024-12", None, "2024-12-01T00:00:00Z", "2025-01-01T00:00:00Z");
        check("0360", None, "0360-01-01T00:00:00Z", "0361-01-01T00:00:00Z");
        check("2024-03-05T06:07Z", None, "2024-03-05T06:07:00Z", "2024-03-05T06:07:01Z");
    }

    #[test]
    fn n09_n10_days_follow_the_clocks_of_the_zone() {
        let berlin = Some("Europe/Berlin");
        check("2025-03-30", berlin, "2025-03-29T23:00:00Z", "2025-03-30T22:00:00Z");
        check("2025-10-26", berlin, "2025-10-25T22:00:00Z", "2025-10-26T23:00:00Z");
        // Midnight itself is skipped, and midnight comes twice.
        let sao_paulo = Some("America/Sao_Paulo");
        check("2018-11-04", sao_paulo, "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z");
        let havana = Some("America/Havana");
        check("2024-11-03", havana, "2024-11-03T04:00:00Z", "2024-11-04T05:00:00Z");
        let apia = resolve("2011-12-30", Some("Pacific/Apia"), &Zone::UNSET);
        assert_eq!(apia, Err(DateError::SkippedDay));
    }

    #[test]
    fn n11_n12_skipped_times_shift_and_repeated_times_are_the_first() {
        let berlin = Some("Europe/Berlin");
        check("2025-03-30T02:30", berlin, "2025-03-30T01:30:00Z", "2025-03-30T01:30:01Z");
        check("2025-10-26T02:30", berlin, "2025-10-26T00:30:00Z", "2025-10-26T00:30:01Z");
        check("2025-10-26T02:30+01:00", berlin, "2025-10-26T01:30:00Z", "2025-10-26T01:30:01Z");
    }

    #[test]
    fn n14_years_far_from_ours() {
        check("1602-03-20", None, "1602-03-20T00:00:00Z", "1602-03-21T00:00:00Z");
        check("0000-12-31", None, "0000-12-31T00:00:00Z", "0001-01-01T00:00:00Z");
        let days = |year, month, day| {
            let date = NaiveDate::from_ymd_opt(year, month, day).expect("a date");
            midnight(date).and_utc().timestamp_micros()
        };
        assert_eq!(start("-0044-03-15"), days(-44, 3, 15));
        assert_eq!(start("-0044"), days(-44, 1, 1));
        assert_eq!(start("+12024"), days(12_024, 1, 1));
        assert_eq!(start("-100000-01"), days(-100_000, 1, 1));
        for text in ["+262000", "+262000-12", "+262001-01-01", "-262001", "-26200X", "+2620XX"] {
            refused(text, DateError::OutOfRange);
        }
        assert!(resolve("+262000-12-31T23:59:59-23:59", None, &Zone::UNSET).is_ok());
        assert!(resolve("-262000-01-01", Some("Pacific/Kiritimati"), &Zone::UNSET).is_ok());
    }

    #[test]
    fn n15_the_end_of_the_calendar_is_no_end() {
        let found = |text, zone| resolve(text, zone, &Zone::UNSET).expect("a date");
        for (text, zone) in [
            ("9999-12-31", None),
            ("9999-12-31", Some("Asia/Seoul")),
            ("9999-12-31T23:59:59.999999Z", None),
            ("9999-12-31T00:00:00+09:00", None),
            ("+10000", None),
        ] {
            assert_eq!(found(text, zone).exclusive_end(), Timestamp::INFINITY, "{text}");
            assert_eq!(found(text, zone).inclusive_end(), Timestamp::INFINITY, "{text}");
            assert!(found(text, zone).start.is_instant(), "{text}");
        }
        assert_eq!(found("9999-12-30", None).exclusive_end(), found("9999-12-30", None).start);
        assert_eq!(found("9999", None).exclusive_end(), found("9999", None).start);
        assert_eq!(found("9999", None).inclusive_end(), Timestamp::INFINITY);
        assert_eq!(found("9998", None).inclusive_end(), found("9999", None).start);
    }

    #[test]
    fn n16_r20_c25_what_is_no_date_is_refused() {
        for text in ["1700000000", "1700000000.0", "20210305", "202103", "12", "-44", "+2021030"] {
            refused(text, DateError::BareNumber);
        }
        for text in ["2021-13-40", "2026-13-40", "2021-02-30", "2021-00-10", "2023-02-29"] {
            refused(text, DateError::NoSuchDay);
        }
        for time in ["10:00:60Z", "24:00", "23:60", "10:00+24:00", "10:00+09:60"] {
            refused(&format!("2021-03-05T{time}"), DateError::NoSuchTime);
        }
        for text in [
            "yesterday",
            "2021-3-5",
            "2021-064",
            "2021-W09",
            "2021-03-05T",
            "2021-03-05T10",
            "2021-03T10:00Z",
            "2021T10:00Z",
            "2021-03-05Z",
            "2021-03-05T10:00.5Z",
            "2021-03-05T10:00:00.Z",
            "2021-03-05T10:00:00.5e3Z",
            "2021-03-05T10:00Zulu",
            "2021-03-05T10:00+9",
            "2021-03-05T10:00:00:00Z",
            "2021-03-05-06",
            "2XXX",
            "XXXX",
            "20X1",
            "201X-03",
            "-",
            "+",
            "20\u{661}1",
            "2021-\u{661}",
            " 2021",
            "2021 ",
            "1e9",
            "2021-03-05T10:00+\u{661}\u{661}",
        ] {
            refused(text, DateError::Form);
        }
        refused("", DateError::Empty);
        refused(&"2".repeat(65), DateError::TooLong { bytes: 65 });
    }

    #[test]
    fn unknown_last_digits_span_what_they_leave_open() {
        check("201X", None, "2010-01-01T00:00:00Z", "2020-01-01T00:00:00Z");
        check("201x", None, "2010-01-01T00:00:00Z", "2020-01-01T00:00:00Z");
        check("19XX", None, "1900-01-01T00:00:00Z", "2000-01-01T00:00:00Z");
        check("19xx", Some("Asia/Seoul"), "1899-12-31T15:32:08Z", "1999-12-31T15:00:00Z");
        let found = resolve("-004X", None, &Zone::UNSET).expect("a decade");
        assert_eq!(found.start.micros(), start("-0049"));
        assert_eq!(found.end.micros(), start("-0039"));
    }

    #[test]
    fn a_time_of_day_needs_to_know_where() {
        let seoul = Zone::named("Asia/Seoul").expect("a zone");
        let text = "2021-03-05T10:00";
        assert_eq!(resolve(text, None, &Zone::UNSET), Err(DateError::ZoneMissing));
        assert_eq!(resolve(text, Some("Mars"), &seoul), Err(DateError::ZoneUnknown));
        assert_eq!(resolve("2021-03-05T10:00Z", Some("Mars"), &seoul), Err(DateError::ZoneUnknown));
        let found = resolve(text, None, &seoul).expect("the namespace has a zone");
        assert_eq!(found.start.micros(), start("2021-03-05T10:00+09:00"));
        assert_eq!(found.written.zone, "Asia/Seoul");
        let offset = resolve("2021-03-05T10:00+02:00", None, &seoul).expect("an offset");
        assert_eq!(
            (offset.written.zone.as_str(), offset.written.granularity),
            ("", Granularity::Second)
        );
        let day = resolve("2021-03-05", None, &Zone::UNSET).expect("a day");
        assert_eq!((day.written.zone.as_str(), day.written.granularity), ("UTC", Granularity::Day));
    }

    #[test]
    fn n17_r40_the_edges_of_a_day_lie_in_its_zone() {
        let auckland = resolve("2024-07-01", Some("Pacific/Auckland"), &Zone::UNSET).expect("day");
        assert_eq!(auckland.start.micros(), start("2024-07-01") - 12 * 3_600 * 1_000_000);
        assert_eq!(auckland.last().micros(), auckland.end.micros() - 1);
    }
}
