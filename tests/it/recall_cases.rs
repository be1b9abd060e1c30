//! Cases of recall that break other products.

use tenure::rpc::proto;
use tenure::rpc::proto::operation::Operation as Kind;

use crate::recall::{question, recall, tell, texts, transact};
use crate::support::{Server, at, op, reason};

/// An assert that brings its vector along.
pub(crate) fn with_vector(operation: proto::Operation, numbers: &[f32]) -> proto::Operation {
    let Some(Kind::Assert(assert)) = operation.operation else { panic!("an assert") };
    let vector = Some(proto::Vector { numbers: numbers.to_vec(), ..Default::default() });
    let evidence = Some(proto::Evidence { vector, ..Default::default() });
    op::of(Kind::Assert(proto::Assert { evidence, ..assert }))
}

fn vector(numbers: &[f32]) -> Option<proto::Vector> {
    Some(proto::Vector { numbers: numbers.to_vec(), ..Default::default() })
}

fn objects(answer: &proto::RecallResponse) -> Vec<String> {
    let facts = answer.hits.iter().filter_map(|hit| hit.fact.as_ref());
    let objects = facts.filter_map(|fact| fact.object.as_ref()?.object.as_ref());
    objects
        .map(|object| match object {
            proto::object::Object::Entity(name) => name.clone(),
            proto::object::Object::Value(value) => format!("{value:?}"),
        })
        .collect()
}

/// T18. A thousand nearer facts that have ended do not starve three that hold: in every leg.
#[tokio::test]
async fn what_has_ended_takes_no_place_in_the_list() {
    let mut server = Server::without_embedder().await;
    let (past, today) = (op::instant(10), op::instant(20));
    let mut operations = Vec::new();
    for n in 0..1_000 {
        let ended =
            op::assert("Hub", "uses", &format!("old part {n}"), op::instant(1), past.clone());
        operations.push(with_vector(ended, &[1.0, 0.0, 0.0, 0.001]));
    }
    for n in 0..3 {
        let holds = op::assert("Hub", "uses", &format!("part {n}"), today.clone(), None);
        operations.push(with_vector(holds, &[1.0, 1.0, 0.0, 0.0]));
    }
    transact(&mut server, operations).await;
    for legs in [vec![], vec![1], vec![2], vec![3]] {
        let request = proto::RecallRequest {
            as_of: at::valid(30),
            vector: vector(&[1.0, 0.0, 0.0, 0.0]),
            legs: legs.clone(),
            limit: 3,
            ..question("part of Hub")
        };
        let answer = recall(&mut server, request).await;
        let mut found = objects(&answer);
        found.sort();
        assert_eq!(found, ["part 0", "part 1", "part 2"], "{legs:?} {:?}", answer.legs);
    }
}

/// T19. Thirty closed versions of a slot and an open one: the open one, or all in order.
#[tokio::test]
async fn closed_versions_do_not_crowd_out_the_open_one() {
    let mut server = Server::start().await;
    let mut operations = vec![op::one("price")];
    for n in 0..31 {
        let name = format!("price list {n}");
        operations.push(op::assert("Deck", "price", &name, op::instant(n * 10), None));
    }
    for operation in operations {
        transact(&mut server, vec![operation]).await;
    }
    let current =
        proto::RecallRequest { as_of: at::valid(1_000), limit: 5, ..question("price of Deck") };
    let answer = recall(&mut server, current.clone()).await;
    assert_eq!(objects(&answer), ["price list 30"]);
    let mode = proto::RecallMode::History.into();
    let answer = recall(&mut server, proto::RecallRequest { mode, limit: 50, ..current }).await;
    let all: Vec<String> = (0..31).map(|n| format!("price list {n}")).collect();
    assert_eq!(objects(&answer), all);
}

/// T20. One text, two periods: history has both.
#[tokio::test]
async fn one_fact_of_two_periods_comes_twice_in_history() {
    let mut server = Server::start().await;
    let period = |from, to| {
        op::assert("unit-7", "assigned_to", "depot north", op::instant(from), op::instant(to))
    };
    transact(&mut server, vec![period(10, 20)]).await;
    transact(&mut server, vec![period(40, 50)]).await;
    let mode = proto::RecallMode::History.into();
    let request =
        proto::RecallRequest { mode, as_of: at::valid(100), ..question("unit-7 depot north") };
    let answer = recall(&mut server, request).await;
    let starts: Vec<i64> = answer
        .hits
        .iter()
        .filter_map(|hit| hit.fact.as_ref()?.valid_from.map(|from| from.unix_micros))
        .collect();
    assert_eq!(starts, [10, 40]);
    let answer = recall(
        &mut server,
        proto::RecallRequest { as_of: at::valid(30), ..question("unit-7 depot north") },
    )
    .await;
    assert!(answer.hits.is_empty(), "{:?}", texts(&answer));
}

/// T21 and the bad input that gets an answer: nothing in a question is syntax.
#[tokio::test]
async fn hostile_text_is_only_text() {
    let mut server = Server::start().await;
    let plain = "it's field:x and C++ / GB/s, a (note) about `code` and \"quotes\"";
    tell(&mut server, &[plain, "something else entirely"]).await;
    let long = "word ".repeat(2_000);
    let many: Vec<String> = (0..200).map(|n| format!("w{n}")).collect();
    let many = many.join(" ") + " quotes";
    for query in [
        "\"",
        "(",
        "a AND",
        "field:x",
        "*",
        "~",
        "\\",
        "_",
        "`code`",
        "it's",
        "C++ / GB/s",
        "+note -else",
        "note^9",
        "[a TO z]",
        "note~2",
        "\u{0}\u{1}\u{7}",
        "\u{1f600}\u{1f680}",
        "\u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{200f}\u{202e}",
        &long,
        &many,
    ] {
        let answer = recall(&mut server, question(query)).await;
        let text = answer.legs.iter().find(|leg| leg.leg() == proto::Leg::Text).expect("told");
        let took_part = text.status() == proto::LegStatus::Searched;
        assert!(took_part || !text.detail.is_empty(), "{query:?}: {text:?}");
    }
    for query in ["field:x", "C++ / GB/s", "`code`", "(note)", &many] {
        let legs = vec![proto::Leg::Text.into()];
        let answer = recall(&mut server, proto::RecallRequest { legs, ..question(query) }).await;
        assert_eq!(texts(&answer).first(), Some(&plain), "{query:?}");
    }
    let answer = recall(&mut server, question("the of a")).await;
    let text = answer.legs.iter().find(|leg| leg.leg() == proto::Leg::Text).expect("told");
    assert_eq!((text.status(), text.reason.as_str()), (proto::LegStatus::Skipped, "NO_WORDS"));
    let over = "x".repeat(16 * 1_024 + 1);
    let status = server.memory.recall(question(&over)).await.expect_err("refused");
    assert_eq!(reason(&status), "STRING_TOO_LONG");
}

/// T22. Scripts, by words alone.
#[tokio::test]
async fn every_script_is_found_by_its_words() {
    let mut server = Server::without_embedder().await;
    let warehouse =
        "\u{65b0}\u{3057}\u{3044}\u{5009}\u{5eab}\u{306f}\u{6a2a}\u{6d5c}\u{306b}\u{3042}\u{308b}";
    let texts_kept = [
        warehouse,
        "\u{ac15}\u{b0a8}\u{c5d0} \u{cc3d}\u{ace0}\u{b97c} \u{c5f4}\u{c5c8}\u{b2e4}",
        "the beam is 3 \u{c5}ngstr\u{f6}m wide",
        "the caf\u{e9} is open",
        "\u{41c}\u{43e}\u{441}\u{43a}\u{432}\u{430} \u{431}\u{43e}\u{43b}\u{44c}\u{448}\u{430}\u{44f}",
    ];
    tell(&mut server, &texts_kept).await;
    for (query, place) in [
        ("\u{5009}\u{5eab}", 0),
        ("\u{cc3d}\u{ace0}", 1),
        ("\u{cc3d}\u{ace0}\u{b294}", 1),
        ("angstrom", 2),
        ("cafe\u{301}", 3),
        ("\u{41c}\u{41e}\u{421}\u{41a}\u{412}\u{410}", 4),
    ] {
        let answer = recall(&mut server, question(query)).await;
        assert_eq!(texts(&answer).first(), Some(&texts_kept[place]), "{query}");
    }
}

/// T29. A vector of another size, NaN and zero are refused, the batch changes nothing, and searches
/// go on.
#[tokio::test]
async fn vectors_that_do_not_fit_are_refused_with_both_numbers() {
    let mut server = Server::without_embedder().await;
    let good = |name: &str| op::assert("Hub", "uses", name, op::instant(0), None);
    transact(&mut server, vec![with_vector(good("first"), &[1.0, 0.0, 0.0, 0.0])]).await;
    for (numbers, expected) in [
        (vec![1.0, 0.0, 0.0], "VECTOR_MISMATCH"),
        (vec![1.0, f32::NAN, 0.0, 0.0], "NUMBER_INVALID"),
        (vec![1.0, f32::INFINITY, 0.0, 0.0], "NUMBER_INVALID"),
        (vec![0.0; 4], "NUMBER_INVALID"),
    ] {
        let operations = vec![good("second"), with_vector(good("third"), &numbers)];
        let namespace = "default".to_owned();
        let request = proto::TransactRequest { namespace, operations, ..Default::default() };
        let status = server.facts.transact(request).await.expect_err("refused");
        assert_eq!(reason(&status), expected, "{numbers:?}");
        if expected == "VECTOR_MISMATCH" {
            assert!(status.message().contains('3') && status.message().contains('4'), "{status:?}");
        }
    }
    let request = proto::RecallRequest {
        vector: vector(&[1.0, 0.1, 0.0, 0.0]),
        as_of: at::valid(9),
        ..question("")
    };
    let answer = recall(&mut server, request.clone()).await;
    assert_eq!(objects(&answer), ["first"]);
    let request = proto::RecallRequest { vector: vector(&[1.0, 0.0]), ..request };
    let status = server.memory.recall(request).await.expect_err("refused");
    assert_eq!(reason(&status), "VECTOR_MISMATCH");
}

/// A space is made with the first vector that is taken, not with one that is refused or only tried.
#[tokio::test]
async fn a_request_that_writes_nothing_makes_no_space() {
    let mut server = Server::without_embedder().await;
    let good = with_vector(op::assert("Hub", "uses", "pump", op::instant(0), None), &[1.0, 0.0]);
    let bad = op::assert("Hub", "uses", "hose", op::instant(5), op::instant(4));
    let request = |operations, dry_run| proto::TransactRequest {
        namespace: "default".to_owned(),
        operations,
        dry_run,
        ..Default::default()
    };
    server.facts.transact(request(vec![good.clone()], true)).await.expect("tried");
    server
        .facts
        .transact(request(vec![good.clone(), op::one("uses"), bad], false))
        .await
        .expect_err("refused");
    let unknown = op::of(Kind::Unmerge(proto::Unmerge { duplicate: "nobody".to_owned() }));
    server.facts.transact(request(vec![good, unknown], false)).await.expect_err("refused");
    let asked = proto::GetStatisticsRequest { namespace: "default".to_owned() };
    let counted = server.admin.get_statistics(asked).await.expect("counted").into_inner();
    assert_eq!(counted.embedding, None);
    let other =
        with_vector(op::assert("Hub", "uses", "pump", op::instant(0), None), &[1.0, 0.0, 0.0]);
    transact(&mut server, vec![other]).await;
}

/// C17. An identifier is found among ten thousand passages that have nothing to do with it.
#[tokio::test]
async fn an_identifier_is_found_whole() {
    let mut server = Server::start().await;
    let ticket = "ticket QX-40217 closed by Ruo";
    let mut passages: Vec<String> = (0..10_000)
        .map(|n| format!("note {n} about the harbour and the weather of day {n}"))
        .collect();
    passages.push(ticket.to_owned());
    for passages in passages.chunks(2_000) {
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        tell(&mut server, &passages).await;
    }
    server.clock.set(1_000);
    let answer = recall(&mut server, question("QX-40217")).await;
    assert_eq!(texts(&answer).first(), Some(&ticket));
}

/// C19. Sixty ended facts of one thing do not crowd out its five current ones.
#[tokio::test]
async fn five_current_facts_fill_a_list_of_five() {
    let mut server = Server::start().await;
    let mut operations = Vec::new();
    for n in 0..60 {
        let name = format!("crew member {n}");
        operations.push(op::assert("Deck-9", "crewed_by", &name, op::instant(1), op::instant(2)));
    }
    for n in 60..65 {
        let name = format!("crew member {n}");
        operations.push(op::assert("Deck-9", "crewed_by", &name, op::instant(1), None));
    }
    transact(&mut server, operations).await;
    let request = proto::RecallRequest {
        limit: 5,
        as_of: at::valid(100),
        ..question("who is the crew of Deck-9")
    };
    let answer = recall(&mut server, request).await;
    let mut found = objects(&answer);
    found.sort();
    let expected: Vec<String> = (60..65).map(|n| format!("crew member {n}")).collect();
    assert_eq!(found, expected);
}

/// What was said at a transaction is found at that basis and not before it, also after a correction.
#[tokio::test]
async fn a_past_basis_finds_what_was_believed_then() {
    let mut server = Server::start().await;
    let first = transact(
        &mut server,
        vec![op::one("floor"), op::assert("Site-7", "floor", "third floor", op::instant(0), None)],
    )
    .await;
    let correct = proto::Correct {
        triple: op::triple("Site-7", "floor", "third floor"),
        at: op::instant(5),
        new_object: Some(op::entity("fourth floor")),
        ..Default::default()
    };
    transact(&mut server, vec![op::of(Kind::Correct(correct))]).await;
    let ask = |tx| proto::RecallRequest { as_of: at::tx(5, tx), ..question("floor of Site-7") };
    assert_eq!(objects(&recall(&mut server, ask(first.tx)).await), ["third floor"]);
    assert_eq!(objects(&recall(&mut server, ask(first.tx + 1)).await), ["fourth floor"]);
    assert!(recall(&mut server, ask(0)).await.hits.is_empty());
    let again = recall(&mut server, ask(first.tx)).await;
    let repeated = proto::RecallRequest {
        as_of: at::tx(5, again.basis.expect("echoed").tx),
        ..question("floor of Site-7")
    };
    assert_eq!(recall(&mut server, repeated).await, again);
}

/// A sentence is evidence of its fact: it is found while the fact holds, and goes with its source.
#[tokio::test]
async fn a_sentence_is_found_while_its_fact_holds() {
    let mut server = Server::start().await;
    let Some(Kind::Assert(assert)) =
        op::assert("Ann", "works_at", "Acme", op::instant(0), op::instant(50)).operation
    else {
        panic!("an assert")
    };
    let evidence = Some(proto::Evidence {
        source: "newsletter".to_owned(),
        statement: "our zebra keeper joined in spring".to_owned(),
        ..Default::default()
    });
    let stated =
        transact(&mut server, vec![op::of(Kind::Assert(proto::Assert { evidence, ..assert }))])
            .await;
    let ask = |valid, tx| proto::RecallRequest { as_of: at::tx(valid, tx), ..question("zebra") };
    let answer = recall(&mut server, ask(10, stated.tx)).await;
    assert_eq!(objects(&answer), ["Acme"]);
    assert_eq!(texts(&answer), ["our zebra keeper joined in spring"]);
    assert_eq!(answer.hits[0].sources[0].evidence.as_ref().expect("told").source, "newsletter");
    let ended = proto::RecallRequest { legs: vec![proto::Leg::Text.into()], ..ask(60, stated.tx) };
    assert!(recall(&mut server, ended).await.hits.is_empty());
    let withdraw = proto::WithdrawSource { source: "newsletter".to_owned() };
    let withdrawn = transact(&mut server, vec![op::of(Kind::WithdrawSource(withdraw))]).await;
    assert!(recall(&mut server, ask(10, withdrawn.tx)).await.hits.is_empty());
    assert_eq!(objects(&recall(&mut server, ask(10, stated.tx)).await), ["Acme"]);
}
