//! The same request in every protocol gets the same reason, with the same fields.

use bytes::Bytes;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};
use reqwest::Response;
use serde_json::{Value, json};
use tonic::{Code, Request, Status};

use tenure::rpc::proto;
use tenure::rpc::proto::FILE_DESCRIPTOR_SET;

use crate::bad_input::start;
use crate::json::{http, post};
use crate::raw::Raw;
use crate::support::Server;

/// Everything an error tells: its code, its message, and its details as they are on the wire.
type Told = (Code, String, Vec<u8>);

fn cases() -> Vec<(&'static str, Value, &'static str)> {
    let assert = |triple: Value, more: Value| {
        let mut assert = json!({ "triple": triple });
        for (name, value) in more.as_object().expect("fields") {
            assert[name] = value.clone();
        }
        json!({ "namespace": "default", "operations": [{ "assert": assert }] })
    };
    let triple = json!({"subject": "d1", "predicate": "head", "object": {"entity": "bob"}});
    let date = |text: &str| json!({ "date": { "text": text } });
    let at = |text: &str| json!({ "namespace": "default", "as_of": { "valid": date(text) } });
    let long = "x".repeat(1_025);
    vec![
        ("FactService/Transact", json!({}), "MISSING_FIELD"),
        ("FactService/Transact", json!({"namespace": "nowhere"}), "NAMESPACE_UNKNOWN"),
        ("FactService/Transact", assert(json!({}), json!({})), "MISSING_FIELD"),
        (
            "FactService/Transact",
            assert(
                triple.clone(),
                json!({"from": date("2026-13-40"), "evidence": {"confidence": 2}}),
            ),
            "DATE_INVALID",
        ),
        (
            "FactService/Transact",
            assert(triple.clone(), json!({"from": date("2025"), "to": date("2020")})),
            "INVERTED_INTERVAL",
        ),
        (
            "FactService/Transact",
            assert(
                json!({"subject": long, "predicate": "p", "object": {"entity": "o"}}),
                json!({}),
            ),
            "STRING_TOO_LONG",
        ),
        (
            "FactService/Transact",
            assert(triple, json!({"evidence": {"trust": 99}})),
            "MALFORMED_FIELD",
        ),
        ("FactService/ListFacts", at("1700000000"), "DATE_INVALID"),
        (
            "FactService/ListFacts",
            json!({"namespace": "default", "pageSize": 20_000}),
            "LIMIT_EXCEEDED",
        ),
        (
            "FactService/ListFacts",
            json!({"namespace": "default", "pageToken": "?"}),
            "INVALID_PAGE_TOKEN",
        ),
        (
            "GraphService/GetEntity",
            json!({"namespace": "default", "name": "nobody"}),
            "ENTITY_UNKNOWN",
        ),
        ("MemoryService/Recall", json!({"namespace": "default"}), "MISSING_FIELD"),
        ("AdminService/CreateNamespace", json!({"name": "default"}), "NAMESPACE_EXISTS"),
        ("AdminService/CreateNamespace", json!({"name": "x", "zone": "KST"}), "ZONE_UNKNOWN"),
    ]
}

#[tokio::test]
async fn bad_input_gets_the_same_reasons_and_details_in_every_protocol() {
    let server = start().await;
    let pool = DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("descriptors");
    for (method, body, reason) in cases() {
        let case = format!("{method} {body}");
        let message = encoded(&pool, method, &body);
        let grpc = over_grpc(&server, method, message.clone()).await;
        assert!(!grpc.2.is_empty(), "{case}: {grpc:?}");
        assert_eq!(over_grpc_web(&server, method, &message).await, grpc, "{case}");
        let (http, json) = post(&server, method, &body).await;
        let (code, text, details) = &grpc;
        assert_eq!((&json["message"], http), (&json!(text), http_status(*code)), "{case}");
        assert_eq!(json["code"], json!(name(*code)), "{case}");
        assert_eq!(&rejoined(*code, &json), details, "{case}");
        assert_eq!(json["details"][0]["debug"]["reason"], reason, "{case}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_browser_gets_answers_and_streams() {
    let mut server = start().await;
    let request = proto::ExportFactsRequest { namespace: "default".to_owned(), from_tx: 0 };
    let mut stream =
        server.facts.export_facts(request.clone()).await.expect("a stream").into_inner();
    let exported = stream.message().await.expect("a message").expect("one");
    let answer = ask_grpc_web(&server, "FactService/ExportFacts", &request.encode_to_vec()).await;
    let body = answer.bytes().await.expect("a body");
    let length = u32::from_be_bytes([body[1], body[2], body[3], body[4]]) as usize;
    let message = proto::ExportFactsResponse::decode(&body[5..5 + length]).expect("a message");
    assert_eq!(message, exported);
    let trailers = &body[5 + length..];
    assert_eq!(trailers[0], 0x80, "trailers come in the body");
    assert!(String::from_utf8_lossy(&trailers[5..]).contains("grpc-status:0"));
    server.stop().await;
}

fn encoded(pool: &DescriptorPool, method: &str, body: &Value) -> Bytes {
    let (service, method) = method.split_once('/').expect("a path");
    let service = pool.get_service_by_name(&format!("tenure.v1.{service}")).expect("a service");
    let method = service.methods().find(|found| found.name() == method).expect("a method");
    let message = DynamicMessage::deserialize(method.input(), body).expect("a message");
    message.encode_to_vec().into()
}

fn name(code: Code) -> String {
    let mut name = String::new();
    for c in format!("{code:?}").chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

fn http_status(code: Code) -> u16 {
    match code {
        Code::NotFound => 404,
        Code::AlreadyExists => 409,
        _ => 400,
    }
}

/// The details of a JSON error, put together as gRPC sends them.
fn rejoined(code: Code, json: &Value) -> Vec<u8> {
    use base64::Engine;
    let base64 = base64::engine::general_purpose::STANDARD_NO_PAD;
    let details = json["details"].as_array().expect("details").iter().map(|detail| {
        let value = base64.decode(detail["value"].as_str().expect("text")).expect("base64");
        let kind = detail["type"].as_str().expect("text");
        prost_types::Any { type_url: format!("type.googleapis.com/{kind}"), value }
    });
    let (code, message) = (code as i32, json["message"].as_str().expect("text").to_owned());
    tonic_types::Status { code, message, details: details.collect() }.encode_to_vec()
}

fn told(status: &Status) -> Told {
    (status.code(), status.message().to_owned(), status.details().to_vec())
}

async fn over_grpc(server: &Server, method: &str, message: Bytes) -> Told {
    let mut client = tonic::client::Grpc::new(server.channel.clone());
    client.ready().await.expect("a connection");
    let path = format!("/tenure.v1.{method}").parse().expect("a path");
    let answer = client.unary(Request::new(message), path, Raw).await;
    told(&answer.expect_err("a refusal"))
}

async fn over_grpc_web(server: &Server, method: &str, message: &[u8]) -> Told {
    let answer = ask_grpc_web(server, method, message).await;
    let status = Status::from_header_map(answer.headers());
    told(&status.expect("a status without a message"))
}

async fn ask_grpc_web(server: &Server, method: &str, message: &[u8]) -> Response {
    let length = u32::try_from(message.len()).expect("short").to_be_bytes();
    let answer = http()
        .post(format!("{}/tenure.v1.{method}", server.url()))
        .header("content-type", "application/grpc-web+proto")
        .body([&[0], &length[..], message].concat())
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.version(), reqwest::Version::HTTP_11);
    answer
}
