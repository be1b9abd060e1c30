//! The real binary, killed under load, over one directory. What was acknowledged is there, once;
//! a batch is there as a whole or not at all.

#[path = "../support/mod.rs"]
mod support;

mod drill;
mod erase;
mod forget;
mod load;
mod process;
mod refusal;

use std::path::Path;
use std::sync::Arc;

use tenure::rpc::proto;
use tokio::task::JoinSet;

use load::{Fuse, Write, load};
use process::{Clients, Process};

const ROUNDS: u64 = 20;
const CLIENTS: usize = 4;

/// Acknowledgements until the kill: from the middle of the first writes to a few dozen.
fn limit(round: u64) -> u64 {
    let scattered = (round + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    1 + scattered % 40
}

/// A namespace of its own, so that what is checked does not grow with the rounds.
async fn create_namespace(clients: &mut Clients, round: u64) -> String {
    let name = format!("round {round}");
    let request = proto::CreateNamespaceRequest { name: name.clone(), ..Default::default() };
    clients.admin.create_namespace(request).await.expect("a new namespace");
    name
}

/// Loads the server and kills it in the middle.
async fn killed(data: &Path, round: u64) -> Vec<Write> {
    let process = Process::start(data).unwrap_or_else(|refused| panic!("{}", refused.said));
    let mut clients = process.connect().await;
    let namespace = create_namespace(&mut clients, round).await;
    let fuse = Fuse::new(limit(round));
    let mut tasks = JoinSet::new();
    for client in 0..CLIENTS {
        // A connection each, as of several programs.
        let clients = process.connect().await;
        tasks.spawn(load(clients, namespace.clone(), client, Arc::clone(&fuse)));
    }
    fuse.burnt.notified().await;
    process.kill();
    tasks.join_all().await.into_iter().flatten().collect()
}

async fn verify(clients: &mut Clients, namespace: String) -> proto::VerifyResponse {
    let answer = clients.admin.verify(proto::VerifyRequest { namespace }).await;
    let answer = answer.expect("it can be read").into_inner();
    assert!(answer.clean, "{:?}", answer.differences);
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_has_all_it_acknowledged_and_nothing_by_half() {
    let home = tempfile::tempdir().expect("a place for data");
    let mut writes: Vec<Vec<Write>> = Vec::new();
    for round in 0..ROUNDS {
        let sent = killed(home.path(), round).await;
        let acknowledged = sent.iter().filter(|write| write.acknowledged.is_some()).count();
        assert!(acknowledged as u64 >= limit(round), "round {round}: {acknowledged}");
        let process = Process::start(home.path());
        let process = process.unwrap_or_else(|refused| panic!("{}", refused.said));
        let mut clients = process.connect().await;
        verify(&mut clients, format!("round {round}")).await;
        for write in &sent {
            write.check(&mut clients).await;
        }
        let verified = verify(&mut clients, format!("round {round}")).await;
        assert_eq!(verified.transactions, sent.len() as u64, "round {round}: once each");
        writes.push(sent);
        // The second server is killed too, when it has nothing to do.
        process.kill();
    }
    let process = Process::start(home.path());
    let process = process.unwrap_or_else(|refused| panic!("{}", refused.said));
    let mut clients = process.connect().await;
    for (round, sent) in writes.iter().enumerate() {
        let verified = verify(&mut clients, format!("round {round}")).await;
        assert_eq!(verified.transactions, sent.len() as u64, "round {round}, at the end");
    }
    process.kill();
}
