//! The worker that forgets: every so many hours it goes through all namespaces, in small steps, and
//! rests after each as long as the step took.

use std::time::{Duration, Instant};

use tokio::time::sleep;
use tracing::{info, warn};

use crate::engine::Engine;
use crate::rpc::Sweeping;
use crate::types::Name;

/// The least rest after a step.
const REST_MIN: Duration = Duration::from_millis(20);

/// Runs until it is dropped.
pub(super) async fn sweep(engine: Engine, every: Duration) {
    loop {
        sleep(every).await;
        for info in engine.namespaces() {
            let Ok(name) = Name::new(&info.name) else { continue };
            namespace(&engine, name).await;
        }
    }
}

async fn namespace(engine: &Engine, name: Name) {
    let mut sweeping = Sweeping::new(name.clone());
    let mut changed = 0;
    loop {
        let begun = Instant::now();
        match sweeping.step(engine).await {
            Ok(Some(items)) => changed += items,
            Ok(None) => break,
            // The next sweep begins anew, and finds what this one left.
            Err(status) => {
                warn!(namespace = %name, %status, "a sweep could not go on");
                break;
            }
        }
        sleep(begun.elapsed().max(REST_MIN)).await;
    }
    if changed > 0 {
        info!(namespace = %name, changed, "swept");
    }
}
