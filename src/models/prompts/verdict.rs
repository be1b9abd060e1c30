//! What becomes of something new beside what is near it already.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::types::limits::STATEMENT_BYTES_MAX;

use super::super::chat::{Answer, Chat, ChatRequest};
use super::super::error::ChatError;
use super::fence::{Passage, RULE, bounded, fenced};

const TASK: &str = "You keep a memory tidy. Compare the new item with the existing ones. KEEP: it \
says something none of them says; text and existing are empty. DISCARD: one of them says it \
already, and existing has its id; text is empty. MERGE: it completes one of them, existing has its \
id, and text is one item that says what both say and no more, in the words of both. Two items that contradict each other \
are never merged: KEEP the new one.";

/// Tokens of a verdict.
const TOKENS_MAX: u32 = 2_048;

/// An item that is stored already.
pub type Existing<'a> = Passage<'a>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Word {
    Keep,
    Discard,
    Merge,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Keep,
    /// It only reinforces the existing one.
    Discard {
        existing: String,
    },
    /// One text in the place of both.
    Merge {
        existing: String,
        text: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub action: Action,
    pub why: String,
}

#[derive(Serialize)]
struct Sent<'a> {
    new_item: &'a str,
    existing: &'a [Existing<'a>],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    verdict: Word,
    existing: String,
    text: String,
    why: String,
}

/// # Errors
/// [`ChatError`].
pub async fn consolidate(
    chat: &Chat,
    new: &str,
    existing: &[Existing<'_>],
) -> Result<Answer<Verdict>, ChatError> {
    bounded(existing.len())?;
    let text = json!({"type": "string"});
    let request = ChatRequest {
        system: format!("{TASK}\n\n{RULE}"),
        user: fenced(&Sent { new_item: new, existing }),
        name: "verdict",
        schema: json!({
            "type": "object", "additionalProperties": false,
            "required": ["verdict", "existing", "text", "why"],
            "properties": {
                "verdict": {"type": "string", "enum": ["KEEP", "DISCARD", "MERGE"]},
                "existing": text, "text": text, "why": text,
            },
        }),
        tokens_max: TOKENS_MAX,
    };
    chat.ask(&request, |reply| checked(reply, existing)).await
}

fn checked(reply: Reply, sent: &[Existing<'_>]) -> Result<Verdict, &'static str> {
    let Reply { verdict, existing, text, why } = reply;
    let text_is_good = !text.trim().is_empty() && text.len() <= STATEMENT_BYTES_MAX;
    let is_known = sent.iter().any(|item| item.id == existing);
    let action = match verdict {
        Word::Keep => Action::Keep,
        Word::Discard | Word::Merge if !is_known => {
            return Err("it names an item that was not sent");
        }
        Word::Discard => Action::Discard { existing },
        Word::Merge if !text_is_good => return Err("the merged text is empty or too long"),
        Word::Merge => Action::Merge { existing, text },
    };
    Ok(Verdict { action, why })
}
