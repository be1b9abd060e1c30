//! C1 and C4 after the fact: settling conflicts, and accepting one side of one.

use crate::types::{Conflict, Statement, StatementId, Triple};

use super::super::change::Change;
use super::super::command::{Accept, Outcome, OutcomeStatus};
use super::super::error::ViolationKind;
use super::super::lookup::Lookup;
use super::admit::admit;
use super::draft::{Draft, Ruling, broken};

/// Closes the conflicts in which a triple is one side, because that side was retracted or
/// corrected. Says whether there were any.
pub(super) fn settle<L: Lookup>(draft: &mut Draft<'_, L>, triple: Triple) -> bool {
    let triple = draft.names.canonical_triple(triple);
    let about = |names: &super::super::names::Names<'_>, conflict: &Conflict| {
        let sides = std::iter::once(&conflict.raised_by).chain(&conflict.against);
        sides.into_iter().any(|side| names.canonical_triple(side.triple) == triple)
    };
    let settled: Vec<StatementId> = standing(draft)
        .filter(|conflict| about(&draft.names, conflict))
        .map(Conflict::id)
        .collect();
    close(draft, &settled)
}

/// The conflicts that stand, those of this request included.
pub(super) fn standing<'a, L: Lookup>(
    draft: &'a Draft<'_, L>,
) -> impl Iterator<Item = &'a Conflict> {
    let recorded = draft.directory().open_conflicts();
    recorded.chain(draft.raised()).filter(|conflict| !draft.settled.contains(&conflict.id()))
}

pub(super) fn close<L: Lookup>(draft: &mut Draft<'_, L>, conflicts: &[StatementId]) -> bool {
    for id in conflicts {
        draft.settled.insert(*id);
        draft.change(Change::ConflictClosed { id: *id });
    }
    !conflicts.is_empty()
}

/// Takes one side. A statement that is not believed is stated again with the class it is accepted
/// with; one that is believed only has its conflict closed.
pub(in crate::kernel) fn accept<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &Accept,
) -> Ruling<Outcome, L> {
    let Some(statement) = draft.statement(op.statement)? else {
        let detail = format!("no statement {}", op.statement);
        return Err(broken("statement_id", ViolationKind::StatementUnknown, detail));
    };
    let conflicts: Vec<(StatementId, bool)> = standing(draft)
        .filter_map(|conflict| {
            let raised = conflict.id() == op.statement;
            let against = conflict.against.iter().any(|side| side.statement == op.statement);
            (raised || against).then_some((conflict.id(), against))
        })
        .collect();
    if conflicts.is_empty() {
        return Ok(draft.outcome(OutcomeStatus::NoChange, statement.triple));
    }
    let displaced = conflicts.iter().any(|(_, against)| *against);
    let ids: Vec<StatementId> = conflicts.into_iter().map(|(id, _)| id).collect();
    if !statement.contested && !displaced {
        close(draft, &ids);
        return Ok(draft.outcome(OutcomeStatus::Applied, statement.triple));
    }
    let again = Statement {
        id: draft.next_id(),
        trust: op.trust,
        contested: false,
        deliberate: true,
        accepts: Some(statement.id),
        operation: draft.bare(statement.triple, statement.kind).operation,
        row: None,
        ..statement
    };
    if stands_above(draft, &again)? {
        return Ok(draft.outcome(OutcomeStatus::Contested, again.triple));
    }
    close(draft, &ids);
    admit(draft, again)
}

/// Whether the trust gate would hold the statement back.
fn stands_above<L: Lookup>(draft: &mut Draft<'_, L>, statement: &Statement) -> Ruling<bool, L> {
    let object = draft.names.canonical_object(statement.triple.object);
    let group = draft.group(draft.names.group_of(statement.triple))?;
    let effect = group.apply(statement, object);
    group.take_back();
    Ok(effect.displaced.iter().any(|owner| owner.trust > statement.trust))
}
