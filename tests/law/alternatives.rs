//! Other ways of keeping time, held against the golden cases: how many of their as-of points does
//! each answer right? The README quotes these numbers. They are models, each the textbook form of
//! its idea, not products.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::script::{Operation, timestamp};

#[derive(Deserialize)]
struct Case {
    id: String,
    card: BTreeMap<String, String>,
    tx: Vec<Request>,
    asof: Vec<(i64, i64, Vec<String>)>,
}

#[derive(Deserialize)]
struct Request {
    ops: Vec<Operation>,
    tx: Option<i64>,
}

/// A stored row: who, and from when to when it holds.
#[derive(Clone, Debug)]
struct Row {
    fact: [String; 3],
    from: i64,
    to: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    /// Rows are changed in place: one clock, so every question is answered from today's rows.
    InPlace,
    /// Two clocks; a missing end is +infinity; an assert takes its whole span from other objects of
    /// a single-valued slot; retract and end leave a hole.
    MissingEndIsInfinity,
    /// Two clocks; a value holds from its event to the next event of the slot, so a stated end is
    /// one more event and nothing comes back.
    Steps,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../data/golden.jsonl");
    text.lines().map(|line| serde_json::from_str(line).expect("a golden case")).collect()
}

fn micros(json: Option<&serde_json::Value>) -> Option<i64> {
    json.map(|json| timestamp(json).micros())
}

/// Merges and declarations inside a case are beyond these models.
fn is_covered(case: &Case) -> bool {
    let beyond = ["merge", "unmerge", "declare"];
    case.tx.iter().flat_map(|tx| &tx.ops).all(|op| !beyond.contains(&op.op.as_str()))
}

fn rows_at(case: &Case, model: Model, known: i64) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for request in &case.tx {
        let Some(tx) = request.tx else { continue };
        if tx > known && model != Model::InPlace {
            break;
        }
        for op in &request.ops {
            apply(&mut rows, case, model, tx, op);
        }
    }
    rows
}

fn apply(rows: &mut Vec<Row>, case: &Case, model: Model, tx: i64, op: &Operation) {
    let word = |text: &Option<String>| text.clone().expect("it is named");
    let fact = [word(&op.s), word(&op.p), word(&op.o)];
    let one = case.card.get(&fact[1]).is_some_and(|card| card == "ONE");
    let rivals =
        |row: &Row| row.fact[..2] == fact[..2] && (if one { true } else { row.fact[2] == fact[2] });
    match op.op.as_str() {
        "assert" => {
            let from = micros(op.from.as_ref()).unwrap_or(tx);
            let mut to = micros(op.to.as_ref()).unwrap_or(i64::MAX);
            if model == Model::Steps {
                let next = rows.iter().filter(|row| rivals(row) && row.from > from);
                to = next.map(|row| row.from).min().unwrap_or(i64::MAX).min(to);
            }
            cut(rows, &rivals, from, to, model);
            rows.push(Row { fact, from, to });
        }
        "end" => {
            let at = micros(op.at.as_ref()).unwrap_or(tx);
            cut(rows, &|row: &Row| row.fact == fact, at, i64::MAX, model);
        }
        "retract" => {
            let from = micros(op.from.as_ref()).unwrap_or(i64::MIN);
            let to = micros(op.to.as_ref()).unwrap_or(i64::MAX);
            cut(rows, &|row: &Row| row.fact == fact, from, to, model);
        }
        other => panic!("operation {other}"),
    }
}

/// Takes a span out of the rows; what a step model ends stays ended.
fn cut(rows: &mut Vec<Row>, which: &dyn Fn(&Row) -> bool, from: i64, to: i64, model: Model) {
    let mut kept = Vec::new();
    for row in rows.drain(..) {
        if !which(&row) || row.to <= from || to <= row.from {
            kept.push(row);
            continue;
        }
        if row.from < from {
            kept.push(Row { to: from, ..row.clone() });
        }
        if to < row.to && model != Model::Steps {
            kept.push(Row { from: to, ..row });
        }
    }
    *rows = kept;
}

fn score(model: Model) -> (usize, usize) {
    let (mut right, mut all) = (0, 0);
    for case in cases().iter().filter(|case| is_covered(case)) {
        for (valid, known, facts) in &case.asof {
            let rows = rows_at(case, model, *known);
            let held = rows.iter().filter(|row| row.from <= *valid && *valid < row.to);
            let held: BTreeSet<String> = held.map(|row| row.fact.join(" ")).collect();
            all += 1;
            right += usize::from(held == facts.iter().cloned().collect());
        }
        assert!(!case.id.is_empty());
    }
    (right, all)
}

#[test]
fn other_ways_of_keeping_time_miss_golden_points() {
    let scores = [Model::InPlace, Model::MissingEndIsInfinity, Model::Steps].map(score);
    assert_eq!(scores, [(128, 199), (173, 199), (176, 199)]);
}
