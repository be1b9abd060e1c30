//! M1: two names of one thing.

use crate::types::{CloseReason, EntityId, Name, Object};

use super::super::change::Change;
use super::super::command::{Merge, Outcome, OutcomeStatus, Unmerge};
use super::super::error::ViolationKind;
use super::super::lookup::{By, Lookup};
use super::draft::{Draft, Ruling, broken};

pub(in crate::kernel) fn merge<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &Merge,
) -> Ruling<Outcome, L> {
    let duplicate = known(draft, &op.duplicate, "duplicate")?;
    let into = known(draft, &op.into, "into")?;
    if draft.names.alias(duplicate).is_some() {
        let detail = format!("{} is merged into another entity", op.duplicate);
        return Err(broken("duplicate", ViolationKind::AlreadyMerged, detail));
    }
    if draft.names.canonical(into) == duplicate {
        let detail = format!("{} and {} are one entity", op.duplicate, op.into);
        return Err(broken("into", ViolationKind::AlreadyMerged, detail));
    }
    let affected = [duplicate, draft.names.canonical(into)];
    let by = mentions(draft, &affected);
    draft.change(Change::Merged { duplicate, into });
    draft.regroup(&by, CloseReason::Merged, |names| names.set_alias(duplicate, Some(into)))?;
    Ok(Outcome::new(OutcomeStatus::Applied))
}

pub(in crate::kernel) fn unmerge<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &Unmerge,
) -> Ruling<Outcome, L> {
    let duplicate = known(draft, &op.duplicate, "duplicate")?;
    if draft.names.alias(duplicate).is_none() {
        let detail = format!("{} is not merged into another entity", op.duplicate);
        return Err(broken("duplicate", ViolationKind::NotMerged, detail));
    }
    let by = mentions(draft, &[draft.names.canonical(duplicate)]);
    draft.change(Change::Unmerged { duplicate });
    draft.regroup(&by, CloseReason::Merged, |names| names.set_alias(duplicate, None))?;
    Ok(Outcome::new(OutcomeStatus::Applied))
}

/// Everything stated of the entities that count as these.
pub(super) fn mentions<L: Lookup>(draft: &Draft<'_, L>, canonical: &[EntityId]) -> Vec<By> {
    let members = canonical.iter().flat_map(|id| draft.names.members(*id));
    members.flat_map(|id| [By::Subject(id), By::Object(Object::Entity(id))]).collect()
}

fn known<L: Lookup>(draft: &Draft<'_, L>, name: &Name, field: &'static str) -> Ruling<EntityId, L> {
    draft.names.entity(name).ok_or_else(|| {
        broken(field, ViolationKind::EntityUnknown, format!("no entity is named {name}"))
    })
}
