//! One way in: a listener, an engine, and a future that says when to stop.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::{ReceiverStream, TcpListenerStream};
use tonic::service::Routes;
use tonic::transport::Server;
use tracing::{info, warn};

use crate::auth::Gate;
use crate::engine::{self, Clock, Engine, SpaceSpec, SystemClock};
use crate::http::{FrontLayer, Hosts, pages};
use crate::mcp::{self, Memory, Wire};
use crate::models::{Embedder, Models, StaticModel};
use crate::rpc::{Services, Terms, services};
use crate::types::limits::{CONNECTION_REQUESTS_MAX, KEEPALIVE_SECONDS};

use super::access::{attend, store};
use super::config::{Config, Options, ServeError};
use super::embed::{announce, embed};
use super::listen::{Connection, incoming};
use super::observe::{self, ObserveLayer, Pages, Requests, Traces};

/// Bytes in flight of one stream and of one connection, for bulk imports.
const STREAM_WINDOW: u32 = 4 * 1_024 * 1_024;
const CONNECTION_WINDOW: u32 = 8 * 1_024 * 1_024;

/// What agents remember in whose address names no namespace.
const MCP_NAMESPACE: &str = "default";

/// A server that runs in the background.
pub struct Running {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    task: JoinHandle<Result<(), ServeError>>,
}

impl Running {
    /// Where it listens; the port is known here also when any was asked for.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops taking requests, finishes those in flight, and closes the engine.
    ///
    /// # Errors
    /// What ended the server, if it was not this.
    pub async fn stop(self) -> Result<(), ServeError> {
        self.stop.send_replace(true);
        self.finished().await
    }

    /// Waits until it ends by itself.
    ///
    /// # Errors
    /// What ended it.
    ///
    /// # Panics
    /// When the server task panicked.
    pub async fn finished(self) -> Result<(), ServeError> {
        self.task.await.expect("the server task does not panic")
    }
}

/// Opens the data directory and serves it until `shutdown` completes.
///
/// # Errors
/// [`ServeError`].
pub async fn serve(
    config: Config,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let running = launch(config).await?;
    info!(address = %running.address(), "serving");
    let stop = running.stop.clone();
    tokio::spawn(async move {
        shutdown.await;
        info!("stopping");
        stop.send_replace(true);
    });
    running.finished().await
}

/// Opens the data directory and serves it in the background.
///
/// # Errors
/// [`ServeError`].
pub async fn launch(config: Config) -> Result<Running, ServeError> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let models = config.models()?;
    let hosts = Hosts::new(&config.allow_hosts)?;
    let Config { data, listen, key, options, .. } = config;
    announce(&models);
    let engine = Engine::open(&engine::Config { data, space: space(&models), key }, clock)?;
    start_as(hosts, listen, engine, models, options).await
}

/// Serves an engine on an address, in the background.
///
/// # Errors
/// [`ServeError`].
pub async fn start(
    listen: SocketAddr,
    engine: Engine,
    models: Models,
) -> Result<Running, ServeError> {
    start_with(listen, engine, models, Options::default()).await
}

/// The same with other options.
///
/// # Errors
/// [`ServeError`].
pub async fn start_with(
    listen: SocketAddr,
    engine: Engine,
    models: Models,
    options: Options,
) -> Result<Running, ServeError> {
    start_as(Hosts::default(), listen, engine, models, options).await
}

async fn start_as(
    hosts: Hosts,
    listen: SocketAddr,
    engine: Engine,
    models: Models,
    options: Options,
) -> Result<Running, ServeError> {
    let Options { access, tls, metrics, slow, otlp, grace, connections_max, import_idle } = options;
    let tls = tls.map(|tls| tls.acceptor()).transpose()?;
    let traces = otlp.map(|url| Traces::new(&url).map(Arc::new)).transpose()?;
    let terms = Terms { import_idle, other_ways_in: access.has_other_ways_in() };
    let gate = access.gate(&engine, listen, tls.is_some()).await?;
    let refused = |source| ServeError::Listen { address: listen, source };
    let listener = TcpListener::bind(listen).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    let (stop, stopping) = watch::channel(false);
    let incoming = incoming(listener, tls, connections_max, stopping.clone());
    let metrics = match metrics {
        None => None,
        Some(address) => {
            let refused = |source| ServeError::Listen { address, source };
            Some(TcpListener::bind(address).await.map_err(refused)?)
        }
    };
    let door = Door { hosts, incoming, gate, terms, metrics, slow, traces, grace };
    let task = tokio::spawn(run(door, engine, models, stopping));
    Ok(Running { address, stop, task })
}

/// How callers come in.
struct Door {
    hosts: Hosts,
    incoming: ReceiverStream<io::Result<Connection>>,
    gate: Arc<Gate>,
    terms: Terms,
    metrics: Option<TcpListener>,
    slow: Duration,
    traces: Option<Arc<Traces>>,
    grace: Duration,
}

async fn run(
    door: Door,
    engine: Engine,
    models: Models,
    stopping: watch::Receiver<bool>,
) -> Result<(), ServeError> {
    let Door { hosts, incoming, gate, terms, metrics, slow, traces, grace } = door;
    let models = Arc::new(models);
    let embeds = models.embedder.is_some();
    let worker = embeds.then(|| tokio::spawn(embed(engine.clone(), Arc::clone(&models))));
    let attending = attend(engine.clone(), Arc::clone(&gate), stopping.clone());
    let attending = tokio::spawn(attending);
    let requests = Requests::new(slow, traces.clone());
    let observed = Pages::new(engine.clone(), Arc::clone(&models), &requests, stopping.clone());
    let aside = metrics.map(|listener| tokio::spawn(metrics_aside(listener, observed.clone())));
    let routes = routes(engine.clone(), models, stopping.clone(), terms).await;
    let memory = Memory::new(&Wire::Local(routes.clone(), None), MCP_NAMESPACE);
    let pages = pages().merge(mcp::pages(&memory)).merge(observe::pages(&observed, true));
    let server = Server::builder()
        .accept_http1(true)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_concurrent_streams(CONNECTION_REQUESTS_MAX)
        .http2_keepalive_interval(Some(Duration::from_secs(KEEPALIVE_SECONDS)))
        .http2_keepalive_timeout(Some(Duration::from_secs(KEEPALIVE_SECONDS)))
        .layer(ObserveLayer(requests))
        .layer(FrontLayer::new(pages, hosts, gate))
        .add_routes(routes)
        .serve_with_incoming_shutdown(incoming, asked(stopping.clone()));
    let overdue = async {
        asked(stopping).await;
        tokio::time::sleep(grace).await;
    };
    let result = tokio::select! {
        result = server => result.map_err(ServeError::from),
        () = overdue => {
            warn!("requests were still in flight at the end of the grace period");
            Ok(())
        }
    };
    if let Some(worker) = worker {
        worker.abort();
    }
    attending.abort();
    if let Some(aside) = aside {
        aside.abort();
    }
    store(&engine).await;
    // Joins the writer, which may be in the middle of an fsync.
    let closed = tokio::task::spawn_blocking(move || engine.close()).await;
    if closed.is_err() {
        warn!("the engine did not close cleanly");
    }
    if let Some(traces) = traces {
        // It waits for the collector, for no longer than its bound.
        drop(tokio::task::spawn_blocking(move || traces.close()).await);
    }
    result
}

/// Answers about the server on an address of its own until it is dropped. A failure there ends
/// nothing else.
async fn metrics_aside(listener: TcpListener, observed: Pages) {
    let routes = Routes::from(observe::pages(&observed, false));
    let incoming = TcpListenerStream::new(listener);
    let served =
        Server::builder().accept_http1(true).add_routes(routes).serve_with_incoming(incoming).await;
    if let Err(error) = served {
        warn!(%error, "metrics are served no longer");
    }
}

/// Every service behind its path.
async fn routes(
    engine: Engine,
    models: Arc<Models>,
    stopping: watch::Receiver<bool>,
    terms: Terms,
) -> Routes {
    let Services { facts, graph, memory, admin, health, reflection } =
        services(engine, models, stopping, terms).await;
    Routes::new(facts)
        .add_service(graph)
        .add_service(memory)
        .add_service(admin)
        .add_service(health)
        .add_service(reflection)
        .prepare()
}

/// The space that a server with these models embeds in, where that is known without asking anyone.
///
/// # Panics
/// Never: the dimension of the built-in model is small.
#[must_use]
pub fn space(models: &Models) -> Option<SpaceSpec> {
    let (model, dimension) = match &models.embedder {
        Some(Embedder::BuiltIn(_)) => (StaticModel::NAME, StaticModel::DIMENSION),
        Some(Embedder::Endpoint(_)) | None => return None,
    };
    let dimension = u32::try_from(dimension).expect("a dimension is small");
    Some(SpaceSpec { model: model.to_owned(), dimension, supplied: false })
}

async fn asked(mut stopping: watch::Receiver<bool>) {
    // The sender is gone only when nobody can ask any more; then it goes on serving.
    if stopping.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}
