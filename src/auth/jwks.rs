//! The public keys of who makes tokens: from a file or a URL, read again now and then.

use std::fs::File;
use std::io::Read;
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

use crate::types::limits::{
    JWKS_BYTES_MAX, JWKS_FETCH_SECONDS_MAX, JWKS_KEYS_MAX, JWKS_REFRESH_SECONDS,
    JWKS_REFRESH_SECONDS_MIN,
};

/// How often a set is read, and how long one reading may take.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Without a reason.
    every: Duration,
    /// With one: a token named an unknown key.
    at_most: Duration,
    patience: Duration,
}

const PACE: Pace = Pace {
    every: Duration::from_secs(JWKS_REFRESH_SECONDS),
    at_most: Duration::from_secs(JWKS_REFRESH_SECONDS_MIN),
    patience: Duration::from_secs(JWKS_FETCH_SECONDS_MAX),
};

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

    async fn read(&self, patience: Duration) -> Result<Vec<Known>, JwksError> {
        let bytes = match self {
            JwksSource::File(path) => {
                let unreadable = |source| JwksError::File { path: path.clone(), source };
                let mut bytes = Vec::new();
                // One byte more than fits shows that it is too long, however long it is.
                let bound = JWKS_BYTES_MAX as u64 + 1;
                let read =
                    File::open(path).and_then(|file| file.take(bound).read_to_end(&mut bytes));
                read.map_err(unreadable)?;
                if bytes.len() > JWKS_BYTES_MAX {
                    return Err(JwksError::TooLarge);
                }
                bytes
            }
            JwksSource::Url(url) => {
                timeout(patience, fetch(url)).await.unwrap_or(Err(JwksError::Late))?
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
    pace: Pace,
}

impl KeySet {
    /// Reads the set for the first time. A file must be there; a URL may answer later.
    ///
    /// # Errors
    /// [`JwksError`].
    pub async fn open(source: JwksSource) -> Result<KeySet, JwksError> {
        KeySet::paced(source, PACE).await
    }

    async fn paced(source: JwksSource, pace: Pace) -> Result<KeySet, JwksError> {
        let known = match (source.read(pace.patience).await, &source) {
            (Ok(known), _) => known,
            (Err(error), JwksSource::File(_)) => return Err(error),
            (Err(error), JwksSource::Url(_)) => {
                warn!(%error, "no token is taken until the key set can be fetched");
                Vec::new()
            }
        };
        let known = RwLock::new(Arc::new(known));
        Ok(KeySet { source, known, wanted: Notify::new(), pace })
    }

    /// Reads the set again now and then, and soon when a token names a key that is not in it. What
    /// cannot be read leaves the last good set in place. Runs until it is dropped.
    pub async fn refresh(&self) {
        loop {
            let none = self.all().is_empty();
            sleep(self.pace.at_most).await;
            if !none {
                // Either is a reason to read.
                drop(timeout(self.pace.every, self.wanted.notified()).await);
            }
            match self.source.read(self.pace.patience).await {
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

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio::task::yield_now;

    use super::*;

    /// The curve points of a real key: only their form is looked at.
    fn key(id: &str) -> String {
        let x = "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4";
        let y = "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM";
        format!(r#"{{"kty":"EC","crv":"P-256","use":"sig","kid":"{id}","x":"{x}","y":"{y}"}}"#)
    }

    fn set(ids: &[&str]) -> String {
        let keys: Vec<String> = ids.iter().map(|id| key(id)).collect();
        format!(r#"{{"keys":[{}]}}"#, keys.join(","))
    }

    const HOUR: Duration = Duration::from_secs(3_600);

    async fn opened(path: &Path, text: &str) -> Result<KeySet, JwksError> {
        std::fs::write(path, text).expect("written");
        KeySet::open(JwksSource::File(path.to_owned())).await
    }

    #[tokio::test]
    async fn a_set_is_taken_up_to_its_bounds() {
        let home = tempfile::tempdir().expect("a place for a file");
        let path = home.path().join("jwks.json");
        let whole = set(&["a"]);
        let padded = |bytes: usize| whole.clone() + &" ".repeat(bytes - whole.len());
        assert!(opened(&path, &padded(JWKS_BYTES_MAX)).await.is_ok());
        let large = opened(&path, &padded(JWKS_BYTES_MAX + 1)).await;
        assert!(matches!(large, Err(JwksError::TooLarge)));
        assert!(opened(&path, &set(&vec!["a"; JWKS_KEYS_MAX])).await.is_ok());
        let many = opened(&path, &set(&vec!["a"; JWKS_KEYS_MAX + 1])).await;
        assert!(matches!(many, Err(JwksError::TooMany { count }) if count == JWKS_KEYS_MAX + 1));
        assert!(matches!(opened(&path, &set(&[])).await, Err(JwksError::Empty)));
        assert!(matches!(opened(&path, "[").await, Err(JwksError::Malformed(_))));
    }

    /// Answers with a set of the key `first`, and from the second time on with `second` too.
    async fn provider() -> (JwksSource, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/keys", listener.local_addr().expect("an address"));
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let mut request = [0; 4_096];
                drop(socket.read(&mut request).await);
                let first = count.fetch_add(1, Ordering::SeqCst) == 0;
                let body = if first { set(&["first"]) } else { set(&["first", "second"]) };
                let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
                drop(socket.write_all(format!("{head}{body}").as_bytes()).await);
            }
        });
        (JwksSource::new(&url).expect("a URL"), asked)
    }

    fn knows(keys: &KeySet, id: &str) -> bool {
        !keys.find(Some(id), Algorithm::ES256).is_empty()
    }

    #[tokio::test]
    async fn an_unknown_key_has_the_set_read_again() {
        let (source, asked) = provider().await;
        let pace = Pace { every: HOUR, at_most: Duration::ZERO, patience: HOUR };
        let keys = Arc::new(KeySet::paced(source, pace).await.expect("it answers"));
        let refreshing = tokio::spawn({
            let keys = Arc::clone(&keys);
            async move { keys.refresh().await }
        });
        assert!(knows(&keys, "first") && asked.load(Ordering::SeqCst) == 1);
        // Each look for it is a reason to read.
        while !knows(&keys, "second") {
            yield_now().await;
        }
        assert!(asked.load(Ordering::SeqCst) >= 2);
        refreshing.abort();
    }

    #[tokio::test]
    async fn strangers_do_not_have_the_set_read_more_often_than_the_bound() {
        let (source, asked) = provider().await;
        let pace = Pace { every: HOUR, at_most: HOUR, patience: HOUR };
        let keys = Arc::new(KeySet::paced(source, pace).await.expect("it answers"));
        let refreshing = tokio::spawn({
            let keys = Arc::clone(&keys);
            async move { keys.refresh().await }
        });
        for _ in 0..1_000 {
            assert!(!knows(&keys, "second"));
            yield_now().await;
        }
        assert_eq!(asked.load(Ordering::SeqCst), 1);
        refreshing.abort();
    }

    #[tokio::test]
    async fn a_set_that_is_not_answered_in_time_is_none() {
        // It takes connections and says nothing.
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/keys", listener.local_addr().expect("an address"));
        let source = JwksSource::new(&url).expect("a URL");
        let read = source.read(Duration::ZERO).await;
        assert!(matches!(read, Err(JwksError::Late)));
    }

    #[tokio::test]
    async fn a_set_over_the_network_has_the_same_bound() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/keys", listener.local_addr().expect("an address"));
        tokio::spawn(async move {
            let (mut socket, _) = listener.accept().await.expect("a caller");
            let mut request = [0; 4_096];
            drop(socket.read(&mut request).await);
            // It never says how long it is, and never ends.
            drop(socket.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await);
            while socket.write_all(&[b' '; 4_096]).await.is_ok() {}
        });
        let source = JwksSource::new(&url).expect("a URL");
        assert!(matches!(source.read(HOUR).await, Err(JwksError::TooLarge)));
    }
}
