//! Opening a data directory: lock, store, views, writer; ready when all have caught up.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use thiserror::Error;
use tokio::sync::mpsc;

use crate::store::{self, Store};
use crate::types::limits::QUEUE_COMMANDS_MAX;

use super::clock::Clock;
use super::handle::Engine;
use super::namespace::{Namespace, Registry};
use super::recover::published;
use super::writer::Writer;

#[derive(Clone, Debug)]
pub struct Config {
    pub data: PathBuf,
}

#[derive(Debug, Error)]
pub enum OpenError {
    #[error(transparent)]
    Store(#[from] store::OpenError),
    #[error("the stored facts cannot be read")]
    Read(#[from] store::ReadError),
    #[error("the writer cannot be started")]
    Writer(#[source] std::io::Error),
}

impl Engine {
    /// # Errors
    /// [`OpenError`]; in particular when another process has the directory open.
    pub fn open(config: &Config, clock: Arc<dyn Clock>) -> Result<Engine, OpenError> {
        Engine::over(Store::open(&config.data)?, clock)
    }

    /// Starts over a store that is open already.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn over(store: Store, clock: Arc<dyn Clock>) -> Result<Engine, OpenError> {
        let store = Arc::new(store);
        let registry = Arc::new(Registry::default());
        let reader = store.read()?;
        for record in reader.namespaces()? {
            let published = published(&reader, &record)?;
            registry.insert(Namespace::new(record, published));
        }
        drop(reader);
        let (queue, jobs) = mpsc::channel(QUEUE_COMMANDS_MAX);
        let writer = Writer::new(Arc::clone(&store), Arc::clone(&registry), Arc::clone(&clock));
        let thread = thread::Builder::new()
            .name("tenure-writer".to_owned())
            .spawn(move || {
                let _guard = EndProcessOnPanic;
                writer.run(jobs);
            })
            .map_err(OpenError::Writer)?;
        Ok(Engine::new(store, registry, clock, queue, thread))
    }
}

/// A writer that has panicked met a bug. A process without a writer looks alive and takes nothing
/// in, so it ends instead: what was acknowledged is on the disk, and a restart recovers.
struct EndProcessOnPanic;

impl Drop for EndProcessOnPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            tracing::error!("the writer met a bug; the process ends");
            std::process::abort();
        }
    }
}
