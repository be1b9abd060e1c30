//! Instants, dates and the bounds made of them.

use chrono::{DateTime, SecondsFormat};

use super::{Checked, Form};
use crate::kernel::ViolationKind;
use crate::rpc::civil::{DateError, Resolved, resolve};
use crate::rpc::{proto, to_proto};
use crate::types::limits::DATE_BYTES_MAX;
use crate::types::{Dated, Interval, IntervalError, Timestamp, Written};

/// Which end of an interval a bound is: what "unbounded" and the end of the calendar mean there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    From,
    To,
    /// Not a bound but an instant at which something happens: it cannot be unbounded.
    At,
}

impl Form {
    pub(super) fn instant(
        &mut self,
        field: &'static str,
        instant: proto::Instant,
    ) -> Checked<Timestamp> {
        let at = Timestamp::from_micros(instant.unix_micros);
        if at.is_instant() {
            return Ok(at);
        }
        let detail = "the two ends of 64 bits are no instants: say unbounded";
        Err(self.fail(field, ViolationKind::DateInvalid, detail))
    }

    /// What a date spans in the zone it names, or in that of the namespace.
    pub(super) fn date(
        &mut self,
        field: &'static str,
        date: &proto::CivilDate,
    ) -> Checked<Resolved> {
        let asked = self.variant::<proto::Granularity>(field, date.granularity);
        let zone = Some(date.zone.as_str()).filter(|zone| !zone.is_empty());
        let resolved = resolve(&date.text, zone, &self.zone).map_err(|error| {
            let detail = match error {
                DateError::Empty | DateError::TooLong { .. } => error.to_string(),
                DateError::ZoneUnknown => format!("{:?}: {error}", excerpt(&date.zone)),
                _ => format!("{:?}: {error}", date.text),
            };
            self.fail(field, date_kind(error), detail)
        })?;
        let written = to_proto::granularity(resolved.written.granularity);
        match asked? {
            proto::Granularity::Unspecified => Ok(resolved),
            asked if asked == written => Ok(resolved),
            asked => {
                let (asked, written) = (asked.as_str_name(), written.as_str_name());
                let detail = format!("{:?} is written as {written}, not {asked}", date.text);
                Err(self.fail(field, ViolationKind::DateInvalid, detail))
            }
        }
    }

    /// A bound, or nothing where nothing was said.
    pub(super) fn bound(
        &mut self,
        field: &'static str,
        bound: Option<&proto::Bound>,
        side: Side,
    ) -> Checked<Option<Dated>> {
        let Some(bound) = bound else { return Ok(None) };
        match (&bound.bound, side) {
            (Some(proto::bound::Bound::Instant(instant)), _) => {
                let written = bound.written.as_ref().map(|words| self.words(field, words));
                let at = self.instant(field, *instant);
                Ok(Some(Dated { at: at?, written: written.transpose()? }))
            }
            (Some(proto::bound::Bound::Date(date)), _) => {
                let resolved = self.date(field, date)?;
                let at = match side {
                    Side::From | Side::At => resolved.start,
                    Side::To => resolved.exclusive_end(),
                };
                Ok(Some(Dated { at, written: Some(resolved.written) }))
            }
            (Some(proto::bound::Bound::Unbounded(_)), Side::From) => {
                Ok(Some(Timestamp::NEG_INFINITY.into()))
            }
            (Some(proto::bound::Bound::Unbounded(_)), Side::To) => {
                Ok(Some(Timestamp::INFINITY.into()))
            }
            (Some(proto::bound::Bound::Unbounded(_)), Side::At) => {
                let detail = "this needs an instant or a date, not unbounded";
                Err(self.fail(field, ViolationKind::Malformed, detail))
            }
            (None, _) => {
                let detail = "a bound is an instant, a date or unbounded; leave it out for none";
                Err(self.fail(field, ViolationKind::Malformed, detail))
            }
        }
    }

    /// The words that an instant was resolved from. They are kept as they are and not resolved
    /// again.
    fn words(&mut self, field: &'static str, date: &proto::CivilDate) -> Checked<Written> {
        let text = self.text(field, &date.text, DATE_BYTES_MAX);
        let zone = self.text(field, &date.zone, DATE_BYTES_MAX);
        let granularity = self.variant(field, date.granularity);
        let granularity = to_proto::granularity_of(granularity?);
        Ok(Written {
            text: text?.unwrap_or_default(),
            zone: zone?.unwrap_or_default(),
            granularity,
        })
    }

    /// Refuses two known bounds that enclose nothing. Blamed is the end.
    pub(super) fn ordered(
        &mut self,
        field: &'static str,
        from: Option<&Dated>,
        to: Option<&Dated>,
    ) -> Checked<()> {
        let (Some(from), Some(to)) = (from, to) else { return Ok(()) };
        self.enclosed(field, from, to).map(|_| ())
    }

    pub(super) fn interval(
        &mut self,
        field: &'static str,
        from: Timestamp,
        to: Timestamp,
    ) -> Checked<Interval> {
        self.enclosed(field, &from.into(), &to.into())
    }

    fn enclosed(&mut self, field: &'static str, from: &Dated, to: &Dated) -> Checked<Interval> {
        Interval::new(from.at, to.at).map_err(|error| {
            let (from, to) = (spelled(from), spelled(to));
            let (kind, detail) = match error {
                IntervalError::Empty => {
                    let detail = format!("{from} to {to} encloses nothing: both name one instant");
                    (ViolationKind::EmptyInterval, detail)
                }
                IntervalError::Inverted => {
                    let detail = format!("the end {to} is before the start {from}");
                    (ViolationKind::InvertedInterval, detail)
                }
            };
            self.fail(field, kind, detail)
        })
    }
}

/// A bound as it was written, or else as an instant in UTC.
fn spelled(dated: &Dated) -> String {
    if let Some(written) = &dated.written {
        return written.text.clone();
    }
    match dated.at {
        Timestamp::NEG_INFINITY => "-infinity".to_owned(),
        Timestamp::INFINITY => "+infinity".to_owned(),
        at => DateTime::from_timestamp_micros(at.micros()).map_or_else(
            || format!("{at:?} microseconds"),
            |instant| instant.to_rfc3339_opts(SecondsFormat::AutoSi, true),
        ),
    }
}

fn date_kind(error: DateError) -> ViolationKind {
    match error {
        DateError::Empty => ViolationKind::Missing,
        DateError::TooLong { .. } => ViolationKind::TooLong,
        DateError::BareNumber
        | DateError::Form
        | DateError::NoSuchDay
        | DateError::NoSuchTime
        | DateError::SkippedDay
        | DateError::OutOfRange => ViolationKind::DateInvalid,
        DateError::ZoneMissing => ViolationKind::ZoneMissing,
        DateError::ZoneUnknown => ViolationKind::ZoneUnknown,
    }
}

/// As much of a caller's text as an error repeats.
fn excerpt(text: &str) -> &str {
    text.char_indices().nth(40).map_or(text, |(end, _)| &text[..end])
}
