//! Every call as a span, sent to a collector over OTLP: one span a call, and one under it for each
//! step that is timed by itself.
//!
//! - A span is made when its call ends, out of what was noted. Where no collector is named nothing
//!   is made.
//! - Spans wait in a queue with a bound and are dropped past it: a collector that is slow or gone
//!   slows no call.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use axum::http::HeaderMap;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{Span, SpanKind, Status, TraceContextExt, Tracer, TracerProvider};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, SdkTracer, SdkTracerProvider, SpanData,
    SpanExporter as Exporter,
};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::registry::Registry;
use thiserror::Error;
use tonic::Code;
use tracing::{info, warn};

use crate::engine::{Notes, StepNote};
use crate::types::limits::{SPANS_QUEUED_MAX, SPANS_SECONDS_MAX, SPANS_SENT_MAX};

use super::requests::{Told, code_text};

const SERVICE: &str = "tenure";
/// What is not of the contract; nobody traces it.
const OTHER: &str = "other";

#[derive(Debug, Error)]
pub enum TraceError {
    #[error("the collector is not an http or https URL without a user and a query")]
    Endpoint,
    #[error("traces cannot be sent")]
    Exporter(#[from] ExporterBuildError),
}

/// The trace that a call belongs to, as its caller says; empty where it begins one.
pub(super) struct Came(Context);

#[derive(Debug)]
pub(in crate::server) struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    propagator: TraceContextPropagator,
    made: Counter,
    sending: Sending,
}

/// What became of spans that were sent.
#[derive(Clone, Debug, Default)]
struct Sending {
    sent: Counter,
    failed: Counter,
    /// The last message was not taken, and the log says so already.
    failing: Arc<AtomicBool>,
}

impl Traces {
    /// Must be made inside a runtime, which then carries the connection.
    pub(in crate::server) fn new(endpoint: &str) -> Result<Traces, TraceError> {
        let patience = Duration::from_secs(SPANS_SECONDS_MAX);
        let exporter = SpanExporter::builder()
            .with_tonic()
            .with_endpoint(checked(endpoint)?)
            .with_timeout(patience)
            .build()?;
        let sending = Sending::default();
        let config = BatchConfigBuilder::default()
            .with_max_queue_size(SPANS_QUEUED_MAX)
            .with_max_export_batch_size(SPANS_SENT_MAX)
            .build();
        let exporter = Watched { exporter, sending: sending.clone() };
        let processor = BatchSpanProcessor::builder(exporter).with_batch_config(config).build();
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let resource =
            Resource::builder().with_service_name(SERVICE).with_attribute(version).build();
        let provider = SdkTracerProvider::builder()
            .with_span_processor(processor)
            .with_resource(resource)
            .build();
        let tracer = provider.tracer(SERVICE);
        let propagator = TraceContextPropagator::new();
        Ok(Traces { provider, tracer, propagator, made: Counter::default(), sending })
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        let Sending { sent, failed, .. } = self.sending.clone();
        registry.register("spans_made", "Spans of calls that ended", self.made.clone());
        registry.register("spans_sent", "Spans that the collector took", sent);
        registry.register("spans_failed", "Spans that the collector did not take", failed);
    }

    /// A call has come, in the trace that `traceparent` names.
    pub(super) fn came(&self, method: &str, headers: &HeaderMap) -> Option<Came> {
        (method != OTHER).then(|| {
            let none = Context::new();
            Came(self.propagator.extract_with_context(&none, &Headers(headers)))
        })
    }

    /// Makes the spans of a call that has ended, and gives back the trace, unless its caller said
    /// that it is not to be recorded.
    pub(super) fn tell(&self, Came(parent): Came, told: &Told) -> Option<String> {
        let wall = Wall::now();
        let builder = self
            .tracer
            .span_builder(told.method)
            .with_kind(SpanKind::Server)
            .with_start_time(wall.of(told.began))
            .with_attributes(attributes(told));
        let mut span = builder.start_with_context(&self.tracer, &parent);
        if !span.is_recording() {
            return None;
        }
        if is_fault(told.code) {
            span.set_status(Status::error(code_text(told.code)));
        }
        let context = parent.with_remote_span_context(span.span_context().clone());
        for note in &told.notes.steps {
            self.step(&context, note, &wall);
        }
        span.end_with_timestamp(wall.of(told.began + told.took));
        self.made.inc();
        Some(span.span_context().trace_id().to_string())
    }

    fn step(&self, call: &Context, note: &StepNote, wall: &Wall) {
        let found = KeyValue::new("tenure.found", whole(note.found));
        let mut span = self
            .tracer
            .span_builder(note.step.name())
            .with_start_time(wall.of(note.began))
            .with_attributes([found])
            .start_with_context(&self.tracer, call);
        if note.failed {
            span.set_status(Status::error("failed"));
        }
        span.end_with_timestamp(wall.of(note.began + note.took));
        self.made.inc();
    }

    /// Sends what waits, for a while, and then no more.
    pub(in crate::server) fn close(&self) {
        let patience = Duration::from_secs(SPANS_SECONDS_MAX);
        if let Err(error) = self.provider.shutdown_with_timeout(patience) {
            warn!(%error, "the last traces could not be sent");
        }
    }
}

/// One moment on both clocks of the process, so that the parts of a call lie within it.
struct Wall {
    instant: Instant,
    time: SystemTime,
}

impl Wall {
    fn now() -> Wall {
        Wall { instant: Instant::now(), time: SystemTime::now() }
    }

    fn of(&self, instant: Instant) -> SystemTime {
        let ago = self.instant.saturating_duration_since(instant);
        self.time.checked_sub(ago).unwrap_or(SystemTime::UNIX_EPOCH)
    }
}

/// Addresses are shown by `tenure config`, so they hold no secrets.
fn checked(endpoint: &str) -> Result<&str, TraceError> {
    let uri: axum::http::Uri = endpoint.parse().map_err(|_| TraceError::Endpoint)?;
    let known = matches!(uri.scheme_str(), Some("http" | "https"));
    let plain = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
    if known && plain && uri.query().is_none() { Ok(endpoint) } else { Err(TraceError::Endpoint) }
}

fn attributes(told: &Told) -> Vec<KeyValue> {
    let Notes { namespace, basis, written, found, steps_left_out, .. } = &told.notes;
    let mut attributes = vec![
        KeyValue::new("rpc.system.name", "grpc"),
        KeyValue::new("rpc.method", told.method),
        KeyValue::new("rpc.response.status_code", code_text(told.code)),
        KeyValue::new("tenure.found", whole(*found)),
        KeyValue::new("tenure.answer_bytes", whole(told.sent)),
    ];
    if let Some(name) = namespace {
        attributes.push(KeyValue::new("tenure.namespace", name.to_string()));
    }
    if let Some(basis) = basis {
        attributes.push(KeyValue::new("tenure.basis.valid_micros", basis.valid.micros()));
        attributes.push(KeyValue::new("tenure.basis.tx", whole(basis.tx.raw())));
    }
    if let Some(tx) = written {
        attributes.push(KeyValue::new("tenure.written_tx", whole(tx.raw())));
    }
    if *steps_left_out > 0 {
        attributes.push(KeyValue::new("tenure.steps_left_out", whole(*steps_left_out)));
    }
    attributes
}

/// Numbers of attributes are signed.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Whether a code says that the server did wrong, and not its caller.
fn is_fault(code: Code) -> bool {
    match code {
        Code::Unknown
        | Code::DeadlineExceeded
        | Code::Unimplemented
        | Code::Internal
        | Code::Unavailable
        | Code::DataLoss => true,
        Code::Ok
        | Code::Cancelled
        | Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::ResourceExhausted
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::OutOfRange
        | Code::Unauthenticated => false,
    }
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(axum::http::HeaderName::as_str).collect()
    }
}

/// Counts what is sent. The log says once that a collector is gone, and once that it is back.
#[derive(Debug)]
struct Watched {
    exporter: SpanExporter,
    sending: Sending,
}

impl Exporter for Watched {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let count = u64::try_from(batch.len()).unwrap_or(u64::MAX);
        let result = self.exporter.export(batch).await;
        let Sending { sent, failed, failing } = &self.sending;
        match &result {
            Ok(()) => {
                sent.inc_by(count);
                if failing.swap(false, Ordering::Relaxed) {
                    info!("traces are sent again");
                }
            }
            Err(error) => {
                failed.inc_by(count);
                if !failing.swap(true, Ordering::Relaxed) {
                    warn!(%error, "traces could not be sent");
                }
            }
        }
        result
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collector_is_an_address_that_can_be_shown() {
        for good in ["http://127.0.0.1:4317", "https://collector.example/base"] {
            assert_eq!(checked(good).expect("a URL"), good);
        }
        for bad in
            ["", "collector:4317", "ftp://h", "http://ann:planted@h", "http://h/?key=planted"]
        {
            let error = checked(bad).expect_err(bad);
            assert!(!error.to_string().contains("planted"), "{bad}");
        }
    }
}
