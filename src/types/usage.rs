//! What calls of models cost, by what they are for and by when, and the bounds on it.

use std::collections::BTreeMap;
use std::fmt;

use super::Timestamp;

/// What a model is called for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    EmbedDocument,
    EmbedQuery,
    Rerank,
    Extract,
    Summarise,
    Reflect,
    /// Whether something new says what is there already.
    Judge,
}

impl Purpose {
    pub const ALL: [Purpose; 7] = [
        Purpose::EmbedDocument,
        Purpose::EmbedQuery,
        Purpose::Rerank,
        Purpose::Extract,
        Purpose::Summarise,
        Purpose::Reflect,
        Purpose::Judge,
    ];

    /// What it is called where people read it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Purpose::EmbedDocument => "embed_document",
            Purpose::EmbedQuery => "embed_query",
            Purpose::Rerank => "rerank",
            Purpose::Extract => "extract",
            Purpose::Summarise => "summarise",
            Purpose::Reflect => "reflect",
            Purpose::Judge => "judge",
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What some calls cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Cost {
    /// Calls, each with all its attempts.
    pub calls: u64,
    /// Those that gave nothing that could be used.
    pub failures: u64,
    pub prompt_tokens: u64,
    pub completion_tokens: u64,
    /// Of all these tokens, those that the other side did not count, so that they were counted here.
    pub estimated_tokens: u64,
}

impl Cost {
    /// What budgets are held against.
    #[must_use]
    pub const fn tokens(&self) -> u64 {
        self.prompt_tokens.saturating_add(self.completion_tokens)
    }

    pub fn add(&mut self, more: &Cost) {
        self.calls = self.calls.saturating_add(more.calls);
        self.failures = self.failures.saturating_add(more.failures);
        self.prompt_tokens = self.prompt_tokens.saturating_add(more.prompt_tokens);
        self.completion_tokens = self.completion_tokens.saturating_add(more.completion_tokens);
        self.estimated_tokens = self.estimated_tokens.saturating_add(more.estimated_tokens);
    }
}

/// A day or a month in UTC, counted from January 1970; what is earlier counts as the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Period {
    Day(u32),
    Month(u32),
}

const DAY_MICROS: i64 = 86_400_000_000;

impl Period {
    /// The day and the month of an instant.
    #[must_use]
    pub fn of(time: Timestamp) -> [Period; 2] {
        let day = u32::try_from(time.micros().max(0) / DAY_MICROS).unwrap_or(u32::MAX);
        let (year, month, _) = civil(day);
        let months = (year - 1970) * 12 + u64::from(month) - 1;
        [Period::Day(day), Period::Month(u32::try_from(months).unwrap_or(u32::MAX))]
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Period::Day(day) => {
                let (year, month, day) = civil(day);
                write!(f, "{year:04}-{month:02}-{day:02}")
            }
            Period::Month(months) => write!(f, "{:04}-{:02}", 1970 + months / 12, months % 12 + 1),
        }
    }
}

/// Year, month and day of the month, by the algorithm of Howard Hinnant: years that begin in March
/// put the leap day last.
fn civil(day: u32) -> (u64, u32, u32) {
    let days = u64::from(day) + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day_of_month = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    (year, small(month), small(day_of_month))
}

/// Tokens that may be spent. What is absent is unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Budget {
    pub day_tokens: Option<u64>,
    pub month_tokens: Option<u64>,
}

/// The budgets of a namespace. A purpose that is missing is unbounded.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Budgets(pub BTreeMap<Purpose, Budget>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_months_are_those_of_utc() {
        let shown = |micros| Period::of(Timestamp::from_micros(micros)).map(|at| at.to_string());
        let day = |days: i64| days * DAY_MICROS;
        for (micros, of_day, of_month) in [
            (-1, "1970-01-01", "1970-01"),
            (0, "1970-01-01", "1970-01"),
            (day(31) - 1, "1970-01-31", "1970-01"),
            (day(31), "1970-02-01", "1970-02"),
            (day(789), "1972-02-29", "1972-02"),
            (day(790), "1972-03-01", "1972-03"),
            (day(11_016), "2000-02-29", "2000-02"),
            (day(20_788), "2026-12-01", "2026-12"),
            (day(47_540), "2100-02-28", "2100-02"),
            (day(47_541), "2100-03-01", "2100-03"),
        ] {
            assert_eq!(shown(micros), [of_day, of_month], "{micros}");
        }
    }

    #[test]
    fn costs_add_up_and_never_wrap() {
        let mut cost = Cost { calls: 1, prompt_tokens: u64::MAX, ..Cost::default() };
        cost.add(&Cost { calls: 2, failures: 1, prompt_tokens: 5, ..Cost::default() });
        assert_eq!((cost.calls, cost.failures, cost.tokens()), (3, 1, u64::MAX));
    }
}
