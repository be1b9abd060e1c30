//! Tokens of an identity provider, by a key set in a file and behind a URL.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256, PublicKeyData};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tonic::Code;

use tenure::rpc::proto;
use tenure::server::{AccessConfig, ClaimNames, JwksSource, Options, TokenConfig};

use crate::access::{client, guarded};
use crate::ask::{HOME, fact, request};
use crate::support::{Server, reason};

const SECOND: i64 = 1_000_000;
const NOW: i64 = 1_000;

/// Who signs.
struct Provider {
    id: &'static str,
    key: KeyPair,
}

impl Provider {
    fn new(id: &'static str) -> Provider {
        let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).expect("a key");
        Provider { id, key }
    }

    fn public(&self) -> Value {
        // An uncompressed point: 4, x, y.
        let point = self.key.der_bytes();
        let [x, y] = [&point[1..33], &point[33..65]].map(|part| URL_SAFE_NO_PAD.encode(part));
        json!({"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.id, "x": x, "y": y})
    }

    fn token(&self, claims: &Value) -> String {
        let header = Header { kid: Some(self.id.to_owned()), ..Header::new(Algorithm::ES256) };
        let key = EncodingKey::from_ec_der(&self.key.serialize_der());
        encode(&header, claims, &key).expect("a token")
    }
}

fn claims(more: &Value) -> Value {
    let mut claims = json!({
        "iss": "https://issuer.example", "aud": "tenure", "sub": "ann",
        "exp": NOW + 100, "nbf": NOW - 100,
        "tenure_namespace": HOME, "tenure_role": "writer", "tenure_labels": ["hr"],
    });
    for (name, value) in more.as_object().expect("an object") {
        claims[name] = value.clone();
    }
    claims
}

async fn start(home: &Path, jwks: JwksSource) -> Server {
    let tokens = Some(TokenConfig {
        jwks,
        issuer: "https://issuer.example".to_owned(),
        audience: "tenure".to_owned(),
        claims: ClaimNames::default(),
    });
    let access = AccessConfig { tokens, ..AccessConfig::default() };
    let server = guarded(home, Options { access, ..Options::default() }).await;
    server.clock.set(NOW * SECOND);
    server
}

async fn reads(server: &Server, token: &str) -> Result<usize, (Code, String)> {
    let asked = proto::ListFactsRequest { namespace: HOME.to_owned(), ..Default::default() };
    let answer = client(server, HOME, token).facts.list_facts(asked).await;
    let told = answer.map(|answer| answer.into_inner().rectangles.len());
    told.map_err(|status| (status.code(), reason(&status)))
}

#[tokio::test]
async fn a_token_of_the_provider_gives_what_its_claims_say() {
    let home = tempfile::tempdir().expect("a place for data");
    let (own, stranger) = (Provider::new("one"), Provider::new("one"));
    let set = home.path().join("jwks.json");
    std::fs::write(&set, json!({"keys": [own.public()]}).to_string()).expect("written");
    let source = JwksSource::new(set.to_str().expect("a path")).expect("a file");
    let server = start(&home.path().join("data"), source).await;
    let good = own.token(&claims(&json!({})));
    let mut ann = client(&server, HOME, &good);
    let first = ann.facts.transact(request(vec![fact("a", "p", "b", 0, None)])).await;
    first.expect("a writer");
    assert_eq!(reads(&server, &good).await, Ok(1));
    let bob = own.token(&claims(&json!({"sub": "bob"})));
    assert_eq!(reads(&server, &bob).await, Ok(0), "what is for ann is not for bob");
    let reader = own.token(&claims(&json!({"tenure_role": "reader"})));
    let mut reading = client(&server, HOME, &reader);
    let status = reading.facts.transact(request(vec![fact("a", "p", "c", 0, None)])).await;
    assert_eq!(reason(&status.expect_err("a reader")), "ROLE_TOO_LOW");
    let elsewhere = own.token(&claims(&json!({"tenure_namespace": "other"})));
    let denied = (Code::PermissionDenied, "NAMESPACE_DENIED".to_owned());
    assert_eq!(reads(&server, &elsewhere).await, Err(denied));
    let everywhere = own.token(&claims(&json!({"tenure_namespace": "*"})));
    assert_eq!(reads(&server, &everywhere).await, Ok(1));

    let unsigned = |header: Value| {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        format!("{}.{}.", part(&header), part(&claims(&json!({}))))
    };
    let shared = {
        // The public key as if it were a shared secret.
        let header = Header { kid: Some("one".to_owned()), ..Header::new(Algorithm::HS256) };
        let key = EncodingKey::from_secret(own.key.der_bytes()).expect("a key");
        encode(&header, &claims(&json!({})), &key).expect("a token")
    };
    let refused = (Code::Unauthenticated, "UNAUTHENTICATED".to_owned());
    for (what, token) in [
        ("expired", own.token(&claims(&json!({"exp": NOW - 10})))),
        ("without an end", own.token(&claims(&json!({"exp": null})))),
        ("not yet", own.token(&claims(&json!({"nbf": NOW + 10})))),
        ("another issuer", own.token(&claims(&json!({"iss": "https://other.example"})))),
        ("another audience", own.token(&claims(&json!({"aud": ["other"]})))),
        ("no namespace", own.token(&claims(&json!({"tenure_namespace": null})))),
        ("a blank namespace", own.token(&claims(&json!({"tenure_namespace": " "})))),
        ("no role", own.token(&claims(&json!({"tenure_role": null})))),
        ("an unknown role", own.token(&claims(&json!({"tenure_role": "root"})))),
        ("labels that are none", own.token(&claims(&json!({"tenure_labels": [1]})))),
        ("a stranger's signature", stranger.token(&claims(&json!({})))),
        ("no algorithm", unsigned(json!({"alg": "none", "kid": "one"}))),
        ("no signature", unsigned(json!({"alg": "ES256", "kid": "one"}))),
        ("a shared secret", shared),
    ] {
        assert_eq!(reads(&server, &token).await, Err(refused.clone()), "{what}");
    }
    assert_eq!(reads(&server, &good).await, Ok(1));
    drop((ann, reading));
    server.stop().await;
}

/// Answers every request with a key set, until it is dropped.
async fn serve_keys(set: Value) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/keys", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut asked = [0; 4_096];
            drop(socket.read(&mut asked).await);
            let body = set.to_string();
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
            drop(socket.write_all(format!("{head}{body}").as_bytes()).await);
        }
    });
    url
}

#[tokio::test]
async fn a_key_set_is_fetched_over_the_network() {
    let home = tempfile::tempdir().expect("a place for data");
    let own = Provider::new("two");
    let secret = json!({"kty": "oct", "kid": "shared", "k": "c2VjcmV0"});
    let url = serve_keys(json!({"keys": [secret, own.public()]})).await;
    let server = start(home.path(), JwksSource::new(&url).expect("a URL")).await;
    assert_eq!(reads(&server, &own.token(&claims(&json!({})))).await, Ok(0));
    server.stop().await;
}

#[tokio::test]
async fn a_key_set_that_cannot_be_trusted_is_refused() {
    for bad in ["http://keys.example/set", "http://10.0.0.1/set", "ftp://localhost/set", "http://"]
    {
        assert!(JwksSource::new(bad).is_err(), "{bad}");
    }
    for good in ["https://keys.example/set", "http://127.0.0.1:9/set", "http://[::1]/set", "a.json"]
    {
        assert!(JwksSource::new(good).is_ok(), "{good}");
    }
}
