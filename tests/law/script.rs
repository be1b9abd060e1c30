//! Operations as data: the form of `golden.jsonl`, and the commands they stand for.

use serde::Deserialize;
use serde_json::Value as Json;

use tenure::kernel::{
    Assert, Command, Declare, End, Evidence, Merge, Mode, ObjectName, Op, Retract, TripleName,
    Unmerge,
};
use tenure::types::{Cardinality, Name, Timestamp};

#[derive(Clone, Debug, Deserialize)]
pub struct Operation {
    pub op: String,
    pub s: Option<String>,
    pub p: Option<String>,
    pub o: Option<String>,
    pub from: Option<Json>,
    pub to: Option<Json>,
    pub at: Option<Json>,
    #[serde(default)]
    pub atleast: bool,
    #[serde(default)]
    pub correct: bool,
    #[serde(default)]
    pub block: bool,
    #[serde(default, rename = "override")]
    pub overrides: bool,
    pub card: Option<String>,
    pub dup: Option<String>,
    pub into: Option<String>,
}

pub fn command(ops: &[Operation]) -> Command {
    Command { request: None, mode: Mode::Atomic, ops: ops.iter().map(op).collect() }
}

pub fn declare(predicate: &str, cardinality: &str) -> Op {
    let cardinality = match cardinality {
        "ONE" => Cardinality::One,
        "MANY" => Cardinality::Many,
        other => panic!("cardinality {other}"),
    };
    Op::Declare(Declare { predicate: name(predicate), cardinality })
}

fn op(op: &Operation) -> Op {
    let evidence = Evidence::default();
    let bound = |bound: &Option<Json>| bound.as_ref().map(|bound| timestamp(bound).into());
    match op.op.as_str() {
        "assert" => Op::Assert(Assert {
            triple: triple(op),
            from: bound(&op.from),
            to: bound(&op.to),
            at_least: op.atleast,
            overrides: op.overrides,
            evidence,
        }),
        "end" => Op::End(End { triple: triple(op), at: bound(&op.at), evidence }),
        "retract" => Op::Retract(Retract {
            triple: triple(op),
            from: bound(&op.from),
            to: bound(&op.to),
            correct: op.correct,
            block: op.block,
            evidence,
        }),
        "merge" => Op::Merge(Merge { duplicate: given(&op.dup), into: given(&op.into) }),
        "unmerge" => Op::Unmerge(Unmerge { duplicate: given(&op.dup) }),
        "declare" => declare(
            op.p.as_deref().expect("a predicate"),
            op.card.as_deref().expect("a cardinality"),
        ),
        other => panic!("operation {other}"),
    }
}

fn triple(op: &Operation) -> TripleName {
    TripleName {
        subject: given(&op.s),
        predicate: given(&op.p),
        object: ObjectName::Entity(given(&op.o)),
    }
}

fn given(text: &Option<String>) -> Name {
    name(text.as_deref().expect("the operation names it"))
}

pub fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

/// Integers are microseconds; `"inf"` and `"-inf"` are the sentinels.
pub fn timestamp(json: &Json) -> Timestamp {
    match json {
        Json::String(text) if text == "inf" => Timestamp::INFINITY,
        Json::String(text) if text == "-inf" => Timestamp::NEG_INFINITY,
        other => Timestamp::from_micros(other.as_i64().expect("an integer")),
    }
}
