//! How the process is asked to stop.

use tokio::signal::unix::{SignalKind, signal};

/// Waits for an interrupt or a request to terminate.
pub async fn interrupted() {
    let terminated = async {
        match signal(SignalKind::terminate()) {
            Ok(mut signals) => drop(signals.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminated => {}
    }
}
