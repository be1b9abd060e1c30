//! How messages are written in a body, and how they follow one another.

use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    Proto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// The body is one message.
    Alone,
    /// Each message after five bytes of flags and length, and a last one that says how it ended.
    Enveloped,
    /// Each message on a line of its own.
    Lines,
}

/// What a body holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) form: Form,
    pub(super) framing: Framing,
}

const TYPES: [(&str, Content); 5] = [
    ("application/json", Content { form: Form::Json, framing: Framing::Alone }),
    ("application/proto", Content { form: Form::Proto, framing: Framing::Alone }),
    ("application/connect+json", Content { form: Form::Json, framing: Framing::Enveloped }),
    ("application/connect+proto", Content { form: Form::Proto, framing: Framing::Enveloped }),
    ("application/x-ndjson", Content { form: Form::Json, framing: Framing::Lines }),
];

impl Content {
    pub(super) fn of(headers: &HeaderMap) -> Option<Content> {
        let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
        let essence = value.split(';').next().unwrap_or_default().trim();
        let found = TYPES.iter().find(|(name, _)| essence.eq_ignore_ascii_case(name));
        found.map(|(_, content)| *content)
    }

    pub(super) fn media_type(self) -> &'static str {
        let found = TYPES.iter().find(|(_, content)| *content == self);
        found.map_or("application/json", |(name, _)| name)
    }

    /// What the answer to a body of this kind looks like, where the method takes such bodies.
    pub(super) fn answer(self, streams_in: bool, streams_out: bool) -> Option<Content> {
        let framing = match (self.framing, streams_in, streams_out) {
            (Framing::Alone, false, false) | (Framing::Lines, true, false) => Framing::Alone,
            (Framing::Alone, false, true) if self.form == Form::Json => Framing::Lines,
            (Framing::Lines, _, true) => Framing::Lines,
            (Framing::Enveloped, true, _) | (Framing::Enveloped, _, true) => Framing::Enveloped,
            _ => return None,
        };
        Some(Content { framing, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_answers_what() {
        let content = |name: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, name.parse().expect("a header"));
            Content::of(&headers)
        };
        let json = content("application/json; charset=utf-8").expect("known");
        let lines = content("application/x-ndjson").expect("known");
        let connect = content("Application/Connect+json").expect("known");
        assert_eq!(content("text/plain"), None);
        let answer = |asked: Content, streams_in, streams_out| {
            asked.answer(streams_in, streams_out).map(Content::media_type)
        };
        assert_eq!(answer(json, false, false), Some("application/json"));
        assert_eq!(answer(json, false, true), Some("application/x-ndjson"));
        assert_eq!(answer(json, true, false), None);
        assert_eq!(answer(lines, true, false), Some("application/json"));
        assert_eq!(answer(lines, false, false), None);
        assert_eq!(answer(connect, false, true), Some("application/connect+json"));
        assert_eq!(answer(connect, false, false), None);
    }
}
