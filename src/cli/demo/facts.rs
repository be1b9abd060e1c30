//! The bundled facts as transactions: the rows of `demo/facts.csv`, batch by batch.

use serde::Deserialize;

use crate::rpc::proto::operation::Operation as Kind;
use crate::rpc::proto::{
    Assert, Bound, Cardinality, CivilDate, Correct, DeclarePredicate, End, Evidence, Object,
    Operation, Retract, Triple, Value, bound, object, value,
};

use super::super::time_text::{date, unbounded};

const FACTS: &str = include_str!("../../../demo/facts.csv");
const PREDICATES: &str = include_str!("../../../demo/predicates.csv");

/// Its objects are texts, not things one could ask about.
const TEXT_PREDICATE: &str = "named";

#[derive(Debug, Deserialize)]
struct Row {
    batch: usize,
    op: String,
    subject: String,
    predicate: String,
    object: String,
    valid_from: String,
    valid_through: String,
    valid_to: String,
    source: String,
    statement: String,
    new_object: String,
    new_from: String,
    new_to: String,
}

#[derive(Debug, Deserialize)]
struct PredicateRow {
    predicate: String,
    cardinality: String,
}

/// The transactions in the order they were recorded. The first also declares the predicates.
pub(super) fn transactions() -> Result<Vec<Vec<Operation>>, csv::Error> {
    let mut batches = vec![declarations()?];
    for row in csv::Reader::from_reader(FACTS.as_bytes()).deserialize() {
        let row: Row = row?;
        while batches.len() < row.batch {
            batches.push(Vec::new());
        }
        batches[row.batch - 1].push(Operation { operation: Some(operation(&row)) });
    }
    Ok(batches)
}

fn declarations() -> Result<Vec<Operation>, csv::Error> {
    let rows = csv::Reader::from_reader(PREDICATES.as_bytes()).into_deserialize();
    rows.map(|row| {
        let PredicateRow { predicate, cardinality } = row?;
        let one = cardinality == "one";
        let cardinality = if one { Cardinality::One } else { Cardinality::Many }.into();
        let declare = DeclarePredicate { predicate, cardinality };
        Ok(Operation { operation: Some(Kind::DeclarePredicate(declare)) })
    })
    .collect()
}

fn operation(row: &Row) -> Kind {
    let object = |text: &str| Some(object(&row.predicate, text));
    let triple = Some(Triple {
        subject: row.subject.clone(),
        predicate: row.predicate.clone(),
        object: object(&row.object),
    });
    let evidence = Some(Evidence {
        source: row.source.clone(),
        statement: row.statement.clone(),
        ..Default::default()
    });
    match row.op.as_str() {
        "correct" => Kind::Correct(Correct {
            triple,
            at: given(&row.valid_from),
            new_object: if row.new_object.is_empty() { None } else { object(&row.new_object) },
            from: given(&row.new_from),
            to: given(&row.new_to),
            evidence,
        }),
        "end" => Kind::End(End { triple, at: given(&row.valid_to), evidence }),
        "retract" => Kind::Retract(Retract { triple, evidence, ..Default::default() }),
        _ => Kind::Assert(Assert {
            triple,
            from: Some(given(&row.valid_from).unwrap_or_else(unbounded)),
            to: given(&row.valid_to),
            through: written(&row.valid_through),
            evidence,
            ..Default::default()
        }),
    }
}

fn object(predicate: &str, text: &str) -> Object {
    let object = if predicate == TEXT_PREDICATE {
        let text = value::Value::Text(text.to_owned());
        object::Object::Value(Value { value: Some(text) })
    } else {
        object::Object::Entity(text.to_owned())
    };
    Object { object: Some(object) }
}

fn written(text: &str) -> Option<CivilDate> {
    (!text.is_empty()).then(|| date(text, ""))
}

fn given(text: &str) -> Option<Bound> {
    let date = written(text)?;
    Some(Bound { bound: Some(bound::Bound::Date(date)), written: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_facts_are_transactions() {
        let batches = transactions().expect("the bundled files are well formed");
        assert_eq!(batches.len(), 8);
        assert!(batches.iter().all(|batch| !batch.is_empty()));
        let count: usize = batches.iter().map(Vec::len).sum();
        assert!(count > 400, "{count}");
    }
}
