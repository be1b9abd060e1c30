//! Mixed load over the real binary, which is killed and started again, held against a model: what
//! was acknowledged stays, a predicate of one object has one, a past answer never changes, and a
//! watcher sees each transaction once.
//!
//! ```sh
//! TENURE_SOAK_SECONDS=3600 cargo test --test soak -- --nocapture
//! ```

#[path = "../support/mod.rs"]
mod support;

#[path = "../kill/process.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod process;

mod load;
mod model;
mod read;
mod tally;
mod watch;
mod write;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tenure::rpc::proto;

use load::{Load, NAMESPACES};
use process::{Clients, Process};
use tally::Tally;
use watch::Watcher;

/// Seconds of load in a run of the test command; `TENURE_SOAK_SECONDS` asks for another number.
const SECONDS: u64 = 24;
/// Seconds between one start and the kill that ends it, at most.
const LIFE_SECONDS_MAX: u64 = 60;
/// Kills of a short run.
const LIVES_MIN: u64 = 4;
const SEED: u64 = 0x50a6;

fn seconds() -> u64 {
    std::env::var("TENURE_SOAK_SECONDS").map_or(SECONDS, |text| text.parse().expect("a number"))
}

fn start(data: &Path) -> Process {
    Process::start(data).unwrap_or_else(|refused| panic!("{}", refused.said))
}

async fn make_namespaces(clients: &mut Clients) {
    for name in NAMESPACES {
        let request = proto::CreateNamespaceRequest { name: name.into(), ..Default::default() };
        clients.admin.create_namespace(request).await.expect("a new namespace");
        write::declare(clients, name).await;
    }
}

async fn verify(clients: &mut Clients, namespace: &str) -> proto::VerifyResponse {
    let request = proto::VerifyRequest { namespace: namespace.to_owned() };
    let answer = clients.admin.verify(request).await.expect("it can be read").into_inner();
    assert!(answer.clean, "{namespace}: {:?}", answer.differences);
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn mixed_load_and_kills_leave_what_the_model_says() {
    let home = tempfile::tempdir().expect("a place for data");
    let seconds = seconds();
    let lives = LIVES_MIN.max(seconds / LIFE_SECONDS_MAX);
    let life = Duration::from_millis(1_000 * seconds / lives);
    let load = Arc::new(Load::new(SEED, Tally::default()));
    let process = start(home.path());
    make_namespaces(&mut process.connect().await).await;
    process.kill();
    let mut watchers: Vec<Watcher> = NAMESPACES.iter().map(|name| Watcher::new(name)).collect();
    for number in 0..lives {
        let process = start(home.path());
        let mut clients = process.connect().await;
        load.settle(&mut clients).await;
        load.check(&mut clients).await;
        watchers = load.run(process, number, life, watchers).await;
    }
    let process = start(home.path());
    let mut clients = process.connect().await;
    load.settle(&mut clients).await;
    load.check(&mut clients).await;
    for watcher in watchers {
        let namespace = watcher.namespace.clone();
        let verified = verify(&mut clients, &namespace).await;
        // The first transaction declares a predicate.
        let written = load.acknowledged(&namespace).await;
        assert_eq!(verified.transactions, written + 1, "{namespace}: each is recorded once");
        let seen = watcher.finish(&mut clients, verified.transactions).await;
        assert_eq!(seen, verified.transactions, "{namespace}: each is seen once");
    }
    process.kill();
    for kind in ["transact", "as of", "latest", "timeline", "watched"] {
        assert!(load.tally.count(kind) > 0, "nothing of {kind} was asked");
    }
    println!("{}", load.tally.report(seconds));
}
