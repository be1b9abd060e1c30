//! A JSON line to a request. Everything that is wrong with the line is told at once.

use serde_json::Value;

use crate::rpc::proto::{
    Accept, Assert, Correct, DeclarePredicate, End, Instant, Merge, Operation, Retract, Supersede,
    TransactMode, Trust, Unmerge, Violation, WithdrawSource, operation::Operation as Kind,
};

use super::super::{
    error::Refusal,
    time_text::{self, Side},
};
use super::fields::{BAD_VALUE, Fields};

/// One line of `transact`, or one transaction of an export.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::struct_field_names)] // The key is called that.
pub(crate) struct Request {
    pub(crate) request_id: String,
    pub(crate) operations: Vec<Operation>,
    pub(crate) mode: TransactMode,
    pub(crate) dry_run: bool,
    /// Only in an export.
    pub(crate) tx_time: Option<Instant>,
}

pub(crate) fn request(line: &[u8]) -> Result<Request, Refusal> {
    let value: Value = serde_json::from_slice(line).map_err(|cause| {
        Refusal::local("BAD_JSON", format!("the line is no JSON object: {cause}"), Vec::new())
    })?;
    let mut violations = Vec::new();
    match read_request(value, &mut violations) {
        Ok(request) if violations.is_empty() => Ok(request),
        Ok(_) => Err(summary(violations)),
        Err(violation) => {
            violations.push(violation);
            Err(summary(violations))
        }
    }
}

/// The first violation speaks for the line.
fn summary(violations: Vec<Violation>) -> Refusal {
    let first = &violations[0];
    let reason = first.reason.clone();
    let message = match violations.len() {
        1 => format!("{}: {}", first.field, first.description),
        more => format!("{}: {} (and {} more)", first.field, first.description, more - 1),
    };
    Refusal::local(&reason, message, violations)
}

fn read_request(value: Value, violations: &mut Vec<Violation>) -> Result<Request, Violation> {
    let mut fields = Fields::new("request".to_owned(), value)?;
    let operations = match fields.take("ops") {
        None => {
            return Err(fields.fault("ops", "MISSING_KEY", "the list of operations is missing"));
        }
        Some(Value::Array(items)) => items,
        Some(_) => return Err(fields.fault("ops", BAD_VALUE, "a list of operations belongs here")),
    };
    let mut request = Request {
        request_id: fields.text("request_id")?.unwrap_or_default(),
        operations: Vec::with_capacity(operations.len()),
        mode: mode(&mut fields)?,
        dry_run: fields.boolean("dry_run")?,
        tx_time: tx_time(&mut fields)?,
    };
    fields.take("tx");
    fields.finish("request_id, ops, mode, dry_run")?;
    for (place, item) in operations.into_iter().enumerate() {
        match operation(format!("ops[{place}]"), item) {
            Ok(operation) => request.operations.push(operation),
            Err(violation) => violations.push(violation),
        }
    }
    Ok(request)
}

fn mode(fields: &mut Fields) -> Result<TransactMode, Violation> {
    match fields.text("mode")?.map(|word| word.to_ascii_lowercase()).as_deref() {
        None => Ok(TransactMode::Unspecified),
        Some("atomic") => Ok(TransactMode::Atomic),
        Some("partial") => Ok(TransactMode::Partial),
        Some(word) => Err(fields.fault(
            "mode",
            BAD_VALUE,
            format!("{word:?} is no mode; there are atomic and partial"),
        )),
    }
}

fn tx_time(fields: &mut Fields) -> Result<Option<Instant>, Violation> {
    match fields.text("tx_time")? {
        None => Ok(None),
        Some(text) => time_text::parse_instant(&text).map(Some).ok_or_else(|| {
            fields.fault("tx_time", "BAD_DATE", format!("{text:?} is no instant in full"))
        }),
    }
}

fn operation(path: String, value: Value) -> Result<Operation, Violation> {
    let mut fields = Fields::new(path, value)?;
    let word = fields.needed_text("op", "the kind of operation")?.to_ascii_lowercase();
    let (kind, known) = match word.as_str() {
        "assert" => (
            Kind::Assert(assert(&mut fields)?),
            "s, p, o, from, to, through, at, atleast, override, deliberate, source, trust, confidence, statement, derived_from",
        ),
        "end" => (
            Kind::End(end(&mut fields)?),
            "s, p, o, at, source, trust, confidence, statement, derived_from",
        ),
        "retract" => (
            Kind::Retract(retract(&mut fields)?),
            "s, p, o, from, to, correct, block, source, trust, confidence, statement, derived_from",
        ),
        "supersede" => (
            Kind::Supersede(supersede(&mut fields)?),
            "s, p, o, old, at, expect_held, source, trust, confidence, statement, derived_from",
        ),
        "correct" => (
            Kind::Correct(correct(&mut fields)?),
            "s, p, o, new, at, from, to, source, trust, confidence, statement, derived_from",
        ),
        "merge" => (Kind::Merge(merge(&mut fields)?), "dup, into"),
        "unmerge" => (Kind::Unmerge(unmerge(&mut fields)?), "dup"),
        "declare" => (Kind::DeclarePredicate(declare(&mut fields)?), "p, cardinality"),
        "accept" => (Kind::Accept(accept(&mut fields)?), "statement_id, trust"),
        "withdraw" => (Kind::WithdrawSource(withdraw(&mut fields)?), "source"),
        _ => {
            let description = format!(
                "{word:?} is no operation; there are assert, end, retract, supersede, correct, merge, unmerge, declare, accept, withdraw"
            );
            return Err(fields.fault("op", "UNKNOWN_OPERATION", description));
        }
    };
    fields.finish(known)?;
    Ok(Operation { operation: Some(kind) })
}

fn assert(fields: &mut Fields) -> Result<Assert, Violation> {
    Ok(Assert {
        triple: Some(fields.triple()?),
        from: fields.bound("from", Side::Start)?,
        to: fields.bound("to", Side::End)?,
        through: fields.date("through")?,
        at: fields.date("at")?,
        at_least: fields.boolean("atleast")?,
        r#override: fields.boolean("override")?,
        deliberate: fields.boolean("deliberate")?,
        evidence: fields.evidence()?,
    })
}

fn end(fields: &mut Fields) -> Result<End, Violation> {
    Ok(End {
        triple: Some(fields.triple()?),
        at: fields.point("at")?,
        evidence: fields.evidence()?,
    })
}

fn retract(fields: &mut Fields) -> Result<Retract, Violation> {
    Ok(Retract {
        triple: Some(fields.triple()?),
        from: fields.bound("from", Side::Start)?,
        to: fields.bound("to", Side::End)?,
        correct: fields.boolean("correct")?,
        block: fields.boolean("block")?,
        evidence: fields.evidence()?,
    })
}

fn supersede(fields: &mut Fields) -> Result<Supersede, Violation> {
    let triple = fields.triple()?;
    Ok(Supersede {
        subject: triple.subject,
        predicate: triple.predicate,
        new_object: triple.object,
        old_object: fields.object("old")?,
        at: fields.point("at")?,
        expect_held: fields.boolean("expect_held")?,
        evidence: fields.evidence()?,
    })
}

fn correct(fields: &mut Fields) -> Result<Correct, Violation> {
    Ok(Correct {
        triple: Some(fields.triple()?),
        new_object: fields.object("new")?,
        at: fields.point("at")?,
        from: fields.bound("from", Side::Start)?,
        to: fields.bound("to", Side::End)?,
        evidence: fields.evidence()?,
    })
}

fn merge(fields: &mut Fields) -> Result<Merge, Violation> {
    Ok(Merge {
        duplicate: fields.either_text("dup", "s", "the duplicate")?,
        into: fields.either_text("into", "o", "the entity it is merged into")?,
    })
}

fn unmerge(fields: &mut Fields) -> Result<Unmerge, Violation> {
    Ok(Unmerge { duplicate: fields.either_text("dup", "s", "the duplicate")? })
}

fn declare(fields: &mut Fields) -> Result<DeclarePredicate, Violation> {
    let predicate = fields.needed_text("p", "the predicate")?;
    let word = fields.either_text("cardinality", "card", "the cardinality, ONE or MANY,")?;
    let cardinality = super::cardinality(&word)
        .map_err(|description| fields.fault("cardinality", BAD_VALUE, description))?;
    Ok(DeclarePredicate { predicate, cardinality: cardinality.into() })
}

fn accept(fields: &mut Fields) -> Result<Accept, Violation> {
    let statement_id = fields.needed_text("statement_id", "the statement")?;
    let trust = match fields.text("trust")? {
        None => Trust::Unspecified,
        Some(word) => super::trust(&word)
            .map_err(|description| fields.fault("trust", BAD_VALUE, description))?,
    };
    Ok(Accept { statement_id, trust: trust.into() })
}

fn withdraw(fields: &mut Fields) -> Result<WithdrawSource, Violation> {
    Ok(WithdrawSource { source: fields.needed_text("source", "the source")? })
}

#[cfg(test)]
mod tests {
    use crate::rpc::proto::{Bound, Evidence, Object, Triple, bound::Bound as BoundKind};

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
                        derived_from_ids: vec![],
                    }),
                    ..Assert::default()
                }),
            ),
            (
                r#"{"op":"assert","s":"a","p":"p","o":"b","from":"2021","through":"2022","atleast":true,"override":true}"#,
                Kind::Assert(Assert {
                    triple: triple(),
                    from: on("2021"),
                    through: Some(time_text::date("2022", "")),
                    at_least: true,
                    r#override: true,
                    deliberate: false,
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
                "BAD_DATE",
                "a bare number (2021) is no date",
            ),
            (
                r#"{"op":"end","s":"a","p":"p","o":"b","at":20210305}"#,
                "ops[0].at",
                "BAD_DATE",
                "a bare number",
            ),
            (
                r#"{"op":"assert","s":"a","p":"p","o":"b","from":null}"#,
                "ops[0].from",
                "BAD_DATE",
                "null could mean two things",
            ),
            (
                r#"{"op":"assert","s":"a","p":"p","o":"b","frm":"2021"}"#,
                "ops[0].frm",
                "UNKNOWN_KEY",
                "\"frm\" is not understood",
            ),
            (
                r#"{"op":"assert","s":"a","p":"p"}"#,
                "ops[0].o",
                "MISSING_KEY",
                "the object is missing",
            ),
            (
                r#"{"op":"assert","s":"a","p":"p","o":"b","from":"inf"}"#,
                "ops[0].from",
                "BAD_DATE",
                "a start cannot be inf",
            ),
            (
                r#"{"op":"wish","s":"a"}"#,
                "ops[0].op",
                "UNKNOWN_OPERATION",
                "\"wish\" is no operation",
            ),
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
}
