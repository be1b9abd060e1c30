//! What the server shows of itself over TLS, and whom of its callers it wants to be shown.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use thiserror::Error;
use tokio_rustls::TlsAcceptor;

/// The protocols that are spoken, the better one first.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// Files in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsConfig {
    /// The certificate of the server, and those between it and a root.
    pub certificate: PathBuf,
    pub key: PathBuf,
    /// Who signs the certificates of callers. Callers without one are turned away.
    pub client_authority: Option<PathBuf>,
}

#[derive(Debug, Error)]
pub enum TlsError {
    #[error("no certificate can be read from {}", path.display())]
    Certificate { path: PathBuf, source: Option<rustls::pki_types::pem::Error> },
    #[error("no private key can be read from {}", path.display())]
    Key { path: PathBuf, source: rustls::pki_types::pem::Error },
    #[error("the certificates in {} sign nobody", path.display())]
    Authority { path: PathBuf, source: rustls::server::VerifierBuilderError },
    #[error("the certificate and the key cannot be used")]
    Rejected(#[from] rustls::Error),
}

impl TlsConfig {
    /// # Errors
    /// [`TlsError`].
    pub(super) fn acceptor(&self) -> Result<TlsAcceptor, TlsError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let builder = match &self.client_authority {
            None => builder.with_no_client_auth(),
            Some(path) => {
                let mut roots = RootCertStore::empty();
                for certificate in certificates(path)? {
                    roots.add(certificate)?;
                }
                let verifier =
                    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
                let verifier = verifier
                    .build()
                    .map_err(|source| TlsError::Authority { path: path.clone(), source })?;
                builder.with_client_cert_verifier(verifier)
            }
        };
        let key = PrivateKeyDer::from_pem_file(&self.key)
            .map_err(|source| TlsError::Key { path: self.key.clone(), source })?;
        let mut config = builder.with_single_cert(certificates(&self.certificate)?, key)?;
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let unread = |source| TlsError::Certificate { path: path.to_owned(), source };
    let found = CertificateDer::pem_file_iter(path).map_err(|error| unread(Some(error)))?;
    let found = found.collect::<Result<Vec<_>, _>>().map_err(|error| unread(Some(error)))?;
    if found.is_empty() { Err(unread(None)) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_hold_nothing_are_named() {
        let home = tempfile::tempdir().expect("a temporary directory");
        let empty = home.path().join("empty.pem");
        std::fs::write(&empty, "").expect("writes");
        let missing = home.path().join("missing.pem");
        let config = |certificate: &Path, key: &Path| TlsConfig {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            client_authority: None,
        };
        let key = config(&empty, &missing).acceptor().err().expect("no key");
        assert!(matches!(key, TlsError::Key { path, .. } if path == missing));
        let authority =
            TlsConfig { client_authority: Some(empty.clone()), ..config(&empty, &empty) };
        let fault = authority.acceptor().err().expect("no certificate");
        assert!(matches!(fault, TlsError::Certificate { path, .. } if path == empty));
    }
}
