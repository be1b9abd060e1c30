//! The grammar of dates: ISO 8601 calendar dates, and unknown last digits of ISO 8601-2.
//!
//! One way to write each thing. Week dates, ordinal dates, the basic format without hyphens and
//! numbers of seconds are refused, because `20210305` is a date, a count and an id.

use chrono::{Days, NaiveDate, NaiveDateTime, NaiveTime};

use super::DateError;
use crate::types::Granularity;
use crate::types::limits::DATE_BYTES_MAX;

/// Years either way that a date may name: within what both the calendar and 64 bits of
/// microseconds hold, with room for any offset.
pub(super) const YEAR_MAX: i32 = 262_000;

/// A date that exists, before any zone is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Civil {
    /// A day or something coarser, from the first day to the one after the last.
    Days { first: NaiveDate, after: NaiveDate, granularity: Granularity },
    /// A time of day.
    Time { local: NaiveDateTime, offset: Option<i32>, granularity: Granularity, floored: bool },
}

pub(super) fn parse(text: &str) -> Result<Civil, DateError> {
    if text.is_empty() {
        return Err(DateError::Empty);
    }
    if text.len() > DATE_BYTES_MAX {
        return Err(DateError::TooLong { bytes: text.len() });
    }
    match text.split_once(['T', 't', ' ']) {
        None => days(text),
        Some((date, time)) => {
            let Civil::Days { first, granularity: Granularity::Day, .. } = days(date)? else {
                return Err(DateError::Form);
            };
            time_of_day(first, time)
        }
    }
}

/// `2021`, `2021-03`, `2021-03-05`, `201X`, `19XX`, each with an optional sign.
fn days(text: &str) -> Result<Civil, DateError> {
    let (sign, rest) = match text.as_bytes().first() {
        Some(b'-') => (Some(-1), &text[1..]),
        Some(b'+') => (Some(1), &text[1..]),
        _ => (None, text),
    };
    let digits_max = if sign.is_some() { 6 } else { 4 };
    let mut parts = rest.split('-');
    let year = parts.next().unwrap_or_default();
    if !(4..=digits_max).contains(&year.len()) {
        let number = !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        return Err(if number { DateError::BareNumber } else { DateError::Form });
    }
    let sign = sign.unwrap_or(1);
    match (parts.next(), parts.next(), parts.next()) {
        (None, ..) => years(sign, year),
        (Some(month), None, _) => months(sign * digits(year)?, two(month)?),
        (Some(month), Some(day), None) => {
            let year = in_range(sign * digits(year)?)?;
            let first = date(year, two(month)?, two(day)?)?;
            span(first, first.checked_add_days(Days::new(1)), Granularity::Day)
        }
        _ => Err(DateError::Form),
    }
}

/// A year, or the decade or century that its unknown last digits leave open. Before year 0 the
/// larger number is the earlier year.
fn years(sign: i32, text: &str) -> Result<Civil, DateError> {
    let known = text.trim_end_matches(['X', 'x']);
    let (count, granularity) = match text.len() - known.len() {
        0 => (1, Granularity::Year),
        1 => (10, Granularity::Decade),
        2 => (100, Granularity::Century),
        _ => return Err(DateError::Form),
    };
    let least = digits(known)? * count;
    let first = if sign < 0 { -(least + count - 1) } else { least };
    let first = in_range(first)?;
    let after = in_range(first + count)?;
    span(date(first, 1, 1)?, NaiveDate::from_ymd_opt(after, 1, 1), granularity)
}

fn months(year: i32, month: u32) -> Result<Civil, DateError> {
    let year = in_range(year)?;
    let first = date(year, month, 1)?;
    let (year, month) = if month == 12 { (in_range(year + 1)?, 1) } else { (year, month + 1) };
    span(first, NaiveDate::from_ymd_opt(year, month, 1), Granularity::Month)
}

fn span(
    first: NaiveDate,
    after: Option<NaiveDate>,
    granularity: Granularity,
) -> Result<Civil, DateError> {
    let after = after.ok_or(DateError::OutOfRange)?;
    Ok(Civil::Days { first, after, granularity })
}

/// `10:00`, `10:00:05`, `10:00:05.25`, each with an optional offset. Seconds that are left out are
/// zero: there is no granularity between a day and a second.
fn time_of_day(day: NaiveDate, text: &str) -> Result<Civil, DateError> {
    let (clock, offset) = match text.find(['Z', 'z', '+', '-']) {
        None => (text, None),
        Some(at) => (&text[..at], Some(offset(&text[at..])?)),
    };
    let (clock, fraction) = match clock.split_once('.') {
        None => (clock, None),
        Some((clock, fraction)) => (clock, Some(fraction)),
    };
    let mut parts = clock.split(':');
    let hour = two(parts.next().unwrap_or_default())?;
    let minute = two(parts.next().ok_or(DateError::Form)?)?;
    let second = match (parts.next(), fraction) {
        (Some(second), _) => two(second)?,
        (None, None) => 0,
        (None, Some(_)) => return Err(DateError::Form),
    };
    if parts.next().is_some() {
        return Err(DateError::Form);
    }
    let (micros, floored) = fraction.map_or(Ok((0, false)), micros)?;
    let granularity = if fraction.is_some() { Granularity::Micro } else { Granularity::Second };
    let time = NaiveTime::from_hms_micro_opt(hour, minute, second, micros);
    let local = day.and_time(time.ok_or(DateError::NoSuchTime)?);
    Ok(Civil::Time { local, offset, granularity, floored })
}

/// The first six digits, and whether anything but zeros came after them.
fn micros(fraction: &str) -> Result<(u32, bool), DateError> {
    if fraction.is_empty() || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return Err(DateError::Form);
    }
    let (kept, rest) = fraction.split_at(fraction.len().min(6));
    let micros = kept.bytes().chain(std::iter::repeat(b'0')).take(6);
    let micros = micros.fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    Ok((micros, rest.bytes().any(|b| b != b'0')))
}

/// Seconds east of UTC.
fn offset(text: &str) -> Result<i32, DateError> {
    let (sign, rest) = match text.as_bytes() {
        [b'Z' | b'z'] => return Ok(0),
        [b'+', ..] => (1, &text[1..]),
        [b'-', ..] => (-1, &text[1..]),
        _ => return Err(DateError::Form),
    };
    let (hours, minutes) = match rest.split_once(':') {
        Some(parts) => parts,
        None if rest.is_ascii() && rest.len() == 4 => rest.split_at(2),
        None => (rest, "00"),
    };
    match (two(hours)?, two(minutes)?) {
        (hours @ ..=23, minutes @ ..=59) => {
            Ok(sign * i32::try_from(hours * 3_600 + minutes * 60).unwrap_or(0))
        }
        _ => Err(DateError::NoSuchTime),
    }
}

fn date(year: i32, month: u32, day: u32) -> Result<NaiveDate, DateError> {
    NaiveDate::from_ymd_opt(year, month, day).ok_or(DateError::NoSuchDay)
}

fn in_range(year: i32) -> Result<i32, DateError> {
    if (-YEAR_MAX..=YEAR_MAX).contains(&year) { Ok(year) } else { Err(DateError::OutOfRange) }
}

/// At most six digits, so the number always fits.
fn digits(text: &str) -> Result<i32, DateError> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(DateError::Form);
    }
    text.parse().map_err(|_| DateError::Form)
}

fn two(text: &str) -> Result<u32, DateError> {
    match text.as_bytes() {
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => {
            Ok(u32::from(tens - b'0') * 10 + u32::from(ones - b'0'))
        }
        _ => Err(DateError::Form),
    }
}
