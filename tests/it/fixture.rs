//! One small world and the questions whose answers are known: section 7 of the law.

use tenure::rpc::proto;

use crate::ask::{HOME, bounded, fact, snapshot, sorted, timeline, words, write};
use crate::support::{Server, at, op};

/// Transaction n is committed at time n.
pub(crate) async fn load(server: &mut Server) {
    let log = [
        vec![op::one("head"), op::one("part_of"), fact("d1", "head", "ann", 10, None)],
        vec![fact("d1", "head", "bob", 20, None)],
        vec![fact("ann", "member", "t1", 5, 25), fact("bob", "member", "t1", 15, None)],
        vec![fact("t1", "part_of", "d1", 1, None), fact("t2", "part_of", "d1", 12, None)],
        vec![op::retract("bob", "member", "t1"), fact("bob", "member", "t2", 15, None)],
        vec![fact("d1", "head", "cid", 18, None)],
        vec![
            op::end("ann", "member", "t1", op::instant(22)),
            fact("t1", "part_of", "d2", 24, None),
        ],
    ];
    for (tx, operations) in (1..).zip(log) {
        let response = write(server, tx, operations).await;
        assert_eq!(response.tx, u64::try_from(tx).expect("a small number"));
    }
}

async fn start() -> Server {
    let mut server = Server::start().await;
    load(&mut server).await;
    server
}

const AT_16_4: &[&str] =
    &["ann member t1", "bob member t1", "d1 head ann", "t1 part_of d1", "t2 part_of d1"];
const AT_16_5: &[&str] =
    &["ann member t1", "bob member t2", "d1 head ann", "t1 part_of d1", "t2 part_of d1"];
pub(crate) const AT_23_6: &[&str] =
    &["ann member t1", "bob member t2", "d1 head bob", "t1 part_of d1", "t2 part_of d1"];
const AT_23_7: &[&str] = &["bob member t2", "d1 head bob", "t1 part_of d1", "t2 part_of d1"];

#[tokio::test]
async fn q01_q02_q03_snapshots() {
    let mut server = start().await;
    let cases = [(16, 4, AT_16_4), (16, 5, AT_16_5), (23, 6, AT_23_6), (23, 7, AT_23_7)];
    for (valid, tx, facts) in cases {
        assert_eq!(snapshot(&mut server, valid, tx).await, facts, "({valid},{tx})");
    }
    server.stop().await;
}

#[tokio::test]
async fn q04_timelines() {
    let mut server = start().await;
    let cases: [(u64, &[&str]); 3] = [
        (1, &["d1 head ann [10,-)"]),
        (2, &["d1 head ann [10,20)", "d1 head bob [20,-)"]),
        (6, &["d1 head ann [10,18)", "d1 head cid [18,20)", "d1 head bob [20,-)"]),
    ];
    for (tx, rows) in cases {
        assert_eq!(timeline(&mut server, "d1", "head", Some(tx)).await, rows, "tx {tx}");
    }
    server.stop().await;
}

#[tokio::test]
async fn every_rectangle_of_the_fixture() {
    let mut server = start().await;
    let cases: [(&str, &str, &[&str]); 5] = [
        ("ann", "member", &["t1 [5,25) 3-7 Ended", "t1 [5,22) 7-"]),
        ("bob", "member", &["t1 [15,-) 3-5 Retracted", "t2 [15,-) 5-"]),
        (
            "d1",
            "head",
            &[
                "ann [10,-) 1-2 Superseded",
                "ann [10,20) 2-6 Superseded",
                "bob [20,-) 2-",
                "ann [10,18) 6-",
                "cid [18,20) 6-",
            ],
        ),
        ("t1", "part_of", &["d1 [1,-) 4-7 Superseded", "d1 [1,24) 7-", "d2 [24,-) 7-"]),
        ("t2", "part_of", &["d1 [12,-) 4-"]),
    ];
    for (subject, predicate, wanted) in cases {
        let request = proto::GetTimelineRequest {
            namespace: HOME.to_owned(),
            subject: subject.to_owned(),
            predicate: predicate.to_owned(),
            audit: true,
            ..Default::default()
        };
        let answer = server.facts.get_timeline(request).await.expect("an answer").into_inner();
        let rows = answer.rectangles.iter().map(|row| {
            let closed = row.tx_to.map(|tx| format!("{tx} {:?}", row.close_reason()));
            format!("{} {}-{}", bounded(row), row.tx_from, closed.unwrap_or_default())
        });
        let wanted = wanted.iter().map(|row| format!("{subject} {predicate} {row}"));
        assert_eq!(rows.collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
    }
    server.stop().await;
}

#[tokio::test]
async fn q05_q06_belief_histories() {
    let mut server = start().await;
    let cases: [(&str, &str, i64, &[(u64, &[&str])]); 2] = [
        ("d1", "head", 19, &[(1, &["d1 head ann"]), (6, &["d1 head cid"])]),
        ("bob", "member", 16, &[(1, &[]), (3, &["bob member t1"]), (5, &["bob member t2"])]),
    ];
    for (subject, predicate, valid, wanted) in cases {
        let request = proto::GetBeliefHistoryRequest {
            namespace: HOME.to_owned(),
            subject: subject.to_owned(),
            predicate: predicate.to_owned(),
            valid: at::valid(valid).expect("a point").valid,
            known: None,
        };
        let answer = server.facts.get_belief_history(request).await.expect("an answer");
        let beliefs = answer.into_inner().beliefs;
        let beliefs: Vec<_> =
            beliefs.iter().map(|held| (held.tx_from, sorted(&held.rectangles, words))).collect();
        let wanted: Vec<_> = wanted
            .iter()
            .map(|(tx, facts)| (*tx, facts.iter().map(ToString::to_string).collect::<Vec<_>>()))
            .collect();
        assert_eq!(beliefs, wanted, "{subject} {predicate} at {valid}");
    }
    server.stop().await;
}

#[tokio::test]
async fn q07_q08_facts_that_overlap_a_range() {
    let mut server = start().await;
    let stored = [
        "ann member t1 [5,22)",
        "bob member t2 [15,-)",
        "d1 head cid [18,20)",
        "t1 part_of d1 [1,24)",
        "t2 part_of d1 [12,-)",
    ];
    let clamped = stored.map(|row| format!("{} [18,20)", row.split(" [").next().expect("words")));
    for (clamp, wanted) in [(false, stored.map(str::to_owned)), (true, clamped)] {
        let request = proto::ListFactsRequest {
            namespace: HOME.to_owned(),
            overlapping: Some(proto::Range { from: op::instant(18), to: op::instant(20) }),
            as_of: Some(proto::AsOf { valid: None, known: at::tx(0, 7).expect("a basis").known }),
            clamp,
            ..Default::default()
        };
        let answer = server.facts.list_facts(request).await.expect("an answer").into_inner();
        assert_eq!(sorted(&answer.rectangles, bounded), wanted, "clamp {clamp}");
    }
    server.stop().await;
}

#[tokio::test]
async fn q09_q10_q11_diffs() {
    type Case = ((i64, u64), (i64, u64), &'static [&'static str], &'static [&'static str]);
    let mut server = start().await;
    // Per group, `part_of` of t1 changes too; asked for plain rows nothing is "changed".
    let cases: [Case; 3] = [
        ((16, 7), (24, 7), &["ann member t1"], &[]),
        ((16, 4), (16, 5), &["bob member t1"], &["bob member t2"]),
        ((16, 4), (24, 7), &["ann member t1", "bob member t1"], &["bob member t2"]),
    ];
    for (from, to, removed, added) in cases {
        let moved = from.0 != to.0;
        let mut request = proto::DiffFactsRequest {
            namespace: HOME.to_owned(),
            from: at::tx(from.0, from.1),
            to: at::tx(to.0, to.1),
            ..Default::default()
        };
        let answer = server.facts.diff_facts(request.clone()).await.expect("a diff").into_inner();
        assert_eq!(sorted(&answer.removed, words), removed, "{from:?} {to:?}");
        assert_eq!(sorted(&answer.added, words), added, "{from:?} {to:?}");
        let side = |row: &Option<proto::Rectangle>| words(row.as_ref().expect("both sides"));
        let changed = answer.changed.iter();
        let mut changed: Vec<_> =
            changed.map(|pair| (side(&pair.before), side(&pair.after))).collect();
        changed.sort();
        let pairs = [("d1 head ann", "d1 head bob"), ("t1 part_of d1", "t1 part_of d2")];
        let pairs = pairs.map(|(before, after)| (before.to_owned(), after.to_owned()));
        assert_eq!(changed, if moved { pairs.to_vec() } else { Vec::new() });
        request.plain_rows = true;
        let answer = server.facts.diff_facts(request).await.expect("a diff").into_inner();
        let (mut removed, mut added) = (removed.to_vec(), added.to_vec());
        if moved {
            removed.extend(["d1 head ann", "t1 part_of d1"]);
            added.extend(["d1 head bob", "t1 part_of d2"]);
        }
        assert_eq!(sorted(&answer.removed, words), removed);
        assert_eq!(sorted(&answer.added, words), added);
        assert!(answer.changed.is_empty());
    }
    server.stop().await;
}

#[tokio::test]
async fn q12_q13_q14_three_hops() {
    let mut server = start().await;
    let cases: [(&str, i64, u64, &[&str]); 6] = [
        ("ann", 16, 7, &["1 ann member t1", "2 t1 part_of d1", "3 d1 head ann"]),
        ("ann", 23, 6, &["1 ann member t1", "2 t1 part_of d1", "3 d1 head bob"]),
        ("ann", 23, 7, &[]),
        ("bob", 16, 4, &["1 bob member t1", "2 t1 part_of d1", "3 d1 head ann"]),
        ("bob", 16, 5, &["1 bob member t2", "2 t2 part_of d1", "3 d1 head ann"]),
        ("bob", 13, 7, &[]),
    ];
    for (start, valid, tx, wanted) in cases {
        let request = proto::TraverseRequest {
            namespace: HOME.to_owned(),
            start: start.to_owned(),
            hops: 3,
            as_of: at::tx(valid, tx),
            ..Default::default()
        };
        let answer = server.graph.traverse(request).await.expect("an answer").into_inner();
        let steps = answer.steps.iter();
        let steps = steps.map(|step| {
            format!("{} {}", step.hop, words(step.rectangle.as_ref().expect("a rectangle")))
        });
        assert_eq!(steps.collect::<Vec<_>>(), wanted, "{start} at ({valid},{tx})");
        assert!(!answer.truncated);
    }
    server.stop().await;
}

#[tokio::test]
async fn q15_paths_within_a_window_hold_at_one_instant() {
    let mut server = start().await;
    let request = proto::FindPathsRequest {
        namespace: HOME.to_owned(),
        start: "ann".to_owned(),
        hops: 2,
        mode: proto::PathMode::CommonInstant.into(),
        within: Some(proto::Range { from: op::instant(0), to: op::instant(30) }),
        as_of: at::tx(0, 7),
        ..Default::default()
    };
    let answer = server.graph.find_paths(request).await.expect("an answer").into_inner();
    let paths = answer.paths.iter().map(|path| {
        let steps = path.steps.iter().map(|step| step.rectangle.as_ref().expect("a rectangle"));
        let steps: Vec<_> = steps.map(words).collect();
        let common = (path.common_from, path.common_to);
        let (Some(from), Some(to)) = common else { panic!("bounds") };
        (steps.join(", "), from.unix_micros, to.unix_micros, path.simultaneous)
    });
    let wanted = [
        ("ann member t1".to_owned(), 5, 22, true),
        ("ann member t1, t1 part_of d1".to_owned(), 5, 22, true),
    ];
    assert_eq!(paths.collect::<Vec<_>>(), wanted);
    assert!(!answer.truncated);
    server.stop().await;
}

#[tokio::test]
async fn q16_a_transaction_to_come_is_clamped_to_the_last() {
    let mut server = start().await;
    let request = |tx| proto::ListFactsRequest {
        namespace: HOME.to_owned(),
        as_of: at::tx(16, tx),
        ..Default::default()
    };
    let clamped = server.facts.list_facts(request(99)).await.expect("an answer").into_inner();
    let basis = clamped.basis.expect("a basis");
    assert_eq!((basis.valid_time.map(|at| at.unix_micros), basis.tx), (Some(16), 7));
    assert_eq!(basis.tx_time.map(|at| at.unix_micros), Some(7));
    let last = server.facts.list_facts(request(7)).await.expect("an answer").into_inner();
    assert_eq!(clamped, last);
    server.stop().await;
}
