//! Tools over HTTP refuse what the services refuse, for the same reasons. What they do is asked by
//! `tests/mcp`, through a client that others wrote.

use serde_json::{Value, json};
use tonic::Status;

use tenure::rpc::proto;

use crate::ask::{request, violations};
use crate::bad_input::{dated, start};
use crate::json::http;
use crate::support::{Server, op, reason};

async fn call(server: &Server, path: &str, tool: &str, arguments: Value) -> Value {
    let message = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": { "name": tool, "arguments": arguments },
    });
    let answer = http()
        .post(format!("{}{path}", server.url()))
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-11-25")
        .json(&message)
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.status(), 200, "{tool}");
    let answer: Value = answer.json().await.expect("JSON");
    answer["result"].clone()
}

/// What a tool tells of a refusal is what the status tells.
fn check(result: &Value, status: &Status) {
    assert_eq!(result["isError"], true, "{result}");
    let error = &result["structuredContent"]["error"];
    assert_eq!(error["reason"], json!(reason(status)));
    assert_eq!(error["message"], json!(status.message()));
    let told = error["violations"].as_array().expect("violations").iter();
    let told: Vec<_> = told
        .map(|found| [&found["field"], &found["reason"]].map(|text| text.as_str().expect("text")))
        .collect();
    let wanted = violations(status);
    let wanted: Vec<_> =
        wanted.iter().map(|(field, reason)| [field.as_str(), reason.as_str()]).collect();
    assert_eq!(told, wanted);
}

#[tokio::test]
async fn a_tool_is_refused_for_the_reasons_of_its_call() {
    let mut server = start().await;
    for (from, to) in [("2026-13-40", None), ("2025", Some("2020")), ("2025", Some("2025"))] {
        let status = server.facts.transact(request(vec![dated(from, to)])).await;
        let status = status.expect_err("a refusal");
        let arguments = json!({
            "subject": "d1", "predicate": "head", "object": "bob", "from": from, "to": to,
        });
        check(&call(&server, "/mcp", "assert_fact", arguments).await, &status);
    }
    let blank = op::assert("", "p", "o", None, None);
    let status = server.facts.transact(request(vec![blank])).await.expect_err("a refusal");
    let arguments = json!({"subject": "", "predicate": "p", "object": "o"});
    check(&call(&server, "/mcp/default", "assert_fact", arguments).await, &status);

    let nobody = proto::TraverseRequest {
        namespace: "default".to_owned(),
        start: "nobody".to_owned(),
        ..Default::default()
    };
    let status = server.graph.traverse(nobody).await.expect_err("a refusal");
    check(&call(&server, "/mcp", "connections", json!({"start": "nobody"})).await, &status);

    let nowhere = proto::ListFactsRequest { namespace: "a b".to_owned(), ..Default::default() };
    let status = server.facts.list_facts(nowhere).await.expect_err("a refusal");
    check(&call(&server, "/mcp/a%20b", "facts_as_of", json!({})).await, &status);
    check(&call(&server, "/mcp-memory/a%20b", "read_graph", json!({})).await, &status);
    server.stop().await;
}
