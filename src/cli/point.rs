//! Points of both times, as they are written on the command line.

use clap::{Args, ValueEnum};

use crate::rpc::proto::{
    AsOf, Edge, Range, TransactionPoint, ValidPoint, transaction_point::Point as KnownKind,
    valid_point::Point as ValidKind,
};

use super::{
    error::Error,
    time_text::{self, Side},
};

/// Which edge of a date such as 2021 is meant.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EdgeWord {
    Start,
    End,
}

/// How dates are read.
#[derive(Clone, Debug, Args)]
pub(crate) struct DateArgs {
    /// Read dates such as 2021 at their start or at their last instant [default: start]
    #[arg(long, value_name = "EDGE")]
    pub(crate) edge: Option<EdgeWord>,
    /// Zone of dates without one, such as Asia/Seoul [default: the namespace's]
    #[arg(long, value_name = "ZONE")]
    pub(crate) zone: Option<String>,
}

impl DateArgs {
    pub(crate) fn zone(&self) -> &str {
        self.zone.as_deref().unwrap_or_default()
    }

    fn edge(&self) -> i32 {
        match self.edge {
            None => Edge::Unspecified.into(),
            Some(EdgeWord::Start) => Edge::Start.into(),
            Some(EdgeWord::End) => Edge::End.into(),
        }
    }

    pub(crate) fn valid(&self, text: &str) -> ValidPoint {
        ValidPoint {
            edge: self.edge(),
            point: Some(ValidKind::Date(time_text::date(text, self.zone()))),
        }
    }

    /// `tx:N`, or a date.
    pub(crate) fn known(&self, text: &str) -> Result<TransactionPoint, Error> {
        let point = match text.strip_prefix("tx:") {
            Some(number) => KnownKind::Tx(number.parse().map_err(|_| {
                Error::usage(format!("{text:?} is no transaction: write a number, as in tx:17"))
            })?),
            None => KnownKind::Date(time_text::date(text, self.zone())),
        };
        Ok(TransactionPoint { edge: self.edge(), point: Some(point) })
    }
}

/// Where in transaction time to answer.
#[derive(Clone, Debug, Args)]
pub(crate) struct KnownArgs {
    /// As it was known at this date, or after this transaction [default: the last]
    #[arg(long, value_name = "DATE|tx:N", allow_hyphen_values = true)]
    pub(crate) known_at: Option<String>,
    #[command(flatten)]
    pub(crate) dates: DateArgs,
}

impl KnownArgs {
    pub(crate) fn to_proto(&self) -> Result<Option<TransactionPoint>, Error> {
        self.known_at.as_deref().map(|text| self.dates.known(text)).transpose()
    }
}

/// Where in both times to answer.
#[derive(Clone, Debug, Args)]
pub(crate) struct AsOfArgs {
    /// What held at this date [default: now]
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    pub(crate) as_of: Option<String>,
    #[command(flatten)]
    pub(crate) known: KnownArgs,
}

impl AsOfArgs {
    pub(crate) fn to_proto(&self) -> Result<AsOf, Error> {
        Ok(AsOf {
            valid: self.as_of.as_deref().map(|text| self.known.dates.valid(text)),
            known: self.known.to_proto()?,
        })
    }

    pub(crate) fn zone(&self) -> &str {
        self.known.dates.zone()
    }
}

/// `V[,T]`, of which either part may be left out.
pub(crate) fn both_times(text: &str, dates: &DateArgs) -> Result<AsOf, Error> {
    let (valid, known) = match text.split_once(',') {
        Some((valid, known)) => (valid.trim(), known.trim()),
        None => (text.trim(), ""),
    };
    Ok(AsOf {
        valid: (!valid.is_empty()).then(|| dates.valid(valid)),
        known: if known.is_empty() { None } else { Some(dates.known(known)?) },
    })
}

/// Two bounds of a span.
pub(crate) fn range(bounds: &[String], zone: &str) -> Result<Option<Range>, Error> {
    match bounds {
        [] => Ok(None),
        [from, to] => Ok(Some(Range {
            from: Some(time_text::bound(from, Side::Start, zone).map_err(Error::Usage)?),
            to: Some(time_text::bound(to, Side::End, zone).map_err(Error::Usage)?),
        })),
        _ => Err(Error::usage("a span has two bounds, a start and an end")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: DateArgs = DateArgs { edge: None, zone: None };

    #[test]
    fn a_point_of_both_times_may_leave_either_out() {
        let at = both_times("2021,tx:3", &PLAIN).unwrap();
        assert_eq!(at.valid, Some(PLAIN.valid("2021")));
        assert_eq!(at.known.unwrap().point, Some(KnownKind::Tx(3)));
        let at = both_times(",tx:3", &PLAIN).unwrap();
        assert_eq!(at.valid, None);
        let at = both_times("2021", &PLAIN).unwrap();
        assert_eq!(at.known, None);
        assert!(both_times("2021,tx:x", &PLAIN).is_err());
    }

    #[test]
    fn a_span_takes_the_infinities() {
        let span = range(&["-inf".to_owned(), "2022".to_owned()], "").unwrap().unwrap();
        assert_eq!(span.from, Some(time_text::unbounded()));
    }
}
