//! Operations as data: the form of `golden.jsonl`, and the commands they stand for.

use serde::Deserialize;
use serde_json::Value as Json;

use tenure::kernel::{
    Assert, Command, Declare, End, Evidence, Merge, Mode, ObjectName, Op, Retract, TripleName,
    Unmerge,
};
use tenure::types::{Cardinality, Name, Timestamp};

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Operation {
    pub(crate) op: String,
    pub(crate) s: Option<String>,
    pub(crate) p: Option<String>,
    pub(crate) o: Option<String>,
    pub(crate) from: Option<Json>,
    pub(crate) to: Option<Json>,
    pub(crate) at: Option<Json>,
    #[serde(default)]
    pub(crate) atleast: bool,
    #[serde(default)]
    pub(crate) correct: bool,
    #[serde(default)]
    pub(crate) block: bool,
    #[serde(default, rename = "override")]
    pub(crate) overrides: bool,
    pub(crate) card: Option<String>,
    pub(crate) dup: Option<String>,
    pub(crate) into: Option<String>,
}

pub(crate) fn command(ops: &[Operation]) -> Command {
    Command { request: None, mode: Mode::Atomic, ops: ops.iter().map(op).collect() }
}

pub(crate) fn declare(predicate: &str, cardinality: &str) -> Op {
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
            deliberate: false,
            contested_against: Vec::new(),
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
        "merge" => Op::Merge(Merge {
            duplicate: given(op.dup.as_deref()),
            into: given(op.into.as_deref()),
        }),
        "unmerge" => Op::Unmerge(Unmerge { duplicate: given(op.dup.as_deref()) }),
        "declare" => declare(
            op.p.as_deref().expect("a predicate"),
            op.card.as_deref().expect("a cardinality"),
        ),
        other => panic!("operation {other}"),
    }
}

fn triple(op: &Operation) -> TripleName {
    TripleName {
        subject: given(op.s.as_deref()),
        predicate: given(op.p.as_deref()),
        object: ObjectName::Entity(given(op.o.as_deref())),
    }
}

fn given(text: Option<&str>) -> Name {
    name(text.expect("the operation names it"))
}

pub(crate) fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

/// Integers are microseconds; `"inf"` and `"-inf"` are the sentinels.
pub(crate) fn timestamp(json: &Json) -> Timestamp {
    match json {
        Json::String(text) if text == "inf" => Timestamp::INFINITY,
        Json::String(text) if text == "-inf" => Timestamp::NEG_INFINITY,
        other => Timestamp::from_micros(other.as_i64().expect("an integer")),
    }
}
