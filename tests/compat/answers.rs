//! Everything a directory answers, as text: it must be the same whatever format it came from. The
//! text has its own words, so that a new field of a message does not change old pages.

use std::fmt::Write;

use tenure::rpc::proto;

use crate::support::{Server, at, op};

const VALID: [i64; 5] = [5, 15, 25, 45, 70];
const TXS: [u64; 4] = [2, 6, 8, 10];

pub(crate) async fn answers(server: &mut Server) -> String {
    let mut page = names(server).await;
    let facts = facts(server, &mut page).await;
    timelines(server, &mut page).await;
    conflicts(server, &mut page).await;
    episodes(server, &mut page).await;
    for fact in facts {
        explained(server, &mut page, &fact).await;
    }
    page
}

/// One line of the page.
fn line(page: &mut String, text: &str) {
    writeln!(page, "{text}").expect("a string takes all");
}

async fn names(server: &mut Server) -> String {
    let mut page = String::new();
    let all = proto::ListNamespacesRequest::default();
    let all = server.admin.list_namespaces(all).await.expect("an answer").into_inner();
    for proto::Namespace { name, zone, create_time, .. } in all.namespaces {
        line(&mut page, &format!("namespace {name}, zone {zone:?}, made {}", micros(create_time)));
        let verified = verify(server, &name).await;
        let (txs, statements) = (verified.transactions, verified.statements);
        let (rectangles, groups) = (verified.rectangles, verified.groups);
        let counts = format!("{txs} txs, {statements} statements, {rectangles} rectangles");
        line(&mut page, &format!("  {counts}, {groups} groups"));
    }
    page
}

async fn verify(server: &mut Server, namespace: &str) -> proto::VerifyResponse {
    let request = proto::VerifyRequest { namespace: namespace.to_owned() };
    let verified = server.admin.verify(request).await.expect("an answer").into_inner();
    assert!(verified.clean, "{verified:?}");
    verified
}

/// What holds at each basis. Gives the ids of all facts that ever held.
async fn facts(server: &mut Server, page: &mut String) -> Vec<String> {
    let mut ids = Vec::new();
    for valid in VALID {
        for tx in TXS {
            let namespace = "default".to_owned();
            let as_of = at::tx(valid, tx);
            let request = proto::ListFactsRequest { namespace, as_of, ..Default::default() };
            let answer = server.facts.list_facts(request).await.expect("an answer").into_inner();
            line(page, &format!("facts at {valid}, tx {tx}"));
            for rectangle in &answer.rectangles {
                ids.push(rectangle.fact_id.clone());
                line(page, &format!("  {}", shown(rectangle)));
            }
        }
    }
    ids.sort_unstable();
    ids.dedup();
    ids
}

async fn timelines(server: &mut Server, page: &mut String) {
    for (subject, predicate) in [("Ann", "works_at"), ("Ann", "knows"), ("Annie", "knows")] {
        for audit in [false, true] {
            let request = proto::GetTimelineRequest {
                namespace: "default".to_owned(),
                subject: subject.to_owned(),
                predicate: predicate.to_owned(),
                audit,
                ..Default::default()
            };
            let answer = server.facts.get_timeline(request).await.expect("an answer");
            line(page, &format!("timeline {subject} {predicate}, audit {audit}"));
            for rectangle in answer.into_inner().rectangles {
                line(page, &format!("  {}", shown(&rectangle)));
            }
        }
    }
}

async fn conflicts(server: &mut Server, page: &mut String) {
    let namespace = "default".to_owned();
    let request =
        proto::ListConflictsRequest { namespace, include_settled: true, ..Default::default() };
    let answer = server.facts.list_conflicts(request).await.expect("an answer").into_inner();
    for conflict in answer.conflicts {
        let proto::Conflict { id, tx_from, tx_to, .. } = &conflict;
        let against: Vec<&str> = conflict.against.iter().map(|other| other.id.as_str()).collect();
        let kind = conflict.kind().as_str_name();
        line(page, &format!("conflict {id} {kind} against {against:?} tx {tx_from}..{tx_to:?}"));
    }
}

/// Nothing where there are none, as in formats that had none.
async fn episodes(server: &mut Server, page: &mut String) {
    for tx in TXS {
        let (namespace, as_of) = ("default".to_owned(), at::tx(15, tx));
        let request = proto::ListEpisodesRequest { namespace, as_of, ..Default::default() };
        let answer = server.memory.list_episodes(request).await.expect("an answer").into_inner();
        for episode in answer.episodes {
            let proto::Episode { id, text, speaker, session, source, importance, .. } = &episode;
            let said = format!("{speaker:?} {session:?} {source:?} {importance:?} {text:?}");
            line(
                page,
                &format!("episode {id} at tx {tx}: {} {said}", episode.kind().as_str_name()),
            );
        }
    }
}

async fn explained(server: &mut Server, page: &mut String, fact: &str) {
    for (valid, tx) in [(15, 4), (45, 8), (70, 10)] {
        let request = proto::ExplainFactRequest {
            namespace: "default".to_owned(),
            fact_id: fact.to_owned(),
            as_of: at::tx(valid, tx),
        };
        let Ok(answer) = server.facts.explain_fact(request).await else {
            line(page, &format!("explain {fact} at {valid}, tx {tx}: not known"));
            continue;
        };
        let answer = answer.into_inner();
        let (owner, ended) = (&answer.owner_statement_id, answer.known_ended);
        line(page, &format!("explain {fact} at {valid}, tx {tx}: owner {owner:?}, ended {ended}"));
        if let Some(rectangle) = &answer.visible {
            line(page, &format!("  visible: {}", shown(rectangle)));
        }
        for statement in &answer.statements {
            line(page, &format!("  said: {}", said(statement)));
        }
        for explained in &answer.rectangles {
            let rectangle = explained.rectangle.as_ref().expect("it is always there");
            let supersedes = explained.supersedes.len();
            line(page, &format!("  because: {}, supersedes {supersedes}", shown(rectangle)));
        }
    }
}

fn shown(rectangle: &proto::Rectangle) -> String {
    let proto::Rectangle { fact_id, subject, predicate, tx_from, tx_to, .. } = rectangle;
    let object = object(rectangle.object.as_ref());
    let (from, to) = (micros(rectangle.valid_from), micros(rectangle.valid_to));
    let reason = rectangle.close_reason().as_str_name();
    let tx_to = tx_to.map_or_else(|| "still".to_owned(), |tx| tx.to_string());
    format!("{fact_id} {subject} {predicate} {object} [{from},{to}) tx {tx_from}..{tx_to} {reason}")
}

fn said(statement: &proto::Statement) -> String {
    let proto::Statement { id, subject, predicate, contested, withdrawn, .. } = statement;
    let object = object(statement.object.as_ref());
    let kind = statement.kind().as_str_name();
    let (from, to) = (micros(statement.from), micros(statement.to));
    let written = statement.from_written.as_ref().map(|date| date.text.as_str());
    let evidence = statement.evidence.clone().unwrap_or_default();
    let trust = evidence.trust().as_str_name();
    let proto::Evidence { source, confidence, statement: text, .. } = evidence;
    format!(
        "{id} {subject} {predicate} {object} {kind} [{from},{to}) written {written:?} contested \
         {contested} withdrawn {withdrawn} {trust} {source:?} {confidence:?} {text:?}"
    )
}

fn object(object: Option<&proto::Object>) -> String {
    use proto::value::Value::{Boolean, Integer, Number, Text, Time};
    match object.and_then(|object| object.object.as_ref()) {
        Some(proto::object::Object::Entity(name)) => name.clone(),
        Some(proto::object::Object::Value(value)) => match &value.value {
            Some(Boolean(value)) => value.to_string(),
            Some(Integer(value)) => value.to_string(),
            Some(Number(value)) => format!("{value:?}"),
            Some(Time(at)) => format!("@{}", at.unix_micros),
            Some(Text(text)) => format!("{text:?}"),
            None => panic!("a value that is none"),
        },
        None => panic!("a fact without an object"),
    }
}

fn micros(at: Option<proto::Instant>) -> String {
    at.map_or_else(|| "-".to_owned(), |at| at.unix_micros.to_string())
}

/// Requests that were sent before the directory was packed are known, and new ones are taken.
pub(crate) async fn goes_on(server: &mut Server) {
    let write = |id: &str, operations: Vec<proto::Operation>| proto::TransactRequest {
        namespace: "default".to_owned(),
        request_id: id.to_owned(),
        operations,
        ..Default::default()
    };
    let cho = op::assert("Annie", "knows", "Cho", op::instant(5), op::instant(30));
    let again = server.facts.transact(write("request 3", vec![cho])).await.expect("it is known");
    let again = again.into_inner();
    assert!(again.replayed && again.tx == 4, "{again:?}");
    let dan = op::assert("Ann", "knows", "Dan", op::instant(5), None);
    let new = server.facts.transact(write("new", vec![dan])).await.expect("it is taken");
    assert_eq!(new.into_inner().tx, 11);
    verify(server, "default").await;
}
