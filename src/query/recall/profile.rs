//! What counts beside the fused score: importance, age, and when something was last read.

use crate::types::{Confidence, DocumentKey, Timestamp, Trust, TxId};

use super::answer::{Found, Signal, SignalShare};
use super::candidates::Candidate;
use super::request::Profile;
use super::sight::Sight;

/// Unit of age in [`Profile::Weighted`]: a decay constant, which is no half-life.
const AGE_SECONDS: f64 = 604_800.0;
/// Decay an hour in [`Profile::GenerativeAgents`], as in the paper.
const ACCESS_DECAY: f64 = 0.01;
/// What counts where nobody said how much something matters.
const IMPORTANCE_DEFAULT: f32 = 0.5;

/// What is known of a candidate beside its words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Standing {
    pub(super) trust: Trust,
    pub(super) importance: f32,
    /// The transaction that recorded the newest of it.
    pub(super) tx: TxId,
    /// When it was said, or recorded where that is not known.
    pub(super) since: Timestamp,
}

pub(super) fn standing(sight: &Sight<'_>, found: Found) -> Standing {
    let snapshot = sight.snapshot();
    let time = |tx| snapshot.directory.time_of(tx).unwrap_or(Timestamp::MIN);
    match found {
        Found::Fact(triple) => {
            let supports = sight.supports(triple);
            let newest = supports.first();
            let tx = newest.map_or(TxId::ZERO, |support| support.id.tx);
            let importance = supports.iter().find_map(|support| support.importance);
            let trust = supports.iter().map(|support| support.trust).max();
            Standing {
                trust: trust.unwrap_or(Trust::Unverified),
                importance: importance.map_or(IMPORTANCE_DEFAULT, Confidence::get),
                tx,
                since: time(tx),
            }
        }
        Found::Episode(id) => {
            let episode = snapshot.documents.episode_by_id(id).expect("a hit was recorded");
            Standing {
                trust: episode.trust,
                importance: episode.importance.map_or(IMPORTANCE_DEFAULT, Confidence::get),
                tx: id.tx,
                since: episode.said().unwrap_or_else(|| time(id.tx)),
            }
        }
        Found::Entity(_) => Standing {
            trust: Trust::Unverified,
            importance: IMPORTANCE_DEFAULT,
            tx: TxId::ZERO,
            since: Timestamp::MIN,
        },
    }
}

/// The score under a profile, from 0 to 1, and what each signal adds to it.
pub(super) fn weigh(
    profile: Profile,
    similarity: f32,
    standing: &Standing,
    now: Timestamp,
    read: Option<Timestamp>,
) -> (f32, f32, Vec<SignalShare>) {
    let signal =
        |signal, value: f32, weight: f32| SignalShare { signal, value, share: value * weight };
    let (own, signals) = match profile {
        Profile::Balanced => (1.0, Vec::new()),
        Profile::Weighted => (
            0.6,
            vec![
                signal(Signal::Importance, standing.importance, 0.2),
                signal(Signal::Recency, decayed(seconds(standing.since, now) / AGE_SECONDS), 0.2),
            ],
        ),
        Profile::GenerativeAgents => {
            let total = 1.0 + 0.9 + 0.8;
            let hours = seconds(read.unwrap_or(standing.since), now) / 3_600.0;
            (
                1.0 / total,
                vec![
                    signal(Signal::Access, decayed(ACCESS_DECAY * hours), 0.9 / total),
                    signal(Signal::Importance, standing.importance, 0.8 / total),
                ],
            )
        }
    };
    let sum: f32 = signals.iter().map(|signal| signal.share).sum();
    (similarity * own + sum, own, signals)
}

/// Seconds that have passed, none if the moment is yet to come.
fn seconds(since: Timestamp, now: Timestamp) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "an age in microseconds to a second or so")]
    let micros = now.micros().saturating_sub(since.micros()).max(0) as f64;
    micros / 1e6
}

#[allow(clippy::cast_possible_truncation, reason = "from 0 to 1")]
fn decayed(age: f64) -> f32 {
    (-age).exp() as f32
}

/// When documents were last read by a question about today.
pub trait Accesses: Sync {
    fn last_read(&self, document: DocumentKey) -> Option<Timestamp>;
}

/// The order of hits of one score: what is trusted more, then what is newer, then by id.
pub(super) fn settle(a: (&Candidate, &Standing), b: (&Candidate, &Standing)) -> std::cmp::Ordering {
    (b.1.trust.cmp(&a.1.trust)).then(b.1.tx.cmp(&a.1.tx)).then(a.0.found.cmp(&b.0.found))
}
