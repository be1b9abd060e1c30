//! Why a model gave nothing. No key and no address is ever in it, and no text that was sent, unless
//! the other side quotes it in a refusal.

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::types::VectorError;
use crate::types::limits::MODEL_WAIT_MILLIS_MAX;

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
