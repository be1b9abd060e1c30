//! Instants as text and back, and the words that stand for no instant.
//!
//! Dates are not read here: they are sent as they were written. The one exception is an instant
//! in full (RFC 3339), which is the only way the wire takes a literal time or a commit time.

use crate::client::time::{DAY_MICROS, civil_from_days};
use crate::rpc::proto::{Bound, CivilDate, Instant, Unbounded, bound::Bound as Kind};

pub(crate) use crate::client::time::instant;

/// Which end of an interval a bound is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Start,
    End,
}

/// As [`instant`], but a midnight is written as its date.
pub(crate) fn short(micros: i64) -> String {
    let text = instant(micros);
    match text.strip_suffix("T00:00:00Z") {
        Some(date) => date.to_owned(),
        None => text,
    }
}

pub(crate) fn optional(time: Option<&Instant>) -> Option<String> {
    time.map(|time| instant(time.unix_micros))
}

/// An instant written in full, as [`instant`] writes it or with an offset.
pub(crate) fn parse_instant(text: &str) -> Option<Instant> {
    let (sign, rest) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let (year_text, rest) = rest.split_once('-')?;
    if year_text.len() < 4
        || (year_text.len() > 4 && rest.len() + year_text.len() + 1 == text.len())
    {
        return None;
    }
    let year = sign * digits(year_text)?;
    let (date, time) = rest.split_once(['T', 't'])?;
    let (month, day) = date.split_once('-')?;
    let (month, day) = (two_digits(month)?, two_digits(day)?);
    let (clock, offset_minutes) = split_offset(time)?;
    let of_day = clock_micros(clock)?;
    let days = days_from_civil(year, month, day)?;
    let micros = days
        .checked_mul(DAY_MICROS)?
        .checked_add(of_day)?
        .checked_sub(offset_minutes * 60_000_000)?;
    Some(Instant { unix_micros: micros })
}

/// A bound as written: `-inf` in a start, `inf` in an end, or a date.
pub(crate) fn bound(text: &str, side: Side, zone: &str) -> Result<Bound, String> {
    let word = text.trim().to_ascii_lowercase();
    let kind = match (word.as_str(), side) {
        ("-inf", Side::Start) | ("inf" | "+inf", Side::End) => Kind::Unbounded(Unbounded {}),
        ("inf" | "+inf", Side::Start) => {
            return Err("a start cannot be inf; \"-inf\" says that the start is unknown".to_owned());
        }
        ("-inf", Side::End) => {
            return Err("an end cannot be -inf; \"inf\" says that it never ends".to_owned());
        }
        ("", _) => return Err("the date is empty".to_owned()),
        _ => Kind::Date(date(text.trim(), zone)),
    };
    Ok(Bound { bound: Some(kind), written: None })
}

pub(crate) fn unbounded() -> Bound {
    Bound { bound: Some(Kind::Unbounded(Unbounded {})), written: None }
}

pub(crate) fn date(text: &str, zone: &str) -> CivilDate {
    CivilDate { text: text.to_owned(), zone: zone.to_owned(), granularity: 0 }
}

fn digits(text: &str) -> Option<i64> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok().filter(|&number| number <= 300_000)
}

fn two_digits(text: &str) -> Option<i64> {
    if text.len() == 2 { digits(text) } else { None }
}

/// "10:00:00+09:00" as the clock and the minutes it runs ahead of UTC.
fn split_offset(time: &str) -> Option<(&str, i64)> {
    if let Some(clock) = time.strip_suffix(['Z', 'z']) {
        return Some((clock, 0));
    }
    let place = time.rfind(['+', '-'])?;
    let (hours, minutes) = time[place + 1..].split_once(':')?;
    let (hours, minutes) = (two_digits(hours)?, two_digits(minutes)?);
    if hours > 23 || minutes > 59 {
        return None;
    }
    let sign = if time.as_bytes()[place] == b'-' { -1 } else { 1 };
    Some((&time[..place], sign * (hours * 60 + minutes)))
}

fn clock_micros(clock: &str) -> Option<i64> {
    let (whole, fraction) = clock.split_once('.').map_or((clock, None), |(w, f)| (w, Some(f)));
    let mut parts = whole.split(':');
    let (hour, minute, second) =
        (two_digits(parts.next()?)?, two_digits(parts.next()?)?, two_digits(parts.next()?)?);
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let micros = match fraction {
        None => 0,
        Some(text) if (1..=6).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit()) => {
            format!("{text:0<6}").parse().ok()?
        }
        Some(_) => return None,
    };
    Some(((hour * 60 + minute) * 60 + second) * 1_000_000 + micros)
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar, by eras of 400 years that begin on
/// the first of March. Nothing for a date that does not exist.
fn days_from_civil(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=12).contains(&month) || day < 1 {
        return None;
    }
    let march_year = if month <= 2 { year - 1 } else { year };
    let era = march_year.div_euclid(400);
    let year_of_era = march_year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = era * 146_097 + day_of_era - 719_468;
    (civil_from_days(days) == (year, month, day)).then_some(days)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASES: [(i64, &str); 10] = [
        (0, "1970-01-01T00:00:00Z"),
        (1, "1970-01-01T00:00:00.000001Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
        (1_614_902_400_000_000, "2021-03-05T00:00:00Z"),
        (951_782_400_000_000, "2000-02-29T00:00:00Z"),
        (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"),
        (-62_135_596_800_000_001, "0000-12-31T23:59:59.999999Z"),
        (-63_549_360_000_000_000, "-0044-03-15T00:00:00Z"),
        (253_402_300_800_000_000, "+10000-01-01T00:00:00Z"),
        (i64::MAX - 1, "+294247-01-10T04:00:54.775806Z"),
    ];

    #[test]
    fn instants_are_written_in_utc_and_read_back() {
        for (micros, text) in CASES {
            assert_eq!(instant(micros), text);
            assert_eq!(parse_instant(text), Some(Instant { unix_micros: micros }), "{text}");
        }
        assert_eq!(instant(i64::MIN + 1), "-290308-12-21T19:59:05.224193Z");
    }

    #[test]
    fn an_offset_is_taken_off() {
        assert_eq!(
            parse_instant("2021-03-05T09:00:00+09:00"),
            Some(Instant { unix_micros: 1_614_902_400_000_000 })
        );
    }

    #[test]
    fn what_is_no_full_instant_is_not_read() {
        for text in [
            "",
            "2021",
            "2021-03-05",
            "2021-03-05T10:00Z",
            "2021-02-29T00:00:00Z",
            "2021-03-05T00:00:00",
            "2021-13-05T00:00:00Z",
            "2021-03-05T00:00:60Z",
            "10000-01-01T00:00:00Z",
            "2021-3-5T00:00:00Z",
        ] {
            assert_eq!(parse_instant(text), None, "{text}");
        }
    }

    #[test]
    fn infinity_belongs_to_one_side() {
        assert_eq!(bound("-inf", Side::Start, ""), Ok(unbounded()));
        assert_eq!(bound(" INF ", Side::End, ""), Ok(unbounded()));
        assert!(bound("inf", Side::Start, "").is_err());
        assert!(bound("-inf", Side::End, "").is_err());
        assert_eq!(
            bound("-0044-03-15", Side::Start, "Europe/Rome").unwrap().bound,
            Some(Kind::Date(date("-0044-03-15", "Europe/Rome")))
        );
    }
}
