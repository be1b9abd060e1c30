//! The process: sockets, signals, telemetry. No domain logic.

mod access;
mod config;
mod embed;
mod listen;
mod observe;
mod run;
mod signal;
mod telemetry;
mod tls;

pub use crate::auth::{AdminKey, AdminKeyError, ClaimNames, JwksError, JwksSource, TokenConfig};
pub use crate::engine::{
    BackupFile, Fault, Issued, NewCredential, OpenError, Restore, RestoreError, Restored, Until,
    change_key, restore,
};
pub use access::{AccessConfig, create_credential};
pub use config::{Config, EmbedderConfig, Options, ServeError};
pub use observe::TraceError;
pub use run::{Running, launch, serve, space, start, start_with};
pub use signal::interrupted;
pub use telemetry::{LogFormat, LogOptions, init as init_telemetry};
pub use tls::{TlsConfig, TlsError};
