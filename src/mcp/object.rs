//! What a fact points at: an entity by its name, or a literal.

use serde_json::{Value, json};
use tonic::Status;

use crate::rpc::proto::{self, Object, Triple, object::Object as Kind, value::Value as Literal};
use crate::rpc::status::malformed;

use super::when;

pub(super) fn entity(name: &str) -> Object {
    Object { object: Some(Kind::Entity(name.to_owned())) }
}

pub(super) fn text(text: &str) -> Object {
    literal(Literal::Text(text.to_owned()))
}

fn literal(value: Literal) -> Object {
    Object { object: Some(Kind::Value(proto::Value { value: Some(value) })) }
}

/// One of the two, or neither.
pub(super) fn read(
    name: Option<&str>,
    value: Option<&Value>,
    fields: [&str; 2],
) -> Result<Option<Object>, Status> {
    let refuse = |detail: &str| Err(malformed(fields[1].to_owned(), detail.to_owned()));
    match (name, value) {
        (Some(_), Some(_)) => {
            refuse(&format!("{} and {} exclude each other", fields[0], fields[1]))
        }
        (Some(name), None) => Ok(Some(entity(name))),
        (None, None) => Ok(None),
        (None, Some(Value::Bool(value))) => Ok(Some(literal(Literal::Boolean(*value)))),
        (None, Some(Value::String(value))) => Ok(Some(text(value))),
        (None, Some(Value::Number(value))) => match (value.as_i64(), value.as_f64()) {
            (Some(integer), _) => Ok(Some(literal(Literal::Integer(integer)))),
            (None, Some(number)) if value.is_f64() => Ok(Some(literal(Literal::Number(number)))),
            _ => refuse("the number does not fit in 64 bits"),
        },
        (None, Some(_)) => refuse("a value is text, a number, true or false"),
    }
}

pub(super) fn triple(subject: &str, predicate: &str, object: Option<Object>) -> Triple {
    Triple { subject: subject.to_owned(), predicate: predicate.to_owned(), object }
}

/// The name of the entity, or the literal.
pub(super) fn shown(object: Option<&Object>) -> (Option<String>, Option<Value>) {
    match object.and_then(|object| object.object.as_ref()) {
        None => (None, None),
        Some(Kind::Entity(name)) => (Some(name.clone()), None),
        Some(Kind::Value(value)) => match &value.value {
            None => (None, None),
            Some(Literal::Boolean(value)) => (None, Some(json!(value))),
            Some(Literal::Integer(value)) => (None, Some(json!(value))),
            Some(Literal::Number(value)) => (None, Some(json!(value))),
            Some(Literal::Time(at)) => (None, Some(json!({ "time": when::shown(*at) }))),
            Some(Literal::Text(value)) => (None, Some(json!(value))),
        },
    }
}
