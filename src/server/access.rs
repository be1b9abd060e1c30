//! Under which terms a server starts: what opens it, and when it must not start at all.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;
use tracing::{info, warn};

use crate::auth::{AdminKey, Gate, GateConfig, KeySet, TokenConfig};
use crate::engine::{Engine, Issued, NewCredential, SystemClock, create_credential_in};

use super::config::ServeError;

/// How often denials are stored.
const FLUSH: Duration = Duration::from_secs(1);

/// What opens the server beside the credentials of its directory.
#[derive(Clone, Debug, Default)]
pub struct AccessConfig {
    /// Ask for credentials on a loopback address, too.
    pub require: bool,
    /// Start on any address without asking for credentials.
    pub insecure: bool,
    pub admin_key: Option<AdminKey>,
    pub tokens: Option<TokenConfig>,
}

impl AccessConfig {
    /// Whether somebody can come in with something that is not in the data directory.
    pub(super) fn has_other_ways_in(&self) -> bool {
        self.admin_key.is_some() || self.tokens.is_some()
    }

    /// The gate of a server on this address, if it may start there.
    pub(super) async fn gate(
        self,
        engine: &Engine,
        listen: SocketAddr,
        encrypted: bool,
    ) -> Result<Arc<Gate>, ServeError> {
        let guarded = self.has_other_ways_in() || engine.has_credentials();
        let near = listen.ip().to_canonical().is_loopback();
        if !guarded && self.require {
            return Err(ServeError::NoCredential);
        }
        if !guarded && !near && !self.insecure {
            return Err(ServeError::Unguarded { address: listen });
        }
        match (guarded, near) {
            (true, false) if !encrypted => {
                warn!("credentials and facts travel in the clear: use --tls-cert, or a proxy");
            }
            (true, _) => info!("credentials are asked for"),
            (false, true) => info!("open to everybody on this machine: no credential is asked for"),
            (false, false) => warn!("open to everybody who reaches {listen}: --insecure"),
        }
        let tokens = match self.tokens {
            Some(config) => {
                let keys = KeySet::open(config.jwks.clone()).await?;
                Some((config, keys))
            }
            None => None,
        };
        let config = GateConfig { required: self.require, admin_key: self.admin_key, tokens };
        Ok(Arc::new(Gate::new(engine.clone(), config)))
    }
}

/// Makes a credential in a directory that no server has open.
///
/// # Errors
/// [`ServeError::Open`].
pub fn create_credential(data: &Path, new: NewCredential) -> Result<Issued, ServeError> {
    Ok(create_credential_in(data, new, &SystemClock)?)
}

/// Stores denials as they come, until the server stops, and reads keys of tokens again.
pub(super) async fn attend(engine: Engine, gate: Arc<Gate>, mut stopping: watch::Receiver<bool>) {
    let refreshing = async {
        match gate.keys() {
            Some(keys) => keys.refresh().await,
            None => std::future::pending().await,
        }
    };
    let storing = async {
        loop {
            sleep(FLUSH).await;
            store(&engine).await;
        }
    };
    tokio::select! {
        () = refreshing => {}
        () = storing => {}
        _ = stopping.wait_for(|stop| *stop) => {}
    }
}

/// What could not be stored stays for the next time.
pub(super) async fn store(engine: &Engine) {
    if let Err(error) = engine.flush_denials().await {
        warn!(%error, "denials could not be stored yet");
    }
}
