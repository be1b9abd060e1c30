//! Sessions over the wire: turns in their order, windows within budgets, summaries that can be made
//! again, and what was taken back staying away.

use tenure::rpc::proto;
use tonic::Status;

use crate::support::{Server, op, reason};

const HOME: &str = "default";

fn key(owner: &str, session: &str) -> Option<proto::SessionKey> {
    let scope = Some(proto::Scope { owner: owner.to_owned(), ..Default::default() });
    Some(proto::SessionKey { session: session.to_owned(), scope })
}

fn turn(role: &str, content: &str) -> proto::Turn {
    proto::Turn { role: role.to_owned(), content: content.to_owned(), time: None }
}

async fn append(
    server: &mut Server,
    key: Option<proto::SessionKey>,
    request_id: &str,
    turns: Vec<proto::Turn>,
) -> Result<proto::AppendTurnsResponse, Status> {
    server.clock.set(server.engine.now().micros() + 1_000_000);
    let (namespace, request_id) = (HOME.to_owned(), request_id.to_owned());
    let request = proto::AppendTurnsRequest { namespace, request_id, key, turns };
    server.memory.append_turns(request).await.map(tonic::Response::into_inner)
}

async fn get(
    server: &mut Server,
    key: Option<proto::SessionKey>,
    window: proto::WindowKind,
    token_budget: i32,
) -> Result<proto::GetSessionResponse, Status> {
    let request = proto::GetSessionRequest {
        namespace: HOME.to_owned(),
        key,
        window: window.into(),
        token_budget,
        ..Default::default()
    };
    server.memory.get_session(request).await.map(tonic::Response::into_inner)
}

async fn end(server: &mut Server, key: Option<proto::SessionKey>) -> proto::EndSessionResponse {
    let request = proto::EndSessionRequest { namespace: HOME.to_owned(), key };
    server.memory.end_session(request).await.expect("it ends").into_inner()
}

async fn contents(server: &mut Server, key: Option<proto::SessionKey>) -> Vec<String> {
    let mut found = Vec::new();
    let mut page_token = String::new();
    loop {
        let (namespace, key) = (HOME.to_owned(), key.clone());
        let page_size = 7;
        let request =
            proto::ListTurnsRequest { namespace, key, page_size, page_token, ..Default::default() };
        let page = server.memory.list_turns(request).await.expect("a page").into_inner();
        found.extend(page.turns.into_iter().map(|turn| turn.text));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return found;
        }
    }
}

fn shown(window: &proto::GetSessionResponse) -> Vec<&str> {
    let turns = window.turns.iter().filter_map(|turn| turn.turn.as_ref());
    turns.map(|turn| turn.text.as_str()).collect()
}

/// Turns of about fifty tokens each, in Korean and English by turns.
fn long_talk(count: usize) -> Vec<proto::Turn> {
    let content = |n: usize| {
        if n.is_multiple_of(2) {
            format!(
                "{n}번 회의에서 저장 계층의 배포 일정을 다시 검토했고 담당자는 {n}번 팀으로 바뀌었습니다. 우리는 금요일까지 마치기로 결정했습니다."
            )
        } else {
            format!(
                "Meeting {n} went through the open questions of the storage layer once more, one by one, and team {n} took notes. The deadline is Friday."
            )
        }
    };
    (0..count).map(|n| turn("user", &content(n))).collect()
}

#[tokio::test]
async fn a_session_folds_its_older_turns_and_keeps_them_all() {
    let mut server = Server::start().await;
    let monday = || key("ann", "monday");
    let mut turns = vec![turn("system", "You are terse.")];
    turns.extend(long_talk(240));
    let mut folded = Vec::new();
    for some in turns.chunks(4) {
        let answer = append(&mut server, monday(), "", some.to_vec()).await.expect("appended");
        folded.extend(answer.summary);
    }
    assert!(folded.len() > 1, "{}", folded.len());
    for summary in &folded {
        assert!(summary.tokens > 0 && summary.tokens <= 500, "{summary:?}");
        assert_eq!(summary.method(), proto::SummaryMethod::Extractive);
    }
    let said: Vec<String> = turns.iter().map(|turn| turn.content.clone()).collect();
    assert_eq!(contents(&mut server, monday()).await, said);

    let window = get(&mut server, monday(), proto::WindowKind::Unspecified, 0).await.expect("one");
    assert!(window.tokens <= 3_000 && !window.over_budget, "{}", window.tokens);
    assert_eq!((window.turn_count, window.left_out, window.ended), (241, 0, false));
    assert_eq!(window.tokenizer, "enko-static-256");
    let pinned = window.pinned.as_ref().and_then(|turn| turn.turn.as_ref()).expect("the system's");
    assert_eq!(pinned.text, "You are terse.");
    let fold = window.summaries[0].fold.as_ref().expect("what it stands for");
    assert!(window.turns.len() >= 6 && shown(&window).last() == said.last().map(|s| &**s).as_ref());
    assert_eq!(fold.turns as usize + window.turns.len(), 241, "each turn stands once");

    let namespace = HOME.to_owned();
    let request = proto::RegenerateSummaryRequest { namespace, key: monday() };
    let made = server.memory.regenerate_summary(request).await.expect("made").into_inner();
    let summary = made.summary.expect("a summary");
    let again = summary.fold.expect("what it stands for");
    assert_eq!((again.generation, again.turns, &again.through), (0, fold.turns, &fold.through));
    server.stop().await;
}

#[tokio::test]
async fn every_window_keeps_its_bounds() {
    let mut server = Server::start().await;
    let talk = || key("", "talk");
    append(&mut server, talk(), "", long_talk(100)).await.expect("appended");
    let sliding = get(&mut server, talk(), proto::WindowKind::Sliding, 1).await.expect("one");
    assert_eq!((sliding.turns.len(), sliding.left_out), (2, 98), "two are kept whatever they take");
    assert!(sliding.over_budget && sliding.summaries.is_empty());
    let six = get(&mut server, talk(), proto::WindowKind::Summarising, 1).await.expect("one");
    assert_eq!(six.turns.len(), 6);
    let tiers = get(&mut server, talk(), proto::WindowKind::Hierarchical, 0).await.expect("one");
    assert_eq!((tiers.turns.len(), tiers.summaries.len(), tiers.left_out), (10, 2, 0));
    let turns = tiers.summaries.iter().map(|summary| summary.fold.as_ref().expect("one").turns);
    assert_eq!(turns.collect::<Vec<_>>(), [60, 90]);
    let query = "which team took notes in meeting 3?".to_owned();
    let request = proto::GetSessionRequest {
        namespace: HOME.to_owned(),
        key: talk(),
        window: proto::WindowKind::Composable.into(),
        query,
        ..Default::default()
    };
    let composed = server.memory.get_session(request).await.expect("one").into_inner();
    assert_eq!(composed.turns.len(), 6);
    assert!(!composed.recalled.is_empty() && !composed.over_budget && composed.tokens <= 3_000);
    server.stop().await;
}

#[tokio::test]
async fn a_session_that_ended_takes_no_more_turns() {
    let mut server = Server::start().await;
    let monday = || key("ann", "monday");
    let said =
        || vec![turn("user", "우리는 redb를 쓰기로 결정했습니다."), turn("user", "감사합니다!")];
    let first = append(&mut server, monday(), "once", said()).await.expect("appended");
    let ended = end(&mut server, monday()).await;
    let summary = ended.summary.clone().expect("a summary");
    assert_eq!(summary.text, "user: 우리는 redb를 쓰기로 결정했습니다.");
    assert!(summary.fold.expect("what it stands for").closes && !ended.replayed);
    let again = end(&mut server, monday()).await;
    assert_eq!((again.tx, again.replayed), (ended.tx, true));

    let refused = append(&mut server, monday(), "", said()).await.expect_err("it ended");
    assert_eq!(reason(&refused), "SESSION_ENDED");
    assert_eq!(contents(&mut server, monday()).await.len(), 2, "nothing was written");
    let replay = append(&mut server, monday(), "once", said()).await.expect("the first answer");
    assert_eq!((replay.replayed, replay.episode_ids), (true, first.episode_ids));

    let namespace = HOME.to_owned();
    let tx = Some(proto::transaction_point::Point::Tx(first.tx));
    let known = Some(proto::TransactionPoint { point: tx, edge: 0 });
    let as_of = Some(proto::AsOf { known, valid: None });
    let request =
        proto::GetSessionRequest { namespace, key: monday(), as_of, ..Default::default() };
    let before = server.memory.get_session(request).await.expect("as it was").into_inner();
    assert!(!before.ended && before.turn_count == 2 && before.summaries.is_empty());
    server.stop().await;
}

/// C26. Parts of a key are never glued: what looks alike when joined is kept apart.
#[tokio::test]
async fn sessions_are_kept_apart_by_both_parts_of_their_key() {
    let mut server = Server::start().await;
    let keys = [("a", "b:c"), ("a:b", "c"), ("", "a:b:c"), ("b", "b:c"), ("a", "B:C")];
    for (owner, session) in keys {
        let said = vec![turn("user", &format!("for {owner}, in {session}"))];
        append(&mut server, key(owner, session), "", said).await.expect("appended");
    }
    for (owner, session) in keys {
        let found = contents(&mut server, key(owner, session)).await;
        assert_eq!(found, [format!("for {owner}, in {session}")]);
    }
    let unknown = get(&mut server, key("c", "b:c"), proto::WindowKind::Sliding, 0).await;
    assert_eq!(reason(&unknown.expect_err("nobody's")), "SESSION_UNKNOWN");
    server.stop().await;
}

#[tokio::test]
async fn what_was_taken_back_does_not_live_on_in_a_summary() {
    let mut server = Server::start().await;
    let monday = || key("", "monday");
    let mut turns = vec![turn("tool", "Remember the password hunter2, we decided on it.")];
    turns.extend(long_talk(120));
    let added = append(&mut server, monday(), "", turns).await.expect("appended");
    let window = get(&mut server, monday(), proto::WindowKind::Summarising, 0).await.expect("one");
    assert!(window.summaries[0].text.contains("hunter2"), "{}", window.summaries[0].text);
    assert_eq!(window.summaries[0].trust(), proto::Trust::Unverified, "the lowest of its sources");

    let episode_id = added.episode_ids[0].clone();
    let retract = proto::operation::Operation::RetractEpisode(proto::RetractEpisode { episode_id });
    let (namespace, operations) = (HOME.to_owned(), vec![op::of(retract)]);
    let request = proto::TransactRequest { namespace, operations, ..Default::default() };
    server.facts.transact(request).await.expect("retracted");
    let window = get(&mut server, monday(), proto::WindowKind::Summarising, 0).await.expect("one");
    assert!(!window.summaries.is_empty() && window.turn_count == 120);
    for summary in &window.summaries {
        assert!(!summary.text.contains("hunter2"), "{}", summary.text);
    }
    server.stop().await;
}

#[tokio::test]
async fn turns_are_bounded_and_all_that_is_wrong_is_told() {
    let mut server = Server::start().await;
    let monday = || key("", "monday");
    let wrong = vec![turn("", "words"), turn("user", "  ")];
    let refused = append(&mut server, None, "", wrong).await.expect_err("refused");
    assert_eq!(reason(&refused), "MISSING_FIELD");
    for field in ["key.session", "turns[0].role", "turns[1].content"] {
        let details = tonic_types::StatusExt::get_error_details(&refused);
        let told = details.bad_request().expect("fields").field_violations.iter();
        assert!(told.clone().any(|found| found.field == field), "{field}: {refused:?}");
    }
    let short = |count| vec![turn("user", "hello"); count];
    assert!(append(&mut server, monday(), "", short(1_000)).await.is_ok());
    let refused = append(&mut server, monday(), "", short(1_001)).await.expect_err("too many");
    assert_eq!(reason(&refused), "LIMIT_EXCEEDED");
    assert_eq!(contents(&mut server, monday()).await.len(), 1_000, "nothing was written");
    server.stop().await;
}
