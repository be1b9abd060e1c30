//! T25: many tenants with the same names in them, and each sees exactly its own.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tonic::Code;

use tenure::client::Client;
use tenure::rpc::proto;
use tenure::types::Role;

use crate::access::{client, guarded, issue, with_admin_key};
use crate::ask::{fact, words};
use crate::support::{at, reason};

const TENANTS: usize = 50;
const WRITERS: usize = 8;
const ADMIN: &str = "the-key-of-the-operator-which-is-long-enough";

fn tenants() -> Vec<String> {
    let odd = ["ab-12_x", "_", "main", "acme", "acme-corp", "a:b", "a", "a:", ".", "a/b"];
    let uuids = (odd.len()..TENANTS).map(|n| format!("6f9619ff-8b86-d011-b42d-{n:012}"));
    odd.iter().map(ToString::to_string).chain(uuids).collect()
}

async fn fill(tenant: Client, name: String, place: usize) {
    let mut tenant = tenant;
    let own = format!("secret{place}");
    let operations =
        vec![fact("Ann", "works_at", &own, 10, None), fact(&own, "located_in", "Seoul", 10, None)];
    let request = proto::TransactRequest { namespace: name, operations, ..Default::default() };
    tenant.facts.transact(request).await.expect("its own namespace");
}

/// By key, hop, keyword and vector.
async fn sees_its_own(tenant: &mut Client, name: &str, place: usize) {
    let own = format!("secret{place}");
    let namespace = name.to_owned();
    let listed = proto::ListFactsRequest {
        namespace: namespace.clone(),
        as_of: at::valid(20),
        ..Default::default()
    };
    let listed = tenant.facts.list_facts(listed).await.expect("a list").into_inner();
    let mut rows: Vec<String> = listed.rectangles.iter().map(words).collect();
    rows.sort();
    assert_eq!(rows, [format!("Ann works_at {own}"), format!("{own} located_in Seoul")], "{name}");
    let hops = proto::TraverseRequest {
        namespace: namespace.clone(),
        start: "Ann".to_owned(),
        hops: 2,
        as_of: at::valid(20),
        ..Default::default()
    };
    let hops = tenant.graph.traverse(hops).await.expect("a walk").into_inner().steps;
    assert_eq!(hops.len(), 2, "{name}");
    let asked = proto::RecallRequest {
        namespace,
        query: "where does Ann work".to_owned(),
        as_of: at::valid(20),
        limit: 100,
        ..Default::default()
    };
    let found = tenant.memory.recall(asked).await.expect("an answer").into_inner();
    let text = format!("{:?}", found.hits);
    assert!(text.contains(&own), "{name}: {text}");
    for other in (0..TENANTS).filter(|other| *other != place) {
        assert!(!text.contains(&format!("secret{other}\"")), "{name} sees {other}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t25_each_tenant_sees_exactly_its_own() {
    let home = tempfile::tempdir().expect("a place for data");
    let server = guarded(home.path(), with_admin_key()).await;
    let names = tenants();
    let root = client(&server, "", ADMIN);
    let mut clients = Vec::new();
    for name in &names {
        let made = proto::CreateNamespaceRequest { name: name.clone(), ..Default::default() };
        root.admin.clone().create_namespace(made).await.expect("made");
        let key = issue(&server, Role::Writer, Some(name)).await.key;
        clients.push(client(&server, name, &key));
    }
    let writers = Arc::new(Semaphore::new(WRITERS));
    let writing = names.iter().enumerate().map(|(place, name)| {
        let (writers, client, name) = (writers.clone(), clients[place].clone(), name.clone());
        tokio::spawn(async move {
            let _turn = writers.acquire().await.expect("it stays open");
            fill(client, name, place).await;
        })
    });
    for writer in writing.collect::<Vec<_>>() {
        writer.await.expect("a writer");
    }
    for (place, name) in names.iter().enumerate() {
        let tenant = &mut clients[place];
        sees_its_own(tenant, name, place).await;
        let other = names[(place + 1) % TENANTS].clone();
        let asked = proto::ListFactsRequest { namespace: other.clone(), ..Default::default() };
        let status = tenant.facts.list_facts(asked).await.expect_err("another tenant");
        let told = (status.code(), reason(&status));
        assert_eq!(told, (Code::PermissionDenied, "NAMESPACE_DENIED".to_owned()), "{name} {other}");
        let recalled = proto::RecallRequest {
            namespace: other.clone(),
            query: "Ann".to_owned(),
            ..Default::default()
        };
        let status = tenant.memory.recall(recalled).await.expect_err("another tenant");
        assert_eq!(status.code(), Code::PermissionDenied, "{name} {other}");
        let listed = proto::ListNamespacesRequest::default();
        let listed = tenant.admin.list_namespaces(listed).await.expect("a list").into_inner();
        let listed: Vec<_> = listed.namespaces.into_iter().map(|found| found.name).collect();
        assert_eq!(listed, [name.as_str()]);
    }
    drop((clients, root));
    server.stop().await;
}
