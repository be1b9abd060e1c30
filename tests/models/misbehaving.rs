//! An endpoint that does not behave: a typed error, soon, and nothing of it used.

use std::net::TcpListener;
use std::time::Duration;

use serde_json::json;
use tenure::models::{
    Address, ApiKey, CallConfig, CallError, EmbedError, Endpoint, EndpointConfig,
};

use crate::stub::{Answer, Stub};

const SOON: CallConfig = CallConfig {
    time_out: Duration::from_secs(20),
    attempts: 3,
    first_wait: Duration::from_millis(1),
};

fn endpoint(url: &str, call: CallConfig) -> Endpoint {
    let key = ApiKey::new("sesame").expect("a key");
    let config = EndpointConfig::new(Address::new(url).expect("a URL"), "small");
    let config = EndpointConfig { key: Some(key), dimensions: Some(2), call, ..config };
    Endpoint::new(config).expect("a good configuration")
}

async fn refusal(endpoint: &Endpoint) -> EmbedError {
    let texts = ["open".to_owned(), "closed".to_owned()];
    let error = endpoint.embed_passages(&texts).await.expect_err("it misbehaves");
    let usage = endpoint.usage();
    assert_eq!((usage.calls, usage.failures, usage.inputs), (1, 1, 0), "{error}");
    for shown in [format!("{error:?}"), error.to_string(), format!("{endpoint:?}")] {
        assert!(!shown.contains("sesame"), "{shown}");
    }
    error
}

/// The kind of the error, and how many requests it took.
async fn check(answers: Vec<Answer>, kind: &str, requests: usize) -> EmbedError {
    let stub = Stub::start(answers);
    let endpoint = endpoint(&stub.url(), SOON);
    let error = refusal(&endpoint).await;
    assert_eq!((error.kind(), stub.requests()), (kind, requests), "{error}");
    assert_eq!(endpoint.usage().retries, requests as u64 - 1);
    error
}

#[tokio::test]
async fn attempts_are_bounded() {
    check((0..9).map(|_| Answer::status(500)).collect(), "UNAVAILABLE", 3).await;
    check((0..9).map(|_| Answer::status(429)).collect(), "THROTTLED", 3).await;
    check((0..9).map(|_| Answer::BreakOff("{")).collect(), "BROKEN", 3).await;
}

#[tokio::test]
async fn a_refusal_is_final_and_says_why() {
    for status in [302, 400, 404, 413, 422] {
        let said = format!("too\nbad for Bearer sesame{}", "!".repeat(1_000));
        let error = check(vec![Answer::Reply(status, "", said)], "REFUSED", 1).await;
        let EmbedError::Call(CallError::Refused { status: told, message }) = error else {
            panic!("{error}")
        };
        assert_eq!(told, status);
        assert!(message.starts_with("too bad for Bearer ***!"), "{message}");
        assert_eq!(message.len(), 200);
    }
    for status in [401, 403] {
        let said = "your key ses***me is wrong".to_owned();
        let error = check(vec![Answer::Reply(status, "", said)], "REFUSED", 1).await;
        assert!(!error.to_string().contains("ses*"), "{error}");
    }
}

#[tokio::test]
async fn a_wait_that_is_asked_for_is_waited_or_not_begun() {
    let wait = "retry-after: 31\r\n";
    for status in [429, 503] {
        let answers = vec![Answer::Reply(status, wait, String::new())];
        let error = check(answers, "THROTTLED", 1).await;
        let EmbedError::Call(CallError::Throttled { retry_after }) = error else {
            panic!("{error}")
        };
        assert_eq!(retry_after, Some(Duration::from_secs(31)));
    }
    let stub = Stub::start([Answer::Reply(429, "retry-after: 30\r\n", String::new())]);
    let endpoint = endpoint(&stub.url(), SOON);
    let asked = endpoint.embed_query("who");
    assert!(tokio::time::timeout(Duration::from_millis(100), asked).await.is_err());
    assert_eq!((stub.requests(), endpoint.usage().retries), (1, 1));
}

#[tokio::test]
async fn a_server_that_hangs_is_left() {
    for hangs in [|| Answer::Hang, || Answer::HangInBody] {
        let stub = Stub::start([hangs(), hangs(), hangs()]);
        let endpoint =
            endpoint(&stub.url(), CallConfig { time_out: Duration::from_millis(50), ..SOON });
        let error = refusal(&endpoint).await;
        assert_eq!((error.kind(), endpoint.usage().retries), ("TIMED_OUT", 2), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_asked_again_and_named_so() {
    let gone = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", gone.local_addr().expect("an address"));
    drop(gone);
    let endpoint = endpoint(&url, SOON);
    let error = refusal(&endpoint).await;
    assert_eq!((error.kind(), endpoint.usage().retries), ("CONNECT", 2), "{error}");
}

#[tokio::test]
async fn a_reply_without_end_is_not_read_to_its_end() {
    let stub = Stub::start([Answer::Endless]);
    let endpoint = endpoint(&stub.url(), SOON);
    let error = refusal(&endpoint).await;
    let EmbedError::Call(CallError::TooLarge { bytes_max }) = error else { panic!("{error}") };
    assert_eq!(bytes_max, 64 * 1_024 + 2 * 2 * 32, "two texts, two numbers each");
    assert!(stub.written() < 64 * 1_024 * 1_024, "only what buffers on the way hold");
}

#[tokio::test]
async fn a_reply_that_is_not_what_was_asked_for_is_not_used() {
    let good = json!({"index": 0, "embedding": [1, 2]});
    let with = |second: serde_json::Value| json!({"data": [good, second]}).to_string();
    for (body, kind) in [
        ("<html>".to_owned(), "MALFORMED"),
        ("{\"data\": [{\"index\": 0, \"embedding\": [1".to_owned(), "MALFORMED"),
        ("[]".to_owned(), "MALFORMED"),
        (json!({"error": "busy"}).to_string(), "MALFORMED"),
        (with(json!({"index": 1})), "MALFORMED"),
        (with(json!({"index": 1, "embedding": ["1", "2"]})), "MALFORMED"),
        (with(json!({"index": 1, "embedding": [1, null]})), "MALFORMED"),
        (with(json!({"index": -1, "embedding": [1, 2]})), "MALFORMED"),
        (with(json!({"index": 1, "embedding": "AACAPw=="})), "MALFORMED"),
        (with(json!({"index": 1, "embedding": [1, 2]})).replace("2]", "NaN]"), "MALFORMED"),
        (with(json!({"index": 1, "embedding": [1, 2]})).replace("2]", "1e999]"), "MALFORMED"),
        (with(json!({"index": 1, "embedding": [1, 1e39]})), "MALFORMED"),
        (with(json!({"index": 1, "embedding": [0, 0.0]})), "BAD_VECTOR"),
        (with(json!({"index": 0, "embedding": [1, 2]})), "BAD_INDEX"),
        (with(json!({"index": 2, "embedding": [1, 2]})), "BAD_INDEX"),
        (with(json!({"index": u64::MAX, "embedding": [1, 2]})), "BAD_INDEX"),
        (with(json!({"index": 1, "embedding": [1, 2, 3]})), "WRONG_DIMENSION"),
        (with(json!({"index": 1, "embedding": []})), "WRONG_DIMENSION"),
        (json!({"data": [good]}).to_string(), "WRONG_COUNT"),
        (json!({"data": []}).to_string(), "WRONG_COUNT"),
        (json!({"data": [good, good, good]}).to_string(), "WRONG_COUNT"),
    ] {
        let error = check(vec![Answer::ok(&body)], kind, 1).await;
        assert!(!error.to_string().contains("busy"), "{body}: {error}");
    }
}

#[tokio::test]
async fn a_wrong_dimension_is_told_with_both_numbers() {
    let data = |numbers: &[i32]| {
        let data: Vec<_> = (0..2).map(|at| json!({"index": at, "embedding": numbers})).collect();
        Answer::ok(&json!({ "data": data }))
    };
    let error = check(vec![data(&[1, 2, 3])], "WRONG_DIMENSION", 1).await;
    assert_eq!(error.to_string(), "the model gave 3 numbers, its vectors have 2");

    let stub = Stub::start([data(&[1, 2, 3]), data(&[1, 2])]);
    let config = EndpointConfig::new(Address::new(&stub.url()).expect("a URL"), "small");
    let endpoint = Endpoint::new(config).expect("a good configuration");
    let texts = ["open".to_owned(), "closed".to_owned()];
    endpoint.embed_passages(&texts).await.expect("the first reply settles it");
    let error = endpoint.embed_passages(&texts).await.expect_err("another dimension");
    assert_eq!(error.to_string(), "the model gave 2 numbers, its vectors have 3");
    assert_eq!(endpoint.dimension().await.expect("settled"), 3);
}
