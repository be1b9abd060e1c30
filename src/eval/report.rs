//! Measures over the questions of a history, each beside the same without a memory.

use std::time::Duration;

use super::judge::Verdict;
use super::run::Asked;

/// Messages after which a fact is to be known still.
const MESSAGES: usize = 50;

/// What a figure is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// More than so many of a hundred.
    Above(u32),
    /// Less than so many of a hundred.
    Below(u32),
    /// Quicker than this, of 95 of a hundred calls.
    Within(Duration),
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    RecallAt50,
    RecallAcross,
    Outdated,
    OldInView,
    Relevant,
    About,
    RelevantInAll,
    Latency,
}

/// Every measure, in the order it is told, with what it is to be.
pub const AIMS: [(Measure, Option<Aim>); 8] = [
    (Measure::RecallAt50, Some(Aim::Above(90))),
    (Measure::RecallAcross, Some(Aim::Above(90))),
    (Measure::Outdated, Some(Aim::Below(1))),
    (Measure::OldInView, None),
    (Measure::Relevant, Some(Aim::Above(60))),
    (Measure::About, Some(Aim::Above(60))),
    (Measure::RelevantInAll, None),
    (Measure::Latency, Some(Aim::Within(Duration::from_millis(50)))),
];

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub count: usize,
    pub of: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    Share(Share),
    /// Of so many calls: the time within which half of them, and 95 of a hundred, were done.
    Times {
        p50: Duration,
        p95: Duration,
        calls: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    pub measure: Measure,
    pub with: Figure,
    /// Without a memory. Of the times: an empty call.
    pub without: Figure,
    pub aim: Option<Aim>,
}

impl Measure {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Measure::RecallAt50 => "recall at 50 messages",
            Measure::RecallAcross => "recall across sessions",
            Measure::Outdated => "answers from superseded facts",
            Measure::OldInView => "superseded values in view",
            Measure::Relevant => "relevant tokens of what is remembered",
            Measure::About => "remembered tokens about what is asked",
            Measure::RelevantInAll => "relevant tokens of the whole context",
            Measure::Latency => "latency p95",
        }
    }

    fn figure(self, asked: &[Asked], verdict: impl Fn(&Asked) -> Verdict) -> Share {
        let mut share = Share::default();
        for one in asked {
            let changed = !one.question.superseded.is_empty();
            let judged = verdict(one);
            let (count, of) = match self {
                Measure::RecallAt50 => {
                    let far = one.distance.is_some_and(|distance| distance >= MESSAGES);
                    (usize::from(far && judged.found), usize::from(far))
                }
                Measure::RecallAcross => {
                    (usize::from(one.across && judged.found), usize::from(one.across))
                }
                Measure::Outdated => {
                    let answered = changed && (judged.found || judged.outdated);
                    (usize::from(changed && judged.outdated), usize::from(answered))
                }
                Measure::OldInView => {
                    (usize::from(changed && judged.shows_old), usize::from(changed))
                }
                Measure::Relevant => (judged.memory_relevant, judged.memory),
                Measure::About => (judged.memory_about, judged.memory),
                Measure::RelevantInAll => (judged.all_relevant, judged.all),
                Measure::Latency => (0, 0),
            };
            share.count += count;
            share.of += of;
        }
        share
    }
}

impl Report {
    /// Whether the aim is met. None: there is none, or nothing was measured.
    #[must_use]
    pub fn is_met(&self) -> Option<bool> {
        match (self.aim?, self.with) {
            (_, Figure::Share(Share { of: 0, .. })) => None,
            (Aim::Above(aim), Figure::Share(Share { count, of })) => {
                Some(count * 100 > of * aim as usize)
            }
            (Aim::Below(aim), Figure::Share(Share { count, of })) => {
                Some(count * 100 < of * aim as usize)
            }
            (Aim::Within(aim), Figure::Times { p95, calls, .. }) => (calls > 0).then(|| p95 < aim),
            _ => None,
        }
    }
}

/// All measures, in the order of [`AIMS`].
#[must_use]
pub fn report(asked: &[Asked]) -> Vec<Report> {
    let figures = |measure: Measure| match measure {
        Measure::Latency => {
            let with = times(asked.iter().map(|one| one.latency));
            (with, times(asked.iter().map(|one| one.empty)))
        }
        // Without a memory all that is shown is the conversation.
        Measure::Relevant | Measure::About => (
            Figure::Share(measure.figure(asked, |one| one.with)),
            Figure::Share(measure.figure(asked, |one| one.without.as_if_remembered())),
        ),
        _ => (
            Figure::Share(measure.figure(asked, |one| one.with)),
            Figure::Share(measure.figure(asked, |one| one.without)),
        ),
    };
    let row = |(measure, aim): (Measure, Option<Aim>)| {
        let (with, without) = figures(measure);
        Report { measure, with, without, aim }
    };
    AIMS.into_iter().map(row).collect()
}

fn times(of: impl Iterator<Item = Duration>) -> Figure {
    let mut times: Vec<Duration> = of.collect();
    times.sort_unstable();
    // The least time within which so many of a hundred were done.
    let within = |percent: usize| {
        let place = (times.len() * percent).div_ceil(100).saturating_sub(1);
        times.get(place).copied().unwrap_or_default()
    };
    Figure::Times { p50: within(50), p95: within(95), calls: times.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Question;

    fn asked(distance: Option<usize>, superseded: &[&str], with: Verdict) -> Asked {
        Asked {
            question: Question {
                text: "q".to_owned(),
                at: None,
                session: None,
                answers: vec!["new".to_owned()],
                superseded: superseded.iter().map(|one| (*one).to_owned()).collect(),
            },
            distance,
            across: distance.is_none(),
            with,
            without: Verdict::default(),
            latency: Duration::from_millis(if distance.is_some() { 10 } else { 90 }),
            empty: Duration::from_millis(1),
        }
    }

    fn row(rows: &[Report], measure: Measure) -> Report {
        *rows.iter().find(|row| row.measure == measure).expect("every measure is told")
    }

    #[test]
    fn each_measure_counts_its_own_questions() {
        let found = Verdict { found: true, memory: 10, memory_relevant: 7, ..Verdict::default() };
        let old = Verdict { outdated: true, shows_old: true, memory: 10, ..Verdict::default() };
        let rows = report(&[
            asked(Some(50), &[], found),
            asked(Some(49), &[], Verdict::default()),
            asked(None, &["old"], found),
            asked(None, &["old"], old),
            asked(None, &["old"], Verdict::default()),
        ]);
        let share = |measure| match row(&rows, measure).with {
            Figure::Share(share) => (share.count, share.of),
            Figure::Times { .. } => panic!("no share"),
        };
        assert_eq!(share(Measure::RecallAt50), (1, 1));
        assert_eq!(share(Measure::RecallAcross), (1, 3));
        assert_eq!(share(Measure::Outdated), (1, 2), "an answer that is missing is no answer");
        assert_eq!(share(Measure::OldInView), (1, 3));
        assert_eq!(share(Measure::Relevant), (14, 30));
        let met = |measure| row(&rows, measure).is_met();
        assert_eq!(met(Measure::RecallAt50), Some(true));
        assert_eq!(met(Measure::RecallAcross), Some(false));
        assert_eq!(met(Measure::Outdated), Some(false));
        assert_eq!(met(Measure::OldInView), None);
        assert_eq!(met(Measure::Latency), Some(false));
        let Figure::Times { p50, p95, calls } = row(&rows, Measure::Latency).with else {
            panic!("times")
        };
        assert_eq!((p50.as_millis(), p95.as_millis(), calls), (90, 90, 5));
        assert_eq!(row(&report(&[]), Measure::Latency).is_met(), None);
    }
}
