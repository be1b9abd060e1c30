//! Conclusions from what was observed, each with the observations it rests on.

use serde::Deserialize;
use serde_json::json;

use crate::types::limits::{CHAT_CLAIMS_MAX, CHAT_REPLY_TOKENS_MAX, STATEMENT_BYTES_MAX};

use super::super::chat::{Answer, Chat, ChatRequest};
use super::super::error::ChatError;
use super::fence::{Passage, RULE, bounded, fenced, is_confidence};

const TASK: &str = "You read observations of a memory and draw the few conclusions that follow from \
several of them and that none of them says: habits, causes of failures, what to do differently. \
Each conclusion is one sentence, names the ids of all observations it rests on (two or more), and \
has a confidence from 0 to 1. No conclusions is a good answer.";

/// Observations that a conclusion rests on at least.
const EVIDENCE_MIN: usize = 2;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conclusion {
    pub text: String,
    /// Ids of observations that were sent, each once.
    pub evidence: Vec<String>,
    /// From 0 to 1.
    pub confidence: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    conclusions: Vec<Conclusion>,
}

/// # Errors
/// [`ChatError`].
pub async fn reflect(
    chat: &Chat,
    observations: &[Passage<'_>],
) -> Result<Answer<Vec<Conclusion>>, ChatError> {
    bounded(observations.len())?;
    let item = json!({
        "type": "object", "additionalProperties": false,
        "required": ["text", "evidence", "confidence"],
        "properties": {
            "text": {"type": "string"},
            "evidence": {"type": "array", "items": {"type": "string"}},
            "confidence": {"type": "number"},
        },
    });
    let request = ChatRequest {
        system: format!("{TASK}\n\n{RULE}"),
        user: fenced(&observations),
        name: "conclusions",
        schema: json!({
            "type": "object", "additionalProperties": false, "required": ["conclusions"],
            "properties": {"conclusions": {"type": "array", "items": item}},
        }),
        tokens_max: CHAT_REPLY_TOKENS_MAX,
    };
    chat.ask(&request, |reply: Reply| checked(reply.conclusions, observations)).await
}

fn checked(
    conclusions: Vec<Conclusion>,
    observations: &[Passage<'_>],
) -> Result<Vec<Conclusion>, &'static str> {
    if conclusions.len() > CHAT_CLAIMS_MAX {
        return Err("it has too many conclusions");
    }
    for Conclusion { text, evidence, confidence } in &conclusions {
        if text.trim().is_empty() || text.len() > STATEMENT_BYTES_MAX {
            return Err("a conclusion is empty or too long");
        }
        let was_sent = |id: &String| observations.iter().any(|sent| sent.id == id);
        if !evidence.iter().all(was_sent) {
            return Err("it names an observation that was not sent");
        }
        let repeats = |at: usize| evidence[..at].contains(&evidence[at]);
        if evidence.len() < EVIDENCE_MIN || (0..evidence.len()).any(repeats) {
            return Err("a conclusion rests on fewer observations than two");
        }
        if !is_confidence(*confidence) {
            return Err("a confidence is not from 0 to 1");
        }
    }
    Ok(conclusions)
}
