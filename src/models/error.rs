//! Why a model gave nothing. No key and no address is ever in it, and no text that was sent, unless
//! the other side quotes it in a refusal.

use std::fmt::{self, Debug, Formatter};
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::types::VectorError;
use crate::types::limits::MODEL_WAIT_MILLIS_MAX;

use super::chat::Tokens;

/// What is wrong with the description of an endpoint.
#[derive(Debug, Error)]
pub enum ConfigError {
    #[error("the address of the model is no http or https URL")]
    BadUrl,
    #[error(
        "the address of the model has a user or a password in it; a key has a place of its own"
    )]
    UrlWithPassword,
    #[error("the key is empty, too long, or has characters that cannot stand in a header")]
    BadKey,
    #[error("the environment has no variable `{variable}` with a key")]
    NoSuchVariable { variable: String },
    #[error("the file {} with the key cannot be read", path.display())]
    UnreadableKey { path: PathBuf, source: std::io::Error },
    #[error("the model has no name")]
    NoModel,
    #[error("{name} is {given}, 1 to {max} are allowed")]
    OutOfRange { name: &'static str, given: u64, max: u64 },
    #[error("the HTTP client could not be set up")]
    Client(#[source] reqwest::Error),
}

/// Why no reply came back, whatever was asked.
#[derive(Debug, Error)]
pub enum CallError {
    #[error("no connection to the model")]
    Connect(#[source] reqwest::Error),
    #[error("the model did not answer in {} ms", time_out.as_millis())]
    TimedOut { time_out: Duration },
    #[error("the connection to the model broke")]
    Broken(#[source] reqwest::Error),
    /// It asks for a longer wait than is allowed, or every attempt was sent away.
    #[error(
        "the model has too much to do{}",
        retry_after.map(|wait| format!(
            "; it asks for {} s, {} s are waited at most",
            wait.as_secs(), MODEL_WAIT_MILLIS_MAX / 1_000
        )).unwrap_or_default()
    )]
    Throttled { retry_after: Option<Duration> },
    #[error("the model failed with HTTP {status}")]
    Unavailable { status: u16 },
    #[error("the model refused with HTTP {status}: {message}")]
    Refused { status: u16, message: String },
    #[error("the reply of the model has more than {bytes_max} bytes")]
    TooLarge { bytes_max: usize },
    /// The parser's own words may quote the reply, which may quote the request.
    #[error("the reply of the model is not of the expected shape (line {line}, column {column})")]
    Malformed { line: usize, column: usize },
}

#[derive(Debug, Error)]
pub enum EmbedError {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("{sent} texts were sent, the model gave {received} embeddings")]
    WrongCount { sent: usize, received: usize },
    #[error("the model gave an embedding for text {index} of {sent} that was not sent, or two")]
    BadIndex { index: u64, sent: usize },
    #[error("the model gave {received} numbers, its vectors have {expected}")]
    WrongDimension { expected: usize, received: usize },
    #[error("the embedding of text {index} is no vector")]
    BadVector { index: u64, source: VectorError },
    /// The process is shutting down.
    #[error("the work was given up")]
    Cancelled,
}

#[derive(Debug, Error)]
pub enum RerankError {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("{sent} documents were given, {max} are allowed")]
    TooMany { sent: usize, max: usize },
    #[error("{sent} documents were sent, the model ranked {received}")]
    WrongCount { sent: usize, received: usize },
    #[error("the model ranked document {index} of {sent} that was not sent, or twice")]
    BadIndex { index: u64, sent: usize },
    #[error("the score of document {index} is not finite")]
    NotFinite { index: usize },
}

#[derive(Debug, Error)]
pub enum ChatError {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("{bytes} bytes were to be sent to the model, {bytes_max} are allowed")]
    TooLong { bytes: usize, bytes_max: usize },
    #[error("{texts} texts were to be read by the model, {texts_max} are allowed")]
    TooMany { texts: usize, texts_max: usize },
    #[error("the model replied nothing")]
    NoAnswer { tokens: Tokens },
    #[error("the reply of the model was cut off after {tokens_max} tokens")]
    Cut { tokens_max: u32, reply: RawReply },
    #[error("the reply of the model is not what was asked for (line {line}, column {column})")]
    Unreadable { line: usize, column: usize, reply: RawReply },
    /// It names what was not sent, or quotes what nobody said.
    #[error("the reply of the model is not founded on what was sent: {fault}")]
    Unfounded { fault: &'static str, reply: RawReply },
}

/// A reply that cannot be used as it was meant. Callers may keep its text; logs may not.
#[derive(Clone, PartialEq, Eq)]
pub struct RawReply {
    /// At most `CHAT_RAW_BYTES_MAX` bytes of it.
    pub text: String,
    pub tokens: Tokens,
}

impl Debug for RawReply {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "RawReply({} bytes, {} tokens)", self.text.len(), self.tokens.total())
    }
}

impl CallError {
    /// A stable word, for metrics and for callers that decide by it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            CallError::Connect(_) => "CONNECT",
            CallError::TimedOut { .. } => "TIMED_OUT",
            CallError::Broken(_) => "BROKEN",
            CallError::Throttled { .. } => "THROTTLED",
            CallError::Unavailable { .. } => "UNAVAILABLE",
            CallError::Refused { .. } => "REFUSED",
            CallError::TooLarge { .. } => "TOO_LARGE",
            CallError::Malformed { .. } => "MALFORMED",
        }
    }

    /// Whether the same call may succeed a moment later.
    pub(super) const fn passes(&self) -> bool {
        match self {
            CallError::Connect(_)
            | CallError::TimedOut { .. }
            | CallError::Broken(_)
            | CallError::Throttled { .. }
            | CallError::Unavailable { .. } => true,
            CallError::Refused { .. }
            | CallError::TooLarge { .. }
            | CallError::Malformed { .. } => false,
        }
    }
}

impl EmbedError {
    /// A stable word, for metrics and for callers that decide by it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            EmbedError::Call(error) => error.kind(),
            EmbedError::WrongCount { .. } => "WRONG_COUNT",
            EmbedError::BadIndex { .. } => "BAD_INDEX",
            EmbedError::WrongDimension { .. } => "WRONG_DIMENSION",
            EmbedError::BadVector { .. } => "BAD_VECTOR",
            EmbedError::Cancelled => "CANCELLED",
        }
    }
}

impl RerankError {
    /// A stable word, for metrics and for callers that decide by it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            RerankError::Call(error) => error.kind(),
            RerankError::TooMany { .. } => "TOO_MANY",
            RerankError::WrongCount { .. } => "WRONG_COUNT",
            RerankError::BadIndex { .. } => "BAD_INDEX",
            RerankError::NotFinite { .. } => "NOT_FINITE",
        }
    }
}

impl ChatError {
    /// A stable word, for metrics and for callers that decide by it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            ChatError::Call(error) => error.kind(),
            ChatError::TooLong { .. } => "TOO_LONG",
            ChatError::TooMany { .. } => "TOO_MANY",
            ChatError::NoAnswer { .. } => "NO_ANSWER",
            ChatError::Cut { .. } => "CUT",
            ChatError::Unreadable { .. } => "UNREADABLE",
            ChatError::Unfounded { .. } => "UNFOUNDED",
        }
    }

    /// What the call cost. A call without a reply is counted as one that cost nothing.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        match self {
            ChatError::Call(_) | ChatError::TooLong { .. } | ChatError::TooMany { .. } => {
                Tokens::default()
            }
            ChatError::NoAnswer { tokens } => *tokens,
            ChatError::Cut { reply, .. }
            | ChatError::Unreadable { reply, .. }
            | ChatError::Unfounded { reply, .. } => reply.tokens,
        }
    }

    /// What the model said, where it said something that could not be used.
    #[must_use]
    pub fn raw_text(&self) -> Option<&str> {
        match self {
            ChatError::Call(_)
            | ChatError::TooLong { .. }
            | ChatError::TooMany { .. }
            | ChatError::NoAnswer { .. } => None,
            ChatError::Cut { reply, .. }
            | ChatError::Unreadable { reply, .. }
            | ChatError::Unfounded { reply, .. } => Some(&reply.text),
        }
    }
}
