//! A summary of turns, merged with the one before it, within a number of tokens.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::types::limits::CHAT_REPLY_TOKENS_MAX;

use super::super::builtin::StaticModel;
use super::super::chat::{Answer, Chat, ChatRequest};
use super::super::error::ChatError;
use super::fence::{Passage, RULE, bounded, fenced};

const TASK: &str = "You keep the summary of a conversation. Merge the previous summary, if there is \
one, with the new turns into one text. Keep names, numbers, dates, decisions and what is still \
open; where a turn corrects the previous summary the turn is right and the old value is left out. \
Leave out greetings. Add nothing that is not there.";

/// Room beside the tokens of the text: tokenizers differ, and JSON has its own.
const TOKENS_SPARE: u32 = 200;

#[derive(Serialize)]
struct Sent<'a> {
    previous_summary: &'a str,
    turns: &'a [Passage<'a>],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    summary: String,
}

/// At most `tokens_max` tokens, as the model in the binary counts them.
///
/// # Errors
/// [`ChatError`].
pub async fn summarise(
    chat: &Chat,
    previous: &str,
    turns: &[Passage<'_>],
    tokens_max: u32,
) -> Result<Answer<String>, ChatError> {
    bounded(turns.len())?;
    let request = ChatRequest {
        system: format!("{TASK} Use at most {tokens_max} tokens.\n\n{RULE}"),
        user: fenced(&Sent { previous_summary: previous, turns }),
        name: "summary",
        schema: json!({
            "type": "object", "additionalProperties": false, "required": ["summary"],
            "properties": {"summary": {"type": "string"}},
        }),
        tokens_max: tokens_max
            .saturating_mul(2)
            .saturating_add(TOKENS_SPARE)
            .min(CHAT_REPLY_TOKENS_MAX),
    };
    let check = |Reply { summary }: Reply| {
        let tokens = StaticModel::shared().count_tokens(&summary);
        match summary.trim() {
            "" => Err("the summary is empty"),
            _ if tokens > tokens_max as usize => Err("the summary is longer than was asked for"),
            summary => Ok(summary.to_owned()),
        }
    };
    chat.ask(&request, check).await
}
