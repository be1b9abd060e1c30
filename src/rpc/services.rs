//! The services of one server, with the bounds that hold for all of them.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tonic::server::NamedService;
use tonic_health::ServingStatus;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::server::HealthReporter;
use tonic_reflection::server::v1::{ServerReflection, ServerReflectionServer};

use crate::engine::Engine;
use crate::models::Models;
use crate::types::limits::{IMPORT_IDLE_SECONDS_MAX, MESSAGE_BYTES_MAX};

use super::admin::Admin;
use super::context::Context;
use super::facts::Facts;
use super::graph::Graph;
use super::memory::Memory;
use super::proto::FILE_DESCRIPTOR_SET;
use super::proto::admin_service_server::AdminServiceServer;
use super::proto::fact_service_server::FactServiceServer;
use super::proto::graph_service_server::GraphServiceServer;
use super::proto::memory_service_server::MemoryServiceServer;

pub struct Services<H: Health, R: ServerReflection> {
    pub facts: FactServiceServer<Facts>,
    pub graph: GraphServiceServer<Graph>,
    pub memory: MemoryServiceServer<Memory>,
    pub admin: AdminServiceServer<Admin>,
    pub health: HealthServer<H>,
    pub reflection: ServerReflectionServer<R>,
}

/// What the server as a whole lets a caller do.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// How long an import waits for the next message of its caller.
    pub import_idle: Duration,
    /// There are other credentials than those of the data directory.
    pub other_ways_in: bool,
}

impl Default for Terms {
    fn default() -> Terms {
        let import_idle = Duration::from_secs(IMPORT_IDLE_SECONDS_MAX);
        Terms { import_idle, other_ways_in: false }
    }
}

/// Everything the server answers. `stopping` ends streams that would otherwise never end.
///
/// # Panics
/// When the descriptors do not decode, which a test of the generated code rules out.
pub async fn services(
    engine: Engine,
    models: Arc<Models>,
    stopping: watch::Receiver<bool>,
    terms: Terms,
) -> Services<impl Health, impl ServerReflection> {
    let stops = stopping.clone();
    let context = Context::new(engine, models, stopping, terms);
    let (reporter, health) = tonic_health::server::health_reporter();
    reporter.set_serving::<FactServiceServer<Facts>>().await;
    reporter.set_serving::<GraphServiceServer<Graph>>().await;
    reporter.set_serving::<MemoryServiceServer<Memory>>().await;
    reporter.set_serving::<AdminServiceServer<Admin>>().await;
    tokio::spawn(say_when_it_stops(reporter, stops));
    let reflection = tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .build_v1()
        .expect("the descriptors decode");
    Services {
        facts: FactServiceServer::new(Facts::new(context.clone()))
            .max_decoding_message_size(MESSAGE_BYTES_MAX)
            // An exported transaction repeats names, so it may be larger than its request was.
            .max_encoding_message_size(2 * MESSAGE_BYTES_MAX),
        graph: GraphServiceServer::new(Graph::new(context.clone()))
            .max_decoding_message_size(MESSAGE_BYTES_MAX)
            .max_encoding_message_size(MESSAGE_BYTES_MAX),
        memory: MemoryServiceServer::new(Memory::new(context.clone()))
            .max_decoding_message_size(MESSAGE_BYTES_MAX)
            .max_encoding_message_size(2 * MESSAGE_BYTES_MAX),
        admin: AdminServiceServer::new(Admin::new(context))
            .max_decoding_message_size(MESSAGE_BYTES_MAX)
            .max_encoding_message_size(MESSAGE_BYTES_MAX),
        health,
        reflection,
    }
}

/// From the moment it is asked to stop, whoever watches is told to send elsewhere.
async fn say_when_it_stops(reporter: HealthReporter, mut stopping: watch::Receiver<bool>) {
    if stopping.wait_for(|stop| *stop).await.is_err() {
        return;
    }
    for service in [
        "",
        FactServiceServer::<Facts>::NAME,
        GraphServiceServer::<Graph>::NAME,
        MemoryServiceServer::<Memory>::NAME,
        AdminServiceServer::<Admin>::NAME,
    ] {
        reporter.set_service_status(service, ServingStatus::NotServing).await;
    }
}
