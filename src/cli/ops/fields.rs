//! The keys of one JSON object, taken out one by one; what is left over is an error.

use serde_json::{Map, Value};

use crate::rpc::proto::{
    Bound, CivilDate, Evidence, Granularity, Object, Scope, Triple, Vector, Violation,
    bound::Bound as Kind,
};

use super::super::{
    error::violation,
    object,
    time_text::{self, Side},
};

pub(crate) const BAD_VALUE: &str = "BAD_VALUE";

pub(crate) struct Fields {
    /// Where the object stands, such as "ops[3]".
    path: String,
    map: Map<String, Value>,
}

impl Fields {
    pub(crate) fn new(path: String, value: Value) -> Result<Fields, Violation> {
        match value {
            Value::Object(map) => Ok(Fields { path, map }),
            other => {
                Err(violation(path, BAD_VALUE, format!("{} is no JSON object", brief(&other))))
            }
        }
    }

    /// The value of a key; null counts as left out.
    pub(crate) fn take(&mut self, key: &str) -> Option<Value> {
        self.map.shift_remove(key).filter(|value| !value.is_null())
    }

    pub(crate) fn fault(
        &self,
        key: &str,
        reason: &str,
        description: impl Into<String>,
    ) -> Violation {
        let path =
            if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        violation(path, reason, description)
    }

    pub(crate) fn text(&mut self, key: &str) -> Result<Option<String>, Violation> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => {
                Err(self.fault(key, BAD_VALUE, format!("{} is not text in quotes", brief(&other))))
            }
        }
    }

    pub(crate) fn needed_text(&mut self, key: &str, what: &str) -> Result<String, Violation> {
        self.text(key)?.ok_or_else(|| self.fault(key, "MISSING_KEY", format!("{what} is missing")))
    }

    /// Text under either of two keys.
    pub(crate) fn either_text(
        &mut self,
        key: &str,
        other: &str,
        what: &str,
    ) -> Result<String, Violation> {
        match (self.text(key)?, self.text(other)?) {
            (Some(_), Some(_)) => Err(self.fault(
                key,
                BAD_VALUE,
                format!("{key} and {other} mean the same; write one"),
            )),
            (Some(text), None) | (None, Some(text)) => Ok(text),
            (None, None) => Err(self.fault(key, "MISSING_KEY", format!("{what} is missing"))),
        }
    }

    pub(crate) fn boolean(&mut self, key: &str) -> Result<bool, Violation> {
        match self.take(key) {
            None => Ok(false),
            Some(Value::Bool(boolean)) => Ok(boolean),
            Some(other) => Err(self.fault(
                key,
                BAD_VALUE,
                format!("{} is neither true nor false", brief(&other)),
            )),
        }
    }

    pub(crate) fn object(&mut self, key: &str) -> Result<Option<Object>, Violation> {
        match self.take(key) {
            None => Ok(None),
            Some(value) => object::from_json(&value)
                .map(Some)
                .map_err(|description| self.fault(key, BAD_VALUE, description)),
        }
    }

    pub(crate) fn triple(&mut self) -> Result<Triple, Violation> {
        let subject = self.needed_text("s", "the subject")?;
        let predicate = self.needed_text("p", "the predicate")?;
        let object = self.object("o")?;
        if object.is_none() {
            return Err(self.fault("o", "MISSING_KEY", "the object is missing"));
        }
        Ok(Triple { subject, predicate, object })
    }

    /// A start or an end. A start that is null is refused, because a row prints an unknown start
    /// that way, while a start left out says "from now".
    pub(crate) fn bound(&mut self, key: &str, side: Side) -> Result<Option<Bound>, Violation> {
        if side == Side::Start && self.map.get(key).is_some_and(Value::is_null) {
            return Err(self.fault(
                key,
                "DATE_INVALID",
                "null could mean two things: write \"-inf\" for a start that is unknown, or leave the key out",
            ));
        }
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => time_text::bound(&text, side, "")
                .map(Some)
                .map_err(|description| self.fault(key, "DATE_INVALID", description)),
            Some(value) => {
                if let Some(bound) = full_instant(&value) {
                    return Ok(Some(bound));
                }
                let date = self.date_value(key, &value)?;
                Ok(Some(Bound { bound: Some(Kind::Date(date)), written: None }))
            }
        }
    }

    /// A point at which something changes: a date, and no infinity.
    pub(crate) fn point(&mut self, key: &str) -> Result<Option<Bound>, Violation> {
        if let Some(Value::String(text)) = self.map.get(key)
            && matches!(text.trim().to_ascii_lowercase().as_str(), "inf" | "+inf" | "-inf")
        {
            return Err(self.fault(key, "DATE_INVALID", format!("{text:?} is no date")));
        }
        self.bound(key, Side::End)
    }

    pub(crate) fn date(&mut self, key: &str) -> Result<Option<CivilDate>, Violation> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(time_text::date(text.trim(), ""))),
            Some(value) => self.date_value(key, &value).map(Some),
        }
    }

    /// A date with its zone, `{"date": "2021-03-05", "zone": "Asia/Seoul"}`.
    fn date_value(&self, key: &str, value: &Value) -> Result<CivilDate, Violation> {
        if let Value::Object(map) = value
            && let (Some(Value::String(text)), Some(Value::String(zone)), 2) =
                (map.get("date"), map.get("zone"), map.len())
        {
            return Ok(time_text::date(text, zone));
        }
        let description = match value {
            Value::Number(number) => bare_number(&number.to_string()),
            other => format!("{} is no date: write a string such as \"2021-03-05\"", brief(other)),
        };
        Err(self.fault(key, "DATE_INVALID", description))
    }

    pub(crate) fn evidence(&mut self) -> Result<Option<Evidence>, Violation> {
        let source = self.text("source")?;
        let trust = match self.text("trust")? {
            None => 0,
            Some(word) => super::trust(&word)
                .map_err(|description| self.fault("trust", BAD_VALUE, description))?
                .into(),
        };
        let confidence = self.share("confidence")?;
        let importance = self.share("importance")?;
        let statement = self.text("statement")?;
        let derived_from_ids = self.texts("derived_from")?;
        let evidence = Evidence {
            source: source.unwrap_or_default(),
            trust,
            confidence,
            statement: statement.unwrap_or_default(),
            derived_from_ids,
            importance,
            episode_id: self.text("episode")?.unwrap_or_default(),
            vector: self.vector("vector")?,
            scope: self.scope()?,
        };
        Ok((evidence != Evidence::default()).then_some(evidence))
    }

    pub(crate) fn share(&mut self, key: &str) -> Result<Option<f32>, Violation> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Number(number)) => Ok(number.as_f64().map(narrow)),
            Some(other) => {
                let description = format!("{} is no number from 0 to 1", brief(&other));
                Err(self.fault(key, BAD_VALUE, description))
            }
        }
    }

    /// Whom it is for. An empty owner alone is everybody.
    pub(crate) fn scope(&mut self) -> Result<Option<Scope>, Violation> {
        let (owner, labels) = (self.text("owner")?, self.texts("labels")?);
        if owner.is_none() && labels.is_empty() {
            return Ok(None);
        }
        Ok(Some(Scope { owner: owner.unwrap_or_default(), labels }))
    }

    /// A list of numbers.
    pub(crate) fn vector(&mut self, key: &str) -> Result<Option<Vector>, Violation> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let numbers = value.as_array().and_then(|items| {
            items.iter().map(|item| item.as_f64().map(narrow)).collect::<Option<Vec<_>>>()
        });
        match numbers {
            Some(numbers) => Ok(Some(Vector { numbers, model: String::new() })),
            None => Err(self.fault(key, BAD_VALUE, "a list of numbers belongs here")),
        }
    }

    pub(crate) fn texts(&mut self, key: &str) -> Result<Vec<String>, Violation> {
        let Some(value) = self.take(key) else { return Ok(Vec::new()) };
        let texts = value.as_array().and_then(|items| {
            items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
        });
        texts.ok_or_else(|| self.fault(key, BAD_VALUE, "a list of texts belongs here"))
    }

    /// Every key was understood.
    pub(crate) fn finish(self, known: &str) -> Result<(), Violation> {
        match self.map.keys().next() {
            None => Ok(()),
            Some(key) => Err(self.fault(
                key,
                "UNKNOWN_KEY",
                format!("{key:?} is not understood here; known are {known}"),
            )),
        }
    }
}

pub(crate) fn bare_number(number: &str) -> String {
    format!("a bare number ({number}) is no date: write it as a string such as \"2021-03-05\"")
}

/// `{"instant": "+12345-01-01T00:00:00Z"}`: what no date can say. As an export prints it, with the
/// words that it was resolved from: `"written"`, `"zone"`, `"granularity"`.
fn full_instant(value: &Value) -> Option<Bound> {
    let Value::Object(map) = value else { return None };
    let text = |key: &str| map.get(key).and_then(Value::as_str);
    let instant = time_text::parse_instant(text("instant")?)?;
    let bound = Some(Kind::Instant(instant));
    match (text("written"), text("zone"), text("granularity"), map.len()) {
        (None, None, None, 1) => Some(Bound { bound, written: None }),
        (Some(written), Some(zone), Some(word), 4) => {
            let granularity = Granularity::from_str_name(&format!("GRANULARITY_{word}"))?;
            let written = CivilDate {
                text: written.to_owned(),
                zone: zone.to_owned(),
                granularity: granularity.into(),
            };
            Some(Bound { bound, written: Some(written) })
        }
        _ => None,
    }
}

/// The wire carries confidence in single precision.
#[allow(clippy::cast_possible_truncation)]
fn narrow(number: f64) -> f32 {
    number as f32
}

/// Enough of a value to recognise it.
fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        None => text,
        Some((place, _)) => format!("{}…", &text[..place]),
    }
}
