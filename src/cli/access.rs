//! Who may come in to the server, and how it is reached, from the command line and the environment.

use std::path::PathBuf;

use clap::Args;
use thiserror::Error;

use crate::server::{
    AccessConfig, AdminKey, AdminKeyError, ClaimNames, JwksError, JwksSource, Options, TlsConfig,
    TokenConfig,
};

/// Holds the key of the operator. It is no option, which others could read.
const ADMIN_KEY: &str = "TENURE_ADMIN_KEY";

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Access")]
pub struct AccessArgs {
    /// Ask for credentials also on a loopback address
    #[arg(long, env = "TENURE_REQUIRE_AUTH")]
    require_auth: bool,
    /// Serve everybody on an address that others can reach
    #[arg(long)]
    insecure: bool,
    /// File with a key of 32 bytes or more that may do everything; `TENURE_ADMIN_KEY` holds it
    /// directly
    #[arg(long, value_name = "FILE", env = "TENURE_ADMIN_KEY_FILE")]
    admin_key_file: Option<PathBuf>,
    /// File or https URL with the public keys of an identity provider, whose tokens are then taken
    #[arg(
        long,
        value_name = "FILE|URL",
        env = "TENURE_JWKS",
        requires = "jwt_issuer",
        requires = "jwt_audience"
    )]
    jwks: Option<String>,
    /// What `iss` of a token must be
    #[arg(long, value_name = "TEXT", env = "TENURE_JWT_ISSUER", requires = "jwks")]
    jwt_issuer: Option<String>,
    /// What `aud` of a token must be or hold
    #[arg(long, value_name = "TEXT", env = "TENURE_JWT_AUDIENCE", requires = "jwks")]
    jwt_audience: Option<String>,
    /// Claim that names the namespace, or * for all
    #[arg(long, value_name = "CLAIM", default_value = "tenure_namespace")]
    jwt_namespace_claim: String,
    /// Claim that names the owner; empty for tokens that name none
    #[arg(long, value_name = "CLAIM", default_value = "sub")]
    jwt_owner_claim: String,
    /// Claim with the labels, a list or a text with commas
    #[arg(long, value_name = "CLAIM", default_value = "tenure_labels")]
    jwt_labels_claim: String,
    /// Claim with the role: reader, writer or admin
    #[arg(long, value_name = "CLAIM", default_value = "tenure_role")]
    jwt_role_claim: String,
    /// Certificate of the server, in PEM; it then speaks TLS and nothing else
    #[arg(long, value_name = "FILE", env = "TENURE_TLS_CERT", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Its private key, in PEM
    #[arg(long, value_name = "FILE", env = "TENURE_TLS_KEY", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Who signs the certificates of clients, in PEM; clients without one are turned away
    #[arg(long, value_name = "FILE", env = "TENURE_TLS_CLIENT_CA", requires = "tls_cert")]
    tls_client_ca: Option<PathBuf>,
}

#[derive(Debug, Error)]
pub enum AccessArgsError {
    #[error(transparent)]
    AdminKey(#[from] AdminKeyError),
    #[error(transparent)]
    Jwks(#[from] JwksError),
}

impl AccessArgs {
    /// # Errors
    /// [`AccessArgsError`].
    pub fn options(self) -> Result<Options, AccessArgsError> {
        let admin_key = match (&self.admin_key_file, std::env::var(ADMIN_KEY)) {
            (Some(file), _) => Some(AdminKey::from_file(file)?),
            (None, Ok(key)) => Some(AdminKey::new(&key)?),
            (None, Err(_)) => None,
        };
        let claims = ClaimNames {
            namespace: self.jwt_namespace_claim,
            owner: self.jwt_owner_claim,
            labels: self.jwt_labels_claim,
            role: self.jwt_role_claim,
        };
        let tokens = match (self.jwks, self.jwt_issuer, self.jwt_audience) {
            (Some(jwks), Some(issuer), Some(audience)) => {
                Some(TokenConfig { jwks: JwksSource::new(&jwks)?, issuer, audience, claims })
            }
            // The options ask for one another.
            _ => None,
        };
        let (require, insecure) = (self.require_auth, self.insecure);
        let access = AccessConfig { require, insecure, admin_key, tokens };
        let client_authority = self.tls_client_ca;
        let tls = self.tls_cert.zip(self.tls_key).map(|(certificate, key)| TlsConfig {
            certificate,
            key,
            client_authority,
        });
        Ok(Options { access, tls, ..Options::default() })
    }
}
