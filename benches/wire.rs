//! Question: what does a call over gRPC cost next to an empty one, and a durable write next to the
//! least that a durable write can cost?
//!
//! Corpus: `corpus/mod.rs`, `TENURE_BENCH_FACTS` facts (100,000), imported through `ImportFacts` in
//! messages of 1,000. Subjects are drawn as often as they are subjects, dates anywhere in the ten
//! years, past transactions anywhere in the log; hubs are the twenty entities with the most facts.
//!
//! How: server and client in one process, each on its own runtime, over loopback. Every measured
//! call stands next to an empty `Ping`, now before it and now after it, so both see the same
//! machine; ratios are of their medians. `TENURE_BENCH_PAUSE` puts so many microseconds before each
//! of both: then neither finds the server still awake, and waking it is most of what either costs.
//! Opening and memory are measured in a child process, which holds nothing else.
//!
//! Caveat: client and server share the cores, as on a small machine they would. On a machine that
//! is busy with something else, ratios hold up better than times, and rates hold up least.

mod corpus;
mod report;

use std::fmt::Display;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use prost::Message;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tonic::transport::Channel;

use corpus::{BATCH, Corpus, Fact, NAMESPACE, Rng};
use report::{Bar, Latencies, Line, SmallCommit, print_figure, print_head};
use tenure::engine::{Config, Engine, SystemClock};
use tenure::models::Models;
use tenure::rpc::proto;
use tenure::rpc::proto::admin_service_client::AdminServiceClient;
use tenure::rpc::proto::fact_service_client::FactServiceClient;
use tenure::rpc::proto::graph_service_client::GraphServiceClient;
use tenure::server::{Running, start};
use tenure::types::Name;
use tenure::types::limits::MESSAGE_BYTES_MAX;

/// Set for the child process, to the directory it opens.
const OPEN: &str = "TENURE_BENCH_OPEN";
const READS: usize = 2_000;
const WRITES: u32 = 300;
const WRITERS: u32 = 16;

fn main() {
    if let Some(directory) = std::env::var_os(OPEN) {
        return open_here(Path::new(&directory));
    }
    let corpus = Corpus::from_env();
    let home = tempfile::tempdir().expect("a place for data");
    println!("{} facts, {} entities\n", corpus.size, corpus.entities);
    let serving = Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let serving = serving.expect("a runtime");
    let calling = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let mut bench = calling.block_on(Bench::start(&serving, corpus, home.path()));
    calling.block_on(bench.import());
    print_figure("resident, server and client together", report::resident_mib(), "MiB", None);
    println!();
    print_head();
    calling.block_on(bench.reads());
    calling.block_on(bench.writes(home.path()));
    calling.block_on(bench.many_writers());
    stop(serving, bench);
    println!();
    report_files(&home);
}

/// The data directory is free for others once the last connection has gone too.
fn stop(serving: Runtime, bench: Bench) {
    let Bench { running, facts, graph, admin, .. } = bench;
    drop((facts, graph, admin));
    serving.block_on(running.stop()).expect("a clean stop");
    serving.shutdown_timeout(Duration::from_secs(10));
}

fn report_files(home: &TempDir) {
    let data = home.path().join("data");
    print_figure("on disk", report::stored_mib(&data), "MiB", None);
    let program = std::env::current_exe().expect("this program");
    for _ in 0..3 {
        let child = Command::new(&program).env(OPEN, &data).status().expect("it runs");
        assert!(child.success(), "the data opens");
    }
}

/// In the child process: opens, says how long it took and how much memory it took, then writes once,
/// because the writer brings memory of its own.
fn open_here(directory: &Path) {
    let began = Instant::now();
    let config = Config::new(directory.to_owned());
    let engine = Engine::open(&config, Arc::new(SystemClock)).expect("it opens");
    let took = began.elapsed().as_secs_f64();
    let holds = Some(("at 1 M facts: 5 s", took <= 5.0));
    print_figure("open", took, "s", holds);
    print_figure("resident after open", report::resident_mib(), "MiB", None);
    let corpus = Corpus::from_env();
    let operation = corpus::novel(&corpus, &mut Rng::new(9), std::process::id());
    let command = corpus::command(vec![operation]);
    let runtime = Builder::new_current_thread().build().expect("a runtime");
    let namespace = Name::new(NAMESPACE).expect("a name");
    let began = Instant::now();
    runtime.block_on(engine.submit(&namespace, command.into())).expect("a write");
    print_figure("first write", began.elapsed().as_secs_f64() * 1_000.0, "ms", None);
    let resident = report::resident_mib();
    let holds = Some(("at 1 M facts: 1,024 MiB", resident <= 1_024.0));
    print_figure("resident after a write", resident, "MiB", holds);
    engine.close();
}

type Facts = FactServiceClient<Channel>;
type Graph = GraphServiceClient<Channel>;
type Admin = AdminServiceClient<Channel>;

struct Bench {
    corpus: Corpus,
    running: Running,
    facts: Facts,
    graph: Graph,
    admin: Admin,
    last_tx: u64,
    pause: Duration,
    sample: Vec<Fact>,
}

impl Bench {
    async fn start(serving: &Runtime, corpus: Corpus, home: &Path) -> Bench {
        let config = Config::new(home.join("data"));
        let engine = Engine::open(&config, Arc::new(SystemClock)).expect("a new directory");
        let address = "127.0.0.1:0".parse().expect("an address");
        let started =
            serving.spawn(start(address, engine, Models::default())).await.expect("no panic");
        let running = started.expect("a free port");
        let url = format!("http://{}", running.address());
        let channel = Channel::from_shared(url).expect("a URL").connect().await;
        let channel = channel.expect("it listens");
        let facts = FactServiceClient::new(channel.clone())
            .max_decoding_message_size(MESSAGE_BYTES_MAX)
            .max_encoding_message_size(MESSAGE_BYTES_MAX);
        let graph =
            GraphServiceClient::new(channel.clone()).max_decoding_message_size(MESSAGE_BYTES_MAX);
        let mut admin = AdminServiceClient::new(channel);
        let request =
            proto::CreateNamespaceRequest { name: NAMESPACE.to_owned(), ..Default::default() };
        admin.create_namespace(request).await.expect("a new namespace");
        let sample = corpus.sample();
        let pause = std::env::var("TENURE_BENCH_PAUSE").ok().and_then(|text| text.parse().ok());
        let pause = Duration::from_micros(pause.unwrap_or(0));
        Bench { corpus, running, facts, graph, admin, last_tx: 0, pause, sample }
    }

    /// The messages are made beforehand, a part at a time; only their way into the store is timed.
    async fn import(&mut self) {
        const PART: usize = 100_000;
        self.transact(corpus::declarations()).await;
        let mut took = Duration::ZERO;
        let corpus = self.corpus.clone();
        let mut facts = corpus.facts().take(corpus.size).map(|fact| fact.operation());
        let mut applied = 0;
        loop {
            let part: Vec<proto::Operation> = facts.by_ref().take(PART).collect();
            if part.is_empty() {
                break;
            }
            let messages = part.chunks(BATCH).map(|rows| proto::ImportFactsRequest {
                namespace: NAMESPACE.to_owned(),
                operations: rows.to_vec(),
                ..Default::default()
            });
            let messages: Vec<_> = messages.collect();
            drop(part);
            let began = Instant::now();
            let report = self.facts.import_facts(tokio_stream::iter(messages)).await;
            took += began.elapsed();
            let report = report.expect("an import").into_inner();
            assert_eq!(report.rejected, 0, "{:?}", report.rejected_rows.first());
            applied += report.applied;
            self.last_tx = report.tx;
        }
        #[expect(clippy::cast_precision_loss, reason = "a number of facts")]
        let rate = corpus.size as f64 / took.as_secs_f64();
        print_figure("import", rate, "facts/s", Some(("40,000 facts/s", rate >= 40_000.0)));
        println!("{applied} of {} facts changed something", corpus.size);
    }

    async fn transact(&mut self, operations: Vec<proto::Operation>) -> proto::TransactResponse {
        transact(&mut self.facts, operations).await
    }

    /// Lets the threads of the server fall asleep, if that is asked for.
    fn pause(&self) {
        let began = Instant::now();
        while began.elapsed() < self.pause {
            std::hint::spin_loop();
        }
    }

    async fn ping(&mut self) -> Duration {
        self.pause();
        let began = Instant::now();
        self.admin.ping(proto::PingRequest {}).await.expect("an answer");
        began.elapsed()
    }

    /// Measures one kind of read in turns with empty calls.
    async fn read<Request, Reply: Message>(
        &mut self,
        work: impl Display,
        bar: Bar,
        ask: impl Fn(&Bench, &mut Rng) -> Request,
        call: impl AsyncFn(&mut Bench, Request) -> Reply,
    ) {
        let mut rng = Rng::new(2);
        let requests: Vec<_> = (0..READS + READS / 10).map(|_| ask(self, &mut rng)).collect();
        let (mut calls, mut pings) = (Latencies::default(), Latencies::default());
        let mut replies = Vec::new();
        for (turn, request) in requests.into_iter().enumerate() {
            let before = if turn % 2 == 0 { Some(self.ping().await) } else { None };
            self.pause();
            let began = Instant::now();
            let reply = call(self, request).await;
            let took = began.elapsed();
            let ping = match before {
                Some(ping) => ping,
                None => self.ping().await,
            };
            if turn >= READS / 10 {
                calls.push(took);
                pings.push(ping);
                replies.push(reply.encoded_len());
            }
        }
        replies.sort_unstable();
        let reply = replies[replies.len() / 2];
        Line { work: work.to_string(), calls, pings, commits: None, reply, bar }.print();
    }

    async fn reads(&mut self) {
        let list = async |bench: &mut Bench, request| {
            bench.facts.list_facts(request).await.expect("an answer").into_inner()
        };
        let entity = async |bench: &mut Bench, request| {
            bench.graph.get_entity(request).await.expect("an answer").into_inner()
        };
        let walk = async |bench: &mut Bench, request| {
            bench.graph.traverse(request).await.expect("an answer").into_inner()
        };
        let empty = async |bench: &mut Bench, ()| {
            bench.admin.ping(proto::PingRequest {}).await.expect("an answer").into_inner()
        };
        self.read("empty call", Bar::None, |_, _| (), empty).await;
        let light = Bar::Pings(1.3);
        for (known, past) in [("", false), (", known at a past tx", true)] {
            let slot = |b: &Bench, r: &mut Rng| lookup(b, r, past);
            self.read(format!("as-of lookup{known}"), light, slot, list).await;
            let any = |b: &Bench, r: &mut Rng| around(b, b.corpus.subject(r), r, past);
            self.read(format!("entity snapshot{known}"), light, any, entity).await;
            let hub = |b: &Bench, r: &mut Rng| around(b, Corpus::hub(r), r, past);
            self.read(format!("entity snapshot, hubs{known}"), Bar::None, hub, entity).await;
        }
        let far = Bar::PingsAndP99(2.0, 2.0);
        for (hops, bar) in [(1, light), (2, Bar::None), (3, far)] {
            let any = |b: &Bench, r: &mut Rng| walk_from(b, b.corpus.subject(r), hops, r, false);
            self.read(format!("{hops} hops, limit 100"), bar, any, walk).await;
        }
        let any = |b: &Bench, r: &mut Rng| walk_from(b, b.corpus.subject(r), 3, r, true);
        self.read("3 hops, limit 100, known at a past tx", far, any, walk).await;
        for (known, past) in [("", false), (", known at a past tx", true)] {
            let hub = |b: &Bench, r: &mut Rng| walk_from(b, Corpus::hub(r), 3, r, past);
            self.read(format!("3 hops, limit 100, hubs{known}"), far, hub, walk).await;
        }
        self.read("timeline of a slot", Bar::None, timeline, async |bench: &mut Bench, request| {
            bench.facts.get_timeline(request).await.expect("an answer").into_inner()
        })
        .await;
        self.read("diff of an entity", Bar::None, diff, async |bench: &mut Bench, request| {
            bench.facts.diff_facts(request).await.expect("an answer").into_inner()
        })
        .await;
    }

    /// Measures one kind of write in turns with empty calls and small commits.
    async fn write(
        &mut self,
        work: &str,
        small: &mut SmallCommit,
        make: impl Fn(&Corpus, &mut Rng, u32) -> proto::Operation,
    ) {
        let mut rng = Rng::new(3);
        let [mut calls, mut pings, mut commits] = [(); 3].map(|()| Latencies::default());
        let mut reply = 0;
        for number in 0..WRITES + WRITES / 10 {
            let operation = make(&self.corpus, &mut rng, number);
            let before = (number % 2 == 0).then(|| small.run());
            let ping = self.ping().await;
            self.pause();
            let began = Instant::now();
            let answer = self.transact(vec![operation]).await;
            let took = began.elapsed();
            reply = answer.encoded_len();
            let committed = before.unwrap_or_else(|| small.run());
            if number >= WRITES / 10 {
                calls.push(took);
                pings.push(ping);
                commits.push(committed);
            }
        }
        let (work, commits, bar) = (work.to_owned(), Some(commits), Bar::Commits(1.5));
        Line { work, calls, pings, commits, reply, bar }.print();
    }

    async fn writes(&mut self, home: &Path) {
        let mut small = SmallCommit::new(home);
        self.write("durable assert", &mut small, corpus::novel).await;
        self.write("durable supersede", &mut small, |corpus, rng, number| {
            let (subject, predicate) = (corpus.subject(rng), corpus::one_predicate(rng));
            corpus::supersede(subject, predicate, corpus.entities + number, rng.instant())
        })
        .await;
    }

    /// Writers that each wait for their own reply share commits.
    async fn many_writers(&mut self) {
        const EACH: u32 = 60;
        let alone = self.rate(1, EACH, 10_000).await;
        let together = self.rate(WRITERS, EACH, 20_000).await;
        println!();
        print_figure("durable asserts, 1 writer", alone, "writes/s", None);
        print_figure("durable asserts, 16 writers", together, "writes/s", None);
        print_figure("16 writers against 1", together / alone, "times", None);
    }

    async fn rate(&mut self, writers: u32, each: u32, first: u32) -> f64 {
        let began = Instant::now();
        let tasks: Vec<_> = (0..writers)
            .map(|writer| {
                let (corpus, mut facts) = (self.corpus.clone(), self.facts.clone());
                tokio::spawn(async move {
                    let mut rng = Rng::new(u64::from(first + writer));
                    for write in 0..each {
                        let number = first + writer * each + write;
                        let operation = corpus::novel(&corpus, &mut rng, number);
                        transact(&mut facts, vec![operation]).await;
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.expect("no panic");
        }
        f64::from(writers * each) / began.elapsed().as_secs_f64()
    }
}

async fn transact(facts: &mut Facts, operations: Vec<proto::Operation>) -> proto::TransactResponse {
    let namespace = NAMESPACE.to_owned();
    let request = proto::TransactRequest { namespace, operations, ..Default::default() };
    facts.transact(request).await.expect("a write").into_inner()
}

impl Bench {
    /// Some fact of the corpus.
    fn fact(&self, rng: &mut Rng) -> &Fact {
        let count = u32::try_from(self.sample.len()).expect("a few thousand");
        &self.sample[rng.below(count) as usize]
    }

    /// A random date, known today or at a random transaction of the import.
    fn as_of(&self, rng: &mut Rng, past: bool) -> proto::AsOf {
        let instant = rng.instant();
        self.as_of_at(instant, rng, past)
    }

    fn as_of_at(&self, unix_micros: i64, rng: &mut Rng, past: bool) -> proto::AsOf {
        let instant = proto::Instant { unix_micros };
        let valid = proto::valid_point::Point::Instant(instant);
        let valid = proto::ValidPoint { point: Some(valid), ..Default::default() };
        let known = past.then(|| {
            let point = proto::transaction_point::Point::Tx(1 + rng.next() % self.last_tx);
            proto::TransactionPoint { point: Some(point), ..Default::default() }
        });
        proto::AsOf { valid: Some(valid), known }
    }
}

/// What held of a slot on a date after one of its facts began.
fn lookup(bench: &Bench, rng: &mut Rng, past: bool) -> proto::ListFactsRequest {
    let fact = bench.fact(rng);
    let subject = corpus::entity_name(fact.subject);
    let predicates = vec![corpus::predicate_name(fact.predicate)];
    let pattern = Some(proto::FactPattern { subject, predicates, object: None });
    let date = rng.instant_from(fact.from);
    let (namespace, as_of) = (NAMESPACE.to_owned(), Some(bench.as_of_at(date, rng, past)));
    proto::ListFactsRequest { namespace, pattern, as_of, ..Default::default() }
}

fn around(bench: &Bench, entity: u32, rng: &mut Rng, past: bool) -> proto::GetEntityRequest {
    let (namespace, name) = (NAMESPACE.to_owned(), corpus::entity_name(entity));
    proto::GetEntityRequest { namespace, name, as_of: Some(bench.as_of(rng, past)), limit: 0 }
}

fn walk_from(
    bench: &Bench,
    start: u32,
    hops: i32,
    rng: &mut Rng,
    past: bool,
) -> proto::TraverseRequest {
    proto::TraverseRequest {
        namespace: NAMESPACE.to_owned(),
        start: corpus::entity_name(start),
        hops,
        direction: proto::Direction::Both.into(),
        as_of: Some(bench.as_of(rng, past)),
        limit: 100,
        ..Default::default()
    }
}

fn timeline(bench: &Bench, rng: &mut Rng) -> proto::GetTimelineRequest {
    let fact = bench.fact(rng);
    proto::GetTimelineRequest {
        namespace: NAMESPACE.to_owned(),
        subject: corpus::entity_name(fact.subject),
        predicate: corpus::predicate_name(fact.predicate),
        ..Default::default()
    }
}

fn diff(bench: &Bench, rng: &mut Rng) -> proto::DiffFactsRequest {
    let subject = corpus::entity_name(bench.corpus.subject(rng));
    let pattern = proto::FactPattern { subject, ..Default::default() };
    let (from, to) = (Some(bench.as_of(rng, false)), Some(bench.as_of(rng, false)));
    let namespace = NAMESPACE.to_owned();
    proto::DiffFactsRequest { namespace, from, to, pattern: Some(pattern), ..Default::default() }
}
