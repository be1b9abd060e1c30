//! What an operator sees: metrics, whether the server is up and ready, the log, and the files that
//! deploy it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use clap::CommandFactory;
use opentelemetry_proto::tonic::trace::v1::Span;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use tenure::cli::Cli;
use tenure::engine::{Clock, Config, Engine, SpaceSpec};
use tenure::models::Models;
use tenure::rpc::proto;
use tenure::rpc::proto::fact_service_client::FactServiceClient;
use tenure::rpc::proto::memory_service_client::MemoryServiceClient;
use tenure::server::Options;
use tenure::store::Store;
use tenure::types::Name;

use crate::access::guarded;
use crate::ask::{HOME, fact, snapshot, write};
use crate::disk::Disk;
use crate::recall::{question, recall};
use crate::support::{Server, TestClock, op};
use crate::traces::{Collector, hex};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

async fn page(url: &str) -> (u16, String) {
    // Whichever test of the process is first.
    drop(rustls::crypto::ring::default_provider().install_default());
    let answer = reqwest::get(url).await.expect("an answer");
    (answer.status().as_u16(), answer.text().await.expect("a text"))
}

fn value(metrics: &str, name: &str) -> Option<f64> {
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.map(|value| value.parse().expect("a number"))
}

#[tokio::test]
async fn metrics_count_what_was_done() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![op::one("head"), fact("d1", "head", "ann", 1, None)]).await;
    snapshot(&mut server, 2, 1).await;
    let wrong = proto::ListFactsRequest { namespace: "nowhere".to_owned(), ..Default::default() };
    server.facts.list_facts(wrong).await.expect_err("there is no such namespace");
    let strange = reqwest::get(format!("{}/planted", server.url())).await.expect("an answer");
    assert_eq!(strange.status(), 404);

    let (status, metrics) = page(&format!("{}/metrics", server.url())).await;
    assert_eq!(status, 200);
    let count = |method: &str, code: &str| {
        let name = format!("tenure_requests_total{{method=\"{method}\",code=\"{code}\"}}");
        value(&metrics, &name).unwrap_or_default()
    };
    assert!(count("FactService/ListFacts", "OK") >= 1.0, "{metrics}");
    assert!((count("FactService/ListFacts", "NOT_FOUND") - 1.0).abs() < 0.5, "{metrics}");
    assert!((count("other", "NOT_FOUND") - 1.0).abs() < 0.5, "{metrics}");
    // The namespace and the facts: two commits.
    assert_eq!(value(&metrics, "tenure_commit_duration_seconds_count"), Some(2.0), "{metrics}");
    assert_eq!(value(&metrics, "tenure_store_broken"), Some(0.0));
    let own = format!("tenure_namespace_transactions{{namespace=\"{HOME}\"}}");
    assert_eq!(value(&metrics, &own), Some(1.0), "{metrics}");
    assert!(metrics.ends_with("# EOF\n"));
    for planted in ["planted", "nowhere", "d1", "head"] {
        assert!(!metrics.contains(&format!("\"{planted}\"")), "{planted} in {metrics}");
    }
    server.stop().await;
}

#[tokio::test]
async fn every_step_of_recall_is_timed() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![op::one("head"), fact("d1", "head", "ann", 1, None)]).await;
    recall(&mut server, question("who is the head of d1")).await;
    let (_, metrics) = page(&format!("{}/metrics", server.url())).await;
    for step in ["embed", "text", "vector", "graph", "fuse"] {
        let name = format!("tenure_recall_step_duration_seconds_count{{step=\"{step}\"}}");
        assert_eq!(value(&metrics, &name), Some(1.0), "{step} in {metrics}");
        let name = format!("tenure_recall_step_failures_total{{step=\"{step}\"}}");
        assert_eq!(value(&metrics, &name), Some(0.0), "{step} in {metrics}");
    }
    let none = "tenure_recall_step_duration_seconds_count{step=\"rerank\"}";
    assert_eq!(value(&metrics, none), Some(0.0), "{metrics}");
    server.stop().await;
}

#[tokio::test]
async fn the_dashboard_uses_metrics_that_exist() {
    let server = Server::start().await;
    let (_, metrics) = page(&format!("{}/metrics", server.url())).await;
    let families: BTreeSet<&str> = metrics
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next())
        .collect();
    let text = fs::read_to_string(root("docs/grafana.json")).expect("it is there");
    let board: Value = serde_json::from_str(&text).expect("JSON");
    let panels = board["panels"].as_array().expect("panels");
    let mut used = 0;
    for target in panels.iter().flat_map(|panel| panel["targets"].as_array().expect("targets")) {
        let expression = target["expr"].as_str().expect("an expression");
        let words = expression.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        for word in words.filter(|word| word.starts_with("tenure_")) {
            let ends = ["", "_total", "_bucket", "_sum", "_count"];
            let known = ends.iter().filter_map(|end| word.strip_suffix(end));
            assert!(known.into_iter().any(|name| families.contains(name)), "{word}: {families:?}");
            used += 1;
        }
    }
    assert!(used >= panels.len());
    server.stop().await;
}

#[tokio::test]
async fn a_server_says_that_it_is_up_and_ready() {
    let server = Server::start().await;
    assert_eq!(page(&format!("{}/healthz", server.url())).await, (200, "ok\n".to_owned()));
    let (status, report) = page(&format!("{}/readyz", server.url())).await;
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!((status, &report["ready"]), (200, &Value::Bool(true)), "{report}");
    assert_eq!(report["writable"], true);
    server.stop().await;
}

async fn ready(server: &Server) -> (u16, Value) {
    let (status, report) = page(&format!("{}/readyz", server.url())).await;
    (status, serde_json::from_str(&report).expect("JSON"))
}

#[tokio::test]
async fn a_server_that_cannot_write_is_not_ready() {
    let disk = Disk::default();
    let opened = disk.clone();
    let store = Store::with_backend(move || Ok(opened.clone())).expect("opens");
    let clock = Arc::new(TestClock::default());
    let engine = Engine::over(store, Arc::clone(&clock) as Arc<dyn Clock>).expect("starts");
    let mut server = Server::over(engine, clock).await;
    server.create_namespace(HOME).await;
    assert_eq!(ready(&server).await.0, 200);
    disk.set_fails_reads(true);
    disk.set_fails_writes(true);
    let operations = vec![fact("d1", "head", "ann", 1, None)];
    let request = proto::TransactRequest {
        namespace: HOME.to_owned(),
        operations: operations.clone(),
        ..Default::default()
    };
    server.facts.transact(request).await.expect_err("the disk does not write");
    let (status, report) = ready(&server).await;
    assert_eq!((status, &report["writable"]), (503, &Value::Bool(false)), "{report}");
    let (_, metrics) = page(&format!("{}/metrics", server.url())).await;
    assert_eq!(value(&metrics, "tenure_store_broken"), Some(1.0), "{metrics}");
    disk.set_fails_reads(false);
    disk.set_fails_writes(false);
    write(&mut server, 1, operations).await;
    let (status, report) = ready(&server).await;
    assert_eq!((status, &report["ready"]), (200, &Value::Bool(true)), "{report}");
    server.stop().await;
}

#[tokio::test]
async fn a_view_that_is_behind_keeps_nobody_away() {
    let home = tempfile::tempdir().expect("a place for data");
    let clock = Arc::new(TestClock::default());
    // A space of a model that nobody runs: its vectors never come.
    let model = "of-somebody".to_owned();
    let space = Some(SpaceSpec { model, dimension: 4, supplied: false });
    let config = Config { space, ..Config::new(home.path().to_owned()) };
    let engine = Engine::open(&config, Arc::clone(&clock) as Arc<dyn Clock>).expect("opens");
    let mut server = Server::with(engine, clock, Models::default()).await;
    let name = Name::new(HOME).expect("a name");
    server.engine.create_namespace(&name, "", config.space.as_ref()).await.expect("made");
    write(&mut server, 1, vec![fact("d1", "head", "ann", 1, None)]).await;
    recall(&mut server, question("ann")).await;
    let (status, report) = ready(&server).await;
    assert_eq!((status, &report["text"]["opening"]), (200, &Value::from(0)), "{report}");
    assert!(report["vectors"]["behind"].as_u64().expect("a number") > 0, "{report}");
    server.stop().await;
}

#[tokio::test]
async fn a_server_whose_text_view_does_not_open_is_not_ready() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![fact("d1", "head", "ann", 1, None)]).await;
    recall(&mut server, question("ann")).await;
    let home = server.stop().await.expect("its directory");
    let views = home.path().join("views");
    fs::remove_dir_all(&views).expect("removed");
    fs::write(&views, "no folder").expect("written");
    let server = Server::open(home.path()).await;
    let (status, report) = ready(&server).await;
    assert_eq!((status, &report["text"]["opening"]), (503, &Value::from(1)), "{report}");
    server.stop().await;
}

/// An import whose messages the test sends, one by one.
fn importing(
    server: &Server,
) -> (mpsc::Sender<proto::ImportFactsRequest>, JoinHandle<Result<proto::ImportFactsResponse, Status>>)
{
    let (sender, receiver) = mpsc::channel(1);
    let mut facts = server.facts.clone();
    let call = async move {
        facts.import_facts(ReceiverStream::new(receiver)).await.map(tonic::Response::into_inner)
    };
    (sender, tokio::spawn(call))
}

fn piece(object: &str) -> proto::ImportFactsRequest {
    let operations = vec![fact("d1", "head", object, 1, None)];
    proto::ImportFactsRequest { namespace: HOME.to_owned(), operations, ..Default::default() }
}

/// Until so many transactions are recorded.
async fn reached(server: &Server, tx: u64) {
    let mut last = server.engine.follow(&Name::new(HOME).expect("a name")).expect("it is there");
    last.wait_for(|last| last.raw() >= tx).await.expect("it is not deleted");
}

#[tokio::test]
async fn what_is_in_flight_at_a_stop_ends_well() {
    let server = Server::start().await;
    let mut health = HealthClient::new(server.channel.clone());
    let request = HealthCheckRequest { service: String::new() };
    let mut watching = health.watch(request).await.expect("a stream").into_inner();
    watching.message().await.expect("an answer").expect("one");
    let (sender, importing) = importing(&server);
    sender.send(piece("ann")).await.expect("it reads");
    reached(&server, 1).await;
    drop(health);
    let stopping = tokio::spawn(server.stop());
    let next = watching.message().await.expect("an answer").expect("one");
    assert_eq!(next.status(), ServingStatus::NotServing);
    drop(watching);
    // The stop has begun; what comes of the same call is still taken.
    sender.send(piece("bob")).await.expect("it reads");
    drop(sender);
    let answer = importing.await.expect("it ends").expect("both are taken");
    assert_eq!((answer.tx, answer.applied), (2, 2));
    let home = stopping.await.expect("it stops").expect("its directory");
    let server = Server::open(home.path()).await;
    reached(&server, 2).await;
    server.stop().await;
}

#[tokio::test]
async fn a_stop_waits_no_longer_than_its_grace() {
    let home = tempfile::tempdir().expect("a place for data");
    let options = Options { grace: Duration::ZERO, ..Options::default() };
    let server = guarded(home.path(), options).await;
    let (sender, importing) = importing(&server);
    sender.send(piece("ann")).await.expect("it reads");
    reached(&server, 1).await;
    // The import would go on for as long as its caller is silent.
    server.stop().await;
    assert!(!importing.is_finished());
    drop(sender);
}

#[tokio::test]
async fn whoever_watches_health_is_told_of_the_stop() {
    let server = Server::start().await;
    let mut health = HealthClient::new(server.channel.clone());
    let request = HealthCheckRequest { service: String::new() };
    let mut watching = health.watch(request).await.expect("a stream").into_inner();
    let first = watching.message().await.expect("an answer").expect("one");
    assert_eq!(first.status(), ServingStatus::Serving);
    drop(health);
    let stopping = tokio::spawn(server.stop());
    let next = watching.message().await.expect("an answer").expect("one");
    assert_eq!(next.status(), ServingStatus::NotServing);
    drop(watching);
    stopping.await.expect("it stops");
}

/// A server as a process, and what it says.
struct Process {
    child: Child,
    url: String,
    lines: std::io::Lines<BufReader<std::process::ChildStderr>>,
    said: Vec<String>,
}

impl Process {
    fn start(data: &Path, options: &[&str]) -> Process {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tenure"))
            .args(["serve", "--listen=127.0.0.1:0", "--log-format=json"])
            .arg(format!("--data={}", data.display()))
            .args(options)
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let stderr = child.stderr.take().expect("a pipe");
        let mut lines = BufReader::new(stderr).lines();
        let mut said = Vec::new();
        for line in lines.by_ref() {
            let line = line.expect("a line");
            let event: Value = serde_json::from_str(&line).expect("one JSON object a line");
            said.push(line);
            if event["message"] == "serving" {
                let url = format!("http://{}", event["address"].as_str().expect("an address"));
                return Process { child, url, lines, said };
            }
        }
        let ended = child.wait();
        panic!("it ended with {ended:?}: {said:?}");
    }

    /// Ends it as an orchestrator does, and gives back all it said.
    fn end(mut self) -> String {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).expect("it runs");
        self.said.extend(self.lines.map(|line| line.expect("a line")));
        assert!(self.child.wait().expect("it ends").success());
        self.said.join("\n")
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_of_a_run_holds_nothing_of_the_facts() {
    let home = tempfile::tempdir().expect("a place for data");
    let collector = Collector::start().await;
    let otlp = format!("--otlp-endpoint={}", collector.url);
    let options = ["--slow-millis=0", "--log=debug", otlp.as_str()];
    let start = || Process::start(home.path(), &options);
    // The collector answers on this thread's runtime, so the wait for the process is not on it.
    let process = tokio::task::block_in_place(start);
    let channel = tonic::transport::Channel::from_shared(process.url.clone()).expect("a URL");
    let channel = channel.connect().await.expect("it listens");
    let mut admin = proto::admin_service_client::AdminServiceClient::new(channel.clone());
    let namespace = "lab".to_owned();
    let request = proto::CreateNamespaceRequest { name: namespace.clone(), ..Default::default() };
    admin.create_namespace(request).await.expect("a new namespace");
    let mut facts = FactServiceClient::new(channel.clone());
    let planted = fact("planted-subject", "planted_predicate", "planted-object", 1, None);
    let request = proto::TransactRequest {
        namespace: namespace.clone(),
        operations: vec![planted],
        ..Default::default()
    };
    facts.transact(request).await.expect("a receipt");
    let request =
        proto::ListFactsRequest { namespace: "planted-namespace".to_owned(), ..Default::default() };
    facts.list_facts(request).await.expect_err("there is none");
    let mut memory = MemoryServiceClient::new(channel);
    let query = "planted-subject planted_predicate planted-object".to_owned();
    let request = proto::RecallRequest { namespace, query, ..Default::default() };
    // A fresh process takes its time to make its first vector, and a recall waits for a part of it.
    for _ in 0..50 {
        let answer = memory.recall(request.clone()).await.expect("an answer").into_inner();
        let vector = |leg: &proto::LegReport| leg.leg() == proto::Leg::Vector;
        if answer.legs.iter().any(|leg| vector(leg) && leg.status() == proto::LegStatus::Searched) {
            break;
        }
    }
    drop((facts, admin, memory));
    let said = tokio::task::spawn_blocking(|| process.end()).await.expect("it ends");
    let (_, spans) = collector.end();
    assert!(!said.contains("planted"), "{said}");
    let slow = |method: &str| {
        let events = said.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let mut of = events.filter(|event| event["method"] == method);
        of.next_back().unwrap_or_else(|| panic!("{method} is not in {said}"))
    };
    let transact = slow("FactService/Transact");
    assert_eq!(
        (&transact["message"], &transact["written_tx"]),
        (&json!("a slow request"), &json!(1))
    );
    assert!(transact["steps"].as_str().expect("a text").starts_with("commit "), "{transact}");
    let recalled = slow("MemoryService/Recall");
    assert_eq!((&recalled["code"], &recalled["namespace"]), (&json!("OK"), &json!("lab")));
    assert_eq!((&recalled["tx"], &recalled["found"]), (&json!(1), &json!(1)), "{recalled}");
    assert!(recalled["valid_micros"].is_i64() && recalled["answer_bytes"].as_u64() > Some(0));
    let steps = recalled["steps"].as_str().expect("a text");
    for step in ["embed ", "text ", "vector ", "graph ", "fuse "] {
        assert!(steps.contains(step), "{step} in {steps}");
    }
    let trace = recalled["trace"].as_str().expect("a text");
    let traced = |span: &Span| span.name == "MemoryService/Recall" && hex(&span.trace_id) == trace;
    assert!(spans.iter().any(traced), "{trace} in {spans:#?}");
}

#[tokio::test]
async fn health_is_asked_with_the_binary() {
    let server = Server::start().await;
    let url = server.url();
    let asked = move || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tenure"));
        command.args(["health", "--server", &url]).output().expect("it runs")
    };
    let output = tokio::task::spawn_blocking(asked).await.expect("an end");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "SERVING");
    server.stop().await;
}

/// What a file of `deploy/` says to the binary exists.
#[test]
fn options_in_deployment_files_exist() {
    let command = Cli::command();
    let serve = command.find_subcommand("serve").expect("a command");
    let known: BTreeSet<String> =
        serve.get_arguments().filter_map(|option| option.get_long().map(str::to_owned)).collect();
    let mut seen = 0;
    for file in ["Dockerfile", "compose.yaml", "tenure.service"] {
        let text = fs::read_to_string(root("deploy").join(file)).expect("it is there");
        let lines = text.lines().filter(|line| line.contains("serve") || line.contains("TENURE_"));
        for line in lines.filter(|line| !line.trim_start().starts_with('#')) {
            for word in line.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')) {
                let variable = word.strip_prefix("TENURE_");
                let option = variable.map(|name| name.to_lowercase().replace('_', "-"));
                let option = option.or_else(|| word.strip_prefix("--").map(str::to_owned));
                if let Some(option) = option {
                    assert!(known.contains(&option), "{file}: {option}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen >= 7, "{seen}");
    let config = root("deploy/tenure.toml");
    let output = Command::new(env!("CARGO_BIN_EXE_tenure"))
        .args(["config", "--data=d", "--config"])
        .arg(config)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("log-format = \"json\""));
}
