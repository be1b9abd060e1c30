//! Invariant 13 of the law: in whatever order the news arrives, the end is the same.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::subsequence;

use crate::acts::{Act, INSTANTS, Request};
use crate::grid::CELLS;
use crate::random::{holds, told};

#[derive(Clone, Debug)]
enum News {
    Starts(usize),
    Stops(usize),
}

fn news() -> impl Strategy<Value = News> {
    prop_oneof![2 => (2..5_usize).prop_map(News::Starts), 1 => (2..5_usize).prop_map(News::Stops)]
}

fn assert(object: usize, from: i64, to: Option<i64>) -> Act {
    let fact = (0, 0, object);
    Act::Assert { fact, from: Some(from), to, at_least: false, overrides: false, source: None }
}

/// What holds in each cell after some acts.
fn outcome(acts: &[Act]) -> [Option<String>; CELLS] {
    let requests: Vec<Request> = acts.iter().cloned().map(Request::one).collect();
    let shop = told(&requests);
    let mut held = [const { None }; CELLS];
    for rectangle in shop.believed(shop.last_tx()) {
        let from = crate::grid::cell(rectangle.valid.start().micros());
        let to = crate::grid::cell(rectangle.valid.end().micros());
        for place in &mut held[from..to] {
            *place = Some(shop.words(rectangle.triple)[2].clone());
        }
    }
    held
}

/// Walks over the instants in their order.
fn sorted(news: &BTreeMap<i64, News>) -> [Option<String>; CELLS] {
    let mut now: Option<usize> = None;
    let mut held = [const { None }; CELLS];
    for at in 0..INSTANTS {
        match news.get(&at) {
            Some(News::Starts(object)) => now = Some(*object),
            Some(News::Stops(object)) if now == Some(*object) => now = None,
            _ => {}
        }
        held[crate::grid::cell(at)] = now.map(|object| crate::acts::NODES[object].to_owned());
    }
    held
}

#[test]
fn invariant_13_starts_and_ends_in_any_order() {
    let instants: Vec<i64> = (0..INSTANTS).collect();
    let told = subsequence(instants, 1..=7)
        .prop_flat_map(|at| {
            let news = prop::collection::vec(news(), at.len());
            (Just(at), news)
        })
        .prop_map(|(at, news)| at.into_iter().zip(news).collect::<Vec<_>>())
        .prop_shuffle();
    holds(&told, |told| {
        let acts: Vec<Act> = told
            .iter()
            .map(|(at, news)| match news {
                News::Starts(object) => assert(*object, *at, None),
                News::Stops(object) => {
                    Act::End { fact: (0, 0, *object), at: Some(*at), source: None }
                }
            })
            .collect();
        prop_assert_eq!(outcome(&acts), sorted(&told.into_iter().collect()));
        Ok(())
    });
}

/// An object that starts, and the instant it stops at if that is said with it.
type Stay = (usize, i64, Option<i64>);

/// Walks over the instants in their order: a closed stay covers what holds under it, which returns
/// behind it, unless it is the same object, whose end was stated.
fn covered(stays: &[Stay]) -> [Option<String>; CELLS] {
    let mut under: Option<usize> = None;
    let mut over: Option<(usize, i64)> = None;
    let mut held = [const { None }; CELLS];
    for at in 0..INSTANTS {
        if let Some((object, _)) = over.take_if(|(_, until)| *until == at) {
            under = under.filter(|under| *under != object);
        }
        match stays.iter().find(|(_, from, _)| *from == at) {
            Some((object, _, None)) => under = Some(*object),
            Some((object, _, Some(to))) => over = Some((*object, *to)),
            None => {}
        }
        let object = over.map(|(object, _)| object).or(under);
        held[crate::grid::cell(at)] = object.map(|object| crate::acts::NODES[object].to_owned());
    }
    held
}

#[test]
fn invariant_13_starts_and_closed_stays_in_any_order() {
    let instants: Vec<i64> = (0..INSTANTS).collect();
    let kinds = prop::collection::vec((2..5_usize, prop::bool::ANY), 8);
    let told = (subsequence(instants, 1..=8), kinds).prop_map(|(at, kinds)| {
        let mut stays: Vec<Stay> = Vec::new();
        let mut at = at.into_iter();
        for (object, closed) in kinds {
            let Some(from) = at.next() else { break };
            stays.push((object, from, if closed { at.next() } else { None }));
        }
        stays
    });
    holds(&told.prop_shuffle(), |stays| {
        let acts: Vec<Act> =
            stays.iter().map(|(object, from, to)| assert(*object, *from, *to)).collect();
        prop_assert_eq!(outcome(&acts), covered(&stays));
        Ok(())
    });
}
