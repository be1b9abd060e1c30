//! What a recall costs over a socket, beside an empty call in the same run.
//!
//! - Corpus: `TENURE_BENCH_FACTS` facts (100,000 unless it says otherwise), each with a sentence of
//!   8 to 31 words (Zipf with exponent 1.07 over 100,000 words) and a vector of 256 numbers (500
//!   clusters in 40 latent dimensions, and noise). All hold at the first date asked about, one in
//!   five at the second, one in a hundred at the third.
//! - Questions: three words and a vector near one of the corpus, top 10, one at a time, each followed
//!   by an empty call.
//! - `TENURE_BENCH_LINKED=1` first waits for the HNSW graph.
//! - `TENURE_BENCH_HOME` names a directory that keeps the corpus for the next run.
//!
//! Numbers are of this machine; the ratios and the bars are what counts.

#[path = "../corpus/mod.rs"]
mod corpus;
#[path = "../report/mod.rs"]
#[allow(dead_code, reason = "each bench uses a part of it")]
mod report;
mod sentences;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tenure::engine::{Config, Engine, SystemClock};
use tenure::models::Models;
use tenure::rpc::proto;
use tenure::rpc::proto::admin_service_client::AdminServiceClient;
use tenure::rpc::proto::fact_service_client::FactServiceClient;
use tenure::rpc::proto::memory_service_client::MemoryServiceClient;
use tenure::server::{Running, start};
use tenure::types::Name;
use tenure::types::limits::MESSAGE_BYTES_MAX;
use tokio::runtime::{Builder, Runtime};
use tonic::transport::Channel;

use mimalloc::MiMalloc;
use report::{Latencies, print_figure, resident_mib, stored_mib};
use sentences::{DATES, Sentences};

/// That of the server.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const NAMESPACE: &str = "bench";
/// Questions of each kind.
const QUESTIONS: usize = 1_000;
/// Vectors that a graph leaves for later, at most, with those of the writes beside questions of
/// earlier runs over the same corpus.
const LINKED_LATER_MAX: u64 = 10_000;
/// Questions whose hits are compared with those of a full comparison.
const CHECKED: usize = 100;

/// Facts of one transaction beside questions, and the time between two: 500 facts a second.
const TOGETHER: usize = 20;
const PACE: Duration = Duration::from_millis(40);

/// Set for the child process, to the directory it opens.
const OPEN: &str = "TENURE_BENCH_OPEN";

fn main() {
    if let Some(directory) = std::env::var_os(OPEN) {
        return open_here(Path::new(&directory));
    }
    let size = std::env::var("TENURE_BENCH_FACTS").ok().and_then(|text| text.parse().ok());
    let size: usize = size.unwrap_or(100_000);
    let temporary = tempfile::tempdir().expect("a place for data");
    let kept = std::env::var_os("TENURE_BENCH_HOME").map(PathBuf::from);
    let home = kept.as_deref().unwrap_or(temporary.path());
    let is_new = !home.join("data").exists();
    let serving = Runtime::new().expect("a runtime");
    let asking = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let sentences = Sentences::new(size);
    println!("{size} facts with sentences and vectors of {} numbers", sentences::DIMENSION);
    let mut bench = asking.block_on(Bench::start(&serving, home, sentences, is_new));
    if is_new {
        asking.block_on(bench.import());
    }
    asking.block_on(bench.wait(std::env::var_os("TENURE_BENCH_LINKED").is_some()));
    print_figure("resident, server and client together", resident_mib(), "MiB", None);
    print_figure("on disk, redb", stored_mib(&home.join("data")), "MiB", None);
    println!();
    println!("{:<44} {:>8} {:>8} {:>8}  bar", "recall, top 10", "p50 ms", "p99 ms", "ping");
    for (share, date) in DATES {
        asking.block_on(bench.kinds(share, date));
    }
    asking.block_on(bench.mixed());
    let nearest = bench.sentences.nearest(CHECKED, 10);
    for (place, (share, date)) in DATES.into_iter().enumerate() {
        let nearest = nearest.iter().map(|lists| &lists[place]);
        asking.block_on(bench.exactness(share, date, nearest));
    }
    let Bench { running, facts, memory, admin, .. } = bench;
    drop((facts, memory, admin));
    serving.block_on(running.stop()).expect("a clean stop");
    // The directory is free once the last connection has gone too.
    serving.shutdown_timeout(Duration::from_secs(10));
    let executable = std::env::current_exe().expect("this program");
    let child = Command::new(executable).env(OPEN, home.join("data")).status();
    assert!(child.expect("a child process").success(), "the data opens");
}

/// In the child process: opens, and says how long that took and how much memory everything takes.
fn open_here(directory: &Path) {
    let began = Instant::now();
    let config = Config::new(directory.to_owned());
    let engine = Engine::open(&config, Arc::new(SystemClock)).expect("it opens");
    let took = began.elapsed().as_secs_f64();
    print_figure("open again", took, "s", Some(("at 1 M facts: 5 s", took <= 5.0)));
    let namespace = Name::new(NAMESPACE).expect("a name");
    loop {
        let found = engine.statistics(&namespace).expect("counted");
        let texts = found.text_documents == found.documents as u64;
        if texts && found.vectors.documents > 0 && found.vectors.behind == 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    print_figure("all legs ready", began.elapsed().as_secs_f64(), "s", None);
    let resident = resident_mib();
    let holds = Some(("at 1 M facts: 5,120 MiB", resident <= 5_120.0));
    print_figure("resident, the server alone", resident, "MiB", holds);
    engine.close();
}

struct Bench {
    sentences: Sentences,
    running: Running,
    facts: FactServiceClient<Channel>,
    memory: MemoryServiceClient<Channel>,
    admin: AdminServiceClient<Channel>,
}

#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    legs: &'static [proto::Leg],
    words: bool,
    vector: bool,
    /// Milliseconds at 100 k facts; at 1 M only the hybrid has a bar.
    bar: f64,
    bar_million: f64,
}

const KINDS: [Kind; 3] = [
    Kind {
        name: "text",
        legs: &[proto::Leg::Text],
        words: true,
        vector: false,
        bar: 1.0,
        bar_million: f64::MAX,
    },
    Kind {
        name: "vector",
        legs: &[proto::Leg::Vector],
        words: false,
        vector: true,
        bar: 0.8,
        bar_million: f64::MAX,
    },
    Kind { name: "hybrid", legs: &[], words: true, vector: true, bar: 2.0, bar_million: 6.0 },
];

impl Bench {
    async fn start(serving: &Runtime, home: &Path, sentences: Sentences, is_new: bool) -> Bench {
        let engine = Engine::open(&Config::new(home.join("data")), Arc::new(SystemClock));
        let engine = engine.expect("a new directory");
        let address = "127.0.0.1:0".parse().expect("an address");
        let started =
            serving.spawn(start(address, engine, Models::default())).await.expect("no panic");
        let running = started.expect("a free port");
        let url = format!("http://{}", running.address());
        let channel = Channel::from_shared(url).expect("a URL").connect().await;
        let channel = channel.expect("it listens");
        let facts = FactServiceClient::new(channel.clone())
            .max_encoding_message_size(2 * MESSAGE_BYTES_MAX);
        let memory = MemoryServiceClient::new(channel.clone())
            .max_decoding_message_size(2 * MESSAGE_BYTES_MAX);
        let mut admin = AdminServiceClient::new(channel);
        if !is_new {
            return Bench { sentences, running, facts, memory, admin };
        }
        let embedding = Some(proto::EmbeddingSpace {
            model: "bench".to_owned(),
            dimension: i32::try_from(sentences::DIMENSION).expect("small"),
            supplied: true,
        });
        let name = NAMESPACE.to_owned();
        let request = proto::CreateNamespaceRequest { name, embedding, ..Default::default() };
        admin.create_namespace(request).await.expect("a new namespace");
        Bench { sentences, running, facts, memory, admin }
    }

    /// Durable and searchable in all views; the HNSW graph follows.
    async fn import(&mut self) {
        const PART: usize = 20_000;
        let mut took = Duration::ZERO;
        for first in (0..self.sentences.size).step_by(PART) {
            let last = (first + PART).min(self.sentences.size);
            let operations: Vec<_> = (first..last).map(|n| self.sentences.operation(n)).collect();
            let messages: Vec<_> = operations
                .chunks(1_000)
                .map(|rows| proto::ImportFactsRequest {
                    namespace: NAMESPACE.to_owned(),
                    operations: rows.to_vec(),
                    ..Default::default()
                })
                .collect();
            let began = Instant::now();
            let report = self.facts.import_facts(tokio_stream::iter(messages)).await;
            assert_eq!(report.expect("an import").into_inner().rejected, 0);
            took += began.elapsed();
        }
        let began = Instant::now();
        self.wait(false).await;
        took += began.elapsed();
        #[expect(clippy::cast_precision_loss, reason = "a number of facts")]
        let rate = self.sentences.size as f64 / took.as_secs_f64();
        print_figure(
            "import, searchable in all views",
            rate,
            "facts/s",
            Some(("20,000 facts/s", rate >= 20_000.0)),
        );
    }

    async fn wait(&mut self, linked: bool) {
        let began = Instant::now();
        loop {
            let request = proto::GetStatisticsRequest { namespace: NAMESPACE.to_owned() };
            let found = self.admin.get_statistics(request).await.expect("counted").into_inner();
            let all = found.text_documents == found.documents && found.vectors_behind == 0;
            // The graph takes the rest when they are worth waking it.
            let linked_enough = found.vectors_linked + LINKED_LATER_MAX >= found.vectors;
            if all && (!linked || linked_enough) {
                if linked {
                    #[expect(clippy::cast_precision_loss, reason = "a number of vectors")]
                    let rate = found.vectors_linked as f64 / began.elapsed().as_secs_f64();
                    print_figure("vectors linked, after the import", rate, "vectors/s", None);
                }
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn request(&self, n: usize, kind: Kind, date: i64) -> proto::RecallRequest {
        let (words, vector) = self.sentences.question(n);
        let at = proto::valid_point::Point::Instant(proto::Instant { unix_micros: date });
        let valid = Some(proto::ValidPoint { point: Some(at), ..Default::default() });
        proto::RecallRequest {
            namespace: NAMESPACE.to_owned(),
            query: if kind.words { words } else { String::new() },
            vector: kind.vector.then(|| proto::Vector { numbers: vector, ..Default::default() }),
            as_of: Some(proto::AsOf { valid, known: None }),
            legs: kind.legs.iter().map(|leg| (*leg).into()).collect(),
            ..Default::default()
        }
    }

    async fn ask(&mut self, kind: Kind, date: i64) -> (Latencies, Latencies) {
        let (mut calls, mut pings) = (Latencies::default(), Latencies::default());
        for n in 0..QUESTIONS {
            let request = self.request(n, kind, date);
            let began = Instant::now();
            self.memory.recall(request).await.expect("an answer");
            calls.push(began.elapsed());
            let began = Instant::now();
            self.admin.ping(proto::PingRequest {}).await.expect("an answer");
            pings.push(began.elapsed());
        }
        (calls, pings)
    }

    async fn kinds(&mut self, share: u32, date: i64) {
        for kind in KINDS {
            let (calls, pings) = self.ask(kind, date).await;
            let million = self.sentences.size >= 1_000_000;
            let bar = if million { kind.bar_million } else { kind.bar };
            print_line(&format!("{}, {share} % visible", kind.name), &calls, &pings, bar);
        }
    }

    /// The same while a writer states 500 facts a second.
    async fn mixed(&mut self) {
        let (stop, stopped) = tokio::sync::watch::channel(false);
        let mut facts = self.facts.clone();
        let operations: Vec<_> =
            (0..20_000).map(|n| self.sentences.operation(self.sentences.size + n)).collect();
        let writer = std::thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let mut written = 0_u32;
                for operations in operations.chunks(TOGETHER) {
                    if *stopped.borrow() {
                        break;
                    }
                    let request = proto::TransactRequest {
                        namespace: NAMESPACE.to_owned(),
                        operations: operations.to_vec(),
                        ..Default::default()
                    };
                    let began = Instant::now();
                    facts.transact(request).await.expect("taken");
                    written += u32::try_from(operations.len()).expect("a few");
                    tokio::time::sleep(PACE.saturating_sub(began.elapsed())).await;
                }
                written
            })
        });
        let began = Instant::now();
        let (calls, pings) = self.ask(KINDS[2], DATES[0].1).await;
        let took = began.elapsed();
        stop.send_replace(true);
        // The writer's channel needs this thread's runtime until it is done.
        let written = tokio::task::spawn_blocking(move || writer.join()).await;
        let written = written.expect("it joins").expect("it does not panic");
        let rate = f64::from(written) / took.as_secs_f64();
        print_line(&format!("hybrid, beside {rate:.0} facts/s"), &calls, &pings, f64::MAX);
    }

    /// The share of the ten nearest visible vectors that the vector leg finds.
    async fn exactness<'a>(
        &mut self,
        share: u32,
        date: i64,
        nearest: impl Iterator<Item = &'a Vec<String>>,
    ) {
        let mut found = 0;
        for (n, nearest) in nearest.enumerate() {
            let answer = self.memory.recall(self.request(n, KINDS[1], date)).await;
            let hits = answer.expect("an answer").into_inner().hits;
            let subjects = hits.iter().filter_map(|hit| hit.fact.as_ref());
            found += subjects.filter(|fact| nearest.contains(&fact.subject)).count();
        }
        #[expect(clippy::cast_precision_loss, reason = "a number of hits")]
        let recall = found as f64 / (CHECKED * 10) as f64;
        let name = format!("recall@10 of the vector leg, {share} % visible");
        print_figure(&name, recall, "", Some(("0.95", recall >= 0.95)));
    }
}

fn print_line(name: &str, calls: &Latencies, pings: &Latencies, bar: f64) {
    let (p50, p99) = (calls.p50(), calls.quantile(0.99));
    let (bar, holds) = match bar {
        f64::MAX => (String::new(), ""),
        bar => (format!("{bar} ms"), if p50 <= bar { "yes" } else { "NO" }),
    };
    println!("{name:<44} {p50:>8.3} {p99:>8.3} {:>8.3}  {bar:<8} {holds}", pings.p50());
}
