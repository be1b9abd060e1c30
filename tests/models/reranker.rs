//! Rerankers of both shapes, and what they do wrong.

use serde_json::{Value, json};
use tenure::models::{Address, RerankShape, Reranker, RerankerConfig};

use crate::stub::{Answer, Stub};

fn reranker(stub: &Stub, shape: RerankShape) -> Reranker {
    let mut config = RerankerConfig::new(Address::new(&stub.url()).expect("a URL"));
    config.shape = shape;
    config.call.attempts = 1;
    Reranker::new(config).expect("a good configuration")
}

#[tokio::test]
async fn documents_come_back_best_first() {
    let scores =
        json!([{"index": 2, "score": 0.5}, {"index": 0, "score": -1}, {"index": 1, "score": 0.5}]);
    let results = scores.to_string().replace("score", "relevance_score");
    for (shape, body, sent) in [
        (
            RerankShape::Tei,
            scores.to_string(),
            json!({"query": "who", "texts": ["a", "b", "c"], "truncate": true}),
        ),
        (
            RerankShape::Cohere,
            format!("{{\"model\": \"m\", \"results\": {results}}}"),
            json!({"query": "who", "documents": ["a", "b", "c"]}),
        ),
    ] {
        let stub = Stub::start([Answer::ok(&body)]);
        let reranker = reranker(&stub, shape);
        let ranked = reranker.rerank("who", &["a", "b", "c"]).await.expect("scores");
        let places: Vec<_> = ranked.iter().map(|ranked| (ranked.index, ranked.score)).collect();
        assert_eq!(places, [(1, 0.5), (2, 0.5), (0, -1.0)]);
        stub.look(|requests| {
            assert_eq!(requests[0].body, sent);
            assert!(requests[0].head.starts_with("post /rerank "));
        });
        let usage = reranker.usage();
        assert_eq!((usage.calls, usage.failures, usage.inputs), (1, 0, 3));
    }
}

#[tokio::test]
async fn nothing_to_rank_is_not_sent_and_too_much_neither() {
    let stub = Stub::start([]);
    let reranker = reranker(&stub, RerankShape::Tei);
    assert_eq!(reranker.rerank("who", &[]).await.expect("nothing"), []);
    let error = reranker.rerank("who", &["a"; 1_001]).await.expect_err("too many");
    assert_eq!(error.kind(), "TOO_MANY");
    assert_eq!(stub.requests(), 0);
}

#[tokio::test]
async fn a_reranker_that_misbehaves_is_an_error() {
    let good = json!({"index": 0, "score": 1});
    let with = |second: Value| Answer::ok(&json!([good, second]));
    for (answer, kind) in [
        (with(json!({"index": 0, "score": 1})), "BAD_INDEX"),
        (with(json!({"index": 2, "score": 1})), "BAD_INDEX"),
        (with(json!({"index": 1, "score": 1e39})), "MALFORMED"),
        (with(json!({"index": 1, "score": null})), "MALFORMED"),
        (with(json!({"index": 1, "score": "1"})), "MALFORMED"),
        (Answer::ok(&"[{\"index\": 0, \"score\": NaN}]"), "MALFORMED"),
        (Answer::ok(&"[{\"index\": 0"), "MALFORMED"),
        (Answer::ok(&json!({"results": [good]})), "MALFORMED"),
        (Answer::ok(&json!([good])), "WRONG_COUNT"),
        (Answer::ok(&json!([good, good, good])), "WRONG_COUNT"),
        (Answer::Endless, "TOO_LARGE"),
        (Answer::Close, "BROKEN"),
        (Answer::status(503), "UNAVAILABLE"),
        (Answer::status(422), "REFUSED"),
    ] {
        let stub = Stub::start([answer]);
        let reranker = reranker(&stub, RerankShape::Tei);
        let error = reranker.rerank("who", &["a", "b"]).await.expect_err("it misbehaves");
        assert_eq!(error.kind(), kind, "{error}");
        let usage = reranker.usage();
        assert_eq!((usage.failures, usage.inputs), (1, 0), "{error}");
    }
}
