//! What is for some alone: in every answer a caller gets exactly what its owner and labels allow.

use serde_json::{Value, json};

use crate::json::http;
use crate::support::Server;

/// For whom a request asks, as one backend does for its users.
#[derive(Clone, Copy)]
struct For {
    owner: &'static str,
    labels: &'static str,
}

const ANN: For = For { owner: "ann", labels: "" };
const ANN_HR: For = For { owner: "ann", labels: "hr" };
const BOB: For = For { owner: "bob", labels: "" };
const NOBODY: For = For { owner: "", labels: "" };

/// The status and the whole answer as text, streams included.
async fn ask(server: &Server, method: &str, who: Option<For>, body: &Value) -> (u16, String) {
    let mut request = http().post(format!("{}/tenure.v1.{method}", server.url())).json(body);
    if let Some(For { owner, labels }) = who {
        request = request.header("tenure-labels", labels);
        if !owner.is_empty() {
            request = request.header("tenure-owner", owner);
        }
    }
    let response = request.send().await.expect("an answer");
    let status = response.status().as_u16();
    (status, response.text().await.expect("text"))
}

async fn told(server: &Server, who: Option<For>, operations: Value) -> Value {
    let body = json!({"namespace": "default", "operations": operations});
    let (status, reply) = ask(server, "FactService/Transact", who, &body).await;
    assert_eq!(status, 200, "{reply}");
    serde_json::from_str(&reply).expect("JSON")
}

fn assert(subject: &str, predicate: &str, object: &str, statement: &str) -> Value {
    let triple = json!({"subject": subject, "predicate": predicate, "object": {"entity": object}});
    let evidence = json!({"statement": statement});
    json!({"assert": {"triple": triple, "from": {"date": {"text": "1970"}}, "evidence": evidence}})
}

/// The same with a scope of its own.
fn scoped(mut operation: Value, scope: Value) -> Value {
    operation["assert"]["evidence"]["scope"] = scope;
    operation
}

/// Something for everybody, for Ann, for Ann and holders of `hr`, and for Bob. Whatever is for Ann has
/// `zebra` in it, whatever needs the label `ledger`.
async fn start() -> Server {
    let server = Server::start().await;
    server.clock.set(1_000_000);
    told(
        &server,
        None,
        json!([
            {"declarePredicate": {"predicate": "head", "cardinality": "CARDINALITY_ONE"}},
            assert("Desk", "head", "Cid", "Cid heads the desk"),
            assert("Cid", "knows", "Dora", "Cid knows Dora"),
        ]),
    )
    .await;
    let both = json!([
        assert("Desk", "head", "zebra Amy", "the zebra said Amy heads the desk"),
        assert("zebra Amy", "knows", "Dora", "zebra Amy knows Dora"),
        assert("Desk", "head", "zebra Eve", "another zebra said Eve does"),
    ]);
    for operation in both.as_array().expect("a list") {
        // One after the other: a conflict between the two is for Ann alone as well.
        told(&server, Some(ANN), json!([operation])).await;
    }
    let pay = assert("Dora", "paid", "ledger zebra band 7", "the ledger zebra is secret");
    told(&server, Some(ANN_HR), json!([scoped(pay, json!({"owner": "ann", "labels": ["hr"]}))]))
        .await;
    told(&server, Some(BOB), json!([assert("Desk", "head", "Bo", "Bob says Bo heads it")])).await;
    let episodes = json!({
        "namespace": "default",
        "episodes": [{"text": "zebra notes of Ann about the desk", "session": "zebra session"}],
    });
    let (status, reply) = ask(&server, "MemoryService/AddEpisodes", Some(ANN), &episodes).await;
    assert_eq!(status, 200, "{reply}");
    server
}

/// Every read there is, asked so that it finds what is hidden if it can.
fn reads(fact: &str) -> Vec<(&'static str, Value)> {
    let ns = |mut body: Value| {
        body["namespace"] = json!("default");
        body
    };
    let instant = |micros: i64| json!({"instant": {"unixMicros": micros.to_string()}});
    let all = json!({"from": instant(0), "to": instant(9_000_000)});
    vec![
        ("FactService/GetFact", ns(json!({"factId": fact}))),
        ("FactService/ListFacts", ns(json!({}))),
        ("FactService/ListFacts", ns(json!({"pattern": {"predicates": ["head", "paid"]}}))),
        ("FactService/ListFacts", ns(json!({"overlapping": all}))),
        ("FactService/ListFacts", ns(json!({"pattern": {"subject": "zebra Amy"}}))),
        ("FactService/ListFacts", ns(json!({"pattern": {"object": {"entity": "Dora"}}}))),
        (
            "FactService/BatchGetFacts",
            ns(json!({"patterns": [{"subject": "Desk"}, {"subject": "Dora"}]})),
        ),
        ("FactService/GetTimeline", ns(json!({"subject": "Desk", "predicate": "head"}))),
        (
            "FactService/GetTimeline",
            ns(json!({"subject": "Desk", "predicate": "head", "audit": true})),
        ),
        ("FactService/GetBeliefHistory", ns(json!({"subject": "Desk", "predicate": "head"}))),
        ("FactService/DiffFacts", ns(json!({"from": {"known": {"tx": "1"}}, "to": {}}))),
        ("FactService/ExplainFact", ns(json!({"factId": fact}))),
        ("FactService/ListConflicts", ns(json!({"includeSettled": true}))),
        ("FactService/ExportFacts", ns(json!({}))),
        (
            "GraphService/Traverse",
            ns(json!({"start": "Desk", "hops": 3, "direction": "DIRECTION_BOTH"})),
        ),
        (
            "GraphService/Traverse",
            ns(json!({"start": "Dora", "hops": 3, "direction": "DIRECTION_BOTH"})),
        ),
        ("GraphService/FindPaths", ns(json!({"start": "Desk", "end": "Dora", "anyTime": true}))),
        ("GraphService/GetEntity", ns(json!({"name": "Dora"}))),
        ("GraphService/GetEntity", ns(json!({"name": "zebra Amy"}))),
        ("GraphService/ResolveEntity", ns(json!({"text": "who is zebra Amy"}))),
        ("GraphService/ListEntities", ns(json!({}))),
        ("MemoryService/ListEpisodes", ns(json!({}))),
        ("MemoryService/GetEpisode", ns(json!({"episodeId": "ep7.0"}))),
        ("MemoryService/GetSession", ns(json!({"key": {"session": "zebra session"}}))),
        ("MemoryService/ListTurns", ns(json!({"key": {"session": "zebra session"}}))),
        ("MemoryService/Recall", ns(json!({"query": "zebra desk Amy ledger"}))),
        ("MemoryService/Recall", ns(json!({"query": "zebra", "legs": ["LEG_TEXT"]}))),
        ("MemoryService/Recall", ns(json!({"query": "zebra notes", "legs": ["LEG_VECTOR"]}))),
        ("MemoryService/Recall", ns(json!({"query": "Desk", "legs": ["LEG_GRAPH"]}))),
        ("MemoryService/Recall", ns(json!({"query": "zebra", "history": true}))),
        ("MemoryService/Recall", ns(json!({"query": "pay", "seeds": ["Dora"]}))),
    ]
}

/// The id of what Ann alone was told.
async fn hidden_fact(server: &Server) -> String {
    let body = json!({"namespace": "default", "pattern": {"object": {"entity": "zebra Eve"}}});
    let (_, reply) = ask(server, "FactService/ListFacts", Some(ANN), &body).await;
    let reply: Value = serde_json::from_str(&reply).expect("JSON");
    reply["rectangles"][0]["factId"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn no_answer_holds_what_its_caller_may_not_see() {
    let server = start().await;
    let fact = hidden_fact(&server).await;
    let mut shown = 0;
    for (method, body) in reads(&fact) {
        for who in [BOB, NOBODY] {
            let (status, reply) = ask(&server, method, Some(who), &body).await;
            // What was asked for by a name is told back in the error about it.
            let told = reply.replace("zebra Amy", "");
            let clean = !told.contains("zebra") && !told.contains("ledger");
            assert!(clean || status == 404, "{method} {body} {}: {reply}", who.owner);
        }
        let (_, reply) = ask(&server, method, Some(ANN), &body).await;
        assert!(!reply.contains("ledger"), "{method} {body}: {reply}");
        shown += usize::from(reply.contains("zebra"));
        let (_, whole) = ask(&server, method, None, &body).await;
        let labelled = ask(&server, method, Some(ANN_HR), &body).await.1;
        assert!(whole.contains("zebra") >= reply.contains("zebra"), "{method}: {whole}");
        assert!(labelled.contains("ledger") <= whole.contains("ledger"), "{method}");
    }
    assert!(shown >= 22, "{shown} answers show Ann what is hers");
    server.stop().await;
}

#[tokio::test]
async fn owners_do_not_displace_each_other() {
    let server = start().await;
    let body =
        json!({"namespace": "default", "pattern": {"subject": "Desk", "predicates": ["head"]}});
    for (who, heads) in [
        (Some(NOBODY), &["Cid"][..]),
        (Some(BOB), &["Bo", "Cid"]),
        (Some(ANN), &["Cid", "zebra Eve"]),
        (None, &["Bo", "Cid", "zebra Eve"]),
    ] {
        let (_, reply) = ask(&server, "FactService/ListFacts", who, &body).await;
        let reply: Value = serde_json::from_str(&reply).expect("JSON");
        let rows = reply["rectangles"].as_array().expect("rows");
        let mut found: Vec<_> =
            rows.iter().map(|row| row["object"]["entity"].as_str().expect("a name")).collect();
        found.sort_unstable();
        assert_eq!(found, heads);
        for row in rows {
            let owner = match row["object"]["entity"].as_str() {
                Some("Bo") => json!("bob"),
                Some("Cid") => Value::Null,
                _ => json!("ann"),
            };
            assert_eq!(row["scope"]["owner"], owner, "{row}");
        }
    }
    server.stop().await;
}

fn against(field: &str) -> Value {
    let mut operation = assert("Bo", "knows", "Dora", "");
    operation["assert"][field] = json!(["5.0"]);
    operation
}

fn drawn_from(field: &str, ids: Value) -> Value {
    let mut operation = assert("Bo", "knows", "Dora", "");
    operation["assert"]["evidence"][field] = ids;
    operation
}

#[tokio::test]
async fn nobody_speaks_for_another_or_changes_what_others_see() {
    let server = start().await;
    let before =
        ask(&server, "FactService/ExportFacts", None, &json!({"namespace": "default"})).await;
    let other = scoped(assert("Desk", "head", "X", "x"), json!({"owner": "bob"}));
    let label = scoped(assert("Desk", "head", "X", "x"), json!({"owner": "ann", "labels": ["hr"]}));
    let denied = [
        other,
        label,
        json!({"merge": {"duplicate": "Cid", "into": "Dora"}}),
        json!({"unmerge": {"duplicate": "Cid"}}),
        json!({"declarePredicate": {"predicate": "head", "cardinality": "CARDINALITY_MANY"}}),
        json!({"withdrawSource": {"source": "anything"}}),
    ];
    for operation in denied {
        let body = json!({"namespace": "default", "operations": [operation]});
        let (status, reply) = ask(&server, "FactService/Transact", Some(ANN), &body).await;
        assert_eq!(status, 403, "{body}: {reply}");
        assert!(reply.contains("SCOPE_DENIED"), "{reply}");
        // In part it is left out, and the log is told as well.
        let partial = json!({
            "namespace": "default",
            "mode": "TRANSACT_MODE_PARTIAL",
            "operations": body["operations"],
        });
        let (status, reply) = ask(&server, "FactService/Transact", Some(ANN), &partial).await;
        assert_eq!(status, 200, "{reply}");
        assert!(reply.contains("SCOPE_DENIED"), "{reply}");
    }
    let episode = json!({"text": "x", "scope": {"owner": "bob"}});
    let body = json!({"namespace": "default", "episodes": [episode]});
    let (status, _) = ask(&server, "MemoryService/AddEpisodes", Some(ANN), &body).await;
    assert_eq!(status, 403);
    let (_, log) = ask(&server, "AdminService/ListAuditEvents", None, &json!({})).await;
    let log: Value = serde_json::from_str(&log).expect("JSON");
    let denials = log["events"].as_array().expect("events").iter();
    let denials = denials.filter(|event| event["action"] == "SCOPE_DENIED");
    let count = |event: &Value| event["count"].as_str().map_or(1, |n| n.parse().expect("a count"));
    assert_eq!(denials.map(count).sum::<u64>(), 13, "six whole, six in part, an episode: {log}");
    // What is hidden from Bob is unknown to him.
    for (operation, reason) in [
        (json!({"retractEpisode": {"episodeId": "ep7.0"}}), "EPISODE_UNKNOWN"),
        (json!({"accept": {"statementId": "2.0"}}), "STATEMENT_UNKNOWN"),
        // The list of conflicts would show it to him.
        (against("contestedAgainstIds"), "STATEMENT_UNKNOWN"),
        (drawn_from("derivedFromIds", json!(["5.0"])), "STATEMENT_UNKNOWN"),
        (drawn_from("episodeId", json!("ep7.0")), "EPISODE_UNKNOWN"),
    ] {
        let body = json!({"namespace": "default", "operations": [operation]});
        let (status, reply) = ask(&server, "FactService/Transact", Some(BOB), &body).await;
        assert_eq!(status, 404, "{reply}");
        assert!(reply.contains(reason), "{reply}");
    }
    for method in ["AdminService/GetStatistics", "AdminService/Verify"] {
        let (status, reply) =
            ask(&server, method, Some(ANN), &json!({"namespace": "default"})).await;
        assert_eq!(status, 403, "{method}: {reply}");
    }
    let after =
        ask(&server, "FactService/ExportFacts", None, &json!({"namespace": "default"})).await;
    assert_eq!(before, after);
    server.stop().await;
}

#[tokio::test]
async fn requests_of_two_owners_under_one_key_are_two_requests() {
    let server = Server::start().await;
    server.clock.set(1_000_000);
    let body = json!({
        "namespace": "default",
        "requestId": "monday",
        "operations": [assert("Desk", "head", "Cid", "")],
    });
    for (who, tx, replayed) in [(ANN, "1", false), (BOB, "2", false), (ANN, "1", true)] {
        let (_, reply) = ask(&server, "FactService/Transact", Some(who), &body).await;
        let reply: Value = serde_json::from_str(&reply).expect("JSON");
        assert_eq!(reply["tx"], tx);
        assert_eq!(reply["replayed"].as_bool().unwrap_or_default(), replayed);
    }
    server.stop().await;
}

/// What is for one owner is found, exported and imported as that.
#[tokio::test]
async fn a_scope_survives_an_export() {
    let server = start().await;
    let asked = json!({"namespace": "default"});
    let (_, lines) = ask(&server, "FactService/ExportFacts", None, &asked).await;
    let (status, made) =
        ask(&server, "AdminService/CreateNamespace", None, &json!({"name": "copy"})).await;
    assert_eq!(status, 200, "{made}");
    for line in lines.lines() {
        let row: Value = serde_json::from_str(line).expect("JSON");
        let body = json!({"namespace": "copy", "operations": row["operations"]});
        let (status, reply) = ask(&server, "FactService/Transact", None, &body).await;
        assert_eq!(status, 200, "{reply}");
    }
    for who in [None, Some(ANN), Some(ANN_HR), Some(BOB), Some(NOBODY)] {
        let list = |namespace: &'static str| json!({"namespace": namespace});
        let (_, there) = ask(&server, "FactService/ListFacts", who, &list("default")).await;
        let (_, here) = ask(&server, "FactService/ListFacts", who, &list("copy")).await;
        let rows = |text: &str| {
            let reply: Value = serde_json::from_str(text).expect("JSON");
            let rows = reply["rectangles"].as_array().cloned().unwrap_or_default();
            let part = |row: &Value| {
                format!(
                    "{} {} {} {}",
                    row["subject"], row["predicate"], row["object"], row["scope"]
                )
            };
            rows.iter().map(part).collect::<Vec<_>>()
        };
        assert_eq!(rows(&here), rows(&there));
    }
    server.stop().await;
}
