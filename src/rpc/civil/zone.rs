//! The zone a date without an offset is read in.

use chrono::{DateTime, LocalResult, NaiveDate, NaiveDateTime, Offset, TimeZone, Utc};
use chrono_tz::{GapInfo, Tz};

use super::DateError;
use crate::types::Timestamp;

/// A zone, and whether somebody chose it. Whole days may be read in UTC because nobody said
/// otherwise; a time of day may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    tz: Tz,
    chosen: bool,
}

impl Zone {
    /// Of a namespace that was made without one.
    pub const UNSET: Zone = Zone { tz: Tz::UTC, chosen: false };

    /// # Errors
    /// [`DateError::ZoneUnknown`] unless `name` is an IANA name such as `Asia/Seoul`.
    pub fn named(name: &str) -> Result<Zone, DateError> {
        match name.parse() {
            Ok(tz) => Ok(Zone { tz, chosen: true }),
            Err(_) => Err(DateError::ZoneUnknown),
        }
    }

    /// What the empty string means where a namespace is made: no zone was chosen.
    ///
    /// # Errors
    /// [`DateError::ZoneUnknown`] for any other text that is no IANA name.
    pub fn of_namespace(name: &str) -> Result<Zone, DateError> {
        if name.is_empty() { Ok(Zone::UNSET) } else { Zone::named(name) }
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.tz.name()
    }

    #[must_use]
    pub const fn is_chosen(self) -> bool {
        self.chosen
    }

    /// The day that a calendar on the wall shows at an instant; of one past all calendars, the last.
    #[must_use]
    pub fn day(self, at: Timestamp) -> NaiveDate {
        let utc = DateTime::from_timestamp_micros(at.micros()).unwrap_or(DateTime::<Utc>::MAX_UTC);
        utc.with_timezone(&self.tz).date_naive()
    }

    /// When a day begins.
    #[must_use]
    pub fn midnight(self, day: NaiveDate) -> Option<Timestamp> {
        self.instant(day.and_time(chrono::NaiveTime::MIN)).ok()
    }

    /// The instant that a clock on the wall shows `local`. A time that the clock skips is read
    /// with the offset from before the gap, which shifts it forward by the gap; of two instants
    /// the earlier one is meant.
    pub(super) fn instant(self, local: NaiveDateTime) -> Result<Timestamp, DateError> {
        let micros = match self.tz.from_local_datetime(&local) {
            LocalResult::Single(at) => at.timestamp_micros(),
            LocalResult::Ambiguous(a, b) => a.min(b).timestamp_micros(),
            LocalResult::None => {
                let gap = GapInfo::new(&local, &self.tz).ok_or(DateError::OutOfRange)?;
                let (_, before) = gap.begin.ok_or(DateError::OutOfRange)?;
                let at = local.checked_sub_offset(before.fix()).ok_or(DateError::OutOfRange)?;
                at.and_utc().timestamp_micros()
            }
        };
        Ok(Timestamp::from_micros(micros))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_an_iana_name() {
        assert_eq!(Zone::named("Asia/Seoul").map(Zone::name), Ok("Asia/Seoul"));
        for name in ["", "Seoul", "KST", "+09:00", "asia/seoul", "Asia/Seoul "] {
            assert_eq!(Zone::named(name), Err(DateError::ZoneUnknown), "{name:?}");
        }
    }

    #[test]
    fn a_namespace_without_a_zone_reads_days_in_utc_but_chose_nothing() {
        assert_eq!(Zone::of_namespace(""), Ok(Zone::UNSET));
        assert!(!Zone::UNSET.is_chosen());
        assert!(Zone::of_namespace("UTC").is_ok_and(Zone::is_chosen));
    }
}
