//! Erasures over the wire: gone from every answer, at every basis, and from every file.

use std::fs;
use std::path::PathBuf;

use tenure::rpc::proto;
use tenure::rpc::proto::erase_request::What;

use crate::ask::{
    HOME, accept, conflicts, fact, held_in, merge, said_by, snapshot, statistics, value, verify,
    write,
};
use crate::bytes::holding;
use crate::recall::{question, recall};
use crate::support::{Server, at, op, reason};

fn request(what: What) -> proto::EraseRequest {
    proto::EraseRequest { namespace: HOME.to_owned(), what: Some(what), ..Default::default() }
}

async fn erase(server: &mut Server, what: What) -> proto::Erasure {
    let answer = server.admin.erase(request(what)).await.expect("it is erased").into_inner();
    answer.erasure.expect("a receipt")
}

fn counts(erasure: &proto::Erasure) -> proto::ErasureCounts {
    erasure.counts.unwrap_or_default()
}

fn by(operation: proto::Operation, source: &str) -> proto::Operation {
    said_by(operation, source, proto::Trust::Stated)
}

/// The same assert for an owner alone.
fn owned(operation: proto::Operation, owner: &str) -> proto::Operation {
    let Some(proto::operation::Operation::Assert(assert)) = operation.operation else {
        panic!("an assert")
    };
    let scope = Some(proto::Scope { owner: owner.to_owned(), labels: Vec::new() });
    let evidence = proto::Evidence { scope, ..assert.evidence.clone().unwrap_or_default() };
    let assert = proto::Assert { evidence: Some(evidence), ..assert };
    op::of(proto::operation::Operation::Assert(assert))
}

async fn edges(server: &mut Server, from: &str) -> usize {
    let request = proto::TraverseRequest {
        namespace: HOME.to_owned(),
        start: from.to_owned(),
        hops: 2,
        ..Default::default()
    };
    let answer = server.graph.traverse(request).await.expect("an answer").into_inner();
    answer.steps.len()
}

/// T28. A source goes: what another source says too stays, and what it had displaced holds again.
#[tokio::test]
async fn t28_a_source_is_erased() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![op::one("heads"), by(fact("ann", "heads", "lab", 1, None), "s0")])
        .await;
    write(&mut server, 2, vec![by(fact("ann", "knows", "bob", 1, None), "s1")]).await;
    write(&mut server, 3, vec![by(fact("ann", "knows", "bob", 1, None), "s2")]).await;
    let told = write(&mut server, 4, vec![by(fact("ann", "heads", "zoo", 5, None), "s1")]).await;
    let gone = told.outcomes[0].fact_id.clone();
    assert_eq!(edges(&mut server, "ann").await, 2);
    let receipt = erase(&mut server, What::Source("s1".to_owned())).await;
    assert_eq!((counts(&receipt).statements, counts(&receipt).facts), (2, 1));
    assert_eq!((receipt.tx, receipt.first_tx, receipt.purged), (5, 2, true));
    let now = ["ann heads lab", "ann knows bob"];
    assert_eq!(snapshot(&mut server, 10, 5).await, now);
    assert_eq!(snapshot(&mut server, 10, 4).await, now);
    assert_eq!(snapshot(&mut server, 10, 2).await, ["ann heads lab"]);
    let answer = recall(&mut server, question("zoo heads ann")).await;
    let texts = crate::recall::texts(&answer);
    assert!(texts.iter().all(|text| !text.contains("zoo")), "{texts:?}");
    assert_eq!(edges(&mut server, "ann").await, 2);
    assert_eq!(statistics(&mut server).await.entities, 3);
    let explain = proto::ExplainFactRequest {
        namespace: HOME.to_owned(),
        fact_id: gone,
        as_of: at::tx(10, 4),
    };
    let explained = server.facts.explain_fact(explain).await.expect("ids stay").into_inner();
    assert_eq!(explained.erasure_id, receipt.id);
    // The group is that of the slot: what its rival said is still there.
    let sources: Vec<_> = explained.statements.iter().map(|said| &said.evidence).collect();
    assert!(sources.iter().all(|said| said.as_ref().is_some_and(|said| said.source == "s0")));
    assert!(explained.rectangles.is_empty() && explained.visible.is_none());
    assert!(explained.basis.is_some_and(|basis| basis.erased));
    verify(&mut server, HOME).await;
    server.stop().await;
}

#[tokio::test]
async fn only_a_past_that_was_changed_says_so() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![fact("a", "likes", "b", 1, None)]).await;
    write(&mut server, 2, vec![by(fact("c", "likes", "d", 1, None), "s1")]).await;
    write(&mut server, 3, vec![fact("e", "likes", "f", 1, None)]).await;
    erase(&mut server, What::Source("s1".to_owned())).await;
    let mut said = Vec::new();
    for tx in 1..=4 {
        let request = proto::ListFactsRequest {
            namespace: HOME.to_owned(),
            as_of: at::tx(5, tx),
            ..Default::default()
        };
        let answer = server.facts.list_facts(request).await.expect("an answer").into_inner();
        said.push(answer.basis.is_some_and(|basis| basis.erased));
    }
    assert_eq!(said, [false, true, true, false]);
    server.stop().await;
}

/// C09. All of one owner goes, however much it is, and nothing of another.
#[tokio::test]
async fn c09_an_owner_is_erased() {
    const RED: usize = 2_500;
    let mut server = Server::start().await;
    let red = |n: usize| owned(fact("team", "red_has", &format!("red{n}"), 1, None), "red");
    let blue = |n: usize| owned(fact("team", "blue_has", &format!("blue{n}"), 1, None), "blue");
    write(&mut server, 1, (0..RED).map(red).collect()).await;
    write(&mut server, 2, (0..10).map(blue).collect()).await;
    assert_eq!(held_in(&mut server, HOME, at::tx(5, 2)).await.len(), RED + 10);
    let receipt = erase(&mut server, What::Owner("red".to_owned())).await;
    assert_eq!((counts(&receipt).statements, counts(&receipt).facts), (2_500, 2_500));
    for tx in [1, 2, 3] {
        let held = held_in(&mut server, HOME, at::tx(5, tx)).await;
        assert_eq!(held.len(), if tx == 1 { 0 } else { 10 }, "tx {tx}");
        assert!(held.iter().all(|fact| fact.starts_with("team blue_has blue")));
    }
    let answer = recall(&mut server, question("red7")).await;
    assert!(crate::recall::texts(&answer).iter().all(|text| !text.contains("red")));
    assert_eq!(edges(&mut server, "team").await, 10);
    assert_eq!(statistics(&mut server).await.rectangles_live, 10);
    verify(&mut server, HOME).await;
    let home = server.stop().await.expect("a folder");
    assert_eq!(holding(home.path(), "red_has"), Vec::<PathBuf>::new());
    assert_eq!(holding(home.path(), "red2499"), Vec::<PathBuf>::new());
    assert_ne!(holding(home.path(), "blue_has"), Vec::<PathBuf>::new());
}

/// One token in every place that a text can be put, for one entity.
async fn plant(server: &mut Server, token: &str) -> Vec<String> {
    let at_token = |place: &str| format!("{token}{place}");
    let episode = proto::AddEpisode {
        text: format!("{} was here", at_token("episode")),
        speaker: at_token("speaker"),
        title: at_token("title"),
        session: at_token("session"),
        source: at_token("source"),
        ..Default::default()
    };
    let request = proto::AddEpisodesRequest {
        namespace: HOME.to_owned(),
        episodes: vec![episode],
        request_id: at_token("episoderequest"),
        ..Default::default()
    };
    let added = server.memory.add_episodes(request).await.expect("kept").into_inner();
    let evidence = proto::Evidence {
        statement: format!("{} said so", at_token("statement")),
        source: at_token("source"),
        episode_id: added.episode_ids[0].clone(),
        ..Default::default()
    };
    let text = proto::value::Value::Text(at_token("value"));
    let operations = vec![
        fact(&at_token("jun"), &at_token("predicate"), &at_token("object"), 1, None),
        value(&at_token("jun"), "says", text, 1),
        fact("kim", "knows", &at_token("jun"), 1, None),
    ];
    let with = |operation: proto::Operation| {
        let Some(proto::operation::Operation::Assert(assert)) = operation.operation else {
            panic!("an assert")
        };
        let assert = proto::Assert { evidence: Some(evidence.clone()), ..assert };
        op::of(proto::operation::Operation::Assert(assert))
    };
    let request = proto::TransactRequest {
        namespace: HOME.to_owned(),
        operations: operations.into_iter().map(with).collect(),
        request_id: at_token("request"),
        ..Default::default()
    };
    let told = server.facts.transact(request).await.expect("taken").into_inner();
    told.outcomes.iter().map(|outcome| outcome.statement_id.clone()).collect()
}

/// C10. An entity is erased with its facts, the episode they came from and what was concluded from
/// them alone: no file holds a byte of it, also after everything is built anew.
#[tokio::test]
async fn c10_no_file_holds_what_was_erased() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![fact("kim", "knows", "lee", 1, None)]).await;
    // ASCII, and Korean that is spelled the same in either case.
    let tokens = ["Qzx7Jv", "\u{b6b1}\u{b6f5}\u{b738}"];
    for (token, clock) in tokens.into_iter().zip([2, 3]) {
        server.clock.set(clock);
        let grounds = plant(&mut server, token).await;
        let mut derived = fact("kim", "trusts", &format!("{token}shade"), 1, None);
        if let Some(proto::operation::Operation::Assert(assert)) = &mut derived.operation {
            assert.evidence = Some(proto::Evidence {
                derived_from_ids: grounds,
                statement: format!("{token}reflection"),
                ..Default::default()
            });
        }
        let alias = format!("{token}alias");
        let more = vec![
            fact(&alias, "knows", "lee", 1, None),
            merge(&alias, &format!("{token}jun")),
            derived,
        ];
        write(&mut server, clock + 10, more).await;
        recall(&mut server, question(&format!("{token}episode {token}jun"))).await;
    }
    let home = server.stop().await.expect("a folder");
    for token in tokens {
        assert_ne!(holding(home.path(), token), Vec::<PathBuf>::new(), "{token} was planted");
    }
    let mut server = Server::open(home.path()).await;
    server.clock.set(100);
    for token in tokens {
        let receipt = erase(&mut server, What::Entity(format!("{token}alias"))).await;
        let counts = counts(&receipt);
        assert_eq!((counts.statements, counts.episodes, counts.evidence), (5, 1, 4), "{counts:?}");
        assert_eq!(counts.receipts, 2);
        assert!(counts.vectors > 0 && counts.accesses > 0 && counts.documents > 0, "{counts:?}");
    }
    for token in tokens {
        let answer = recall(&mut server, question(&format!("{token}jun {token}episode"))).await;
        let texts = crate::recall::texts(&answer);
        assert!(texts.iter().all(|text| !text.contains(token)), "{texts:?}");
    }
    assert_eq!(held_in(&mut server, HOME, at::valid(5)).await, ["kim knows lee"]);
    verify(&mut server, HOME).await;
    server.stop().await;
    for token in tokens {
        assert_eq!(holding(home.path(), token), Vec::<PathBuf>::new(), "{token}");
    }
    let mut server = Server::open(home.path()).await;
    assert_eq!(held_in(&mut server, HOME, at::valid(5)).await, ["kim knows lee"]);
    verify(&mut server, HOME).await;
    server.stop().await;
}

#[tokio::test]
async fn a_dry_run_counts_and_erases_nothing() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![by(fact("a", "likes", "b", 1, None), "s1")]).await;
    let what = What::Entity("a".to_owned());
    let request = proto::EraseRequest { dry_run: true, ..request(what.clone()) };
    let tried = server.admin.erase(request).await.expect("counted").into_inner();
    let tried = tried.erasure.expect("a receipt");
    assert_eq!((tried.id.as_str(), tried.tx, tried.purged), ("", 0, false));
    assert_eq!(snapshot(&mut server, 5, 1).await, ["a likes b"]);
    assert_eq!(statistics(&mut server).await.last_tx, 1);
    let done = erase(&mut server, what).await;
    assert_eq!(done.counts, tried.counts);
    server.stop().await;
}

#[tokio::test]
async fn a_request_id_gives_the_same_receipt_and_receipts_can_be_read() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![by(fact("a", "likes", "b", 1, None), "s1")]).await;
    let once = proto::EraseRequest {
        request_id: "once".to_owned(),
        purge: Some(false),
        ..request(What::Source("s1".to_owned()))
    };
    let first = server.admin.erase(once.clone()).await.expect("erased").into_inner();
    let again = server.admin.erase(once.clone()).await.expect("known").into_inner();
    assert!(!first.replayed && again.replayed);
    assert_eq!(first.erasure, again.erasure);
    let other = proto::EraseRequest { what: Some(What::Entity("a".to_owned())), ..once };
    let refused = server.admin.erase(other).await.expect_err("another body");
    assert_eq!(reason(&refused), "KEY_REUSED");
    let receipt = first.erasure.expect("a receipt");
    assert!(!receipt.purged);
    write(&mut server, 2, vec![by(fact("c", "likes", "d", 1, None), "s2")]).await;
    erase(&mut server, What::Source("s2".to_owned())).await;
    let mut all = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = proto::ListErasuresRequest { page_size: 1, page_token, ..Default::default() };
        let page = server.admin.list_erasures(request).await.expect("a page").into_inner();
        all.extend(page.erasures);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    assert_eq!(all.len(), 2);
    // The second wrote the files anew, and what the first had left went with that.
    assert_eq!(all[0], proto::Erasure { purged: true, ..receipt.clone() });
    let get = proto::GetErasureRequest { id: receipt.id };
    let read = server.admin.get_erasure(get).await.expect("a receipt").into_inner();
    assert_eq!(read.erasure.as_ref(), all.first());
    server.stop().await;
}

#[tokio::test]
async fn what_is_not_there_cannot_be_erased() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![fact("a", "likes", "b", 1, None)]).await;
    for (what, wanted) in [
        (Some(What::Entity("nobody".to_owned())), "ENTITY_UNKNOWN"),
        (Some(What::Source("nobody".to_owned())), "SOURCE_UNKNOWN"),
        (Some(What::FactId("e7-p7-e7".to_owned())), "FACT_UNKNOWN"),
        (Some(What::FactId("seven".to_owned())), "MALFORMED_FIELD"),
        (Some(What::Owner(" red".to_owned())), "MALFORMED_FIELD"),
        (Some(What::Everything(false)), "MALFORMED_FIELD"),
        (None, "MISSING_FIELD"),
    ] {
        let asked = proto::EraseRequest {
            namespace: HOME.to_owned(),
            what: what.clone(),
            ..Default::default()
        };
        let refused = server.admin.erase(asked).await.expect_err("refused");
        assert_eq!(reason(&refused), wanted, "{what:?}");
    }
    let asked =
        proto::EraseRequest { request_id: "x".repeat(129), ..request(What::Everything(true)) };
    let refused = server.admin.erase(asked).await.expect_err("refused");
    assert_eq!(reason(&refused), "STRING_TOO_LONG");
    let get = |id: &str| proto::GetErasureRequest { id: id.to_owned() };
    let unknown = server.admin.get_erasure(get("1.1")).await.expect_err("none yet");
    assert_eq!(reason(&unknown), "ERASURE_UNKNOWN");
    let malformed = server.admin.get_erasure(get("1.01")).await.expect_err("no id");
    assert_eq!(reason(&malformed), "MALFORMED_FIELD");
    assert_eq!(statistics(&mut server).await.last_tx, 1);
    server.stop().await;
}

#[tokio::test]
async fn a_fact_is_erased_and_can_be_said_again() {
    let mut server = Server::start().await;
    let told = write(&mut server, 1, vec![fact("a", "likes", "b", 1, None)]).await;
    write(&mut server, 2, vec![fact("a", "likes", "c", 1, None)]).await;
    erase(&mut server, What::FactId(told.outcomes[0].fact_id.clone())).await;
    assert_eq!(snapshot(&mut server, 5, 3).await, ["a likes c"]);
    write(&mut server, 4, vec![fact("a", "likes", "b", 3, None)]).await;
    assert_eq!(snapshot(&mut server, 5, 4).await, ["a likes b", "a likes c"]);
    assert_eq!(snapshot(&mut server, 5, 3).await, ["a likes c"]);
    assert_eq!(snapshot(&mut server, 2, 4).await, ["a likes c"], "not what was erased");
    verify(&mut server, HOME).await;
    let home = server.stop().await.expect("a folder");
    let mut server = Server::open(home.path()).await;
    assert_eq!(snapshot(&mut server, 5, 4).await, ["a likes b", "a likes c"]);
    server.stop().await;
}

#[tokio::test]
async fn a_namespace_goes_with_its_views_and_its_name() {
    let mut server = Server::start().await;
    let name = "Wqj9Vx";
    server.create_namespace(name).await;
    let told = proto::TransactRequest {
        namespace: name.to_owned(),
        operations: vec![fact("a", "likes", "b", 1, None)],
        ..Default::default()
    };
    server.facts.transact(told).await.expect("taken");
    let asked = proto::RecallRequest { namespace: name.to_owned(), ..question("a") };
    recall(&mut server, asked).await;
    let gone = proto::EraseRequest {
        namespace: name.to_owned(),
        what: Some(What::Everything(true)),
        ..Default::default()
    };
    let receipt = server.admin.erase(gone).await.expect("erased").into_inner();
    let receipt = receipt.erasure.expect("a receipt");
    assert_eq!((receipt.kind(), receipt.tx), (proto::ErasureKind::Namespace, 0));
    assert_eq!((counts(&receipt).statements, counts(&receipt).names), (1, 3));
    let get = proto::GetErasureRequest { id: receipt.id };
    server.admin.get_erasure(get).await.expect("the receipt stays");
    let home = server.stop().await.expect("a folder");
    assert_eq!(holding(home.path(), name), Vec::<PathBuf>::new());
    assert!(!home.path().join("views").join("2").exists());
}

#[tokio::test]
async fn views_that_belong_to_nothing_are_removed_when_the_directory_is_opened() {
    let server = Server::start().await;
    let home = server.stop().await.expect("a folder");
    let left = home.path().join("views").join("99").join("text");
    fs::create_dir_all(&left).expect("a folder");
    let server = Server::open(home.path()).await;
    assert!(!left.exists());
    server.stop().await;
}

/// A watcher hears that the past was changed, and an export says nothing of what was erased and
/// gives the same facts where it is imported.
#[tokio::test]
async fn streams_tell_of_an_erasure_and_not_of_what_was_erased() {
    let mut server = Server::start().await;
    write(
        &mut server,
        1,
        vec![by(fact("a", "likes", "b", 1, None), "s1"), fact("a", "likes", "c", 1, None)],
    )
    .await;
    let mut drawn = fact("a", "likes", "d", 1, None);
    if let Some(proto::operation::Operation::Assert(assert)) = &mut drawn.operation {
        assert.evidence = Some(proto::Evidence {
            derived_from_ids: vec!["1.1".to_owned()],
            ..Default::default()
        });
    }
    write(&mut server, 2, vec![drawn]).await;
    let watch = proto::WatchFactsRequest {
        namespace: HOME.to_owned(),
        from_tx: Some(3),
        pattern: Some(proto::FactPattern { subject: "c".to_owned(), ..Default::default() }),
    };
    let mut watched = server.facts.watch_facts(watch).await.expect("a stream").into_inner();
    server.clock.set(3);
    erase(&mut server, What::Source("s1".to_owned())).await;
    let message = watched.message().await.expect("no error").expect("a message");
    assert!(message.erased && message.opened.is_empty() && message.closed.is_empty());
    drop(watched);
    let export = proto::ExportFactsRequest { namespace: HOME.to_owned(), ..Default::default() };
    let mut stream = server.facts.export_facts(export).await.expect("a stream").into_inner();
    let mut txs = Vec::new();
    while let Some(message) = stream.message().await.expect("no error") {
        txs.push(message);
    }
    assert_eq!(txs.iter().map(|tx| tx.tx).collect::<Vec<_>>(), [1, 2, 3]);
    server.create_namespace("copy").await;
    server.clock.set(10);
    let messages: Vec<proto::ImportFactsRequest> = txs
        .into_iter()
        .map(|tx| proto::ImportFactsRequest {
            namespace: "copy".to_owned(),
            operations: tx.operations,
            tx_time: tx.tx_time,
            ..Default::default()
        })
        .collect();
    let report = server.facts.import_facts(tokio_stream::iter(messages)).await;
    let report = report.expect("imported").into_inner();
    assert_eq!((report.tx, report.rejected), (3, 0));
    for tx in 1..=3 {
        let here = held_in(&mut server, HOME, at::tx(5, tx)).await;
        assert_eq!(held_in(&mut server, "copy", at::tx(5, tx)).await, here, "tx {tx}");
    }
    server.stop().await;
}

/// A statement that a more trusted one held back waits on when that one is erased: nothing is decided
/// again, what it stood against is not named any more, and it can be accepted.
#[tokio::test]
async fn a_conflict_outlives_its_erased_side_without_naming_it() {
    let mut server = Server::start().await;
    let told = fact("ann", "heads", "lab", 1, None);
    write(&mut server, 1, vec![op::one("heads"), said_by(told, "s1", proto::Trust::Confirmed)])
        .await;
    let told = fact("ann", "heads", "zoo", 5, None);
    write(&mut server, 2, vec![said_by(told, "s2", proto::Trust::Unverified)]).await;
    let before = conflicts(&mut server, None, false).await;
    assert_eq!((before.len(), before[0].against.len()), (1, 1));
    erase(&mut server, What::Source("s1".to_owned())).await;
    assert_eq!(snapshot(&mut server, 10, 3).await, Vec::<String>::new(), "it waits on");
    let left = conflicts(&mut server, None, false).await;
    assert_eq!(left.len(), 1);
    assert_eq!((left[0].id.as_str(), left[0].against.len()), (before[0].id.as_str(), 0));
    assert_eq!(left[0].kind(), proto::ConflictKind::Contested);
    verify(&mut server, HOME).await;
    write(&mut server, 4, vec![accept(&left[0].id, proto::Trust::Confirmed)]).await;
    assert_eq!(snapshot(&mut server, 10, 4).await, ["ann heads zoo"]);
    assert_eq!(conflicts(&mut server, None, false).await, []);
    server.stop().await;
}
