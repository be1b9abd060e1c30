//! C3: what is erased is as if it had never been said, at every transaction, and the numbers stay.

use std::collections::BTreeSet;

use proptest::prelude::*;

use tenure::kernel::{Change, Erased, Lookup, Memory, Plan, Rewrite, Selection, Selector, Toll};
use tenure::types::{CloseReason, Interval, TxSpan};

use crate::acts::{
    ALL, Act, PAIR, Request, SLOT, STINTS, TWINS, declarations, readings, requests, statements,
};
use crate::check::{Told, tell};
use crate::oracle::Oracle;
use crate::random::{Checked, believed, holds, spelled};
use crate::shop::Shop;
use crate::text::name;

/// The shop without what the selector takes, and what went.
fn without(shop: &Shop, selector: &Selector) -> (Shop, Plan, Toll) {
    let directory = shop.memory.directory();
    let mut selection = Selection::new(selector, directory);
    shop.log.iter().for_each(|tx| selection.read(tx));
    shop.log.iter().for_each(|tx| selection.reread(tx));
    let number = u32::try_from(directory.erasures().len()).expect("few") + 1;
    let mut rewrite = Rewrite::new(selection.finish(number));
    let mut left = Shop { memory: Memory::default(), log: Vec::new() };
    for tx in &shop.log {
        let rewritten = rewrite.next(tx);
        assert_eq!(rewritten.changed, rewritten.tx != *tx, "what changed is said");
        left.memory.apply(&rewritten.tx);
        left.log.push(rewritten.tx);
    }
    let (plan, toll, directory) = rewrite.finish();
    assert_eq!(&directory, left.memory.directory(), "one fold");
    (left, plan, toll)
}

type Row = ([String; 3], Interval, TxSpan, Option<CloseReason>);

fn rows(shop: &Shop) -> BTreeSet<Row> {
    let rectangles = shop.memory.rectangles().into_iter();
    rectangles.map(|row| (shop.words(row.triple), row.valid, row.believed, row.closed)).collect()
}

/// The same requests, so that no assert is held back by a block that is erased.
fn overriding(log: &[Request]) -> Vec<Request> {
    let act = |act: &Act| match act.clone() {
        Act::Assert { fact, from, to, at_least, source, .. } => {
            Act::Assert { fact, from, to, at_least, overrides: true, source }
        }
        other => other,
    };
    log.iter()
        .map(|request| Request { acts: request.acts.iter().map(act).collect(), ..*request })
        .collect()
}

fn of_web(act: &Act) -> bool {
    match act {
        Act::Assert { source, .. } | Act::End { source, .. } | Act::Retract { source, .. } => {
            *source == Some(0)
        }
        Act::Withdraw { source } => *source == 0,
        _ => false,
    }
}

/// Tells everything and erases the source `web`; beside it tells only the rest. Requests that were
/// refused were never said.
fn compare(log: &[Request], exact: bool) -> Checked {
    let (mut all, mut rest, mut oracle) = (Shop::default(), Shop::default(), Oracle::default());
    let log = overriding(log);
    for request in std::iter::once(&declarations()).chain(&log) {
        let time = i64::try_from(all.log.len()).expect("a short log");
        let Ok(outcomes) = all.submit(time, &request.command()) else { continue };
        let taken = outcomes.iter().all(|outcome| outcome.violations.is_empty());
        let acts = request.acts.iter().filter(|act| !of_web(act)).cloned().collect();
        let left = Request { acts, partial: request.partial };
        // What hangs on the state, such as a merge of names that only the source had used, may be
        // refused where the rest alone is told.
        let told = rest.submit(time, &left.command());
        let known = oracle.submit(time, &left);
        if !taken || told.is_err() || known.is_err() {
            return Ok(());
        }
    }
    let directory = all.memory.directory();
    let Some(web) = directory.source(&name("web")) else { return Ok(()) };
    let (left, ..) = without(&all, &Selector::Source(web));
    for (held, tx) in oracle.history.iter().zip(1..) {
        let tx = tenure::types::TxId::new(tx);
        prop_assert_eq!(believed(&left, tx), spelled(held), "at tx {}", tx);
    }
    if exact {
        prop_assert_eq!(rows(&left), rows(&rest));
    }
    Ok(())
}

#[test]
fn an_erased_source_never_spoke_of_a_slot() {
    holds(&statements(&SLOT, 8), |log| compare(&log, true));
}

#[test]
fn an_erased_source_never_spoke_of_stints() {
    holds(&statements(&STINTS, 8), |log| compare(&log, true));
}

#[test]
fn an_erased_source_never_spoke_of_several_facts() {
    holds(&statements(&PAIR, 10), |log| compare(&log, true));
}

#[test]
fn an_erased_source_never_spoke_of_what_is_merged_and_declared() {
    holds(&readings(&TWINS, 10), |log| compare(&log, true));
}

/// Compositions look at what holds when they are said, so the rest may say something else: what is
/// left is a log that folds, and erasing it again takes nothing.
#[test]
fn what_is_left_of_any_log_folds_and_is_left_alone() {
    holds(&requests(&ALL, 10), |log| {
        let shop = crate::random::told(&log);
        let Some(web) = shop.memory.directory().source(&name("web")) else { return Ok(()) };
        let (left, ..) = without(&shop, &Selector::Source(web));
        let (again, plan, _) = without(&left, &Selector::Source(web));
        prop_assert!(plan.is_empty());
        prop_assert_eq!(again.log, left.log);
        Ok(())
    });
}

fn erased(story: &str, what: impl FnOnce(&Shop) -> Selector) -> (Told, Plan, Toll) {
    let mut told = tell(story);
    let (left, plan, toll) = without(&told.shop, &what(&told.shop));
    told.shop = left;
    (told, plan, toll)
}

fn source(text: &'static str) -> impl Fn(&Shop) -> Selector {
    move |shop| Selector::Source(shop.memory.directory().source(&name(text)).expect("a source"))
}

fn entity(text: &'static str) -> impl Fn(&Shop) -> Selector {
    move |shop| Selector::Entity(shop.memory.directory().entity(&name(text)).expect("an entity"))
}

fn tombstones(told: &Told) -> usize {
    let changes = told.shop.log.iter().flat_map(|tx| &tx.changes);
    changes.filter(|change| matches!(change, Change::Erased { .. })).count()
}

/// T28.
#[test]
fn what_an_erased_statement_had_displaced_comes_back() {
    let story = "one head; many member
                 assert d1 head ann from 10 by s3
                 assert ann member t1 from 5 by s1
                 assert ann member t1 from 5 by s2
                 assert d1 head bob from 20 by s1";
    let (told, plan, toll) = erased(story, source("s1"));
    told.check(
        "ann member ? @6/2 -> nothing
         ann member ? @6/3 -> t1
         d1 head/4 = ann [10,inf)
         d1 head rectangles = ann [10,inf)x[1,inf)
         ann member rectangles = t1 [5,inf)x[3,inf)
         rows 2",
    );
    assert_eq!(plan.statements.len(), 2);
    // bob, and s1 itself.
    assert_eq!((plan.names.entities.len(), plan.names.sources.len()), (1, 1));
    assert_eq!((toll.rectangles, toll.rectangles_restored), (3, 1));
    assert_eq!(toll.log_changes, tombstones(&told) as u64);
}

#[test]
fn a_past_that_was_not_touched_stays_to_the_last_change() {
    let story = "one head
                 assert d1 head ann from 10
                 assert d2 head cid from 1 by s1
                 assert d1 head bob from 20";
    let before = tell(story).shop;
    let (told, _, toll) = erased(story, source("s1"));
    for (was, is) in before.log.iter().zip(&told.shop.log) {
        assert_eq!(was == is, was.id.raw() != 3, "tx {}", was.id);
    }
    assert_eq!(toll.first.map(tenure::types::TxId::raw), Some(3));
}

#[test]
fn an_erased_end_ends_nothing() {
    let story = "assert a likes b from 1 by s2
                 end a likes b at 5 by s1
                 retract a likes b from 2 to 3 by s1";
    let (told, ..) = erased(story, source("s1"));
    told.check("a likes rectangles = b [1,inf)x[1,inf)");
}

#[test]
fn an_entity_goes_under_all_its_names() {
    let story = "many knows
                 assert ann knows bob from 1
                 assert annie knows cid from 2
                 assert cid knows annie from 3
                 assert cid knows bob from 4
                 merge annie into ann
                 assert ann knows dan from 5";
    let (told, plan, _) = erased(story, entity("annie"));
    told.check(
        "ann knows/6 = nothing
         cid knows rectangles = bob [4,inf)x[4,inf)
         rows 1",
    );
    let directory = told.shop.memory.directory();
    for gone in ["ann", "annie", "dan"] {
        assert_eq!(directory.entity(&name(gone)), None, "{gone}");
    }
    assert_eq!(plan.names.entities.len(), 3);
    assert_eq!(directory.entity_count(), 5, "ids keep their places");
    assert!(!directory.has_aliases());
}

#[test]
fn an_entity_that_once_counted_as_another_stays() {
    let story = "one head
                 assert d1 head ann from 10
                 assert d2 head bob from 20
                 merge d2 into d1
                 unmerge d2";
    let (told, ..) = erased(story, entity("d1"));
    told.check(
        "d2 head rectangles = bob [20,inf)x[2,inf)
         rows 1",
    );
}

#[test]
fn a_merge_of_entities_that_only_lost_statements_stays() {
    let story = "one head
                 assert d1 head ann from 10 by s2
                 assert d2 head bob from 20 by s1
                 merge d2 into d1";
    let (told, ..) = erased(story, source("s1"));
    told.check("d1 head/2 = ann [10,inf)\n d2 head/3 = ann [10,inf)");
    assert!(told.shop.memory.directory().entity(&name("d2")).is_some());
}

#[test]
fn what_followed_from_nothing_else_goes_too() {
    let story = "assert a likes b from 1 by s1
                 assert a likes c from 1 by s2
                 assert a enjoys b from 1 derived 1.0
                 assert a enjoys c from 1 derived 1.0,2.0
                 assert a adores b from 1 derived 3.0";
    let (told, plan, _) = erased(story, source("s1"));
    told.check(
        "a likes/5 = c [1,inf)
         a enjoys/5 = c [1,inf)
         a adores/5 = nothing",
    );
    assert_eq!(plan.statements.len(), 3);
    let left = told.shop.memory.all_statements();
    let grounds: Vec<String> =
        left.flat_map(|said| &said.derived_from).map(ToString::to_string).collect();
    assert_eq!(grounds, ["2.0"], "an erased ground is not named");
}

#[test]
fn a_fact_goes_with_what_was_said_against_it_but_not_its_rival() {
    let story = "one head
                 assert d1 head ann from 10
                 assert d1 head bob from 10
                 retract d1 head bob from 12 to 14";
    let fact = |shop: &Shop| {
        let rows = shop.memory.rectangles();
        let bob = rows.iter().find(|row| shop.words(row.triple)[2] == "bob").expect("bob held");
        Selector::Fact(bob.triple)
    };
    let (told, plan, _) = erased(story, fact);
    told.check(
        "d1 head rectangles = ann [10,inf)x[1,inf)
         no conflict",
    );
    assert_eq!((plan.statements.len(), plan.conflicts.len()), (2, 1));
}

#[test]
fn a_contested_statement_still_waits_when_its_rival_is_erased() {
    let story = "one head
                 assert d1 head ann from 10 by s1 as CONFIRMED
                 assert d1 head bob from 20 by s2 as UNVERIFIED => CONTESTED";
    let (told, ..) = erased(story, source("s1"));
    told.check("d1 head/2 = nothing");
    let directory = told.shop.memory.directory();
    let waiting: Vec<_> = directory.open_conflicts().collect();
    assert_eq!(waiting.len(), 1);
    assert!(waiting[0].against.is_empty());
}

#[test]
fn the_same_ids_go_from_an_older_copy() {
    let story = "one head
                 assert d1 head ann from 10 by s3
                 assert d1 head bob from 20 by s1
                 assert bob knows ann from 1 by s1";
    let (told, plan, _) = erased(story, source("s1"));
    let listed = Selector::Listed {
        statements: plan.statements,
        episodes: plan.episodes,
        entities: BTreeSet::new(),
    };
    let (again, ..) = without(&tell(story).shop, &listed);
    assert_eq!(again.log, told.shop.log);
}

#[test]
fn tombstones_hold_ids_alone() {
    let story = "assert a likes #7 from 1 by s1";
    let (told, ..) = erased(story, source("s1"));
    let what = told.shop.log[0].changes.iter().map(|change| match change {
        Change::Erased { what, .. } => *what,
        other => panic!("{other:?} stays"),
    });
    let words: Vec<&str> = what
        .map(|what| match what {
            Erased::Entity(_) => "entity",
            Erased::Predicate(_) => "predicate",
            Erased::Value(_) => "value",
            Erased::Source(_) => "source",
            Erased::Statement { .. } => "statement",
            Erased::Episode(_) => "episode",
            Erased::Consequence => "consequence",
        })
        .collect();
    let wanted =
        ["predicate", "consequence", "entity", "value", "source", "statement", "consequence"];
    assert_eq!(words, wanted);
}
