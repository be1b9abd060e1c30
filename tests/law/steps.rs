//! The invariants of section 8 of the law that look at one more statement, by number: 7 to 12.

use std::collections::BTreeSet;

use proptest::prelude::*;

use tenure::kernel::OutcomeStatus;
use tenure::types::Triple;

use crate::acts::{Act, Fact, INSTANTS, NODES, Request, SLOT, statement, statements};
use crate::grid::{CELLS, cell};
use crate::invariants::{folded, now};
use crate::random::{holds, told};
use crate::shop::Shop;

/// A log, and one more statement that the properties 7 to 12 look at.
fn log_and_one() -> impl Strategy<Value = (Vec<Request>, Act)> {
    (statements(&SLOT, 7), statement(&SLOT))
}

struct Step {
    before: BTreeSet<(String, usize)>,
    after: BTreeSet<(String, usize)>,
    ended: [BTreeSet<(String, usize)>; 2],
    status: OutcomeStatus,
    time: i64,
}

/// What one more statement does; nothing where it is refused.
fn step(log: &[Request], act: &Act) -> Option<Step> {
    let mut shop = told(log);
    let (before, ended) = (objects(&shop), known_ended(&shop));
    let time = i64::try_from(shop.log.len()).expect("a short log");
    let outcomes = shop.submit(time, &Request::one(act.clone()).command()).ok()?;
    let after = objects(&shop);
    let ended = [ended, known_ended(&shop)];
    Some(Step { before, after, ended, status: outcomes[0].status, time })
}

fn objects(shop: &Shop) -> BTreeSet<(String, usize)> {
    let name = |(triple, cell)| (shop.words(triple)[2].clone(), cell);
    now(shop).into_iter().map(name).collect()
}

/// Cells known to be empty, with the object whose statement says so.
fn known_ended(shop: &Shop) -> BTreeSet<(String, usize)> {
    let Some((slot, group)) = folded(shop) else { return BTreeSet::new() };
    let mut ended = BTreeSet::new();
    for piece in group.timeline().pieces().iter().filter(|piece| !piece.held) {
        let object = piece.owner.object;
        let triple = Triple { subject: slot.subject, predicate: slot.predicate, object };
        let (from, to) = (piece.span.start().micros(), piece.span.end().micros());
        ended.extend((cell(from)..cell(to)).map(|cell| (shop.words(triple)[2].clone(), cell)));
    }
    ended
}

fn object_of(fact: Fact) -> String {
    NODES[fact.2].to_owned()
}

#[test]
fn invariant_7_what_an_assert_does() {
    holds(&log_and_one(), |(log, act)| {
        let Act::Assert { fact, from, to, at_least, .. } = act else { return Ok(()) };
        let Some(step) = step(&log, &act) else { return Ok(()) };
        if step.status == OutcomeStatus::Blocked {
            return Ok(());
        }
        let object = object_of(fact);
        let from = cell(from.unwrap_or(step.time));
        prop_assert!(step.after.contains(&(object.clone(), from)), "it holds at its start");
        for (name, at) in step.before.symmetric_difference(&step.after) {
            prop_assert!(*at >= from, "nothing before the start changes");
            let lost_own = *name == object && step.before.contains(&(name.clone(), *at));
            match to {
                None => prop_assert!(!lost_own, "an open assert removes nothing of its object"),
                Some(to) => {
                    let closes_own = lost_own && !at_least;
                    prop_assert!(*at < cell(to) || closes_own, "behind the end: {}", at);
                }
            }
        }
        let to = to.map_or(from, cell);
        prop_assert!((from..to).all(|at| step.after.contains(&(object.clone(), at))));
        Ok(())
    });
}

#[test]
fn invariant_8_what_an_end_does() {
    holds(&log_and_one(), |(log, act)| {
        let Act::End { fact, at, .. } = act else { return Ok(()) };
        let step = step(&log, &act).expect("an end is not refused");
        let from = cell(at.unwrap_or(step.time));
        for (name, at) in step.before.symmetric_difference(&step.after) {
            prop_assert!(*name == object_of(fact) && *at >= from);
        }
        prop_assert!(step.after.is_subset(&step.before));
        Ok(())
    });
}

#[test]
fn invariant_9_what_a_retract_does() {
    holds(&log_and_one(), |(log, act)| {
        let Act::Retract { fact, from, to, .. } = act else { return Ok(()) };
        let Some(step) = step(&log, &act) else { return Ok(()) };
        let range = cell(from.unwrap_or(i64::MIN))..cell(to.unwrap_or(i64::MAX));
        let object = object_of(fact);
        let inside = |(name, at): &&(String, usize)| *name == object && range.contains(at);
        let outside = |(name, at): &&(String, usize)| *name == object && !range.contains(at);
        let of = |set: &BTreeSet<(String, usize)>| -> BTreeSet<(String, usize)> {
            set.iter().filter(outside).cloned().collect()
        };
        prop_assert_eq!(step.after.iter().find(inside), None, "gone in the range");
        prop_assert_eq!(of(&step.before), of(&step.after), "unchanged outside");
        prop_assert_eq!(of(&step.ended[0]), of(&step.ended[1]), "known ends outside stay");
        Ok(())
    });
}

#[test]
fn invariant_10_what_was_retracted_does_not_come_back_by_itself() {
    let log = prop::collection::vec(statement(&SLOT), 1..=8);
    holds(&log, |acts| {
        let mut shop = told(&[]);
        let mut gone: BTreeSet<(String, usize)> = BTreeSet::new();
        for act in acts {
            let time = i64::try_from(shop.log.len()).expect("a short log");
            if shop.submit(time, &Request::one(act.clone()).command()).is_err() {
                continue;
            }
            match act {
                Act::Assert { fact, from, to, .. } => {
                    let range = cell(from.unwrap_or(time))..to.map_or(CELLS, cell);
                    let object = object_of(fact);
                    gone.retain(|(name, at)| *name != object || !range.contains(at));
                }
                Act::Retract { fact, from, to, .. } => {
                    let range = cell(from.unwrap_or(i64::MIN))..cell(to.unwrap_or(i64::MAX));
                    gone.extend(range.map(|at| (object_of(fact), at)));
                }
                _ => {}
            }
            let held = objects(&shop);
            prop_assert_eq!(held.intersection(&gone).next(), None);
        }
        Ok(())
    });
}

#[test]
fn invariant_11_a_whole_retract_is_as_if_nothing_had_been_said() {
    let whole_only = |act: Act| match act {
        Act::Retract { fact, correct, block, source, .. } => {
            Act::Retract { fact, from: None, to: None, correct, block, source }
        }
        act => act,
    };
    let log = prop::collection::vec((statement(&SLOT).prop_map(whole_only), 0..INSTANTS), 1..=7);
    holds(&(log, SLOT.fact()), |(acts, fact)| {
        let retract =
            Act::Retract { fact, from: None, to: None, correct: false, block: false, source: None };
        let said = acts.into_iter().map(|(act, time)| Request::one(dated(act, time)));
        let said: Vec<Request> = said.collect();
        let others = said.iter().filter(|request| !about(&request.acts[0], fact));
        let without: Vec<Request> = others.cloned().collect();
        let with: Vec<Request> = said.into_iter().chain([Request::one(retract)]).collect();
        prop_assert_eq!(objects(&told(&with)), objects(&told(&without)));
        Ok(())
    });
}

fn about(act: &Act, wanted: Fact) -> bool {
    match act {
        Act::Assert { fact, .. } | Act::End { fact, .. } | Act::Retract { fact, .. } => {
            *fact == wanted
        }
        _ => false,
    }
}

/// Bounds that were left out would follow the transaction time, which differs between two logs.
fn dated(act: Act, time: i64) -> Act {
    match act {
        Act::Assert { fact, from: None, to, at_least, overrides, source } => {
            Act::Assert { fact, from: Some(time), to, at_least, overrides, source }
        }
        Act::End { fact, at: None, source } => Act::End { fact, at: Some(time), source },
        act => act,
    }
}

#[test]
fn invariant_12_saying_it_twice_changes_nothing() {
    holds(&(log_and_one(), 0..INSTANTS), |((log, act), time)| {
        let last = Request::one(dated(act, time));
        let mut shop = told(&log);
        if shop.submit(0, &last.command()).is_ok() {
            let once = objects(&shop);
            shop.submit(0, &last.command()).expect("it was accepted before");
            prop_assert_eq!(objects(&shop), once);
        }
        Ok(())
    });
}
