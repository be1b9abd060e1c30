//! An agent's memory over the wire: what the gate keeps, what a context holds, and blocks that an
//! agent edits itself.

use tenure::rpc::proto;
use tonic::Status;

use crate::support::{Server, reason};

const HOME: &str = "default";

fn scope(owner: &str) -> Option<proto::Scope> {
    Some(proto::Scope { owner: owner.to_owned(), ..Default::default() })
}

fn key(owner: &str, session: &str) -> Option<proto::SessionKey> {
    Some(proto::SessionKey { session: session.to_owned(), scope: scope(owner) })
}

fn turn(role: &str, content: &str) -> proto::Turn {
    proto::Turn { role: role.to_owned(), content: content.to_owned(), time: None }
}

/// A while later, so that each thing said has a time of its own.
fn later(server: &Server, seconds: i64) {
    server.clock.set(server.engine.now().micros() + seconds * 1_000_000);
}

/// One session from its first turn to its end, and what was promoted.
async fn session(
    server: &mut Server,
    owner: &str,
    name: &str,
    turns: &[(&str, &str)],
) -> Vec<proto::Promotion> {
    let namespace = HOME.to_owned();
    for (role, content) in turns {
        later(server, 60);
        let turns = vec![turn(role, content)];
        let key = key(owner, name);
        let request = proto::AppendTurnsRequest {
            namespace: namespace.clone(),
            key,
            turns,
            ..Default::default()
        };
        server.memory.append_turns(request).await.expect("appended");
    }
    later(server, 60);
    let request = proto::EndSessionRequest { namespace, key: key(owner, name) };
    server.memory.end_session(request).await.expect("ended").into_inner().promotions
}

async fn remember(server: &mut Server, owner: &str, role: &str, text: &str) -> proto::Promotion {
    later(server, 60);
    let item = proto::Memory { text: text.to_owned(), role: role.to_owned(), ..Default::default() };
    let request = proto::RememberRequest {
        namespace: HOME.to_owned(),
        items: vec![item],
        scope: scope(owner),
        ..Default::default()
    };
    let answer = server.memory.remember(request).await.expect("remembered").into_inner();
    answer.promotions.into_iter().next().expect("a sentence")
}

async fn context(server: &mut Server, owner: &str, query: &str) -> proto::BuildContextResponse {
    later(server, 1);
    let request = proto::BuildContextRequest {
        namespace: HOME.to_owned(),
        query: query.to_owned(),
        scope: scope(owner),
        ..Default::default()
    };
    server.memory.build_context(request).await.expect("a context").into_inner()
}

fn texts(context: &proto::BuildContextResponse, kind: proto::ContextSectionKind) -> Vec<&str> {
    let of_kind = context.sections.iter().filter(|section| section.kind() == kind);
    of_kind.flat_map(|section| &section.items).map(|item| item.text.as_str()).collect()
}

fn told(promotions: &[proto::Promotion]) -> Vec<(&str, &str)> {
    let verdict = |told: &proto::Promotion| match told.verdict() {
        proto::GateVerdict::Dropped => "dropped",
        proto::GateVerdict::Stored => "stored",
        proto::GateVerdict::Reinforced => "reinforced",
        proto::GateVerdict::Contested => "contested",
        _ => "other",
    };
    promotions.iter().map(|told| (told.text.as_str(), verdict(told))).collect()
}

#[tokio::test]
async fn the_third_session_recalls_the_first_in_english() {
    let mut server = Server::start().await;
    let first = session(
        &mut server,
        "ann",
        "monday",
        &[
            ("user", "Hi! My name is Ann and I work at Acme."),
            ("assistant", "Nice to meet you, Ann."),
            ("user", "I live in Seoul. Remember that I am allergic to nuts."),
            ("user", "We decided to store the facts in redb. What time is it?"),
        ],
    )
    .await;
    let verdicts = told(&first);
    assert!(verdicts.contains(&("I live in Seoul.", "stored")), "{verdicts:?}");
    assert!(verdicts.contains(&("What time is it?", "dropped")), "{verdicts:?}");
    assert!(verdicts.contains(&("We decided to store the facts in redb.", "stored")));
    session(
        &mut server,
        "ann",
        "tuesday",
        &[("user", "I moved to Busan last week."), ("assistant", "How is the sea?")],
    )
    .await;

    later(&server, 60);
    let turns = vec![turn("user", "Where do I live, and what must I not eat?")];
    let (namespace, name) = (HOME.to_owned(), key("ann", "wednesday"));
    let request =
        proto::AppendTurnsRequest { namespace, key: name.clone(), turns, ..Default::default() };
    server.memory.append_turns(request).await.expect("appended");
    let request =
        proto::BuildContextRequest { namespace: HOME.to_owned(), key: name, ..Default::default() };
    let context = server.memory.build_context(request).await.expect("a context").into_inner();
    let facts = texts(&context, proto::ContextSectionKind::Facts);
    assert!(facts.iter().any(|fact| fact.contains("lives in Busan")), "{facts:?}");
    assert!(!facts.iter().any(|fact| fact.contains("Seoul")), "what was superseded: {facts:?}");
    assert!(facts.iter().any(|fact| fact.contains("allergic to nuts")), "{facts:?}");
    assert!(!context.text.contains("Seoul"), "{}", context.text);
    assert!(!context.abstained && context.text.starts_with("<memory>\n## Known facts\n"));
    let turns = texts(&context, proto::ContextSectionKind::Turns);
    assert_eq!(turns, ["user: Where do I live, and what must I not eat?"]);
    server.stop().await;
}

#[tokio::test]
async fn the_third_session_recalls_the_first_in_korean() {
    let mut server = Server::start().await;
    session(
        &mut server,
        "지민",
        "월요일",
        &[
            ("user", "안녕하세요! 저는 카카오에서 일해요."),
            ("user", "저는 서울에 살아요. 저는 땅콩 알레르기가 있어요."),
            ("assistant", "알겠습니다."),
            ("user", "체크아웃 서비스 담당자는 김철수입니다."),
        ],
    )
    .await;
    session(&mut server, "지민", "화요일", &[("user", "지난주에 부산으로 이사했어요.")]).await;
    let home = context(&mut server, "지민", "제가 어디에 살고 있죠?").await;
    let facts = texts(&home, proto::ContextSectionKind::Facts);
    assert!(facts.iter().any(|fact| fact.contains("부산")), "{facts:?}");
    assert!(!facts.iter().any(|fact| fact.contains("서울")), "{facts:?}");
    assert!(home.text.contains("## 확인된 사실"), "{}", home.text);
    let owner = context(&mut server, "지민", "체크아웃 서비스는 누구에게 물어봐야 해?").await;
    assert!(owner.text.contains("김철수"), "{}", owner.text);
    server.stop().await;
}

#[tokio::test]
async fn what_is_there_is_only_reinforced_and_nothing_is_learnt_from_an_echo() {
    let mut server = Server::start().await;
    let first = remember(&mut server, "ann", "user", "I live in Seoul.").await;
    assert_eq!(first.verdict(), proto::GateVerdict::Stored, "{first:?}");
    let again = remember(&mut server, "ann", "user", "I am living in Seoul.").await;
    assert_eq!(again.verdict(), proto::GateVerdict::Reinforced, "{again:?}");
    assert_eq!(again.existing_id, first.fact_ids[0]);
    let note = remember(&mut server, "ann", "user", "The staging key rotates on Mondays").await;
    assert!(!note.episode_id.is_empty(), "{note:?}");
    let same = remember(&mut server, "ann", "user", "The staging key rotates on Mondays!").await;
    assert_eq!(same.verdict(), proto::GateVerdict::Reinforced, "{same:?}");
    assert_eq!((same.existing_id.as_str(), same.episode_id.as_str()), (&*note.episode_id, ""));

    let given = context(&mut server, "ann", "When does the staging key rotate?").await;
    assert!(given.text.contains("staging key rotates"), "{}", given.text);
    let echo = remember(&mut server, "ann", "user", "The staging key rotates on Mondays").await;
    assert_eq!((echo.verdict(), &*echo.reason), (proto::GateVerdict::Dropped, "ECHO"));
    let echo = remember(&mut server, "ann", "user", &given.text).await;
    assert_eq!((echo.verdict(), &*echo.reason), (proto::GateVerdict::Dropped, "ECHO"));
    server.stop().await;
}

/// The same request again, when what it said is there and something else too, writes nothing.
#[tokio::test]
async fn a_request_that_is_sent_again_is_remembered_once() {
    let mut server = Server::start().await;
    let item = |text: &str| proto::Memory { text: text.to_owned(), ..Default::default() };
    let request = proto::RememberRequest {
        namespace: HOME.to_owned(),
        request_id: "once".to_owned(),
        items: vec![item("I live in Seoul. The lamp is green."), item("My manager is Kim.")],
        ..Default::default()
    };
    let first = server.memory.remember(request.clone()).await.expect("remembered").into_inner();
    assert!(!first.replayed && first.tx > 0);
    remember(&mut server, "", "user", "I moved to Busan.").await;
    let again = server.memory.remember(request).await.expect("the same").into_inner();
    assert!(again.replayed || again.tx == 0, "{again:?}");
    let shown = context(&mut server, "", "Where do I live?").await;
    let facts = texts(&shown, proto::ContextSectionKind::Facts);
    assert!(facts.iter().any(|fact| fact.contains("Busan")), "{facts:?}");
    assert!(!facts.iter().any(|fact| fact.contains("Seoul")), "{facts:?}");
    server.stop().await;
}

/// C18. Names that begin alike are two, and one name said four times is one.
#[tokio::test]
async fn an_entity_is_its_name_and_nothing_like_it() {
    let mut server = Server::start().await;
    let said = remember(&mut server, "", "user", "At Lindor, Lin leads design.").await;
    assert_eq!(said.verdict(), proto::GateVerdict::Stored, "{said:?}");
    remember(&mut server, "", "user", "The owner of Lindor is Kim.").await;
    for text in
        ["QTR owns Iris.", "QTR uses redb.", "Qtr leads Atlas.", "The owner of Iris is QTR."]
    {
        let kept = remember(&mut server, "", "user", text).await;
        assert!(!kept.fact_ids.is_empty(), "{kept:?}");
    }
    let request = proto::ListEntitiesRequest { namespace: HOME.to_owned(), ..Default::default() };
    let listed = server.graph.list_entities(request).await.expect("entities").into_inner();
    let names: Vec<String> =
        listed.entities.iter().map(|entity| entity.name.to_lowercase()).collect();
    for name in ["lin", "lindor", "qtr"] {
        assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}: {names:?}");
    }
    server.stop().await;
}

/// C28, without a model: what a page says stands apart and displaces nothing.
#[tokio::test]
async fn a_page_never_displaces_what_a_user_said() {
    let mut server = Server::start().await;
    let user = remember(&mut server, "", "user", "The bank of Vendor is Hana.").await;
    assert_eq!(user.verdict(), proto::GateVerdict::Stored, "{user:?}");
    let page = remember(&mut server, "", "tool", "The bank of Vendor is Shady.").await;
    assert_eq!(page.verdict(), proto::GateVerdict::Contested, "{page:?}");
    let page = remember(&mut server, "", "tool", "The phone number of Vendor is 555-0199.").await;
    assert_eq!(page.verdict(), proto::GateVerdict::Stored, "{page:?}");
    let context = context(&mut server, "", "What are the bank and phone number of Vendor?").await;
    let facts = texts(&context, proto::ContextSectionKind::Facts);
    assert!(facts.iter().any(|fact| fact.contains("Hana")), "{facts:?}");
    assert!(!facts.iter().any(|fact| fact.contains("Shady") || fact.contains("0199")), "{facts:?}");
    let unverified = texts(&context, proto::ContextSectionKind::Unverified);
    assert!(unverified.iter().any(|fact| fact.contains("0199")), "{unverified:?}");
    server.stop().await;
}

/// C26. "Last week" is the week before it was said, whenever it is read.
#[tokio::test]
async fn a_relative_day_is_read_against_the_day_it_was_said() {
    let mut server = Server::start().await;
    let said = proto::bound::Bound::Date(proto::CivilDate {
        text: "2023-05-24".to_owned(),
        zone: "Asia/Seoul".to_owned(),
        ..Default::default()
    });
    let time = Some(proto::Bound { bound: Some(said), ..Default::default() });
    let item = proto::Memory {
        text: "I moved to Busan last week.".to_owned(),
        time,
        ..Default::default()
    };
    let request = proto::RememberRequest {
        namespace: HOME.to_owned(),
        items: vec![item],
        ..Default::default()
    };
    let answer = server.memory.remember(request).await.expect("remembered").into_inner();
    let fact_id = answer.promotions[0].fact_ids[0].clone();
    let request =
        proto::ExplainFactRequest { namespace: HOME.to_owned(), fact_id, ..Default::default() };
    let explained = server.facts.explain_fact(request).await.expect("explained").into_inner();
    let from = explained.statements[0].from.expect("a start").unix_micros / 86_400_000_000;
    assert!((19_492..19_499).contains(&from), "day {from} is not from 15 to 21 May 2023");
    server.stop().await;
}

/// Whoever corrects themselves was wrong before, and the past is told as it was believed then.
#[tokio::test]
async fn a_correction_puts_right_what_was_believed_all_along() {
    let mut server = Server::start().await;
    remember(&mut server, "ann", "user", "My manager is Kim.").await;
    let before = server.engine.now();
    let corrected = remember(&mut server, "ann", "user", "Actually, my manager is Lee.").await;
    assert!(corrected.signals.contains(&"correction".to_owned()), "{corrected:?}");
    let now = context(&mut server, "ann", "Who is ann's manager?").await;
    let facts = texts(&now, proto::ContextSectionKind::Facts);
    assert!(facts.iter().any(|fact| fact.contains("Lee")), "{facts:?}");
    assert!(!facts.iter().any(|fact| fact.contains("Kim")), "{facts:?}");
    let instant = proto::Instant { unix_micros: before.micros() };
    let request = proto::BuildContextRequest {
        namespace: HOME.to_owned(),
        query: "Who is ann's manager?".to_owned(),
        scope: scope("ann"),
        as_of: Some(proto::AsOf {
            valid: None,
            known: Some(proto::TransactionPoint {
                point: Some(proto::transaction_point::Point::Instant(instant)),
                edge: 0,
            }),
        }),
        ..Default::default()
    };
    let then = server.memory.build_context(request).await.expect("a context").into_inner();
    let facts = texts(&then, proto::ContextSectionKind::Facts);
    assert!(facts.iter().any(|fact| fact.contains("Kim")), "{facts:?}");
    server.stop().await;
}

#[tokio::test]
async fn failures_come_up_where_the_situation_is_alike_and_noise_does_not() {
    let mut server = Server::start().await;
    remember(&mut server, "", "user", "The deploy of Checkout failed because the cache was cold.")
        .await;
    remember(&mut server, "", "user", "The kitchen gets new chairs in spring").await;
    let alike =
        context(&mut server, "", "We deploy Checkout tonight, what failed last time?").await;
    let failures = texts(&alike, proto::ContextSectionKind::Failures);
    assert_eq!(failures.len(), 1, "{alike:?}");
    let noise = context(&mut server, "", "zebra xylophone quantum").await;
    assert!(noise.abstained && noise.text.is_empty() && noise.sections.is_empty(), "{noise:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_context_holds_what_names_what_is_asked_for() {
    let mut server = Server::start().await;
    for text in [
        "I visited Oscar at home in Turin over the weekend.",
        "Falcon runs on MongoDB now, the migration is done.",
        "So, Nora has found a home in Krakow.",
        "지아는 수원에 방을 얻었어요.",
        "도윤은 대구에 방을 얻었어요.",
        "도윤 집에 다녀왔어요.",
    ] {
        remember(&mut server, "", "user", text).await;
    }
    for (query, here, not_here) in [
        ("Where would I visit Nora at home?", "Krakow", "Turin"),
        ("Where are the records of Falcon stored?", "MongoDB", "Krakow"),
        ("지아의 방은 어디인가요?", "수원", "대구"),
    ] {
        let found = context(&mut server, "", query).await;
        assert!(found.text.contains(here), "{query}: {}", found.text);
        assert!(!found.text.contains(not_here), "{query}: {}", found.text);
    }
    // Where nothing names it, what is near stays.
    let found = context(&mut server, "", "Where would I visit Priya at home?").await;
    assert!(found.text.contains("Turin"), "{}", found.text);
    server.stop().await;
}

#[tokio::test]
async fn owners_share_nothing_but_what_is_for_everybody() {
    let mut server = Server::start().await;
    remember(&mut server, "ann", "user", "My badge colour is orange.").await;
    remember(&mut server, "", "user", "The owner of Checkout is Payments.").await;
    let other =
        context(&mut server, "bob", "What is the badge colour and who is the owner of Checkout?")
            .await;
    assert!(!other.text.contains("orange"), "{}", other.text);
    assert!(other.text.contains("Payments"), "{}", other.text);
    server.stop().await;
}

/// What of a summary or of a note came from a turn that goes nobody can tell, so they go with it.
#[tokio::test]
async fn an_erased_turn_does_not_live_on_in_what_was_drawn_from_it() {
    let mut server = Server::start().await;
    session(
        &mut server,
        "ann",
        "monday",
        &[
            ("user", "I live in Planted. We decided to meet at Planted."),
            ("user", "My manager is Kim."),
        ],
    )
    .await;
    session(&mut server, "ann", "tuesday", &[("user", "We decided to use redb.")]).await;
    let what = proto::erase_request::What::Entity("Planted".to_owned());
    let request =
        proto::EraseRequest { namespace: HOME.to_owned(), what: Some(what), ..Default::default() };
    server.admin.erase(request).await.expect("erased");
    let request = proto::ListEpisodesRequest { namespace: HOME.to_owned(), ..Default::default() };
    let listed = server.memory.list_episodes(request).await.expect("episodes").into_inner();
    let texts: Vec<&str> = listed.episodes.iter().map(|episode| episode.text.as_str()).collect();
    assert!(!texts.iter().any(|text| text.contains("Planted")), "{texts:?}");
    assert!(texts.contains(&"My manager is Kim."), "another turn stays: {texts:?}");
    assert!(texts.contains(&"user: We decided to use redb."), "another summary, too: {texts:?}");
    server.stop().await;
}

async fn edit(
    server: &mut Server,
    label: &str,
    edit: proto::update_core_memory_request::Edit,
    expected_version: &str,
) -> Result<Option<proto::CoreBlock>, Status> {
    later(server, 1);
    let request = proto::UpdateCoreMemoryRequest {
        namespace: HOME.to_owned(),
        scope: scope("ann"),
        label: label.to_owned(),
        edit: Some(edit),
        expected_version: expected_version.to_owned(),
    };
    server.memory.update_core_memory(request).await.map(|answer| answer.into_inner().block)
}

fn append(text: &str) -> proto::update_core_memory_request::Edit {
    proto::update_core_memory_request::Edit::Append(proto::CoreAppend { text: text.to_owned() })
}

fn replace(old: &str, new: &str) -> proto::update_core_memory_request::Edit {
    let (old, new) = (old.to_owned(), new.to_owned());
    proto::update_core_memory_request::Edit::Replace(proto::CoreReplace { old, new })
}

async fn blocks(server: &mut Server, tx: Option<u64>) -> Vec<(String, String)> {
    let known = tx.map(|tx| proto::TransactionPoint {
        point: Some(proto::transaction_point::Point::Tx(tx)),
        edge: 0,
    });
    let request = proto::GetCoreMemoryRequest {
        namespace: HOME.to_owned(),
        scope: scope("ann"),
        as_of: Some(proto::AsOf { valid: None, known }),
        ..Default::default()
    };
    let answer = server.memory.get_core_memory(request).await.expect("blocks").into_inner();
    answer.blocks.into_iter().map(|block| (block.label, block.text)).collect()
}

#[tokio::test]
async fn a_block_is_edited_by_whoever_has_read_it_and_keeps_its_past() {
    let mut server = Server::start().await;
    let pair = |label: &str, text: &str| (label.to_owned(), text.to_owned());
    let first = edit(&mut server, "human", append("Ann likes tea."), "").await.expect("made");
    let first = first.expect("a block");
    let second = edit(&mut server, "human", replace("tea", "coffee"), &first.version).await;
    let second = second.expect("edited").expect("a block");
    assert_eq!(blocks(&mut server, None).await, [pair("human", "Ann likes coffee.")]);
    let lost = edit(&mut server, "human", append("Too late."), &first.version).await;
    assert_eq!(reason(&lost.expect_err("it was edited since")), "CORE_CHANGED");
    let missing = edit(&mut server, "human", replace("cocoa", "tea"), "").await;
    assert_eq!(reason(&missing.expect_err("not there")), "CORE_MISMATCH");
    let long = "x".repeat(8 * 1_024);
    let full = edit(&mut server, "human", append(&long), "").await;
    assert_eq!(reason(&full.expect_err("too long")), "CORE_FULL");
    assert_eq!(blocks(&mut server, None).await, [pair("human", "Ann likes coffee.")]);
    edit(&mut server, "persona", append("I am terse."), "").await.expect("made");
    let both = [pair("human", "Ann likes coffee."), pair("persona", "I am terse.")];
    assert_eq!(blocks(&mut server, None).await, both);
    let set = proto::update_core_memory_request::Edit::Set(proto::CoreSet::default());
    let gone = edit(&mut server, "human", set, &second.version).await.expect("taken away");
    assert_eq!(gone, None);
    assert_eq!(blocks(&mut server, None).await, [pair("persona", "I am terse.")]);
    assert_eq!(blocks(&mut server, Some(1)).await, [pair("human", "Ann likes tea.")]);
    let shown = context(&mut server, "ann", "zebra xylophone").await;
    assert_eq!(texts(&shown, proto::ContextSectionKind::Core), ["[persona] I am terse."]);
    assert!(shown.abstained, "core memory is no answer");
    server.stop().await;
}

#[tokio::test]
async fn of_two_edits_of_one_version_one_wins() {
    let mut server = Server::start().await;
    let made = edit(&mut server, "human", append("0"), "").await.expect("made").expect("a block");
    let request = |n: usize| proto::UpdateCoreMemoryRequest {
        namespace: HOME.to_owned(),
        scope: scope("ann"),
        label: "human".to_owned(),
        edit: Some(append(&n.to_string())),
        expected_version: made.version.clone(),
    };
    let tries = (1..=8).map(|n| {
        let (mut memory, request) = (server.memory.clone(), request(n));
        tokio::spawn(async move { memory.update_core_memory(request).await })
    });
    let tries: Vec<_> = tries.collect();
    let mut won = 0;
    for result in tries {
        match result.await.expect("no panic") {
            Ok(_) => won += 1,
            Err(lost) => assert_eq!(reason(&lost), "CORE_CHANGED"),
        }
    }
    assert_eq!(won, 1);
    server.stop().await;
}

fn said_at(content: &str, date: &str) -> proto::Turn {
    let date = proto::CivilDate { text: date.to_owned(), ..Default::default() };
    let bound = Some(proto::bound::Bound::Date(date));
    proto::Turn { time: Some(proto::Bound { bound, written: None }), ..turn("user", content) }
}

/// A fact passes the gate when its session ends, which may be after what overtook it was said.
#[tokio::test]
async fn a_fact_is_as_old_as_the_turn_that_told_it() {
    let mut server = Server::start().await;
    let day = 86_400_000_000;
    server.clock.set(18_262 * day); // 2020-01-01
    let turns = vec![
        said_at("Dana leads Ledger.", "2019-12-02"),
        said_at("Somebody mentioned Ledger beside the green lamp.", "2019-12-03"),
        said_at("Somebody mentioned Ledger beside the green lamp.", "2019-12-05"),
    ];
    let (namespace, key) = (HOME.to_owned(), key("ann", "monday"));
    let request = proto::AppendTurnsRequest {
        namespace: namespace.clone(),
        key: key.clone(),
        turns,
        ..Default::default()
    };
    server.memory.append_turns(request).await.expect("appended");
    later(&server, 60);
    let request = proto::EndSessionRequest { namespace, key };
    server.memory.end_session(request).await.expect("ended");
    let found =
        context(&mut server, "ann", "Who leads Ledger, and who mentioned it beside the lamp?")
            .await;
    let facts = "- Dana leads Ledger (last confirmed 2019-12-02)\n";
    assert!(found.text.contains(facts), "{}", found.text);
    // The same words stand once, as new as the last time they were said.
    assert_eq!(found.text.matches("green lamp").count(), 1, "{}", found.text);
    assert!(found.text.contains("(last confirmed 2019-12-05)"), "{}", found.text);
    server.stop().await;
}
