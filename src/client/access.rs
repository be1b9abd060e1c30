//! What a client shows of itself: a key in every request, a certificate in the handshake.

use std::fmt::{self, Debug, Formatter};

use thiserror::Error;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Identity};
use tonic::{Request, Status};

use crate::types::limits::CREDENTIAL_BYTES_MAX;

/// A connection that carries a key, if there is one.
pub type Wire = InterceptedService<Channel, KeyHeader>;

/// An API key or a token. It goes into a header and nowhere else.
#[derive(Clone)]
pub struct Key(MetadataValue<Ascii>);

/// It says nothing of the key: it may be nearly right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the key is empty, too long, or cannot stand in a header")]
pub struct KeyError;

impl Key {
    /// White space around it is not part of it: files end with a line break.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn new(text: &str) -> Result<Key, KeyError> {
        let text = text.trim();
        let plain = text.bytes().all(|byte| byte.is_ascii_graphic());
        if text.is_empty() || text.len() > CREDENTIAL_BYTES_MAX || !plain {
            return Err(KeyError);
        }
        let mut value = MetadataValue::try_from(format!("Bearer {text}")).map_err(|_| KeyError)?;
        value.set_sensitive(true);
        Ok(Key(value))
    }

    /// The value of the `authorization` header.
    #[must_use]
    pub fn header(&self) -> MetadataValue<Ascii> {
        self.0.clone()
    }
}

impl Debug for Key {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("Key(***)")
    }
}

/// What TLS takes beside the address. Files in PEM, as they were read.
#[derive(Clone, Default)]
pub struct Tls {
    /// Who signed the certificate of the server; without it, whom this machine trusts.
    pub authority: Option<Vec<u8>>,
    /// A certificate of the client and its key.
    pub identity: Option<(Vec<u8>, Vec<u8>)>,
}

impl Tls {
    pub(super) fn config(self) -> ClientTlsConfig {
        let config = match self.authority {
            Some(authority) => {
                ClientTlsConfig::new().ca_certificate(Certificate::from_pem(authority))
            }
            None => ClientTlsConfig::new().with_native_roots(),
        };
        match self.identity {
            Some((certificate, key)) => config.identity(Identity::from_pem(certificate, key)),
            None => config,
        }
    }
}

impl Debug for Tls {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("Tls")
    }
}

/// How a client gets in.
#[derive(Clone, Debug, Default)]
pub struct Access {
    pub key: Option<Key>,
    pub tls: Tls,
}

/// Puts the key into every request.
#[derive(Clone, Debug)]
pub struct KeyHeader(pub(super) Option<Key>);

impl Interceptor for KeyHeader {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(key) = &self.0 {
            request.metadata_mut().insert("authorization", key.header());
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_shown() {
        let key = Key::new("tn_secret\n").expect("a key");
        assert_eq!(key.header().to_str().expect("text"), "Bearer tn_secret");
        let access = Access { key: Some(key.clone()), tls: Tls::default() };
        for shown in [format!("{access:?}"), format!("{:?}", key.header())] {
            assert!(!shown.contains("secret"), "{shown}");
        }
        let long = "x".repeat(CREDENTIAL_BYTES_MAX);
        assert!(Key::new(&long).is_ok());
        for bad in ["", " ", "a b", "\u{d55c}", &format!("{long}x")] {
            assert_eq!(Key::new(bad).err(), Some(KeyError), "{bad}");
        }
    }
}
