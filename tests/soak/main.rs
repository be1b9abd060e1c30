//! Mixed load over the real binary, which is killed and started again, held against a model: what
//! was acknowledged stays, what was erased is gone and as if never said, a predicate of one object
//! has one, a past answer changes by an erasure alone, and a watcher sees each transaction once.
//!
//! ```sh
//! TENURE_SOAK_SECONDS=3600 cargo test --release --test soak -- --nocapture
//! ```

#[path = "../support/mod.rs"]
mod support;

#[path = "../kill/process.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod process;

mod erase;
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
use tenure::rpc::proto::erase_request::What;

use load::{Load, NAMESPACES, namespace};
use process::{Clients, Process};
use tally::Tally;
use watch::Watcher;

/// Seconds of load in a run of the test command; `TENURE_SOAK_SECONDS` asks for another number.
const SECONDS: u64 = 24;
/// Seconds between one start and the kill that ends it, at most.
const LIFE_SECONDS_MAX: u64 = 60;
/// Kills of a short run.
const LIVES_MIN: u64 = 4;
/// Transactions of a namespace after which it is erased and another takes its turn. So an erasure,
/// which reads the log of its namespace, takes about as long at the end of an hour as in the
/// beginning.
const TRANSACTIONS_MAX: u64 = 40_000;
/// The life before which the first namespace is turned over however short it is, so that every run
/// does it.
const TURNED_AT: u64 = 2;
const SEED: u64 = 0x50a6;

fn seconds() -> u64 {
    std::env::var("TENURE_SOAK_SECONDS").map_or(SECONDS, |text| text.parse().expect("a number"))
}

fn start(data: &Path) -> Process {
    Process::start(data).unwrap_or_else(|refused| panic!("{}", refused.said))
}

/// A namespace, and who watches it.
async fn make_namespace(clients: &mut Clients, place: usize, life: u64) -> Watcher {
    let name = &namespace(place, life);
    let request = proto::CreateNamespaceRequest { name: name.into(), ..Default::default() };
    clients.admin.create_namespace(request).await.expect("a new namespace");
    write::declare(clients, name).await;
    Watcher::new(place, name)
}

/// All of a namespace, the files written anew.
async fn erase_namespace(clients: &mut Clients, name: &str) {
    let request = proto::EraseRequest {
        namespace: name.to_owned(),
        what: Some(What::Everything(true)),
        ..Default::default()
    };
    let answer = clients.admin.erase(request).await.expect("it is erased").into_inner();
    assert!(answer.erasure.is_some_and(|receipt| receipt.purged));
}

/// The log is what was acknowledged, the tables are what the log says, and the watcher saw it all.
async fn verify(load: &Load, clients: &mut Clients, watcher: Watcher) {
    let (place, namespace) = (watcher.place, watcher.namespace.clone());
    let request = proto::VerifyRequest { namespace: namespace.clone() };
    let verified = clients.admin.verify(request).await.expect("it can be read").into_inner();
    assert!(verified.clean, "{namespace}: {:?}", verified.differences);
    let acknowledged = load.acknowledged(place).await;
    // The first transaction declares a predicate.
    let recorded = 1 + acknowledged.writes + acknowledged.erasures.len() as u64;
    assert_eq!(verified.transactions, recorded, "{namespace}: each is recorded once");
    watcher.finish(clients, verified.transactions, &acknowledged.erasures).await;
}

/// Namespaces that have grown long are erased, and their writers go on in others.
async fn turn(
    load: &Load,
    clients: &mut Clients,
    watchers: Vec<Watcher>,
    life: u64,
) -> Vec<Watcher> {
    let mut watching = Vec::new();
    for watcher in watchers {
        let place = watcher.place;
        let is_long = load.acknowledged(place).await.writes >= TRANSACTIONS_MAX;
        let turns = is_long || place == 0 && life == TURNED_AT;
        if !turns {
            watching.push(watcher);
            continue;
        }
        let old = watcher.namespace.clone();
        verify(load, clients, watcher).await;
        erase_namespace(clients, &old).await;
        let fresh = make_namespace(clients, place, life).await;
        load.move_writers(place, &fresh.namespace).await;
        watching.push(fresh);
    }
    watching
}

#[tokio::test(flavor = "multi_thread")]
async fn mixed_load_and_kills_leave_what_the_model_says() {
    let home = tempfile::tempdir().expect("a place for data");
    let seconds = seconds();
    let lives = LIVES_MIN.max(seconds / LIFE_SECONDS_MAX);
    let life = Duration::from_millis(1_000 * seconds / lives);
    let load = Arc::new(Load::new(SEED, Tally::default()));
    let process = start(home.path());
    let mut clients = process.connect().await;
    let mut watchers = Vec::new();
    for place in 0..NAMESPACES {
        watchers.push(make_namespace(&mut clients, place, 0).await);
    }
    process.kill();
    for number in 0..lives {
        let process = start(home.path());
        let mut clients = process.connect().await;
        load.settle(&mut clients).await;
        load.check(&mut clients).await;
        watchers = turn(&load, &mut clients, watchers, number).await;
        watchers = load.run(process, number, life, watchers).await;
    }
    let process = start(home.path());
    let mut clients = process.connect().await;
    load.settle(&mut clients).await;
    load.check(&mut clients).await;
    for watcher in watchers {
        verify(&load, &mut clients, watcher).await;
    }
    // What erasures have left in the file goes with the next that purges.
    let last = make_namespace(&mut clients, NAMESPACES, 0).await;
    erase_namespace(&mut clients, &last.namespace).await;
    process.kill();
    for writer in (0..NAMESPACES).flat_map(|place| load.writers_of(place)) {
        erase::check_files(home.path(), &*writer.read().await);
    }
    for kind in ["transact", "as of", "latest", "timeline", "watched", "erase", "purge"] {
        assert!(load.tally.count(kind) > 0, "nothing of {kind} was asked");
    }
    println!("{}", load.tally.report(seconds));
}
