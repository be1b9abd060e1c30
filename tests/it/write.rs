//! Writes: what they are answered, what they leave, and what they never touch.

use tonic::Code;

use tenure::rpc::proto;
use tenure::rpc::proto::OutcomeStatus::{Applied, Blocked, Contested, NoChange};
use tenure::rpc::proto::operation::Operation as Kind;

use crate::ask::{
    HOME, accept, conflicts, fact, held, held_in, merge, refused, request, said_by, snapshot,
    sorted, statistics, statuses, timeline, unmerge, verify, withdraw, words, write,
};
use crate::support::{Server, at, op};

#[tokio::test]
async fn t26_distinct_names_stay_distinct_and_one_name_stays_one() {
    let mut server = Server::start().await;
    let distinct = [
        ["Berth 4471", "Berth 4472"],
        ["Room 101", "Room 102"],
        ["Q3 report", "Q4 report"],
        ["Warehouse 北京 Operations", "Warehouse 上海 Operations"],
    ];
    let operations = distinct.as_flattened().iter().map(|name| fact(name, "is", "place", 0, None));
    write(&mut server, 1, operations.collect()).await;
    assert_eq!(statistics(&mut server).await.entities, 9);
    let one = ["Müller", "Mu\u{308}ller", "MÜLLER", "  Müller ", "mu\u{308}ller"];
    for name in one {
        write(&mut server, 2, vec![fact(name, "is", "place", 0, None)]).await;
    }
    write(&mut server, 3, vec![fact("Anna  Müller", "is", "place", 0, None)]).await;
    write(&mut server, 4, vec![fact("anna müller", "is", "place", 0, None)]).await;
    let after = statistics(&mut server).await;
    assert_eq!((after.entities, after.rectangles_live), (11, 10));
    server.stop().await;
}

#[tokio::test]
async fn t26_r28_a_merge_is_seen_from_its_transaction_on_and_can_be_undone() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![fact("a. lee", "knows", "bob", 0, None)]).await;
    write(&mut server, 2, vec![fact("ann lee", "knows", "cid", 0, None)]).await;
    write(&mut server, 3, vec![fact("bob", "knows", "a. lee", 0, None)]).await;
    write(&mut server, 4, vec![merge("a. lee", "ann lee")]).await;
    write(&mut server, 5, vec![unmerge("a. lee")]).await;
    let two = ["a. lee knows bob", "ann lee knows cid", "bob knows a. lee"];
    let one = ["ann lee knows bob", "ann lee knows cid", "bob knows ann lee"];
    for (tx, wanted) in [(3, two), (4, one), (5, two)] {
        assert_eq!(snapshot(&mut server, 9, tx).await, wanted, "tx {tx}");
        let (namespace, name) = (HOME.to_owned(), "a. lee".to_owned());
        let as_of = at::tx(9, tx);
        let request = proto::GetEntityRequest { namespace, name, as_of, limit: 0 };
        let answer = server.graph.get_entity(request).await.expect("an answer").into_inner();
        let entity = answer.entity.expect("an entity");
        let merged = tx == 4;
        assert_eq!(entity.name, if merged { "ann lee" } else { "a. lee" }, "tx {tx}");
        assert_eq!(entity.aliases.len(), usize::from(merged));
        assert_eq!(answer.outgoing.len(), if merged { 2 } else { 1 });
    }
    let already = request(vec![merge("cid", "ann lee"), merge("cid", "bob")]);
    let told = refused(server.facts.transact(already).await);
    assert_eq!(told, (Code::FailedPrecondition, "ALREADY_MERGED".to_owned()));
    verify(&mut server, HOME).await;
    server.stop().await;
}

#[tokio::test]
async fn c05_t27_the_same_fact_again_is_evidence() {
    let mut server = Server::start().await;
    let stated = proto::Trust::Stated;
    let said = |source| said_by(fact("a", "knows", "b", 1, None), source, stated);
    let first = write(&mut server, 1, vec![said("s1")]).await;
    let second = write(&mut server, 2, vec![said("s2")]).await;
    assert_eq!((statuses(&first), statuses(&second)), (vec![Applied], vec![NoChange]));
    assert_eq!(first.outcomes[0].fact_id, second.outcomes[0].fact_id);
    assert_eq!(statistics(&mut server).await.rectangles_live, 1);
    let explained = explain(&mut server, &first.outcomes[0].fact_id, 5, 2).await;
    let sources: Vec<String> = explained.statements.iter().map(source).collect();
    assert_eq!(sources, ["s1", "s2"]);
    server.stop().await;
}

async fn explain(
    server: &mut Server,
    fact_id: &str,
    valid: i64,
    tx: u64,
) -> proto::ExplainFactResponse {
    let (namespace, fact_id) = (HOME.to_owned(), fact_id.to_owned());
    let request = proto::ExplainFactRequest { namespace, fact_id, as_of: at::tx(valid, tx) };
    server.facts.explain_fact(request).await.expect("an answer").into_inner()
}

fn source(statement: &proto::Statement) -> String {
    statement.evidence.as_ref().expect("evidence").source.clone()
}

#[tokio::test]
async fn c06_a_contradiction_never_empties() {
    let mut server = Server::start().await;
    let (january, march, may, now) = (10, 30, 50, 90);
    write(&mut server, 1, vec![op::one("diet"), fact("pau", "diet", "omnivore", january, None)])
        .await;
    write(&mut server, 2, vec![fact("pau", "diet", "vegetarian", may, None)]).await;
    assert_eq!(held(&mut server, at::valid(now)).await, ["pau diet vegetarian"]);
    assert_eq!(held(&mut server, at::valid(march)).await, ["pau diet omnivore"]);
    assert_eq!(timeline(&mut server, "pau", "diet", None).await.len(), 2);
    server.stop().await;
}

#[tokio::test]
async fn t28_a_withdrawn_source_was_never_heard_and_history_is_kept() {
    let mut server = Server::start().await;
    let stated = proto::Trust::Stated;
    write(&mut server, 1, vec![op::one("head"), fact("d1", "head", "f0", 1, None)]).await;
    let f1 = |source| said_by(fact("a", "knows", "b", 1, None), source, stated);
    write(&mut server, 2, vec![f1("s1")]).await;
    write(&mut server, 3, vec![f1("s2")]).await;
    write(&mut server, 4, vec![said_by(fact("d1", "head", "f2", 5, None), "s1", stated)]).await;
    let before = snapshot(&mut server, 9, 4).await;
    assert_eq!(before, ["a knows b", "d1 head f2"]);
    write(&mut server, 5, vec![withdraw("s1")]).await;
    assert_eq!(snapshot(&mut server, 9, 5).await, ["a knows b", "d1 head f0"]);
    assert_eq!(snapshot(&mut server, 9, 4).await, before);
    assert_eq!(timeline(&mut server, "d1", "head", Some(5)).await, ["d1 head f0 [1,-)"]);
    let told = refused(server.facts.transact(request(vec![withdraw("s9")])).await);
    assert_eq!(told, (Code::NotFound, "SOURCE_UNKNOWN".to_owned()));
    verify(&mut server, HOME).await;
    server.stop().await;
}

#[tokio::test]
async fn r29_a_block_stands_until_it_is_overridden() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![fact("a", "knows", "b", 1, None)]).await;
    let triple = op::triple("a", "knows", "b");
    let retract = proto::Retract { triple: triple.clone(), block: true, ..Default::default() };
    write(&mut server, 2, vec![op::of(Kind::Retract(retract))]).await;
    let again = write(&mut server, 3, vec![fact("A", "Knows", "B", 2, 9)]).await;
    assert_eq!(statuses(&again), [Blocked]);
    assert_eq!(held(&mut server, at::valid(5)).await, Vec::<String>::new());
    let from = op::instant(1);
    let assert = proto::Assert { triple, from, r#override: true, ..Default::default() };
    let overridden = write(&mut server, 4, vec![op::of(Kind::Assert(assert))]).await;
    assert_eq!(statuses(&overridden), [Applied]);
    assert_eq!(held(&mut server, at::valid(5)).await, ["a knows b"]);
    server.stop().await;
}

#[tokio::test]
async fn c08_a_correction_is_no_change_and_a_change_is_no_correction() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![op::one("floor"), fact("site", "floor", "three", 10, None)]).await;
    let correct = proto::Correct {
        triple: op::triple("site", "floor", "three"),
        at: op::instant(30),
        new_object: Some(op::entity("four")),
        ..Default::default()
    };
    let corrected = write(&mut server, 2, vec![op::of(Kind::Correct(correct))]).await;
    assert_eq!(statuses(&corrected), [Applied]);
    write(&mut server, 3, vec![op::end("site", "floor", "four", op::instant(60))]).await;
    let supersede = proto::Supersede {
        subject: "site".to_owned(),
        predicate: "floor".to_owned(),
        old_object: Some(op::entity("four")),
        new_object: Some(op::entity("five")),
        at: op::instant(50),
        expect_held: true,
        evidence: None,
    };
    write(&mut server, 4, vec![op::of(Kind::Supersede(supersede.clone()))]).await;
    let cases: [(i64, u64, &[&str]); 6] = [
        (30, 1, &["site floor three"]),
        (30, 4, &["site floor four"]),
        (10, 2, &["site floor four"]),
        (70, 3, &[]),
        (49, 4, &["site floor four"]),
        (50, 4, &["site floor five"]),
    ];
    for (valid, tx, wanted) in cases {
        assert_eq!(snapshot(&mut server, valid, tx).await, wanted, "({valid},{tx})");
    }
    let fact_id = corrected.outcomes[0].fact_id.clone();
    let explained = explain(&mut server, &fact_id, 30, 4).await;
    assert_eq!(words(&explained.visible.expect("it holds")), "site floor four");
    for (tx, taken) in [(2, "site floor three"), (3, "site floor four"), (4, "site floor four")] {
        let opened = |row: &&proto::ExplainedRectangle| {
            row.rectangle.as_ref().is_some_and(|rectangle| rectangle.tx_from == tx)
        };
        let row = explained.rectangles.iter().find(opened).expect("opened there");
        assert_eq!(sorted(&row.supersedes, words), [taken], "tx {tx}");
    }
    let before = statistics(&mut server).await;
    let wrong = proto::Supersede { old_object: Some(op::entity("nine")), ..supersede };
    let told = refused(server.facts.transact(request(vec![op::of(Kind::Supersede(wrong))])).await);
    assert_eq!(told, (Code::FailedPrecondition, "NO_MATCH".to_owned()));
    assert_eq!(statistics(&mut server).await, before);
    server.stop().await;
}

#[tokio::test]
async fn t03_c1_conflicts_hold_both_sides_until_one_is_taken() {
    let mut server = Server::start().await;
    let (stated, unverified) = (proto::Trust::Stated, proto::Trust::Unverified);
    let price =
        |object, source, trust| said_by(fact("p9", "price", object, 5, None), source, trust);
    write(&mut server, 1, vec![op::one("price"), price("ten", "s1", stated)]).await;
    let second = write(&mut server, 2, vec![price("twelve", "s2", stated)]).await;
    assert_eq!((statuses(&second), second.outcomes[0].conflict), (vec![Applied], true));
    let third = write(&mut server, 3, vec![price("one", "web", unverified)]).await;
    assert_eq!(statuses(&third), [Contested]);
    assert_eq!(held(&mut server, at::valid(9)).await, ["p9 price twelve"]);
    let listed = conflicts(&mut server, None, false).await;
    let kinds: Vec<_> = listed.iter().map(proto::Conflict::kind).collect();
    assert_eq!(kinds, [proto::ConflictKind::SameStart, proto::ConflictKind::Contested]);
    let sides = |conflict: &proto::Conflict| {
        let raised = source(conflict.raised_by.as_ref().expect("a side"));
        (raised, conflict.against.iter().map(source).collect::<Vec<_>>())
    };
    assert_eq!(sides(&listed[0]), ("s2".to_owned(), vec!["s1".to_owned()]));
    assert_eq!(sides(&listed[1]), ("web".to_owned(), vec!["s2".to_owned()]));
    let id = third.outcomes[0].statement_id.clone();
    assert_eq!(listed[1].id, id);
    let low = write(&mut server, 4, vec![accept(&id, unverified)]).await;
    assert_eq!(statuses(&low), [Contested]);
    write(&mut server, 5, vec![accept(&id, proto::Trust::Confirmed)]).await;
    assert_eq!(held(&mut server, at::valid(9)).await, ["p9 price one"]);
    assert_eq!(snapshot(&mut server, 9, 4).await, ["p9 price twelve"]);
    let open = conflicts(&mut server, None, false).await;
    assert!(open.iter().all(|conflict| conflict.id != id));
    let all = conflicts(&mut server, None, true).await;
    assert!(all.iter().any(|conflict| conflict.id == id && conflict.tx_to == Some(5)));
    verify(&mut server, HOME).await;
    server.stop().await;
}

#[tokio::test]
async fn a_dry_run_answers_and_writes_nothing() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![op::one("head"), fact("d1", "head", "ann", 1, None)]).await;
    let before = (statistics(&mut server).await, held(&mut server, at::valid(9)).await);
    let operations =
        vec![fact("d1", "head", "new name", 5, None), op::retract("d1", "head", "ann")];
    let request = request(operations);
    let dry =
        proto::TransactRequest { dry_run: true, request_id: "k".to_owned(), ..request.clone() };
    let answer = server.facts.transact(dry).await.expect("an answer").into_inner();
    assert_eq!((answer.tx, statuses(&answer)), (0, vec![Applied, Applied]));
    assert_eq!((statistics(&mut server).await, held(&mut server, at::valid(9)).await), before);
    let wet = proto::TransactRequest { request_id: "k".to_owned(), ..request };
    let written = server.facts.transact(wet).await.expect("the key is free").into_inner();
    assert_eq!((written.tx, written.replayed), (2, false));
    assert_eq!(statuses(&written), statuses(&answer));
    server.stop().await;
}

#[tokio::test]
async fn t4_a_request_is_applied_once_also_over_a_restart() {
    let home = tempfile::tempdir().expect("a place for data");
    let mut server = Server::open(home.path()).await;
    server.create_namespace(HOME).await;
    server.clock.set(1_000);
    let keyed = || {
        let request = request(vec![fact("a", "knows", "b", 1, None), op::retract("x", "p", "y")]);
        proto::TransactRequest { request_id: "k1".to_owned(), ..request }
    };
    let first = server.facts.transact(keyed()).await.expect("a new key").into_inner();
    assert!(!first.replayed);
    let wanted = proto::TransactResponse { replayed: true, ..first };
    let again = server.facts.transact(keyed()).await.expect("the same key").into_inner();
    assert_eq!(again, wanted);
    let before = statistics(&mut server).await;
    server.stop().await;
    let mut server = Server::open(home.path()).await;
    server.clock.set(2_000);
    let again = server.facts.transact(keyed()).await.expect("the same key").into_inner();
    assert_eq!(again, wanted);
    let after = statistics(&mut server).await;
    assert_eq!((after.last_tx, after.rectangles_live), (before.last_tx, before.rectangles_live));
    let other = proto::TransactRequest {
        request_id: "k1".to_owned(),
        ..request(vec![fact("a", "knows", "c", 1, None)])
    };
    let told = refused(server.facts.transact(other).await);
    assert_eq!(told, (Code::FailedPrecondition, "KEY_REUSED".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn t25_c29_namespaces_are_apart_and_only_made_on_purpose() {
    let mut server = Server::start().await;
    let names = ["ab-12_x", "0191a2b3-0000-7000-8000-000000000000", "_", "main"];
    for name in names {
        server.create_namespace(name).await;
        let request = request(vec![fact("ann", "knows", name, 0, None)]);
        let request = proto::TransactRequest { namespace: name.to_owned(), ..request };
        server.facts.transact(request).await.expect("a write");
    }
    for name in names {
        let facts = held_in(&mut server, name, at::valid(5)).await;
        assert_eq!(facts, [format!("ann knows {name}")]);
    }
    assert_eq!(held(&mut server, at::valid(5)).await, Vec::<String>::new());
    let again = proto::CreateNamespaceRequest { name: "MAIN".to_owned(), ..Default::default() };
    let told = refused(server.admin.create_namespace(again.clone()).await);
    assert_eq!(told, (Code::AlreadyExists, "NAMESPACE_EXISTS".to_owned()));
    let allowed = proto::CreateNamespaceRequest { allow_existing: true, ..again };
    let answer = server.admin.create_namespace(allowed).await.expect("it exists").into_inner();
    assert_eq!((answer.created, answer.namespace.expect("it").name), (false, "main".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn a_deleted_namespace_is_gone_and_its_name_starts_empty() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![op::one("head"), fact("d1", "head", "ann", 1, None)]).await;
    let delete = || proto::DeleteNamespaceRequest { name: HOME.to_owned() };
    server.admin.delete_namespace(delete()).await.expect("it goes");
    let unknown = (Code::NotFound, "NAMESPACE_UNKNOWN".to_owned());
    assert_eq!(refused(server.admin.delete_namespace(delete()).await), unknown);
    let list = proto::ListFactsRequest { namespace: HOME.to_owned(), ..Default::default() };
    assert_eq!(refused(server.facts.list_facts(list).await), unknown);
    server.create_namespace(HOME).await;
    let empty = statistics(&mut server).await;
    assert_eq!((empty.transactions, empty.entities, empty.predicates), (0, 0, 0));
    assert_eq!(held(&mut server, at::valid(5)).await, Vec::<String>::new());
    // Nothing of the old declarations is left: `head` holds many again.
    let operations = vec![fact("d1", "head", "x", 1, None), fact("d1", "head", "y", 2, None)];
    assert_eq!(write(&mut server, 2, operations).await.tx, 1);
    assert_eq!(held(&mut server, at::valid(5)).await.len(), 2);
    verify(&mut server, HOME).await;
    let home = server.stop().await.expect("its directory");
    let mut server = Server::open(home.path()).await;
    assert_eq!(held(&mut server, at::valid(5)).await.len(), 2);
    server.stop().await;
}
