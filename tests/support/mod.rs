//! A server in this process on a port of its own, with a clock that the test sets.

#![allow(dead_code, reason = "each test binary uses a part of it")]
#![allow(clippy::unnecessary_wraps, reason = "fields of messages are optional")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tempfile::TempDir;
use tonic::transport::Channel;

use tenure::engine::{Clock, Config, Engine};
use tenure::models::Models;
use tenure::rpc::proto;
use tenure::rpc::proto::admin_service_client::AdminServiceClient;
use tenure::rpc::proto::fact_service_client::FactServiceClient;
use tenure::rpc::proto::graph_service_client::GraphServiceClient;
use tenure::rpc::proto::memory_service_client::MemoryServiceClient;
use tenure::server::{Options, Running, space, start_with};
use tenure::types::limits::MESSAGE_BYTES_MAX;
use tenure::types::{EncryptionKey, Timestamp};

/// Shows what it was last set to, and does not move by itself.
#[derive(Debug, Default)]
pub(crate) struct TestClock(AtomicI64);

impl TestClock {
    pub(crate) fn set(&self, micros: i64) {
        self.0.store(micros, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}

pub(crate) struct Server {
    running: Running,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) engine: Engine,
    pub(crate) facts: FactServiceClient<Channel>,
    pub(crate) graph: GraphServiceClient<Channel>,
    pub(crate) memory: MemoryServiceClient<Channel>,
    pub(crate) admin: AdminServiceClient<Channel>,
    pub(crate) channel: Channel,
    home: Option<TempDir>,
}

impl Server {
    /// Over an empty directory, with the namespace `default`, at time 0.
    pub(crate) async fn start() -> Server {
        let home = tempfile::tempdir().expect("a place for data");
        let mut server = Server::open(home.path()).await;
        server.home = Some(home);
        server.create_namespace("default").await;
        server
    }

    /// Over a directory that outlives the server.
    pub(crate) async fn open(data: &Path) -> Server {
        Server::open_with(data, Models::built_in()).await
    }

    pub(crate) async fn open_with(data: &Path, models: Models) -> Server {
        Server::open_keyed(data, models, None).await
    }

    /// Over a directory that is encrypted with a key.
    pub(crate) async fn open_keyed(
        data: &Path,
        models: Models,
        key: Option<EncryptionKey>,
    ) -> Server {
        let clock = Arc::new(TestClock::default());
        let config = Config { data: data.to_owned(), space: space(&models), key };
        let engine = Engine::open(&config, Arc::clone(&clock) as Arc<dyn Clock>);
        Server::with(engine.expect("the directory opens"), clock, models).await
    }

    /// Without an embedder: vectors are those that the test supplies.
    pub(crate) async fn without_embedder() -> Server {
        let home = tempfile::tempdir().expect("a place for data");
        let mut server = Server::open_with(home.path(), Models::default()).await;
        server.home = Some(home);
        server.create_namespace("default").await;
        server
    }

    pub(crate) async fn over(engine: Engine, clock: Arc<TestClock>) -> Server {
        Server::with(engine, clock, Models::built_in()).await
    }

    pub(crate) async fn with(engine: Engine, clock: Arc<TestClock>, models: Models) -> Server {
        Server::with_options(engine, clock, models, Options::default()).await
    }

    pub(crate) async fn with_options(
        engine: Engine,
        clock: Arc<TestClock>,
        models: Models,
        options: Options,
    ) -> Server {
        let address = "127.0.0.1:0".parse().expect("an address");
        let running = start_with(address, engine.clone(), models, options).await;
        let running = running.expect("a free port");
        let url = format!("http://{}", running.address());
        let channel =
            Channel::from_shared(url).expect("a URL").connect().await.expect("it listens");
        let facts = FactServiceClient::new(channel.clone())
            .max_decoding_message_size(MESSAGE_BYTES_MAX)
            .max_encoding_message_size(2 * MESSAGE_BYTES_MAX);
        let graph = GraphServiceClient::new(channel.clone());
        let memory = MemoryServiceClient::new(channel.clone())
            .max_decoding_message_size(2 * MESSAGE_BYTES_MAX);
        let admin = AdminServiceClient::new(channel.clone());
        Server { running, clock, engine, facts, graph, memory, admin, channel, home: None }
    }

    pub(crate) async fn create_namespace(&mut self, name: &str) {
        let request = proto::CreateNamespaceRequest { name: name.to_owned(), ..Default::default() };
        self.admin.create_namespace(request).await.expect("a new namespace");
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.running.address())
    }

    /// Stops the server; the directory can be opened again afterwards.
    pub(crate) async fn stop(self) -> Option<TempDir> {
        let Server { running, engine, facts, graph, memory, admin, channel, home, .. } = self;
        drop((facts, graph, memory, admin, channel));
        running.stop().await.expect("a clean stop");
        drop(engine);
        home
    }
}

/// One operation at a time, in the words of the law.
pub(crate) mod op {
    use super::proto;
    use super::proto::operation::Operation as Kind;

    pub(crate) fn triple(s: &str, p: &str, o: &str) -> Option<proto::Triple> {
        let object = Some(entity(o));
        Some(proto::Triple { subject: s.to_owned(), predicate: p.to_owned(), object })
    }

    pub(crate) fn entity(name: &str) -> proto::Object {
        proto::Object { object: Some(proto::object::Object::Entity(name.to_owned())) }
    }

    pub(crate) fn instant(micros: i64) -> Option<proto::Bound> {
        let at = proto::bound::Bound::Instant(proto::Instant { unix_micros: micros });
        Some(proto::Bound { bound: Some(at), ..Default::default() })
    }

    pub(crate) fn date(text: &str) -> Option<proto::Bound> {
        let date = proto::CivilDate { text: text.to_owned(), ..Default::default() };
        Some(proto::Bound { bound: Some(proto::bound::Bound::Date(date)), ..Default::default() })
    }

    pub(crate) fn unbounded() -> Option<proto::Bound> {
        let bound = proto::bound::Bound::Unbounded(proto::Unbounded {});
        Some(proto::Bound { bound: Some(bound), ..Default::default() })
    }

    pub(crate) fn of(kind: Kind) -> proto::Operation {
        proto::Operation { operation: Some(kind) }
    }

    pub(crate) fn assert(
        s: &str,
        p: &str,
        o: &str,
        from: Option<proto::Bound>,
        to: Option<proto::Bound>,
    ) -> proto::Operation {
        let triple = triple(s, p, o);
        of(Kind::Assert(proto::Assert { triple, from, to, ..Default::default() }))
    }

    pub(crate) fn end(s: &str, p: &str, o: &str, at: Option<proto::Bound>) -> proto::Operation {
        of(Kind::End(proto::End { triple: triple(s, p, o), at, ..Default::default() }))
    }

    pub(crate) fn retract(s: &str, p: &str, o: &str) -> proto::Operation {
        of(Kind::Retract(proto::Retract { triple: triple(s, p, o), ..Default::default() }))
    }

    pub(crate) fn one(predicate: &str) -> proto::Operation {
        declare(predicate, proto::Cardinality::One)
    }

    pub(crate) fn declare(predicate: &str, cardinality: proto::Cardinality) -> proto::Operation {
        of(Kind::DeclarePredicate(proto::DeclarePredicate {
            predicate: predicate.to_owned(),
            cardinality: cardinality.into(),
        }))
    }
}

/// Where to read.
pub(crate) mod at {
    use super::proto;

    /// Both axes: a valid instant, and what was known at an instant.
    pub(crate) fn times(valid: i64, known: i64) -> Option<proto::AsOf> {
        let known = proto::transaction_point::Point::Instant(proto::Instant { unix_micros: known });
        as_of(Some(valid), Some(known))
    }

    /// Both axes: a valid instant, and a transaction.
    pub(crate) fn tx(valid: i64, tx: u64) -> Option<proto::AsOf> {
        as_of(Some(valid), Some(proto::transaction_point::Point::Tx(tx)))
    }

    pub(crate) fn valid(valid: i64) -> Option<proto::AsOf> {
        as_of(Some(valid), None)
    }

    fn as_of(
        valid: Option<i64>,
        known: Option<proto::transaction_point::Point>,
    ) -> Option<proto::AsOf> {
        let valid = valid.map(|micros| proto::ValidPoint {
            point: Some(proto::valid_point::Point::Instant(proto::Instant { unix_micros: micros })),
            ..Default::default()
        });
        let known =
            known.map(|point| proto::TransactionPoint { point: Some(point), ..Default::default() });
        Some(proto::AsOf { valid, known })
    }
}

/// The stable reason of an error.
pub(crate) fn reason(status: &tonic::Status) -> String {
    use tonic_types::StatusExt;
    status.get_error_details().error_info().map(|info| info.reason.clone()).unwrap_or_default()
}
