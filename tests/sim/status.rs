//! What a client sees over the wire while the disk is full or fails, and that reads go on.

use std::sync::Arc;

use tenure::engine::{Clock, Engine};
use tenure::rpc::proto;
use tenure::store::Store;
use tonic::{Code, Status};

use crate::disk::{Disk, Full};
use crate::support::{Server, TestClock, at, op, reason};

async fn server(disk: &Disk) -> Server {
    let disk = disk.clone();
    let store = Store::with_backend(move || Ok(disk.clone())).expect("opens");
    let clock = Arc::new(TestClock::default());
    let engine = Engine::over(store, Arc::clone(&clock) as Arc<dyn Clock>).expect("opens");
    let mut server = Server::over(engine, clock).await;
    server.create_namespace("default").await;
    server
}

fn request(number: u64) -> proto::TransactRequest {
    let object = format!("object {number}");
    proto::TransactRequest {
        namespace: "default".to_owned(),
        request_id: format!("write {number}"),
        operations: vec![op::assert("ann", "knows", &object, op::instant(0), None)],
        ..Default::default()
    }
}

async fn write(server: &mut Server, number: u64) -> Result<proto::TransactResponse, Status> {
    server.facts.transact(request(number)).await.map(tonic::Response::into_inner)
}

/// How many facts hold.
async fn facts(server: &mut Server) -> usize {
    let request = proto::ListFactsRequest {
        namespace: "default".to_owned(),
        as_of: at::valid(5),
        page_size: 10_000,
        ..Default::default()
    };
    let answer = server.facts.list_facts(request).await.expect("reads go on");
    answer.into_inner().rectangles.len()
}

async fn is_clean(server: &mut Server) -> bool {
    let request = proto::VerifyRequest { namespace: "default".to_owned() };
    server.admin.verify(request).await.expect("it can be read").into_inner().clean
}

/// Breaks the disk, is refused as expected, mends it, and sends the refused write again.
async fn check(code: Code, name: &str, hurt: impl Fn(&Disk), heal: impl Fn(&Disk)) {
    let disk = Disk::default();
    let mut server = server(&disk).await;
    for number in 0..3 {
        write(&mut server, number).await.expect("the disk is well");
    }
    hurt(&disk);
    for _ in 0..2 {
        let status = write(&mut server, 3).await.expect_err("the disk refuses");
        assert_eq!((status.code(), reason(&status).as_str()), (code, name), "{status:?}");
        assert_eq!(facts(&mut server).await, 3, "{name}");
        let made = proto::CreateNamespaceRequest { name: "more".to_owned(), ..Default::default() };
        let status = server.admin.create_namespace(made).await.expect_err("the disk refuses");
        assert_eq!((status.code(), reason(&status).as_str()), (code, name), "{status:?}");
    }
    heal(&disk);
    let first = write(&mut server, 3).await.expect("the disk is well");
    assert_eq!(first.tx, 4);
    assert_eq!(facts(&mut server).await, 4, "read your write");
    let again = write(&mut server, 3).await.expect("the disk is well");
    assert!(again.replayed && again.tx == 4, "{again:?}");
    assert!(is_clean(&mut server).await);
    server.stop().await;
}

#[tokio::test]
async fn a_full_disk_is_resource_exhausted() {
    let full = |disk: &Disk| disk.set_full(Full::Writes);
    check(Code::ResourceExhausted, "STORAGE_FULL", full, |disk| disk.set_full(Full::No)).await;
}

#[tokio::test]
async fn a_disk_that_does_not_write_is_internal() {
    let fails = |disk: &Disk| disk.set_fails_writes(true);
    check(Code::Internal, "STORAGE_FAILED", fails, |disk| disk.set_fails_writes(false)).await;
}

#[tokio::test]
async fn a_disk_that_does_not_sync_is_internal() {
    let fails = |disk: &Disk| disk.fail_at_sync(disk.syncs() + 1);
    check(Code::Internal, "STORAGE_FAILED", fails, |disk| disk.fail_at_sync(u64::MAX)).await;
}
