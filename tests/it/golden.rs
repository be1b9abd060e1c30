//! Every case of `golden.jsonl` through the running server.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value as Json;

use tenure::rpc::proto;
use tenure::rpc::proto::operation::Operation as Kind;

use crate::support::{Server, at, op, reason};

#[derive(Deserialize)]
struct Case {
    id: String,
    card: BTreeMap<String, String>,
    tx: Vec<Request>,
    rects: Vec<(String, String, String, Json, Json, i64, Json)>,
    asof: Vec<(i64, i64, Vec<String>)>,
}

#[derive(Deserialize)]
struct Request {
    clock: i64,
    ops: Vec<Op>,
    key: Option<String>,
    tx: Option<i64>,
    out: Option<Vec<String>>,
    refused: Option<String>,
    replayed: Option<i64>,
}

#[derive(Deserialize)]
struct Op {
    #[serde(rename = "op")]
    kind: String,
    #[serde(default)]
    s: String,
    #[serde(default)]
    p: String,
    #[serde(default)]
    o: String,
    from: Option<Json>,
    to: Option<Json>,
    at: Option<Json>,
    #[serde(default)]
    atleast: bool,
    #[serde(default)]
    correct: bool,
    #[serde(default)]
    block: bool,
    #[serde(default, rename = "override")]
    overrides: bool,
    card: Option<String>,
    #[serde(default)]
    dup: String,
    #[serde(default)]
    into: String,
}

fn bound(json: Option<&Json>) -> Option<proto::Bound> {
    match json? {
        Json::String(_) => op::unbounded(),
        number => op::instant(number.as_i64().expect("an integer")),
    }
}

fn operation(given: &Op) -> proto::Operation {
    let triple = op::triple(&given.s, &given.p, &given.o);
    let (from, to) = (bound(given.from.as_ref()), bound(given.to.as_ref()));
    op::of(match given.kind.as_str() {
        "assert" => Kind::Assert(proto::Assert {
            triple,
            from,
            to,
            at_least: given.atleast,
            r#override: given.overrides,
            ..Default::default()
        }),
        "end" => {
            Kind::End(proto::End { triple, at: bound(given.at.as_ref()), ..Default::default() })
        }
        "retract" => {
            let (correct, block) = (given.correct, given.block);
            Kind::Retract(proto::Retract { triple, from, to, correct, block, evidence: None })
        }
        "merge" => {
            let (duplicate, into) = (given.dup.clone(), given.into.clone());
            Kind::Merge(proto::Merge { duplicate, into })
        }
        "unmerge" => Kind::Unmerge(proto::Unmerge { duplicate: given.dup.clone() }),
        "declare" => return declaration(&given.p, given.card.as_deref().expect("a cardinality")),
        other => panic!("operation {other}"),
    })
}

fn declaration(predicate: &str, cardinality: &str) -> proto::Operation {
    let cardinality = match cardinality {
        "ONE" => proto::Cardinality::One,
        _ => proto::Cardinality::Many,
    };
    op::declare(predicate, cardinality)
}

async fn check(server: &mut Server, case: &Case) {
    server.create_namespace(&case.id).await;
    server.clock.set(0);
    let declarations = case.card.iter().map(|(p, card)| declaration(p, card)).collect();
    let request = proto::TransactRequest {
        namespace: case.id.clone(),
        operations: declarations,
        ..Default::default()
    };
    server.facts.transact(request).await.expect("declarations are accepted");
    for (place, request) in case.tx.iter().enumerate() {
        ask(server, &case.id, request, &format!("{} request {place}", case.id)).await;
    }
    assert_eq!(rectangles(server, case).await, wanted(case), "{}", case.id);
    for (valid, known, facts) in &case.asof {
        let request = proto::ListFactsRequest {
            namespace: case.id.clone(),
            as_of: at::times(*valid, *known),
            ..Default::default()
        };
        let answer = server.facts.list_facts(request).await.expect("an answer").into_inner();
        let held: BTreeSet<String> = answer.rectangles.iter().map(words).collect();
        assert_eq!(held, facts.iter().cloned().collect(), "{}: ({valid},{known})", case.id);
    }
    let request = proto::VerifyRequest { namespace: case.id.clone() };
    let verified = server.admin.verify(request).await.expect("an answer").into_inner();
    assert!(verified.clean, "{}: {:?}", case.id, verified.differences);
}

async fn ask(server: &mut Server, namespace: &str, request: &Request, place: &str) {
    server.clock.set(request.clock);
    let transact = proto::TransactRequest {
        namespace: namespace.to_owned(),
        request_id: request.key.clone().unwrap_or_default(),
        operations: request.ops.iter().map(operation).collect(),
        ..Default::default()
    };
    match server.facts.transact(transact).await {
        Ok(response) => {
            let response = response.into_inner();
            let time = response.tx_time.expect("a time").unix_micros;
            assert_eq!(Some(time), request.tx.or(request.replayed), "{place}");
            assert_eq!(response.replayed, request.replayed.is_some(), "{place}");
            if let Some(wanted) = &request.out {
                let outcomes =
                    response.outcomes.iter().map(|outcome| outcome.status().as_str_name());
                let outcomes: Vec<_> =
                    outcomes.map(|name| name.trim_start_matches("OUTCOME_STATUS_")).collect();
                assert_eq!(&outcomes, wanted, "{place}");
            }
        }
        Err(status) => assert_eq!(Some(reason(&status)), request.refused, "{place}: {status}"),
    }
}

type Row = (String, i64, i64, i64, i64);

/// Every rectangle ever, read by auditing each slot.
async fn rectangles(server: &mut Server, case: &Case) -> BTreeSet<Row> {
    let mut rows = BTreeSet::new();
    let slots: BTreeSet<(&String, &String)> = case.rects.iter().map(|(s, p, ..)| (s, p)).collect();
    for (subject, predicate) in slots {
        let request = proto::GetTimelineRequest {
            namespace: case.id.clone(),
            subject: subject.clone(),
            predicate: predicate.clone(),
            audit: true,
            page_size: 10_000,
            ..Default::default()
        };
        let answer = server.facts.get_timeline(request).await.expect("an answer").into_inner();
        rows.extend(answer.rectangles.iter().map(row));
    }
    rows
}

fn row(rectangle: &proto::Rectangle) -> Row {
    let micros = |at: Option<proto::Instant>| at.map(|at| at.unix_micros);
    (
        words(rectangle),
        micros(rectangle.valid_from).unwrap_or(i64::MIN),
        micros(rectangle.valid_to).unwrap_or(i64::MAX),
        micros(rectangle.tx_from_time).expect("a commit time"),
        micros(rectangle.tx_to_time).unwrap_or(i64::MAX),
    )
}

fn wanted(case: &Case) -> BTreeSet<Row> {
    let micros = |json: &Json| match json {
        Json::String(text) if text == "-inf" => i64::MIN,
        Json::String(_) => i64::MAX,
        number => number.as_i64().expect("an integer"),
    };
    let rows = case.rects.iter();
    rows.map(|(s, p, o, from, to, opened, closed)| {
        (format!("{s} {p} {o}"), micros(from), micros(to), *opened, micros(closed))
    })
    .collect()
}

fn words(rectangle: &proto::Rectangle) -> String {
    let object = rectangle.object.as_ref().and_then(|object| object.object.as_ref());
    let Some(proto::object::Object::Entity(object)) = object else { panic!("an entity") };
    format!("{} {} {object}", rectangle.subject, rectangle.predicate)
}

#[tokio::test]
async fn every_golden_case_holds_through_the_server() {
    let mut server = Server::start().await;
    let text = include_str!("../data/golden.jsonl");
    let cases: Vec<Case> =
        text.lines().map(|line| serde_json::from_str(line).expect("a golden case")).collect();
    assert_eq!(cases.len(), 55);
    for case in &cases {
        check(&mut server, case).await;
    }
    server.stop().await;
}
