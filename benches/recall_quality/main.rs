//! How well recall finds what it should, over real questions: each leg alone, both fusions, and the
//! default.
//!
//! | set | question | found when | measure |
//! |---|---|---|---|
//! | `KorQuAD` 1.0 dev | Korean, 5,774 | its own passage among 961 | recall at 1 and 5 |
//! | `TimeQA`, human-written | English, with a period | a paragraph that holds an answer, among those of all articles | recall at 5 and 10 |
//! | as-of questions | English, at their date | share of the facts that were true then | recall at 5 and 10 |
//!
//! Everything goes through a server over a socket. `TENURE_TEST_DATA` names the folder of the data
//! sets, `TENURE_BENCH_SETS` picks some of them by name; without the data nothing is measured.

mod sets;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tenure::engine::{Config, Engine, SystemClock};
use tenure::models::Models;
use tenure::rpc::proto;
use tenure::rpc::proto::admin_service_client::AdminServiceClient;
use tenure::rpc::proto::fact_service_client::FactServiceClient;
use tenure::rpc::proto::memory_service_client::MemoryServiceClient;
use tenure::server::{Running, start};
use tenure::types::limits::MESSAGE_BYTES_MAX;
use tonic::transport::Channel;

use sets::{Question, Set};

/// Questions on their way at once.
const AT_ONCE: usize = 2;

/// One way of asking.
struct Way {
    name: &'static str,
    legs: &'static [proto::Leg],
    fusion: proto::Fusion,
}

const WAYS: [Way; 6] = [
    Way { name: "text alone", legs: &[proto::Leg::Text], fusion: proto::Fusion::Unspecified },
    Way { name: "vector alone", legs: &[proto::Leg::Vector], fusion: proto::Fusion::Unspecified },
    Way { name: "graph alone", legs: &[proto::Leg::Graph], fusion: proto::Fusion::Unspecified },
    Way { name: "all, reciprocal rank", legs: &[], fusion: proto::Fusion::ReciprocalRank },
    Way { name: "all, relative score", legs: &[], fusion: proto::Fusion::RelativeScore },
    Way { name: "default", legs: &[], fusion: proto::Fusion::Unspecified },
];

fn main() {
    let Some(folder) = std::env::var_os("TENURE_TEST_DATA").map(PathBuf::from) else {
        println!("skipped: TENURE_TEST_DATA does not name the folder of the data sets");
        return;
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure(folder));
}

async fn measure(folder: PathBuf) {
    let home = tempfile::tempdir().expect("a place for data");
    let mut served = Served::start(home.path().to_owned()).await;
    let picked = std::env::var("TENURE_BENCH_SETS").unwrap_or_default();
    println!(
        "{:<14} {:<22} {:>8} {:>8} {:>8} {:>10}",
        "set", "way", "R@1", "R@5", "R@10", "ms a call"
    );
    for set in Set::all(&folder) {
        if !picked.is_empty() && !picked.contains(set.name) {
            continue;
        }
        served.load(&set).await;
        let mut best: f64 = 0.0;
        for way in &WAYS {
            let scores = served.ask(&set, way).await;
            let [at_1, at_5, at_10] = scores.recall.map(|recall| recall * 100.0);
            let took = scores.took.as_secs_f64() * 1_000.0;
            println!(
                "{:<14} {:<22} {at_1:>8.1} {at_5:>8.1} {at_10:>8.1} {took:>10.2}",
                set.name, way.name
            );
            if way.legs.len() == 1 {
                best = best.max(at_5);
            } else if way.name == "default" && at_5 < best - 0.5 {
                println!("{:<14} MISSES: the default is below its best leg ({best:.1})", set.name);
            }
        }
    }
}

struct Served {
    _running: Running,
    facts: FactServiceClient<Channel>,
    memory: MemoryServiceClient<Channel>,
    admin: AdminServiceClient<Channel>,
}

#[derive(Default)]
struct Scores {
    recall: [f64; 3],
    took: Duration,
}

impl Served {
    async fn start(data: PathBuf) -> Served {
        let engine = Engine::open(&Config::new(data), Arc::new(SystemClock));
        let address = "127.0.0.1:0".parse().expect("an address");
        let running = start(address, engine.expect("a new directory"), Models::built_in()).await;
        let running = running.expect("a free port");
        let url = format!("http://{}", running.address());
        let channel = Channel::from_shared(url).expect("a URL").connect().await;
        let channel = channel.expect("it listens");
        Served {
            _running: running,
            facts: FactServiceClient::new(channel.clone())
                .max_encoding_message_size(MESSAGE_BYTES_MAX),
            memory: MemoryServiceClient::new(channel.clone())
                .max_encoding_message_size(MESSAGE_BYTES_MAX)
                .max_decoding_message_size(2 * MESSAGE_BYTES_MAX),
            admin: AdminServiceClient::new(channel),
        }
    }

    /// Stores what is asked about, and waits until all of it has its vector.
    async fn load(&mut self, set: &Set) {
        let name = set.name.to_owned();
        let request = proto::CreateNamespaceRequest { name, ..Default::default() };
        self.admin.create_namespace(request).await.expect("a new namespace");
        for episodes in set.passages.chunks(500) {
            let episodes = episodes.iter().map(sets::Passage::episode).collect();
            let namespace = set.name.to_owned();
            let request = proto::AddEpisodesRequest { namespace, episodes, ..Default::default() };
            self.memory.add_episodes(request).await.expect("kept");
        }
        let messages: Vec<proto::ImportFactsRequest> = set
            .facts
            .chunks(1_000)
            .map(|operations| proto::ImportFactsRequest {
                namespace: set.name.to_owned(),
                operations: operations.to_vec(),
                ..Default::default()
            })
            .collect();
        if !messages.is_empty() {
            self.facts.import_facts(tokio_stream::iter(messages)).await.expect("imported");
        }
        loop {
            let request = proto::GetStatisticsRequest { namespace: set.name.to_owned() };
            let statistics = self.admin.get_statistics(request).await.expect("counted");
            let statistics = statistics.into_inner();
            let behind =
                statistics.vectors_behind + statistics.documents - statistics.text_documents;
            if behind == 0 && statistics.vectors > 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn ask(&self, set: &Set, way: &Way) -> Scores {
        let began = Instant::now();
        let mut asking = tokio::task::JoinSet::new();
        let questions: Arc<Vec<Question>> = Arc::clone(&set.questions);
        for worker in 0..AT_ONCE {
            let (questions, mut memory) = (Arc::clone(&questions), self.memory.clone());
            let namespace = set.name.to_owned();
            let legs: Vec<i32> = way.legs.iter().map(|leg| (*leg).into()).collect();
            let fusion = way.fusion.into();
            asking.spawn(async move {
                let mut sums = [0.0; 3];
                for question in questions.iter().skip(worker).step_by(AT_ONCE) {
                    let request = proto::RecallRequest {
                        namespace: namespace.clone(),
                        query: question.words.clone(),
                        as_of: question.as_of.clone(),
                        legs: legs.clone(),
                        fusion,
                        ..Default::default()
                    };
                    let answer = memory.recall(request).await.expect("an answer").into_inner();
                    for (sum, at) in sums.iter_mut().zip([1, 5, 10]) {
                        *sum += question.recall(&answer.hits, at);
                    }
                }
                sums
            });
        }
        let mut scores = Scores::default();
        #[expect(clippy::cast_precision_loss, reason = "a number of questions")]
        let count = questions.len() as f64;
        while let Some(sums) = asking.join_next().await {
            let sums = sums.expect("a worker ends");
            for (recall, sum) in scores.recall.iter_mut().zip(sums) {
                *recall += sum / count;
            }
        }
        scores.took = began.elapsed().div_f64(count) * u32::try_from(AT_ONCE).expect("few");
        scores
    }
}
