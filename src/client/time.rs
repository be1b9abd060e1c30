//! Instants as text, in any year that they reach.

use std::fmt;

use crate::rpc::proto::Instant;

pub(crate) const DAY_MICROS: i64 = 86_400_000_000;

/// As `2021-03-05T00:00:00Z`, in UTC.
impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&instant(self.unix_micros))
    }
}

/// RFC 3339 in UTC, with microseconds only where there are any. Years before 0 and after 9999 are
/// written as ISO 8601 expanded years: a sign and at least four digits, where -0001 is 2 BC.
pub(crate) fn instant(micros: i64) -> String {
    let (year, month, day) = civil_from_days(micros.div_euclid(DAY_MICROS));
    let of_day = micros.rem_euclid(DAY_MICROS);
    let (second_of_day, fraction) = (of_day / 1_000_000, of_day % 1_000_000);
    let (hour, minute, second) =
        (second_of_day / 3_600, second_of_day / 60 % 60, second_of_day % 60);
    let year = match year {
        0..=9_999 => format!("{year:04}"),
        _ if year < 0 => format!("-{:04}", -year),
        _ => format!("+{year:04}"),
    };
    let fraction = if fraction == 0 { String::new() } else { format!(".{fraction:06}") };
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

/// The year, month and day of a day number, by eras of 400 years that begin on the
/// first of March.
pub(crate) fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}
