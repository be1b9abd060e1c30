//! M2: how many objects a predicate holds, as a versioned declaration. It goes for all scopes.

use crate::types::CloseReason;

use super::super::change::Change;
use super::super::command::{Declare, Outcome, OutcomeStatus};
use super::super::error::ViolationKind;
use super::super::lookup::{By, Lookup};
use super::draft::{Draft, Ruling, broken};

pub(in crate::kernel) fn declare<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &Declare,
) -> Ruling<Outcome, L> {
    let id = draft.make_predicate(&op.predicate);
    let cardinality = op.cardinality;
    if draft.names.declared_here(id).is_some_and(|here| here != cardinality) {
        let detail = format!("{} is declared twice in one request", op.predicate);
        return Err(broken("cardinality", ViolationKind::PredicateClash, detail));
    }
    let unchanged = draft.names.cardinality(id) == cardinality;
    if unchanged && draft.names.is_declared(id) {
        return Ok(Outcome::new(OutcomeStatus::NoChange));
    }
    draft.change(Change::PredicateDeclared { id, cardinality });
    let unused = id.index() >= draft.directory().predicate_count() && !draft.speaks_of(id);
    if unchanged || unused {
        draft.names.declare(id, cardinality);
    } else {
        let variants: Vec<By> = draft.names.variants(id).into_iter().map(By::Predicate).collect();
        draft.regroup(&variants, CloseReason::Regrouped, |names| {
            names.declare(id, cardinality);
        })?;
    }
    Ok(Outcome::new(OutcomeStatus::Applied))
}
