//! Recall over the wire: what is found, as of when, and why.

use tenure::rpc::proto;

use crate::support::{Server, at, op, reason};

pub(crate) async fn transact(
    server: &mut Server,
    operations: Vec<proto::Operation>,
) -> proto::TransactResponse {
    let request = proto::TransactRequest {
        namespace: "default".to_owned(),
        operations,
        ..Default::default()
    };
    server.facts.transact(request).await.expect("taken").into_inner()
}

pub(crate) async fn tell(server: &mut Server, texts: &[&str]) -> proto::AddEpisodesResponse {
    let episodes = texts
        .iter()
        .map(|text| proto::AddEpisode { text: (*text).to_owned(), ..Default::default() })
        .collect();
    let namespace = "default".to_owned();
    let request = proto::AddEpisodesRequest { namespace, episodes, ..Default::default() };
    server.memory.add_episodes(request).await.expect("kept").into_inner()
}

pub(crate) fn question(query: &str) -> proto::RecallRequest {
    let (namespace, query) = ("default".to_owned(), query.to_owned());
    proto::RecallRequest { namespace, query, ..Default::default() }
}

pub(crate) async fn recall(
    server: &mut Server,
    request: proto::RecallRequest,
) -> proto::RecallResponse {
    server.memory.recall(request).await.expect("an answer").into_inner()
}

pub(crate) fn texts(answer: &proto::RecallResponse) -> Vec<&str> {
    answer.hits.iter().map(|hit| hit.text.as_str()).collect()
}

/// C22. What was acknowledged is found by the next question.
#[tokio::test]
async fn a_write_is_found_at_once() {
    let mut server = Server::start().await;
    for n in 0..50 {
        let name = format!("person{n}");
        transact(&mut server, vec![op::assert(&name, "works_at", "Acme", op::instant(0), None)])
            .await;
        let answer = recall(&mut server, question(&name)).await;
        let first = texts(&answer).first().copied();
        assert_eq!(first, Some(format!("{name} works at Acme").as_str()), "{answer:#?}");
        assert!(answer.legs.iter().all(|leg| leg.behind == 0), "{:?}", answer.legs);
    }
}

/// C32. A question in words leads along two facts to a person, as of today and as of April.
#[tokio::test]
async fn who_to_talk_to_about_checkout() {
    let mut server = Server::start().await;
    let from = |text| op::date(text);
    let service = "\u{ccb4}\u{d06c}\u{c544}\u{c6c3} \u{c11c}\u{be44}\u{c2a4}";
    transact(
        &mut server,
        vec![
            op::one("managed_by"),
            op::assert("Payments", "managed_by", "Alice", from("2025-01-01"), None),
            op::assert("Payments", "owns", service, from("2025-01-01"), None),
            op::assert("Search", "managed_by", "Bob", from("2025-01-01"), None),
            op::assert("Search", "owns", "Index", from("2025-01-01"), None),
        ],
    )
    .await;
    transact(
        &mut server,
        vec![op::assert("Payments", "managed_by", "Dana", from("2025-05-01"), None)],
    )
    .await;
    // 1 June and 15 April 2025.
    for (valid, person) in [(1_748_736_000, "Dana"), (1_744_675_200, "Alice")] {
        let query = "\u{ccb4}\u{d06c}\u{c544}\u{c6c3} \u{bc84}\u{adf8}\u{b294} \u{b204}\u{ad6c}\u{c5d0}\u{ac8c}?";
        let as_of = at::valid(valid * 1_000_000);
        let answer = recall(&mut server, proto::RecallRequest { as_of, ..question(query) }).await;
        let found = answer.hits.iter().find(|hit| hit.text.contains(person));
        let found = found.unwrap_or_else(|| panic!("{person} is not among {:#?}", texts(&answer)));
        let path: Vec<i32> = found.path.iter().map(|step| step.hop).collect();
        assert_eq!(path, [1, 2], "{:?}", answer.seeds);
        let others = ["Alice", "Dana"].into_iter().filter(|other| *other != person);
        for other in others {
            assert!(!texts(&answer).iter().any(|text| text.contains(other)), "{other}");
        }
    }
}

#[tokio::test]
async fn a_question_must_ask_something_and_name_what_there_is() {
    let mut server = Server::start().await;
    let bad = |request: proto::RecallRequest| request;
    let cases = [
        (bad(question("")), "MISSING_FIELD"),
        (bad(proto::RecallRequest { limit: 1_001, ..question("a") }), "LIMIT_EXCEEDED"),
        (bad(proto::RecallRequest { limit: -1, ..question("a") }), "LIMIT_EXCEEDED"),
        (bad(proto::RecallRequest { profile: 9, ..question("a") }), "MALFORMED_FIELD"),
        (bad(proto::RecallRequest { hops: 4, ..question("a") }), "LIMIT_EXCEEDED"),
        (bad(proto::RecallRequest { token_budget: 1_000_001, ..question("a") }), "LIMIT_EXCEEDED"),
        (bad(proto::RecallRequest { score_min: Some(1.5), ..question("a") }), "NUMBER_INVALID"),
        (
            bad(proto::RecallRequest { seeds: vec!["a".to_owned(); 65], ..question("a") }),
            "LIMIT_EXCEEDED",
        ),
        (
            bad(proto::RecallRequest { seeds: vec!["Nobody".to_owned()], ..question("a") }),
            "ENTITY_UNKNOWN",
        ),
        (
            bad(proto::RecallRequest {
                filter: Some(proto::RecallFilter {
                    predicates: vec!["never".to_owned()],
                    ..Default::default()
                }),
                ..question("a")
            }),
            "PREDICATE_UNKNOWN",
        ),
        (
            bad(proto::RecallRequest {
                vector: Some(proto::Vector { numbers: vec![f32::NAN], ..Default::default() }),
                ..question("")
            }),
            "NUMBER_INVALID",
        ),
    ];
    for (request, expected) in cases {
        let status = server.memory.recall(request.clone()).await.expect_err("refused");
        assert_eq!(reason(&status), expected, "{request:?}");
    }
}

/// C15, by words alone.
#[tokio::test]
async fn korean_is_found_with_and_without_particles() {
    let mut server = Server::start().await;
    let deploy = "\u{bc30}\u{d3ec}\u{b294} \u{baa9}\u{c694}\u{c77c} \u{bc24}\u{c5d0} \u{c9c4}\u{d589}\u{d55c}\u{b2e4}";
    let notes = "\u{b178}\u{c158}\u{c5d0} \u{d68c}\u{c758}\u{b85d}\u{c744} \u{b454}\u{b2e4}";
    tell(&mut server, &[deploy, notes]).await;
    for (query, expected) in [
        ("\u{bc30}\u{d3ec}", deploy),
        ("\u{b178}\u{c158}", notes),
        ("\u{baa9}\u{c694}\u{c77c} \u{bc30}\u{d3ec}", deploy),
    ] {
        let legs = vec![proto::Leg::Text.into()];
        let answer = recall(&mut server, proto::RecallRequest { legs, ..question(query) }).await;
        assert_eq!(texts(&answer).first(), Some(&expected), "{query}");
    }
}
