//! What a change did, as tools show it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::rpc::proto::{Outcome, OutcomeStatus, TransactResponse};

use super::verb::Told;
use super::when;

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Written {
    /// The transaction that recorded it; `known_at` takes it.
    pub(super) known_at: String,
    pub(super) recorded: String,
    /// One for each thing that was asked for.
    pub(super) outcomes: Vec<Shown>,
}

/// What became of one thing.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Shown {
    /// `applied`; `no_change`: it was known already; `no_match`: there was nothing to change;
    /// `blocked`: it was retracted for good; `contested`: something more trusted stands against
    /// it, so it is kept but not believed; `replayed`: this request was made before.
    pub(super) status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fact_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) episode_id: Option<String>,
    /// Facts that hold less long because of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) displaced: Vec<String>,
    /// It contradicts something that is no older; both are kept.
    pub(super) conflict: bool,
}

impl Written {
    pub(super) fn new(response: &TransactResponse) -> Written {
        Written {
            known_at: format!("tx:{}", response.tx),
            recorded: when::optional(response.tx_time.as_ref()).unwrap_or_default(),
            outcomes: response.outcomes.iter().map(Shown::new).collect(),
        }
    }
}

impl Shown {
    fn new(outcome: &Outcome) -> Shown {
        let present = |text: &String| (!text.is_empty()).then(|| text.clone());
        Shown {
            status: status(outcome.status()).to_owned(),
            fact_id: present(&outcome.fact_id),
            episode_id: present(&outcome.episode_id),
            displaced: outcome.displaced.iter().map(|other| other.fact_id.clone()).collect(),
            conflict: outcome.conflict,
        }
    }
}

fn status(status: OutcomeStatus) -> &'static str {
    match status {
        OutcomeStatus::Unspecified => "unknown",
        OutcomeStatus::Applied => "applied",
        OutcomeStatus::NoChange => "no_change",
        OutcomeStatus::NoMatch => "no_match",
        OutcomeStatus::Blocked => "blocked",
        OutcomeStatus::Replayed => "replayed",
        OutcomeStatus::Contested => "contested",
        OutcomeStatus::Invalid => "invalid",
    }
}

impl Told for Written {
    fn text(&self) -> String {
        let lines = self.outcomes.iter().map(|outcome| {
            let mut line = outcome.status.replace('_', " ");
            if !outcome.displaced.is_empty() {
                line += &format!(", {} displaced", outcome.displaced.len());
            }
            if outcome.conflict {
                line += ", in conflict with something no older";
            }
            line
        });
        let mut lines: Vec<_> = lines.collect();
        lines.dedup();
        format!("{} ({})", lines.join("; "), self.known_at)
    }
}
