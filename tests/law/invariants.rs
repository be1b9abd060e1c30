//! The invariants of section 8 of the law that look at whole logs, by number. What one statement
//! does (7 to 12) is in `steps`, the order of arrival (13) in `order`. Number 16, that all ways of
//! reading agree, belongs to the server; number 4 is also what `random` compares.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use tenure::kernel::{Change, Group, Lookup, Memory};
use tenure::types::{Basis, Cardinality, Rectangle, Slot, Timestamp, Triple, TxId};

use crate::acts::{ALL, Act, Request, SLOT, STINTS, declarations, requests, statement, statements};
use crate::grid::{CELLS, cell};
use crate::random::{Checked, holds, told};
use crate::shop::Shop;

/// The kernel before and after each request that was not refused.
fn each_commit(
    log: &[Request],
    mut look: impl FnMut(&Shop, &Shop, &Request) -> Checked,
) -> Checked {
    let mut shop = told(&[]);
    for request in log {
        let before = Shop { memory: shop.memory.clone(), log: Vec::new() };
        if shop.submit(0, &request.command()).is_ok() {
            look(&before, &shop, request)?;
        }
    }
    Ok(())
}

/// What holds now, by fact and cell.
pub(crate) fn now(shop: &Shop) -> BTreeSet<(Triple, usize)> {
    cells(&shop.believed(shop.last_tx()))
}

fn cells(rectangles: &[Rectangle]) -> BTreeSet<(Triple, usize)> {
    let mut held = BTreeSet::new();
    for rectangle in rectangles {
        let (from, to) = (rectangle.valid.start().micros(), rectangle.valid.end().micros());
        held.extend((cell(from)..cell(to)).map(|cell| (rectangle.triple, cell)));
    }
    held
}

/// The instant at which a cell starts.
fn instant(cell: usize) -> Timestamp {
    let start = i64::try_from(cell).expect("few cells") - 1;
    if cell == 0 { Timestamp::NEG_INFINITY } else { Timestamp::from_micros(start) }
}

#[test]
fn invariant_1_one_object_at_a_time() {
    holds(&requests(&ALL, 8), |log| {
        let shop = told(&log);
        for tx in 1..=shop.last_tx().raw() {
            let tx = TxId::new(tx);
            let mut seen: BTreeMap<(Slot, usize), Triple> = BTreeMap::new();
            for (triple, cell) in cells(&shop.believed(tx)) {
                let card = shop.memory.directory().cardinality_at(triple.predicate, tx);
                if card == Cardinality::One {
                    let there = seen.insert((triple.slot(), cell), triple);
                    prop_assert_eq!(there, None, "two objects at cell {} of tx {}", cell, tx);
                }
            }
        }
        Ok(())
    });
}

#[test]
fn invariant_2_and_5_a_commit_only_closes_and_opens() {
    holds(&requests(&ALL, 8), |log| {
        each_commit(&log, |before, after, _| {
            let tx = after.last_tx();
            let (old, new) = (before.memory.rectangles(), after.memory.rectangles());
            for found in &new {
                prop_assert!(found.believed.from < found.believed.to, "no tx: {:?}", found);
                prop_assert_eq!(found.believed.to.is_open(), found.closed.is_none());
                let mut open = *found;
                (open.believed.to, open.closed) = (TxId::OPEN, None);
                let kept = old.contains(found);
                let closed = found.believed.to == tx && old.contains(&open);
                prop_assert!(kept || closed || found.believed.from == tx, "new: {:?}", found);
            }
            prop_assert!(new.len() >= old.len());
            let opened: Vec<Rectangle> =
                new.iter().filter(|found| found.believed.from == tx).copied().collect();
            let closed: Vec<Rectangle> =
                new.iter().filter(|found| found.believed.to == tx).copied().collect();
            let mut rebuilt: BTreeSet<_> =
                now(before).difference(&cells(&closed)).copied().collect();
            let (kept, fresh) = (rebuilt.len(), cells(&opened));
            rebuilt.extend(&fresh);
            prop_assert_eq!(rebuilt.len(), kept + fresh.len(), "opened over what was kept");
            prop_assert_eq!(rebuilt, now(after));
            Ok(())
        })
    });
}

#[test]
fn invariant_3_an_answer_never_changes() {
    holds(&requests(&ALL, 8), |log| {
        let mut answers: Vec<BTreeSet<(Triple, usize)>> = Vec::new();
        each_commit(&log, |before, after, _| {
            if answers.is_empty() {
                answers.push(now(before));
            }
            answers.push(now(after));
            for (answer, tx) in answers.iter().zip(1..) {
                let tx = TxId::new(tx);
                prop_assert_eq!(&cells(&after.believed(tx)), answer, "at tx {}", tx);
                let all = after.memory.rectangles();
                let basis = Basis { valid: Timestamp::from_micros(5), tx };
                let seen = all.iter().filter(|found| basis.sees(found.valid, found.believed));
                let seen: BTreeSet<Triple> = seen.map(|found| found.triple).collect();
                prop_assert_eq!(after.held(5, tx), seen);
            }
            Ok(())
        })
    });
}

#[test]
fn invariant_4_rectangles_are_the_states_and_nothing_finer() {
    holds(&statements(&SLOT, 8), |log| {
        each_commit(&log, |_, after, _| {
            let folded = folded(after);
            prop_assert_eq!(held_in(folded.as_ref()), now(after), "live rectangles are the fold");
            let all: Vec<Rectangle> = after.memory.rectangles().into_iter().collect();
            for (place, a) in all.iter().enumerate() {
                for b in &all[place + 1..] {
                    let times =
                        a.believed.from.max(b.believed.from) < a.believed.to.min(b.believed.to);
                    let apart = a.valid.end() < b.valid.start() || b.valid.end() < a.valid.start();
                    let other = a.triple != b.triple;
                    prop_assert!(other || !times || apart, "{:?} meets {:?}", a, b);
                }
            }
            Ok(())
        })
    });
}

/// The single slot of [`SLOT`], folded from its statements.
pub(crate) fn folded(shop: &Shop) -> Option<(Slot, Group)> {
    let slot = shop.memory.all_statements().next()?.triple.slot();
    let Ok(said) = shop.memory.statements(slot, None);
    let mut group = Group::fold(&said, |object| object);
    let Ok(live) = shop.memory.live(slot, None);
    group.live = live;
    Some((slot, group))
}

fn held_in(folded: Option<&(Slot, Group)>) -> BTreeSet<(Triple, usize)> {
    let Some((slot, group)) = folded else { return BTreeSet::new() };
    let value = |cell| group.timeline().value_at(instant(cell));
    let triple = |object| Triple { subject: slot.subject, predicate: slot.predicate, object };
    (0..CELLS).filter_map(|cell| Some((triple(value(cell)?), cell))).collect()
}

#[test]
fn invariant_5_a_group_nobody_spoke_of_has_no_new_rectangle() {
    holds(&statements(&ALL, 8), |log| {
        each_commit(&log, |_, after, request| {
            let spoken: BTreeSet<(usize, usize)> = request.acts.iter().map(slot_of).collect();
            let slot = |triple| {
                let [subject, predicate, _] = after.words(triple);
                let subject = usize::from(subject == "s1");
                (subject, usize::from(predicate == "member"))
            };
            for change in &after.log[after.log.len() - 1].changes {
                if let Change::Opened { triple, .. } | Change::Closed { triple, .. } = change {
                    prop_assert!(spoken.contains(&slot(*triple)), "{:?}", change);
                }
            }
            Ok(())
        })
    });
}

fn slot_of(act: &Act) -> (usize, usize) {
    match act {
        Act::Assert { fact, .. } | Act::End { fact, .. } | Act::Retract { fact, .. } => {
            (fact.0, fact.1)
        }
        other => panic!("{other:?} is no statement"),
    }
}

#[test]
fn invariant_6_what_did_not_change_is_not_written() {
    holds(&requests(&ALL, 8), |log| {
        each_commit(&log, |before, after, _| {
            let changes = &after.log[after.log.len() - 1].changes;
            let mut closed = BTreeSet::new();
            let mut opened = BTreeSet::new();
            for change in changes {
                match change {
                    Change::Closed { triple, valid, .. } => {
                        closed.insert((*triple, *valid));
                    }
                    Change::Opened { triple, valid } => {
                        opened.insert((*triple, *valid));
                    }
                    _ => {}
                }
            }
            prop_assert!(closed.is_disjoint(&opened), "closed only to be opened again");
            if now(before) == now(after) {
                prop_assert!(closed.is_empty() && opened.is_empty(), "nothing changed");
            }
            Ok(())
        })
    });
}

#[test]
fn invariant_14_unmerge_restores_both() {
    let pairs = prop_oneof![Just((0, 1)), Just((1, 0)), Just((2, 3)), Just((4, 2))];
    holds(&(statements(&ALL, 7), pairs), |(log, (duplicate, into))| {
        let mut shop = told(&log);
        let before = now(&shop);
        let statements: Vec<_> = shop.memory.all_statements().cloned().collect();
        let merge = Request::one(Act::Merge { duplicate, into });
        if shop.submit(0, &merge.command()).is_err() {
            return Ok(());
        }
        let unmerge = Request::one(Act::Unmerge { duplicate });
        shop.submit(0, &unmerge.command()).expect("it was merged just now");
        prop_assert_eq!(now(&shop), before);
        let after: Vec<_> = shop.memory.all_statements().cloned().collect();
        prop_assert_eq!(after, statements, "recorded ids never change");
        Ok(())
    });
}

#[test]
fn invariant_15_the_log_is_all_there_is() {
    holds(&requests(&ALL, 8), |log| {
        let shop = told(&log);
        let mut memory = Memory::default();
        shop.log.iter().for_each(|tx| memory.apply(tx));
        prop_assert_eq!(&memory, &shop.memory);
        let mut again = Shop::default();
        for request in std::iter::once(&declarations()).chain(&log) {
            let _refused_or_not = again.submit(0, &request.command());
        }
        prop_assert_eq!(again.log, shop.log, "the same commands decide the same log");
        Ok(())
    });
}

#[test]
fn invariant_17_transaction_time_strictly_increases() {
    let clocks = prop::collection::vec((statement(&STINTS), -20..20_i64), 1..=8);
    holds(&clocks, |acts| {
        let mut shop = told(&[]);
        for (act, clock) in acts {
            let _refused_or_not = shop.submit(clock, &Request::one(act).command());
        }
        let directory = shop.memory.directory();
        for (tx, id) in shop.log.iter().zip(1..) {
            prop_assert_eq!(tx.id, TxId::new(id));
            prop_assert_eq!(directory.tx_at(tx.time), tx.id);
        }
        prop_assert!(shop.log.is_sorted_by(|a, b| a.time < b.time));
        Ok(())
    });
}
