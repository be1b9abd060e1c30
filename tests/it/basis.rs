//! Every read answers at one point of both times: the answer moves when the point does, agrees with
//! every other read at that point, and never changes afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use tenure::rpc::proto;

use crate::ask::{HOME, fact, held_in, snapshot, timeline, value, visible, words, write};
use crate::chance::{INSTANTS, Log, PREDICATES, SUBJECTS};
use crate::fixture;
use crate::support::{Server, at, op};

/// The reads that take a basis, and the answer of each as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Read {
    GetFact,
    ListFacts,
    BatchGetFacts,
    GetTimeline,
    GetBeliefHistory,
    DiffFacts,
    ExplainFact,
    ListConflicts,
    Traverse,
    FindPaths,
    GetEntity,
    ResolveEntity,
    ListEntities,
    ListPredicates,
}

/// Whom a read is about.
#[derive(Clone, Debug)]
struct About {
    subject: String,
    predicate: String,
    fact_id: String,
}

/// The answer as text, without the echo of the basis.
async fn answer(server: &mut Server, read: Read, about: &About, valid: i64, tx: u64) -> String {
    let namespace = HOME.to_owned();
    let About { subject, predicate, fact_id } = about.clone();
    let as_of = at::tx(valid, tx);
    let known = as_of.clone().and_then(|as_of| as_of.known);
    match read {
        Read::GetTimeline => {
            let request =
                proto::GetTimelineRequest { namespace, subject, predicate, known, ..defaults() };
            shown(server.facts.get_timeline(request).await, |answer| answer.basis = None)
        }
        Read::GetBeliefHistory => {
            let valid = as_of.and_then(|as_of| as_of.valid);
            let request =
                proto::GetBeliefHistoryRequest { namespace, subject, predicate, valid, known };
            shown(server.facts.get_belief_history(request).await, |answer| answer.basis = None)
        }
        Read::ListConflicts => {
            let request = proto::ListConflictsRequest { namespace, known, ..defaults() };
            shown(server.facts.list_conflicts(request).await, |answer| answer.basis = None)
        }
        Read::ResolveEntity => {
            let request = proto::ResolveEntityRequest { namespace, text: subject, known, limit: 0 };
            shown(server.graph.resolve_entity(request).await, |answer| answer.basis = None)
        }
        Read::ListEntities => {
            let request = proto::ListEntitiesRequest { namespace, known, ..defaults() };
            shown(server.graph.list_entities(request).await, |answer| answer.basis = None)
        }
        Read::ListPredicates => {
            let request = proto::ListPredicatesRequest { namespace, known, ..defaults() };
            shown(server.graph.list_predicates(request).await, |answer| answer.basis = None)
        }
        Read::GetFact => {
            let request = proto::GetFactRequest { namespace, fact_id, as_of };
            shown(server.facts.get_fact(request).await, |answer| answer.basis = None)
        }
        _ => graph_answer(server, read, about, as_of).await,
    }
}

async fn graph_answer(
    server: &mut Server,
    read: Read,
    about: &About,
    as_of: Option<proto::AsOf>,
) -> String {
    let namespace = HOME.to_owned();
    let About { subject, fact_id, .. } = about.clone();
    match read {
        Read::ListFacts => {
            let request = proto::ListFactsRequest { namespace, as_of, ..defaults() };
            shown(server.facts.list_facts(request).await, |answer| answer.basis = None)
        }
        Read::BatchGetFacts => {
            let pattern = proto::FactPattern { subject, ..defaults() };
            let patterns = vec![pattern, proto::FactPattern::default()];
            let request = proto::BatchGetFactsRequest { namespace, patterns, as_of, limit: 0 };
            shown(server.facts.batch_get_facts(request).await, |answer| answer.basis = None)
        }
        Read::DiffFacts => {
            let (from, to) = (at::tx(16, 2), as_of);
            let request = proto::DiffFactsRequest { namespace, from, to, ..defaults() };
            shown(server.facts.diff_facts(request).await, |answer| {
                (answer.from_basis, answer.to_basis) = (None, None);
            })
        }
        Read::ExplainFact => {
            let request = proto::ExplainFactRequest { namespace, fact_id, as_of };
            shown(server.facts.explain_fact(request).await, |answer| answer.basis = None)
        }
        Read::Traverse => {
            let request =
                proto::TraverseRequest { namespace, start: subject, hops: 3, as_of, ..defaults() };
            shown(server.graph.traverse(request).await, |answer| answer.basis = None)
        }
        Read::FindPaths => {
            let request =
                proto::FindPathsRequest { namespace, start: subject, as_of, ..defaults() };
            shown(server.graph.find_paths(request).await, |answer| answer.basis = None)
        }
        Read::GetEntity => {
            let request = proto::GetEntityRequest { namespace, name: subject, as_of, limit: 0 };
            shown(server.graph.get_entity(request).await, |answer| answer.basis = None)
        }
        other => panic!("{other:?} is asked elsewhere"),
    }
}

fn defaults<T: Default>() -> T {
    T::default()
}

fn shown<T: Debug>(
    answer: Result<tonic::Response<T>, tonic::Status>,
    strip: impl FnOnce(&mut T),
) -> String {
    let mut answer = answer.expect("an answer").into_inner();
    strip(&mut answer);
    format!("{answer:?}")
}

/// The id of a fact that is visible at a basis.
async fn fact_id(server: &mut Server, fact: &str, valid: i64, tx: u64) -> String {
    let as_of = at::tx(valid, tx);
    let request = proto::ListFactsRequest { namespace: HOME.to_owned(), as_of, ..defaults() };
    let rows = server.facts.list_facts(request).await.expect("an answer").into_inner().rectangles;
    rows.iter().find(|row| words(row) == fact).expect("it is visible").fact_id.clone()
}

async fn about(server: &mut Server, fact: &str, valid: i64, tx: u64) -> About {
    let fact_id = fact_id(server, fact, valid, tx).await;
    let mut parts = fact.split(' ').map(str::to_owned);
    let mut part = || parts.next().expect("three words");
    About { subject: part(), predicate: part(), fact_id }
}

#[tokio::test]
async fn r33_the_answer_moves_with_either_basis_when_the_fixture_says_so() {
    let mut server = Server::start().await;
    fixture::load(&mut server).await;
    let ann = about(&mut server, "ann member t1", 16, 7).await;
    let bob = about(&mut server, "bob member t1", 16, 4).await;
    let head = about(&mut server, "d1 head ann", 16, 7).await;
    // A read, a point, the same point moved in valid time only, and in transaction time only;
    // `None` where the read does not have that time.
    type Case<'a> = (Read, &'a About, (i64, u64), Option<i64>, Option<u64>);
    let cases: [Case<'_>; 13] = [
        (Read::GetFact, &ann, (23, 6), Some(25), Some(7)),
        (Read::GetFact, &bob, (16, 4), Some(14), Some(5)),
        (Read::ListFacts, &ann, (23, 6), Some(16), Some(7)),
        (Read::ListFacts, &ann, (16, 4), Some(23), Some(5)),
        (Read::BatchGetFacts, &bob, (16, 4), Some(14), Some(5)),
        (Read::GetTimeline, &head, (16, 5), None, Some(6)),
        (Read::GetBeliefHistory, &head, (19, 7), Some(16), Some(5)),
        (Read::DiffFacts, &head, (16, 5), Some(23), Some(4)),
        (Read::ExplainFact, &ann, (23, 6), Some(25), Some(7)),
        (Read::Traverse, &ann, (23, 6), Some(16), Some(7)),
        (Read::Traverse, &bob, (16, 4), Some(13), Some(5)),
        (Read::FindPaths, &ann, (23, 6), Some(16), Some(7)),
        (Read::GetEntity, &bob, (16, 4), Some(13), Some(5)),
    ];
    for (read, about, (valid, tx), other_valid, other_tx) in cases {
        let here = answer(&mut server, read, about, valid, tx).await;
        let again = answer(&mut server, read, about, valid, tx).await;
        assert_eq!(here, again, "{read:?}");
        if let Some(other) = other_valid {
            let there = answer(&mut server, read, about, other, tx).await;
            assert_ne!(here, there, "{read:?} {about:?}: valid {valid} and {other} at tx {tx}");
        }
        if let Some(other) = other_tx {
            let there = answer(&mut server, read, about, valid, other).await;
            assert_ne!(here, there, "{read:?} {about:?}: tx {tx} and {other} at valid {valid}");
        }
    }
    for read in [Read::ListEntities] {
        let early = answer(&mut server, read, &ann, 16, 1).await;
        assert_ne!(early, answer(&mut server, read, &ann, 16, 7).await, "{read:?}");
    }
    // Between the instants and transactions where something happens, nothing moves.
    for (valid, tx) in [(16, 7), (17, 7), (16, 5)] {
        let facts = snapshot(&mut server, valid, tx).await;
        assert_eq!(facts, snapshot(&mut server, 16, 5).await, "({valid},{tx})");
    }
    server.stop().await;
}

#[tokio::test]
async fn r33_conflicts_are_those_of_the_known_time() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![op::one("price"), fact("part", "price", "ten", 5, None)]).await;
    write(&mut server, 2, vec![fact("part", "price", "twelve", 5, None)]).await;
    write(&mut server, 3, vec![op::retract("part", "price", "ten")]).await;
    let part = about(&mut server, "part price ten", 5, 1).await;
    let mut listed = Vec::new();
    for tx in 0..=3 {
        listed.push(answer(&mut server, Read::ListConflicts, &part, 5, tx).await);
    }
    assert_eq!((&listed[0], &listed[0]), (&listed[1], &listed[3]));
    assert_ne!(listed[1], listed[2]);
    server.stop().await;
}

/// What a predicate points at, and which names there are, is told as of the known time too.
#[tokio::test]
async fn names_are_those_of_the_known_time() {
    let mut server = Server::start().await;
    let three = proto::value::Value::Integer(3);
    write(&mut server, 1, vec![op::one("size"), fact("ann", "knows", "bob", 0, None)]).await;
    let zed = About { subject: "zed".to_owned(), predicate: String::new(), fact_id: String::new() };
    let mut before = Vec::new();
    for read in [Read::ListPredicates, Read::ListEntities, Read::ResolveEntity] {
        before.push((read, answer(&mut server, read, &zed, 0, 1).await));
    }
    write(&mut server, 2, vec![value("zed", "size", three, 0)]).await;
    for (read, wanted) in before {
        assert_eq!(answer(&mut server, read, &zed, 0, 1).await, wanted, "{read:?}");
        assert_ne!(answer(&mut server, read, &zed, 0, 2).await, wanted, "{read:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_text_resolves_to_as_many_names_as_are_asked_for() {
    let mut server = Server::start().await;
    let names = ["ann lee", "ann", "lee"].map(|name| fact(name, "knows", "bob", 0, None));
    write(&mut server, 1, names.to_vec()).await;
    for (text, limit, wanted) in [
        ("Ann  LEE", 1, vec!["ann lee"]),
        ("Ann LEE", 2, vec!["ann lee", "ann"]),
        ("Ann LEE", 0, vec!["ann lee", "ann", "lee"]),
        ("does lee know ann?", 1, vec!["lee"]),
    ] {
        let (namespace, text) = (HOME.to_owned(), text.to_owned());
        let request = proto::ResolveEntityRequest { namespace, text, known: None, limit };
        let answer = server.graph.resolve_entity(request).await.expect("an answer").into_inner();
        let found: Vec<_> = answer.entities.iter().map(|entity| entity.name.as_str()).collect();
        assert_eq!(found, wanted, "limit {limit}");
    }
    server.stop().await;
}

const READS: [Read; 14] = [
    Read::GetFact,
    Read::ListFacts,
    Read::BatchGetFacts,
    Read::GetTimeline,
    Read::GetBeliefHistory,
    Read::DiffFacts,
    Read::ExplainFact,
    Read::ListConflicts,
    Read::Traverse,
    Read::FindPaths,
    Read::GetEntity,
    Read::ResolveEntity,
    Read::ListEntities,
    Read::ListPredicates,
];

#[tokio::test]
async fn an_answer_at_a_basis_stays_the_same_for_ever() {
    for seed in [1, 2, 3] {
        let mut server = Server::start().await;
        let mut log = Log::new(seed);
        log.begin(&mut server, HOME).await;
        let first = vec![fact("ann", "member", "bob", 0, 9), fact("bob", "member", "cid", 2, 12)];
        write(&mut server, 2, first).await;
        let member = about(&mut server, "ann member bob", 3, 2).await;
        let head = About { predicate: "head".to_owned(), ..member.clone() };
        let mut before: BTreeMap<(Read, &str, i64, u64), String> = BTreeMap::new();
        let mut tx = 2;
        for clock in 3..22 {
            for (read, valid) in READS.into_iter().flat_map(|read| [(read, 4), (read, 11)]) {
                for about in [&member, &head] {
                    let answer = answer(&mut server, read, about, valid, tx).await;
                    before.insert((read, about.predicate.as_str(), valid, tx), answer);
                }
            }
            tx = log.step(&mut server, HOME, clock).await;
        }
        for ((read, predicate, valid, tx), wanted) in before {
            let about = if predicate == "head" { &head } else { &member };
            let now = answer(&mut server, read, about, valid, tx).await;
            assert_eq!(now, wanted, "seed {seed}: {read:?} {predicate} at ({valid},{tx})");
        }
        server.stop().await;
    }
}

/// Point lookup, listing, timeline, diff and traversal say the same about one basis.
async fn agree(server: &mut Server, valid: i64, tx: u64, ids: &mut BTreeMap<String, String>) {
    let (namespace, as_of) = (HOME.to_owned(), at::tx(valid, tx));
    let request = proto::ListFactsRequest {
        namespace,
        as_of: as_of.clone(),
        page_size: 10_000,
        ..defaults()
    };
    let answer = server.facts.list_facts(request).await.expect("an answer").into_inner();
    let basis = answer.basis.expect("a basis");
    assert!(answer.rectangles.iter().all(|row| visible(row, &basis)), "({valid},{tx})");
    let listed: BTreeSet<String> = answer.rectangles.iter().map(words).collect();
    assert_eq!(listed.len(), answer.rectangles.len(), "a fact is visible once");
    for row in &answer.rectangles {
        ids.insert(row.fact_id.clone(), words(row));
    }
    for (fact_id, fact) in ids.iter() {
        let (namespace, fact_id) = (HOME.to_owned(), fact_id.clone());
        let request = proto::GetFactRequest { namespace, fact_id, as_of: as_of.clone() };
        let point = server.facts.get_fact(request).await.expect("an answer").into_inner();
        // A fact of a merged entity is read under what it counts as at the basis.
        let shown = point.rectangle.as_ref().map(words);
        let agrees = shown.as_ref().map_or(!listed.contains(fact), |shown| listed.contains(shown));
        assert!(agrees, "{fact} ({valid},{tx}): {shown:?}");
    }
    let mut walked = BTreeSet::new();
    let mut drawn = BTreeSet::new();
    for subject in SUBJECTS {
        for predicate in PREDICATES {
            drawn.extend(drawn_at(server, subject, predicate, valid, tx).await);
        }
        let (namespace, start) = (HOME.to_owned(), subject.to_owned());
        let request =
            proto::TraverseRequest { namespace, start, as_of: as_of.clone(), ..defaults() };
        let Ok(answer) = server.graph.traverse(request).await else { continue };
        let steps = answer.into_inner().steps.into_iter();
        let rows: Vec<_> = steps.map(|step| step.rectangle.expect("a rectangle")).collect();
        assert!(rows.iter().all(|row| visible(row, &basis)), "{subject} ({valid},{tx})");
        walked.extend(rows.iter().map(words));
    }
    assert_eq!(drawn, listed, "timelines at ({valid},{tx})");
    assert_eq!(walked, listed, "traversals at ({valid},{tx})");
}

async fn drawn_at(
    server: &mut Server,
    subject: &str,
    predicate: &str,
    valid: i64,
    tx: u64,
) -> Vec<String> {
    let request = proto::GetTimelineRequest {
        namespace: HOME.to_owned(),
        subject: subject.to_owned(),
        predicate: predicate.to_owned(),
        known: at::tx(valid, tx).and_then(|as_of| as_of.known),
        page_size: 10_000,
        ..defaults()
    };
    let answer = server.facts.get_timeline(request).await.expect("an answer").into_inner();
    let basis = proto::Basis {
        valid_time: Some(proto::Instant { unix_micros: valid }),
        tx,
        tx_time: None,
        erased: false,
    };
    answer.rectangles.iter().filter(|row| visible(row, &basis)).map(words).collect()
}

#[tokio::test]
async fn i16_all_reads_agree_at_every_basis() {
    for seed in [11, 12, 13] {
        let mut server = Server::start().await;
        let mut log = Log::new(seed);
        log.begin(&mut server, HOME).await;
        for clock in 2..=20 {
            log.step(&mut server, HOME, clock).await;
        }
        let mut ids = BTreeMap::new();
        for tx in 0..=20 {
            for valid in (-1..=i64::try_from(INSTANTS).expect("small")).step_by(2) {
                agree(&mut server, valid, tx, &mut ids).await;
            }
        }
        differences(&mut server).await;
        crate::ask::verify(&mut server, HOME).await;
        server.stop().await;
    }
}

/// A diff is the difference of two listings.
async fn differences(server: &mut Server) {
    let points = [(3, 4_u64), (3, 20), (12, 20), (7, 11)];
    for (from, to) in points.iter().flat_map(|from| points.iter().map(move |to| (*from, *to))) {
        let before: BTreeSet<_> = snapshot(server, from.0, from.1).await.into_iter().collect();
        let after: BTreeSet<_> = snapshot(server, to.0, to.1).await.into_iter().collect();
        let request = proto::DiffFactsRequest {
            namespace: HOME.to_owned(),
            from: at::tx(from.0, from.1),
            to: at::tx(to.0, to.1),
            plain_rows: true,
            page_size: 10_000,
            ..defaults()
        };
        let diff = server.facts.diff_facts(request).await.expect("a diff").into_inner();
        let side = |rows: &[proto::Rectangle]| rows.iter().map(words).collect::<BTreeSet<_>>();
        let gone: BTreeSet<_> = before.difference(&after).cloned().collect();
        let come: BTreeSet<_> = after.difference(&before).cloned().collect();
        assert_eq!((side(&diff.removed), side(&diff.added)), (gone, come), "{from:?} {to:?}");
    }
}

#[tokio::test]
async fn the_echoed_basis_repeats_the_answer() {
    let mut server = Server::start().await;
    fixture::load(&mut server).await;
    server.clock.set(17);
    let request = proto::ListFactsRequest { namespace: HOME.to_owned(), ..defaults() };
    let first = server.facts.list_facts(request).await.expect("an answer").into_inner();
    let basis = first.basis.expect("a basis");
    write(&mut server, 40, vec![fact("x", "member", "y", 0, None)]).await;
    let valid = basis.valid_time.expect("a valid time").unix_micros;
    assert_eq!((valid, basis.tx), (17, 7));
    let again = held_in(&mut server, HOME, at::tx(valid, basis.tx)).await;
    assert_eq!(
        again,
        first.rectangles.iter().map(words).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    );
    assert_eq!(timeline(&mut server, "x", "member", Some(basis.tx)).await, Vec::<String>::new());
    server.stop().await;
}
