//! What the process says of itself: one line an event, on standard error.
//!
//! A line never holds a name, a text or a value of anybody's facts.

use std::io::{self, IsTerminal};

use thiserror::Error;
use tracing_subscriber::EnvFilter;

/// How a line is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// What is said, and how.
#[derive(Clone, Debug)]
pub struct LogOptions {
    pub format: LogFormat,
    /// Levels by module, such as `info` or `warn,tenure::engine=debug`.
    pub filter: String,
}

impl Default for LogOptions {
    fn default() -> LogOptions {
        LogOptions { format: LogFormat::Text, filter: "info".to_owned() }
    }
}

#[derive(Debug, Error)]
#[error("the filter of the log cannot be read")]
pub struct FilterError(#[from] tracing_subscriber::filter::ParseError);

/// Installs the subscriber.
///
/// # Errors
/// [`FilterError`].
pub fn init(options: &LogOptions) -> Result<(), FilterError> {
    let filter = EnvFilter::builder().parse(&options.filter)?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_target(false)
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr);
    // A second subscriber is refused, which is right: the first one stays.
    let _ = match options.format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    Ok(())
}
