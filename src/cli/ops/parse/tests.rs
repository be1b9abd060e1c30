use crate::rpc::proto::{
    Bound, CivilDate, Evidence, Granularity, Object, Triple, bound::Bound as BoundKind,
};

use super::super::super::object;
use super::super::transaction;
use super::*;

fn one(op: &str) -> Result<Kind, Refusal> {
    let line = format!("{{\"ops\":[{op}]}}");
    request(line.as_bytes()).map(|mut request| request.operations.remove(0).operation.unwrap())
}

#[allow(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
fn triple() -> Option<Triple> {
    Some(Triple { subject: "a".into(), predicate: "p".into(), object: name("b") })
}

#[allow(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
fn name(name: &str) -> Option<Object> {
    Some(object::entity(name))
}

#[allow(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
fn on(text: &str) -> Option<Bound> {
    Some(Bound { bound: Some(BoundKind::Date(time_text::date(text, ""))), written: None })
}

/// Reads a line, and reads it again from how it is printed.
fn check(cases: Vec<(&str, Kind)>) {
    for (text, expected) in cases {
        assert_eq!(one(text).unwrap(), expected, "{text}");
        let operations = vec![Operation { operation: Some(expected) }];
        let printed = transaction(7, Some(Instant { unix_micros: 5 }), &operations).to_string();
        let again = request(printed.as_bytes()).unwrap();
        assert_eq!(again.operations, operations, "{printed}");
        assert_eq!(again.tx_time, Some(Instant { unix_micros: 5 }));
    }
}

#[test]
fn asserts_ends_and_retracts_become_messages() {
    check(vec![
        (
            r#"{"op":"assert","s":"a","p":"p","o":"b","from":"-inf","to":"inf","source":"s","trust":"Confirmed","confidence":0.5,"statement":"t"}"#,
            Kind::Assert(Assert {
                triple: triple(),
                from: Some(time_text::unbounded()),
                to: Some(time_text::unbounded()),
                evidence: Some(Evidence {
                    source: "s".into(),
                    trust: Trust::Confirmed.into(),
                    confidence: Some(0.5),
                    statement: "t".into(),
                    ..Evidence::default()
                }),
                ..Assert::default()
            }),
        ),
        (
            r#"{"op":"assert","s":"a","p":"p","o":"b","from":"2021","through":"2022","atleast":true,"override":true,"contested_against":["1.0"]}"#,
            Kind::Assert(Assert {
                triple: triple(),
                from: on("2021"),
                through: Some(time_text::date("2022", "")),
                at_least: true,
                r#override: true,
                contested_against_ids: vec!["1.0".into()],
                ..Assert::default()
            }),
        ),
        (
            r#"{"op":"end","s":"a","p":"p","o":"b","at":"2021-03"}"#,
            Kind::End(End { triple: triple(), at: on("2021-03"), evidence: None }),
        ),
        (
            r#"{"op":"retract","s":"a","p":"p","o":"b","block":true}"#,
            Kind::Retract(Retract { triple: triple(), block: true, ..Retract::default() }),
        ),
    ]);
}

#[test]
fn an_exported_instant_keeps_its_words() {
    let text = r#"{"op":"end","s":"a","p":"p","o":"b","at":{"instant":"2019-01-01T00:00:00Z","written":"2019","zone":"Asia/Seoul","granularity":"YEAR"}}"#;
    let written = CivilDate {
        text: "2019".into(),
        zone: "Asia/Seoul".into(),
        granularity: Granularity::Year.into(),
    };
    let instant = Instant { unix_micros: 1_546_300_800_000_000 };
    let at = Bound { bound: Some(BoundKind::Instant(instant)), written: Some(written) };
    check(vec![(text, Kind::End(End { triple: triple(), at: Some(at), evidence: None }))]);
}

#[test]
fn compositions_and_declarations_become_messages() {
    check(vec![
        (
            r#"{"op":"supersede","s":"a","p":"p","o":"c","old":"b","expect_held":true}"#,
            Kind::Supersede(Supersede {
                subject: "a".into(),
                predicate: "p".into(),
                old_object: name("b"),
                new_object: name("c"),
                expect_held: true,
                ..Supersede::default()
            }),
        ),
        (
            r#"{"op":"correct","s":"a","p":"p","o":"b","new":"c","from":"2020"}"#,
            Kind::Correct(Correct {
                triple: triple(),
                new_object: name("c"),
                from: on("2020"),
                ..Correct::default()
            }),
        ),
        (
            r#"{"op":"merge","s":"x","o":"y"}"#,
            Kind::Merge(Merge { duplicate: "x".into(), into: "y".into() }),
        ),
        (r#"{"op":"unmerge","dup":"x"}"#, Kind::Unmerge(Unmerge { duplicate: "x".into() })),
        (
            r#"{"op":"declare","p":"p","card":"one"}"#,
            Kind::DeclarePredicate(DeclarePredicate { predicate: "p".into(), cardinality: 1 }),
        ),
        (
            r#"{"op":"accept","statement_id":"4.0"}"#,
            Kind::Accept(Accept { statement_id: "4.0".into(), trust: 0 }),
        ),
        (
            r#"{"op":"withdraw","source":"s"}"#,
            Kind::WithdrawSource(WithdrawSource { source: "s".into() }),
        ),
    ]);
}

#[test]
fn what_is_wrong_is_named() {
    let cases = [
        (
            r#"{"op":"assert","s":"a","p":"p","o":"b","from":2021}"#,
            "ops[0].from",
            "DATE_INVALID",
            "a bare number (2021) is no date",
        ),
        (
            r#"{"op":"end","s":"a","p":"p","o":"b","at":20210305}"#,
            "ops[0].at",
            "DATE_INVALID",
            "a bare number",
        ),
        (
            r#"{"op":"assert","s":"a","p":"p","o":"b","from":null}"#,
            "ops[0].from",
            "DATE_INVALID",
            "null could mean two things",
        ),
        (
            r#"{"op":"assert","s":"a","p":"p","o":"b","frm":"2021"}"#,
            "ops[0].frm",
            "UNKNOWN_KEY",
            "\"frm\" is not understood",
        ),
        (r#"{"op":"assert","s":"a","p":"p"}"#, "ops[0].o", "MISSING_KEY", "the object is missing"),
        (
            r#"{"op":"assert","s":"a","p":"p","o":"b","from":"inf"}"#,
            "ops[0].from",
            "DATE_INVALID",
            "a start cannot be inf",
        ),
        (r#"{"op":"wish","s":"a"}"#, "ops[0].op", "UNKNOWN_OPERATION", "\"wish\" is no operation"),
        (
            r#"{"op":"declare","p":"p","cardinality":"two"}"#,
            "ops[0].cardinality",
            "BAD_VALUE",
            "is no cardinality",
        ),
        (r#"{"op":"assert","s":1,"p":"p","o":"b"}"#, "ops[0].s", "BAD_VALUE", "1 is not text"),
        ("7", "ops[0]", "BAD_VALUE", "7 is no JSON object"),
    ];
    for (text, field, reason, description) in cases {
        let refusal = one(text).unwrap_err();
        let first = &refusal.violations[0];
        assert_eq!((first.field.as_str(), first.reason.as_str()), (field, reason), "{text}");
        assert!(first.description.contains(description), "{}", first.description);
        assert_eq!(refusal.reason, reason);
    }
}

#[test]
fn every_bad_operation_of_a_line_is_told() {
    let line = br#"{"ops":[{"op":"wish"},{"op":"end","s":"a","p":"p","o":"b"},{"op":"hope"}]}"#;
    assert_eq!(request(line).unwrap_err().violations.len(), 2);
    assert_eq!(request(b"{").unwrap_err().reason, "BAD_JSON");
    assert_eq!(request(br#"{"ops":[],"when":1}"#).unwrap_err().reason, "UNKNOWN_KEY");
}
