//! A chat server that plays extractor, summariser and reflector from what it is sent, or what a
//! test gives it instead.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use serde_json::{Value, json};

use crate::stub::{Answer, Request};

/// A reply with this text in it, as a server of that shape sends it.
pub(crate) fn said(text: &impl ToString) -> Answer {
    Answer::ok(&reply(&text.to_string(), "stop"))
}

pub(crate) fn reply(text: &str, finish_reason: &str) -> Value {
    json!({
        "object": "chat.completion",
        "choices": [{
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": finish_reason,
        }],
        "usage": {"prompt_tokens": 30, "completion_tokens": 12, "total_tokens": 42},
    })
}

/// What a request was about: the JSON between its marks.
pub(crate) fn data(request: &Request) -> Value {
    let user = request.body["messages"][1]["content"].as_str().expect("a user message");
    let inside = user.strip_prefix("<data>").and_then(|user| user.strip_suffix("</data>"));
    serde_json::from_str(inside.expect("two marks")).expect("JSON between the marks")
}

pub(crate) fn claim(turn: &str, quote: &str) -> Value {
    json!({
        "turn": turn, "quote": quote, "subject": "Mina", "predicate": "lives_in",
        "object": "Busan", "kind": "fact", "confidence": 0.9, "valid_from": "last month",
        "valid_to": "",
    })
}

/// What an honest model replies: it counts the turns of a summary, concludes from the first two
/// observations, finds no fact, and keeps what is new.
pub(crate) fn play(request: &Request) -> Value {
    let name = &request.body["response_format"]["json_schema"]["name"];
    let said = match name.as_str().unwrap_or_default() {
        "summary" => {
            let data = data(request);
            let turns = data["turns"].as_array().map_or(0, Vec::len);
            json!({"summary": format!("{turns} turns after {}", data["previous_summary"])})
        }
        "conclusions" => {
            let data = data(request);
            let evidence = [data[0]["id"].clone(), data[1]["id"].clone()];
            json!({"conclusions": [{"text": "It follows.", "evidence": evidence, "confidence": 0.5}]})
        }
        "claims" => json!({"claims": []}),
        _ => json!({"verdict": "KEEP", "existing": "", "text": "", "why": "it is new"}),
    };
    reply(&said.to_string(), "stop")
}
