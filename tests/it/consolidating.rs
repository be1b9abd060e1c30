//! A chat model judges texts that are like what is there, and reads what a session leaves behind.

use std::sync::mpsc::channel;
use std::time::Duration;

use serde_json::json;

use tenure::engine::Clock;
use tenure::rpc::proto;

use crate::ask::HOME;
use crate::chat::{budget, episode, key, open, retract_episode, spent, start};
use crate::player::{claim, reply, said};
use crate::stub::{Answer, Stub};
use crate::support::Server;

const OLD: &str = "The nightly backup of the shop runs on the second disk of the old server.";
const NEW: &str =
    "On the second disk of the old server of the warehouse runs the nightly backup of the shop.";
const BOTH: &str =
    "The nightly backup of the shop runs on the second disk of the old server of the warehouse.";
const BESIDE: &str =
    "The nightly backup of the shop runs on the third disk of the old server of the market.";

fn later(server: &Server) {
    let now = server.clock.now().micros();
    server.clock.set(now + 10);
}

async fn remember(server: &mut Server, text: &str) -> proto::Promotion {
    later(server);
    let item = proto::Memory { text: text.to_owned(), ..Default::default() };
    let request = proto::RememberRequest {
        namespace: HOME.to_owned(),
        items: vec![item],
        ..Default::default()
    };
    let answer = server.memory.remember(request).await.expect("remembered").into_inner();
    answer.promotions.into_iter().next().expect("a sentence")
}

/// The texts that are kept, as they are believed now or were by a transaction.
async fn notes(server: &mut Server, known: Option<u64>) -> Vec<String> {
    later(server);
    let point = |tx| proto::TransactionPoint {
        point: Some(proto::transaction_point::Point::Tx(tx)),
        ..Default::default()
    };
    let request = proto::ListEpisodesRequest {
        namespace: HOME.to_owned(),
        kinds: vec![proto::EpisodeKind::Note.into()],
        as_of: Some(proto::AsOf { valid: None, known: known.map(point) }),
        ..Default::default()
    };
    let listed = server.memory.list_episodes(request).await.expect("episodes").into_inner();
    let mut texts: Vec<String> = listed.episodes.into_iter().map(|episode| episode.text).collect();
    texts.sort();
    texts
}

fn nothing_read() -> Answer {
    said(&json!({"claims": []}))
}

fn verdict(word: &str, existing: &str, text: &str) -> Answer {
    said(&json!({"verdict": word, "existing": existing, "text": text, "why": "so"}))
}

/// The model reads no fact in the next text, and says this of what it is like.
fn next(stub: &Stub, judged: Answer) {
    stub.next(nothing_read());
    stub.next(judged);
}

#[tokio::test]
async fn what_completes_a_text_takes_its_place_and_what_says_it_again_confirms_it() {
    let stub = Stub::start([]);
    let (mut server, _home) = start(&stub).await;
    let old = remember(&mut server, OLD).await.episode_id;
    assert_eq!(spent(&mut server, proto::ModelPurpose::Judge).await.0, 0, "it is like nothing");

    next(&stub, verdict("DISCARD", &old, ""));
    let again = remember(&mut server, NEW).await;
    assert_eq!(again.verdict(), proto::GateVerdict::Reinforced, "{again:?}");
    assert_eq!((again.existing_id.as_str(), again.episode_id.as_str()), (old.as_str(), ""));
    assert!(again.cosine.is_some_and(|cosine| (0.8..0.92).contains(&cosine)), "{again:?}");
    assert_eq!(notes(&mut server, None).await, [OLD]);

    next(&stub, verdict("MERGE", &old, BOTH));
    let one = remember(&mut server, NEW).await;
    assert_eq!(one.verdict(), proto::GateVerdict::Merged);
    assert_eq!((one.existing_id.as_str(), one.reason.as_str()), (old.as_str(), ""));
    assert_eq!(notes(&mut server, None).await, [BOTH]);
    let kept = episode(&mut server, &one.episode_id).await.expect("the one in the place of both");
    assert_eq!(kept.trust(), proto::Trust::Stated, "somebody said each word of it");
    assert!(!kept.grounds_gone);
    let before = kept.tx_from - 1;
    assert_eq!(notes(&mut server, Some(before)).await, [OLD], "what was believed then stays");

    next(&stub, verdict("KEEP", "", ""));
    let beside = remember(&mut server, BESIDE).await;
    assert_eq!((beside.verdict(), beside.reason.as_str()), (proto::GateVerdict::Stored, ""));
    assert_eq!(notes(&mut server, None).await.len(), 2);
    let (calls, failures, tokens) = spent(&mut server, proto::ModelPurpose::Judge).await;
    assert_eq!((calls, failures, tokens), (3, 0, 126));
    server.stop().await;
}

#[tokio::test]
async fn without_a_verdict_to_believe_a_text_is_kept_and_the_reply_says_why() {
    let stub = Stub::start([]);
    let home = tempfile::tempdir().expect("a place for data");
    let mut server = open(home.path(), &stub, Duration::from_millis(300)).await;
    server.create_namespace(HOME).await;
    let old = remember(&mut server, OLD).await.episode_id;
    let cases = [
        (verdict("MERGE", "1:0", BOTH), "UNFOUNDED"),
        (verdict("MERGE", &old, ""), "UNFOUNDED"),
        (verdict("MERGE", &old, "The backup never runs."), "UNFOUNDED"),
        (said(&"{\"verdict\": \"MERGE\", \"exis"), "UNREADABLE"),
        (Answer::ok(&reply("{\"verdict\"", "length")), "CUT"),
        (said(&json!({"verdict": "FORGET", "existing": old, "text": "", "why": ""})), "UNREADABLE"),
        (Answer::status(401), "REFUSED"),
        (Answer::Close, "BROKEN"),
        (Answer::Hang, "TIMED_OUT"),
    ];
    for (answer, why) in cases {
        next(&stub, answer);
        let kept = remember(&mut server, NEW).await;
        assert_eq!((kept.verdict(), kept.reason.as_str()), (proto::GateVerdict::Stored, why));
        assert_eq!(notes(&mut server, None).await, [NEW, OLD], "{why}");
        retract_episode(&mut server, &kept.episode_id).await;
    }
    budget(&mut server, proto::ModelPurpose::Judge, 1).await;
    let asked = stub.requests();
    let over = remember(&mut server, NEW).await;
    assert_eq!((over.verdict(), over.reason.as_str()), (proto::GateVerdict::Stored, "OVER_BUDGET"));
    assert_eq!(stub.requests(), asked + 1, "only facts were looked for");
    server.stop().await;
}

/// What was taken back while the model thought neither comes back in another text, nor is confirmed
/// and takes the new one along.
#[tokio::test]
async fn a_text_that_was_retracted_meanwhile_is_neither_merged_nor_confirmed() {
    for (word, text) in [("MERGE", BOTH), ("DISCARD", "")] {
        retracted_meanwhile(word, text).await;
    }
}

async fn retracted_meanwhile(word: &str, text: &str) {
    let stub = Stub::start([]);
    let (mut server, _home) = start(&stub).await;
    let old = remember(&mut server, OLD).await.episode_id;
    let (go, wait) = channel();
    next(&stub, Answer::Held(wait, Box::new(verdict(word, &old, text))));
    let asked = stub.requests();
    later(&server);
    let mut memory = server.memory.clone();
    let request = proto::RememberRequest {
        namespace: HOME.to_owned(),
        items: vec![proto::Memory { text: NEW.to_owned(), ..Default::default() }],
        ..Default::default()
    };
    let remembering = tokio::spawn(async move { memory.remember(request).await });
    while stub.requests() < asked + 2 {
        assert!(!remembering.is_finished(), "it asks for a verdict");
        tokio::task::yield_now().await;
    }
    retract_episode(&mut server, &old).await;
    go.send(()).expect("the model waits");
    let answer = remembering.await.expect("it ends").expect("remembered").into_inner();
    let kept = &answer.promotions[0];
    assert_eq!((kept.verdict(), kept.reason.as_str()), (proto::GateVerdict::Stored, "OVERTAKEN"));
    assert_eq!(notes(&mut server, None).await, [NEW], "nothing was lost and nothing came back");
    server.stop().await;
}

#[tokio::test]
async fn only_texts_of_one_kind_and_trust_become_one() {
    let stub = Stub::start([]);
    let (mut server, _home) = start(&stub).await;
    for (source, trust) in [("wiki", proto::Trust::Stated), ("", proto::Trust::Confirmed)] {
        later(&server);
        let added = proto::AddEpisode {
            kind: proto::EpisodeKind::Note.into(),
            text: format!("{OLD} {source}"),
            source: source.to_owned(),
            trust: trust.into(),
            ..Default::default()
        };
        let (namespace, episodes) = (HOME.to_owned(), vec![added]);
        let request = proto::AddEpisodesRequest { namespace, episodes, ..Default::default() };
        server.memory.add_episodes(request).await.expect("kept");
    }
    let text =
        "The nightly backup of the shop runs on the second disk of the old house by the market.";
    let kept = remember(&mut server, text).await;
    assert_eq!((kept.verdict(), kept.reason.as_str()), (proto::GateVerdict::Stored, ""));
    assert_eq!(spent(&mut server, proto::ModelPurpose::Judge).await.0, 0, "nobody is asked");
    server.stop().await;
}

async fn append(server: &mut Server, session: &str, text: &str) {
    later(server);
    let (role, content) = ("user".to_owned(), text.to_owned());
    let request = proto::AppendTurnsRequest {
        namespace: HOME.to_owned(),
        key: key(session),
        turns: vec![proto::Turn { role, content, ..Default::default() }],
        ..Default::default()
    };
    server.memory.append_turns(request).await.expect("appended");
}

async fn end(server: &mut Server, session: &str) -> proto::EndSessionResponse {
    later(server);
    let request = proto::EndSessionRequest { namespace: HOME.to_owned(), key: key(session) };
    server.memory.end_session(request).await.expect("ended").into_inner()
}

const UNREAD: &str = "Mina packed her things and calls the coast her home now.";

/// Summary and claims, in the order in which an end asks.
fn at_the_end(stub: &Stub, claims: Answer) {
    stub.next(said(&json!({"summary": "Mina moved."})));
    stub.next(claims);
}

#[tokio::test]
async fn what_a_session_leaves_behind_is_read_by_the_model_once() {
    let stub = Stub::start([]);
    let (mut server, _home) = start(&stub).await;
    append(&mut server, "monday", "My manager is Lee.").await;
    append(&mut server, "monday", UNREAD).await;
    at_the_end(&stub, said(&json!({"claims": [claim("0", "calls the coast her home")]})));
    let ended = end(&mut server, "monday").await;
    assert_eq!(ended.extract_skipped, "");
    let facts: Vec<_> = ended.promotions.iter().map(|promotion| promotion.fact_ids.len()).collect();
    assert_eq!(facts, [1, 1], "what a rule reads, and what the model does: {ended:?}");
    let turns = stub.look(|requests| crate::player::data(&requests[1]));
    assert_eq!(turns.as_array().map(Vec::len), Some(1), "what rules read is not sent: {turns}");
    let asked = stub.requests();
    let again = end(&mut server, "monday").await;
    assert!(again.replayed && stub.requests() == asked);

    for (answer, why) in [
        (said(&"{\"claims\": [{\"turn\""), "UNREADABLE"),
        (said(&json!({"claims": [claim("0", "Mina flew to Mars.")]})), "UNFOUNDED"),
        (Answer::Close, "BROKEN"),
    ] {
        append(&mut server, why, UNREAD).await;
        at_the_end(&stub, answer);
        let ended = end(&mut server, why).await;
        assert_eq!(ended.extract_skipped, why);
        assert_eq!(ended.promotions[0].reason, "NOTHING", "the turn stays as it is");
    }
    budget(&mut server, proto::ModelPurpose::Extract, 1).await;
    append(&mut server, "over", UNREAD).await;
    stub.next(said(&json!({"summary": "Mina moved."})));
    assert_eq!(end(&mut server, "over").await.extract_skipped, "OVER_BUDGET");
    server.stop().await;
}

/// A turn that comes while the model reads is not lost, and is not held up.
#[tokio::test]
async fn a_model_that_reads_a_session_holds_up_nobody() {
    let stub = Stub::start([]);
    let (mut server, _home) = start(&stub).await;
    append(&mut server, "monday", UNREAD).await;
    let (go, wait) = channel();
    let claims = said(&json!({"claims": [claim("0", "calls the coast her home")]}));
    at_the_end(&stub, Answer::Held(wait, Box::new(claims)));
    let mut memory = server.memory.clone();
    let request = proto::EndSessionRequest { namespace: HOME.to_owned(), key: key("monday") };
    let ending = tokio::spawn(async move { memory.end_session(request).await });
    while stub.requests() < 2 {
        assert!(!ending.is_finished(), "it asks for facts");
        tokio::task::yield_now().await;
    }
    append(&mut server, "monday", "I live in Seoul.").await;
    go.send(()).expect("the model waits");
    let ended = ending.await.expect("it ends").expect("ended").into_inner();
    assert_eq!(ended.extract_skipped, "OVERTAKEN");
    let verdicts: Vec<_> = ended.promotions.iter().map(proto::Promotion::verdict).collect();
    assert_eq!(verdicts, [proto::GateVerdict::Dropped, proto::GateVerdict::Stored], "by the rules");
    server.stop().await;
}
