//! Calls as spans, as a collector gets them.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::{Span, span::SpanKind, status::StatusCode};
use prost::Message;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};

use tenure::engine::{Config, Engine};
use tenure::models::Models;
use tenure::rpc::proto;
use tenure::server::{Options, ServeError, TraceError, start_with};

use crate::access::guarded;
use crate::ask::{HOME, fact, write};
use crate::recall::question;
use crate::support::op;

/// A trace of somebody else, and the span in it that calls.
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// Takes every span, as a collector does.
#[derive(Clone, Default)]
struct Taken(Arc<Mutex<Vec<ExportTraceServiceRequest>>>);

#[tonic::async_trait]
impl TraceService for Taken {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.0.lock().expect("no test panics here").push(request.into_inner());
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

pub(crate) struct Collector {
    pub(crate) url: String,
    taken: Taken,
    serving: JoinHandle<()>,
}

impl Collector {
    pub(crate) async fn start() -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let taken = Taken::default();
        let service = TraceServiceServer::new(taken.clone());
        let serving = tokio::spawn(async move {
            let incoming = TcpListenerStream::new(listener);
            let server = tonic::transport::Server::builder().add_service(service);
            server.serve_with_incoming(incoming).await.expect("it serves");
        });
        Collector { url, taken, serving }
    }

    /// Everything it was sent, once nobody sends any more: the messages, and the spans in them.
    pub(crate) fn end(self) -> (Vec<u8>, Vec<Span>) {
        self.serving.abort();
        let taken = self.taken.0.lock().expect("no test panics here");
        let bytes = taken.iter().flat_map(Message::encode_to_vec).collect();
        let resources = taken.iter().flat_map(|message| &message.resource_spans);
        let scopes = resources.flat_map(|resource| &resource.scope_spans);
        (bytes, scopes.flat_map(|scope| scope.spans.clone()).collect())
    }
}

fn traced(url: &str) -> Options {
    Options { otlp: Some(url.to_owned()), ..Options::default() }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes all");
        text
    })
}

fn attribute(span: &Span, key: &str) -> String {
    let found = span.attributes.iter().find(|attribute| attribute.key == key);
    match found.and_then(|found| found.value.as_ref()).and_then(|value| value.value.as_ref()) {
        Some(Value::StringValue(text)) => text.clone(),
        Some(Value::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    }
}

fn one<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    let mut found = spans.iter().filter(|span| span.name == name);
    let first = found.next().unwrap_or_else(|| panic!("no span {name} in {spans:#?}"));
    assert!(found.next().is_none(), "several spans {name}");
    first
}

fn within<T>(message: T, sampled: &str) -> Request<T> {
    let mut request = Request::new(message);
    let parent = format!("00-{TRACE}-{PARENT}-{sampled}");
    request.metadata_mut().insert("traceparent", parent.parse().expect("ASCII"));
    request
}

#[tokio::test]
async fn a_call_is_a_span_with_its_basis_and_its_steps() {
    let collector = Collector::start().await;
    let home = tempfile::tempdir().expect("a place for data");
    let mut server = guarded(home.path(), traced(&collector.url)).await;
    let planted = fact("planted-subject", "planted_predicate", "planted-object", 1, None);
    write(&mut server, 7, vec![op::one("planted_predicate"), planted]).await;
    let asked = question("planted-subject planted_predicate");
    server.memory.recall(within(asked, "01")).await.expect("an answer");
    let nowhere = "planted-namespace".to_owned();
    let wrong = proto::ListFactsRequest { namespace: nowhere, ..Default::default() };
    server.facts.list_facts(wrong).await.expect_err("there is none");
    drop(rustls::crypto::ring::default_provider().install_default());
    reqwest::get(format!("{}/planted", server.url())).await.expect("an answer");
    server.stop().await;

    let (bytes, spans) = collector.end();
    let recall = one(&spans, "MemoryService/Recall");
    assert_eq!(
        (hex(&recall.trace_id).as_str(), hex(&recall.parent_span_id).as_str()),
        (TRACE, PARENT)
    );
    assert_eq!(recall.kind(), SpanKind::Server);
    for (key, value) in [
        ("rpc.method", "MemoryService/Recall"),
        ("rpc.response.status_code", "OK"),
        ("tenure.namespace", HOME),
        ("tenure.basis.valid_micros", "7"),
        ("tenure.basis.tx", "1"),
        ("tenure.found", "1"),
    ] {
        assert_eq!(attribute(recall, key), value, "{key}");
    }
    let children: Vec<&Span> =
        spans.iter().filter(|span| span.parent_span_id == recall.span_id).collect();
    for step in ["embed", "text", "vector", "graph", "fuse"] {
        let child = children.iter().find(|child| child.name == step);
        let child = child.unwrap_or_else(|| panic!("no step {step} in {children:#?}"));
        assert_eq!(child.trace_id, recall.trace_id);
        assert!(child.start_time_unix_nano >= recall.start_time_unix_nano, "{step}");
        assert!(child.end_time_unix_nano <= recall.end_time_unix_nano, "{step}");
    }
    let transact = one(&spans, "FactService/Transact");
    assert_eq!(attribute(transact, "tenure.written_tx"), "1");
    let commit = one(&spans, "commit");
    assert_eq!(commit.parent_span_id, transact.span_id);
    let refused = one(&spans, "FactService/ListFacts");
    assert_eq!(attribute(refused, "rpc.response.status_code"), "NOT_FOUND");
    assert_eq!(refused.status.as_ref().map_or(0, |status| status.code), StatusCode::Unset as i32);
    // What is not of the contract is no span, and no span holds what was said.
    assert!(!spans.iter().any(|span| span.name == "other"));
    assert!(!String::from_utf8_lossy(&bytes).contains("planted"));
}

#[tokio::test]
async fn a_caller_may_ask_not_to_be_traced() {
    let collector = Collector::start().await;
    let home = tempfile::tempdir().expect("a place for data");
    let mut server = guarded(home.path(), traced(&collector.url)).await;
    server.admin.ping(within(proto::PingRequest {}, "00")).await.expect("an answer");
    server.stop().await;
    let (_, spans) = collector.end();
    assert!(spans.is_empty(), "{spans:#?}");
}

#[tokio::test]
async fn a_collector_must_be_an_address() {
    let home = tempfile::tempdir().expect("a place for data");
    let clock = Arc::new(crate::support::TestClock::default());
    let engine = Engine::open(&Config::new(home.path().to_owned()), clock).expect("opens");
    let listen = "127.0.0.1:0".parse().expect("an address");
    let started = start_with(listen, engine, Models::default(), traced("nowhere")).await;
    let error = started.err().expect("it does not start");
    assert!(matches!(error, ServeError::Traces(TraceError::Endpoint)), "{error}");
}
