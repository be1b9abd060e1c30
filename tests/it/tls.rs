//! TLS, and certificates of clients, made by the test.

use std::path::{Path, PathBuf};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tonic::Code;

use tenure::client::{Access, Client, Tls};
use tenure::rpc::proto;
use tenure::server::{Options, TlsConfig};

use crate::access::guarded;
use crate::ask::HOME;
use crate::support::Server;

type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority() -> Authority {
    let mut params = CertificateParams::new(Vec::new()).expect("parameters");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("signed")
}

/// A certificate for this machine, and its key.
fn signed(by: &Authority) -> (String, String) {
    let key = KeyPair::generate().expect("a key");
    let params = CertificateParams::new(vec!["localhost".to_owned()]).expect("parameters");
    let certificate = params.signed_by(&key, by).expect("signed");
    (certificate.pem(), key.serialize_pem())
}

fn file(home: &Path, name: &str, text: &str) -> PathBuf {
    let path = home.join(name);
    std::fs::write(&path, text).expect("it is written");
    path
}

/// A server that was reached without TLS by the harness would be no server; so this one is reached by
/// the client alone.
async fn ping(server: &Server, tls: Tls) -> Result<(), Code> {
    let url = server.url().replace("http://127.0.0.1", "https://localhost");
    let access = Access { key: None, tls };
    let client = Client::with_access(&url, HOME, access).expect("an address");
    client.admin.clone().ping(proto::PingRequest {}).await.map(drop).map_err(|s| s.code())
}

#[tokio::test]
async fn facts_travel_encrypted_and_only_to_whom_the_authority_signed() {
    let home = tempfile::tempdir().expect("a place for data");
    let (own, other) = (authority(), authority());
    let (certificate, key) = signed(&own);
    let tls = TlsConfig {
        certificate: file(home.path(), "server.pem", &certificate),
        key: file(home.path(), "server.key", &key),
        client_authority: None,
    };
    let options = Options { tls: Some(tls.clone()), ..Options::default() };
    let server = guarded(&home.path().join("plain"), options).await;
    let trusts = |authority: &Authority| Tls {
        authority: Some(authority.pem().into_bytes()),
        identity: None,
    };
    assert_eq!(ping(&server, trusts(&own)).await, Ok(()));
    assert_eq!(ping(&server, trusts(&other)).await, Err(Code::Unavailable));
    let plain = Client::new(&server.url(), HOME).expect("an address");
    assert!(plain.admin.clone().ping(proto::PingRequest {}).await.is_err(), "not in the clear");
    drop(plain);
    server.stop().await;

    let client_authority = Some(file(home.path(), "clients.pem", &own.pem()));
    let options =
        Options { tls: Some(TlsConfig { client_authority, ..tls }), ..Options::default() };
    let server = guarded(&home.path().join("mutual"), options).await;
    let shows = |signed: (String, String)| Tls {
        identity: Some((signed.0.into_bytes(), signed.1.into_bytes())),
        ..trusts(&own)
    };
    assert_eq!(ping(&server, shows(signed(&own))).await, Ok(()));
    for stranger in [trusts(&own), shows(signed(&other))] {
        // TLS 1.3 tells the client only after it has said all it has to say.
        let told = ping(&server, stranger).await;
        assert!(matches!(told, Err(Code::Unavailable | Code::Unknown)), "{told:?}");
    }
    server.stop().await;
}
