//! Requests, read or refused.

#![expect(
    clippy::unnecessary_wraps,
    reason = "messages are optional on the wire, so helpers make them so"
)]

use super::*;
use crate::kernel::Assert;
use crate::rpc::proto::operation::Operation as Oneof;
use crate::types::Clearance;
use crate::types::{Dated, Granularity, ObjectName, Timestamp, Trust, Value};

fn micros(text: &str) -> i64 {
    chrono::DateTime::parse_from_rfc3339(text).expect("a time").timestamp_micros()
}

fn entity(name: &str) -> proto::Object {
    proto::Object { object: Some(proto::object::Object::Entity(name.into())) }
}

fn literal(value: proto::value::Value) -> proto::Object {
    let value = proto::Value { value: Some(value) };
    proto::Object { object: Some(proto::object::Object::Value(value)) }
}

fn triple(object: proto::Object) -> Option<proto::Triple> {
    Some(proto::Triple { subject: "ann".into(), predicate: "p".into(), object: Some(object) })
}

fn date(text: &str) -> proto::CivilDate {
    proto::CivilDate { text: text.into(), ..Default::default() }
}

fn dated(text: &str) -> Option<proto::Bound> {
    Some(proto::Bound { bound: Some(proto::bound::Bound::Date(date(text))), written: None })
}

fn instant(unix_micros: i64) -> Option<proto::Bound> {
    let instant = proto::Instant { unix_micros };
    Some(proto::Bound { bound: Some(proto::bound::Bound::Instant(instant)), written: None })
}

fn unbounded() -> Option<proto::Bound> {
    Some(proto::Bound {
        bound: Some(proto::bound::Bound::Unbounded(proto::Unbounded {})),
        written: None,
    })
}

fn base() -> proto::Assert {
    proto::Assert { triple: triple(entity("acme")), ..Default::default() }
}

fn request(operations: Vec<Oneof>) -> proto::TransactRequest {
    let operations =
        operations.into_iter().map(|one| proto::Operation { operation: Some(one) }).collect();
    proto::TransactRequest { namespace: "n".into(), operations, ..Default::default() }
}

#[track_caller]
fn read(assert: proto::Assert) -> Assert {
    let command =
        command(&request(vec![Oneof::Assert(assert)]), Zone::UNSET, &Clearance::Everything)
            .expect("valid");
    let [Op::Assert(assert)] = &command.ops[..] else { panic!("one assert: {command:?}") };
    assert.clone()
}

#[track_caller]
fn refused(operation: Oneof, expected: &[(&str, ViolationKind)]) {
    let rejection = command(&request(vec![operation]), Zone::UNSET, &Clearance::Everything)
        .expect_err("a bad operation");
    let told: Vec<_> = rejection.violations.iter().map(|v| (&*v.field, v.kind)).collect();
    assert_eq!(told, expected);
    assert!(rejection.violations.iter().all(|violation| violation.op == Some(0)));
}

fn at(dated: Option<&Dated>) -> Option<i64> {
    dated.map(|dated| dated.at.micros())
}

#[test]
fn missing_unbounded_and_given_bounds_differ() {
    let none = read(base());
    assert_eq!((none.from, none.to), (None, None));
    let all = read(proto::Assert { from: unbounded(), to: unbounded(), ..base() });
    assert_eq!(at(all.from.as_ref()), Some(Timestamp::NEG_INFINITY.micros()));
    assert_eq!(at(all.to.as_ref()), Some(Timestamp::INFINITY.micros()));
    let given = read(proto::Assert { from: instant(5), to: instant(9), ..base() });
    assert_eq!((at(given.from.as_ref()), at(given.to.as_ref())), (Some(5), Some(9)));
}

#[test]
fn n05_to_n08_ends_are_inclusive_or_exclusive() {
    let to = |assert| at(read(assert).to.as_ref());
    let through = |text| to(proto::Assert { through: Some(date(text)), ..base() });
    let until = |text| to(proto::Assert { to: dated(text), ..base() });
    assert_eq!(through("2024-12-31"), Some(micros("2025-01-01T00:00:00Z")));
    assert_eq!(until("2024-12-31"), Some(micros("2024-12-31T00:00:00Z")));
    assert_eq!(through("2023"), Some(micros("2024-01-01T00:00:00Z")));
    assert_eq!(through("2024-02"), Some(micros("2024-03-01T00:00:00Z")));
    assert_eq!(until("9999-12-31"), Some(i64::MAX), "N15");
    assert_eq!(through("9999"), Some(i64::MAX), "N15");
    let from = read(proto::Assert { from: dated("9999-12-31"), ..base() }).from;
    assert_eq!(at(from.as_ref()), Some(micros("9999-12-31T00:00:00Z")), "a start is a start");
    let month = proto::Assert { from: dated("2024-02"), through: Some(date("2024-02")), ..base() };
    assert_eq!(at(read(month).from.as_ref()), Some(micros("2024-02-01T00:00:00Z")));
}

#[test]
fn dates_keep_what_was_written() {
    let found = read(proto::Assert { from: dated("201X"), ..base() });
    let written = found.from.and_then(|from| from.written).expect("written");
    assert_eq!(
        (&*written.text, &*written.zone, written.granularity),
        ("201X", "UTC", Granularity::Decade)
    );
}

#[test]
fn an_event_spans_its_granule() {
    let event = read(proto::Assert { at: Some(date("2024-03-05")), ..base() });
    let expected = (Some(micros("2024-03-05T00:00:00Z")), Some(micros("2024-03-06T00:00:00Z")));
    assert_eq!((at(event.from.as_ref()), at(event.to.as_ref())), expected);
    let both = proto::Assert { at: Some(date("2024")), from: instant(1), ..base() };
    refused(Oneof::Assert(both), &[("at", ViolationKind::Malformed)]);
}

#[test]
fn n13_n16_r20_r21_bad_bounds_are_refused() {
    use ViolationKind::{
        DateInvalid, EmptyInterval, InvertedInterval, Malformed, Missing, ZoneMissing, ZoneUnknown,
    };
    let check = |assert, field, kind| refused(Oneof::Assert(assert), &[(field, kind)]);
    let span = |from, to| proto::Assert { from, to, ..base() };
    check(span(dated("2024"), dated("2024-01-01")), "to", EmptyInterval);
    check(span(instant(5), instant(5)), "to", EmptyInterval);
    check(span(instant(9), instant(5)), "to", InvertedInterval);
    let through = proto::Assert { from: dated("2025"), through: Some(date("2023")), ..base() };
    check(through, "through", InvertedInterval);
    let both = proto::Assert { to: dated("2024"), through: Some(date("2024")), ..base() };
    check(both, "through", Malformed);
    check(span(dated("2016-12-31T23:59:60Z"), None), "from", DateInvalid);
    check(span(dated("1700000000"), None), "from", DateInvalid);
    check(span(dated("1700000000.0"), None), "from", DateInvalid);
    check(span(dated("2024-03-05T10:00"), None), "from", ZoneMissing);
    check(span(dated(""), None), "from", Missing);
    check(span(instant(i64::MIN), None), "from", DateInvalid);
    check(span(None, instant(i64::MAX)), "to", DateInvalid);
    check(span(Some(proto::Bound::default()), None), "from", Malformed);
    check(proto::Assert { at_least: true, ..base() }, "to", Missing);
    let dated = |zone: &str, granularity| {
        let date = proto::CivilDate { text: "2024".into(), zone: zone.into(), granularity };
        Some(proto::Bound { bound: Some(proto::bound::Bound::Date(date)), written: None })
    };
    check(span(dated("Mars/Base", 0), None), "from", ZoneUnknown);
    check(span(dated("", proto::Granularity::Day.into()), None), "from", DateInvalid);
    check(span(dated("", 99), None), "from", Malformed);
    let end = proto::End { triple: triple(entity("x")), at: unbounded(), evidence: None };
    refused(Oneof::End(end), &[("at", Malformed)]);
}

#[test]
fn c13_names_and_objects_are_there_and_seen() {
    let blank = proto::Triple { subject: "  ".into(), predicate: String::new(), object: None };
    let retract = proto::Retract { triple: Some(blank), ..Default::default() };
    let expected = [
        ("triple.predicate", ViolationKind::Missing),
        ("triple.object", ViolationKind::Missing),
        ("triple.subject", ViolationKind::NameBlank),
    ];
    refused(Oneof::Retract(retract), &expected);
    let number = literal(proto::value::Value::Number(f64::NAN));
    let assert = proto::Assert { triple: triple(number), ..Default::default() };
    let expected = [("triple.object.value", ViolationKind::NumberInvalid)];
    refused(Oneof::Assert(assert), &expected);
    let ten = proto::Assert {
        triple: triple(literal(proto::value::Value::Integer(10))),
        ..Default::default()
    };
    assert_eq!(read(ten).triple.object, ObjectName::Value(Value::Integer(10)));
    let unsaid = proto::DeclarePredicate { predicate: "p".into(), cardinality: 0 };
    refused(Oneof::DeclarePredicate(unsaid), &[("cardinality", ViolationKind::Missing)]);
}

#[test]
fn evidence_has_defaults_and_bounds() {
    let none = read(base()).evidence;
    assert_eq!((none.trust, none.confidence, none.source), (Trust::Stated, None, None));
    let evidence = proto::Evidence {
        source: " ".into(),
        trust: 17,
        confidence: Some(f32::NAN),
        statement: "x".repeat(16 * 1_024 + 1),
        derived_from_ids: vec!["1.0".into(), "one".into()],
        importance: Some(1.5),
        episode_id: "1.0".into(),
        vector: Some(proto::Vector { numbers: vec![0.0; 3], ..Default::default() }),
        scope: Some(proto::Scope {
            owner: " ".into(),
            labels: vec!["hr".into(), "a,b".into(), "x".repeat(257)],
        }),
    };
    let expected = [
        ("evidence.trust", ViolationKind::Malformed),
        ("evidence.derived_from_ids[1]", ViolationKind::Malformed),
        ("evidence.episode_id", ViolationKind::Malformed),
        ("evidence.scope.labels[1]", ViolationKind::Malformed),
        ("evidence.source", ViolationKind::NameBlank),
        ("evidence.scope.owner", ViolationKind::NameBlank),
        ("evidence.statement", ViolationKind::TooLong),
        ("evidence.scope.labels[2]", ViolationKind::TooLong),
        ("evidence.confidence", ViolationKind::NumberInvalid),
        ("evidence.importance", ViolationKind::NumberInvalid),
        ("evidence.vector.numbers", ViolationKind::NumberInvalid),
    ];
    refused(Oneof::Assert(proto::Assert { evidence: Some(evidence), ..base() }), &expected);
}

#[test]
fn t31_a_partial_request_keeps_its_good_operations() {
    let bad = Oneof::Merge(proto::Merge { duplicate: "a".into(), into: String::new() });
    let operations = vec![Oneof::Assert(base()), bad, Oneof::Assert(base())];
    let partial = proto::TransactMode::Partial.into();
    let request = proto::TransactRequest { mode: partial, ..request(operations) };
    let read = command(&request, Zone::UNSET, &Clearance::Everything).expect("a partial request");
    let Op::Invalid(violations) = &read.ops[1] else { panic!("{read:?}") };
    assert_eq!((violations[0].op, &*violations[0].field), (Some(1), "into"));
    assert!(matches!(read.ops[..], [Op::Assert(_), _, Op::Assert(_)]));
    let atomic = proto::TransactRequest { mode: 0, namespace: String::new(), ..request };
    let rejection =
        command(&atomic, Zone::UNSET, &Clearance::Everything).expect_err("an atomic request");
    assert_eq!(rejection.violations.len(), 2);
    let atomic = proto::TransactRequest { mode: 99, operations: Vec::new(), ..atomic };
    let rejection =
        command(&atomic, Zone::UNSET, &Clearance::Everything).expect_err("nothing in it");
    assert_eq!(rejection.violations.len(), 3);
}

#[test]
fn a_request_is_bounded() {
    let empty = proto::Operation::default();
    let request = |count| proto::TransactRequest {
        namespace: "n".into(),
        operations: vec![empty.clone(); count],
        ..Default::default()
    };
    let told = |count| {
        command(&request(count), Zone::UNSET, &Clearance::Everything).expect_err("bad").violations
    };
    assert_eq!(told(OPS_MAX).len(), OPS_MAX);
    let over = told(OPS_MAX + 1);
    assert_eq!(
        (over.len(), over[0].kind, &*over[0].field),
        (1, ViolationKind::TooMany, "operations")
    );
}

#[test]
fn t4_the_body_is_everything_but_the_key() {
    let keyed = |id: &str, assert| {
        let request = request(vec![Oneof::Assert(assert)]);
        let request = proto::TransactRequest { request_id: id.into(), ..request };
        command(&request, Zone::UNSET, &Clearance::Everything).expect("valid").request
    };
    assert_eq!(keyed("", base()), None);
    let (a, b) = (keyed("a", base()).expect("a key"), keyed("b", base()).expect("a key"));
    assert_eq!((a.id.as_str(), a.body), ("a", b.body));
    let other = keyed("a", proto::Assert { at_least: false, from: instant(1), ..base() });
    assert_ne!(other.map(|key| key.body), Some(a.body));
}

#[test]
fn imported_rows_are_known_by_their_content() {
    let rows = |deduplicate| {
        let assert = |from| Oneof::Assert(proto::Assert { from, ..base() });
        let operations = request(vec![assert(None), assert(None), assert(instant(1))]).operations;
        let tx_time = Some(proto::Instant { unix_micros: 7 });
        let namespace = "n".into();
        let first_row = 0;
        let request =
            proto::ImportFactsRequest { namespace, operations, deduplicate, tx_time, first_row };
        let import = import(&request, Zone::UNSET, &Clearance::Everything).expect("valid");
        assert_eq!(import.time, Some(Timestamp::from_micros(7)));
        let row = |op: Op| match op {
            Op::Assert(assert) => assert.evidence.row,
            other => panic!("an assert: {other:?}"),
        };
        import.command.ops.into_iter().map(row).collect::<Vec<_>>()
    };
    assert_eq!(rows(false), [None; 3]);
    let keys = rows(true);
    assert!(keys[0].is_some() && keys[0] == keys[1] && keys[0] != keys[2]);
}
