//! JSON over HTTP: what `curl` sends and sees, and what a client of the Connect protocol does.

use prost::Message;
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value, json};

use tenure::rpc::proto;
use tenure::types::limits::MESSAGE_BYTES_MAX;

use crate::ask::{fact, write};
use crate::support::{Server, op};

async fn start() -> Server {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![op::one("head"), fact("d1", "head", "ann", 10, None)]).await;
    server
}

/// Plain HTTP, but the client wants to know who would encrypt.
pub(crate) fn http() -> Client {
    // Another test may have been first.
    drop(rustls::crypto::ring::default_provider().install_default());
    Client::new()
}

fn ask(server: &Server, method: &str) -> RequestBuilder {
    http().post(format!("{}/tenure.v1.{method}", server.url()))
}

pub(crate) async fn post(server: &Server, method: &str, body: &Value) -> (u16, Value) {
    let response = ask(server, method).json(body).send().await.expect("an answer");
    let status = response.status().as_u16();
    (status, response.json().await.expect("JSON"))
}

fn header(response: &Response, name: &str) -> String {
    let value = response.headers().get(name).map(|value| value.to_str().expect("text"));
    value.unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_fact_is_written_and_read() {
    let server = start().await;
    let triple = json!({"subject": "d1", "predicate": "head", "object": {"entity": "bob"}});
    let write = json!({
        "namespace": "default",
        "operations": [{"assert": {"triple": triple, "from": {"date": {"text": "1970-01-02"}}}}],
    });
    let (status, written) = post(&server, "FactService/Transact", &write).await;
    assert_eq!((status, &written["tx"]), (200, &json!("2")), "64-bit numbers are strings");
    assert_eq!(written["outcomes"][0]["status"], "OUTCOME_STATUS_APPLIED");
    let at = |text: &str| json!({"valid": {"date": {"text": text}}});
    for (date, head) in [("1970-01-01T00:00:01Z", "ann"), ("1970-01-03", "bob")] {
        let read = json!({"namespace": "default", "as_of": at(date)});
        let (_, listed) = post(&server, "FactService/ListFacts", &read).await;
        let rows = listed["rectangles"].as_array().expect("rows");
        let heads: Vec<_> = rows.iter().map(|row| &row["object"]["entity"]).collect();
        assert_eq!(heads, [head], "{date}");
        assert_eq!(listed["basis"]["tx"], "2");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_stream_is_lines_or_envelopes() {
    let server = start().await;
    let asked = json!({"namespace": "default"});
    let lines = ask(&server, "FactService/ExportFacts").json(&asked).send().await;
    let lines = lines.expect("an answer");
    assert_eq!(header(&lines, "content-type"), "application/x-ndjson");
    let lines = lines.text().await.expect("lines");
    let exported: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(exported[0]["tx"], "1");
    assert_eq!(exported[0]["operations"].as_array().map(Vec::len), Some(2));

    let envelopes = ask(&server, "FactService/ExportFacts")
        .header("content-type", "application/connect+json")
        .body(envelope(asked.to_string().as_bytes()))
        .send()
        .await
        .expect("an answer");
    assert_eq!(header(&envelopes, "content-type"), "application/connect+json");
    let told = opened(&envelopes.bytes().await.expect("a body"));
    assert_eq!(told, [(0, exported[0].clone()), (2, json!({}))]);
    let nowhere = proto::ExportFactsRequest { namespace: "nowhere".to_owned(), from_tx: 0 };
    for (content, body) in [
        ("application/connect+json", envelope(br#"{"namespace": "nowhere"}"#)),
        ("application/connect+proto", envelope(&nowhere.encode_to_vec())),
    ] {
        let missing = ask(&server, "FactService/ExportFacts").header("content-type", content);
        let missing = missing.body(body).send().await.expect("an answer");
        assert_eq!(missing.status(), 200, "a stream says in its end how it ended");
        assert_eq!(header(&missing, "content-type"), content);
        let told = opened(&missing.bytes().await.expect("a body"));
        assert_eq!((told.len(), told[0].0), (1, 2));
        assert_eq!(told[0].1["error"]["code"], "not_found");
    }
    server.stop().await;
}

#[tokio::test]
async fn lines_are_imported_until_one_is_no_message() {
    let server = start().await;
    let line = |subject: &str| {
        let triple = json!({"subject": subject, "predicate": "is", "object": {"entity": "here"}});
        json!({"namespace": "default", "operations": [{"assert": {"triple": triple}}]})
    };
    let import = |body: String| {
        let asked = ask(&server, "FactService/ImportFacts");
        asked.header("content-type", "application/x-ndjson").body(body).send()
    };
    let good = import(format!("{}\n\n{}", line("a"), line("b"))).await.expect("an answer");
    let told: Value = good.json().await.expect("JSON");
    assert_eq!((&told["applied"], &told["tx"]), (&json!("2"), &json!("3")));
    let bad = import(format!("{}\n{{\"tx\": 1}}\n", line("c"))).await.expect("an answer");
    assert_eq!(bad.status(), 400);
    let told: Value = bad.json().await.expect("JSON");
    assert_eq!(told["details"][0]["debug"]["reason"], "MALFORMED_FIELD");
    server.stop().await;
}

fn envelope(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).expect("short").to_be_bytes();
    [&[0], &length[..], message].concat()
}

fn opened(mut body: &[u8]) -> Vec<(u8, Value)> {
    let mut found = Vec::new();
    while let [flags, a, b, c, d, rest @ ..] = body {
        let (text, after) = rest.split_at(u32::from_be_bytes([*a, *b, *c, *d]) as usize);
        found.push((*flags, serde_json::from_slice(text).expect("JSON")));
        body = after;
    }
    found
}

#[tokio::test]
async fn what_is_no_call_is_told_so() {
    let server = start().await;
    let (status, told) = post(&server, "FactService/Wish", &json!({})).await;
    assert_eq!((status, &told["code"]), (501, &json!("unimplemented")));
    let get = http().get(format!("{}/tenure.v1.AdminService/Ping", server.url()));
    let get = get.send().await.expect("an answer");
    assert_eq!((get.status().as_u16(), header(&get, "allow").as_str()), (405, "POST"));
    // A page of another origin may send this without being asked whether it may.
    let simple = ask(&server, "AdminService/Ping").header("content-type", "text/plain").body("{}");
    assert_eq!(simple.send().await.expect("an answer").status(), 415);
    let elsewhere = http().get(format!("{}/nothing", server.url())).send().await;
    assert_eq!(elsewhere.expect("an answer").status(), 404);
    let renamed = ask(&server, "AdminService/Ping").header("host", "evil.example").json(&json!({}));
    let renamed = renamed.send().await.expect("an answer");
    assert_eq!(renamed.status(), 403);
    let zipped = ask(&server, "AdminService/Ping").header("content-encoding", "gzip");
    assert_eq!(zipped.json(&json!({})).send().await.expect("an answer").status(), 501);
    let late = ask(&server, "AdminService/Ping").header("connect-timeout-ms", "soon");
    assert_eq!(late.json(&json!({})).send().await.expect("an answer").status(), 400);
    server.stop().await;
}

#[tokio::test]
async fn a_watcher_runs_out_of_time() {
    let server = start().await;
    let watch = ask(&server, "FactService/WatchFacts")
        .header("connect-timeout-ms", "50")
        .json(&json!({"namespace": "default"}));
    let watch = watch.send().await.expect("an answer");
    assert_eq!(watch.status(), 200, "the head comes in time");
    let told: Value = watch.json().await.expect("one line");
    assert_eq!(told["error"]["code"], "deadline_exceeded");
    server.stop().await;
}

#[tokio::test]
async fn a_message_that_is_too_long_is_not_read_to_its_end() {
    let server = start().await;
    let long = " ".repeat(MESSAGE_BYTES_MAX + 1);
    for content in ["application/json", "application/proto"] {
        let ping = ask(&server, "AdminService/Ping").header("content-type", content);
        let told = ping.body(long.clone()).send().await.expect("an answer");
        assert_eq!(told.status(), 400, "{content}");
        let told: Value = told.json().await.expect("JSON");
        assert_eq!(told["details"][0]["debug"]["reason"], "LIMIT_EXCEEDED");
    }
    let lines = ask(&server, "FactService/ImportFacts");
    let told = lines.header("content-type", "application/x-ndjson").body(long).send().await;
    assert_eq!(told.expect("an answer").status(), 400);
    server.stop().await;
}

#[tokio::test]
async fn protobuf_alone_and_an_empty_body_are_calls_too() {
    let server = start().await;
    for content in ["application/json", "application/proto"] {
        let ping = ask(&server, "AdminService/Ping").header("content-type", content);
        let ping = ping.send().await.expect("an answer");
        assert_eq!((ping.status().as_u16(), header(&ping, "content-type")), (200, content.into()));
    }
    server.stop().await;
}

#[tokio::test]
async fn the_document_of_the_interface_is_served() {
    let server = start().await;
    let page = http().get(format!("{}/openapi.json", server.url())).send().await;
    let page: Value = page.expect("an answer").json().await.expect("JSON");
    assert_eq!(page, tenure::http::openapi());
    let paths = page["paths"].as_object().expect("paths");
    assert!(paths.contains_key("/tenure.v1.MemoryService/Recall"));
    let schemas = &page["components"]["schemas"];
    let unix_micros = &schemas["Instant"]["properties"]["unixMicros"];
    assert_eq!((&unix_micros["type"], &unix_micros["format"]), (&json!("string"), &json!("int64")));
    server.stop().await;
}
