//! What the process says of itself: one line an event, on standard error.

use std::io::{self, IsTerminal};

use tracing::Level;

/// Installs the subscriber. `verbose` adds what is of interest only when something is looked for.
pub fn init(verbose: bool) {
    let level = if verbose { Level::DEBUG } else { Level::INFO };
    // A second subscriber is refused, which is right: the first one stays.
    let _ = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_target(false)
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr)
        .try_init();
}
