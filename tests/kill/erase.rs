//! An erasure cut short by a kill: all of it is done after the restart, or nothing.

use std::fs;
use std::path::Path;

use tenure::rpc::proto;
use tenure::rpc::proto::erase_request::What;

use super::process::{Clients, Process};
use super::support::op;
use super::verify;

const ROUNDS: usize = 12;
const FACTS: usize = 40;

/// Whether any file under a folder holds a token.
pub(crate) fn held(home: &Path, token: &[u8]) -> bool {
    fs::read_dir(home).expect("a folder").any(|entry| {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            return held(&path, token);
        }
        fs::read(&path).expect("a file").windows(token.len()).any(|at| at == token)
    })
}

pub(crate) async fn plant(clients: &mut Clients, namespace: &str, token: &str) {
    let request =
        proto::CreateNamespaceRequest { name: namespace.to_owned(), ..Default::default() };
    clients.admin.create_namespace(request).await.expect("a new namespace");
    let name = |n: usize| format!("{token}-{n}");
    let facts = (0..FACTS).map(|n| op::assert(token, "knows", &name(n), op::instant(1), None));
    let stays = op::assert("kim", "knows", "lee", op::instant(1), None);
    let request = proto::TransactRequest {
        namespace: namespace.to_owned(),
        operations: facts.chain([stays]).collect(),
        ..Default::default()
    };
    clients.facts.transact(request).await.expect("taken");
}

pub(crate) async fn facts(clients: &mut Clients, namespace: &str) -> usize {
    let request = proto::ListFactsRequest {
        namespace: namespace.to_owned(),
        page_size: 1_000,
        ..Default::default()
    };
    let answer = clients.facts.list_facts(request).await.expect("an answer").into_inner();
    answer.rectangles.len()
}

pub(crate) fn start(home: &Path) -> Process {
    Process::start(home).unwrap_or_else(|refused| panic!("{}", refused.said))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_erasure_is_whole_after_the_restart() {
    let home = tempfile::tempdir().expect("a place for data");
    for round in 0..ROUNDS {
        let (namespace, token) = (format!("erased {round}"), format!("Qzx{round}Jv"));
        let process = start(home.path());
        let mut clients = process.connect().await;
        plant(&mut clients, &namespace, &token).await;
        let mut other = process.connect().await;
        let request = proto::EraseRequest {
            namespace: namespace.clone(),
            what: Some(What::Entity(token.clone())),
            ..Default::default()
        };
        let erasing = tokio::spawn(async move { other.admin.erase(request).await.is_ok() });
        // From a kill before it has begun to one after it has been acknowledged.
        for _ in 0..round * 3 {
            clients.admin.ping(proto::PingRequest {}).await.expect("it runs");
        }
        process.kill();
        let acknowledged = erasing.await.expect("it ends");
        let process = start(home.path());
        let mut clients = process.connect().await;
        verify(&mut clients, namespace.clone()).await;
        let request =
            proto::ListErasuresRequest { namespace: namespace.clone(), ..Default::default() };
        let receipts = clients.admin.list_erasures(request).await.expect("a list").into_inner();
        let done = !receipts.erasures.is_empty();
        assert!(done || !acknowledged, "round {round}: acknowledged and lost");
        assert!(receipts.erasures.iter().all(|receipt| receipt.purged), "round {round}");
        let left = facts(&mut clients, &namespace).await;
        assert_eq!(left, if done { 1 } else { FACTS + 1 }, "round {round}");
        process.kill();
        assert_eq!(held(home.path(), token.as_bytes()), !done, "round {round}");
    }
}
