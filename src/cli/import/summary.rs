//! What an import came to, and how far it is.

use std::{
    io::IsTerminal,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::rpc::proto::ImportFactsResponse;

pub(crate) struct Summary {
    started: Instant,
    pub(crate) read: u64,
    settled: u64,
    counts: ImportFactsResponse,
}

impl Summary {
    pub(crate) fn new() -> Summary {
        Summary {
            started: Instant::now(),
            read: 0,
            settled: 0,
            counts: ImportFactsResponse::default(),
        }
    }

    pub(crate) fn add(&mut self, records: u64, response: &ImportFactsResponse) {
        self.settled += records;
        let counts = &mut self.counts;
        counts.applied += response.applied;
        counts.no_change += response.no_change;
        counts.replayed += response.replayed;
        counts.contested += response.contested;
        counts.blocked += response.blocked;
        counts.no_match += response.no_match;
        counts.rejected += response.rejected;
        counts.tx = counts.tx.max(response.tx);
    }

    pub(crate) fn settled(&self) -> u64 {
        self.settled
    }

    pub(crate) fn json(&self, rejected: u64, rejects: Option<&Path>) -> Value {
        let seconds = self.seconds();
        json!({
            "read": self.read,
            "applied": self.counts.applied,
            "unchanged": self.counts.no_change,
            "already_recorded": self.counts.replayed,
            "contested": self.counts.contested,
            "blocked": self.counts.blocked,
            "no_match": self.counts.no_match,
            "rejected": rejected,
            "rejects": rejects.map(|path| path.display().to_string()),
            "tx": self.counts.tx,
            "seconds": (seconds * 1_000.0).round() / 1_000.0,
            "rows_per_second": self.rate().round(),
        })
    }

    pub(crate) fn text(&self, rejected: u64, rejects: Option<&Path>) -> String {
        let counts = &self.counts;
        let mut text = format!(
            "{} rows read in {:.1} s ({} rows/s): {} applied, {} unchanged, {} already recorded, \
             {} contested, {rejected} rejected",
            grouped(self.read),
            self.seconds(),
            grouped(whole(self.rate())),
            grouped(counts.applied),
            grouped(counts.no_change),
            grouped(counts.replayed),
            grouped(counts.contested),
        );
        for (count, word) in [(counts.blocked, "blocked"), (counts.no_match, "without a match")] {
            if count > 0 {
                text += &format!(", {} {word}", grouped(count));
            }
        }
        if let Some(path) = rejects {
            text +=
                &format!("\nmend the rejected rows in {0} and import that file", path.display());
        }
        text
    }

    fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    #[allow(clippy::cast_precision_loss)] // A rate for a person.
    fn rate(&self) -> f64 {
        self.settled as f64 / self.seconds().max(0.001)
    }
}

/// A bar on standard error when that is a terminal; it runs with the bytes read.
pub(crate) struct Progress {
    pub(crate) bar: ProgressBar,
    bytes: Arc<AtomicU64>,
}

impl Progress {
    pub(crate) fn new(file: &Path, bytes: Arc<AtomicU64>) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress { bar: ProgressBar::hidden(), bytes };
        }
        let size =
            std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file).map(|data| data.len());
        let bar = match size {
            Some(size) => ProgressBar::new(size).with_style(style("{bar:30} {percent:>3}%  {msg}")),
            None => ProgressBar::new_spinner().with_style(style("{spinner} {msg}")),
        };
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress { bar, bytes }
    }

    pub(crate) fn show(&self, summary: &Summary) {
        self.bar.set_position(self.bytes.load(Ordering::Relaxed));
        let rate = grouped(whole(summary.rate()));
        self.bar.set_message(format!("{} rows, {rate} rows/s", grouped(summary.settled())));
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates of this file are well-formed")
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Rates are positive and small.
fn whole(rate: f64) -> u64 {
    rate.round() as u64
}

/// 1234567 as 1,234,567.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_234), "1,234");
        assert_eq!(grouped(123_456_789), "123,456,789");
    }

    #[test]
    fn streams_are_counted_together() {
        let mut summary = Summary::new();
        summary.read = 5;
        let one = ImportFactsResponse { applied: 2, replayed: 1, tx: 4, ..Default::default() };
        summary.add(3, &one);
        summary.add(2, &ImportFactsResponse { applied: 1, tx: 5, ..Default::default() });
        let json = summary.json(1, None);
        assert_eq!(
            (&json["applied"], &json["already_recorded"], &json["tx"]),
            (&json!(3), &json!(1), &json!(5))
        );
    }
}
