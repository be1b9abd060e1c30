//! What a fact points at, as JSON, as text, and from what people write.
//!
//! In JSON a string is an entity; a number or a boolean is a literal; other literals are objects
//! of one key: `{"text": "..."}`, `{"time": "2021-03-05T00:00:00Z"}`.

use clap::Args;
use serde_json::{Value, json};

use crate::rpc::proto::{self, Instant, Object, object::Object as Kind, value::Value as Literal};

use super::{error::Error, time_text};

/// What the object must be, where leaving it out means any.
#[derive(Clone, Debug, Args)]
pub(crate) struct ObjectArgs {
    /// The object is this entity
    #[arg(long, value_name = "NAME", conflicts_with = "value")]
    pub(crate) object: Option<String>,
    /// The object is this literal: a number, true, false, or text
    #[arg(long, value_name = "LITERAL", allow_hyphen_values = true)]
    pub(crate) value: Option<String>,
}

impl ObjectArgs {
    pub(crate) fn to_proto(&self) -> Result<Option<Object>, Error> {
        from_words(self.object.as_deref(), self.value.as_deref())
    }
}

/// An entity by its name, or a literal as it is written on the command line.
pub(crate) fn from_words(
    entity_name: Option<&str>,
    literal: Option<&str>,
) -> Result<Option<Object>, Error> {
    match (entity_name, literal) {
        (Some(name), _) => Ok(Some(entity(name))),
        (None, Some(text)) => literal_from_word(text).map(Some).map_err(Error::Usage),
        (None, None) => Ok(None),
    }
}

pub(crate) fn entity(name: &str) -> Object {
    Object { object: Some(Kind::Entity(name.to_owned())) }
}

pub(crate) fn literal(value: Literal) -> Object {
    Object { object: Some(Kind::Value(proto::Value { value: Some(value) })) }
}

pub(crate) fn from_json(value: &Value) -> Result<Object, String> {
    match value {
        Value::String(name) => Ok(entity(name)),
        Value::Bool(_) | Value::Number(_) => scalar(value).map(literal),
        Value::Object(map) if map.len() == 1 => {
            let (kind, inner) = map.iter().next().expect("the map has one entry");
            typed(kind, inner)
        }
        _ => Err("an object is a name, a number, true, false, or {\"text\": \"...\"}".to_owned()),
    }
}

pub(crate) fn to_json(object: Option<&Object>) -> Value {
    match object.and_then(|object| object.object.as_ref()) {
        None => Value::Null,
        Some(Kind::Entity(name)) => Value::String(name.clone()),
        Some(Kind::Value(value)) => match &value.value {
            None => Value::Null,
            Some(Literal::Boolean(boolean)) => json!(boolean),
            Some(Literal::Integer(integer)) => json!(integer),
            Some(Literal::Number(number)) => json!(number),
            Some(Literal::Time(time)) => json!({ "time": time_text::instant(time.unix_micros) }),
            Some(Literal::Text(text)) => json!({ "text": text }),
        },
    }
}

/// For a person: names bare, text in quotes.
pub(crate) fn text(object: Option<&Object>) -> String {
    match to_json(object) {
        Value::Null => String::new(),
        Value::String(name) => name,
        Value::Object(map) => match map.iter().next() {
            Some((kind, Value::String(time))) if kind == "time" => time.clone(),
            Some((_, text)) => text.to_string(),
            None => String::new(),
        },
        scalar => scalar.to_string(),
    }
}

fn typed(kind: &str, inner: &Value) -> Result<Object, String> {
    match (kind, inner) {
        ("entity", Value::String(name)) => Ok(entity(name)),
        ("text" | "value", Value::String(text)) => Ok(literal(Literal::Text(text.clone()))),
        ("value", Value::Bool(_) | Value::Number(_)) => scalar(inner).map(literal),
        ("boolean", Value::Bool(boolean)) => Ok(literal(Literal::Boolean(*boolean))),
        ("integer", Value::Number(number)) => {
            let integer =
                number.as_i64().ok_or_else(|| format!("{number} is no 64-bit integer"))?;
            Ok(literal(Literal::Integer(integer)))
        }
        ("number", Value::Number(number)) => {
            let float = number.as_f64().ok_or_else(|| format!("{number} is no number"))?;
            Ok(literal(Literal::Number(float)))
        }
        ("time", Value::String(text)) => time_text::parse_instant(text)
            .map(|Instant { unix_micros }| literal(Literal::Time(Instant { unix_micros })))
            .ok_or_else(|| {
                format!("{text:?} is no instant in full, such as \"2021-03-05T10:00:00+09:00\"")
            }),
        ("entity" | "text" | "value" | "boolean" | "integer" | "number" | "time", _) => {
            Err(format!("{inner} is no {kind}"))
        }
        _ => Err(format!("{kind:?} is no kind of object")),
    }
}

fn scalar(value: &Value) -> Result<Literal, String> {
    match value {
        Value::Bool(boolean) => Ok(Literal::Boolean(*boolean)),
        Value::Number(number) if number.is_f64() => {
            Ok(Literal::Number(number.as_f64().expect("the number is a float")))
        }
        Value::Number(number) => number
            .as_i64()
            .map(Literal::Integer)
            .ok_or_else(|| format!("{number} does not fit in a 64-bit integer")),
        _ => Err(format!("{value} is no number and no boolean")),
    }
}

/// JSON where it is JSON, otherwise the text itself.
fn literal_from_word(word: &str) -> Result<Object, String> {
    match serde_json::from_str::<Value>(word) {
        Ok(Value::String(text)) => Ok(literal(Literal::Text(text))),
        Ok(value @ (Value::Bool(_) | Value::Number(_))) => scalar(&value).map(literal),
        Ok(value @ Value::Object(_)) => from_json(&value),
        Ok(Value::Null | Value::Array(_)) | Err(_) => Ok(literal(Literal::Text(word.to_owned()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_read_and_written_alike() {
        for text in [
            r#""Acme""#,
            "10",
            "10.0",
            "-2.5",
            "true",
            r#"{"text":"a name"}"#,
            r#"{"time":"-0044-03-15T00:00:00Z"}"#,
            "0.1",
            "9223372036854775807",
            "1.7976931348623157e+308",
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(to_json(Some(&from_json(&value).unwrap())).to_string(), text);
        }
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for text in [
            "null",
            "[]",
            "{}",
            "18446744073709551615",
            r#"{"time":"2021"}"#,
            r#"{"date":"2021"}"#,
            r#"{"integer":1.5}"#,
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert!(from_json(&value).is_err(), "{text}");
        }
    }

    #[test]
    fn a_literal_on_the_command_line_is_json_or_plain_text() {
        let cases = [
            ("10", Literal::Integer(10)),
            ("10.0", Literal::Number(10.0)),
            ("true", Literal::Boolean(true)),
            ("blue", Literal::Text("blue".to_owned())),
            ("\"10\"", Literal::Text("10".to_owned())),
        ];
        for (word, expected) in cases {
            assert_eq!(literal_from_word(word).unwrap(), literal(expected), "{word}");
        }
    }

    #[test]
    fn a_person_reads_names_bare_and_text_in_quotes() {
        assert_eq!(text(Some(&entity("Acme"))), "Acme");
        assert_eq!(text(Some(&literal(Literal::Text("blue".to_owned())))), "\"blue\"");
        assert_eq!(text(Some(&literal(Literal::Number(10.0)))), "10.0");
    }
}
