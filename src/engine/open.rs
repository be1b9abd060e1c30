//! Opening a data directory: lock, store, views, writer; ready when all have caught up.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use thiserror::Error;
use tokio::sync::mpsc;

use crate::kernel::Directory;
use crate::store::{self, LogBound, NamespaceRecord, Reader, Store};
use crate::types::limits::QUEUE_COMMANDS_MAX;
use crate::view::graph::GraphView;

use super::clock::Clock;
use super::handle::Engine;
use super::namespace::{Namespace, Published, Registry};
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
            .spawn(move || writer.run(jobs))
            .map_err(OpenError::Writer)?;
        Ok(Engine::new(store, registry, clock, queue, thread))
    }
}

/// Brings what is published in line with a store that was reopened. A commit that failed may have
/// reached the disk after all, so the store is asked, not the writer.
pub(super) fn recover(store: &Store, registry: &Registry) -> Result<(), store::ReadError> {
    let reader = store.read()?;
    let stored = reader.namespaces()?;
    for namespace in registry.all() {
        if !stored.iter().any(|record| record.id == namespace.id()) {
            registry.remove(&namespace.record.name);
        }
    }
    for record in stored {
        match registry.get(&record.name) {
            Some(namespace) => {
                let next = namespace.published().directory.last_tx().next();
                let bound = LogBound { txs: usize::MAX, bytes: usize::MAX };
                let txs = reader.log(record.id, next, bound)?;
                if !txs.is_empty() {
                    namespace.publish(&txs);
                }
            }
            None => {
                let published = published(&reader, &record)?;
                registry.insert(Namespace::new(record, published));
            }
        }
    }
    Ok(())
}

/// The directory is folded from the log. The graph starts from the table of rectangles, which the
/// same transactions wrote.
fn published(reader: &Reader, record: &NamespaceRecord) -> Result<Published, store::ReadError> {
    let mut directory = Directory::default();
    reader.for_each_tx(record.id, |tx| directory.apply(&tx))?;
    let mut rectangles = Vec::new();
    reader.for_each_rectangle(record.id, |rectangle| rectangles.push(rectangle))?;
    let graph = GraphView::load(rectangles.into_iter(), directory.last_tx());
    Ok(Published { directory, graph })
}
