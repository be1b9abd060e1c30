//! decide(command, stamp, facts) -> transaction or rejection: one match over the operations, and the
//! difference of the timelines before and after.

use std::collections::BTreeMap;
use std::convert::Infallible;

use crate::types::{Interval, Triple};

use super::change::{Change, Tx};
use super::command::{Command, Mode, Op, Outcome, OutcomeStatus, Stamp};
use super::error::{DecideError, Rejection, Violation};
use super::group::{Group, GroupKey, Live};
use super::lookup::Lookup;
use super::rules;
use super::rules::draft::{Draft, Drafted};

/// A transaction to record, what became of each operation, and the groups as they stand after it.
#[derive(Debug)]
pub struct Decision {
    pub tx: Tx,
    pub outcomes: Vec<Outcome>,
    /// For the writer's cache.
    pub groups: BTreeMap<GroupKey, Group>,
    /// Groups that exist no more: their statements are read under another key.
    pub dissolved: Vec<GroupKey>,
}

impl Decision {
    /// Whether there is nothing to record and nothing to tell of it later: every operation was
    /// recorded before, left out, or found things as it wants them. A block that held is told.
    #[must_use]
    pub fn is_idle(&self, outcomes: &[Outcome]) -> bool {
        let told = |outcome: &Outcome| match outcome.status {
            OutcomeStatus::Replayed
            | OutcomeStatus::Invalid
            | OutcomeStatus::NoChange
            | OutcomeStatus::NoMatch => false,
            OutcomeStatus::Applied | OutcomeStatus::Blocked | OutcomeStatus::Contested => true,
        };
        let idle = !outcomes.iter().any(told);
        idle && !outcomes.is_empty() && self.tx.changes.is_empty()
    }
}

/// Decides what a command changes. Nothing is written here, and a rejected command leaves no trace.
///
/// # Errors
/// [`DecideError::Rejected`] with every violation when the command breaks a rule,
/// [`DecideError::Lookup`] when the facts cannot be read.
pub fn decide<L: Lookup>(
    command: &Command,
    stamp: Stamp,
    lookup: &L,
) -> Result<Decision, DecideError<L::Error>> {
    let mut draft = Draft::new(lookup, stamp);
    let mut outcomes = Vec::with_capacity(command.ops.len());
    let mut broken: Vec<Violation> = Vec::new();
    for (place, op) in command.ops.iter().enumerate() {
        draft.begin(place, op);
        match apply(&mut draft, op) {
            Ok(outcome) => outcomes.push(outcome),
            Err(DecideError::Rejected(rejection)) => {
                draft.undo_names();
                let violations = rejection.violations.into_iter();
                let violations =
                    violations.map(|violation| Violation { op: Some(place), ..violation });
                match command.mode {
                    Mode::Atomic => broken.extend(violations),
                    Mode::Partial => outcomes.push(invalid(violations.collect())),
                }
            }
            Err(failed) => return Err(failed),
        }
    }
    if command.ops.iter().any(changes_slots) {
        // Refused whole in either mode: no single operation is the bad one.
        broken.extend(rules::brought_together(&draft));
    }
    if !broken.is_empty() {
        return Err(Rejection::new(broken).into());
    }
    Ok(conclude(draft.finish(), stamp, outcomes))
}

/// Folds what a transaction states into the facts before it, and gives the rectangles that it closes
/// and opens. Nothing is weighed again: of what was decided only the consequences are drawn. The
/// lookup holds the triples that pass, and all names.
pub(super) fn refold<L: Lookup<Error = Infallible>>(
    tx: &Tx,
    lookup: &L,
    passes: impl Fn(Triple) -> bool,
) -> Decision {
    let stamp = Stamp { tx: tx.id, time: tx.time };
    let mut draft = Draft::new(lookup, stamp);
    for change in &tx.changes {
        match rules::replay(&mut draft, change, &passes) {
            Ok(()) => {}
            Err(DecideError::Lookup(never)) => match never {},
            Err(DecideError::Rejected(_)) => unreachable!("a replay refuses nothing"),
        }
    }
    let mut drafted = draft.finish();
    drafted.changes.clear();
    conclude(drafted, stamp, Vec::new())
}

/// Whether statements may be read under another slot, or another cardinality, after it.
const fn changes_slots(op: &Op) -> bool {
    matches!(op, Op::Merge(_) | Op::Unmerge(_) | Op::Declare(_))
}

fn apply<L: Lookup>(draft: &mut Draft<'_, L>, op: &Op) -> Result<Outcome, DecideError<L::Error>> {
    match op {
        Op::Assert(op) => rules::assert(draft, op),
        Op::End(op) => rules::end(draft, op),
        Op::Retract(op) => rules::retract(draft, op),
        Op::Supersede(op) => rules::supersede(draft, op),
        Op::Correct(op) => rules::correct(draft, op),
        Op::Merge(op) => rules::merge(draft, op),
        Op::Unmerge(op) => rules::unmerge(draft, op),
        Op::Declare(op) => rules::declare(draft, op),
        Op::Accept(op) => rules::accept(draft, op),
        Op::WithdrawSource(op) => rules::withdraw_source(draft, op),
        Op::AddEpisode(op) => rules::add_episode(draft, op),
        Op::RetractEpisode(op) => rules::retract_episode(draft, op),
        Op::Archive(op) => rules::archive(draft, op),
        Op::Restore(op) => rules::restore(draft, op),
        Op::Compact(op) => rules::compact(draft, op),
        Op::Invalid(violations) => Err(Rejection::new(violations.clone()).into()),
    }
}

fn invalid(violations: Vec<Violation>) -> Outcome {
    Outcome { violations, ..Outcome::new(OutcomeStatus::Invalid) }
}

/// Commit = set difference of the old and the new timelines: close what vanished, open what
/// appeared. What stayed exactly as it was is not touched.
fn conclude(drafted: Drafted, stamp: Stamp, outcomes: Vec<Outcome>) -> Decision {
    let Drafted { mut changes, mut groups, orphans, retracted, dissolved } = drafted;
    let mut old: BTreeMap<(Triple, Interval), Live> = BTreeMap::new();
    for live in groups.values().flat_map(|group| &group.live) {
        old.insert((live.triple, live.valid), *live);
    }
    let mut regrouped = BTreeMap::new();
    for (live, reason) in orphans {
        old.insert((live.triple, live.valid), live);
        regrouped.insert((live.triple, live.valid), reason);
    }
    let mut opened = Vec::new();
    for (key, group) in &mut groups {
        group.live = runs_of(*key, group)
            .map(|(triple, valid)| {
                old.remove(&(triple, valid)).unwrap_or_else(|| {
                    opened.push(Change::Opened { triple, valid });
                    Live { triple, valid, believed_from: stamp.tx }
                })
            })
            .collect();
    }
    for (at, live) in old {
        let reason = regrouped.get(&at).copied().unwrap_or_else(|| {
            let Triple { subject, predicate, object } = live.triple;
            // The whole slot where it holds one object; else the object alone, which no other one
            // can take anything from.
            let whole = GroupKey { subject, predicate, object: None };
            let alone = GroupKey { object: Some(object), ..whole };
            let keys = [whole, alone].into_iter();
            let found = keys.filter_map(|key| Some((key, groups.get(&key)?)));
            let runs = found.flat_map(|(key, group)| runs_of(key, group));
            rules::close_reason(&live, runs, retracted.contains(&live.triple))
        });
        let Live { triple, valid, believed_from } = live;
        changes.push(Change::Closed { triple, valid, believed_from, reason });
    }
    changes.append(&mut opened);
    let tx = Tx { id: stamp.tx, time: stamp.time, changes };
    Decision { tx, outcomes, groups, dissolved }
}

fn runs_of(key: GroupKey, group: &Group) -> impl Iterator<Item = (Triple, Interval)> + use<> {
    let GroupKey { subject, predicate, .. } = key;
    let runs = group.timeline().runs().into_iter();
    runs.map(move |run| (Triple { subject, predicate, object: run.object }, run.valid))
}
