//! What turns texts into vectors: the model in the binary, or one behind an endpoint. Where there
//! is none, or clients bring their own vectors, there is no embedder.

use tokio::task::{JoinError, spawn_blocking};

use crate::types::limits::EMBED_INLINE_BYTES_MAX;
use crate::types::{Cost, Vector};

use super::builtin::StaticModel;
use super::endpoint::Endpoint;
use super::error::EmbedError;
use super::text::cut;
use super::usage::{Counters, Usage};

/// Texts that one blocking thread embeds before it looks whether anybody still waits.
const CHUNK_TEXTS: usize = 256;

#[derive(Debug)]
pub enum Embedder {
    BuiltIn(BuiltIn),
    Endpoint(Box<Endpoint>),
}

/// The static model, counted.
#[derive(Debug, Default)]
pub struct BuiltIn {
    counters: Counters,
}

impl Embedder {
    #[must_use]
    pub fn built_in() -> Embedder {
        Embedder::BuiltIn(BuiltIn::default())
    }

    #[must_use]
    pub fn endpoint(endpoint: Endpoint) -> Embedder {
        Embedder::Endpoint(Box::new(endpoint))
    }

    #[must_use]
    pub fn model_name(&self) -> &str {
        match self {
            Embedder::BuiltIn(_) => StaticModel::NAME,
            Embedder::Endpoint(endpoint) => endpoint.model_name(),
        }
    }

    /// Calls the endpoint once if nothing has told its dimension yet.
    ///
    /// # Errors
    /// [`EmbedError`].
    pub async fn dimension(&self) -> Result<usize, EmbedError> {
        match self {
            Embedder::BuiltIn(_) => Ok(StaticModel::DIMENSION),
            Embedder::Endpoint(endpoint) => endpoint.dimension().await,
        }
    }

    /// `None` where the model knows nothing of what is asked: no vector is near then.
    ///
    /// # Errors
    /// [`EmbedError`].
    pub async fn embed_query(&self, text: &str) -> Result<Option<Vector>, EmbedError> {
        self.query(text, &mut Cost::default()).await
    }

    /// The same, adding what it cost, also where it fails.
    ///
    /// # Errors
    /// [`EmbedError`].
    pub async fn query(&self, text: &str, cost: &mut Cost) -> Result<Option<Vector>, EmbedError> {
        match self {
            Embedder::BuiltIn(model) => {
                cost.calls += 1;
                Ok(model.embed(&[cut(text)]).await?.pop().flatten())
            }
            Embedder::Endpoint(endpoint) => endpoint.query(text, cost).await,
        }
    }

    /// In the order of the texts; `None` where the model knows nothing of a text.
    ///
    /// # Errors
    /// [`EmbedError`].
    pub async fn embed_passages(
        &self,
        texts: &[String],
    ) -> Result<Vec<Option<Vector>>, EmbedError> {
        self.passages(texts, &mut Cost::default()).await
    }

    /// The same, adding what it cost, also where it fails.
    ///
    /// # Errors
    /// [`EmbedError`].
    pub async fn passages(
        &self,
        texts: &[String],
        cost: &mut Cost,
    ) -> Result<Vec<Option<Vector>>, EmbedError> {
        match self {
            Embedder::BuiltIn(model) => {
                cost.calls += 1;
                let mut vectors = Vec::with_capacity(texts.len());
                for chunk in texts.chunks(CHUNK_TEXTS) {
                    let chunk: Vec<&str> = chunk.iter().map(|text| cut(text)).collect();
                    vectors.extend(model.embed(&chunk).await?);
                }
                Ok(vectors)
            }
            Embedder::Endpoint(endpoint) => endpoint.passages(texts, cost).await,
        }
    }

    #[must_use]
    pub fn usage(&self) -> Usage {
        match self {
            Embedder::BuiltIn(model) => model.counters.usage(),
            Embedder::Endpoint(endpoint) => endpoint.usage(),
        }
    }
}

impl BuiltIn {
    async fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vector>>, EmbedError> {
        self.counters.calls.add(1);
        let bytes: usize = texts.iter().map(|text| text.len()).sum();
        let vectors = match StaticModel::decoded() {
            Some(model) if bytes <= EMBED_INLINE_BYTES_MAX => all(model, texts.iter().copied()),
            _ => elsewhere(texts).await.map_err(given_up)?,
        };
        self.counters.inputs.add(texts.len() as u64);
        Ok(vectors)
    }
}

async fn elsewhere(texts: &[&str]) -> Result<Vec<Option<Vector>>, JoinError> {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    spawn_blocking(move || all(StaticModel::shared(), texts.iter().map(String::as_str))).await
}

fn all<'a>(model: &StaticModel, texts: impl Iterator<Item = &'a str>) -> Vec<Option<Vector>> {
    texts.map(|text| model.embed(text)).collect()
}

/// A bug stays a bug on the thread that asked.
fn given_up(error: JoinError) -> EmbedError {
    match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => EmbedError::Cancelled,
    }
}
