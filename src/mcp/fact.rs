//! Facts as tools show them.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::rpc::proto::{Basis, Rectangle};

use super::{object, when};

/// One run of a fact.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Fact {
    /// Opaque; `explain` and `forget` take it.
    #[serde(rename = "fact_id")]
    pub(super) id: String,
    pub(super) subject: String,
    pub(super) predicate: String,
    /// The entity it points at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) object: Option<String>,
    /// The literal it points at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<Value>,
    /// True from then on. Absent: the start is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<String>,
    /// True until then. Absent: no end is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<String>,
    /// When the memory began to believe it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) known_from: Option<String>,
    /// When the memory ceased to. Absent while it is believed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) known_to: Option<String>,
}

impl Fact {
    pub(super) fn new(rectangle: &Rectangle) -> Fact {
        let (object, value) = object::shown(rectangle.object.as_ref());
        Fact {
            id: rectangle.fact_id.clone(),
            subject: rectangle.subject.clone(),
            predicate: rectangle.predicate.clone(),
            object,
            value,
            from: when::optional(rectangle.valid_from.as_ref()),
            to: when::optional(rectangle.valid_to.as_ref()),
            known_from: when::optional(rectangle.tx_from_time.as_ref()),
            known_to: when::optional(rectangle.tx_to_time.as_ref()),
        }
    }

    pub(super) fn list(rectangles: &[Rectangle]) -> Vec<Fact> {
        rectangles.iter().map(Fact::new).collect()
    }

    /// `ann works_at acme (from 2021 to 2023)`.
    pub(super) fn text(&self) -> String {
        let object = match (&self.object, &self.value) {
            (Some(name), _) => name.clone(),
            (None, Some(value)) => value.to_string(),
            (None, None) => String::new(),
        };
        let mut text = format!("{} {} {object}", self.subject, self.predicate);
        match (&self.from, &self.to) {
            (Some(from), Some(to)) => text += &format!(" (from {from} to {to})"),
            (Some(from), None) => text += &format!(" (since {from})"),
            (None, Some(to)) => text += &format!(" (until {to})"),
            (None, None) => {}
        }
        if let Some(known_to) = &self.known_to {
            text += &format!(" [believed until {known_to}]");
        }
        text
    }
}

/// A line for each, or a word where there is none.
pub(super) fn lines<'a>(facts: impl IntoIterator<Item = &'a Fact>) -> String {
    let lines: Vec<_> = facts.into_iter().map(Fact::text).collect();
    if lines.is_empty() { "No facts.".to_owned() } else { lines.join("\n") }
}

/// Where on both clocks an answer stands. Sent back, it repeats the answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct At {
    /// The moment of the world the answer is about.
    pub(super) as_of: String,
    /// The state of the memory it was answered from, as the number of a transaction.
    pub(super) known_at: String,
}

impl At {
    pub(super) fn new(basis: Option<&Basis>) -> At {
        let (as_of, known_at) = when::basis(basis);
        At { as_of, known_at }
    }

    pub(super) fn text(&self) -> String {
        format!("As of {}, known at {}.", self.as_of, self.known_at)
    }
}
