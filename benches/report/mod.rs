//! Latencies side by side, the table they are printed in, and what the machine says of itself.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "durations and sizes of a bench are far from any bound"
)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use redb::{Database, TableDefinition};

/// Durations of one kind of call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Latencies(Vec<Duration>);

impl Latencies {
    pub(crate) fn push(&mut self, took: Duration) {
        self.0.push(took);
    }

    /// The duration that this share of the calls did not exceed, in milliseconds.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let place = (sorted.len() as f64 * share) as usize;
        let last = sorted.len().checked_sub(1).expect("something was measured");
        sorted[place.min(last)].as_secs_f64() * 1_000.0
    }

    pub(crate) fn p50(&self) -> f64 {
        self.quantile(0.5)
    }
}

/// What the p50 of a work is held to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bar {
    None,
    /// At most so many times an empty call.
    Pings(f64),
    /// The same, and a p99 of at most so many milliseconds.
    PingsAndP99(f64, f64),
    /// At most so many times one small commit and an empty call.
    Commits(f64),
}

/// One line of the table: a work, and what ran in turns with it.
pub(crate) struct Line {
    pub(crate) work: String,
    pub(crate) calls: Latencies,
    pub(crate) pings: Latencies,
    pub(crate) commits: Option<Latencies>,
    /// Bytes of the median reply.
    pub(crate) reply: usize,
    pub(crate) bar: Bar,
}

pub(crate) fn print_head() {
    println!(
        "{:<44} {:>9} {:>9} {:>9} {:>9} {:>8} {:>7}  {:<22} holds",
        "work", "p50 ms", "p99 ms", "ping p50", "commit", "reply B", "ratio", "bar"
    );
}

impl Line {
    pub(crate) fn print(&self) {
        let (p50, p99, ping) = (self.calls.p50(), self.calls.quantile(0.99), self.pings.p50());
        let commit = self.commits.as_ref().map(Latencies::p50);
        let ratio = p50 / (ping + commit.unwrap_or(0.0));
        let (bar, holds) = match self.bar {
            Bar::None => (String::new(), None),
            Bar::Pings(most) => (format!("{most} pings"), Some(ratio <= most)),
            Bar::PingsAndP99(most, p99_most) => {
                let holds = ratio <= most && p99 <= p99_most;
                (format!("{most} pings, p99 {p99_most} ms"), Some(holds))
            }
            Bar::Commits(most) => (format!("{most} (commit + ping)"), Some(ratio <= most)),
        };
        let holds = holds.map_or("", |holds| if holds { "yes" } else { "NO" });
        let commit = commit.map_or(String::new(), |commit| format!("{commit:.3}"));
        println!(
            "{:<44} {p50:>9.3} {p99:>9.3} {ping:>9.3} {commit:>9} {:>8} {ratio:>7.2}  {bar:<22} {holds}",
            self.work, self.reply
        );
    }
}

/// A single figure and what it is held to.
pub(crate) fn print_figure(work: &str, figure: f64, unit: &str, bar: Option<(&str, bool)>) {
    let (bar, holds) = bar.map_or(("", ""), |(bar, holds)| (bar, if holds { "yes" } else { "NO" }));
    println!("{work:<44} {figure:>12.2} {unit:<12} {bar:<26} {holds}");
}

/// The least that a durable write can cost here: one row in a database of its own, with one fsync.
pub(crate) struct SmallCommit {
    database: Database,
    next: u64,
}

impl SmallCommit {
    pub(crate) fn new(directory: &Path) -> SmallCommit {
        let database = Database::create(directory.join("small.redb")).expect("a database");
        SmallCommit { database, next: 0 }
    }

    pub(crate) fn run(&mut self) -> Duration {
        const ROWS: TableDefinition<u64, &[u8]> = TableDefinition::new("rows");
        let began = Instant::now();
        let txn = self.database.begin_write().expect("the only writer");
        txn.open_table(ROWS).expect("a table").insert(self.next, &[7; 100][..]).expect("a row");
        self.next += 1;
        txn.commit().expect("a commit");
        began.elapsed()
    }
}

/// Mebibytes of this process in memory; 0 where the system does not say.
pub(crate) fn resident_mib() -> f64 {
    const PAGE: f64 = 4_096.0;
    let statm = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<f64>().ok());
    pages.unwrap_or(0.0) * PAGE / (1_024.0 * 1_024.0)
}

/// Mebibytes of the files in a directory.
pub(crate) fn stored_mib(directory: &Path) -> f64 {
    let files = fs::read_dir(directory).expect("the data directory");
    let sizes = files.map(|file| file.expect("a file").metadata().expect("its size").len());
    sizes.sum::<u64>() as f64 / (1_024.0 * 1_024.0)
}
