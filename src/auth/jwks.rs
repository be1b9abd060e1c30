//! The public keys of who makes tokens: from a file or a URL, read again now and then.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use thiserror::Error;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use tracing::warn;

use crate::types::limits::{JWKS_BYTES_MAX, JWKS_KEYS_MAX};

/// How often the set is read again, and how often at most when a token names an unknown key.
const REFRESH: Duration = Duration::from_secs(5 * 60);
const REFRESH_AT_MOST: Duration = Duration::from_secs(10);
/// Time for one reading over the network.
const FETCH_TIME_MAX: Duration = Duration::from_secs(10);

/// Where the set is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JwksSource {
    File(PathBuf),
    Url(Url),
}

#[derive(Debug, Error)]
pub enum JwksError {
    #[error("the key set {0:?} is neither a file nor an https URL; http is for loopback alone")]
    Source(String),
    #[error("the key set cannot be read from {}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("the key set cannot be fetched")]
    Fetch(#[source] reqwest::Error),
    #[error("the key set was answered with {status}")]
    Status { status: u16 },
    #[error("the key set was not answered in time")]
    Late,
    #[error("the key set has more than {JWKS_BYTES_MAX} bytes")]
    TooLarge,
    #[error("the key set is no JSON of one")]
    Malformed(#[source] serde_json::Error),
    #[error("the key set has {count} keys, at most {JWKS_KEYS_MAX} are taken")]
    TooMany { count: usize },
    #[error("the key set has no public key for signatures")]
    Empty,
}

impl JwksSource {
    /// # Errors
    /// [`JwksError::Source`].
    pub fn new(text: &str) -> Result<JwksSource, JwksError> {
        if !text.contains("://") {
            return Ok(JwksSource::File(text.into()));
        }
        let bad = || JwksError::Source(text.to_owned());
        let url: Url = text.parse().map_err(|_| bad())?;
        // Whoever can change the set on its way lets in whom they like.
        let near = match url.host_str() {
            Some("localhost") => true,
            Some(host) => {
                let bare = host.trim_start_matches('[').trim_end_matches(']');
                bare.parse().is_ok_and(|address: IpAddr| address.is_loopback())
            }
            None => false,
        };
        if url.scheme() == "https" || (url.scheme() == "http" && near) {
            Ok(JwksSource::Url(url))
        } else {
            Err(bad())
        }
    }

    async fn read(&self) -> Result<Vec<Known>, JwksError> {
        let bytes = match self {
            JwksSource::File(path) => {
                let unreadable = |source| JwksError::File { path: path.clone(), source };
                let bytes = std::fs::read(path).map_err(unreadable)?;
                if bytes.len() > JWKS_BYTES_MAX {
                    return Err(JwksError::TooLarge);
                }
                bytes
            }
            JwksSource::Url(url) => {
                timeout(FETCH_TIME_MAX, fetch(url)).await.unwrap_or(Err(JwksError::Late))?
            }
        };
        parsed(&bytes)
    }
}

async fn fetch(url: &Url) -> Result<Vec<u8>, JwksError> {
    // An error says that the process has chosen already, and that is as good.
    drop(rustls::crypto::ring::default_provider().install_default());
    let client = Client::builder().redirect(Policy::none());
    // Without https nothing is verified, and a machine without certificates must do.
    let client = if url.scheme() == "https" { client } else { client.tls_certs_only([]) };
    let client = client.build().map_err(JwksError::Fetch)?;
    let mut answer = client.get(url.clone()).send().await.map_err(JwksError::Fetch)?;
    if !answer.status().is_success() {
        return Err(JwksError::Status { status: answer.status().as_u16() });
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(JwksError::Fetch)? {
        if bytes.len() + chunk.len() > JWKS_BYTES_MAX {
            return Err(JwksError::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// A public key, and what it may have signed.
#[derive(Clone)]
pub(super) struct Known {
    id: Option<String>,
    algorithm: Option<Algorithm>,
    family: AlgorithmFamily,
    pub(super) key: DecodingKey,
}

fn parsed(bytes: &[u8]) -> Result<Vec<Known>, JwksError> {
    let set: JwkSet = serde_json::from_slice(bytes).map_err(JwksError::Malformed)?;
    if set.keys.len() > JWKS_KEYS_MAX {
        return Err(JwksError::TooMany { count: set.keys.len() });
    }
    let known: Vec<Known> = set.keys.iter().filter_map(known).collect();
    if known.is_empty() { Err(JwksError::Empty) } else { Ok(known) }
}

/// Keys of other kinds and uses are none of ours. A shared secret is no public key.
fn known(jwk: &Jwk) -> Option<Known> {
    let signs =
        !matches!(&jwk.common.public_key_use, Some(other) if *other != PublicKeyUse::Signature);
    let public = !matches!(jwk.algorithm, AlgorithmParameters::OctetKey(_));
    let key = DecodingKey::from_jwk(jwk).ok().filter(|_| signs && public)?;
    let algorithm = match jwk.common.key_algorithm {
        Some(named) => Some(named.to_string().parse().ok()?),
        None => None,
    };
    Some(Known { id: jwk.common.key_id.clone(), algorithm, family: key.family(), key })
}

/// The keys that are known, and the wish to know newer ones.
pub struct KeySet {
    source: JwksSource,
    known: RwLock<Arc<Vec<Known>>>,
    wanted: Notify,
}

impl KeySet {
    /// Reads the set for the first time. A file must be there; a URL may answer later.
    ///
    /// # Errors
    /// [`JwksError`].
    pub async fn open(source: JwksSource) -> Result<KeySet, JwksError> {
        let known = match (source.read().await, &source) {
            (Ok(known), _) => known,
            (Err(error), JwksSource::File(_)) => return Err(error),
            (Err(error), JwksSource::Url(_)) => {
                warn!(%error, "no token is taken until the key set can be fetched");
                Vec::new()
            }
        };
        let known = RwLock::new(Arc::new(known));
        Ok(KeySet { source, known, wanted: Notify::new() })
    }

    /// Reads the set again now and then, and soon when a token names a key that is not in it. What
    /// cannot be read leaves the last good set in place. Runs until it is dropped.
    pub async fn refresh(&self) {
        loop {
            let none = self.all().is_empty();
            sleep(REFRESH_AT_MOST).await;
            if !none {
                // Either is a reason to read.
                drop(timeout(REFRESH, self.wanted.notified()).await);
            }
            match self.source.read().await {
                Ok(fresh) => {
                    let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
                    *known = Arc::new(fresh);
                }
                Err(error) => warn!(%error, "the key set stays as it was"),
            }
        }
    }

    /// The keys that may have signed a token with this header.
    pub(super) fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Vec<DecodingKey> {
        let known = self.all();
        let fits = |known: &&Known| {
            known.family.algorithms().contains(&algorithm)
                && known.algorithm.is_none_or(|own| own == algorithm)
                && id.is_none_or(|id| known.id.as_deref() == Some(id))
        };
        let found: Vec<DecodingKey> =
            known.iter().filter(fits).map(|known| known.key.clone()).collect();
        if found.is_empty() {
            self.wanted.notify_one();
        }
        found
    }

    fn all(&self) -> Arc<Vec<Known>> {
        Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner))
    }
}
