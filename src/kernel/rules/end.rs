//! E1: what is stated to hold no longer.

use crate::types::StatementKind;

use super::super::command::{End, Outcome, OutcomeStatus};
use super::super::lookup::Lookup;
use super::draft::{Draft, Ruling};

pub(in crate::kernel) fn end<L: Lookup>(draft: &mut Draft<'_, L>, op: &End) -> Ruling<Outcome, L> {
    let at = draft.at(op.at.as_ref());
    let triple = draft.intern(&op.triple, "triple.object")?;
    if draft.has_row(triple, op.evidence.row)? {
        return Ok(draft.outcome(OutcomeStatus::Replayed, triple));
    }
    let kind = StatementKind::End { at };
    let statement = draft.stated(triple, kind, &op.evidence, [None, op.at.as_ref()])?;
    let id = statement.id;
    let effect = draft.record(statement)?;
    let status = if effect.changed { OutcomeStatus::Applied } else { OutcomeStatus::NoMatch };
    Ok(Outcome { statement: Some(id), ..draft.outcome(status, triple) })
}
