//! How far each leg took part, for the caller.

use crate::engine::Answer;
use crate::query::recall::{Leg, LegReport, LegShare, LegState, Signal, SignalShare, SkipReason};

use super::from_proto::Recall;
use super::proto;

/// Why a model that there is was not called.
pub(super) const OVER_BUDGET: &str = "the budget of the namespace for it is spent";

/// What a report needs to know of the question.
pub(super) struct Asked<'a> {
    pub(super) recall: &'a Recall,
    /// Why the server could not embed the words.
    pub(super) skipped: Option<String>,
}

pub(super) fn reports(answer: &Answer, asked: &Asked<'_>) -> Vec<proto::LegReport> {
    answer.recalled.reports.iter().map(|report| shown(report, answer, asked)).collect()
}

fn shown(report: &LegReport, answer: &Answer, asked: &Asked<'_>) -> proto::LegReport {
    let behind = match report.leg {
        Leg::Text => answer.behind.text,
        Leg::Vector => answer.behind.vectors,
        Leg::Graph => 0,
    };
    let (status, reason, detail) = match report.state {
        LegState::Searched if behind > 0 => {
            let detail = format!("{behind} document(s) are not in it yet");
            (proto::LegStatus::Behind, "BEHIND", detail)
        }
        LegState::Searched if report.dropped > 0 => {
            let detail = format!("{} of the commonest words were left out", report.dropped);
            (proto::LegStatus::Searched, "WORDS_LEFT_OUT", detail)
        }
        LegState::Searched if report.truncated => {
            let detail = "more facts are in reach than were looked at".to_owned();
            (proto::LegStatus::Searched, "TRUNCATED", detail)
        }
        LegState::Searched => (proto::LegStatus::Searched, "", String::new()),
        LegState::Broken => {
            let detail = "the view is damaged and being built anew".to_owned();
            (proto::LegStatus::Failed, "VIEW_BROKEN", detail)
        }
        LegState::Skipped(reason) => skipped(reason, asked),
    };
    proto::LegReport {
        leg: leg(report.leg).into(),
        status: status.into(),
        reason: reason.to_owned(),
        detail,
        found: u32::try_from(report.found).unwrap_or(u32::MAX),
        behind,
    }
}

fn skipped(reason: SkipReason, asked: &Asked<'_>) -> (proto::LegStatus, &'static str, String) {
    let (reason, detail) = match reason {
        SkipReason::NotAsked => ("NOT_ASKED", "the question leaves it out"),
        SkipReason::NoQuery => ("NO_QUERY", "the question has no words"),
        SkipReason::NoWords => ("NO_WORDS", "the question has only stop words or signs"),
        SkipReason::NoSpace => ("NO_VECTORS", "nothing in this namespace has a vector"),
        SkipReason::NoEntity => ("NO_ENTITY", "the question names no entity"),
        SkipReason::NoVector => match &asked.skipped {
            Some(detail) if detail == OVER_BUDGET => ("OVER_BUDGET", OVER_BUDGET),
            Some(detail) => return (proto::LegStatus::Skipped, "NO_EMBEDDING", detail.clone()),
            None if asked.recall.query.words.trim().is_empty() => {
                ("NO_VECTOR", "the question has neither a vector nor words")
            }
            None => ("NO_VECTOR", "the question has no vector"),
        },
    };
    (proto::LegStatus::Skipped, reason, detail.to_owned())
}

fn leg(leg: Leg) -> proto::Leg {
    match leg {
        Leg::Text => proto::Leg::Text,
        Leg::Vector => proto::Leg::Vector,
        Leg::Graph => proto::Leg::Graph,
    }
}

pub(super) fn share(share: &LegShare) -> proto::LegShare {
    proto::LegShare {
        leg: leg(share.leg).into(),
        rank: share.rank.unwrap_or_default(),
        score: share.score,
        share: share.share,
    }
}

pub(super) fn signal(signal: &SignalShare) -> proto::SignalShare {
    let name = match signal.signal {
        Signal::Importance => "importance",
        Signal::Recency => "recency",
        Signal::Access => "access",
    };
    proto::SignalShare { signal: name.to_owned(), value: signal.value, share: signal.share }
}
