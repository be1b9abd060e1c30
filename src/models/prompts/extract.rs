//! Claims out of what was said: who or what, which relation, what; since when; how sure; and where
//! it is said.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::types::limits::{
    CHAT_CLAIMS_MAX, CHAT_REPLY_TOKENS_MAX, DATE_BYTES_MAX, NAME_BYTES_MAX, VALUE_BYTES_MAX,
};

use super::super::chat::{Answer, Chat, ChatRequest};
use super::super::error::ChatError;
use super::fence::{Passage, RULE, bounded, fenced, is_confidence, says};

const TASK: &str = "You read turns of a conversation and list what is worth remembering for months: \
facts about persons, teams, projects and things, preferences, decisions, deadlines, corrections, \
ways of doing something. Leave out greetings, thanks, questions, guesses, and what is only true \
this minute. One claim has one subject, one predicate (lower case English words joined by _) and \
one object; resolve \"I\", \"my\" and their Korean counterparts (나, 저, 제, 내) to the speaker. Give \
valid_from and valid_to as the text says them, empty if it does not. Quote the words of the turn \
that say it, exactly. Confidence is from 0 to 1. No claims is a good answer.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    Fact,
    Preference,
    Decision,
    Correction,
    Deadline,
    Procedure,
    /// True for a day or so.
    State,
}

/// A proposal of the model, held against the turns.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Id of the turn that says it.
    pub turn: String,
    pub quote: String,
    pub subject: String,
    pub predicate: String,
    pub object: String,
    pub kind: ClaimKind,
    /// From 0 to 1.
    pub confidence: f64,
    /// As the text says it; empty if it says nothing.
    pub valid_from: String,
    pub valid_to: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    claims: Vec<Claim>,
}

/// # Errors
/// [`ChatError`]. Nothing of a reply that fails is used, and its text comes with the error.
pub async fn extract(chat: &Chat, turns: &[Passage<'_>]) -> Result<Answer<Vec<Claim>>, ChatError> {
    bounded(turns.len())?;
    chat.ask(&request(turns), |reply: Reply| checked(reply.claims, turns)).await
}

fn request(turns: &[Passage<'_>]) -> ChatRequest {
    let text = json!({"type": "string"});
    let kinds = ["fact", "preference", "decision", "correction", "deadline", "procedure", "state"];
    let names = [
        "turn",
        "quote",
        "subject",
        "predicate",
        "object",
        "kind",
        "confidence",
        "valid_from",
        "valid_to",
    ];
    let claim = json!({
        "type": "object", "additionalProperties": false, "required": names,
        "properties": {
            "turn": text, "quote": text, "subject": text, "predicate": text, "object": text,
            "kind": {"type": "string", "enum": kinds},
            "confidence": {"type": "number"}, "valid_from": text, "valid_to": text,
        },
    });
    ChatRequest {
        system: format!("{TASK}\n\n{RULE}"),
        user: fenced(&turns),
        name: "claims",
        schema: json!({
            "type": "object", "additionalProperties": false, "required": ["claims"],
            "properties": {"claims": {"type": "array", "items": claim}},
        }),
        tokens_max: CHAT_REPLY_TOKENS_MAX,
    }
}

fn checked(claims: Vec<Claim>, turns: &[Passage<'_>]) -> Result<Vec<Claim>, &'static str> {
    if claims.len() > CHAT_CLAIMS_MAX {
        return Err("it has too many claims");
    }
    for claim in &claims {
        let Some(turn) = turns.iter().find(|turn| turn.id == claim.turn) else {
            return Err("it names a turn that was not sent");
        };
        if !says(turn.text, &claim.quote) {
            return Err("it quotes what the turn does not say");
        }
        let names = [&claim.subject, &claim.predicate];
        if names.iter().any(|name| name.trim().is_empty() || name.len() > NAME_BYTES_MAX) {
            return Err("a subject or predicate is no name");
        }
        if claim.object.trim().is_empty() || claim.object.len() > VALUE_BYTES_MAX {
            return Err("an object is empty or too long");
        }
        if [&claim.valid_from, &claim.valid_to].iter().any(|date| date.len() > DATE_BYTES_MAX) {
            return Err("a date is too long");
        }
        if !is_confidence(claim.confidence) {
            return Err("a confidence is not from 0 to 1");
        }
    }
    Ok(claims)
}
