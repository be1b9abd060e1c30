//! A recorded change folded once more, after an erasure: what it means is kept, and whether it should
//! have been recorded is not asked again.

use crate::types::{CloseReason, Triple};

use super::super::change::Change;
use super::super::lookup::{By, Lookup};
use super::draft::{Draft, Ruling};
use super::entity::mentions;

/// Statements about triples that do not pass are not looked at.
pub(in crate::kernel) fn replay<L: Lookup>(
    draft: &mut Draft<'_, L>,
    change: &Change,
    passes: &impl Fn(Triple) -> bool,
) -> Ruling<(), L> {
    match change {
        Change::Stated(statement) if passes(statement.triple) => draft.replay(statement.clone()),
        Change::PredicateScoped { id, of, scope } => {
            draft.names.scoped_again(*of, scope, *id);
            Ok(())
        }
        Change::Merged { duplicate, into } => {
            let (duplicate, into) = (*duplicate, *into);
            let by = mentions(draft, &[duplicate, draft.names.canonical(into)]);
            draft.regroup(&by, CloseReason::Merged, |names| names.set_alias(duplicate, Some(into)))
        }
        Change::Unmerged { duplicate } => {
            let duplicate = *duplicate;
            let by = mentions(draft, &[draft.names.canonical(duplicate)]);
            draft.regroup(&by, CloseReason::Merged, |names| names.set_alias(duplicate, None))
        }
        Change::PredicateDeclared { id, cardinality } => {
            let (id, cardinality) = (*id, *cardinality);
            let variants: Vec<By> =
                draft.names.variants(id).into_iter().map(By::Predicate).collect();
            draft.regroup(&variants, CloseReason::Regrouped, |names| {
                names.declare(id, cardinality);
            })
        }
        Change::SourceWithdrawn { source, bound } => {
            let (source, bound) = (*source, *bound);
            draft.regroup(&[By::Source(source)], CloseReason::Retracted, |names| {
                names.withdraw(source, bound);
            })
        }
        _ => Ok(()),
    }
}
