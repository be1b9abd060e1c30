//! C2: a source is withdrawn, and all it said counts as never said.

use crate::types::{CloseReason, Conflict, ConflictKind, SourceId, StatementId};

use super::super::change::Change;
use super::super::command::{Outcome, OutcomeStatus, WithdrawSource};
use super::super::error::ViolationKind;
use super::super::lookup::{By, Lookup};
use super::conflict::{close, standing};
use super::draft::{Draft, Ruling, broken};

pub(in crate::kernel) fn withdraw_source<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &WithdrawSource,
) -> Ruling<Outcome, L> {
    let Some(source) = draft.names.source(&op.source) else {
        let detail = format!("no source is named {}", op.source);
        return Err(broken("source", ViolationKind::SourceUnknown, detail));
    };
    let settled = without(draft, source)?;
    close(draft, &settled);
    let bound = draft.next_id();
    draft.change(Change::SourceWithdrawn { source, bound });
    draft.regroup(&[By::Source(source)], CloseReason::Retracted, |names| {
        names.withdraw(source, bound);
    })?;
    Ok(Outcome::new(OutcomeStatus::Applied))
}

/// The conflicts that lose a side. A contested statement still waits for its acceptance when what
/// stood in its way is withdrawn.
fn without<L: Lookup>(draft: &Draft<'_, L>, source: SourceId) -> Ruling<Vec<StatementId>, L> {
    let conflicts: Vec<Conflict> = standing(draft).cloned().collect();
    let mut lost = Vec::new();
    for conflict in conflicts {
        let waits = conflict.kind == ConflictKind::Contested;
        let against = conflict.against.iter().filter(|_| !waits);
        for side in std::iter::once(&conflict.raised_by).chain(against) {
            let statement = draft.statement(side.statement)?;
            if statement.is_some_and(|statement| statement.source == Some(source)) {
                lost.push(conflict.id());
                break;
            }
        }
    }
    Ok(lost)
}
