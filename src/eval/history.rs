//! A history as the file holds it: what was said, where sessions end, and what is asked in between,
//! in the order it happens.

use serde_json::{Map, Value, json};

/// A history, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    pub entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    Turn(Turn),
    End(End),
    Question(Question),
}

/// What one message of a conversation says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub session: String,
    pub role: String,
    pub content: String,
    /// RFC 3339. None: when it is appended.
    pub time: Option<String>,
}

/// A session that takes no more turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    pub session: String,
}

/// What an agent needs to know at this place of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub text: String,
    /// RFC 3339. None: when it is asked.
    pub at: Option<String>,
    /// The session it is asked in. None: a new one, in which nothing was said.
    pub session: Option<String>,
    /// Values of which any one answers it.
    pub answers: Vec<String>,
    /// Values that answered it once, and do so no more.
    pub superseded: Vec<String>,
}

impl History {
    #[must_use]
    pub fn questions(&self) -> usize {
        self.entries.iter().filter(|entry| matches!(entry, Entry::Question(_))).count()
    }

    #[must_use]
    pub fn turns(&self) -> usize {
        self.entries.iter().filter(|entry| matches!(entry, Entry::Turn(_))).count()
    }

    /// One JSON object a line, as [`super::parse`] reads it.
    #[must_use]
    pub fn printed(&self) -> String {
        let mut text = String::new();
        for entry in &self.entries {
            text += &entry.json().to_string();
            text.push('\n');
        }
        text
    }
}

impl Entry {
    fn json(&self) -> Value {
        match self {
            Entry::Turn(turn) => {
                let mut object = Map::new();
                object.insert("session".to_owned(), json!(turn.session));
                object.insert("role".to_owned(), json!(turn.role));
                object.insert("content".to_owned(), json!(turn.content));
                put(&mut object, "time", turn.time.as_ref());
                Value::Object(object)
            }
            Entry::End(end) => json!({ "end": end.session }),
            Entry::Question(question) => {
                let mut object = Map::new();
                object.insert("question".to_owned(), json!(question.text));
                put(&mut object, "at", question.at.as_ref());
                put(&mut object, "session", question.session.as_ref());
                object.insert("answers".to_owned(), json!(question.answers));
                if !question.superseded.is_empty() {
                    object.insert("superseded".to_owned(), json!(question.superseded));
                }
                Value::Object(object)
            }
        }
    }
}

fn put(object: &mut Map<String, Value>, key: &str, value: Option<&String>) {
    if let Some(value) = value {
        object.insert(key.to_owned(), json!(value));
    }
}
