//! What every assert passes on its way into the fold, however it came about: replayed rows, blocks,
//! rule T2, the trust gate (C1) and the list of conflicts (C4).

use crate::types::{
    Cardinality, Conflict, ConflictKind, ConflictSide, FactId, RowKey, Statement, StatementKind,
    Triple, TxId, TxSpan,
};

use super::super::change::Change;
use super::super::command::{Displaced, Outcome, OutcomeStatus};
use super::super::error::ViolationKind;
use super::super::lookup::Lookup;
use super::super::timeline::{Extent, Owner};
use super::draft::{Draft, Ruling, broken};

/// What keeps an assert from being recorded at all, if something does.
pub(super) fn barred<L: Lookup>(
    draft: &mut Draft<'_, L>,
    triple: Triple,
    row: Option<RowKey>,
    overrides: bool,
) -> Ruling<Option<Outcome>, L> {
    if draft.has_row(triple, row)? {
        return Ok(Some(draft.outcome(OutcomeStatus::Replayed, triple)));
    }
    let object = draft.names.canonical_object(triple.object);
    let blocked = draft.group(draft.names.group_of(triple))?.is_blocked(object);
    Ok((blocked && !overrides).then(|| draft.outcome(OutcomeStatus::Blocked, triple)))
}

/// T2. Refuses two objects for one single-valued slot in one request, from the same start or over
/// definite intervals that overlap: no order of the list could make one of them the newer.
pub(super) fn alone_in_request<L: Lookup>(
    draft: &Draft<'_, L>,
    triple: Triple,
    kind: StatementKind,
) -> Ruling<(), L> {
    let triple = draft.names.canonical_triple(triple);
    let asserted = draft.asserted.get(&triple.slot());
    let rival = asserted.into_iter().flatten().find(|(other, other_kind)| {
        *other != triple.object
            && (other_kind.start() == kind.start() || overlap(*other_kind, kind))
    });
    match rival {
        None => Ok(()),
        Some(_) => {
            let detail = "another object is asserted for this subject and predicate in the same \
                          request, from the same start or over an overlapping interval";
            Err(broken("object", ViolationKind::ConflictInRequest, detail))
        }
    }
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
    let group = draft.group(key)?;
    let effect = group.apply(&statement, triple.object);
    let (trust, kind, id) = (statement.trust, statement.kind, statement.id);
    let deliberate = statement.deliberate;
    let above: Vec<Owner> =
        effect.displaced.iter().filter(|owner| owner.trust > trust).copied().collect();
    if !above.is_empty() {
        group.take_back();
        return Ok(contest(draft, statement, &above));
    }
    if draft.names.cardinality(triple.predicate) == Cardinality::One {
        draft.asserted.entry(triple.slot()).or_default().push((triple.object, kind));
    }
    draft.keep(statement);
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
    above: &[Owner],
) -> Outcome {
    let triple = draft.names.canonical_triple(statement.triple);
    let id = statement.id;
    let said = statement.triple;
    draft.keep(Statement { contested: true, ..statement });
    let side = ConflictSide { statement: id, triple };
    open(draft, ConflictKind::Contested, side, above);
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
    open(draft, kind, side, &against);
    true
}

fn open<L: Lookup>(
    draft: &mut Draft<'_, L>,
    kind: ConflictKind,
    raised_by: ConflictSide,
    against: &[Owner],
) {
    let triple = raised_by.triple;
    let against = against
        .iter()
        .map(|owner| ConflictSide {
            statement: owner.statement,
            triple: Triple { object: owner.object, ..triple },
        })
        .collect();
    let believed = TxSpan { from: draft.stamp.tx, to: TxId::OPEN };
    let slot = triple.slot();
    draft.change(Change::ConflictOpened(Conflict { kind, slot, raised_by, against, believed }));
}
