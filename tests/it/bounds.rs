//! Every bound of a request: what is at it passes, what is one above it is refused by name.

use tonic::Code;

use tenure::rpc::proto;
use tenure::types::limits::{
    DATE_BYTES_MAX, MESSAGE_BYTES_MAX, NAME_BYTES_MAX, OPS_MAX, PATTERNS_MAX, PREDICATES_MAX,
    REQUEST_ID_BYTES_MAX, STATEMENT_BYTES_MAX, STATEMENT_IDS_MAX, VALUE_BYTES_MAX,
};

use crate::ask::{HOME, fact, request, statistics, violations};
use crate::bad_input::{FROM, check, dated, invalid, refuse, start, with};
use crate::support::{Server, op};

/// One string of a request, at a length.
type Put = fn(&mut proto::Assert, String);

#[tokio::test]
async fn every_string_has_a_bound() {
    let mut server = start().await;
    let cases: [(&str, usize, Put); 6] = [
        ("triple.subject", NAME_BYTES_MAX, |assert, text| {
            assert.triple.as_mut().expect("a triple").subject = text;
        }),
        ("triple.predicate", NAME_BYTES_MAX, |assert, text| {
            assert.triple.as_mut().expect("a triple").predicate = text;
        }),
        ("triple.object.entity", NAME_BYTES_MAX, |assert, text| {
            assert.triple.as_mut().expect("a triple").object = Some(op::entity(&text));
        }),
        ("triple.object.value", VALUE_BYTES_MAX, |assert, text| {
            let triple = assert.triple.as_mut().expect("a triple");
            let value = Some(proto::value::Value::Text(text));
            let value = proto::object::Object::Value(proto::Value { value });
            triple.predicate = "note".to_owned();
            triple.object = Some(proto::Object { object: Some(value) });
        }),
        ("evidence.source", NAME_BYTES_MAX, |assert, source| {
            assert.evidence = Some(proto::Evidence { source, ..Default::default() });
        }),
        ("evidence.statement", STATEMENT_BYTES_MAX, |assert, statement| {
            assert.evidence = Some(proto::Evidence { statement, ..Default::default() });
        }),
    ];
    for (field, bound, put) in cases {
        let at_bound = with(|assert| put(assert, "k".repeat(bound)));
        server.facts.transact(request(vec![at_bound])).await.expect(field);
        let above = with(|assert| put(assert, "k".repeat(bound + 1)));
        let before = statistics(&mut server).await;
        let status = server.facts.transact(request(vec![above])).await.expect_err(field);
        let told = violations(&status);
        let wanted = (format!("operations[0].assert.{field}"), "STRING_TOO_LONG".to_owned());
        assert_eq!(told, [wanted]);
        assert_eq!(statistics(&mut server).await, before, "{field}");
    }
    for (length, accepted) in [(REQUEST_ID_BYTES_MAX, true), (REQUEST_ID_BYTES_MAX + 1, false)] {
        let request_id = "k".repeat(length);
        let ops = vec![fact("a", "knows", "b", 1, None)];
        let request = proto::TransactRequest { request_id, ..request(ops) };
        assert_eq!(server.facts.transact(request).await.is_ok(), accepted, "request_id {length}");
    }
    let long = dated(&"2".repeat(DATE_BYTES_MAX + 1), None);
    let refusal = invalid("STRING_TOO_LONG", &[(FROM, "STRING_TOO_LONG")]);
    refuse(&mut server, "a date", vec![long], &refusal).await;
    server.create_namespace(&"n".repeat(NAME_BYTES_MAX)).await;
    let name = "n".repeat(NAME_BYTES_MAX + 1);
    let request = proto::CreateNamespaceRequest { name, ..Default::default() };
    let status = server.admin.create_namespace(request).await.expect_err("too long");
    check("a namespace", &status, &invalid("STRING_TOO_LONG", &[("name", "STRING_TOO_LONG")]));
    server.stop().await;
}

#[tokio::test]
async fn every_list_has_a_bound() {
    let mut server = start().await;
    let at_bound = vec![fact("a", "knows", "b", 1, None); OPS_MAX];
    server.facts.transact(request(at_bound)).await.expect("as many as may be");
    let above = vec![fact("a", "knows", "b", 1, None); OPS_MAX + 1];
    let refusal = invalid("LIMIT_EXCEEDED", &[("operations", "LIMIT_EXCEEDED")]);
    refuse(&mut server, "operations", above, &refusal).await;
    for (count, accepted) in [(STATEMENT_IDS_MAX, true), (STATEMENT_IDS_MAX + 1, false)] {
        let derived_from_ids = vec!["1.0".to_owned(); count];
        let evidence = Some(proto::Evidence { derived_from_ids, ..Default::default() });
        let operation = with(|assert| assert.evidence = evidence);
        let answer = server.facts.transact(request(vec![operation])).await;
        assert_eq!(answer.is_ok(), accepted, "derived_from_ids {count}");
    }
    for (count, accepted) in [(PATTERNS_MAX, true), (PATTERNS_MAX + 1, false)] {
        let patterns =
            vec![proto::FactPattern { subject: "d1".to_owned(), ..Default::default() }; count];
        let request = proto::BatchGetFactsRequest {
            namespace: HOME.to_owned(),
            patterns,
            ..Default::default()
        };
        assert_eq!(
            server.facts.batch_get_facts(request).await.is_ok(),
            accepted,
            "patterns {count}"
        );
    }
    for (count, accepted) in [(PREDICATES_MAX, true), (PREDICATES_MAX + 1, false)] {
        let predicates = vec!["head".to_owned(); count];
        let pattern =
            Some(proto::FactPattern { predicates: predicates.clone(), ..Default::default() });
        let request =
            proto::ListFactsRequest { namespace: HOME.to_owned(), pattern, ..Default::default() };
        assert_eq!(server.facts.list_facts(request).await.is_ok(), accepted, "pattern {count}");
        let (namespace, start) = (HOME.to_owned(), "d1".to_owned());
        let request = proto::TraverseRequest { namespace, start, predicates, ..Default::default() };
        assert_eq!(server.graph.traverse(request).await.is_ok(), accepted, "traverse {count}");
    }
    for (size, accepted) in [(10_000, true), (10_001, false), (-1, false), (0, true)] {
        let namespace = HOME.to_owned();
        let request = proto::ListFactsRequest { namespace, page_size: size, ..Default::default() };
        assert_eq!(server.facts.list_facts(request).await.is_ok(), accepted, "page_size {size}");
    }
    for (hops, walk, path) in
        [(3, true, true), (4, false, true), (6, false, true), (7, false, false), (-1, false, false)]
    {
        let (namespace, start) = (HOME.to_owned(), "d1".to_owned());
        let request = proto::TraverseRequest { namespace, start, hops, ..Default::default() };
        assert_eq!(server.graph.traverse(request).await.is_ok(), walk, "hops {hops}");
        let (namespace, start) = (HOME.to_owned(), "d1".to_owned());
        let request = proto::FindPathsRequest { namespace, start, hops, ..Default::default() };
        assert_eq!(server.graph.find_paths(request).await.is_ok(), path, "path hops {hops}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_message_over_the_size_bound_is_refused_and_the_server_goes_on() {
    let mut server = start().await;
    let before = statistics(&mut server).await;
    let statement = "x".repeat(STATEMENT_BYTES_MAX);
    let evidence = Some(proto::Evidence { statement, ..Default::default() });
    let many = MESSAGE_BYTES_MAX / STATEMENT_BYTES_MAX + 1;
    let operations = vec![with(|assert| assert.evidence = evidence); many];
    let status = server.facts.transact(request(operations)).await.expect_err("too big");
    assert_eq!(status.code(), Code::OutOfRange, "{status}");
    assert_eq!(statistics(&mut server).await, before);
    server.stop().await;
}

/// Rows are numbered by the caller: a number at the end of all numbers is a label like another.
#[tokio::test]
async fn rows_numbered_up_to_the_last_number_are_imported_and_reported() {
    let mut server = Server::start().await;
    let bad = op::assert("", "is", "here", op::instant(0), None);
    let message = |operations| proto::ImportFactsRequest {
        namespace: HOME.to_owned(),
        operations,
        first_row: u64::MAX,
        ..Default::default()
    };
    let good = op::assert("ann", "is", "here", op::instant(0), None);
    let messages = [message(vec![good.clone(), bad.clone()]), message(vec![bad, good])];
    let answer = server.facts.import_facts(tokio_stream::iter(messages)).await.expect("an import");
    let report = answer.into_inner();
    assert_eq!((report.applied, report.no_change, report.rejected), (1, 1, 2));
    let rows: Vec<u64> = report.rejected_rows.iter().map(|row| row.row).collect();
    assert_eq!(rows, [u64::MAX; 2]);
    server.stop().await;
}
