//! A1, A2, A3: what is stated to hold.

use crate::types::{
    ConflictSide, Dated, Interval, IntervalError, Statement, StatementId, StatementKind, Timestamp,
};

use super::super::command::{Assert, Outcome};
use super::super::error::{DecideError, ViolationKind};
use super::super::lookup::Lookup;
use super::admit::{admit, barred, contest};
use super::draft::{Draft, Ruling, broken};

pub(in crate::kernel) fn assert<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &Assert,
) -> Ruling<Outcome, L> {
    let kind = kind_of(draft.at(op.from.as_ref()), op.to.as_ref(), op.at_least)?;
    let triple = draft.intern(&op.triple, "triple.object")?;
    if let Some(outcome) = barred(draft, triple, kind, op.evidence.row, op.overrides)? {
        return Ok(outcome);
    }
    let statement = draft.stated(triple, kind, &op.evidence, [op.from.as_ref(), op.to.as_ref()])?;
    if !op.contested_against.is_empty() {
        let against = sides(draft, &op.contested_against)?;
        return Ok(contest(draft, statement, against));
    }
    admit(draft, Statement { deliberate: op.deliberate, ..statement })
}

fn sides<L: Lookup>(
    draft: &Draft<'_, L>,
    statements: &[StatementId],
) -> Ruling<Vec<ConflictSide>, L> {
    let side = |id: &StatementId| {
        let found = draft.statement(*id)?.ok_or_else(|| {
            let detail = format!("no statement {id}");
            broken("contested_against_ids", ViolationKind::StatementUnknown, detail)
        })?;
        Ok(ConflictSide { statement: *id, triple: draft.names.canonical_triple(found.triple) })
    };
    statements.iter().map(side).collect()
}

fn kind_of<E>(
    from: Timestamp,
    to: Option<&Dated>,
    at_least: bool,
) -> Result<StatementKind, DecideError<E>> {
    match to {
        Some(to) => {
            let span = interval(from, to.at)?;
            Ok(if at_least { StatementKind::AtLeast(span) } else { StatementKind::Definite(span) })
        }
        None if at_least => {
            Err(broken("to", ViolationKind::Missing, "an at-least assert needs an end"))
        }
        None if from < Timestamp::INFINITY => Ok(StatementKind::Open { from }),
        None => Err(broken("from", ViolationKind::EmptyInterval, "nothing starts at +infinity")),
    }
}

/// T3.
pub(super) fn interval<E>(from: Timestamp, to: Timestamp) -> Result<Interval, DecideError<E>> {
    Interval::new(from, to).map_err(|error| {
        let kind = match error {
            IntervalError::Empty => ViolationKind::EmptyInterval,
            IntervalError::Inverted => ViolationKind::InvertedInterval,
        };
        broken("to", kind, error.to_string())
    })
}
