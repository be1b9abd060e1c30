//! Models that others trained: the one in the binary, and those behind HTTP. What they say is
//! checked here, so that nobody inside meets a vector without direction or a rank without text.
//!
//! Nothing here knows facts, and nothing that decides what is true asks a model.

mod embedder;
mod builtin;
mod endpoint;
mod reranker;
mod chat;
pub mod prompts;
mod shelf;

mod address;
mod cache;
mod call;
mod counts;
mod error;
mod key;
mod retry;
mod text;
mod usage;

#[cfg(test)]
mod tests;

pub use address::Address;
pub use builtin::StaticModel;
pub use call::CallConfig;
pub use chat::{Answer, Chat, ChatConfig, ChatRequest, Tokens, spent};
pub use embedder::{BuiltIn, Embedder};
pub use endpoint::{Endpoint, EndpointConfig};
pub use error::{CallError, ChatError, ConfigError, EmbedError, RawReply, RerankError};
pub use key::ApiKey;
pub use reranker::{Ranked, RerankShape, Reranker, RerankerConfig};
pub use shelf::Models;
pub use usage::Usage;
