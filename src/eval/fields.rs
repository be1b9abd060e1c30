//! The keys of one line, taken one by one; what is wrong with each is noted, and the next is read.

use chrono::DateTime;
use serde_json::{Map, Value};

use super::parse::Fault;

pub(super) struct Fields<'a> {
    line: usize,
    object: Map<String, Value>,
    faults: &'a mut Vec<Fault>,
}

impl Fields<'_> {
    pub(super) fn new(
        line: usize,
        object: Map<String, Value>,
        faults: &mut Vec<Fault>,
    ) -> Fields<'_> {
        Fields { line, object, faults }
    }

    pub(super) fn fault(&mut self, key: &str, reason: &'static str, text: impl Into<String>) {
        self.faults.push(Fault { line: self.line, key: key.to_owned(), reason, text: text.into() });
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.object.contains_key(key)
    }

    /// A text that must be there and say something. An empty one stands for what is wrong.
    pub(super) fn text(&mut self, key: &str, bytes_max: usize) -> String {
        match self.optional(key, bytes_max) {
            Some(text) => text,
            None => {
                if !self.faults.iter().any(|f| f.line == self.line && f.key == key) {
                    self.fault(key, "MISSING_KEY", "is not there");
                }
                String::new()
            }
        }
    }

    pub(super) fn optional(&mut self, key: &str, bytes_max: usize) -> Option<String> {
        match self.object.shift_remove(key) {
            None => None,
            Some(Value::String(text)) if text.trim().is_empty() => {
                self.fault(key, "EMPTY", "says nothing");
                None
            }
            Some(Value::String(text)) if text.len() > bytes_max => {
                self.fault(key, "TOO_LONG", format!("has more than {bytes_max} bytes"));
                None
            }
            Some(Value::String(text)) => Some(text),
            Some(_) => {
                self.fault(key, "WRONG_TYPE", "is no text");
                None
            }
        }
    }

    pub(super) fn time(&mut self, key: &str) -> Option<String> {
        let text = self.optional(key, 64)?;
        if DateTime::parse_from_rfc3339(&text).is_ok() {
            return Some(text);
        }
        let wanted = "is no time: write it like 2024-03-04T09:00:00Z";
        self.fault(key, "BAD_TIME", wanted);
        None
    }

    /// Texts, none of them empty.
    pub(super) fn texts(&mut self, key: &str, count_max: usize) -> Vec<String> {
        let list = match self.object.shift_remove(key) {
            None => return Vec::new(),
            Some(Value::Array(list)) => list,
            Some(_) => {
                self.fault(key, "WRONG_TYPE", "is no list of texts");
                return Vec::new();
            }
        };
        if list.len() > count_max {
            self.fault(key, "TOO_MANY", format!("has more than {count_max} values"));
            return Vec::new();
        }
        let mut texts = Vec::new();
        for value in list {
            match value {
                Value::String(text) if text.chars().any(char::is_alphanumeric) => texts.push(text),
                Value::String(_) => self.fault(key, "EMPTY", "has a value that says nothing"),
                _ => self.fault(key, "WRONG_TYPE", "has a value that is no text"),
            }
        }
        texts
    }

    /// What is left is known to nobody.
    pub(super) fn end(mut self, known: &str) {
        for key in self.object.keys().cloned().collect::<Vec<_>>() {
            self.fault(&key, "UNKNOWN_KEY", format!("is no key of such a line; there are {known}"));
        }
    }
}
