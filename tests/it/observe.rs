//! What an operator sees: metrics, whether the server is up and ready, the log, and the files that
//! deploy it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use clap::CommandFactory;
use serde_json::Value;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use tenure::cli::Cli;
use tenure::rpc::proto;
use tenure::rpc::proto::fact_service_client::FactServiceClient;

use crate::ask::{HOME, fact, snapshot, write};
use crate::support::{Server, op};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

async fn page(url: &str) -> (u16, String) {
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
        panic!("it ended: {said:?}");
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

#[tokio::test]
async fn the_log_of_a_run_holds_nothing_of_the_facts() {
    let home = tempfile::tempdir().expect("a place for data");
    let process = Process::start(home.path(), &["--slow-millis=0", "--log=debug"]);
    let channel = tonic::transport::Channel::from_shared(process.url.clone()).expect("a URL");
    let channel = channel.connect().await.expect("it listens");
    let mut admin = proto::admin_service_client::AdminServiceClient::new(channel.clone());
    let namespace = "lab".to_owned();
    let request = proto::CreateNamespaceRequest { name: namespace.clone(), ..Default::default() };
    admin.create_namespace(request).await.expect("a new namespace");
    let mut facts = FactServiceClient::new(channel);
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
    drop((facts, admin));
    let said = tokio::task::spawn_blocking(|| process.end()).await.expect("it ends");
    assert!(said.contains("a slow request"), "{said}");
    assert!(said.contains("FactService/Transact"), "{said}");
    assert!(!said.contains("planted"), "{said}");
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
