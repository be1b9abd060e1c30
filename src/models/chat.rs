//! A model behind a `/chat/completions` endpoint of the shape that `OpenAI` made common, asked for
//! one JSON object of a given schema.
//!
//! What a call cost is told also where its reply cannot be used, and such a reply comes with the
//! error, so that whoever asked can keep what was there. Nothing here says what is true: a reply is
//! a proposal, and [`prompts`](super::prompts) hold it against what was sent.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::types::limits::{
    CHAT_RAW_BYTES_MAX, CHAT_REPLY_TOKENS_MAX, CHAT_TEXT_BYTES_MAX, CHAT_TOKEN_BYTES_MAX,
    MODEL_REPLY_BYTES_MAX,
};

use crate::types::Cost;

use super::address::Address;
use super::builtin::StaticModel;
use super::call::{CallConfig, Caller};
use super::error::{ChatError, ConfigError, RawReply};
use super::key::ApiKey;
use super::text::cut_at;
use super::usage::Usage;

#[derive(Clone, Debug)]
pub struct ChatConfig {
    pub address: Address,
    pub model: String,
    pub key: Option<ApiKey>,
    pub call: CallConfig,
}

impl ChatConfig {
    #[must_use]
    pub fn new(address: Address, model: &str) -> ChatConfig {
        let (model, call) = (model.to_owned(), CallConfig::default());
        ChatConfig { address, model, key: None, call }
    }
}

/// One question to a model.
#[derive(Clone, Debug)]
pub struct ChatRequest {
    /// What is wanted: written by us.
    pub system: String,
    /// What it is wanted of: written by others.
    pub user: String,
    /// Of the schema, a word.
    pub name: &'static str,
    /// JSON schema of the reply.
    pub schema: Value,
    /// Tokens of the reply.
    pub tokens_max: u32,
}

/// Tokens that one call cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tokens {
    pub prompt: u64,
    pub completion: u64,
    /// The other side did not say, and the model in the binary counted.
    pub is_estimate: bool,
}

impl Tokens {
    #[must_use]
    pub const fn total(self) -> u64 {
        self.prompt.saturating_add(self.completion)
    }
}

/// What a model replied, and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<T> {
    pub value: T,
    pub tokens: Tokens,
}

/// What a call has cost, whether or not its reply could be used. What was not sent cost nothing.
#[must_use]
pub fn spent<T>(answer: &Result<Answer<T>, ChatError>) -> Cost {
    let tokens = match answer {
        Ok(answer) => answer.tokens,
        Err(ChatError::TooLong { .. } | ChatError::TooMany { .. }) => return Cost::default(),
        Err(error) => error.tokens(),
    };
    Cost {
        calls: 1,
        failures: u64::from(answer.is_err()),
        prompt_tokens: tokens.prompt,
        completion_tokens: tokens.completion,
        estimated_tokens: if tokens.is_estimate { tokens.total() } else { 0 },
    }
}

#[derive(Debug)]
pub struct Chat {
    config: ChatConfig,
    caller: Caller,
}

#[derive(Deserialize)]
struct Reply {
    choices: Vec<Choice>,
    /// Not every server has it, and then the tokens are counted here.
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
}

impl Chat {
    /// Does not call the model.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn new(config: ChatConfig) -> Result<Chat, ConfigError> {
        if config.model.trim().is_empty() {
            return Err(ConfigError::NoModel);
        }
        let url = config.address.of("/v1", "/chat/completions");
        let caller = Caller::new(url, config.key.clone(), config.call)?;
        Ok(Chat { config, caller })
    }

    #[must_use]
    pub fn model_name(&self) -> &str {
        &self.config.model
    }

    #[must_use]
    pub fn usage(&self) -> Usage {
        self.caller.counters.usage()
    }

    /// Asks for one JSON object, reads it, and holds it against what was sent.
    ///
    /// # Errors
    /// [`ChatError`]; what the call cost is [`ChatError::tokens`].
    pub async fn ask<T: DeserializeOwned, U>(
        &self,
        request: &ChatRequest,
        check: impl FnOnce(T) -> Result<U, &'static str>,
    ) -> Result<Answer<U>, ChatError> {
        let (text, tokens, is_cut) = self.complete(request).await?;
        let raw = || RawReply { text: cut_at(&text, CHAT_RAW_BYTES_MAX).to_owned(), tokens };
        let checked = match serde_json::from_str(unfenced(&text)) {
            Ok(read) => check(read).map_err(|fault| ChatError::Unfounded { fault, reply: raw() }),
            Err(_) if is_cut => {
                Err(ChatError::Cut { tokens_max: request.tokens_max, reply: raw() })
            }
            Err(error) => {
                let (line, column) = (error.line(), error.column());
                Err(ChatError::Unreadable { line, column, reply: raw() })
            }
        };
        let counters = &self.caller.counters;
        match &checked {
            Ok(_) => counters.inputs.add(1),
            Err(_) => counters.failures.add(1),
        }
        checked.map(|value| Answer { value, tokens })
    }

    /// The text of the reply, its tokens, and whether it was cut off.
    async fn complete(&self, request: &ChatRequest) -> Result<(String, Tokens, bool), ChatError> {
        let bytes = request.system.len() + request.user.len();
        if bytes > CHAT_TEXT_BYTES_MAX {
            return Err(ChatError::TooLong { bytes, bytes_max: CHAT_TEXT_BYTES_MAX });
        }
        let tokens_max = request.tokens_max.clamp(1, CHAT_REPLY_TOKENS_MAX);
        let body = self.body(request, tokens_max);
        let bytes_max = MODEL_REPLY_BYTES_MAX + tokens_max as usize * CHAT_TOKEN_BYTES_MAX;
        let reply: Reply = self.caller.post(&body, bytes_max).await?;
        let choice = reply.choices.into_iter().next();
        let is_cut = choice.as_ref().is_some_and(|choice| {
            choice.finish_reason.as_deref().is_some_and(|reason| reason == "length")
        });
        let text = choice.and_then(|choice| choice.message.content).unwrap_or_default();
        let tokens = tokens(&reply.usage, request, &text);
        self.caller.counters.tokens.add(tokens.total());
        if text.trim().is_empty() {
            self.caller.counters.failures.add(1);
            return Err(ChatError::NoAnswer { tokens });
        }
        Ok((text, tokens, is_cut))
    }

    fn body(&self, request: &ChatRequest, tokens_max: u32) -> Value {
        json!({
            "model": self.config.model,
            "temperature": 0,
            "max_tokens": tokens_max,
            "messages": [
                {"role": "system", "content": request.system},
                {"role": "user", "content": request.user},
            ],
            "response_format": {"type": "json_schema", "json_schema": {
                "name": request.name, "strict": true, "schema": request.schema,
            }},
        })
    }
}

/// A budget cannot be kept with a server that says nothing, so its tokens are counted here.
fn tokens(usage: &Value, request: &ChatRequest, reply: &str) -> Tokens {
    let said = |name: &str| usage.get(name).and_then(Value::as_u64);
    if let (Some(prompt), Some(completion)) = (said("prompt_tokens"), said("completion_tokens")) {
        return Tokens { prompt, completion, is_estimate: false };
    }
    let count = |text: &str| StaticModel::shared().count_tokens(text) as u64;
    let prompt = count(&request.system) + count(&request.user);
    Tokens { prompt, completion: count(reply), is_estimate: true }
}

/// Models that were not trained on schemas put JSON between fences.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let Some(inside) = text.strip_prefix("```").and_then(|text| text.strip_suffix("```")) else {
        return text;
    };
    inside.strip_prefix("json").unwrap_or(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_taken_off_where_there_are_two() {
        for (text, expected) in [
            ("{}", "{}"),
            (" {} \n", "{}"),
            ("```json\n{}\n```", "\n{}\n"),
            ("```\n{}```", "\n{}"),
            ("```json\n{}", "```json\n{}"),
        ] {
            assert_eq!(unfenced(text), expected, "{text:?}");
        }
    }
}
