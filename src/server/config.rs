//! What the process needs to know, validated once.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::auth::JwksError;
use crate::engine;
use crate::http::HostError;
use crate::models::{
    Chat, ChatConfig, ConfigError, Embedder, Endpoint, EndpointConfig, Models, Reranker,
    RerankerConfig,
};
use crate::types::EncryptionKey;
use crate::types::limits::{CONNECTIONS_MAX, IMPORT_IDLE_SECONDS_MAX, SHUTDOWN_SECONDS_MAX};

use super::access::AccessConfig;
use super::observe::TraceError;
use super::tls::{TlsConfig, TlsError};

/// What a request may take without a line in the log, unless it is told otherwise.
const SLOW: Duration = Duration::from_millis(250);

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
    /// A chat model behind HTTP.
    pub chat: Option<ChatConfig>,
    /// Names under which the server may be called over HTTP/1, beside addresses and `localhost`.
    pub allow_hosts: Vec<String>,
    /// What opens the data directory, where it is encrypted. A new one is encrypted with it.
    pub key: Option<EncryptionKey>,
    pub options: Options,
}

/// How a server is reached, beside where.
#[derive(Clone, Debug)]
pub struct Options {
    pub access: AccessConfig,
    pub tls: Option<TlsConfig>,
    /// Another address for metrics, where no credential is asked for.
    pub metrics: Option<SocketAddr>,
    /// A request that takes longer is told in the log.
    pub slow: Duration,
    /// URL of a collector that every call is told to, over OTLP.
    pub otlp: Option<String>,
    /// How long requests in flight may go on once the server is asked to stop.
    pub grace: Duration,
    /// Connections open at once.
    pub connections_max: usize,
    /// How long an import waits for the next message of its caller.
    pub import_idle: Duration,
    /// Time between two sweeps of all namespaces. None: only when asked.
    pub sweep_every: Option<Duration>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            access: AccessConfig::default(),
            tls: None,
            metrics: None,
            slow: SLOW,
            otlp: None,
            grace: Duration::from_secs(SHUTDOWN_SECONDS_MAX),
            connections_max: CONNECTIONS_MAX,
            import_idle: Duration::from_secs(IMPORT_IDLE_SECONDS_MAX),
            sweep_every: None,
        }
    }
}

impl Config {
    /// With the model in the binary.
    #[must_use]
    pub fn new(data: PathBuf, listen: SocketAddr) -> Config {
        let embedder = EmbedderConfig::BuiltIn;
        let (allow_hosts, options) = (Vec::new(), Options::default());
        let (reranker, chat) = (None, None);
        Config { data, listen, embedder, reranker, chat, allow_hosts, key: None, options }
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
        let chat = self.chat.clone().map(Chat::new).transpose()?;
        Ok(Models { embedder, reranker, chat })
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
    #[error(
        "{address} can be reached from other machines and no credential is asked for. Make one with \
         `tenure key create --data DIR --name NAME --role admin`, or give --admin-key-file or \
         --jwks; --insecure serves everybody"
    )]
    Unguarded { address: SocketAddr },
    #[error(
        "credentials are required and there are none. Make one with `tenure key create --data DIR \
         --name NAME --role admin`, or give --admin-key-file or --jwks"
    )]
    NoCredential,
    #[error(transparent)]
    Keys(#[from] JwksError),
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error(transparent)]
    Traces(#[from] TraceError),
    #[error(transparent)]
    Host(#[from] HostError),
    #[error("the server failed")]
    Transport(#[from] tonic::transport::Error),
}
