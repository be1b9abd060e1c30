//! What the server says of itself, and how.

use clap::{Args, ValueEnum};

use crate::server::{LogFormat, LogOptions};

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Log")]
pub struct LogArgs {
    /// How a line of the log is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log_format: Format,
    /// What is told: a level, or levels by module
    #[arg(long, value_name = "FILTER", default_value = "info")]
    log: String,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl LogArgs {
    #[must_use]
    pub fn options(&self) -> LogOptions {
        let format = match self.log_format {
            Format::Text => LogFormat::Text,
            Format::Json => LogFormat::Json,
        };
        LogOptions { format, filter: self.log.clone() }
    }
}
