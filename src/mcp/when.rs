//! Dates and transactions as people write them.

use chrono::{DateTime, Utc};
use tonic::Status;

use crate::rpc::proto::{
    AsOf, Basis, Bound, CivilDate, Instant, Range, TransactionPoint, Unbounded, ValidPoint,
    bound::Bound as BoundKind, transaction_point::Point as Known, valid_point::Point as Valid,
};
use crate::rpc::status::malformed;

/// What stands before the number of a transaction.
const TX: &str = "tx:";

/// "2021-03-05T10:00:00Z", or the date alone where it is midnight.
pub(super) fn shown(at: Instant) -> String {
    let Some(time) = DateTime::<Utc>::from_timestamp_micros(at.unix_micros) else {
        return format!("{} microseconds", at.unix_micros);
    };
    let text = time.format("%Y-%m-%dT%H:%M:%S%.fZ").to_string();
    text.strip_suffix("T00:00:00Z").map_or_else(|| text.clone(), str::to_owned)
}

pub(super) fn optional(at: Option<&Instant>) -> Option<String> {
    at.copied().map(shown)
}

/// Where an answer stands, in words that can be sent back.
pub(super) fn basis(basis: Option<&Basis>) -> (String, String) {
    let basis = basis.copied().unwrap_or_default();
    (optional(basis.valid_time.as_ref()).unwrap_or_default(), format!("{TX}{}", basis.tx))
}

/// A bound: a date, or "unknown" in a start and "never" in an end.
pub(super) fn bound(text: Option<&str>) -> Option<Bound> {
    let kind = match text?.trim() {
        "" => return None,
        "unknown" | "never" => BoundKind::Unbounded(Unbounded {}),
        text => BoundKind::Date(date(text)),
    };
    Some(Bound { bound: Some(kind), written: None })
}

pub(super) fn range(from: Option<&str>, to: Option<&str>) -> Option<Range> {
    (from.is_some() || to.is_some()).then(|| Range { from: bound(from), to: bound(to) })
}

pub(super) fn as_of(as_of: Option<&str>, known_at: Option<&str>) -> Result<AsOf, Status> {
    Ok(AsOf { valid: valid(as_of), known: known("known_at", known_at)? })
}

pub(super) fn valid(text: Option<&str>) -> Option<ValidPoint> {
    let text = text.map(str::trim).filter(|text| !text.is_empty())?;
    Some(ValidPoint { point: Some(Valid::Date(date(text))), ..Default::default() })
}

/// A date, or the number of a transaction as in "tx:17".
pub(super) fn known(field: &str, text: Option<&str>) -> Result<Option<TransactionPoint>, Status> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let point = match text.strip_prefix(TX) {
        Some(number) => Known::Tx(number.parse().map_err(|_| {
            malformed(field.to_owned(), "the number of a transaction is written tx:17".to_owned())
        })?),
        None => Known::Date(date(text)),
    };
    Ok(Some(TransactionPoint { point: Some(point), ..Default::default() }))
}

fn date(text: &str) -> CivilDate {
    CivilDate { text: text.to_owned(), ..Default::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_as_they_can_be_sent_back() {
        for (micros, text) in [
            (0, "1970-01-01"),
            (1_500_000, "1970-01-01T00:00:01.500Z"),
            (1_614_938_400_000_000, "2021-03-05T10:00:00Z"),
            (-63_549_360_000_000_000, "-0044-03-15"),
        ] {
            assert_eq!(shown(Instant { unix_micros: micros }), text);
        }
        let at = Basis {
            valid_time: Some(Instant { unix_micros: 0 }),
            tx: 7,
            tx_time: None,
            erased: false,
        };
        assert_eq!(basis(Some(&at)), ("1970-01-01".to_owned(), "tx:7".to_owned()));
        let point = known("known_at", Some("tx:7")).expect("a point").expect("one").point;
        assert_eq!(point, Some(Known::Tx(7)));
        assert!(known("known_at", Some("tx:x")).is_err());
    }
}
