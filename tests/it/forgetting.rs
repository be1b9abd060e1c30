//! What is forgotten, when, and what is not: policies, the archive, the sweep, and a past that stays.

use tenure::rpc::proto;
use tenure::rpc::proto::operation::Operation as Kind;
use tonic_types::StatusExt;

use crate::ask::{HOME, fact, held, statuses, write};
use crate::chance::{Log, SUBJECTS};
use crate::policies::{kind, policy, set_policy};
use crate::recall::{question as any_question, recall, texts, transact};
use crate::support::{Server, at, op, reason};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 24 * 3_600 * SECOND;

fn archive_fact(s: &str, p: &str, o: &str) -> proto::Operation {
    let item = op::triple(s, p, o).map(proto::archive::Item::Fact);
    op::of(Kind::Archive(proto::Archive { item, scope: None }))
}

fn restore_fact(s: &str, p: &str, o: &str) -> proto::Operation {
    let item = op::triple(s, p, o).map(proto::restore::Item::Fact);
    op::of(Kind::Restore(proto::Restore { item, scope: None }))
}

fn archive_episode(id: &str) -> proto::Operation {
    let item = Some(proto::archive::Item::EpisodeId(id.to_owned()));
    op::of(Kind::Archive(proto::Archive { item, scope: None }))
}

fn note(text: &str) -> proto::AddEpisode {
    let kind = proto::EpisodeKind::Note.into();
    proto::AddEpisode { kind, text: text.to_owned(), ..Default::default() }
}

fn of_owner(owner: &str) -> Option<proto::Scope> {
    Some(proto::Scope { owner: owner.to_owned(), labels: Vec::new() })
}

async fn tell(server: &mut Server, episodes: Vec<proto::AddEpisode>) -> Vec<String> {
    let namespace = HOME.to_owned();
    let request = proto::AddEpisodesRequest { namespace, episodes, ..Default::default() };
    server.memory.add_episodes(request).await.expect("kept").into_inner().episode_ids
}

/// A question whose answers have its words in them.
fn question(words: &str) -> proto::RecallRequest {
    proto::RecallRequest { legs: vec![proto::Leg::Text.into()], ..any_question(words) }
}

async fn found(server: &mut Server, words: &str) -> Vec<String> {
    let answer = recall(server, question(words)).await;
    texts(&answer).into_iter().map(str::to_owned).collect()
}

fn and_archived(words: &str) -> proto::RecallRequest {
    let filter = proto::RecallFilter { include_archived: true, ..Default::default() };
    proto::RecallRequest { filter: Some(filter), ..question(words) }
}

/// A sweep to its end: what was looked at, archived, evicted and compacted.
async fn sweep(server: &mut Server, dry_run: bool, limit: i32) -> [u64; 4] {
    let mut sum = [0; 4];
    let mut page_token = String::new();
    for _ in 0..1_000 {
        let request = proto::SweepMemoriesRequest {
            namespace: HOME.to_owned(),
            dry_run,
            limit,
            page_token,
            ..Default::default()
        };
        let answer = server.memory.sweep_memories(request).await.expect("a step").into_inner();
        for count in answer.counts {
            let counts = [count.looked_at, count.archived, count.evicted, count.compacted];
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        page_token = answer.next_page_token;
        if page_token.is_empty() {
            return sum;
        }
    }
    panic!("the sweep does not end");
}

/// C23. What has ended is gone at once, without a sweep, and reading does not bring it back.
#[tokio::test]
async fn what_has_ended_is_nowhere_and_no_read_revives_it() {
    let mut server = Server::start().await;
    let now = 100 * DAY;
    let ended = now - 10 * SECOND;
    write(&mut server, now - DAY, vec![fact("ann", "is_at", "Busan", now - DAY, ended)]).await;
    server.clock.set(now);
    for _ in 0..3 {
        assert_eq!(found(&mut server, "where is ann").await, [""; 0]);
        assert_eq!(held(&mut server, None).await, [""; 0]);
        let walk = proto::TraverseRequest {
            namespace: HOME.to_owned(),
            start: "ann".to_owned(),
            hops: 1,
            ..Default::default()
        };
        let walked = server.graph.traverse(walk).await.expect("an answer").into_inner();
        assert!(walked.steps.is_empty(), "{walked:?}");
        // As it was before, it is read, and that is no read of today.
        let before = proto::RecallRequest { as_of: at::valid(ended - 1), ..question("ann") };
        assert_eq!(texts(&recall(&mut server, before).await), ["ann is at Busan"]);
    }
}

#[tokio::test]
async fn what_is_archived_stays_true_and_does_not_come_up() {
    let mut server = Server::start().await;
    let made = write(&mut server, DAY, vec![fact("ann", "likes", "quinces", 0, None)]).await;
    server.clock.set(DAY + SECOND);
    let id = tell(&mut server, vec![note("Quinces are in season.")]).await.remove(0);
    let all = ["Quinces are in season.", "ann likes quinces"];
    let sorted = |mut texts: Vec<String>| {
        texts.sort();
        texts
    };
    assert_eq!(sorted(found(&mut server, "quinces").await), all);
    let before = server.engine.now().micros();
    let ops = || vec![archive_fact("ann", "likes", "quinces"), archive_episode(&id)];
    let archived = write(&mut server, 2 * DAY, ops()).await;
    assert_eq!(statuses(&archived), [proto::OutcomeStatus::Applied; 2]);
    let again = write(&mut server, 2 * DAY, ops()).await;
    assert_eq!(statuses(&again), [proto::OutcomeStatus::NoMatch; 2]);

    assert_eq!(found(&mut server, "quinces").await, [""; 0]);
    let shown = recall(&mut server, and_archived("quinces")).await;
    assert!(shown.hits.len() == 2 && shown.hits.iter().all(|hit| hit.archived), "{shown:#?}");
    assert_eq!(held(&mut server, None).await.len(), 1, "it is true as before");
    let request = proto::GetEpisodeRequest {
        namespace: HOME.to_owned(),
        episode_id: id.clone(),
        ..Default::default()
    };
    let episode = server.memory.get_episode(request).await.expect("an answer").into_inner();
    assert!(episode.episode.is_some());
    // Nothing that was known before has changed.
    let past = proto::RecallRequest { as_of: at::tx(before, made.tx + 1), ..question("quinces") };
    let past = recall(&mut server, past).await;
    assert!(past.hits.len() == 2 && past.hits.iter().all(|hit| !hit.archived), "{past:#?}");

    write(&mut server, 3 * DAY, vec![restore_fact("ann", "likes", "quinces")]).await;
    assert_eq!(found(&mut server, "quinces").await, ["ann likes quinces"]);
    write(&mut server, 4 * DAY, vec![archive_fact("ann", "likes", "quinces")]).await;
    assert_eq!(found(&mut server, "quinces").await, [""; 0]);
    // What is said again comes up again.
    write(&mut server, 5 * DAY, vec![fact("ann", "likes", "quinces", 0, None)]).await;
    assert_eq!(found(&mut server, "quinces").await, ["ann likes quinces"]);
    for (tx, count) in [(archived.tx, 0), (archived.tx + 1, 1), (archived.tx + 2, 0)] {
        let request = proto::RecallRequest { as_of: at::tx(before, tx), ..question("quinces") };
        assert_eq!(recall(&mut server, request).await.hits.len(), count, "at {tx}");
    }
}

#[tokio::test]
async fn what_nobody_stated_cannot_be_archived() {
    let mut server = Server::start().await;
    write(&mut server, DAY, vec![fact("ann", "likes", "quinces", 0, None)]).await;
    let nothing = op::of(Kind::Archive(proto::Archive::default()));
    let cases = [
        (archive_fact("ann", "likes", "ann"), "FACT_UNKNOWN", "operations[0].archive.fact"),
        (restore_fact("bob", "likes", "ann"), "FACT_UNKNOWN", "operations[0].restore.fact"),
        (archive_episode("ep9.0"), "EPISODE_UNKNOWN", "operations[0].archive.episode_id"),
        (archive_fact("", "likes", "x"), "MISSING_FIELD", "operations[0].archive.fact.subject"),
        (nothing, "MISSING_FIELD", "operations[0].archive"),
    ];
    for (operation, expected, field) in cases {
        let (namespace, operations) = (HOME.to_owned(), vec![operation]);
        let request = proto::TransactRequest { namespace, operations, ..Default::default() };
        let refused = server.facts.transact(request).await.expect_err(expected);
        assert_eq!(reason(&refused), expected);
        let details = refused.get_error_details();
        assert_eq!(details.bad_request().expect("fields").field_violations[0].field, field);
    }
}

/// The archive travels with the log.
#[tokio::test]
async fn an_export_carries_the_archive() {
    let mut server = Server::start().await;
    write(&mut server, DAY, vec![fact("ann", "likes", "quinces", 0, None)]).await;
    let id = tell(&mut server, vec![note("Quinces are in season.")]).await.remove(0);
    let ops = vec![archive_fact("ann", "likes", "quinces"), archive_episode(&id)];
    write(&mut server, 2 * DAY, ops).await;
    write(&mut server, 3 * DAY, vec![fact("ann", "likes", "quinces", 0, None)]).await;
    let request = proto::ExportFactsRequest { namespace: HOME.to_owned(), ..Default::default() };
    let mut stream = server.facts.export_facts(request).await.expect("a stream").into_inner();
    let mut messages = Vec::new();
    server.create_namespace("copy").await;
    while let Some(exported) = stream.message().await.expect("a message") {
        messages.push(proto::ImportFactsRequest {
            namespace: "copy".to_owned(),
            tx_time: exported.tx_time,
            operations: exported.operations,
            ..Default::default()
        });
    }
    server.facts.import_facts(tokio_stream::iter(messages)).await.expect("imported");
    for (request, expected) in [(question("quinces"), 1), (and_archived("quinces"), 2)] {
        let request = proto::RecallRequest { namespace: "copy".to_owned(), ..request };
        assert_eq!(recall(&mut server, request).await.hits.len(), expected);
    }
}

#[tokio::test]
async fn an_untouched_item_goes_on_day_161_and_one_that_is_read_later() {
    let mut server = Server::start().await;
    tell(&mut server, vec![note("The spare key is under the fern.")]).await;
    transact(&mut server, vec![op::assert("ann", "owns", "barge", op::instant(0), None)]).await;
    for day in [18, 160] {
        server.clock.set(day * DAY);
        assert_eq!(sweep(&mut server, false, 0).await, [2, 0, 0, 0], "on day {day}");
    }
    // A look at the past is no reading.
    let past = proto::RecallRequest { as_of: at::valid(DAY), ..question("spare key") };
    assert_eq!(recall(&mut server, past).await.hits.len(), 1);
    assert_eq!(found(&mut server, "barge").await, ["ann owns barge"]);
    server.clock.set(161 * DAY);
    assert_eq!(sweep(&mut server, true, 0).await, [2, 1, 0, 0]);
    assert_eq!(sweep(&mut server, false, 1).await, [2, 1, 0, 0], "a dry run did nothing");
    assert_eq!(sweep(&mut server, false, 1).await, [2, 0, 0, 0], "it was done");
    assert_eq!(found(&mut server, "spare key fern").await, [""; 0]);
    assert_eq!(found(&mut server, "barge").await, ["ann owns barge"]);
    // Read twice, which stretches its life by less than a half.
    server.clock.set((161 + 161 + 161) * DAY);
    assert_eq!(sweep(&mut server, false, 0).await[1], 1);
}

#[tokio::test]
async fn what_an_owner_has_too_much_of_goes_the_least_worth_first() {
    let mut server = Server::start().await;
    let (mut changed, _) = policy(&mut server).await;
    kind(&mut changed, proto::MemoryKind::Fact).cap = Some(2);
    set_policy(&mut server, changed, 0).await.expect("set");
    let sure = |object: &str, owner: &str, confidence: f32| {
        let Some(Kind::Assert(assert)) = fact("x", "owns", object, 0, None).operation else {
            panic!("an assert")
        };
        let evidence = Some(proto::Evidence {
            confidence: Some(confidence),
            scope: of_owner(owner),
            ..Default::default()
        });
        op::of(Kind::Assert(proto::Assert { evidence, ..assert }))
    };
    let told = vec![
        sure("barge", "ann", 0.9),
        sure("canoe", "ann", 0.5),
        sure("dinghy", "ann", 0.7),
        sure("ferry", "ann", 0.6),
        sure("kayak", "bob", 0.5),
        sure("raft", "bob", 0.5),
        sure("punt", "", 0.5),
        sure("scow", "", 0.5),
        sure("yawl", "", 0.5),
    ];
    write(&mut server, DAY, told).await;
    assert_eq!(sweep(&mut server, true, 0).await[1..], [0, 2, 0]);
    assert_eq!(sweep(&mut server, false, 1).await[1..], [0, 2, 0], "one at a time");
    for (boat, count) in [("canoe", 0), ("ferry", 0), ("barge", 1), ("dinghy", 1), ("raft", 1)] {
        assert_eq!(found(&mut server, boat).await.len(), count, "{boat}");
    }
    assert_eq!(found(&mut server, "punt scow yawl").await.len(), 3, "what is everybody's");
}

const LONG: &str = "We decided to move the depot to Incheon by May. The old roof leaks in every \
    storm and the landlord will not mend it. Three firms were asked for an offer, and the second \
    one was the cheapest by far. The deadline for the signature is Friday. Everybody agreed that \
    the new hall has enough room for the next five years, and that the rent is fair. The weather \
    was mild and the coffee was good. Somebody should ask the tram company about a stop nearby.";

#[tokio::test]
async fn a_long_text_that_nobody_reads_becomes_short_and_the_past_keeps_it() {
    let mut server = Server::start().await;
    let mut archived = proto::AddEpisode { title: "depot".to_owned(), ..note(LONG) };
    archived.scope = of_owner("ann");
    let ids = tell(&mut server, vec![note(LONG), archived, note("Short enough.")]).await;
    write(&mut server, DAY, vec![archive_episode(&ids[1])]).await;
    // Read within the last while, and not often.
    server.clock.set(150 * DAY);
    assert_eq!(found(&mut server, "Incheon depot").await, [LONG]);
    server.clock.set(184 * DAY);
    let before = server.engine.now().micros();
    let counts = sweep(&mut server, false, 0).await;
    assert_eq!((counts[1], counts[3]), (1, 2), "the short one fades, the long ones shrink");
    let now = found(&mut server, "Incheon depot").await;
    let short = now.first().expect("it is found");
    assert!(now.len() == 1 && short.len() < LONG.len() && LONG.contains(&short[..20]), "{now:?}");
    let shown = recall(&mut server, and_archived("Incheon depot")).await;
    let away: Vec<&proto::Hit> = shown.hits.iter().filter(|hit| hit.archived).collect();
    let episode = away[0].episode.as_ref().expect("a text");
    assert_eq!((away.len(), episode.title.as_str()), (1, "depot"), "it stays in the archive");
    assert_eq!(episode.derived_from_ids, [ids[1].clone()]);
    assert!(!episode.grounds_gone, "the long text gave way and was not taken back");
    assert_eq!(episode.scope, of_owner("ann"));
    assert_eq!(sweep(&mut server, false, 0).await[3], 0, "what is short stays as it is");
    let past = proto::RecallRequest { as_of: at::tx(before, 2), ..question("Incheon depot") };
    assert_eq!(texts(&recall(&mut server, past).await), [LONG]);
}

#[tokio::test]
async fn core_memory_and_open_sessions_are_never_swept() {
    let mut server = Server::start().await;
    server.clock.set(DAY);
    let core = proto::AddEpisode {
        kind: proto::EpisodeKind::Core.into(),
        title: "persona".to_owned(),
        ..note("A patient clerk.")
    };
    tell(&mut server, vec![core]).await;
    let key = |session: &str| {
        Some(proto::SessionKey { session: session.to_owned(), scope: of_owner("ann") })
    };
    for session in ["open", "ended"] {
        server.clock.set(server.engine.now().micros() + SECOND);
        let turns = vec![proto::Turn {
            role: "user".to_owned(),
            content: format!("The {session} one. {LONG}"),
            time: None,
        }];
        let request = proto::AppendTurnsRequest {
            namespace: HOME.to_owned(),
            key: key(session),
            turns,
            ..Default::default()
        };
        server.memory.append_turns(request).await.expect("appended");
    }
    let request = proto::EndSessionRequest { namespace: HOME.to_owned(), key: key("ended") };
    server.memory.end_session(request).await.expect("ended");
    server.clock.set(1_000 * DAY);
    let counts = sweep(&mut server, false, 0).await;
    assert_eq!(counts, [3, 2, 0, 1], "the turn of the ended session and its summary");
    let request = proto::ListTurnsRequest {
        namespace: HOME.to_owned(),
        key: key("open"),
        ..Default::default()
    };
    let turns = server.memory.list_turns(request).await.expect("turns").into_inner().turns;
    assert_eq!(turns[0].text, format!("The open one. {LONG}"));
    assert_eq!(found(&mut server, "open depot Incheon").await.len(), 1);
}

#[tokio::test]
async fn a_token_goes_on_with_its_own_sweep_only() {
    let mut server = Server::start().await;
    tell(&mut server, vec![note("One."), note("Two.")]).await;
    let ask = |limit, page_token: &str, dry_run| proto::SweepMemoriesRequest {
        namespace: HOME.to_owned(),
        limit,
        dry_run,
        page_token: page_token.to_owned(),
        ..Default::default()
    };
    let first = server.memory.sweep_memories(ask(1, "", true)).await.expect("one").into_inner();
    assert!(first.tx == 0 && first.counts[0].looked_at == 1, "{first:?}");
    let other = ask(1, &first.next_page_token, false);
    let refused = server.memory.sweep_memories(other).await.expect_err("of a dry run");
    assert_eq!(reason(&refused), "INVALID_PAGE_TOKEN");
    assert!(server.memory.sweep_memories(ask(5_000, "", true)).await.is_ok());
    let refused = server.memory.sweep_memories(ask(5_001, "", true)).await.expect_err("too many");
    assert_eq!(reason(&refused), "LIMIT_EXCEEDED");
}

/// Whatever was recorded, a sweep changes nothing of what was known before it.
#[tokio::test]
async fn a_past_basis_never_changes_by_a_sweep() {
    for seed in [3, 17] {
        let mut server = Server::start().await;
        let mut log = Log::new(seed);
        log.begin(&mut server, HOME).await;
        let mut last = 0;
        for step in 2..30 {
            last = log.step(&mut server, HOME, step * DAY).await.max(last);
            if step % 7 == 0 {
                last += 1;
                tell(&mut server, vec![note(&format!("Of ann, bob and cid, {step}. {LONG}"))])
                    .await;
            }
        }
        let mut before = Vec::new();
        for tx in 1..=last {
            before.push(shown(&mut server, tx).await);
        }
        server.clock.set(300 * DAY);
        let [.., archived, _, compacted] = sweep(&mut server, false, 7).await;
        assert!(archived > 0 && compacted > 0, "{seed}: {archived}, {compacted}");
        for (tx, before) in (1..=last).zip(before) {
            assert_eq!(shown(&mut server, tx).await, before, "{seed}, at {tx}");
        }
        server.stop().await;
    }
}

/// What is found and what holds as of a transaction, at one instant of the log and far after it.
async fn shown(server: &mut Server, tx: u64) -> Vec<String> {
    let mut all = Vec::new();
    for valid in [5, 29 * DAY] {
        all.extend(held(server, at::tx(valid, tx)).await);
        let request = proto::RecallRequest {
            as_of: at::tx(valid, tx),
            limit: 200,
            ..question(&SUBJECTS.join(" "))
        };
        let answer = recall(server, request).await;
        let mut texts: Vec<String> = texts(&answer).into_iter().map(str::to_owned).collect();
        texts.sort();
        all.extend(texts);
    }
    all
}
