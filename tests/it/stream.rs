//! Facts in bulk: out and in again, and as they are committed.

use tonic::{Code, Status, Streaming};

use tenure::rpc::proto;

use crate::ask::{
    HOME, accept, bounded, conflicts, fact, held_in, refused, request, said_by, statistics, verify,
    withdraw, words, write,
};
use crate::chance::{INSTANTS, Log, PREDICATES, SUBJECTS};
use crate::support::{Server, at, op, reason};

const COPY: &str = "copy";

pub(crate) async fn export(
    server: &mut Server,
    namespace: &str,
) -> Vec<proto::ExportFactsResponse> {
    let namespace = namespace.to_owned();
    let request = proto::ExportFactsRequest { namespace, from_tx: 0 };
    let stream = server.facts.export_facts(request).await.expect("a stream").into_inner();
    collect(stream).await
}

async fn collect<T>(mut stream: Streaming<T>) -> Vec<T> {
    let mut all = Vec::new();
    while let Some(message) = stream.message().await.expect("a message") {
        all.push(message);
    }
    all
}

async fn import(
    server: &mut Server,
    messages: Vec<proto::ImportFactsRequest>,
) -> Result<proto::ImportFactsResponse, Status> {
    let answer = server.facts.import_facts(tokio_stream::iter(messages)).await;
    answer.map(tonic::Response::into_inner)
}

/// A message with a time of its own.
fn dated(
    namespace: &str,
    tx_time: i64,
    operations: Vec<proto::Operation>,
) -> proto::ImportFactsRequest {
    let tx_time = Some(proto::Instant { unix_micros: tx_time });
    let namespace = namespace.to_owned();
    proto::ImportFactsRequest { namespace, operations, tx_time, ..Default::default() }
}

fn plain(operations: Vec<proto::Operation>) -> proto::ImportFactsRequest {
    let namespace = HOME.to_owned();
    proto::ImportFactsRequest { namespace, operations, ..Default::default() }
}

/// Everything a reader can tell of a namespace, at every basis up to `last`.
pub(crate) async fn told(server: &mut Server, namespace: &str, last: u64) -> Vec<String> {
    let mut told = Vec::new();
    for tx in 0..=last {
        for valid in -1..=i64::try_from(INSTANTS).expect("a small number") {
            let facts = held_in(server, namespace, at::tx(valid, tx)).await;
            told.push(format!("({valid},{tx}) {}", facts.join("; ")));
        }
        let known = at::tx(0, tx).and_then(|as_of| as_of.known);
        let request = proto::ListConflictsRequest {
            namespace: namespace.to_owned(),
            known,
            include_settled: true,
            ..Default::default()
        };
        let answer = server.facts.list_conflicts(request).await.expect("conflicts").into_inner();
        told.extend(answer.conflicts.into_iter().map(|conflict| {
            // The ids of facts are of one namespace; those of statements hold in the copy too.
            let mut conflict = conflict;
            let sides = conflict.raised_by.iter_mut().chain(&mut conflict.against);
            sides.for_each(|side| side.fact_id.clear());
            format!("at {tx}: {conflict:?}")
        }));
    }
    for (subject, predicate) in
        SUBJECTS.iter().flat_map(|subject| PREDICATES.map(|predicate| (*subject, predicate)))
    {
        let request = proto::GetTimelineRequest {
            namespace: namespace.to_owned(),
            subject: subject.to_owned(),
            predicate: predicate.to_owned(),
            audit: true,
            page_size: 10_000,
            ..Default::default()
        };
        let answer = server.facts.get_timeline(request).await.expect("an audit").into_inner();
        // Rows of one transaction come in the order of ids, which are of one namespace.
        let mut rows: Vec<String> = answer.rectangles.iter().map(rectangle).collect();
        rows.sort();
        told.append(&mut rows);
    }
    told
}

fn rectangle(row: &proto::Rectangle) -> String {
    let believed = (row.tx_from, row.tx_from_time, row.tx_to, row.tx_to_time);
    format!("{} {believed:?} {:?}", bounded(row), row.close_reason())
}

#[tokio::test]
async fn i15_what_is_exported_and_imported_answers_the_same_at_every_basis() {
    for seed in (31..37).chain([110, 200]) {
        let mut server = Server::start().await;
        let mut log = Log::new(seed);
        log.begin(&mut server, HOME).await;
        let mut last = 1;
        for step in 2..=24 {
            last = log.step(&mut server, HOME, 10 * step).await;
        }
        let exported = export(&mut server, HOME).await;
        assert_eq!(exported.last().map(|tx| tx.tx), Some(last));
        server.create_namespace(COPY).await;
        let messages = exported.iter().map(|tx| {
            let time = tx.tx_time.expect("a time").unix_micros;
            dated(COPY, time, tx.operations.clone())
        });
        let messages = messages.collect();
        let report = import(&mut server, messages).await.expect("an empty namespace");
        assert_eq!((report.rejected_rows, report.tx), (Vec::new(), last), "seed {seed}");
        let (original, copy) =
            (told(&mut server, HOME, last).await, told(&mut server, COPY, last).await);
        for (original, copy) in original.iter().zip(&copy) {
            assert_eq!(original, copy, "seed {seed}");
        }
        assert_eq!(original.len(), copy.len());
        verify(&mut server, COPY).await;
        server.stop().await;
    }
}

/// Three prices, each against the one before; then what settles the first conflict or both.
async fn settled(last: fn(&[String]) -> Vec<proto::Operation>) {
    let mut server = Server::start().await;
    let price = |object: &str| {
        said_by(fact("part", "price", object, 5, None), object, proto::Trust::Stated)
    };
    write(&mut server, 1, vec![op::one("price")]).await;
    let mut ids = Vec::new();
    for (clock, object) in [(2, "ten"), (3, "eleven"), (4, "twelve")] {
        let response = write(&mut server, clock, vec![price(object)]).await;
        ids.push(response.outcomes[0].statement_id.clone());
    }
    assert_eq!(conflicts(&mut server, None, false).await.len(), 2);
    write(&mut server, 5, last(&ids)).await;
    let messages = export(&mut server, HOME).await.into_iter();
    let messages =
        messages.map(|tx| dated(COPY, tx.tx_time.expect("a time").unix_micros, tx.operations));
    let messages = messages.collect();
    server.create_namespace(COPY).await;
    import(&mut server, messages).await.expect("an empty namespace");
    for tx in 0..=5 {
        let original = held_in(&mut server, HOME, at::tx(9, tx)).await;
        assert_eq!(held_in(&mut server, COPY, at::tx(9, tx)).await, original, "tx {tx}");
    }
    assert_eq!(listed(&mut server, COPY).await, listed(&mut server, HOME).await);
    server.stop().await;
}

async fn listed(server: &mut Server, namespace: &str) -> Vec<(String, Option<u64>)> {
    let namespace = namespace.to_owned();
    let request =
        proto::ListConflictsRequest { namespace, include_settled: true, ..Default::default() };
    let conflicts =
        server.facts.list_conflicts(request).await.expect("a list").into_inner().conflicts;
    conflicts.into_iter().map(|conflict| (conflict.id, conflict.tx_to)).collect()
}

#[tokio::test]
async fn settling_a_conflict_settles_it_in_the_copy_and_takes_no_side_by_itself() {
    settled(|ids| vec![accept(&ids[0], proto::Trust::Stated)]).await;
    settled(|ids| vec![accept(&ids[1], proto::Trust::Stated)]).await;
    settled(|ids| vec![accept(&ids[2], proto::Trust::Stated)]).await;
    settled(|_| vec![op::retract("part", "price", "ten")]).await;
    settled(|_| vec![op::retract("part", "price", "eleven")]).await;
    settled(|_| vec![withdraw("ten")]).await;
    settled(|_| vec![withdraw("eleven")]).await;
    settled(|ids| vec![accept(&ids[2], proto::Trust::Stated), withdraw("ten")]).await;
    settled(|ids| {
        let retract = op::retract("part", "price", "twelve");
        vec![retract, accept(&ids[1], proto::Trust::Stated)]
    })
    .await;
}

#[tokio::test]
async fn an_export_begins_where_it_is_asked_to() {
    let mut server = Server::start().await;
    for tx in 1..=5 {
        write(&mut server, tx, vec![fact("a", "p", &format!("o{tx}"), 0, None)]).await;
    }
    for (from_tx, wanted) in [(0, vec![1, 2, 3, 4, 5]), (4, vec![4, 5]), (6, vec![])] {
        let request = proto::ExportFactsRequest { namespace: HOME.to_owned(), from_tx };
        let stream = server.facts.export_facts(request).await.expect("a stream").into_inner();
        let numbers: Vec<u64> = collect(stream).await.iter().map(|message| message.tx).collect();
        assert_eq!(numbers, wanted, "from {from_tx}");
    }
    server.stop().await;
}

#[tokio::test]
async fn times_of_their_own_only_into_an_empty_namespace_and_increasing() {
    let mut server = Server::start().await;
    write(&mut server, 100, vec![fact("a", "p", "x", 0, None)]).await;
    let one = |object: &str| vec![fact("a", "p", object, 0, None)];
    let before = statistics(&mut server).await;
    let told = import(&mut server, vec![dated(HOME, 50, one("y"))]).await.expect_err("not empty");
    assert_eq!(
        (told.code(), reason(&told)),
        (Code::FailedPrecondition, "NAMESPACE_NOT_EMPTY".to_owned())
    );
    assert_eq!(statistics(&mut server).await, before);
    for (case, times) in [("equal", [5, 5]), ("backwards", [5, 4]), ("to come", [5, 101])] {
        server.create_namespace(case).await;
        let [first, second] = times;
        let messages = vec![dated(case, first, one("x")), dated(case, second, one("y"))];
        let told = import(&mut server, messages).await.expect_err(case);
        assert_eq!(
            (told.code(), reason(&told)),
            (Code::FailedPrecondition, "TIME_NOT_INCREASING".to_owned())
        );
        // What came before the bad message stays.
        assert_eq!(held_in(&mut server, case, at::tx(1, 9)).await, ["a p x"], "{case}");
        let more = import(&mut server, vec![dated(case, 6, one("z"))]).await.expect("it goes on");
        assert_eq!(more.tx, 2, "{case}");
    }
    server.stop().await;
}

#[tokio::test]
async fn t27_a_row_that_was_imported_before_changes_nothing() {
    let mut server = Server::start().await;
    let rows = || {
        let operations = (0..50).map(|n| fact("a", "p", &format!("o{n}"), n, n + 5)).collect();
        proto::ImportFactsRequest { deduplicate: true, ..plain(operations) }
    };
    server.clock.set(1);
    let first = import(&mut server, vec![rows()]).await.expect("an import");
    assert_eq!((first.applied, first.replayed), (50, 0));
    let live = statistics(&mut server).await.rectangles_live;
    server.clock.set(2);
    let again = import(&mut server, vec![rows(), rows()]).await.expect("an import");
    assert_eq!((again.applied, again.no_change, again.replayed), (0, 0, 100));
    let after = statistics(&mut server).await;
    assert_eq!((after.rectangles_live, after.rectangles_closed), (live, 0));
    server.stop().await;
}

#[tokio::test]
async fn t31_a_bad_row_is_reported_by_its_number_and_the_others_are_applied() {
    let mut server = Server::start().await;
    let rows = |first: i64| -> Vec<proto::Operation> {
        (first..first + 10).map(|n| fact("a", "p", &format!("o{n}"), 0, None)).collect()
    };
    let mut second = rows(10);
    second[3] = fact("a", "p", "bad", 9, 5);
    let mut third = rows(20);
    third[0] = fact(" ", "p", "bad", 9, 5);
    let numbered = proto::ImportFactsRequest { first_row: 1_000, ..plain(third) };
    let messages = vec![plain(rows(0)), plain(second), numbered];
    let report = import(&mut server, messages).await.expect("an import");
    assert_eq!((report.applied, report.rejected, report.tx), (28, 2, 3));
    let rejected = report.rejected_rows.iter().map(|row| {
        (row.row, row.violations.iter().map(|broken| broken.reason.as_str()).collect::<Vec<_>>())
    });
    let wanted =
        [(13, vec!["INVERTED_INTERVAL"]), (1_000, vec!["NAME_BLANK", "INVERTED_INTERVAL"])];
    assert_eq!(rejected.collect::<Vec<_>>(), wanted);
    server.stop().await;
}

async fn watch(
    server: &mut Server,
    namespace: &str,
    from_tx: Option<u64>,
    subject: &str,
) -> Streaming<proto::WatchFactsResponse> {
    let subject = subject.to_owned();
    let pattern = Some(proto::FactPattern { subject, ..Default::default() });
    let namespace = namespace.to_owned();
    let request = proto::WatchFactsRequest { namespace, from_tx, pattern };
    server.facts.watch_facts(request).await.expect("a stream").into_inner()
}

async fn next(
    stream: &mut Streaming<proto::WatchFactsResponse>,
) -> (u64, Vec<String>, Vec<String>) {
    let message = stream.message().await.expect("a message").expect("it goes on");
    let rows = |rows: &[proto::Rectangle]| rows.iter().map(words).collect();
    (message.tx, rows(&message.opened), rows(&message.closed))
}

fn said(tx: u64, opened: &[&str], closed: &[&str]) -> (u64, Vec<String>, Vec<String>) {
    let owned = |rows: &[&str]| rows.iter().map(ToString::to_string).collect();
    (tx, owned(opened), owned(closed))
}

#[tokio::test]
async fn a_watcher_hears_what_was_and_what_comes() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![op::one("head"), fact("d1", "head", "ann", 5, None)]).await;
    write(&mut server, 2, vec![fact("d2", "head", "bob", 5, None)]).await;
    let mut all = watch(&mut server, HOME, Some(0), "").await;
    let mut some = watch(&mut server, HOME, Some(1), "d2").await;
    let mut new = watch(&mut server, HOME, None, "").await;
    assert_eq!(next(&mut all).await, said(1, &["d1 head ann"], &[]));
    assert_eq!(next(&mut all).await, said(2, &["d2 head bob"], &[]));
    assert_eq!(next(&mut some).await, said(2, &["d2 head bob"], &[]));
    write(&mut server, 3, vec![op::end("d2", "head", "bob", op::instant(9))]).await;
    write(&mut server, 4, vec![fact("d1", "head", "ann", 5, None)]).await;
    write(&mut server, 5, vec![op::retract("d2", "head", "bob")]).await;
    for stream in [&mut all, &mut new] {
        assert_eq!(next(stream).await, said(3, &["d2 head bob"], &["d2 head bob"]));
        assert_eq!(next(stream).await, said(4, &[], &[]));
        assert_eq!(next(stream).await, said(5, &[], &["d2 head bob"]));
    }
    assert_eq!(next(&mut some).await, said(3, &["d2 head bob"], &["d2 head bob"]));
    assert_eq!(next(&mut some).await, said(5, &[], &["d2 head bob"]));
    server.stop().await;
}

#[tokio::test]
async fn a_watcher_can_wait_for_a_name_that_nobody_has_said() {
    let mut server = Server::start().await;
    let mut early = watch(&mut server, HOME, None, "zed").await;
    write(&mut server, 1, vec![fact("a", "p", "b", 0, None)]).await;
    write(&mut server, 2, vec![fact("zed", "p", "b", 0, None)]).await;
    assert_eq!(next(&mut early).await, said(2, &["zed p b"], &[]));
    server.stop().await;
}

#[tokio::test]
async fn a_watch_ends_with_the_server_and_with_the_namespace() {
    let mut server = Server::start().await;
    server.create_namespace("brief").await;
    let mut brief = watch(&mut server, "brief", None, "").await;
    let mut lasting = watch(&mut server, HOME, None, "").await;
    let name = "brief".to_owned();
    server.admin.delete_namespace(proto::DeleteNamespaceRequest { name }).await.expect("gone");
    let status = brief.message().await.expect_err("its namespace is gone");
    assert_eq!((status.code(), reason(&status)), (Code::NotFound, "NAMESPACE_UNKNOWN".to_owned()));
    let stopped = tokio::spawn(server.stop());
    let status = lasting.message().await.expect_err("the server stops");
    assert_eq!((status.code(), reason(&status)), (Code::Unavailable, "SHUTTING_DOWN".to_owned()));
    stopped.await.expect("a clean stop");
}

#[tokio::test]
async fn a_reader_that_stalls_holds_up_nobody_and_misses_nothing() {
    let mut server = Server::start().await;
    let mut slow = watch(&mut server, HOME, None, "").await;
    let sentence = "x".repeat(512);
    for tx in 1..=120_u64 {
        let clock = i64::try_from(tx).expect("a small number");
        let objects = (0..20).map(|n| fact("a", "p", &format!("{sentence}{tx}-{n}"), 0, None));
        assert_eq!(write(&mut server, clock, objects.collect()).await.tx, tx);
    }
    for tx in 1..=120 {
        let (heard, opened, closed) = next(&mut slow).await;
        assert_eq!((heard, opened.len(), closed.len()), (tx, 20, 0));
    }
    server.stop().await;
}

#[tokio::test]
async fn c29_streams_of_an_unknown_namespace() {
    let mut server = Server::start().await;
    let unknown = (Code::NotFound, "NAMESPACE_UNKNOWN".to_owned());
    let namespace = || "nowhere".to_owned();
    let request_export = proto::ExportFactsRequest { namespace: namespace(), from_tx: 0 };
    assert_eq!(refused(server.facts.export_facts(request_export).await), unknown);
    let request_watch = proto::WatchFactsRequest { namespace: namespace(), ..Default::default() };
    assert_eq!(refused(server.facts.watch_facts(request_watch).await), unknown);
    let message = dated("nowhere", 1, vec![fact("a", "p", "b", 0, None)]);
    let status = import(&mut server, vec![message]).await.expect_err("nowhere");
    assert_eq!((status.code(), reason(&status)), unknown);
    let transact = request(vec![fact("a", "p", "b", 0, None)]);
    let transact = proto::TransactRequest { namespace: namespace(), ..transact };
    assert_eq!(refused(server.facts.transact(transact).await), unknown);
    server.stop().await;
}
