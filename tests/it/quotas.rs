//! What one namespace may use, at the bound; and what a stream and a connection may hold on to.

use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use tenure::rpc::proto;
use tenure::server::Options;

use crate::access::guarded;
use crate::ask::{HOME, fact, request, write};
use crate::support::{Server, op, reason};

async fn set(server: &mut Server, quotas: proto::Quotas) {
    let request = proto::SetQuotasRequest { namespace: HOME.to_owned(), quotas: Some(quotas) };
    server.admin.set_quotas(request).await.expect("set");
}

async fn usage(server: &mut Server) -> (u64, u64) {
    let request = proto::GetQuotasRequest { namespace: HOME.to_owned() };
    let answer = server.admin.get_quotas(request).await.expect("an answer").into_inner();
    (answer.facts, answer.bytes)
}

fn over(status: &Status) -> (Code, String, String, String) {
    let info = status.get_details_error_info().expect("a reason");
    let of = |key: &str| info.metadata.get(key).cloned().unwrap_or_default();
    (status.code(), info.reason.clone(), of("which"), of("limit"))
}

fn exceeded(which: &str, limit: u64) -> (Code, String, String, String) {
    (Code::ResourceExhausted, "QUOTA_EXCEEDED".into(), which.to_owned(), limit.to_string())
}

#[tokio::test]
async fn facts_fit_up_to_the_bound_and_not_past_it() {
    let mut server = Server::start().await;
    set(&mut server, proto::Quotas { facts: Some(3), ..Default::default() }).await;
    let objects = |names: &[&str]| names.iter().map(|o| fact("a", "p", o, 0, None)).collect();
    write(&mut server, 1, objects(&["x", "y"])).await;
    let before = usage(&mut server).await;
    let status = server.facts.transact(request(objects(&["z", "w"]))).await.expect_err("one over");
    assert_eq!(over(&status), exceeded("facts", 3));
    assert!(status.get_details_retry_info().is_none(), "time does not help");
    assert_eq!(usage(&mut server).await, before, "nothing of it is there");
    write(&mut server, 2, objects(&["z"])).await;
    let status = server.facts.transact(request(objects(&["w"]))).await.expect_err("one over");
    assert_eq!(over(&status), exceeded("facts", 3));
    // There is a way back, and what makes room may be used at once.
    write(&mut server, 3, vec![op::retract("a", "p", "x"), fact("a", "p", "w", 0, None)]).await;
    assert_eq!(usage(&mut server).await.0, 3);
    set(&mut server, proto::Quotas { facts: Some(1), ..Default::default() }).await;
    write(&mut server, 4, vec![op::retract("a", "p", "y")]).await;
    let home = server.stop().await.expect("its directory");
    let mut server = Server::open(home.path()).await;
    let status = server.facts.transact(request(objects(&["v"]))).await.expect_err("kept on disk");
    assert_eq!(over(&status), exceeded("facts", 1));
    set(&mut server, proto::Quotas::default()).await;
    write(&mut server, 5, objects(&["v"])).await;
    server.stop().await;
}

#[tokio::test]
async fn bytes_fit_up_to_the_bound_and_not_past_it() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![fact("a", "p", "x", 0, None)]).await;
    let first = usage(&mut server).await.1;
    // Names take what they took before, but for one letter.
    write(&mut server, 2, vec![fact("b", "p", "x", 0, None)]).await;
    let one = usage(&mut server).await.1 - first;
    assert!(one > 0);
    let limit = first + 3 * one;
    set(&mut server, proto::Quotas { bytes: Some(limit), ..Default::default() }).await;
    for (clock, subject) in [(3, "c"), (4, "d")] {
        write(&mut server, clock, vec![fact(subject, "p", "x", 0, None)]).await;
    }
    assert_eq!(usage(&mut server).await.1, limit);
    let status = server.facts.transact(request(vec![fact("e", "p", "x", 0, None)])).await;
    assert_eq!(over(&status.expect_err("over")), exceeded("bytes", limit));
    server.stop().await;
}

#[tokio::test]
async fn streams_have_places_and_requests_a_pace() {
    let mut server = Server::start().await;
    set(&mut server, proto::Quotas { streams: Some(2), ..Default::default() }).await;
    let watch = || proto::WatchFactsRequest { namespace: HOME.to_owned(), ..Default::default() };
    let first = server.facts.watch_facts(watch()).await.expect("a place");
    let _second = server.facts.watch_facts(watch()).await.expect("a place");
    let status = server.facts.watch_facts(watch()).await.expect_err("no place");
    assert_eq!(over(&status), exceeded("streams", 2));
    drop(first);
    // The server hears of it with the next frame.
    loop {
        match server.facts.watch_facts(watch()).await {
            Ok(_) => break,
            Err(status) => assert_eq!(over(&status), exceeded("streams", 2)),
        }
        tokio::task::yield_now().await;
    }
    set(&mut server, proto::Quotas { requests_per_second: Some(1), ..Default::default() }).await;
    let list = || proto::ListFactsRequest { namespace: HOME.to_owned(), ..Default::default() };
    let mut asked = 0;
    let status = loop {
        asked += 1;
        if let Err(status) = server.facts.list_facts(list()).await {
            break status;
        }
        assert!(asked < 10_000, "nothing bounds it");
    };
    assert_eq!(over(&status), exceeded("requests_per_second", 1));
    let wait = status.get_details_retry_info().and_then(|info| info.retry_delay);
    assert!(wait.is_some_and(|wait| wait <= Duration::from_secs(1)), "{wait:?}");
    // Whoever administers is not held up.
    set(&mut server, proto::Quotas::default()).await;
    server.facts.list_facts(list()).await.expect("no bound");
    server.stop().await;
}

#[tokio::test]
async fn a_rate_of_nothing_is_no_rate() {
    let mut server = Server::start().await;
    let quotas = Some(proto::Quotas { requests_per_second: Some(0), ..Default::default() });
    let request = proto::SetQuotasRequest { namespace: HOME.to_owned(), quotas };
    let status = server.admin.set_quotas(request).await.expect_err("a refusal");
    assert_eq!((status.code(), reason(&status)), (Code::InvalidArgument, "LIMIT_EXCEEDED".into()));
    server.stop().await;
}

#[tokio::test]
async fn an_import_that_says_nothing_more_loses_its_stream() {
    let home = tempfile::tempdir().expect("a place for data");
    let options = Options { import_idle: Duration::from_millis(100), ..Options::default() };
    let mut server = guarded(home.path(), options).await;
    let (sender, messages) = tokio::sync::mpsc::channel(1);
    let first = proto::ImportFactsRequest {
        namespace: HOME.to_owned(),
        operations: vec![fact("a", "p", "x", 0, None)],
        ..Default::default()
    };
    sender.send(first).await.expect("it is taken");
    let status = server.facts.import_facts(ReceiverStream::new(messages)).await;
    let status = status.expect_err("it ends");
    assert_eq!((status.code(), reason(&status)), (Code::DeadlineExceeded, "STREAM_IDLE".into()));
    drop(sender);
    assert_eq!(usage(&mut server).await.0, 1, "what came before stays");
    server.stop().await;
}

#[tokio::test]
async fn idle_connections_hold_up_nobody_and_those_past_the_bound_are_closed() {
    const BOUND: usize = 500;
    let home = tempfile::tempdir().expect("a place for data");
    let options = Options { connections_max: BOUND, ..Options::default() };
    let mut server = guarded(home.path(), options).await;
    let address = server.url().replace("http://", "");
    let mut idle = Vec::new();
    // One is the client of this test.
    for _ in 1..BOUND {
        idle.push(TcpStream::connect(&address).await.expect("a connection"));
    }
    let mut over = TcpStream::connect(&address).await.expect("the system takes it");
    let read = over.read(&mut [0; 1]).await;
    assert!(matches!(read, Ok(0) | Err(_)), "it is closed");
    server.admin.ping(proto::PingRequest {}).await.expect("who is there is served");
    drop(idle.pop());
    // The server hears that it is gone, and there is a place again.
    loop {
        let mut next = TcpStream::connect(&address).await.expect("the system takes it");
        let preface = b"GET /nothing HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        let sent = tokio::io::AsyncWriteExt::write_all(&mut next, preface).await;
        let mut answer = Vec::new();
        if sent.is_ok() && next.read_to_end(&mut answer).await.is_ok() && !answer.is_empty() {
            assert!(answer.starts_with(b"HTTP/1.1 404"));
            break;
        }
    }
    drop(idle);
    server.stop().await;
}

#[tokio::test]
async fn a_watcher_that_reads_nothing_holds_a_bounded_number_of_messages() {
    let mut server = Server::start().await;
    let watch = proto::WatchFactsRequest { namespace: HOME.to_owned(), ..Default::default() };
    let mut slow = server.facts.watch_facts(watch).await.expect("a stream").into_inner();
    let long = "x".repeat(1_000);
    for tx in 1..=200_i64 {
        let objects = (0..20).map(|n| fact("a", "p", &format!("{long}{tx}-{n}"), 0, None));
        write(&mut server, tx, objects.collect()).await;
    }
    for tx in 1..=200 {
        let message = slow.message().await.expect("a message").expect("it goes on");
        assert_eq!((message.tx, message.opened.len()), (tx, 20));
    }
    drop(slow);
    server.stop().await;
}
