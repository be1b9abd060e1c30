//! What a question may ask of its list: filters, profiles, variety, budgets, another order.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;

use tenure::models::{Address, Models, Reranker, RerankerConfig};
use tenure::rpc::proto;
use tenure::rpc::proto::operation::Operation as Kind;

use crate::recall::{question, recall, texts, transact};
use crate::support::{Server, at, op};

fn said(object: &str, evidence: proto::Evidence) -> proto::Operation {
    let operation = op::assert("Hub", "uses", object, op::instant(0), None);
    let Some(Kind::Assert(assert)) = operation.operation else { panic!("an assert") };
    op::of(Kind::Assert(proto::Assert { evidence: Some(evidence), ..assert }))
}

fn by(source: &str, trust: proto::Trust, confidence: f32) -> proto::Evidence {
    proto::Evidence {
        source: source.to_owned(),
        trust: trust.into(),
        confidence: Some(confidence),
        ..Default::default()
    }
}

async fn hub() -> Server {
    let mut server = Server::without_embedder().await;
    let operations = vec![
        said("red pump", by("web", proto::Trust::Unverified, 0.5)),
        said("blue pump", by("mail", proto::Trust::Stated, 0.9)),
        said("green pump", by("register", proto::Trust::SystemOfRecord, 1.0)),
        op::assert("Dock", "owns", "old pump", op::instant(0), None),
    ];
    transact(&mut server, operations).await;
    server
}

fn filtered(filter: proto::RecallFilter) -> proto::RecallRequest {
    proto::RecallRequest { filter: Some(filter), as_of: at::valid(9), ..question("pump") }
}

fn sorted(answer: &proto::RecallResponse) -> Vec<&str> {
    let mut texts = texts(answer);
    texts.sort_unstable();
    texts
}

#[tokio::test]
async fn a_filter_is_met_by_every_hit() {
    let mut server = hub().await;
    let any = proto::RecallFilter::default;
    for (filter, expected) in [
        (
            any(),
            vec![
                "Dock owns old pump",
                "Hub uses blue pump",
                "Hub uses green pump",
                "Hub uses red pump",
            ],
        ),
        (
            proto::RecallFilter { predicates: vec!["owns".to_owned()], ..any() },
            vec!["Dock owns old pump"],
        ),
        (
            proto::RecallFilter { entities: vec!["Dock".to_owned()], ..any() },
            vec!["Dock owns old pump"],
        ),
        (
            proto::RecallFilter { sources: vec!["mail".to_owned()], ..any() },
            vec!["Hub uses blue pump"],
        ),
        (
            proto::RecallFilter { trust_min: proto::Trust::Confirmed.into(), ..any() },
            vec!["Hub uses green pump"],
        ),
        (
            proto::RecallFilter { confidence_min: Some(0.8), ..any() },
            vec!["Hub uses blue pump", "Hub uses green pump"],
        ),
        (proto::RecallFilter { kinds: vec![proto::HitKind::Episode.into()], ..any() }, vec![]),
        (
            proto::RecallFilter { kinds: vec![proto::HitKind::Entity.into()], ..any() },
            vec!["blue pump", "green pump", "old pump", "red pump"],
        ),
    ] {
        let answer = recall(&mut server, filtered(filter.clone())).await;
        assert_eq!(sorted(&answer), expected, "{filter:?}");
    }
}

#[tokio::test]
async fn what_matters_more_comes_first_where_a_profile_says_so() {
    let mut server = Server::without_embedder().await;
    let importance = |share| proto::Evidence { importance: Some(share), ..Default::default() };
    transact(
        &mut server,
        vec![said("pump one", importance(0.1)), said("pump two", importance(0.9))],
    )
    .await;
    let ask = |profile: proto::RecallProfile| proto::RecallRequest {
        profile: profile.into(),
        as_of: at::valid(9),
        ..question("pump")
    };
    for profile in [proto::RecallProfile::Weighted, proto::RecallProfile::GenerativeAgents] {
        let answer = recall(&mut server, ask(profile)).await;
        assert_eq!(texts(&answer), ["Hub uses pump two", "Hub uses pump one"], "{profile:?}");
        let signals: Vec<&str> =
            answer.hits[0].signals.iter().map(|signal| signal.signal.as_str()).collect();
        assert!(signals.contains(&"importance"), "{signals:?}");
        let hit = &answer.hits[0];
        let sum: f32 = hit.legs.iter().map(|leg| leg.share).sum::<f32>()
            + hit.signals.iter().map(|signal| signal.share).sum::<f32>();
        assert!((sum - hit.score).abs() < 1e-5, "the shares make the score: {sum} {}", hit.score);
    }
    let answer = recall(&mut server, ask(proto::RecallProfile::Balanced)).await;
    assert!(answer.hits[0].signals.is_empty());
}

#[tokio::test]
async fn a_budget_a_least_score_and_variety_shorten_and_reorder() {
    let mut server = hub().await;
    let ask = || proto::RecallRequest { as_of: at::valid(9), ..question("pump of the Hub") };
    let all = recall(&mut server, ask()).await;
    let budget = proto::RecallRequest { token_budget: 1, ..ask() };
    let answer = recall(&mut server, budget).await;
    assert_eq!(answer.hits, all.hits[..1], "the first hit is always there");
    assert!(answer.tokens > 1 && answer.left_out > 0);
    let best = proto::RecallRequest { score_min: Some(all.hits[0].score), ..ask() };
    let answer = recall(&mut server, best).await;
    assert!(answer.hits.iter().all(|hit| hit.score >= all.hits[0].score));
    assert!(answer.left_out > 0);
    let varied = proto::RecallRequest { diversity: Some(0.9), ..ask() };
    let answer = recall(&mut server, varied).await;
    assert_eq!(answer.hits[0].text, all.hits[0].text);
    assert_eq!(answer.hits[1].text, "Dock owns old pump", "the one that is unlike the first");
}

/// Ranks the last text first.
fn answer_rerank(listener: &TcpListener) {
    while let Ok((mut stream, _)) = listener.accept() {
        let mut reader = BufReader::new(stream.try_clone().expect("a socket"));
        let (mut length, mut line) = (0, String::new());
        while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
            let lower = line.to_ascii_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            line.clear();
        }
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            continue;
        }
        let body: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
        let count = body["texts"].as_array().map_or(0, Vec::len);
        let ranks: Vec<_> =
            (0..count).map(|index| serde_json::json!({ "index": index, "score": index })).collect();
        let reply = serde_json::Value::from(ranks).to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            reply.len()
        );
        drop(stream.write_all((head + &reply).as_bytes()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cross_encoder_has_the_last_word_and_is_missed_aloud() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || answer_rerank(&listener));
    let address = Address::new(&format!("http://127.0.0.1:{port}")).expect("an address");
    let reranker = Some(Reranker::new(RerankerConfig::new(address)).expect("a client"));
    let home = tempfile::tempdir().expect("a place for data");
    let models = Models { embedder: None, reranker, chat: None };
    let mut server = Server::open_with(home.path(), models).await;
    server.create_namespace("default").await;
    let told = |name| op::assert("Hub", "uses", name, op::instant(0), None);
    transact(&mut server, vec![told("pump"), told("pump and hose"), told("pump, hose and valve")])
        .await;
    let ask = |rerank| proto::RecallRequest { rerank, as_of: at::valid(9), ..question("pump") };
    let plain = recall(&mut server, ask(false)).await;
    let answer = recall(&mut server, ask(true)).await;
    assert_eq!(answer.rerank_skipped, "");
    let mut turned = texts(&plain);
    turned.reverse();
    assert_eq!(texts(&answer), turned);
    server.stop().await;
    let mut server = Server::open_with(home.path(), Models::default()).await;
    let answer = recall(&mut server, ask(true)).await;
    assert_eq!(texts(&answer), texts(&plain));
    assert!(!answer.rerank_skipped.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn only_a_question_about_now_notes_what_it_read() {
    let mut server = Server::without_embedder().await;
    transact(
        &mut server,
        vec![
            op::assert("Hub", "uses", "pump one", op::instant(0), None),
            op::assert("Hub", "uses", "pump two", op::instant(0), None),
        ],
    )
    .await;
    let profile = proto::RecallProfile::GenerativeAgents.into();
    let now = || proto::RecallRequest { profile, ..question("pump") };
    let hour = 3_600_000_000;
    server.clock.set(1_000 * hour);
    // A past basis reads the second one, and notes nothing.
    let past = proto::RecallRequest { as_of: at::valid(5), limit: 1, ..question("two") };
    recall(&mut server, past).await;
    let access = |answer: &proto::RecallResponse| -> Vec<f32> {
        let signals = answer.hits.iter().flat_map(|hit| &hit.signals);
        signals.filter(|signal| signal.signal == "access").map(|signal| signal.value).collect()
    };
    let before = access(&recall(&mut server, now()).await);
    assert!(before.iter().all(|value| *value < 0.01), "nothing was read for a thousand hours");
    server.clock.set(1_001 * hour);
    let after = access(&recall(&mut server, now()).await);
    assert!(after.iter().all(|value| *value > 0.9), "both were read an hour ago: {after:?}");
}
