//! Opening a data directory: lock, store, views, writer; ready when all have caught up.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use thiserror::Error;
use tokio::sync::mpsc;

use crate::store::{self, Store};
use crate::types::limits::QUEUE_COMMANDS_MAX;
use crate::types::{Cipher, EncryptionKey};

use super::clock::Clock;
use super::guard::Guard;
use super::handle::{Engine, Parts};
use super::indexer::Indexers;
use super::keep::{Waiting, save};
use super::meters::Meters;
use super::namespace::Registry;
use super::recover::namespace;
use super::search::Views;
use super::spaces::SpaceSpec;
use super::writer::{Writer, Writing};

#[derive(Clone, Debug)]
pub struct Config {
    pub data: PathBuf,
    /// The space that a namespace gets with its first vector, where the server embeds.
    pub space: Option<SpaceSpec>,
    /// What opens the directory, where it is encrypted. A new one is encrypted with it.
    pub key: Option<EncryptionKey>,
}

impl Config {
    /// Vectors are those that callers supply.
    #[must_use]
    pub fn new(data: PathBuf) -> Config {
        Config { data, space: None, key: None }
    }
}

/// Folder of the views in a data directory. Deleting it costs a rebuild and nothing else.
const VIEWS_FOLDER: &str = "views";

#[derive(Debug, Error)]
pub enum OpenError {
    #[error(transparent)]
    Store(#[from] store::OpenError),
    /// Where there are views there was a database. An empty one in its place would answer that
    /// nothing was ever recorded.
    #[error(
        "the data directory {} has views of facts and no tenure.redb. Put the file back, or remove \
         the folder `views` to begin with nothing",
        path.display()
    )]
    DatabaseMissing { path: PathBuf },
    #[error("the stored facts cannot be read")]
    Read(#[from] store::ReadError),
    #[error("{count} credentials are the most a data directory holds")]
    CredentialsFull { count: u64 },
    #[error("the writer cannot be started")]
    Writer(#[source] std::io::Error),
}

impl Engine {
    /// # Errors
    /// [`OpenError`]; in particular when another process has the directory open.
    pub fn open(config: &Config, clock: Arc<dyn Clock>) -> Result<Engine, OpenError> {
        let folder = config.data.join(VIEWS_FOLDER);
        if folder.exists() && !Store::is_in(&config.data) {
            return Err(OpenError::DatabaseMissing { path: config.data.clone() });
        }
        let store = Store::open_with(&config.data, config.key.as_ref())?;
        let cipher = store.cipher().cloned().map(|cipher| Arc::new(cipher) as Arc<dyn Cipher>);
        let views = Views { folder, cipher };
        Engine::start(store, clock, Some(views), config.space.clone())
    }

    /// Starts over a store that is open already. The views are in memory alone.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn over(store: Store, clock: Arc<dyn Clock>) -> Result<Engine, OpenError> {
        Engine::start(store, clock, None, None)
    }

    fn start(
        store: Store,
        clock: Arc<dyn Clock>,
        views: Option<Views>,
        space: Option<SpaceSpec>,
    ) -> Result<Engine, OpenError> {
        let store = Arc::new(store);
        let registry = Arc::new(Registry::default());
        let guard = Arc::new(Guard::default());
        let meters = Arc::new(Meters::default());
        let reader = store.read()?;
        guard.load(&reader)?;
        for record in reader.namespaces()? {
            registry.insert(namespace(&reader, record, views.as_ref())?);
        }
        drop(reader);
        if let Some(views) = &views {
            sweep(views, &registry);
        }
        let (queue, jobs) = mpsc::channel(QUEUE_COMMANDS_MAX);
        let embedding = Arc::new(Waiting::default());
        let (saving, waiting) = (queue.downgrade(), Arc::clone(&embedding));
        let (indexers, waker) = Indexers::start(
            Arc::clone(&store),
            Box::new(move |namespace| save(&saving, namespace)),
            Box::new(move |namespace| waiting.add(&namespace.record.name)),
        )
        .map_err(OpenError::Writer)?;
        for namespace in registry.all() {
            waker.wake(&namespace);
        }
        let writer = Writer::new(Writing {
            store: Arc::clone(&store),
            registry: Arc::clone(&registry),
            guard: Arc::clone(&guard),
            meters: Arc::clone(&meters),
            clock: Arc::clone(&clock),
            waker: waker.clone(),
            views,
            space,
        });
        let thread = thread::Builder::new()
            .name("tenure-writer".to_owned())
            .spawn(move || {
                let _guard = EndProcessOnPanic;
                writer.run(jobs);
            })
            .map_err(OpenError::Writer)?;
        Ok(Engine::new(Parts {
            store,
            registry,
            guard,
            meters,
            clock,
            queue,
            writer: thread,
            waker,
            indexers,
            embedding,
        }))
    }
}

/// Puts another key in the place of the one that opens a data directory, which no process has open.
///
/// # Errors
/// [`OpenError`]; the first key then still opens it.
pub fn change_key(
    directory: &Path,
    from: &EncryptionKey,
    to: &EncryptionKey,
) -> Result<(), OpenError> {
    Ok(Store::change_key(directory, from, to)?)
}

/// Removes views that belong to nothing: of namespaces that are gone, and of before an erasure.
fn sweep(views: &Views, registry: &Registry) {
    let used: Vec<PathBuf> = registry
        .all()
        .iter()
        .filter_map(|namespace| Some(namespace.search.home()?.folder.clone()))
        .collect();
    // Where there is no folder there is nothing to remove.
    let Ok(entries) = std::fs::read_dir(&views.folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if !used.contains(&path)
            && let Err(error) = std::fs::remove_dir_all(&path)
        {
            tracing::warn!(%error, "views that are not used could not be removed");
        }
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
