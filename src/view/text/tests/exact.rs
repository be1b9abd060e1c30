use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::super::TextQuery;
use super::support::{Counted, Dice, add, ids, memory, owned, search};
use crate::types::{Bits, DocumentId};

/// Texts whose length drifts, so that what a segment takes for an average is wrong for the whole.
fn drifting(dice: &mut Dice, texts: usize) -> Vec<String> {
    (0..texts).map(|place| dice.text(300, if place < texts / 2 { 4 } else { 60 })).collect()
}

fn shares(share: u32) -> impl Fn(DocumentId) -> bool + Sync {
    move |document| document.raw().wrapping_mul(2_654_435_769) >> 16 < share * 655
}

#[test]
fn hits_are_those_of_a_count_by_hand_however_the_documents_came_in() {
    for seed in 1..3 {
        let mut dice = Dice(seed);
        let texts = drifting(&mut dice, 7_000);
        let counted = Counted::new(&texts);
        let view = memory();
        let mut rest = texts.as_slice();
        while !rest.is_empty() {
            let most = usize::try_from(dice.roll(if rest.len() > 400 { 3_000 } else { 40 }))
                .expect("small");
            let (now, later) = rest.split_at((most + 1).min(rest.len()));
            add(&view, now);
            rest = later;
            if rest.len() > 400 {
                view.commit().expect("a writable index");
            }
        }
        assert!(view.tail_len() > 0, "part of the documents stays in the tail");
        for round in 0..18 {
            let terms = dice.roll(6) + 1;
            let query: String = (0..terms).map(|_| dice.word(300) + " ").collect();
            let visible = shares([101, 30, 1][round % 3]);
            let limit = [1, 10, 100][round / 3 % 3];
            let found = search(&view, &query, limit, &visible).hits;
            assert_eq!(found, counted.best(&query, limit, &visible), "seed {seed}: {query}");
            // Of some that are not visible, and not of the newest, the search is told beforehand.
            let known = (0..6_900).map(DocumentId::new);
            let hidden = Bits::of(known.map(|id| id.raw() % 5 > 0 && !visible(id)));
            let query = TextQuery::new(&query);
            let beside = view.search_beside(&query, limit, &visible, Some(&hidden));
            assert_eq!(beside.expect("a readable index").hits, found, "seed {seed}");
        }
    }
}

#[test]
fn a_commit_changes_no_score() {
    let mut dice = Dice(9);
    let texts = drifting(&mut dice, 500);
    let view = memory();
    for pair in texts.chunks(2) {
        add(&view, pair);
    }
    let before = search(&view, "w1 w20 w100", 500, &|_| true);
    assert!(before.hits.len() > 100);
    view.commit().expect("a writable index");
    assert_eq!(view.tail_len(), 0);
    assert_eq!(search(&view, "w1 w20 w100", 500, &|_| true), before);
}

#[test]
fn scores_are_those_of_the_formula() {
    let view = memory();
    add(&view, &owned(&["red ship", "red red boat house", "green tree"]));
    let hits = search(&view, "red ship", 10, &|_| true).hits;
    let term = |holders: f64, frequency: f64, length: f64| {
        let inverse = (1.0 + (3.0 - holders + 0.5) / (holders + 0.5)).ln();
        let average = 8.0 / 3.0;
        inverse * 2.2 * frequency / (frequency + 1.2 * (0.25 + 0.75 * length / average))
    };
    let expected = [term(2.0, 1.0, 2.0) + term(1.0, 1.0, 2.0), term(2.0, 2.0, 4.0)];
    assert_eq!(hits.len(), 2);
    for ((_, score), expected) in hits.iter().zip(expected) {
        assert!((f64::from(*score) - expected).abs() < 1e-4, "{score} is not {expected}");
    }
}

#[test]
fn equal_scores_come_in_the_order_of_ids() {
    let view = memory();
    for _ in 0..7 {
        add(&view, &vec!["red ship".to_owned(); 300]);
        view.commit().expect("a writable index");
    }
    add(&view, &vec!["red ship".to_owned(); 300]);
    assert_eq!(ids(&view, "red ship"), (0..10).collect::<Vec<_>>());
    let odd = |document: DocumentId| document.raw() > 1_000;
    let hits = search(&view, "ship", 3, &odd).hits;
    assert_eq!(
        hits.iter().map(|(document, _)| document.raw()).collect::<Vec<_>>(),
        [1_001, 1_002, 1_003]
    );
}

/// Every search, at whatever moment, finds every document added before it, and none twice.
#[test]
fn searches_lose_nothing_while_documents_are_committed() {
    let view = memory();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let searcher = scope.spawn(|| {
            let mut searches = 0;
            while !done.load(Ordering::Acquire) || searches == 0 {
                let least = view.next().raw();
                let hits = search(&view, "ship", 5_000, &|_| true).hits;
                let mut found: Vec<u32> =
                    hits.into_iter().map(|(document, _)| document.raw()).collect();
                found.sort_unstable();
                assert!(found.len() >= least as usize, "{} of {least}", found.len());
                let count = u32::try_from(found.len()).expect("few");
                assert!(found.iter().copied().eq(0..count), "each once, in {found:?}");
                searches += 1;
            }
            searches
        });
        let committer = scope.spawn(|| {
            while !done.load(Ordering::Acquire) {
                view.commit().expect("a writable index");
            }
        });
        for _ in 0..300 {
            add(&view, &owned(&["a ship", "two ships", "three"])[..2]);
        }
        done.store(true, Ordering::Release);
        assert!(searcher.join().expect("a searcher") > 0);
        committer.join().expect("a committer");
    });
    view.commit().expect("a writable index");
    assert_eq!(view.committed().raw(), 600);
}

#[test]
fn what_comes_during_a_commit_stays_in_the_tail() {
    let view = memory();
    add(&view, &owned(&["red ship"]));
    view.commit_while(|| {
        add(&view, &owned(&["blue ship"]));
        add(&view, &owned(&["green ship", "grey ship"]));
    })
    .expect("a writable index");
    assert_eq!((view.committed().raw(), view.next().raw(), view.tail_len()), (1, 4, 3));
    assert_eq!(ids(&view, "ship"), [0, 1, 2, 3]);
    view.commit().expect("a writable index");
    assert_eq!(ids(&view, "ship"), [0, 1, 2, 3]);
}
