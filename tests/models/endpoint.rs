//! An endpoint that behaves: what is sent to it, and what becomes of its answers.

use serde_json::json;
use tenure::models::{Address, ApiKey, Endpoint, EndpointConfig};
use tenure::types::Vector;

use crate::stub::{Answer, Stub, embedding};

fn config(stub: &Stub) -> EndpointConfig {
    EndpointConfig::new(Address::new(&stub.url()).expect("a URL"), "small")
}

fn endpoint(config: EndpointConfig) -> Endpoint {
    Endpoint::new(config).expect("a good configuration")
}

fn expected(text: &str) -> Option<Vector> {
    Vector::new(&embedding(text)).ok()
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[tokio::test]
async fn every_text_gets_its_own_vector_whatever_order_they_come_in() {
    let stub = Stub::start([]);
    let endpoint = endpoint(EndpointConfig { batch_inputs: 2, ..config(&stub) });
    let given = texts(&["one", "two", " \n", "three", "", "four", "five"]);
    let vectors = endpoint.embed_passages(&given).await.expect("vectors");
    let wanted: Vec<_> = given
        .iter()
        .map(|text| if text.trim().is_empty() { None } else { expected(text) })
        .collect();
    assert_eq!(vectors, wanted);
    stub.look(|requests| {
        let sent: Vec<_> = requests.iter().map(|request| request.body["input"].clone()).collect();
        assert_eq!(sent, [json!(["one", "two"]), json!(["three", "four"]), json!(["five"])]);
    });
    let usage = endpoint.usage();
    assert_eq!((usage.calls, usage.failures, usage.retries), (3, 0, 0));
    assert_eq!((usage.inputs, usage.tokens), (5, 50));
}

#[tokio::test]
async fn embeddings_without_an_index_are_in_the_order_of_the_texts() {
    let data = [json!({"embedding": [1, 0]}), json!({"embedding": [0, 1]})];
    let stub = Stub::start([Answer::ok(&json!({ "data": data }))]);
    let endpoint = endpoint(config(&stub));
    let vectors = endpoint.embed_passages(&texts(&["a", "b"])).await.expect("vectors");
    let wanted = [[1.0, 0.0], [0.0, 1.0]].map(|numbers| Vector::new(&numbers).ok());
    assert_eq!(vectors, wanted);
}

#[tokio::test]
async fn a_request_says_what_is_configured_and_no_more() {
    let stub = Stub::start([]);
    endpoint(config(&stub)).embed_query("who").await.expect("a vector");
    let key = ApiKey::new("sesame\n").expect("a key");
    let full = EndpointConfig {
        dimensions: Some(2),
        key: Some(key),
        text_bytes: 4,
        query_prefix: "query: ".to_owned(),
        passage_prefix: "passage: ".to_owned(),
        ..config(&stub)
    };
    let full = endpoint(full);
    full.embed_query("누구").await.expect("a vector");
    full.embed_passages(&texts(&["long text"])).await.expect("a vector");
    stub.look(|requests| {
        let bodies: Vec<_> = requests.iter().map(|request| request.body.clone()).collect();
        assert_eq!(
            bodies,
            [
                json!({"model": "small", "input": ["who"]}),
                json!({"model": "small", "input": ["query: 누"], "dimensions": 2}),
                json!({"model": "small", "input": ["passage: long"], "dimensions": 2}),
            ]
        );
        assert!(requests[0].head.starts_with("post /v1/embeddings http/1.1\r\n"));
        assert!(!requests[0].head.contains("authorization"));
        assert!(requests[1].head.contains("authorization: bearer sesame\r\n"));
    });
}

#[tokio::test]
async fn a_question_that_was_just_asked_is_not_sent_again() {
    let stub = Stub::start([]);
    let endpoint = endpoint(config(&stub));
    for _ in 0..3 {
        assert_eq!(endpoint.embed_query("who").await.expect("a vector"), expected("who"));
    }
    assert_eq!(endpoint.embed_query("when").await.expect("a vector"), expected("when"));
    assert_eq!(endpoint.embed_query(" ").await.expect("nothing is wrong"), None);
    assert_eq!((stub.requests(), endpoint.usage().cache_hits), (2, 2));
}

#[tokio::test]
async fn a_dimension_that_nobody_declared_is_asked_for_once() {
    let stub = Stub::start([]);
    let probed = endpoint(config(&stub));
    assert_eq!(probed.dimension().await.expect("a dimension"), 2);
    assert_eq!(probed.dimension().await.expect("a dimension"), 2);
    assert_eq!(stub.requests(), 1);
    let declared = endpoint(EndpointConfig { dimensions: Some(2), ..config(&stub) });
    assert_eq!(declared.dimension().await.expect("a dimension"), 2);
    assert_eq!(stub.requests(), 1, "what was declared is not asked for");
}

#[tokio::test]
async fn what_fails_for_a_moment_is_tried_again() {
    let moments = [
        Answer::Reply(429, "retry-after: 0\r\n", String::new()),
        Answer::status(500),
        Answer::status(408),
        Answer::Close,
        Answer::BreakOff("{\"data\": ["),
    ];
    let failures = moments.len() as u64;
    let stub = Stub::start(moments);
    let mut config = config(&stub);
    config.call.attempts = 6;
    config.call.first_wait = std::time::Duration::from_millis(1);
    let endpoint = endpoint(config);
    assert_eq!(endpoint.embed_query("who").await.expect("the sixth attempt"), expected("who"));
    let usage = endpoint.usage();
    assert_eq!((usage.calls, usage.failures, usage.retries), (1, 0, failures));
}
