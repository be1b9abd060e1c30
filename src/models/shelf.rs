//! The models that one server has at hand.

use super::chat::Chat;
use super::embedder::Embedder;
use super::error::EmbedError;
use super::reranker::Reranker;

/// Any may be missing: everything but what needs it still works.
#[derive(Debug, Default)]
pub struct Models {
    pub embedder: Option<Embedder>,
    pub reranker: Option<Reranker>,
    pub chat: Option<Chat>,
}

impl Models {
    /// The model in the binary, and none behind HTTP.
    #[must_use]
    pub fn built_in() -> Models {
        Models { embedder: Some(Embedder::built_in()), ..Models::default() }
    }

    /// Whether vectors are made here, in well under a millisecond.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        matches!(self.embedder, Some(Embedder::BuiltIn(_)))
    }

    /// Name and dimension of the embedder.
    ///
    /// # Errors
    /// When an endpoint has to be asked for its dimension and does not answer.
    pub async fn space(&self) -> Result<Option<(String, usize)>, EmbedError> {
        match &self.embedder {
            Some(embedder) => {
                let dimension = embedder.dimension().await?;
                Ok(Some((embedder.model_name().to_owned(), dimension)))
            }
            None => Ok(None),
        }
    }
}
