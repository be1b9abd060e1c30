//! To the wire, where it needs no names and no clock.

use super::from_proto::floored;
use crate::kernel::{Displaced, Outcome, OutcomeStatus, Violation};
use crate::rpc::{proto, status};
use crate::types::{
    Cardinality, CloseReason, ConflictKind, FactId, Granularity, StatementKind, Timestamp, Trust,
    Value, Written,
};
use crate::types::{EpisodeKind, Fold};

/// # Panics
/// For the sentinels, which are bounds and never instants.
#[must_use]
pub fn instant(at: Timestamp) -> proto::Instant {
    assert!(at.is_instant(), "a sentinel is no instant");
    proto::Instant { unix_micros: at.micros() }
}

/// A bound of valid time, absent where it is infinite.
#[must_use]
pub fn bound(at: Timestamp) -> Option<proto::Instant> {
    at.is_instant().then(|| instant(at))
}

#[must_use]
pub fn civil_date(written: &Written) -> proto::CivilDate {
    proto::CivilDate {
        text: written.text.clone(),
        zone: written.zone.clone(),
        granularity: granularity(written.granularity).into(),
    }
}

#[must_use]
pub fn granularity(granularity: Granularity) -> proto::Granularity {
    match granularity {
        Granularity::Century => proto::Granularity::Century,
        Granularity::Decade => proto::Granularity::Decade,
        Granularity::Year => proto::Granularity::Year,
        Granularity::Month => proto::Granularity::Month,
        Granularity::Day => proto::Granularity::Day,
        Granularity::Second => proto::Granularity::Second,
        Granularity::Micro => proto::Granularity::Micro,
    }
}

/// The other way; words without a granularity are taken for an instant's.
#[must_use]
pub fn granularity_of(granularity: proto::Granularity) -> Granularity {
    match granularity {
        proto::Granularity::Century => Granularity::Century,
        proto::Granularity::Decade => Granularity::Decade,
        proto::Granularity::Year => Granularity::Year,
        proto::Granularity::Month => Granularity::Month,
        proto::Granularity::Day => Granularity::Day,
        proto::Granularity::Second => Granularity::Second,
        proto::Granularity::Unspecified | proto::Granularity::Micro => Granularity::Micro,
    }
}

#[must_use]
pub fn close_reason(reason: CloseReason) -> proto::CloseReason {
    match reason {
        CloseReason::Superseded => proto::CloseReason::Superseded,
        CloseReason::Ended => proto::CloseReason::Ended,
        CloseReason::Retracted => proto::CloseReason::Retracted,
        CloseReason::Extended => proto::CloseReason::Extended,
        CloseReason::Merged => proto::CloseReason::Merged,
        CloseReason::Regrouped => proto::CloseReason::Regrouped,
    }
}

#[must_use]
pub fn trust(trust: Trust) -> proto::Trust {
    match trust {
        Trust::Unverified => proto::Trust::Unverified,
        Trust::Inferred => proto::Trust::Inferred,
        Trust::Stated => proto::Trust::Stated,
        Trust::Confirmed => proto::Trust::Confirmed,
        Trust::SystemOfRecord => proto::Trust::SystemOfRecord,
    }
}

#[must_use]
pub fn cardinality(cardinality: Cardinality) -> proto::Cardinality {
    match cardinality {
        Cardinality::One => proto::Cardinality::One,
        Cardinality::Many => proto::Cardinality::Many,
    }
}

#[must_use]
pub fn statement_kind(kind: StatementKind) -> proto::StatementKind {
    match kind {
        StatementKind::Open { .. } => proto::StatementKind::Open,
        StatementKind::Definite(_) => proto::StatementKind::Definite,
        StatementKind::AtLeast(_) => proto::StatementKind::AtLeast,
        StatementKind::End { .. } => proto::StatementKind::End,
        StatementKind::RetractAll { .. } => proto::StatementKind::Retract,
        StatementKind::RetractPart { .. } => proto::StatementKind::RetractRange,
    }
}

/// `from` and `to` of a statement.
#[must_use]
pub fn statement_bounds(kind: StatementKind) -> (Option<proto::Instant>, Option<proto::Instant>) {
    match kind {
        StatementKind::Open { from } => (bound(from), None),
        StatementKind::Definite(interval)
        | StatementKind::AtLeast(interval)
        | StatementKind::RetractPart { range: interval, .. } => {
            (bound(interval.start()), bound(interval.end()))
        }
        StatementKind::End { at } => (None, bound(at)),
        StatementKind::RetractAll { .. } => (None, None),
    }
}

#[must_use]
pub fn conflict_kind(kind: ConflictKind) -> proto::ConflictKind {
    match kind {
        ConflictKind::SameStart => proto::ConflictKind::SameStart,
        ConflictKind::Overlap => proto::ConflictKind::Overlap,
        ConflictKind::Contested => proto::ConflictKind::Contested,
    }
}

#[must_use]
pub fn episode_kind(kind: EpisodeKind) -> proto::EpisodeKind {
    match kind {
        EpisodeKind::Turn => proto::EpisodeKind::Turn,
        EpisodeKind::Passage => proto::EpisodeKind::Passage,
        EpisodeKind::ToolResult => proto::EpisodeKind::ToolResult,
        EpisodeKind::Note => proto::EpisodeKind::Note,
        EpisodeKind::Summary => proto::EpisodeKind::Summary,
        EpisodeKind::Core => proto::EpisodeKind::Core,
        EpisodeKind::Reflection => proto::EpisodeKind::Reflection,
        EpisodeKind::Procedure => proto::EpisodeKind::Procedure,
        EpisodeKind::Failure => proto::EpisodeKind::Failure,
    }
}

/// Which turns a summary stands for.
#[must_use]
pub fn fold(fold: &Fold) -> proto::Fold {
    proto::Fold {
        through: fold.through.to_string(),
        turns: fold.turns,
        generation: fold.generation,
        closes: fold.closes,
    }
}

#[must_use]
pub fn outcome_status(status: OutcomeStatus) -> proto::OutcomeStatus {
    match status {
        OutcomeStatus::Applied => proto::OutcomeStatus::Applied,
        OutcomeStatus::NoChange => proto::OutcomeStatus::NoChange,
        OutcomeStatus::NoMatch => proto::OutcomeStatus::NoMatch,
        OutcomeStatus::Blocked => proto::OutcomeStatus::Blocked,
        OutcomeStatus::Replayed => proto::OutcomeStatus::Replayed,
        OutcomeStatus::Contested => proto::OutcomeStatus::Contested,
        OutcomeStatus::Invalid => proto::OutcomeStatus::Invalid,
    }
}

/// `operations` are those of the request, for the paths of fields.
#[must_use]
pub fn outcome(outcome: &Outcome, operations: &[proto::Operation]) -> proto::Outcome {
    let Outcome { status, fact, statement, displaced, conflict, violations, episode } = outcome;
    proto::Outcome {
        status: outcome_status(*status).into(),
        fact_id: fact.as_ref().map_or_else(String::new, FactId::to_string),
        statement_id: statement.as_ref().map_or_else(String::new, ToString::to_string),
        displaced: displaced.iter().map(displaced_fact).collect(),
        conflict: *conflict,
        violations: violations.iter().map(|one| violation(one, operations)).collect(),
        floored: false,
        episode_id: episode.as_ref().map_or_else(String::new, ToString::to_string),
    }
}

/// One per operation, in order.
#[must_use]
pub fn outcomes(outcomes: &[Outcome], operations: &[proto::Operation]) -> Vec<proto::Outcome> {
    let flags = operations.iter().map(floored).chain(std::iter::repeat(false));
    let outcomes = outcomes.iter().zip(flags);
    let shown =
        outcomes.map(|(one, floored)| proto::Outcome { floored, ..outcome(one, operations) });
    shown.collect()
}

fn displaced_fact(displaced: &Displaced) -> proto::Displaced {
    let Displaced { fact, statement } = displaced;
    proto::Displaced { fact_id: fact.to_string(), statement_id: statement.to_string() }
}

#[must_use]
pub fn violation(violation: &Violation, operations: &[proto::Operation]) -> proto::Violation {
    proto::Violation {
        field: field_path(violation, operations),
        reason: status::reason(violation.kind).name.to_owned(),
        description: violation.detail.clone(),
    }
}

/// The path of a field from the request on, such as `operations[3].assert.to`.
#[must_use]
pub fn field_path(violation: &Violation, operations: &[proto::Operation]) -> String {
    use proto::operation::Operation;
    let Some(op) = violation.op else { return violation.field.to_string() };
    let mut path = format!("operations[{op}]");
    let operation = operations.get(op).and_then(|operation| operation.operation.as_ref());
    let kind = operation.map_or("", |operation| match operation {
        Operation::Assert(_) => "assert",
        Operation::End(_) => "end",
        Operation::Retract(_) => "retract",
        Operation::Supersede(_) => "supersede",
        Operation::Correct(_) => "correct",
        Operation::Merge(_) => "merge",
        Operation::Unmerge(_) => "unmerge",
        Operation::DeclarePredicate(_) => "declare_predicate",
        Operation::Accept(_) => "accept",
        Operation::WithdrawSource(_) => "withdraw_source",
        Operation::AddEpisode(_) => "add_episode",
        Operation::RetractEpisode(_) => "retract_episode",
        Operation::Archive(_) => "archive",
        Operation::Restore(_) => "restore",
    });
    for part in [kind, &violation.field] {
        if !part.is_empty() {
            path.push('.');
            path.push_str(part);
        }
    }
    path
}

#[must_use]
pub fn value(value: &Value) -> proto::Value {
    let value = match value {
        Value::Boolean(value) => proto::value::Value::Boolean(*value),
        Value::Integer(value) => proto::value::Value::Integer(*value),
        Value::Number(value) => proto::value::Value::Number(*value),
        Value::Time(at) => proto::value::Value::Time(instant(*at)),
        Value::Text(text) => proto::value::Value::Text(text.clone()),
    };
    proto::Value { value: Some(value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::ViolationKind;
    use crate::types::Interval;

    #[test]
    fn infinite_bounds_are_absent() {
        assert_eq!(bound(Timestamp::INFINITY), None);
        assert_eq!(bound(Timestamp::NEG_INFINITY), None);
        assert_eq!(bound(Timestamp::MAX), Some(instant(Timestamp::MAX)));
        let kind = StatementKind::Definite(Interval::ALL);
        assert_eq!(statement_bounds(kind), (None, None));
    }

    #[test]
    fn paths_name_the_operation_and_its_kind() {
        let merge = proto::operation::Operation::Merge(proto::Merge::default());
        let operations = [proto::Operation { operation: Some(merge) }, proto::Operation::default()];
        let path = |op, field: &'static str| {
            let kind = ViolationKind::Missing;
            let violation = Violation { op, field: field.into(), kind, detail: String::new() };
            field_path(&violation, &operations)
        };
        assert_eq!(path(None, "namespace"), "namespace");
        assert_eq!(path(Some(0), "into"), "operations[0].merge.into");
        assert_eq!(path(Some(0), ""), "operations[0].merge");
        assert_eq!(path(Some(1), ""), "operations[1]");
    }
}
