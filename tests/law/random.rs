//! Random requests: after every one of them the kernel and the naive oracle agree on all outcomes
//! and on what held at every transaction so far.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseError, TestError, TestRunner};

use tenure::kernel::{Change, Outcome, OutcomeStatus};
use tenure::types::TxId;

use crate::acts::{
    ALL, Act, PAIR, Request, SLOT, STINTS, TWINS, compositions, declarations, readings, requests,
    statements,
};
use crate::grid::cell;
use crate::oracle::{Held, Oracle, words};
use crate::shop::Shop;

/// Cases of each property, unless `PROPTEST_CASES` says another number.
const CASES: u32 = 1_500;
/// The same cases in every run, unless `PROPTEST_RNG_SEED` says another number.
const SEED: u64 = 20_240_229;

pub(crate) type Checked = Result<(), TestCaseError>;

/// Tries a property on random input, shrinks what breaks it, and shows that.
pub(crate) fn holds<S: Strategy>(input: &S, property: impl Fn(S::Value) -> Checked)
where
    S::Value: Clone,
{
    let number = |variable| std::env::var(variable).ok().and_then(|text| text.parse::<u64>().ok());
    let cases = number("PROPTEST_CASES").and_then(|cases| u32::try_from(cases).ok());
    let config = ProptestConfig {
        cases: cases.unwrap_or(CASES),
        rng_seed: RngSeed::Fixed(number("PROPTEST_RNG_SEED").unwrap_or(SEED)),
        failure_persistence: None,
        max_shrink_iters: 4_000,
        ..ProptestConfig::default()
    };
    match TestRunner::new(config).run(input, property) {
        Ok(()) => {}
        Err(TestError::Fail(why, input)) => panic!("{why}\nsmallest input: {input:?}"),
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}

/// The kernel after some requests. Transaction number `n` has the time `n - 1`.
pub(crate) fn told(requests: &[Request]) -> Shop {
    let mut shop = Shop::default();
    shop.submit(0, &declarations().command()).expect("declarations are accepted");
    for request in requests {
        let _refused_or_not = shop.submit(0, &request.command());
    }
    shop
}

/// What the kernel believed at a transaction, cell by cell.
pub(crate) fn believed(shop: &Shop, tx: TxId) -> BTreeSet<([String; 3], usize)> {
    let mut held = BTreeSet::new();
    for rectangle in shop.believed(tx) {
        let (from, to) = (rectangle.valid.start().micros(), rectangle.valid.end().micros());
        for cell in cell(from)..cell(to) {
            let fresh = held.insert((shop.words(rectangle.triple), cell));
            assert!(fresh, "two rectangles of one fact at one point");
        }
    }
    held
}

pub(crate) fn spelled(held: &Held) -> BTreeSet<([String; 3], usize)> {
    held.iter().map(|(fact, cell)| (words(*fact), *cell)).collect()
}

/// A retract that settles a conflict was good for something, which the oracle does not know.
fn agree(outcome: &Outcome, expected: OutcomeStatus, settled: bool, act: &Act) -> bool {
    let by_settling = settled && matches!(act, Act::Retract { .. });
    let applied = outcome.status == OutcomeStatus::Applied;
    outcome.status == expected || (by_settling && applied && expected == OutcomeStatus::NoMatch)
}

fn compare(log: &[Request]) -> Checked {
    let (mut shop, mut oracle) = (Shop::default(), Oracle::default());
    for request in std::iter::once(&declarations()).chain(log) {
        let time = i64::try_from(shop.log.len()).expect("a short log");
        let expected = oracle.submit(time, request);
        match (shop.submit(time, &request.command()), expected) {
            (Ok(outcomes), Ok(expected)) => {
                let changes = &shop.log.last().expect("just recorded").changes;
                let settled =
                    changes.iter().any(|change| matches!(change, Change::ConflictClosed { .. }));
                for ((outcome, expected), act) in outcomes.iter().zip(expected).zip(&request.acts) {
                    let got = outcome.status;
                    prop_assert!(
                        agree(outcome, expected, settled, act),
                        "{act:?}: {got:?}, the law says {expected:?}"
                    );
                }
            }
            (Err(_), Err(_)) => {}
            (got, expected) => {
                return Err(TestCaseError::fail(format!("{got:?}, the law says {expected:?}")));
            }
        }
        prop_assert_eq!(shop.log.len(), oracle.history.len());
        for (held, tx) in oracle.history.iter().zip(1..) {
            prop_assert_eq!(believed(&shop, TxId::new(tx)), spelled(held), "at tx {}", tx);
        }
    }
    Ok(())
}

#[test]
fn one_slot_follows_the_law() {
    holds(&statements(&SLOT, 8), |log| compare(&log));
}

#[test]
fn stints_of_one_fact_follow_the_law() {
    holds(&statements(&STINTS, 8), |log| compare(&log));
}

#[test]
fn compositions_follow_the_law() {
    holds(&compositions(&PAIR, 8), |log| compare(&log));
}

#[test]
fn changes_of_reading_follow_the_law() {
    holds(&readings(&TWINS, 8), |log| compare(&log));
}

#[test]
fn every_kind_of_request_follows_the_law() {
    holds(&requests(&ALL, 8), |log| compare(&log));
}
