//! Compositions: supersede (the world changed) and correct (the record was wrong). Each is one
//! operation that records several statements, or none.

use crate::types::{
    Cardinality, Interval, Object, Statement, StatementKind, Timestamp, Triple, Trust,
};

use super::super::command::{Correct, ObjectName, Outcome, OutcomeStatus, Supersede, TripleName};
use super::super::error::ViolationKind;
use super::super::lookup::Lookup;
use super::super::timeline::{Extent, Owner};
use super::admit::{admit, alone_in_request, barred, contest, sides};
use super::assert::interval;
use super::conflict::settle;
use super::draft::{Draft, Ruling, broken};

/// End the old object at an instant and assert the new one from there. Where the predicate holds one
/// object the end is implied, and what the new one displaced returns if it is ever retracted.
pub(in crate::kernel) fn supersede<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &Supersede,
) -> Ruling<Outcome, L> {
    let at = draft.at(op.at.as_ref());
    let kind = StatementKind::Open { from: at };
    if !at.is_instant() {
        return Err(broken("at", ViolationKind::DateInvalid, "a change happens at an instant"));
    }
    let new = draft.intern(&named(op, &op.new), "new_object")?;
    let one = draft.names.cardinality(new.predicate) == Cardinality::One;
    if op.old.is_none() && !one {
        let detail = "the predicate holds many objects: say which of them is superseded";
        return Err(broken("old_object", ViolationKind::Missing, detail));
    }
    let old = op.old.as_ref().map(|old| draft.names.object(old));
    let held = match old {
        None => held_at(draft, new, at)?,
        Some(None) => None,
        Some(Some(old)) => {
            let old = draft.names.canonical_object(old);
            held_at(draft, Triple { object: old, ..new }, at)?.filter(|held| *held == old)
        }
    };
    if held.is_none() && op.expect_held {
        return Err(broken(
            "old_object",
            ViolationKind::NoMatch,
            "it does not hold at that instant",
        ));
    }
    if let Some(outcome) = barred(draft, new, kind, op.evidence.row, false)? {
        return Ok(outcome);
    }
    let trust = draft.trust(&op.evidence)?;
    if let Some(ended) = ended(draft, op, new)? {
        // Where the predicate holds one object the gate stands in the way of the assert itself.
        let rest = interval(at, Timestamp::INFINITY)?;
        let mut above = owners_above(draft, ended, rest, trust)?;
        // A separately stated later stint is left alone.
        above.retain(|owner| owner.start <= at);
        if !above.is_empty() {
            let statement = draft.stated(new, kind, &op.evidence, [op.at.as_ref(), None])?;
            return Ok(contest(draft, statement, sides(ended, &above)));
        }
        let end = StatementKind::End { at };
        let end = draft.stated(ended, end, &op.evidence, [None, op.at.as_ref()])?;
        draft.record(Statement { row: None, ..end })?;
    }
    let statement = draft.stated(new, kind, &op.evidence, [op.at.as_ref(), None])?;
    admit(draft, Statement { deliberate: true, ..statement })
}

/// What a supersede states to end: nothing where the predicate holds one object. The end is
/// remembered also if the old object is not known to hold yet.
fn ended<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &Supersede,
    new: Triple,
) -> Ruling<Option<Triple>, L> {
    if draft.names.cardinality(new.predicate) == Cardinality::One {
        return Ok(None);
    }
    let Some(old) = &op.old else { return Ok(None) };
    let old = draft.intern(&named(op, old), "old_object")?;
    let same = draft.names.canonical_triple(old) == draft.names.canonical_triple(new);
    Ok((!same).then_some(old))
}

fn named(op: &Supersede, object: &ObjectName) -> TripleName {
    TripleName {
        subject: op.subject.clone(),
        predicate: op.predicate.clone(),
        object: object.clone(),
    }
}

/// Retract the hold around an instant and assert what takes its place, with the bounds of the hold
/// unless others are given.
pub(in crate::kernel) fn correct<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &Correct,
) -> Ruling<Outcome, L> {
    let at = draft.at(op.at.as_ref());
    let known = draft.known(&op.triple);
    let hold = known.map(|wrong| hold_around(draft, wrong, at)).transpose()?.flatten();
    let (Some(wrong), Some(hold)) = (known, hold) else {
        // Nothing was named yet, and nothing is.
        let outcome = known.map(|wrong| draft.outcome(OutcomeStatus::NoMatch, wrong));
        return Ok(outcome.unwrap_or_else(|| Outcome::new(OutcomeStatus::NoMatch)));
    };
    let right = match &op.new {
        None => wrong,
        Some(new) => {
            let right = TripleName { object: new.clone(), ..op.triple.clone() };
            draft.intern(&right, "new_object")?
        }
    };
    if draft.has_row(right, op.evidence.row)? {
        return Ok(draft.outcome(OutcomeStatus::Replayed, right));
    }
    let kind = replacement(op, hold, never_ended(draft, wrong)?)?;
    alone_in_request(draft, right, kind)?;
    if right != wrong
        && let Some(outcome) = barred(draft, right, kind, op.evidence.row, false)?
    {
        return Ok(outcome);
    }
    let bounds = [op.from.as_ref(), op.to.as_ref()];
    let trust = draft.trust(&op.evidence)?;
    let mut above = rivals_above(draft, [wrong, right], kind, trust)?;
    if right != wrong {
        above.extend(owners_above(draft, wrong, hold, trust)?);
    }
    if !above.is_empty() {
        let statement = draft.stated(right, kind, &op.evidence, bounds)?;
        return Ok(contest(draft, statement, sides(wrong, &above)));
    }
    let retract = StatementKind::RetractPart { range: hold, correct: true, block: false };
    let retract = draft.stated(wrong, retract, &op.evidence, [None, None])?;
    draft.record(Statement { row: None, ..retract })?;
    settle(draft, wrong);
    let statement = draft.stated(right, kind, &op.evidence, bounds)?;
    let outcome = admit(draft, Statement { deliberate: true, ..statement })?;
    let contested = outcome.status == OutcomeStatus::Contested;
    let status = if contested { outcome.status } else { OutcomeStatus::Applied };
    Ok(Outcome { status, ..outcome })
}

/// The old bounds, open if the old end was open, or the new ones.
fn replacement<E>(
    op: &Correct,
    hold: Interval,
    never_ended: bool,
) -> Result<StatementKind, super::super::error::DecideError<E>> {
    let from = op.from.as_ref().map_or(hold.start(), |dated| dated.at);
    let stays_open = op.to.is_none() && hold.end() == Timestamp::INFINITY && never_ended;
    if stays_open && from < Timestamp::INFINITY {
        return Ok(StatementKind::Open { from });
    }
    let to = op.to.as_ref().map_or(hold.end(), |dated| dated.at);
    interval(from, to).map(StatementKind::Definite)
}

/// Whether what holds for good was left open, rather than said to hold until +infinity.
fn never_ended<L: Lookup>(draft: &mut Draft<'_, L>, triple: Triple) -> Ruling<bool, L> {
    let group = draft.group(draft.names.group_of(triple))?;
    let last = group.timeline().pieces().last();
    Ok(last.is_some_and(|piece| piece.owner.extent != Extent::Bounded))
}

fn held_at<L: Lookup>(
    draft: &mut Draft<'_, L>,
    triple: Triple,
    at: Timestamp,
) -> Ruling<Option<Object>, L> {
    Ok(draft.group(draft.names.group_of(triple))?.timeline().value_at(at))
}

fn hold_around<L: Lookup>(
    draft: &mut Draft<'_, L>,
    triple: Triple,
    at: Timestamp,
) -> Ruling<Option<Interval>, L> {
    let object = draft.names.canonical_object(triple.object);
    let runs = draft.group(draft.names.group_of(triple))?.timeline().runs();
    let hold = runs.iter().find(|run| run.object == object && run.valid.contains(at));
    Ok(hold.map(|run| run.valid))
}

/// Owners of a higher class that the replacement would take instants from, neither its own object
/// nor the one it replaces: weighed before the record is touched.
fn rivals_above<L: Lookup>(
    draft: &mut Draft<'_, L>,
    [wrong, right]: [Triple; 2],
    kind: StatementKind,
    trust: Trust,
) -> Ruling<Vec<Owner>, L> {
    let (span, open) = match kind {
        StatementKind::Definite(span) | StatementKind::AtLeast(span) => (span, None),
        StatementKind::Open { from } => (interval(from, Timestamp::INFINITY)?, Some(from)),
        _ => return Ok(Vec::new()),
    };
    let own = [wrong, right].map(|triple| draft.names.canonical_object(triple.object));
    let group = draft.group(draft.names.group_of(right))?;
    let mut above: Vec<Owner> = Vec::new();
    for piece in group.timeline().pieces().iter().filter(|piece| piece.span.overlaps(span)) {
        let rival = piece.value().is_some_and(|object| !own.contains(&object));
        let reached = open.is_none_or(|from| piece.owner.start <= from);
        let higher = piece.owner.trust > trust && !above.contains(&piece.owner);
        if rival && reached && higher {
            above.push(piece.owner);
        }
    }
    Ok(above)
}

fn owners_above<L: Lookup>(
    draft: &mut Draft<'_, L>,
    triple: Triple,
    hold: Interval,
    trust: Trust,
) -> Ruling<Vec<Owner>, L> {
    let object = draft.names.canonical_object(triple.object);
    let group = draft.group(draft.names.group_of(triple))?;
    let mut above: Vec<Owner> = Vec::new();
    for piece in group.timeline().pieces() {
        let inside = piece.value() == Some(object) && piece.span.overlaps(hold);
        if inside && piece.owner.trust > trust && !above.contains(&piece.owner) {
            above.push(piece.owner);
        }
    }
    Ok(above)
}
