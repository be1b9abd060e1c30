//! What a server must refuse: with a code, a stable reason, every broken rule at once, and no trace.

use std::collections::{BTreeMap, BTreeSet};

use prost::Message;
use prost_types::FileDescriptorSet;
use tonic::{Code, Status};

use tenure::rpc::proto;
use tenure::rpc::proto::operation::Operation as Kind;
use tenure::types::limits::NAME_BYTES_MAX;

use crate::ask::{
    HOME, fact, held, refused, request, snapshot, statistics, statuses, value, violations, write,
};
use crate::support::{Server, at, op, reason};

pub(crate) async fn start() -> Server {
    let mut server = Server::start().await;
    let operations = vec![
        op::one("head"),
        fact("d1", "head", "ann", 10, None),
        value("d1", "born", proto::value::Value::Integer(1960), 0),
    ];
    write(&mut server, 1, operations).await;
    server
}

/// A refusal: the first reason, and every broken rule with its field.
pub(crate) struct Refusal {
    code: Code,
    reason: &'static str,
    fields: &'static [(&'static str, &'static str)],
}

pub(crate) const fn invalid(
    reason: &'static str,
    fields: &'static [(&'static str, &'static str)],
) -> Refusal {
    Refusal { code: Code::InvalidArgument, reason, fields }
}

#[track_caller]
pub(crate) fn check(case: &str, status: &Status, refusal: &Refusal) {
    assert_eq!((status.code(), reason(status).as_str()), (refusal.code, refusal.reason), "{case}");
    let told = violations(status);
    let told: Vec<_> =
        told.iter().map(|(field, reason)| (field.as_str(), reason.as_str())).collect();
    assert_eq!(told, refusal.fields, "{case}");
}

/// A write that is refused, and leaves everything as it was.
pub(crate) async fn refuse(
    server: &mut Server,
    case: &str,
    ops: Vec<proto::Operation>,
    refusal: &Refusal,
) {
    let before = (statistics(server).await, held(server, at::valid(15)).await);
    let status = server.facts.transact(request(ops)).await.expect_err(case);
    check(case, &status, refusal);
    assert_eq!((statistics(server).await, held(server, at::valid(15)).await), before, "{case}");
}

pub(crate) fn dated(from: &str, to: Option<&str>) -> proto::Operation {
    op::assert("d1", "head", "bob", op::date(from), to.and_then(op::date))
}

pub(crate) fn with(change: impl FnOnce(&mut proto::Assert)) -> proto::Operation {
    let mut assert =
        proto::Assert { triple: op::triple("d1", "head", "bob"), ..Default::default() };
    change(&mut assert);
    op::of(Kind::Assert(assert))
}

fn civil(text: &str) -> Option<proto::CivilDate> {
    Some(proto::CivilDate { text: text.to_owned(), ..Default::default() })
}

pub(crate) const FROM: &str = "operations[0].assert.from";
const TO: &str = "operations[0].assert.to";

#[tokio::test]
async fn t10_r20_r21_c25_n16_bounds_that_are_none() {
    let mut server = start().await;
    let empty = invalid("EMPTY_INTERVAL", &[(TO, "EMPTY_INTERVAL")]);
    let inverted = invalid("INVERTED_INTERVAL", &[(TO, "INVERTED_INTERVAL")]);
    let date = invalid("DATE_INVALID", &[(FROM, "DATE_INVALID")]);
    let zone = invalid("ZONE_MISSING", &[(FROM, "ZONE_MISSING")]);
    let through = "operations[0].assert.through";
    let cases = [
        (fact("d1", "head", "bob", 5, 5), &empty),
        (fact("d1", "head", "bob", 9, 5), &inverted),
        (dated("2025", Some("2020")), &inverted),
        (dated("2025", Some("2025")), &empty),
        (dated("2024", Some("2024-01-01")), &empty),
        (dated("2026-13-40", None), &date),
        (dated("2025-02-30", None), &date),
        (dated("2023-02-29", None), &date),
        (dated("1700000000", None), &date),
        (dated("1700000000.0", None), &date),
        (dated("20250101", None), &date),
        (dated("2016-12-31T23:59:60Z", None), &date),
        (dated("2025-01-01T24:00Z", None), &date),
        (dated("yesterday", None), &date),
        (dated("2025-01-01T10:00", None), &zone),
        (op::assert("d1", "head", "bob", op::instant(i64::MIN), None), &date),
        (op::assert("d1", "head", "bob", op::instant(i64::MAX), None), &date),
    ];
    for (operation, refusal) in cases {
        let case = format!("{operation:?}");
        refuse(&mut server, &case, vec![operation], refusal).await;
    }
    let both = with(|assert| (assert.to, assert.through) = (op::date("2025"), civil("2025")));
    let malformed = Refusal {
        code: Code::InvalidArgument,
        reason: "MALFORMED_FIELD",
        fields: &[("operations[0].assert.through", "MALFORMED_FIELD")],
    };
    refuse(&mut server, through, vec![both], &malformed).await;
    let nothing_back = held(&mut server, at::valid(2_678_400_000_000)).await;
    assert!(nothing_back.iter().all(|fact| !fact.contains("bob")));
    server.stop().await;
}

#[tokio::test]
async fn what_is_not_where_it_must_be_or_not_what_it_must_be() {
    let mut server = start().await;
    let missing = |fields| invalid("MISSING_FIELD", fields);
    let malformed = |fields| invalid("MALFORMED_FIELD", fields);
    let end = op::end("d1", "head", "ann", op::unbounded());
    let empty_bound = Some(proto::Bound::default());
    let blank = |s, p, o| op::assert(s, p, o, None, None);
    let cases = [
        (end, malformed(&[("operations[0].end.at", "MALFORMED_FIELD")])),
        (op::assert("d1", "head", "x", empty_bound, None), malformed(&[(FROM, "MALFORMED_FIELD")])),
        (proto::Operation::default(), missing(&[("operations[0]", "MISSING_FIELD")])),
        (
            blank("", "", ""),
            missing(&[
                ("operations[0].assert.triple.subject", "MISSING_FIELD"),
                ("operations[0].assert.triple.predicate", "MISSING_FIELD"),
                ("operations[0].assert.triple.object.entity", "MISSING_FIELD"),
            ]),
        ),
        (
            blank(" ", "\u{3000}", "\t"),
            invalid(
                "NAME_BLANK",
                &[
                    ("operations[0].assert.triple.subject", "NAME_BLANK"),
                    ("operations[0].assert.triple.predicate", "NAME_BLANK"),
                    ("operations[0].assert.triple.object.entity", "NAME_BLANK"),
                ],
            ),
        ),
        (
            blank("a\u{7}b", "head", "ann"),
            malformed(&[("operations[0].assert.triple.subject", "MALFORMED_FIELD")]),
        ),
        (with(|assert| assert.at_least = true), missing(&[(TO, "MISSING_FIELD")])),
        (
            with(|assert| (assert.at, assert.from) = (civil("2024"), op::date("2024"))),
            malformed(&[("operations[0].assert.at", "MALFORMED_FIELD")]),
        ),
    ];
    for (operation, refusal) in cases {
        let case = format!("{operation:?}");
        refuse(&mut server, &case, vec![operation], &refusal).await;
    }
    let nothing = missing(&[("operations", "MISSING_FIELD")]);
    refuse(&mut server, "no operations", Vec::new(), &nothing).await;
    server.stop().await;
}

#[tokio::test]
async fn numbers_that_are_none() {
    let mut server = start().await;
    let confidence = "operations[0].assert.evidence.confidence";
    for bad in [f32::NAN, f32::INFINITY, -0.1, 1.5] {
        let evidence = proto::Evidence { confidence: Some(bad), ..Default::default() };
        let operation = with(|assert| assert.evidence = Some(evidence));
        let status = server.facts.transact(request(vec![operation.clone()])).await;
        let told = violations(&status.expect_err("no confidence"));
        assert_eq!(told, [(confidence.to_owned(), "NUMBER_INVALID".to_owned())]);
        let fields = &[("operations[0].assert.evidence.confidence", "NUMBER_INVALID")];
        let refusal = invalid("NUMBER_INVALID", fields);
        refuse(&mut server, "a confidence", vec![operation], &refusal).await;
    }
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let operation = value("d1", "born", proto::value::Value::Number(bad), 0);
        let fields = &[("operations[0].assert.triple.object.value", "NUMBER_INVALID")];
        refuse(&mut server, "a number", vec![operation], &invalid("NUMBER_INVALID", fields)).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn everything_wrong_is_told_at_once() {
    let mut server = start().await;
    let evidence = proto::Evidence {
        confidence: Some(2.0),
        source: "s".repeat(NAME_BYTES_MAX + 1),
        derived_from_ids: vec!["x".to_owned(), "1.0".to_owned(), "y".to_owned()],
        ..Default::default()
    };
    let first = with(|assert| {
        assert.triple = op::triple(" ", "head", "");
        assert.from = op::date("2025-02-30");
        assert.evidence = Some(evidence);
    });
    let operations = vec![first, fact("a", "head", "b", 1, 2), fact("d1", "head", "bob", 9, 5)];
    let fields = &[
        ("operations[0].assert.triple.object.entity", "MISSING_FIELD"),
        ("operations[0].assert.evidence.derived_from_ids[0]", "MALFORMED_FIELD"),
        ("operations[0].assert.evidence.derived_from_ids[2]", "MALFORMED_FIELD"),
        ("operations[0].assert.triple.subject", "NAME_BLANK"),
        ("operations[0].assert.evidence.source", "STRING_TOO_LONG"),
        ("operations[0].assert.from", "DATE_INVALID"),
        ("operations[0].assert.evidence.confidence", "NUMBER_INVALID"),
        ("operations[2].assert.to", "INVERTED_INTERVAL"),
    ];
    refuse(&mut server, "all at once", operations, &invalid("MISSING_FIELD", fields)).await;
    // The rules that depend on what is stored, too.
    let operations = vec![
        fact("d1", "born", "x", 1, None),
        value("d1", "head", proto::value::Value::Boolean(true), 1),
        crate::ask::withdraw("nobody"),
        crate::ask::merge("no one", "ann"),
        crate::ask::accept("77.0", proto::Trust::Stated),
        crate::ask::unmerge("ann"),
    ];
    let status = server.facts.transact(request(operations)).await.expect_err("all of them");
    let reasons: Vec<String> = violations(&status).into_iter().map(|(_, reason)| reason).collect();
    assert_eq!(
        reasons,
        [
            "PREDICATE_CLASH",
            "PREDICATE_CLASH",
            "ENTITY_UNKNOWN",
            "SOURCE_UNKNOWN",
            "STATEMENT_UNKNOWN",
            "NOT_MERGED"
        ]
    );
    assert_eq!(
        (status.code(), reason(&status).as_str()),
        (Code::FailedPrecondition, "PREDICATE_CLASH")
    );
    server.stop().await;
}

/// C29. A reason is all there is to be had of a namespace that nobody made.
#[tokio::test]
async fn c29_no_call_makes_a_namespace() {
    let mut server = start().await;
    let (mut facts, mut graph, mut admin) =
        (server.facts.clone(), server.graph.clone(), server.admin.clone());
    let namespace = || "nowhere".to_owned();
    let name = || "ann".to_owned();
    let fact_id = || "e0-p0-e0".to_owned();
    macro_rules! ask {
        ($client:ident.$call:ident, $request:ident { $($field:ident: $value:expr),* }) => {{
            let request = proto::$request { namespace: namespace(), $($field: $value,)* ..Default::default() };
            refused($client.$call(request).await)
        }};
    }
    let told = [
        ask!(facts.transact, TransactRequest { operations: vec![fact("a", "p", "b", 0, None)] }),
        ask!(facts.get_fact, GetFactRequest { fact_id: fact_id() }),
        ask!(facts.list_facts, ListFactsRequest {}),
        ask!(facts.batch_get_facts, BatchGetFactsRequest {}),
        ask!(facts.get_timeline, GetTimelineRequest { subject: name(), predicate: name() }),
        ask!(
            facts.get_belief_history,
            GetBeliefHistoryRequest { subject: name(), predicate: name() }
        ),
        ask!(facts.diff_facts, DiffFactsRequest {}),
        ask!(facts.explain_fact, ExplainFactRequest { fact_id: fact_id() }),
        ask!(facts.list_conflicts, ListConflictsRequest {}),
        ask!(facts.export_facts, ExportFactsRequest {}),
        ask!(facts.watch_facts, WatchFactsRequest {}),
        ask!(graph.traverse, TraverseRequest { start: name() }),
        ask!(graph.find_paths, FindPathsRequest { start: name() }),
        ask!(graph.get_entity, GetEntityRequest { name: name() }),
        ask!(graph.resolve_entity, ResolveEntityRequest { text: name() }),
        ask!(graph.list_entities, ListEntitiesRequest {}),
        ask!(graph.list_predicates, ListPredicatesRequest {}),
        ask!(admin.get_statistics, GetStatisticsRequest {}),
        ask!(admin.verify, VerifyRequest {}),
        ask!(admin.backup, BackupRequest {}),
    ];
    for (place, told) in told.into_iter().enumerate() {
        assert_eq!(told, (Code::NotFound, "NAMESPACE_UNKNOWN".to_owned()), "call {place}");
    }
    let list = server.admin.list_namespaces(proto::ListNamespacesRequest::default()).await;
    assert_eq!(list.expect("a list").into_inner().namespaces.len(), 1);
    for blank in [" ", "\t", ""] {
        let request = proto::ListFactsRequest { namespace: blank.to_owned(), ..Default::default() };
        let (code, reason) = refused(server.facts.list_facts(request).await);
        let wanted = if blank.is_empty() { "MISSING_FIELD" } else { "NAME_BLANK" };
        assert_eq!((code, reason.as_str()), (Code::InvalidArgument, wanted), "{blank:?}");
    }
    drop((facts, graph, admin));
    server.stop().await;
}

#[tokio::test]
async fn a_key_is_used_for_one_body() {
    let mut server = start().await;
    let keyed = |ops| proto::TransactRequest { request_id: "k1".to_owned(), ..request(ops) };
    let first = vec![fact("a", "knows", "b", 1, None)];
    server.facts.transact(keyed(first)).await.expect("a new key");
    let before = statistics(&mut server).await;
    let status = server.facts.transact(keyed(vec![fact("a", "knows", "c", 1, None)])).await;
    let status = status.expect_err("another body");
    let refusal = Refusal { code: Code::FailedPrecondition, reason: "KEY_REUSED", fields: &[] };
    check("another body", &status, &refusal);
    assert_eq!(statistics(&mut server).await, before);
    server.stop().await;
}

#[tokio::test]
async fn a_predicate_points_at_one_kind_of_thing() {
    let mut server = start().await;
    let clash =
        |fields| Refusal { code: Code::FailedPrecondition, reason: "PREDICATE_CLASH", fields };
    let entity = vec![fact("d1", "born", "x", 1, None)];
    let status = server.facts.transact(request(entity)).await.expect_err("a clash");
    let fields = &[("operations[0].assert.triple.object", "PREDICATE_CLASH")];
    check("an entity for a value", &status, &clash(fields));
    let new = proto::Supersede {
        subject: "d1".to_owned(),
        predicate: "born".to_owned(),
        new_object: Some(op::entity("x")),
        ..Default::default()
    };
    let new = proto::Operation { operation: Some(Kind::Supersede(new)) };
    let status = server.facts.transact(request(vec![new])).await.expect_err("a clash");
    let fields = &[("operations[0].supersede.new_object", "PREDICATE_CLASH")];
    check("a new object", &status, &clash(fields));
    let twice = vec![op::one("p"), op::declare("p", proto::Cardinality::Many)];
    let before = statistics(&mut server).await;
    let status = server.facts.transact(request(twice)).await.expect_err("two ways");
    assert_eq!(reason(&status), clash(&[]).reason);
    assert_eq!(status.code(), clash(&[]).code);
    assert_eq!(statistics(&mut server).await, before);
    let same_start = vec![fact("d2", "head", "x", 1, None), fact("d2", "head", "y", 1, None)];
    let status = server.facts.transact(request(same_start)).await.expect_err("T2");
    assert_eq!(
        (status.code(), reason(&status).as_str()),
        (Code::InvalidArgument, "CONFLICT_IN_REQUEST")
    );
    assert_eq!(statistics(&mut server).await, before);
    server.stop().await;
}

#[tokio::test]
async fn page_tokens_are_of_one_query_and_not_made_up() {
    let mut server = start().await;
    write(&mut server, 2, vec![fact("a", "knows", "b", 1, None), fact("a", "knows", "c", 1, None)])
        .await;
    let ask = |subject: &str, page_token: &str| proto::ListFactsRequest {
        namespace: HOME.to_owned(),
        pattern: Some(proto::FactPattern { subject: subject.to_owned(), ..Default::default() }),
        page_size: 1,
        page_token: page_token.to_owned(),
        ..Default::default()
    };
    let first = server.facts.list_facts(ask("a", "")).await.expect("a page").into_inner();
    let token = first.next_page_token;
    assert!(server.facts.list_facts(ask("a", &token)).await.is_ok());
    let long = "0.".repeat(5_000);
    let cut = &token[1..];
    let cases = [("d1", token.as_str()), ("a", "x"), ("a", "1.2.3"), ("a", cut), ("a", &long)];
    for (subject, token) in cases {
        let status = server.facts.list_facts(ask(subject, token)).await.expect_err("a forgery");
        let told = (status.code(), reason(&status));
        assert_eq!(told, (Code::InvalidArgument, "INVALID_PAGE_TOKEN".to_owned()), "{token}");
    }
    let request = proto::GetTimelineRequest {
        namespace: HOME.to_owned(),
        subject: "a".to_owned(),
        predicate: "knows".to_owned(),
        page_token: token,
        ..Default::default()
    };
    let status = server.facts.get_timeline(request).await.expect_err("another call");
    assert_eq!(reason(&status), "INVALID_PAGE_TOKEN");
    server.stop().await;
}

#[tokio::test]
async fn r37_a_refused_request_takes_no_number() {
    let mut server = start().await;
    let good = |object| vec![fact("a", "knows", object, 1, None)];
    assert_eq!(write(&mut server, 5, good("b")).await.tx, 2);
    let bad = vec![fact("new", "fresh", "one", 1, None), fact("a", "knows", "c", 9, 5)];
    let fields = &[("operations[1].assert.to", "INVERTED_INTERVAL")];
    refuse(&mut server, "between", bad, &invalid("INVERTED_INTERVAL", fields)).await;
    let late = vec![fact("new", "fresh", "one", 1, None), fact("a", "born", "c", 1, None)];
    let before = statistics(&mut server).await;
    server.facts.transact(request(late)).await.expect_err("a clash, found late");
    assert_eq!(statistics(&mut server).await, before);
    assert_eq!(write(&mut server, 6, good("d")).await.tx, 3);
    server.stop().await;
}

#[tokio::test]
async fn t31_one_bad_item_in_a_hundred() {
    let mut server = start().await;
    let mut operations: Vec<_> =
        (0..100).map(|n| fact("a", "knows", &format!("b{n}"), 1, None)).collect();
    operations[37] = fact("a", "knows", "b37", 5, 5);
    let fields = &[("operations[37].assert.to", "EMPTY_INTERVAL")];
    let refusal = invalid("EMPTY_INTERVAL", fields);
    refuse(&mut server, "atomic", operations.clone(), &refusal).await;
    let mode = proto::TransactMode::Partial.into();
    let request = proto::TransactRequest { mode, ..request(operations) };
    let response = server.facts.transact(request).await.expect("partial").into_inner();
    let applied = statuses(&response);
    for (place, status) in applied.iter().enumerate() {
        let bad = place == 37;
        assert_eq!(*status == proto::OutcomeStatus::Invalid, bad, "{place}");
        assert_eq!(*status == proto::OutcomeStatus::Applied, !bad, "{place}");
    }
    let told = &response.outcomes[37].violations;
    let told: Vec<_> = told.iter().map(|broken| (&*broken.field, &*broken.reason)).collect();
    assert_eq!(told, fields);
    let facts = snapshot(&mut server, 5, 2).await;
    assert_eq!(facts.iter().filter(|fact| fact.starts_with("a knows")).count(), 99);
    server.stop().await;
}

/// R25: an old client's field, or any other, never reaches the transaction time.
#[tokio::test]
async fn r25_nothing_in_a_write_sets_its_transaction_time() {
    let mut server = start().await;
    let response = write(&mut server, 50, vec![fact("a", "knows", "b", 1, None)]).await;
    assert_eq!(response.tx_time.map(|at| at.unix_micros), Some(50));
    let files = FileDescriptorSet::decode(proto::FILE_DESCRIPTOR_SET).expect("descriptors");
    let messages = files.file.iter().flat_map(|file| &file.message_type);
    let messages: BTreeMap<_, _> = messages.map(|message| (message.name(), message)).collect();
    let mut seen = BTreeSet::from(["TransactRequest".to_owned()]);
    let mut waiting = vec!["TransactRequest".to_owned()];
    while let Some(name) = waiting.pop() {
        for field in &messages[name.as_str()].field {
            let told = field.name();
            assert!(
                !["tx", "tx_time", "tx_from", "known", "as_of"].contains(&told),
                "{name}.{told}"
            );
            let inner = field.type_name().rsplit('.').next().unwrap_or_default().to_owned();
            if messages.contains_key(inner.as_str()) && seen.insert(inner.clone()) {
                waiting.push(inner);
            }
        }
    }
    assert!(seen.contains("Evidence") && seen.contains("WithdrawSource"), "{seen:?}");
    server.stop().await;
}
