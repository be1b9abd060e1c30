//! A file of a history, read whole, with everything that is wrong in it.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::types::limits::{
    EPISODE_BYTES_MAX, EVAL_LINES_MAX, EVAL_VALUES_MAX, NAME_BYTES_MAX, QUERY_BYTES_MAX,
};

use super::fields::Fields;
use super::history::{End, Entry, History, Question, Turn};
use super::holds::holds;

/// Something that is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Counted from 1. 0: of the whole file.
    pub line: usize,
    /// Empty where it is about the whole line.
    pub key: String,
    pub reason: &'static str,
    pub text: String,
}

/// Reads one JSON object a line; empty lines are skipped.
///
/// # Errors
/// Every fault of the file, in the order of its lines.
pub fn parse(text: &str) -> Result<History, Vec<Fault>> {
    let mut reading = Reading::default();
    for (place, line) in text.lines().enumerate() {
        if place >= EVAL_LINES_MAX {
            reading.whole("TOO_MANY", format!("there are more than {EVAL_LINES_MAX} lines"));
            break;
        }
        if !line.trim().is_empty() {
            reading.line(place + 1, line);
        }
    }
    let Reading { history, mut faults, sessions, questions } = reading;
    let whole =
        |text: &str, reason| Fault { line: 0, key: String::new(), reason, text: text.to_owned() };
    if sessions.is_empty() {
        faults.push(whole("there is no turn", "NO_TURNS"));
    }
    if questions == 0 {
        faults.push(whole("there is no question", "NO_QUESTIONS"));
    }
    if faults.is_empty() { Ok(history) } else { Err(faults) }
}

#[derive(Default)]
struct Reading {
    history: History,
    faults: Vec<Fault>,
    /// Whether each has ended.
    sessions: HashMap<String, bool>,
    questions: usize,
}

impl Reading {
    fn whole(&mut self, reason: &'static str, text: String) {
        self.faults.push(Fault { line: 0, key: String::new(), reason, text });
    }

    fn line(&mut self, number: usize, line: &str) {
        let mut bad = |reason, text: String| {
            self.faults.push(Fault { line: number, key: String::new(), reason, text });
        };
        let object = match serde_json::from_str(line) {
            Ok(Value::Object(object)) => object,
            Ok(_) => return bad("NOT_AN_OBJECT", "is no JSON object".to_owned()),
            Err(cause) => {
                return bad("NOT_JSON", format!("is no JSON from byte {} on", cause.column()));
            }
        };
        if object.contains_key("question") {
            self.questions += 1;
            self.question(number, object);
        } else if object.contains_key("end") {
            self.end(number, object);
        } else {
            self.turn(number, object);
        }
    }

    fn turn(&mut self, number: usize, object: Map<String, Value>) {
        let mut fields = Fields::new(number, object, &mut self.faults);
        let session = fields.text("session", NAME_BYTES_MAX);
        let role = fields.text("role", NAME_BYTES_MAX);
        let content = fields.text("content", EPISODE_BYTES_MAX);
        let time = fields.time("time");
        if self.sessions.get(&session) == Some(&true) {
            fields.fault("session", "SESSION_ENDED", format!("{session:?} has ended before"));
        }
        fields.end("session, role, content and time");
        if !session.is_empty() {
            self.sessions.entry(session.clone()).or_insert(false);
        }
        self.history.entries.push(Entry::Turn(Turn { session, role, content, time }));
    }

    fn end(&mut self, number: usize, object: Map<String, Value>) {
        let mut fields = Fields::new(number, object, &mut self.faults);
        let session = fields.text("end", NAME_BYTES_MAX);
        match self.sessions.insert(session.clone(), true) {
            Some(false) => {}
            Some(true) => {
                fields.fault("end", "SESSION_ENDED", format!("{session:?} has ended before"));
            }
            None if session.is_empty() => {}
            None => fields.fault("end", "SESSION_UNKNOWN", format!("{session:?} has no turn yet")),
        }
        fields.end("end alone");
        self.history.entries.push(Entry::End(End { session }));
    }

    fn question(&mut self, number: usize, object: Map<String, Value>) {
        let mut fields = Fields::new(number, object, &mut self.faults);
        let text = fields.text("question", QUERY_BYTES_MAX);
        let at = fields.time("at");
        let session = fields.optional("session", NAME_BYTES_MAX);
        let has_answers = fields.has("answers");
        let answers = fields.texts("answers", EVAL_VALUES_MAX);
        let superseded = fields.texts("superseded", EVAL_VALUES_MAX);
        if !has_answers {
            fields.fault("answers", "MISSING_KEY", "is not there");
        } else if answers.is_empty() {
            fields.fault("answers", "EMPTY", "names no value that answers the question");
        }
        for old in &superseded {
            // A line that shows the one would show the other, and the judge could not tell.
            if answers.iter().any(|new| holds(new, old) || holds(old, new)) {
                let text = format!("{old:?} stands inside an answer, or an answer in it");
                fields.fault("superseded", "ANSWER_AND_SUPERSEDED", text);
            }
        }
        if let Some(name) = session.as_ref().filter(|name| !self.sessions.contains_key(*name)) {
            fields.fault("session", "SESSION_UNKNOWN", format!("{name:?} has no turn yet"));
        }
        fields.end("question, at, session, answers and superseded");
        let question = Question { text, at, session, answers, superseded };
        self.history.entries.push(Entry::Question(question));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Language, generate};

    const GOOD: &str = r#"{"session": "s", "role": "user", "content": "I live in Seoul."}
{"question": "Where do I live?", "session": "s", "answers": ["Seoul"]}"#;

    fn reasons(text: &str) -> Vec<(usize, &'static str)> {
        let faults = parse(text).err().unwrap_or_default();
        faults.into_iter().map(|fault| (fault.line, fault.reason)).collect()
    }

    #[test]
    fn what_is_printed_is_read_again() {
        for language in Language::ALL {
            let history = generate(language, 7, 2);
            assert_eq!(parse(&history.printed()), Ok(history));
        }
        assert_eq!(parse(GOOD).map(|history| history.entries.len()), Ok(2));
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let bad = [
            "not json",
            "[1]",
            r#"{"session": "t", "role": 3, "content": " ", "time": "monday", "mood": 1}"#,
            r#"{"end": "nobody"}"#,
            r#"{"question": "q", "session": "who", "answers": []}"#,
            r#"{"question": "q", "answers": ["a b"], "superseded": ["a", "!"]}"#,
            r#"{"end": "s"}"#,
            r#"{"session": "s", "role": "user", "content": "more"}"#,
            r#"{"end": "s"}"#,
            r#"{"question": "q", "answers": "Seoul"}"#,
            r#"{"role": "user"}"#,
        ];
        let found = reasons(&format!("{GOOD}\n{}", bad.join("\n")));
        let expected = [
            (3, "NOT_JSON"),
            (4, "NOT_AN_OBJECT"),
            (5, "WRONG_TYPE"),
            (5, "EMPTY"),
            (5, "BAD_TIME"),
            (5, "UNKNOWN_KEY"),
            (6, "SESSION_UNKNOWN"),
            (7, "EMPTY"),
            (7, "SESSION_UNKNOWN"),
            (8, "EMPTY"),
            (8, "ANSWER_AND_SUPERSEDED"),
            (10, "SESSION_ENDED"),
            (11, "SESSION_ENDED"),
            (12, "WRONG_TYPE"),
            (12, "EMPTY"),
            (13, "MISSING_KEY"),
            (13, "MISSING_KEY"),
        ];
        assert_eq!(found, expected);
        assert_eq!(reasons(""), [(0, "NO_TURNS"), (0, "NO_QUESTIONS")]);
    }
}
