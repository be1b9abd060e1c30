//! R1 to R4: what was never true.

use crate::types::{Interval, StatementKind, Timestamp};

use super::super::command::{Outcome, OutcomeStatus, Retract};
use super::super::lookup::Lookup;
use super::assert::interval;
use super::conflict::settle;
use super::draft::{Draft, Ruling};

pub(in crate::kernel) fn retract<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &Retract,
) -> Ruling<Outcome, L> {
    let range = range_of(op)?;
    let triple = draft.intern(&op.triple, "triple.object")?;
    if draft.has_row(triple, op.evidence.row)? {
        return Ok(draft.outcome(OutcomeStatus::Replayed, triple));
    }
    let object = draft.names.canonical_object(triple.object);
    let group = draft.group(draft.names.group_of(triple))?;
    let matched = match range {
        None => group.speaks_of(object),
        Some(range) => group.timeline().touches(object, range),
    };
    let kind = match range {
        None => StatementKind::RetractAll { block: op.block },
        Some(range) => StatementKind::RetractPart { range, correct: op.correct, block: op.block },
    };
    let statement = draft.stated(triple, kind, &op.evidence, [op.from.as_ref(), op.to.as_ref()])?;
    let id = statement.id;
    let effect = draft.record(statement)?;
    // A range in which nothing was said of the object takes no side of a conflict.
    let takes_side = range.is_none() || matched;
    let settled = takes_side && settle(draft, triple);
    let applied = matched || effect.changed || settled;
    let status = if applied { OutcomeStatus::Applied } else { OutcomeStatus::NoMatch };
    Ok(Outcome { statement: Some(id), ..draft.outcome(status, triple) })
}

/// The range to retract; `None` is the whole of it.
fn range_of<E>(op: &Retract) -> Result<Option<Interval>, super::super::error::DecideError<E>> {
    if op.from.is_none() && op.to.is_none() {
        return Ok(None);
    }
    let from = op.from.as_ref().map_or(Timestamp::NEG_INFINITY, |dated| dated.at);
    let to = op.to.as_ref().map_or(Timestamp::INFINITY, |dated| dated.at);
    interval(from, to).map(Some)
}
