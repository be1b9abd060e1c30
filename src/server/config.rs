//! What the process needs to know, validated once.

use std::net::SocketAddr;
use std::path::PathBuf;

use thiserror::Error;

use crate::engine;
use crate::http::HostError;
use crate::models::{
    ConfigError, Embedder, Endpoint, EndpointConfig, Models, Reranker, RerankerConfig,
};
use crate::types::Key;

/// What answers with vectors.
#[derive(Clone, Debug, Default)]
pub enum EmbedderConfig {
    /// The model in the binary.
    #[default]
    BuiltIn,
    /// None: vectors are those that callers supply.
    Off,
    /// An OpenAI-compatible endpoint.
    Endpoint(Box<EndpointConfig>),
}

#[derive(Clone, Debug)]
pub struct Config {
    pub data: PathBuf,
    pub listen: SocketAddr,
    pub embedder: EmbedderConfig,
    /// A cross-encoder behind HTTP.
    pub reranker: Option<RerankerConfig>,
    /// Names under which the server may be called over HTTP/1, beside addresses and `localhost`.
    pub allow_hosts: Vec<String>,
    /// What opens the data directory, where it is encrypted. A new one is encrypted with it.
    pub key: Option<Key>,
}

impl Config {
    /// With the model in the binary.
    #[must_use]
    pub fn new(data: PathBuf, listen: SocketAddr) -> Config {
        let embedder = EmbedderConfig::BuiltIn;
        Config { data, listen, embedder, reranker: None, allow_hosts: Vec::new(), key: None }
    }

    /// # Errors
    /// When a client for an endpoint cannot be made.
    pub fn models(&self) -> Result<Models, ConfigError> {
        let embedder = match &self.embedder {
            EmbedderConfig::BuiltIn => Some(Embedder::built_in()),
            EmbedderConfig::Off => None,
            EmbedderConfig::Endpoint(config) => {
                Some(Embedder::endpoint(Endpoint::new((**config).clone())?))
            }
        };
        let reranker = self.reranker.clone().map(Reranker::new).transpose()?;
        Ok(Models { embedder, reranker })
    }
}

#[derive(Debug, Error)]
pub enum ServeError {
    #[error("cannot listen on {address}")]
    Listen { address: SocketAddr, source: std::io::Error },
    #[error(transparent)]
    Open(#[from] engine::OpenError),
    #[error("a model cannot be used")]
    Model(#[from] ConfigError),
    #[error(transparent)]
    Host(#[from] HostError),
    #[error("the server failed")]
    Transport(#[from] tonic::transport::Error),
}
