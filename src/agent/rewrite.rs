//! A summary as a chat model writes it, of the turns that the extractive one is of.
//!
//! Nothing here fails: where the model cannot be used the summary stays extractive, and says why.

use crate::engine::{Engine, ReadError};
use crate::models::prompts::{self, Passage};
use crate::models::{Chat, spent};
use crate::types::limits::{CHAT_TEXTS_MAX, SUMMARY_CALL_BYTES_MAX, SUMMARY_CALLS_MAX};
use crate::types::{Name, Purpose, Trust};

use super::fold::Due;
use super::session::{Session, Turn};

/// Over the budget of the namespace for summaries.
pub const OVER_BUDGET: &str = "OVER_BUDGET";
/// More turns than a model is asked to read.
const TOO_MANY: &str = "TOO_MANY";

/// The turns that a summary is to be made of, a call each; none where they are too many.
///
/// # Errors
/// When the store cannot be read.
pub fn to_read(session: &Session, due: &Due) -> Result<Option<Vec<Vec<Turn>>>, ReadError> {
    let mut calls: Vec<Vec<Turn>> = Vec::new();
    let mut bytes = 0;
    for place in due.material.first..due.material.through {
        let turn = session.turn(place)?;
        let length = turn.episode.text.len();
        let fits = bytes + length <= SUMMARY_CALL_BYTES_MAX;
        let count = calls.len();
        match calls.last_mut() {
            Some(call) if fits && call.len() < CHAT_TEXTS_MAX => {
                bytes += length;
                call.push(turn);
            }
            _ if count == SUMMARY_CALLS_MAX => return Ok(None),
            _ => {
                bytes = length;
                calls.push(vec![turn]);
            }
        }
    }
    Ok(Some(calls))
}

/// The summary in the words of the model, merged with the one before it call by call.
pub async fn rewritten(
    engine: &Engine,
    namespace: &Name,
    chat: &Chat,
    due: Due,
    calls: Option<Vec<Vec<Turn>>>,
) -> Due {
    let Some(calls) = calls else { return due.fallen_back(TOO_MANY) };
    let mut text = due.material.previous.clone();
    for turns in &calls {
        if !engine.may_spend(namespace, Purpose::Summarise) {
            return due.fallen_back(OVER_BUDGET);
        }
        let ids: Vec<String> = turns.iter().map(|turn| turn.episode.id.to_string()).collect();
        let passages: Vec<Passage<'_>> = turns.iter().zip(&ids).map(passage).collect();
        let tokens_max = u32::try_from(due.material.tokens_max).unwrap_or(u32::MAX);
        let answer = prompts::summarise(chat, &text, &passages, tokens_max).await;
        engine.spent(namespace, Purpose::Summarise, &spent(&answer));
        match answer {
            Ok(answer) => text = answer.value,
            Err(error) => return due.fallen_back(error.kind()),
        }
    }
    if calls.is_empty() {
        return due;
    }
    // A model's words are its conclusion, whoever said what it read.
    let trust = due.trust.min(Trust::Inferred);
    Due { text, trust, model: Some(chat.model_name().to_owned()), ..due }
}

fn passage<'a>((turn, id): (&'a Turn, &'a String)) -> Passage<'a> {
    let role = turn.episode.speaker.as_deref().unwrap_or_default();
    Passage { id, role, time: "", text: &turn.episode.text }
}
