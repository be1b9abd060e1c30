//! How much load was held: requests by kind, and how long they took.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Durations of one kind that are kept; later ones take the places of earlier ones in turn.
const KEPT: usize = 200_000;

#[derive(Default)]
struct Kind {
    count: u64,
    took: Vec<Duration>,
}

#[derive(Default)]
pub(crate) struct Tally(Mutex<BTreeMap<&'static str, Kind>>);

impl Tally {
    /// The answer of a request, which is counted when it came.
    pub(crate) async fn timed<T, E>(
        &self,
        kind: &'static str,
        asked: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let began = Instant::now();
        let answer = asked.await;
        if answer.is_ok() {
            self.add(kind, began.elapsed());
        }
        answer
    }

    fn add(&self, kind: &'static str, took: Duration) {
        let mut kinds = self.0.lock().expect("nobody panics under it");
        let of = kinds.entry(kind).or_default();
        let place = usize::try_from(of.count).expect("it is counted in memory") % KEPT;
        match of.took.get_mut(place) {
            Some(kept) => *kept = took,
            None => of.took.push(took),
        }
        of.count += 1;
    }

    pub(crate) fn count(&self, kind: &str) -> u64 {
        self.0.lock().expect("nobody panics under it").get(kind).map_or(0, |of| of.count)
    }

    /// One line a kind.
    pub(crate) fn report(&self, seconds: u64) -> String {
        let mut kinds = self.0.lock().expect("nobody panics under it");
        let mut text = format!("load held over {seconds} s");
        for (name, of) in kinds.iter_mut() {
            of.took.sort_unstable();
            let at = |hundredths: usize| of.took[(of.took.len() - 1) * hundredths / 100];
            #[expect(clippy::cast_precision_loss, reason = "a number of calls")]
            let rate = of.count as f64 / seconds.max(1) as f64;
            write!(
                text,
                "\n{name:<10} {:>8} {rate:>8.1}/s  p50 {:>8.2?}  p99 {:>8.2?}",
                of.count,
                at(50),
                at(99)
            )
            .expect("a string takes it");
        }
        text
    }
}
