//! Which models the server uses, from the command line and the environment.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use thiserror::Error;

use crate::models::{
    Address, ApiKey, CallConfig, ChatConfig, ConfigError, EndpointConfig, RerankShape,
    RerankerConfig,
};
use crate::server::EmbedderConfig;

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Models")]
pub struct ModelArgs {
    /// What embeds texts: `builtin`, `off`, or the URL of an OpenAI-compatible endpoint
    #[arg(long, value_name = "WHAT", default_value = "builtin", env = "TENURE_EMBEDDER")]
    embedder: String,
    /// Name of the model behind the endpoint
    #[arg(long, value_name = "NAME", env = "TENURE_EMBEDDER_MODEL")]
    embedder_model: Option<String>,
    /// Dimensions to ask the endpoint for [default: what the model has]
    #[arg(long, value_name = "N", env = "TENURE_EMBEDDER_DIMENSIONS")]
    embedder_dimensions: Option<usize>,
    /// File that holds the key of the endpoint; `TENURE_EMBEDDER_KEY` holds it directly
    #[arg(long, value_name = "FILE", env = "TENURE_EMBEDDER_KEY_FILE")]
    embedder_key_file: Option<PathBuf>,
    /// What stands before a question, such as "query: "
    #[arg(long, value_name = "TEXT", default_value = "", env = "TENURE_EMBEDDER_QUERY_PREFIX")]
    embedder_query_prefix: String,
    /// What stands before a stored text, such as "passage: "
    #[arg(long, value_name = "TEXT", default_value = "", env = "TENURE_EMBEDDER_PASSAGE_PREFIX")]
    embedder_passage_prefix: String,
    /// Seconds to wait for one call of the endpoint
    #[arg(long, value_name = "N", default_value_t = 30, env = "TENURE_EMBEDDER_SECONDS")]
    embedder_seconds: u64,
    /// URL of an OpenAI-compatible chat endpoint, for summaries and conclusions [default: none]
    #[arg(long, value_name = "URL", env = "TENURE_CHAT_URL")]
    chat_url: Option<String>,
    /// Name of its model
    #[arg(long, value_name = "NAME", env = "TENURE_CHAT_MODEL")]
    chat_model: Option<String>,
    /// File that holds its key; `TENURE_CHAT_KEY` holds it directly
    #[arg(long, value_name = "FILE", env = "TENURE_CHAT_KEY_FILE")]
    chat_key_file: Option<PathBuf>,
    /// URL of a cross-encoder with a /rerank call
    #[arg(long, value_name = "URL", env = "TENURE_RERANKER")]
    reranker: Option<String>,
    /// Name of its model; its calls then have the shape of Cohere and Jina instead of TEI
    #[arg(long, value_name = "NAME", env = "TENURE_RERANKER_MODEL")]
    reranker_model: Option<String>,
}

/// Environment variables that hold keys. They are no options, which others could read.
const EMBEDDER_KEY: &str = "TENURE_EMBEDDER_KEY";
const RERANKER_KEY: &str = "TENURE_RERANKER_KEY";
const CHAT_KEY: &str = "TENURE_CHAT_KEY";

#[derive(Debug, Error)]
pub enum ModelArgsError {
    #[error("an endpoint needs the name of its model: --embedder-model")]
    ModelMissing,
    #[error("a chat endpoint needs the name of its model: --chat-model")]
    ChatModelMissing,
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// What embeds, what orders hits, what writes.
pub(crate) type ModelConfigs = (EmbedderConfig, Option<RerankerConfig>, Option<ChatConfig>);

impl ModelArgs {
    /// # Errors
    /// [`ModelArgsError`].
    pub fn config(&self) -> Result<ModelConfigs, ModelArgsError> {
        Ok((self.embedder()?, self.reranker()?, self.chat()?))
    }

    fn chat(&self) -> Result<Option<ChatConfig>, ModelArgsError> {
        let Some(url) = &self.chat_url else { return Ok(None) };
        let model = self.chat_model.as_ref().ok_or(ModelArgsError::ChatModelMissing)?;
        let mut config = ChatConfig::new(Address::new(url)?, model);
        config.key = match &self.chat_key_file {
            Some(file) => Some(ApiKey::from_file(file)?),
            None => key_in(CHAT_KEY)?,
        };
        Ok(Some(config))
    }

    fn embedder(&self) -> Result<EmbedderConfig, ModelArgsError> {
        match self.embedder.as_str() {
            "builtin" => return Ok(EmbedderConfig::BuiltIn),
            "off" => return Ok(EmbedderConfig::Off),
            _ => {}
        }
        let model = self.embedder_model.as_ref().ok_or(ModelArgsError::ModelMissing)?;
        let address = Address::new(&self.embedder)?;
        let key = match &self.embedder_key_file {
            Some(file) => Some(ApiKey::from_file(file)?),
            None => key_in(EMBEDDER_KEY)?,
        };
        let mut config = EndpointConfig::new(address, model);
        config.dimensions = self.embedder_dimensions;
        config.key = key;
        config.query_prefix.clone_from(&self.embedder_query_prefix);
        config.passage_prefix.clone_from(&self.embedder_passage_prefix);
        let time_out = Duration::from_secs(self.embedder_seconds);
        config.call = CallConfig { time_out, ..config.call };
        Ok(EmbedderConfig::Endpoint(Box::new(config)))
    }

    fn reranker(&self) -> Result<Option<RerankerConfig>, ModelArgsError> {
        let Some(url) = &self.reranker else { return Ok(None) };
        let mut config = RerankerConfig::new(Address::new(url)?);
        if let Some(model) = &self.reranker_model {
            config.shape = RerankShape::Cohere;
            config.model = Some(model.clone());
        }
        config.key = key_in(RERANKER_KEY)?;
        Ok(Some(config))
    }
}

fn key_in(variable: &str) -> Result<Option<ApiKey>, ConfigError> {
    if std::env::var_os(variable).is_none() {
        return Ok(None);
    }
    ApiKey::from_env(variable).map(Some)
}
