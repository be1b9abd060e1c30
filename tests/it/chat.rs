//! A chat model in the memory: summaries it writes, what it costs, conclusions it draws, and all that
//! it can do wrong.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use tonic::Code;

use tenure::agent::observe;
use tenure::engine::Clock;
use tenure::models::{
    Address, CallConfig, Chat, ChatConfig, Embedder, Endpoint, EndpointConfig, Models,
};
use tenure::rpc::proto;
use tenure::types::{Name, Scope, TxId};

use crate::ask::{HOME, fact, refused, said_by, withdraw, write};
use crate::player::said;
use crate::stub::{Answer, Stub};
use crate::support::{Server, op, reason};

const DAY: i64 = 86_400_000_000;

fn chat(stub: &Stub, time_out: Duration) -> Chat {
    let address = Address::new(&stub.url()).expect("a URL");
    let call = CallConfig { time_out, attempts: 1, first_wait: Duration::from_millis(1) };
    let config = ChatConfig { call, ..ChatConfig::new(address, "small") };
    Chat::new(config).expect("a good configuration")
}

/// A server over a directory with a chat model behind it.
pub(crate) async fn open(data: &Path, stub: &Stub, time_out: Duration) -> Server {
    let models = Models { chat: Some(chat(stub, time_out)), ..Models::built_in() };
    Server::open_with(data, models).await
}

pub(crate) async fn start(stub: &Stub) -> (Server, TempDir) {
    let home = tempfile::tempdir().expect("a place for data");
    let mut server = open(home.path(), stub, Duration::from_secs(20)).await;
    server.create_namespace(HOME).await;
    (server, home)
}

pub(crate) fn key(session: &str) -> Option<proto::SessionKey> {
    Some(proto::SessionKey { session: session.to_owned(), scope: None })
}

fn turns(count: usize) -> Vec<proto::Turn> {
    let content = |n: usize| {
        format!(
            "{n}번 회의에서 저장 계층의 배포 일정을 다시 검토했고 담당자는 {n}번 팀으로 바뀌었습니다. The deadline is Friday."
        )
    };
    let turn =
        |n| proto::Turn { role: "user".to_owned(), content: content(n), ..Default::default() };
    (0..count).map(turn).collect()
}

async fn append(server: &mut Server, session: &str, count: usize) -> proto::AppendTurnsResponse {
    // What was said a moment ago is there to be seen.
    let now = server.clock.now().micros();
    server.clock.set(now + 10);
    let request = proto::AppendTurnsRequest {
        namespace: HOME.to_owned(),
        key: key(session),
        turns: turns(count),
        ..Default::default()
    };
    server.memory.append_turns(request).await.expect("turns are never refused").into_inner()
}

/// The summary that appending has made: in its reply or, on a busy machine, as soon as it stands.
async fn folded(
    server: &mut Server,
    session: &str,
    appended: proto::AppendTurnsResponse,
) -> proto::Summary {
    if let Some(summary) = appended.summary {
        return summary;
    }
    assert!(appended.summary_pending);
    loop {
        let request = proto::GetSessionRequest {
            namespace: HOME.to_owned(),
            key: key(session),
            ..Default::default()
        };
        let window = server.memory.get_session(request).await.expect("a window").into_inner();
        if let Some(summary) = window.summaries.into_iter().next() {
            return summary;
        }
    }
}

async fn regenerate(server: &mut Server, session: &str) -> proto::Summary {
    let request = proto::RegenerateSummaryRequest { namespace: HOME.to_owned(), key: key(session) };
    let answer = server.memory.regenerate_summary(request).await.expect("a summary");
    answer.into_inner().summary.expect("a summary")
}

async fn usage(server: &mut Server) -> proto::GetUsageResponse {
    let request = proto::GetUsageRequest { namespace: HOME.to_owned() };
    server.admin.get_usage(request).await.expect("usage").into_inner()
}

/// Calls, failures and tokens of the months, for one purpose.
pub(crate) async fn spent(server: &mut Server, purpose: proto::ModelPurpose) -> (u64, u64, u64) {
    let rows = usage(server).await.months.into_iter().filter(|row| row.purpose() == purpose);
    rows.fold((0, 0, 0), |sum, row| {
        let tokens = row.prompt_tokens + row.completion_tokens;
        (sum.0 + row.calls, sum.1 + row.failures, sum.2 + tokens)
    })
}

pub(crate) async fn budget(server: &mut Server, purpose: proto::ModelPurpose, day_tokens: u64) {
    let purpose = purpose.into();
    let budget = proto::Budget { purpose, day_tokens: Some(day_tokens), month_tokens: None };
    let request = proto::SetBudgetsRequest { namespace: HOME.to_owned(), budgets: vec![budget] };
    server.admin.set_budgets(request).await.expect("a budget");
}

#[tokio::test]
async fn a_chat_model_writes_the_summaries() {
    let stub = Stub::start([]);
    let (mut server, _home) = start(&stub).await;
    let appended = append(&mut server, "monday", 160).await;
    let folded = folded(&mut server, "monday", appended).await;
    assert_eq!(folded.method(), proto::SummaryMethod::Abstractive);
    assert_eq!((folded.model.as_str(), folded.fallback_reason.as_str()), ("small", ""));
    assert_eq!(folded.trust(), proto::Trust::Inferred, "its words are its conclusion");
    assert!(folded.text.starts_with("154 turns after \"\""), "{}", folded.text);

    append(&mut server, "monday", 160).await;
    let request = proto::GetSessionRequest {
        namespace: HOME.to_owned(),
        key: key("monday"),
        ..Default::default()
    };
    let window = server.memory.get_session(request).await.expect("a window").into_inner();
    assert_eq!(window.summaries[0].method(), proto::SummaryMethod::Abstractive);
    assert!(window.summaries[0].text.contains("after \"154 turns"), "it goes on from the first");

    let request = proto::EndSessionRequest { namespace: HOME.to_owned(), key: key("monday") };
    let ended = server.memory.end_session(request.clone()).await.expect("ended").into_inner();
    assert_eq!(ended.summary.as_ref().map(|summary| summary.model.as_str()), Some("small"));
    let calls = stub.requests();
    let again = server.memory.end_session(request).await.expect("ended").into_inner();
    assert!(again.replayed && stub.requests() == calls, "ending twice asks once");
    let (made, failed, tokens) = spent(&mut server, proto::ModelPurpose::Summarise).await;
    assert_eq!((failed, tokens), (0, 42 * made));
    let (read, ..) = spent(&mut server, proto::ModelPurpose::Extract).await;
    assert_eq!((made, read), (calls as u64, 0), "rules read something in each turn");
    server.stop().await;
}

#[tokio::test]
async fn whatever_the_model_does_there_is_a_summary_and_a_reason() {
    let stub = Stub::start([]);
    let home = tempfile::tempdir().expect("a place for data");
    let mut server = open(home.path(), &stub, Duration::from_millis(300)).await;
    server.create_namespace(HOME).await;
    append(&mut server, "monday", 12).await;
    for (answer, why) in [
        (Answer::Hang, "TIMED_OUT"),
        (said(&"{\"summary\": \"half"), "UNREADABLE"),
        (Answer::ok(&crate::player::reply("{\"summary\": \"", "length")), "CUT"),
        (said(&json!({"summary": "word ".repeat(900)})), "UNFOUNDED"),
        (said(&json!({"facts": []})), "UNREADABLE"),
        (Answer::status(429), "THROTTLED"),
        (Answer::status(401), "REFUSED"),
        (Answer::Close, "BROKEN"),
    ] {
        stub.next(answer);
        let summary = regenerate(&mut server, "monday").await;
        assert_eq!(summary.method(), proto::SummaryMethod::Extractive, "{why}");
        assert_eq!((summary.fallback_reason.as_str(), summary.model.as_str()), (why, ""));
        assert!(summary.text.contains("The deadline is Friday."), "{}", summary.text);
        assert_eq!(summary.trust(), proto::Trust::Stated);
    }
    let (calls, failures, _) = spent(&mut server, proto::ModelPurpose::Summarise).await;
    assert_eq!((calls, failures), (8, 8));
    stub.next(Answer::Hang);
    let appended = append(&mut server, "monday", 160).await;
    match appended.summary {
        Some(folded) => assert_eq!(folded.fallback_reason, "TIMED_OUT"),
        None => assert!(appended.summary_pending, "a busy machine has it later"),
    }
    server.stop().await;
}

/// C26 with a model: what it says was said last week began the week before it was said.
#[tokio::test]
async fn a_chat_model_reads_facts_where_no_rule_does() {
    let stub = Stub::start([]);
    let (mut server, _home) = start(&stub).await;
    let text = "Mina packed her things and calls the coast her home now.";
    let remember = async |server: &mut Server| {
        let now = server.clock.now().micros();
        server.clock.set(now + 10);
        let time = proto::Instant { unix_micros: 1_684_900_000_000_000 };
        let time = proto::Bound { bound: Some(proto::bound::Bound::Instant(time)), written: None };
        let item = proto::Memory { text: text.to_owned(), time: Some(time), ..Default::default() };
        let request = proto::RememberRequest {
            namespace: HOME.to_owned(),
            items: vec![item],
            ..Default::default()
        };
        server.memory.remember(request).await.expect("remembered").into_inner()
    };
    for (answer, why) in [
        (said(&"{\"claims\": [{\"turn\": \"0\""), "UNREADABLE"),
        (said(&json!({"claims": [crate::player::claim("0", "Mina flew to Mars.")]})), "UNFOUNDED"),
    ] {
        stub.next(answer);
        let kept = remember(&mut server).await;
        assert_eq!(kept.extract_skipped, why);
        let promotion = &kept.promotions[0];
        let is_kept = promotion.verdict() == proto::GateVerdict::Stored
            || promotion.verdict() == proto::GateVerdict::Reinforced;
        assert!(is_kept && promotion.fact_ids.is_empty(), "the text is not lost: {promotion:?}");
    }
    let mut claim = crate::player::claim("0", "calls the coast her home");
    claim["valid_from"] = json!("last week");
    stub.next(said(&json!({"claims": [claim]})));
    let kept = remember(&mut server).await;
    assert_eq!(kept.extract_skipped, "");
    let fact_id = kept.promotions[0].fact_ids[0].clone();
    let request =
        proto::ExplainFactRequest { namespace: HOME.to_owned(), fact_id, ..Default::default() };
    let explained = server.facts.explain_fact(request).await.expect("explained").into_inner();
    let from = explained.statements[0].from.expect("a start").unix_micros / DAY;
    assert_eq!(from, 19_492, "15 May 2023, the Monday before");
    let (calls, failures, _) = spent(&mut server, proto::ModelPurpose::Extract).await;
    assert_eq!((calls, failures), (3, 2));
    budget(&mut server, proto::ModelPurpose::Extract, 1).await;
    let over = remember(&mut server).await;
    assert_eq!((over.extract_skipped.as_str(), stub.requests()), ("OVER_BUDGET", 3));
    server.stop().await;
}

/// Conclusions are drawn behind what passes the gate, once a namespace asks for it and enough was
/// observed.
#[tokio::test]
async fn conclusions_are_drawn_by_themselves_after_enough_was_observed() {
    let stub = Stub::start([]);
    let (mut server, _home) = start(&stub).await;
    let request = proto::GetPolicyRequest { namespace: HOME.to_owned() };
    let read = server.memory.get_policy(request).await.expect("a policy").into_inner();
    let mut policy = read.policy.expect("a policy");
    policy.reflection = Some(proto::ReflectionPolicy { after: Some(3) });
    let (namespace, policy) = (HOME.to_owned(), Some(policy));
    let request = proto::UpdatePolicyRequest { namespace, policy, version: read.version };
    server.memory.update_policy(request).await.expect("set");
    let name: Name = Name::new(HOME).expect("a name");
    let mut follow = server.engine.follow(&name).expect("it is there");
    for place in ["kitchen", "cellar", "attic"] {
        let now = server.clock.now().micros();
        server.clock.set(now + 10);
        let text = format!("The lamp in the {place} broke again.");
        let item = proto::Memory { text, ..Default::default() };
        let request = proto::RememberRequest {
            namespace: HOME.to_owned(),
            items: vec![item],
            ..Default::default()
        };
        server.memory.remember(request).await.expect("remembered");
    }
    // Three texts, and the conclusion behind the last.
    follow.wait_for(|tx| *tx >= TxId::new(4)).await.expect("a fourth transaction");
    let now = server.clock.now().micros();
    server.clock.set(now + 10);
    let request = proto::ListEpisodesRequest {
        namespace: HOME.to_owned(),
        kinds: vec![proto::EpisodeKind::Reflection.into()],
        ..Default::default()
    };
    let listed = server.memory.list_episodes(request).await.expect("episodes").into_inner();
    assert_eq!(listed.episodes.len(), 1);
    assert_eq!(listed.episodes[0].derived_from_ids.len(), 2);
    server.stop().await;
}

#[tokio::test]
async fn a_slow_model_keeps_nobody_waiting() {
    let stub = Stub::start([Answer::Hang]);
    let home = tempfile::tempdir().expect("a place for data");
    let mut server = open(home.path(), &stub, Duration::from_secs(60)).await;
    server.create_namespace(HOME).await;
    let appended = append(&mut server, "monday", 160).await;
    assert!(appended.summary_pending && appended.summary.is_none());
    // Neither this session nor any other is held up, whatever lock they share.
    let again = append(&mut server, "monday", 1).await;
    assert!(again.summary_pending, "it is asked once");
    for session in 0..70 {
        append(&mut server, &format!("session {session}"), 1).await;
    }
    assert_eq!(stub.requests(), 1);
    server.stop().await;
}

#[tokio::test]
async fn over_budget_summaries_are_extractive_until_the_next_day() {
    let stub = Stub::start([]);
    let (mut server, home) = start(&stub).await;
    append(&mut server, "monday", 12).await;
    budget(&mut server, proto::ModelPurpose::Summarise, 42).await;
    assert_eq!(regenerate(&mut server, "monday").await.fallback_reason, "");
    let over = regenerate(&mut server, "monday").await;
    assert_eq!((over.fallback_reason.as_str(), stub.requests()), ("OVER_BUDGET", 1));
    let known = usage(&mut server).await;
    assert_eq!(known.over_budget, [i32::from(proto::ModelPurpose::Summarise)]);
    let day = |period: &str| {
        let of = |row: &&proto::ModelUsage| row.period == period;
        let own = known.days.iter().chain(&known.months).filter(of);
        own.filter(|row| row.purpose() == proto::ModelPurpose::Summarise).count()
    };
    assert_eq!((day("1970-01-01"), day("1970-01")), (1, 1));
    server.stop().await;

    let mut server = open(home.path(), &stub, Duration::from_secs(20)).await;
    server.clock.set(20);
    let own = |usage: proto::GetUsageResponse| {
        let of = |row: &proto::ModelUsage| row.purpose() == proto::ModelPurpose::Summarise;
        let days: Vec<_> = usage.days.into_iter().filter(of).collect();
        (days, usage.budgets, usage.over_budget)
    };
    assert_eq!(own(usage(&mut server).await), own(known), "it survives a restart");
    assert_eq!(regenerate(&mut server, "monday").await.fallback_reason, "OVER_BUDGET");
    server.clock.set(DAY);
    assert_eq!(regenerate(&mut server, "monday").await.fallback_reason, "");
    let request = proto::DeleteNamespaceRequest { name: HOME.to_owned() };
    server.admin.delete_namespace(request).await.expect("deleted");
    server.create_namespace(HOME).await;
    let fresh = usage(&mut server).await;
    assert!(fresh.months.is_empty() && fresh.budgets.is_empty(), "{fresh:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_budget_is_for_a_purpose_that_there_is_and_named_once() {
    let mut server = Server::start().await;
    let budget = |purpose: i32| proto::Budget { purpose, day_tokens: Some(1), month_tokens: None };
    let mut set = async |budgets: Vec<proto::Budget>| {
        let request = proto::SetBudgetsRequest { namespace: HOME.to_owned(), budgets };
        server.admin.set_budgets(request).await
    };
    let known = i32::from(proto::ModelPurpose::Judge);
    for (budgets, why) in [
        (vec![budget(0)], "MISSING_FIELD"),
        (vec![budget(99)], "MALFORMED_FIELD"),
        (vec![budget(known), budget(known)], "MALFORMED_FIELD"),
    ] {
        assert_eq!(refused(set(budgets).await), (Code::InvalidArgument, why.to_owned()));
    }
    set(vec![budget(known)]).await.expect("a budget");
    server.stop().await;
}

#[tokio::test]
async fn over_budget_an_embedder_leaves_words_and_graph() {
    let stub = Stub::start([]);
    let address = Address::new(&stub.url()).expect("a URL");
    let endpoint = Endpoint::new(EndpointConfig::new(address, "two")).expect("configured");
    let models = Models { embedder: Some(Embedder::endpoint(endpoint)), ..Models::default() };
    let home = tempfile::tempdir().expect("a place for data");
    let mut server = Server::open_with(home.path(), models).await;
    server.create_namespace(HOME).await;
    budget(&mut server, proto::ModelPurpose::EmbedQuery, 10).await;
    write(&mut server, 1, vec![fact("Ann", "works_at", "Acme", 1, None)]).await;
    let mut recall = async |query: &str| {
        let request = proto::RecallRequest {
            namespace: HOME.to_owned(),
            query: query.to_owned(),
            ..Default::default()
        };
        let answer = server.memory.recall(request).await.expect("an answer").into_inner();
        let vector = answer.legs.iter().find(|leg| leg.leg() == proto::Leg::Vector);
        (answer.hits.len(), vector.expect("a report").reason.clone())
    };
    // The space comes with the first vector.
    let mut first = recall("where does Ann work").await;
    while first.1 == "NO_VECTORS" {
        tokio::task::yield_now().await;
        first = recall("where does Ann work").await;
    }
    let over = recall("who works at Acme").await;
    assert_eq!((over.0, over.1.as_str()), (1, "OVER_BUDGET"));
    assert_eq!(spent(&mut server, proto::ModelPurpose::EmbedQuery).await.2, 10);
    assert!(spent(&mut server, proto::ModelPurpose::EmbedDocument).await.2 > 0);
    server.stop().await;
}

fn note(
    kind: proto::EpisodeKind,
    text: &str,
    source: &str,
    trust: proto::Trust,
) -> proto::AddEpisode {
    proto::AddEpisode {
        kind: kind.into(),
        text: text.to_owned(),
        source: source.to_owned(),
        trust: trust.into(),
        ..Default::default()
    }
}

async fn add(server: &mut Server, episodes: Vec<proto::AddEpisode>) -> Vec<String> {
    let request =
        proto::AddEpisodesRequest { namespace: HOME.to_owned(), episodes, ..Default::default() };
    server.memory.add_episodes(request).await.expect("kept").into_inner().episode_ids
}

async fn reflect(server: &mut Server) -> Result<proto::ReflectResponse, tonic::Status> {
    let request = proto::ReflectRequest { namespace: HOME.to_owned(), ..Default::default() };
    server.memory.reflect(request).await.map(tonic::Response::into_inner)
}

pub(crate) async fn episode(server: &mut Server, id: &str) -> Option<proto::Episode> {
    let request = proto::GetEpisodeRequest {
        namespace: HOME.to_owned(),
        episode_id: id.to_owned(),
        as_of: None,
    };
    server.memory.get_episode(request).await.expect("known").into_inner().episode
}

pub(crate) async fn retract_episode(server: &mut Server, id: &str) {
    let retract = proto::RetractEpisode { episode_id: id.to_owned() };
    let operation = op::of(proto::operation::Operation::RetractEpisode(retract));
    write(server, 50, vec![operation]).await;
}

async fn retract_derived(
    server: &mut Server,
    from: proto::retract_derived_request::From,
    dry_run: bool,
) -> Result<proto::RetractDerivedResponse, tonic::Status> {
    let request =
        proto::RetractDerivedRequest { namespace: HOME.to_owned(), from: Some(from), dry_run };
    server.memory.retract_derived(request).await.map(tonic::Response::into_inner)
}

#[tokio::test]
async fn conclusions_carry_their_evidence_and_lose_their_ground() {
    let stub = Stub::start([]);
    let (mut server, home) = start(&stub).await;
    let kinds = [proto::EpisodeKind::Note, proto::EpisodeKind::Failure];
    let notes = kinds.map(|kind| note(kind, "배포가 실패했다.", "log", proto::Trust::Stated));
    let ids = add(&mut server, notes.to_vec()).await;
    let answer = reflect(&mut server).await.expect("conclusions");
    assert_eq!((answer.observations, answer.reflections.len()), (2, 1));
    let drawn = &answer.reflections[0];
    assert_eq!(
        (drawn.kind(), drawn.trust()),
        (proto::EpisodeKind::Reflection, proto::Trust::Inferred)
    );
    assert_eq!((&drawn.derived_from_ids, drawn.importance), (&ids, Some(0.5)));
    assert_eq!((drawn.speaker.as_str(), drawn.grounds_gone), ("small", false));

    // From the log, and so also after a restart: what was concluded from is not new again.
    let calls = stub.requests();
    assert_eq!(reflect(&mut server).await.expect("nothing new").observations, 0);
    server.stop().await;
    let mut server = open(home.path(), &stub, Duration::from_secs(20)).await;
    server.clock.set(10);
    let again = reflect(&mut server).await.expect("nothing new");
    assert_eq!((again.observations, again.tx, stub.requests()), (0, 0, calls));

    // A conclusion from the conclusion.
    let upper = proto::AddEpisode {
        derived_from_ids: vec![drawn.id.clone()],
        ..note(proto::EpisodeKind::Reflection, "Test first.", "", proto::Trust::Inferred)
    };
    let upper = add(&mut server, vec![upper]).await.remove(0);
    let from = || proto::retract_derived_request::From::EpisodeId(ids[0].clone());
    let stands = retract_derived(&mut server, from(), false).await.expect_err("it stands");
    assert_eq!(
        (stands.code(), reason(&stands)),
        (Code::FailedPrecondition, "GROUND_STANDS".to_owned())
    );
    retract_episode(&mut server, &ids[0]).await;
    for id in [&drawn.id, &upper] {
        assert!(episode(&mut server, id).await.expect("it stands").grounds_gone, "{id}");
    }
    let both = [drawn.id.clone(), upper.clone()];
    let dry = retract_derived(&mut server, from(), true).await.expect("a try");
    assert_eq!((dry.tx, dry.episode_ids.as_slice()), (0, both.as_slice()));
    assert!(episode(&mut server, &upper).await.is_some(), "a try changes nothing");
    let done = retract_derived(&mut server, from(), false).await.expect("retracted");
    assert!(done.tx > 0 && done.episode_ids == both);
    for id in &both {
        assert!(episode(&mut server, id).await.is_none(), "{id}");
    }
    let done = retract_derived(&mut server, from(), false).await.expect("nothing is left");
    assert_eq!((done.tx, done.episode_ids.len()), (0, 0));
    server.stop().await;
}

#[tokio::test]
async fn a_withdrawn_source_takes_what_was_drawn_from_it() {
    let mut server = Server::start().await;
    let page =
        note(proto::EpisodeKind::Passage, "Vendor banks at X.", "web", proto::Trust::Unverified);
    let page = add(&mut server, vec![page]).await.remove(0);
    let drawn = |subject: &str, from: &str| {
        let evidence = proto::Evidence { episode_id: from.to_owned(), ..Default::default() };
        let triple = op::triple(subject, "bank", "X");
        let assert = proto::Assert { triple, evidence: Some(evidence), ..Default::default() };
        op::of(proto::operation::Operation::Assert(assert))
    };
    write(&mut server, 5, vec![drawn("Vendor", &page), drawn("Shop", &page)]).await;
    write(
        &mut server,
        6,
        vec![said_by(fact("Shop", "bank", "X", 1, None), "ann", proto::Trust::Stated)],
    )
    .await;
    write(&mut server, 7, vec![withdraw("web")]).await;
    let from = proto::retract_derived_request::From::Source("web".to_owned());
    let done = retract_derived(&mut server, from, false).await.expect("retracted");
    assert_eq!((done.fact_ids.len(), done.kept_fact_ids.len(), done.episode_ids.len()), (1, 1, 0));
    let held = crate::ask::held(&mut server, crate::support::at::valid(8)).await;
    assert_eq!(held, ["Shop bank X"]);
    crate::ask::verify(&mut server, HOME).await;
    let unknown = proto::retract_derived_request::From::Source("nobody".to_owned());
    let unknown = retract_derived(&mut server, unknown, false).await.expect_err("unknown");
    assert_eq!((unknown.code(), reason(&unknown)), (Code::NotFound, "SOURCE_UNKNOWN".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn a_reflector_that_lies_is_refused_as_a_whole() {
    let stub = Stub::start([]);
    let (mut server, _home) = start(&stub).await;
    let notes =
        ["one", "two"].map(|text| note(proto::EpisodeKind::Note, text, "", proto::Trust::Stated));
    let ids = add(&mut server, notes.to_vec()).await;
    let conclusion =
        |evidence: [&str; 2]| json!({"text": "So.", "evidence": evidence, "confidence": 0.9});
    let good = conclusion([&ids[0], &ids[1]]);
    for (answer, kind) in [
        (said(&json!({"conclusions": [good, conclusion([&ids[0], "ep9.9"])]})), "UNFOUNDED"),
        (said(&"{\"conclusions\": ["), "UNREADABLE"),
        (Answer::status(429), "THROTTLED"),
    ] {
        stub.next(answer);
        let error = reflect(&mut server).await.expect_err(kind);
        assert_eq!((error.code(), reason(&error)), (Code::Unavailable, "CHAT_FAILED".to_owned()));
    }
    let request = proto::ListEpisodesRequest {
        namespace: HOME.to_owned(),
        kinds: vec![proto::EpisodeKind::Reflection.into()],
        ..Default::default()
    };
    let kept = server.memory.list_episodes(request).await.expect("a list").into_inner();
    assert!(kept.episodes.is_empty(), "also the conclusion that was founded");
    budget(&mut server, proto::ModelPurpose::Reflect, 1).await;
    let over = reflect(&mut server).await.expect_err("the failures were paid for");
    assert_eq!((over.code(), reason(&over)), (Code::ResourceExhausted, "BUDGET_SPENT".to_owned()));
    server.stop().await;

    let mut server = Server::start().await;
    let none = reflect(&mut server).await.expect_err("no chat model");
    assert_eq!(
        (none.code(), reason(&none)),
        (Code::FailedPrecondition, "CHAT_UNAVAILABLE".to_owned())
    );
    server.stop().await;
}

/// C28: what a page says is not made truer by a conclusion that repeats it.
#[tokio::test]
async fn a_conclusion_from_a_page_displaces_nothing_that_was_confirmed() {
    let stub = Stub::start([]);
    let (mut server, _home) = start(&stub).await;
    write(&mut server, 1, vec![op::one("bank")]).await;
    let confirmed = said_by(fact("Vendor", "bank", "Y", 1, None), "ann", proto::Trust::Confirmed);
    write(&mut server, 2, vec![confirmed]).await;
    let says = |text: &str| note(proto::EpisodeKind::Note, text, "page", proto::Trust::Unverified);
    let told = add(&mut server, vec![says("Vendor's bank is X."), says("Pay Vendor at X.")]).await;
    let sentence = json!({"text": "Vendor's bank is X.", "evidence": told, "confidence": 1.0});
    stub.next(said(&json!({"conclusions": [sentence]})));
    server.clock.set(10);
    let drawn = reflect(&mut server).await.expect("a conclusion").reflections.remove(0);
    assert_eq!(drawn.trust(), proto::Trust::Unverified, "at most the page's");
    let evidence = proto::Evidence {
        episode_id: drawn.id.clone(),
        trust: proto::Trust::Unverified.into(),
        ..Default::default()
    };
    let assert = proto::Assert {
        triple: op::triple("Vendor", "bank", "X"),
        from: op::instant(3),
        evidence: Some(evidence),
        ..Default::default()
    };
    let said =
        write(&mut server, 11, vec![op::of(proto::operation::Operation::Assert(assert))]).await;
    assert_eq!(crate::ask::statuses(&said), [proto::OutcomeStatus::Contested]);
    let request = proto::RecallRequest {
        namespace: HOME.to_owned(),
        query: "Vendor bank".to_owned(),
        ..Default::default()
    };
    let hits = server.memory.recall(request).await.expect("hits").into_inner().hits;
    let facts: Vec<String> =
        hits.iter().filter_map(|hit| hit.fact.as_ref()).map(crate::ask::words).collect();
    assert_eq!(facts, ["Vendor bank Y"]);
    let episodes: Vec<_> = hits.iter().filter_map(|hit| hit.episode.as_ref()).collect();
    assert!(episodes.len() >= 3, "{}", episodes.len());
    assert!(episodes.iter().all(|episode| episode.trust() == proto::Trust::Unverified));
    server.stop().await;
}

#[tokio::test]
async fn observations_are_what_the_scope_sees_and_nothing_older() {
    let mut server = Server::start().await;
    let own = |owner: &str, text: &str| proto::AddEpisode {
        scope: Some(proto::Scope { owner: owner.to_owned(), labels: Vec::new() }),
        ..note(proto::EpisodeKind::Note, text, "", proto::Trust::Stated)
    };
    let failure = note(proto::EpisodeKind::Failure, "It broke.", "", proto::Trust::Stated);
    let page =
        note(proto::EpisodeKind::Passage, "Acme is in Seoul.", "web", proto::Trust::Unverified);
    let hers = own("ann", "Ann is tired.");
    let all = vec![own("", "It rained."), hers, own("bob", "Bob left."), failure, page];
    let ids = add(&mut server, all).await;
    let drawn = |episode_id: &str, object: &str| {
        let evidence = proto::Evidence { episode_id: episode_id.to_owned(), ..Default::default() };
        let triple = op::triple("Acme", "in", object);
        let assert = proto::Assert { triple, evidence: Some(evidence), ..Default::default() };
        op::of(proto::operation::Operation::Assert(assert))
    };
    write(&mut server, 5, vec![drawn(&ids[4], "Seoul"), drawn(&ids[4], "Busan")]).await;
    write(&mut server, 6, vec![op::retract("Acme", "in", "Busan")]).await;
    server.clock.set(20);
    let home = Name::new(HOME).expect("a name");
    let scope = |owner: &str| Scope { owner: owner.parse().ok(), ..Scope::default() };
    let engine = server.engine.clone();
    let seen = |scope: &Scope, limit: usize| {
        let observed = observe(&engine, &home, scope, TxId::ZERO, limit).expect("it reads");
        let texts = observed.observations.into_iter().map(|seen| seen.text);
        (observed.count, texts.collect::<Vec<_>>())
    };
    let fact = "Acme in Seoul";
    assert_eq!(seen(&scope(""), 9).1, ["It rained.", "It broke.", fact]);
    assert_eq!(seen(&scope("ann"), 9).1, ["It rained.", "Ann is tired.", "It broke.", fact]);
    assert_eq!(seen(&scope(""), 2), (3, vec!["It broke.".to_owned(), fact.to_owned()]));
    // A conclusion of one scope is none of another, and retracting it brings nothing back.
    let concluded = proto::AddEpisode {
        derived_from_ids: vec![ids[0].clone(), ids[3].clone()],
        kind: proto::EpisodeKind::Reflection.into(),
        ..own("", "Stay in.")
    };
    let concluded = add(&mut server, vec![concluded]).await.remove(0);
    retract_episode(&mut server, &concluded).await;
    server.clock.set(70);
    assert_eq!(seen(&scope(""), 9).1, [fact], "what came after its evidence");
    assert_eq!(seen(&scope("ann"), 9).0, 4);
    server.stop().await;
}
