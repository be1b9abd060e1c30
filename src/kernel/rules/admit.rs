//! What every assert passes on its way into the fold, however it came about: replayed rows, blocks,
//! rule T2, the trust gate (C1) and the list of conflicts (C4).

use std::collections::BTreeMap;

use crate::types::{
    Cardinality, Conflict, ConflictKind, ConflictSide, FactId, RowKey, Slot, Statement,
    StatementKind, Triple, TxId, TxSpan,
};

use super::super::change::Change;
use super::super::command::{Displaced, Outcome, OutcomeStatus};
use super::super::error::{Violation, ViolationKind};
use super::super::lookup::Lookup;
use super::super::timeline::{Extent, Owner};
use super::archive::said_again;
use super::draft::{Asserted, Draft, Ruling, broken};

/// What keeps an assert from being recorded at all, if something does. One that is blocked was
/// still asserted in this request, for rule T2; one that is replayed was asserted before.
pub(super) fn barred<L: Lookup>(
    draft: &mut Draft<'_, L>,
    triple: Triple,
    kind: StatementKind,
    row: Option<RowKey>,
    overrides: bool,
) -> Ruling<Option<Outcome>, L> {
    if draft.has_row(triple, row)? {
        return Ok(Some(draft.outcome(OutcomeStatus::Replayed, triple)));
    }
    alone_in_request(draft, triple, kind)?;
    let object = draft.names.canonical_object(triple.object);
    let blocked = draft.group(draft.names.group_of(triple))?.is_blocked(object);
    if !blocked || overrides {
        return Ok(None);
    }
    asserted(draft, triple, kind);
    Ok(Some(draft.outcome(OutcomeStatus::Blocked, triple)))
}

/// Remembers an assert for the rest of the request.
fn asserted<L: Lookup>(draft: &mut Draft<'_, L>, triple: Triple, kind: StatementKind) {
    let slot = draft.names.canonical_triple(triple).slot();
    let operation = draft.operation();
    draft.asserted.entry(slot).or_default().push(Asserted { operation, triple, kind });
}

/// T2. Refuses two objects for one single-valued slot in one request, from the same start or over
/// definite intervals that overlap: no order of the list could make one of them the newer.
pub(super) fn alone_in_request<L: Lookup>(
    draft: &Draft<'_, L>,
    triple: Triple,
    kind: StatementKind,
) -> Ruling<(), L> {
    let slot = draft.names.canonical_triple(triple).slot();
    let assert = Asserted { operation: draft.operation(), triple, kind };
    let others = draft.asserted.get(&slot).into_iter().flatten();
    match rival_among(draft, assert, others) {
        None => Ok(()),
        Some(_) => Err(broken("triple.object", ViolationKind::ConflictInRequest, NOT_ALONE)),
    }
}

/// The same at the end of a request that changed what its slots are: a merge or a declaration may
/// have brought two asserts together. Gives the places of the later ones.
pub(in crate::kernel) fn brought_together<L: Lookup>(draft: &Draft<'_, L>) -> Vec<Violation> {
    let mut slots: BTreeMap<Slot, Vec<Asserted>> = BTreeMap::new();
    for assert in draft.asserted.values().flatten() {
        let slot = draft.names.canonical_triple(assert.triple).slot();
        slots.entry(slot).or_default().push(*assert);
    }
    let mut violations = Vec::new();
    for asserts in slots.values_mut() {
        asserts.sort_by_key(|assert| assert.operation);
        for (place, assert) in asserts.iter().enumerate() {
            if rival_among(draft, *assert, asserts[..place].iter()).is_some() {
                violations.push(Violation {
                    op: Some(assert.operation as usize),
                    field: "triple.object".into(),
                    kind: ViolationKind::ConflictInRequest,
                    detail: NOT_ALONE.to_owned(),
                });
            }
        }
    }
    violations
}

const NOT_ALONE: &str = "another object is asserted for this subject and predicate in the same \
                         request, from the same start or over an overlapping interval";

fn rival_among<'b, L: Lookup>(
    draft: &Draft<'_, L>,
    assert: Asserted,
    mut others: impl Iterator<Item = &'b Asserted>,
) -> Option<&'b Asserted> {
    if draft.names.cardinality(assert.triple.predicate) != Cardinality::One {
        return None;
    }
    let object = draft.names.canonical_object(assert.triple.object);
    others.find(|other| {
        draft.names.canonical_object(other.triple.object) != object
            && (other.kind.start() == assert.kind.start() || overlap(other.kind, assert.kind))
    })
}

fn overlap(a: StatementKind, b: StatementKind) -> bool {
    match (a, b) {
        (StatementKind::Definite(a), StatementKind::Definite(b)) => a.overlaps(b),
        _ => false,
    }
}

/// Records an assert that nothing bars: folds it, or keeps it aside where the trust gate holds.
pub(super) fn admit<L: Lookup>(
    draft: &mut Draft<'_, L>,
    statement: Statement,
) -> Ruling<Outcome, L> {
    let said = statement.triple;
    let triple = draft.names.canonical_triple(said);
    let key = draft.names.group_of(said);
    asserted(draft, said, statement.kind);
    let group = draft.group(key)?;
    let effect = group.apply(&statement, triple.object);
    let (trust, kind, id) = (statement.trust, statement.kind, statement.id);
    let deliberate = statement.deliberate;
    let above: Vec<Owner> =
        effect.displaced.iter().filter(|owner| owner.trust > trust).copied().collect();
    if !above.is_empty() {
        group.take_back();
        let against = sides(triple, &above);
        return Ok(contest(draft, statement, against));
    }
    draft.keep(statement);
    said_again(draft, triple);
    let status = if effect.changed { OutcomeStatus::Applied } else { OutcomeStatus::NoChange };
    let mut outcome = draft.outcome(status, said);
    outcome.statement = Some(id);
    outcome.displaced = effect
        .displaced
        .iter()
        .map(|owner| Displaced {
            fact: FactId(Triple { object: owner.object, ..triple }),
            statement: owner.statement,
        })
        .collect();
    if !deliberate {
        let side = ConflictSide { statement: id, triple };
        outcome.conflict = raise(draft, side, kind, &effect.displaced);
    }
    Ok(outcome)
}

/// C1. Stores what may not displace, and lists it.
pub(super) fn contest<L: Lookup>(
    draft: &mut Draft<'_, L>,
    statement: Statement,
    against: Vec<ConflictSide>,
) -> Outcome {
    let triple = draft.names.canonical_triple(statement.triple);
    let id = statement.id;
    let said = statement.triple;
    draft.keep(Statement { contested: true, ..statement });
    let side = ConflictSide { statement: id, triple };
    open(draft, ConflictKind::Contested, side, against);
    let mut outcome = draft.outcome(OutcomeStatus::Contested, said);
    outcome.statement = Some(id);
    outcome.conflict = true;
    outcome
}

/// C4. Lists what was displaced although neither side is simply newer.
fn raise<L: Lookup>(
    draft: &mut Draft<'_, L>,
    side: ConflictSide,
    kind: StatementKind,
    displaced: &[Owner],
) -> bool {
    let earlier = |owner: &&Owner| owner.statement.tx < draft.stamp.tx;
    let same_start = |owner: &&Owner| Some(owner.start) == kind.start();
    let bounded = !matches!(kind, StatementKind::Open { .. });
    // A bounded assert also takes instants from what starts later than itself.
    let not_newer = |owner: &&Owner| {
        Some(owner.start) >= kind.start() || (bounded && owner.extent == Extent::Bounded)
    };
    let against: Vec<Owner> = displaced.iter().filter(earlier).filter(not_newer).copied().collect();
    if against.is_empty() {
        return false;
    }
    let all_same_start = against.iter().all(|owner| same_start(&owner));
    let kind = if all_same_start { ConflictKind::SameStart } else { ConflictKind::Overlap };
    open(draft, kind, side, sides(side.triple, &against));
    true
}

/// The owners of instants of a slot as sides of a conflict about one of its triples.
pub(super) fn sides(triple: Triple, owners: &[Owner]) -> Vec<ConflictSide> {
    let side = |owner: &Owner| ConflictSide {
        statement: owner.statement,
        triple: Triple { object: owner.object, ..triple },
    };
    owners.iter().map(side).collect()
}

fn open<L: Lookup>(
    draft: &mut Draft<'_, L>,
    kind: ConflictKind,
    raised_by: ConflictSide,
    against: Vec<ConflictSide>,
) {
    let slot = raised_by.triple.slot();
    let believed = TxSpan { from: draft.stamp.tx, to: TxId::OPEN };
    draft.change(Change::ConflictOpened(Conflict { kind, slot, raised_by, against, believed }));
}
