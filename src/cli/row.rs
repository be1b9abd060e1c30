//! A rectangle as a line: the columns scripts rely on, and the ones a person reads.

use serde_json::{Map, Value, json};

use crate::rpc::proto::{CloseReason, Instant, Rectangle, Scope};

use super::{object, output::Row, time_text};

impl Row for Rectangle {
    const LAST_IS_OPTIONAL: bool = true;

    fn columns() -> Vec<&'static str> {
        vec![
            "subject",
            "predicate",
            "object",
            "valid_from",
            "valid_to",
            "tx_from",
            "tx_to",
            "fact_id",
            "scope",
        ]
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.subject.clone(),
            self.predicate.clone(),
            object::text(self.object.as_ref()),
            start_text(self.valid_from.as_ref()),
            end_text(self.valid_to.as_ref()),
            self.tx_from.to_string(),
            self.tx_to.map_or_else(|| "still".to_owned(), |tx| tx.to_string()),
            self.fact_id.clone(),
            self.scope.as_ref().map_or_else(String::new, scope_text),
        ]
    }

    fn json(&self) -> Value {
        Value::Object(fields(self))
    }
}

/// The object of a row, for rows that add columns to it.
pub(crate) fn fields(rectangle: &Rectangle) -> Map<String, Value> {
    let value = json!({
        "subject": rectangle.subject,
        "predicate": rectangle.predicate,
        "object": object::to_json(rectangle.object.as_ref()),
        "valid_from": time_text::optional(rectangle.valid_from.as_ref()),
        "valid_to": time_text::optional(rectangle.valid_to.as_ref()),
        "start_unknown": rectangle.valid_from.is_none(),
        "end_open": rectangle.valid_to.is_none(),
        "tx_from": rectangle.tx_from,
        "tx_to": rectangle.tx_to,
        "tx_from_time": time_text::optional(rectangle.tx_from_time.as_ref()),
        "tx_to_time": time_text::optional(rectangle.tx_to_time.as_ref()),
        "fact_id": rectangle.fact_id,
    });
    let Value::Object(mut fields) = value else { unreachable!("the literal above is an object") };
    if rectangle.tx_to.is_some() {
        fields.insert("close_reason".to_owned(), close_word(rectangle.close_reason()).into());
    }
    if let Some(Scope { owner, labels }) = &rectangle.scope {
        fields.insert("scope".to_owned(), json!({ "owner": owner, "labels": labels }));
    }
    fields
}

/// `fields` with columns before them.
pub(crate) fn with_first(first: &[(&str, Value)], rectangle: &Rectangle) -> Value {
    let mut map = Map::new();
    for (name, value) in first {
        map.insert((*name).to_owned(), value.clone());
    }
    map.extend(fields(rectangle));
    Value::Object(map)
}

/// `Ana works_at Acme [2021-03-05, open)`.
pub(crate) fn sentence(rectangle: &Rectangle) -> String {
    format!(
        "{} {} {} {}",
        rectangle.subject,
        rectangle.predicate,
        object::text(rectangle.object.as_ref()),
        span_text(rectangle.valid_from.as_ref(), rectangle.valid_to.as_ref())
    )
}

/// `owner ann, labels staff night`.
fn scope_text(scope: &Scope) -> String {
    let owner = (!scope.owner.is_empty()).then(|| format!("owner {}", scope.owner));
    let labels = (!scope.labels.is_empty()).then(|| format!("labels {}", scope.labels.join(" ")));
    owner.into_iter().chain(labels).collect::<Vec<_>>().join(", ")
}

pub(crate) fn span_text(from: Option<&Instant>, to: Option<&Instant>) -> String {
    format!("[{}, {})", start_text(from), end_text(to))
}

pub(crate) fn start_text(start: Option<&Instant>) -> String {
    start.map_or_else(|| "unknown".to_owned(), |start| time_text::short(start.unix_micros))
}

pub(crate) fn end_text(end: Option<&Instant>) -> String {
    end.map_or_else(|| "open".to_owned(), |end| time_text::short(end.unix_micros))
}

pub(crate) fn close_word(reason: CloseReason) -> &'static str {
    short_name(reason.as_str_name(), "CLOSE_REASON_")
}

/// The word of an enum value without the name of its enum.
pub(crate) fn short_name(name: &'static str, prefix: &str) -> &'static str {
    name.strip_prefix(prefix).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use crate::rpc::proto::{Object, object::Object as Kind};

    use super::*;

    fn rectangle() -> Rectangle {
        Rectangle {
            fact_id: "f1".to_owned(),
            subject: "ana".to_owned(),
            predicate: "works_at".to_owned(),
            object: Some(Object { object: Some(Kind::Entity("acme".to_owned())) }),
            valid_from: None,
            valid_to: Some(Instant { unix_micros: 0 }),
            tx_from: 3,
            tx_to: None,
            tx_from_time: Some(Instant { unix_micros: 1 }),
            tx_to_time: None,
            close_reason: 0,
            scope: None,
        }
    }

    #[test]
    fn a_row_carries_the_columns_scripts_rely_on() {
        assert_eq!(
            rectangle().json().to_string(),
            r#"{"subject":"ana","predicate":"works_at","object":"acme","valid_from":null,"valid_to":"1970-01-01T00:00:00Z","start_unknown":true,"end_open":false,"tx_from":3,"tx_to":null,"tx_from_time":"1970-01-01T00:00:00.000001Z","tx_to_time":null,"fact_id":"f1"}"#
        );
    }

    #[test]
    fn a_person_reads_whom_a_fact_is_for() {
        let scope = |owner: &str, labels: &[&str]| {
            let labels = labels.iter().map(|label| (*label).to_owned()).collect();
            let scope = Some(Scope { owner: owner.to_owned(), labels });
            Rectangle { scope, ..rectangle() }.cells().pop()
        };
        assert_eq!(scope("ann", &[]).as_deref(), Some("owner ann"));
        assert_eq!(scope("ann", &["a", "b"]).as_deref(), Some("owner ann, labels a b"));
        assert_eq!(scope("", &["a"]).as_deref(), Some("labels a"));
        assert_eq!(rectangle().cells().pop().as_deref(), Some(""), "the column is left out then");
    }

    #[test]
    fn a_person_reads_words_where_a_script_reads_null() {
        assert_eq!(sentence(&rectangle()), "ana works_at acme [unknown, 1970-01-01)");
    }
}
