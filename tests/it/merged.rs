//! Reads across a merge: each answers at its basis as point reads do there, and past answers stay.

use tenure::rpc::proto;

use crate::ask::{HOME, fact, merge, snapshot, unmerge, words, write};
use crate::support::{Server, at, op};

/// Ann holds a fact from tx 1; bob is her duplicate from tx 3 to 4. A third entity is told of him.
async fn story() -> Server {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![fact("ann", "knows", "cid", 1, None)]).await;
    write(&mut server, 2, vec![fact("bob", "likes", "dan", 1, None)]).await;
    write(&mut server, 3, vec![merge("bob", "ann")]).await;
    write(&mut server, 4, vec![unmerge("bob")]).await;
    server
}

async fn audit(server: &mut Server, subject: &str, predicate: &str, tx: u64) -> Vec<String> {
    let point = Some(proto::transaction_point::Point::Tx(tx));
    let request = proto::GetTimelineRequest {
        namespace: HOME.to_owned(),
        subject: subject.to_owned(),
        predicate: predicate.to_owned(),
        known: Some(proto::TransactionPoint { point, ..Default::default() }),
        audit: true,
        ..Default::default()
    };
    let answer = server.facts.get_timeline(request).await.expect("an answer").into_inner();
    answer.rectangles.iter().map(words).collect()
}

#[tokio::test]
async fn beliefs_turn_where_a_merge_moves_the_name_though_no_rectangle() {
    let mut server = story().await;
    let request = proto::GetBeliefHistoryRequest {
        namespace: HOME.to_owned(),
        subject: "bob".to_owned(),
        predicate: "knows".to_owned(),
        valid: at::valid(5).and_then(|as_of| as_of.valid),
        known: None,
    };
    let answer = server.facts.get_belief_history(request).await.expect("an answer").into_inner();
    let turns: Vec<(u64, usize)> =
        answer.beliefs.iter().map(|belief| (belief.tx_from, belief.rectangles.len())).collect();
    assert_eq!(turns, [(1, 0), (3, 1), (4, 0)]);
    server.stop().await;
}

#[tokio::test]
async fn an_audit_at_a_past_basis_knows_nothing_of_later_merges() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![fact("ann", "knows", "cid", 1, None)]).await;
    write(&mut server, 2, vec![fact("bob", "knows", "dan", 1, None)]).await;
    let before = audit(&mut server, "ann", "knows", 2).await;
    write(&mut server, 3, vec![merge("bob", "ann")]).await;
    assert_eq!(audit(&mut server, "ann", "knows", 2).await, before);
    assert_eq!(audit(&mut server, "ann", "knows", 3).await.len(), 3);
    server.stop().await;
}

#[tokio::test]
async fn a_diff_over_a_merge_reads_its_names_on_both_sides() {
    let mut server = story().await;
    let request = proto::DiffFactsRequest {
        namespace: HOME.to_owned(),
        from: at::tx(5, 2),
        to: at::tx(5, 3),
        pattern: Some(proto::FactPattern { subject: "bob".to_owned(), ..Default::default() }),
        ..Default::default()
    };
    let diff = server.facts.diff_facts(request).await.expect("an answer").into_inner();
    assert_eq!(diff.removed.iter().map(words).collect::<Vec<_>>(), ["bob likes dan"]);
    let added: Vec<String> = diff.added.iter().map(words).collect();
    assert_eq!(added, ["ann knows cid", "ann likes dan"]);
    server.stop().await;
}

#[tokio::test]
async fn a_fact_id_from_before_a_merge_is_read_under_what_it_counts_as() {
    let mut server = story().await;
    assert_eq!(snapshot(&mut server, 5, 3).await, ["ann knows cid", "ann likes dan"]);
    let pattern = Some(proto::FactPattern { subject: "bob".to_owned(), ..Default::default() });
    let request = proto::ListFactsRequest {
        namespace: HOME.to_owned(),
        pattern,
        as_of: at::tx(5, 2),
        ..Default::default()
    };
    let listed = server.facts.list_facts(request).await.expect("an answer").into_inner();
    let fact_id = listed.rectangles[0].fact_id.clone();
    let request =
        proto::GetFactRequest { namespace: HOME.to_owned(), fact_id, as_of: at::tx(5, 3) };
    let answer = server.facts.get_fact(request).await.expect("an answer").into_inner();
    assert_eq!(answer.rectangle.as_ref().map(words), Some("ann likes dan".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn a_watcher_of_a_duplicate_sees_the_merge_take_its_facts() {
    let mut server = story().await;
    let request = proto::WatchFactsRequest {
        namespace: HOME.to_owned(),
        from_tx: Some(1),
        pattern: Some(proto::FactPattern { subject: "bob".to_owned(), ..Default::default() }),
    };
    let mut stream = server.facts.watch_facts(request).await.expect("a stream").into_inner();
    let mut seen = Vec::new();
    for _ in 0..3 {
        let message = stream.message().await.expect("a message").expect("not the end");
        seen.push((message.tx, message.opened.len(), message.closed.len()));
    }
    assert_eq!(seen, [(2, 1, 0), (3, 1, 1), (4, 1, 1)]);
    drop(stream);
    server.stop().await;
}

#[tokio::test]
async fn what_is_cut_says_so_also_when_nothing_is_left_to_give() {
    let mut server = Server::start().await;
    let many = (0..6_000).map(|n| fact("hub", "has", &format!("part {n}"), 1, None)).collect();
    write(&mut server, 1, many).await;
    let pattern = proto::FactPattern { subject: "hub".to_owned(), ..Default::default() };
    let request = proto::BatchGetFactsRequest {
        namespace: HOME.to_owned(),
        patterns: vec![pattern; 3],
        as_of: at::valid(5),
        limit: 6_000,
    };
    let answer = server.facts.batch_get_facts(request).await.expect("an answer").into_inner();
    let given: Vec<(usize, bool)> =
        answer.matches.iter().map(|found| (found.rectangles.len(), found.truncated)).collect();
    assert_eq!(given, [(6_000, false), (4_000, true), (0, true)]);
    server.stop().await;
}

/// A name that composition lengthens past the bound is no name, and the writer lives.
#[tokio::test]
async fn a_name_that_grows_is_refused() {
    let mut server = Server::start().await;
    let name = "\u{344}".repeat(512);
    let growing = fact(&name, "knows", "b", 1, None);
    let request = proto::TransactRequest {
        namespace: HOME.to_owned(),
        operations: vec![growing],
        ..Default::default()
    };
    let refused = server.facts.transact(request).await.expect_err("no name");
    assert_eq!(crate::support::reason(&refused), "STRING_TOO_LONG");
    write(&mut server, 2, vec![op::assert("a", "knows", "b", None, None)]).await;
    server.stop().await;
}
