//! The process: sockets, signals, telemetry. No domain logic.

mod config;
mod embed;
mod run;
mod signal;
mod telemetry;

pub use crate::engine::{
    BackupFile, Fault, OpenError, Restore, RestoreError, Restored, Until, change_key, restore,
};
pub use config::{Config, EmbedderConfig, ServeError};
pub use run::{Running, launch, serve, space, start};
pub use signal::interrupted;
pub use telemetry::init as init_telemetry;
