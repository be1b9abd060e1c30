//! Who comes in, with what, and what is written of those who do not.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tonic::metadata::MetadataValue;
use tonic::{Code, Request};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt;

use tenure::client::{Access, Client, Key};
use tenure::engine::{Clock, Config, Engine, Issued, NewCredential};
use tenure::models::Models;
use tenure::rpc::proto;
use tenure::server::{AccessConfig, AdminKey, Options, ServeError, start_with};
use tenure::types::limits::FAILURES_MAX;
use tenure::types::{AuditSubject, Clearance, Name, Reach, Role};

use crate::ask::{HOME, fact, request};
use crate::json::http;
use crate::support::{Server, TestClock, op, reason};

const ADMIN: &str = "the-key-of-the-operator-which-is-long-enough";
const SECOND: i64 = 1_000_000;

/// A server that asks for credentials, with the namespace `default`.
pub(crate) async fn guarded(home: &Path, options: Options) -> Server {
    let clock = Arc::new(TestClock::default());
    let config = Config::new(home.to_owned());
    let engine = Engine::open(&config, Arc::clone(&clock) as Arc<dyn Clock>).expect("opens");
    if engine.namespaces().is_empty() {
        let name = Name::new(HOME).expect("a name");
        engine.create_namespace(&name, "", None).await.expect("made");
    }
    Server::with_options(engine, clock, Models::built_in(), options).await
}

pub(crate) fn with_admin_key() -> Options {
    let admin_key = Some(AdminKey::new(ADMIN).expect("long enough"));
    Options { access: AccessConfig { admin_key, ..AccessConfig::default() }, ..Options::default() }
}

pub(crate) async fn issue(server: &Server, role: Role, namespace: Option<&str>) -> Issued {
    let reach = namespace.map_or(Reach::All, |name| Reach::One(Name::new(name).expect("a name")));
    let name = format!("{role} of {}", namespace.unwrap_or("all"));
    let clearance = Clearance::Everything;
    let new = NewCredential { name, role, reach, clearance, lifetime: None };
    server.engine.create_credential(new, AuditSubject::default()).await.expect("made")
}

pub(crate) fn client(server: &Server, namespace: &str, key: &str) -> Client {
    let key = Some(Key::new(key).expect("a key"));
    let access = Access { key, ..Access::default() };
    Client::with_access(&server.url(), namespace, access).expect("an address")
}

fn admin(server: &Server) -> Client {
    client(server, HOME, ADMIN)
}

fn list(namespace: &str) -> proto::ListFactsRequest {
    proto::ListFactsRequest { namespace: namespace.to_owned(), ..Default::default() }
}

/// Whether a key lets its holder read, and why not.
async fn reads(server: &Server, key: &str) -> Result<(), String> {
    let answer = client(server, HOME, key).facts.list_facts(list(HOME)).await;
    answer.map(drop).map_err(|status| reason(&status))
}

async fn events(admin: &mut Client) -> Vec<proto::AuditEvent> {
    let request = proto::ListAuditEventsRequest { page_size: 1_000, ..Default::default() };
    admin.admin.list_audit_events(request).await.expect("a list").into_inner().events
}

#[tokio::test]
async fn nothing_but_health_is_answered_without_a_credential() {
    let home = tempfile::tempdir().expect("a place for data");
    let mut server = guarded(home.path(), with_admin_key()).await;
    let mut health = HealthClient::new(server.channel.clone());
    health.check(HealthCheckRequest::default()).await.expect("health is for everybody");
    drop(health);
    let ping = server.admin.ping(proto::PingRequest {}).await.expect_err("a denial");
    assert_eq!((ping.code(), reason(&ping)), (Code::Unauthenticated, "UNAUTHENTICATED".to_owned()));
    let listed = server.facts.list_facts(list("nowhere")).await.expect_err("a denial");
    assert_eq!(listed.message(), ping.message());

    // Each protocol says so in its own words.
    let url = server.url();
    let asked = http().post(format!("{url}/tenure.v1.AdminService/Ping")).json(&json!({}));
    let told = asked.send().await.expect("an answer");
    assert_eq!(told.status(), 401);
    assert_eq!(told.headers()["www-authenticate"], "Bearer");
    let told: Value = told.json().await.expect("JSON");
    assert_eq!(told["details"][0]["debug"]["reason"], "UNAUTHENTICATED");
    let web = http().post(format!("{url}/tenure.v1.AdminService/Ping"));
    let web = web.header("content-type", "application/grpc-web+proto").body(vec![0; 5]);
    let web = web.send().await.expect("an answer");
    assert_eq!(web.headers()["grpc-status"], "16");
    for page in ["/mcp", "/mcp/other", "/mcp-memory", "/openapi.json"] {
        let told = http().post(format!("{url}{page}")).json(&json!({})).send().await;
        assert_eq!(told.expect("an answer").status(), 401, "{page}");
    }
    let reflection = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    let told = http().post(format!("{url}{reflection}")).header("content-type", "application/grpc");
    let told = told.send().await.expect("an answer");
    assert_eq!(told.headers()["grpc-status"], "16");

    let with_key = http().post(format!("{url}/tenure.v1.AdminService/Ping")).json(&json!({}));
    let told = with_key.header("x-api-key", ADMIN).send().await.expect("an answer");
    assert_eq!(told.status(), 200);
    admin(&server).admin.ping(proto::PingRequest {}).await.expect("an answer");
    server.stop().await;
}

#[tokio::test]
async fn a_key_is_refused_for_every_fault_with_the_same_words() {
    let home = tempfile::tempdir().expect("a place for data");
    let server = guarded(home.path(), with_admin_key()).await;
    let good = issue(&server, Role::Reader, None).await;
    let other = issue(&server, Role::Reader, None).await;
    assert_eq!(reads(&server, &good.key).await, Ok(()));
    let (id, secret) = (&good.key[..20], &other.key[20..]);
    let unknown = good.key.replace(&good.credential.id.to_string(), "0123456789abcdef");
    let mut said = Vec::new();
    for key in ["x", "tn_", &format!("{id}{secret}"), &unknown, &good.key[..62], "a.b.c"] {
        let answer = client(&server, HOME, key).facts.list_facts(list(HOME)).await;
        let status = answer.expect_err("a denial");
        said.push((status.code(), status.message().to_owned(), status.details().to_vec()));
    }
    said.dedup();
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(said[0].0, Code::Unauthenticated);
    server.stop().await;
}

#[tokio::test]
async fn a_role_does_what_it_says_and_no_more() {
    let home = tempfile::tempdir().expect("a place for data");
    let server = guarded(home.path(), with_admin_key()).await;
    for (role, writes, administers) in
        [(Role::Reader, false, false), (Role::Writer, true, false), (Role::Admin, true, true)]
    {
        let key = issue(&server, role, Some(HOME)).await.key;
        let mut client = client(&server, HOME, &key);
        client.facts.list_facts(list("")).await.expect("all of them read, and know where");
        let written = client.facts.transact(request(vec![fact("a", "p", "b", 0, None)])).await;
        assert_eq!(written.is_ok(), writes, "{role}");
        let verified = client.admin.verify(proto::VerifyRequest { namespace: HOME.into() }).await;
        assert_eq!(verified.is_ok(), administers, "{role}");
        let listed = client.admin.list_credentials(proto::ListCredentialsRequest::default()).await;
        assert_eq!(listed.is_ok(), administers, "{role}");
        if !administers {
            assert_eq!(reason(&listed.expect_err("a denial")), "ROLE_TOO_LOW");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn c12_c13_c29_no_field_and_no_header_leads_elsewhere() {
    let home = tempfile::tempdir().expect("a place for data");
    let server = guarded(home.path(), with_admin_key()).await;
    let mut root = admin(&server);
    for name in ["red", "blue"] {
        let name = name.to_owned();
        let made = proto::CreateNamespaceRequest { name, ..Default::default() };
        root.admin.create_namespace(made).await.expect("made");
    }
    let mut red = client(&server, "red", &issue(&server, Role::Writer, Some("red")).await.key);
    let write = |namespace: &str| {
        let mut asked = Request::new(proto::TransactRequest {
            namespace: namespace.to_owned(),
            ..request(vec![fact("a", "p", "b", 0, None)])
        });
        for name in ["tenant", "namespace", "tenure-namespace", "user_id"] {
            asked.metadata_mut().insert(name, MetadataValue::from_static("blue"));
        }
        asked
    };
    red.facts.transact(write("red")).await.expect("headers name no namespace");
    for elsewhere in ["blue", "nowhere", "red-team", "default"] {
        let status = red.facts.transact(write(elsewhere)).await.expect_err("a denial");
        let told = (status.code(), reason(&status));
        assert_eq!(told, (Code::PermissionDenied, "NAMESPACE_DENIED".to_owned()), "{elsewhere}");
    }
    for blank in [" ", "\t"] {
        let status = red.facts.transact(write(blank)).await.expect_err("a refusal");
        assert_eq!((status.code(), reason(&status)), (Code::InvalidArgument, "NAME_BLANK".into()));
    }
    let blue = root.facts.list_facts(list("blue")).await.expect("a list").into_inner();
    assert!(blue.rectangles.is_empty());
    let nowhere = root.facts.list_facts(list("nowhere")).await.expect_err("nothing is made");
    assert_eq!(nowhere.code(), Code::NotFound);
    server.stop().await;
}

#[tokio::test]
async fn a_revoked_key_is_refused_on_the_very_next_request_and_its_streams_end() {
    let home = tempfile::tempdir().expect("a place for data");
    let server = guarded(home.path(), with_admin_key()).await;
    let Issued { key, credential } = issue(&server, Role::Reader, Some(HOME)).await;
    let mut reader = client(&server, HOME, &key);
    let watch = proto::WatchFactsRequest { namespace: HOME.to_owned(), ..Default::default() };
    let mut stream = reader.facts.watch_facts(watch).await.expect("a stream").into_inner();
    let id = credential.id.to_string();
    let revoke = proto::RevokeCredentialRequest { id: id.clone() };
    admin(&server).admin.revoke_credential(revoke.clone()).await.expect("revoked");
    assert_eq!(reads(&server, &key).await, Err("UNAUTHENTICATED".to_owned()));
    let status = stream.message().await.expect_err("the stream ends");
    assert_eq!(status.code(), Code::Unauthenticated);
    let again = admin(&server).admin.revoke_credential(revoke).await.expect_err("it is gone");
    assert_eq!((again.code(), reason(&again)), (Code::NotFound, "CREDENTIAL_UNKNOWN".into()));
    drop((reader, stream));
    server.stop().await;
    // Also after a restart.
    let server = guarded(home.path(), with_admin_key()).await;
    assert_eq!(reads(&server, &key).await, Err("UNAUTHENTICATED".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn a_key_ends_when_it_was_made_to_and_a_rotated_one_after_its_grace() {
    let home = tempfile::tempdir().expect("a place for data");
    let server = guarded(home.path(), with_admin_key()).await;
    let mut root = admin(&server);
    let asked = proto::CreateCredentialRequest {
        name: "brief".to_owned(),
        role: proto::Role::Reader.into(),
        lifetime_seconds: 100,
        ..Default::default()
    };
    let made = root.admin.create_credential(asked).await.expect("made").into_inner();
    let first = made.key;
    let id = made.credential.expect("a credential").id;
    server.clock.set(50 * SECOND);
    let rotate = |grace_seconds| proto::RotateCredentialRequest { id: id.clone(), grace_seconds };
    let second = root.admin.rotate_credential(rotate(10)).await.expect("rotated").into_inner().key;
    assert_ne!(first, second);
    let refused = || Err("UNAUTHENTICATED".to_owned());
    for (now, old, new) in [
        (60 * SECOND - 1, Ok(()), Ok(())),
        (60 * SECOND, refused(), Ok(())),
        (100 * SECOND - 1, refused(), Ok(())),
        (100 * SECOND, refused(), refused()),
    ] {
        server.clock.set(now);
        assert_eq!(reads(&server, &first).await, old, "the first at {now}");
        assert_eq!(reads(&server, &second).await, new, "the second at {now}");
    }
    server.clock.set(70 * SECOND);
    let third = root.admin.rotate_credential(rotate(0)).await.expect("rotated").into_inner().key;
    assert_eq!(reads(&server, &second).await, refused(), "without grace it ends at once");
    assert_eq!(reads(&server, &third).await, Ok(()));
    server.stop().await;
}

#[tokio::test]
async fn an_admin_hands_out_no_more_than_it_has() {
    let home = tempfile::tempdir().expect("a place for data");
    let server = guarded(home.path(), with_admin_key()).await;
    let other = issue(&server, Role::Reader, Some("acme-corp")).await;
    let own = issue(&server, Role::Admin, Some("acme")).await;
    let mut acme = client(&server, "acme", &own.key);
    let asked = |namespace: &str| proto::CreateCredentialRequest {
        name: "next".to_owned(),
        role: proto::Role::Admin.into(),
        namespace: namespace.to_owned(),
        ..Default::default()
    };
    let made = acme.admin.create_credential(asked("acme")).await.expect("within its own");
    assert!(made.into_inner().key.starts_with("tn_"));
    for (namespace, why) in [("acme-corp", "NAMESPACE_DENIED"), ("", "REACH_TOO_NARROW")] {
        let status = acme.admin.create_credential(asked(namespace)).await.expect_err("a denial");
        assert_eq!((status.code(), &*reason(&status)), (Code::PermissionDenied, why));
    }
    let listed = acme.admin.list_credentials(proto::ListCredentialsRequest::default()).await;
    let listed = listed.expect("a list").into_inner().credentials;
    assert_eq!(listed.len(), 2);
    assert!(listed.iter().all(|credential| credential.namespace == "acme"));
    let id = other.credential.id.to_string();
    let revoke = proto::RevokeCredentialRequest { id: id.clone() };
    let status = acme.admin.revoke_credential(revoke).await.expect_err("not its own");
    assert_eq!(reason(&status), "CREDENTIAL_UNKNOWN");
    let rotate = proto::RotateCredentialRequest { id, grace_seconds: 0 };
    let status = acme.admin.rotate_credential(rotate).await.expect_err("not its own");
    assert_eq!(reason(&status), "CREDENTIAL_UNKNOWN");
    let quotas = proto::SetQuotasRequest { namespace: "acme".to_owned(), quotas: None };
    let status = acme.admin.set_quotas(quotas).await.expect_err("who is bound moves no bound");
    assert_eq!(reason(&status), "REACH_TOO_NARROW");
    server.stop().await;
}

#[tokio::test]
async fn what_is_wrong_with_a_new_credential_is_told_at_once() {
    let mut server = Server::start().await;
    let asked = proto::CreateCredentialRequest {
        name: " ".to_owned(),
        scope: Some(proto::Scope { owner: " ".to_owned(), labels: vec!["a,b".to_owned()] }),
        lifetime_seconds: -1,
        ..Default::default()
    };
    let status = server.admin.create_credential(asked).await.expect_err("a refusal");
    let details = status.get_error_details();
    let fields = &details.bad_request().expect("fields").field_violations;
    let fields: Vec<_> = fields.iter().map(|f| (f.field.as_str(), f.reason.as_str())).collect();
    let wanted = [
        ("role", "MISSING_FIELD"),
        ("scope.labels[0]", "MALFORMED_FIELD"),
        ("name", "NAME_BLANK"),
        ("scope.owner", "NAME_BLANK"),
        ("lifetime_seconds", "LIMIT_EXCEEDED"),
    ];
    assert_eq!(fields, wanted);
    server.stop().await;
}

#[tokio::test]
async fn a_credential_is_bounded_in_name_and_time() {
    let mut server = Server::start().await;
    let asked = |name_bytes: usize, lifetime_seconds| proto::CreateCredentialRequest {
        name: "x".repeat(name_bytes),
        role: proto::Role::Admin.into(),
        lifetime_seconds,
        ..Default::default()
    };
    let decade = 10 * 365 * 24 * 3_600;
    for (request, wanted) in [
        (asked(1_025, 0), "STRING_TOO_LONG"),
        (asked(4, decade + 1), "LIMIT_EXCEEDED"),
        (asked(4, i64::MAX), "LIMIT_EXCEEDED"),
    ] {
        let status = server.admin.create_credential(request).await.expect_err("past a bound");
        assert_eq!(reason(&status), wanted);
    }
    let made = server.admin.create_credential(asked(1_024, decade)).await.expect("at the bounds");
    let ends = made.into_inner().credential.and_then(|made| made.expire_time).expect("it ends");
    assert_eq!(ends.unix_micros, decade * SECOND);
    server.stop().await;
}

#[tokio::test]
async fn the_first_credential_closes_an_open_server_behind_an_admin() {
    let mut server = Server::start().await;
    let asked = |role: proto::Role| proto::CreateCredentialRequest {
        name: "first".to_owned(),
        role: role.into(),
        ..Default::default()
    };
    let status = server.admin.create_credential(asked(proto::Role::Writer)).await;
    let status = status.expect_err("nobody could open the door again");
    let told = (status.code(), reason(&status));
    assert_eq!(told, (Code::FailedPrecondition, "FIRST_CREDENTIAL".to_owned()));
    server.admin.ping(proto::PingRequest {}).await.expect("it is open still");
    let made = server.admin.create_credential(asked(proto::Role::Admin)).await.expect("made");
    let made = made.into_inner();
    let ping = server.admin.ping(proto::PingRequest {}).await.expect_err("it is closed");
    assert_eq!(ping.code(), Code::Unauthenticated);
    let id = made.credential.expect("a credential").id;
    let mut holder = client(&server, HOME, &made.key);
    let revoke = proto::RevokeCredentialRequest { id };
    holder.admin.revoke_credential(revoke).await.expect("revoked");
    let ping = server.admin.ping(proto::PingRequest {}).await.expect_err("it stays closed");
    assert_eq!(ping.code(), Code::Unauthenticated);
    drop(holder);
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_others_reach_does_not_start_open() {
    let home = tempfile::tempdir().expect("a place for data");
    let clock: Arc<dyn Clock> = Arc::new(TestClock::default());
    let engine = Engine::open(&Config::new(home.path().to_owned()), clock).expect("opens");
    let begin = |address: &str, access: AccessConfig| {
        let options = Options { access, ..Options::default() };
        let address = address.parse().expect("an address");
        start_with(address, engine.clone(), Models::default(), options)
    };
    let refused = begin("0.0.0.0:0", AccessConfig::default()).await.err();
    let refused = refused.expect("it does not start");
    assert!(matches!(refused, ServeError::Unguarded { .. }));
    for way in ["tenure key create", "--admin-key-file", "--jwks", "--insecure"] {
        assert!(refused.to_string().contains(way), "{refused}");
    }
    let require = AccessConfig { require: true, ..AccessConfig::default() };
    let refused = begin("127.0.0.1:0", require).await.err().expect("nobody could come in");
    assert!(matches!(refused, ServeError::NoCredential));
    engine.close();
}

#[tokio::test]
async fn strangers_have_to_rest_and_holders_of_keys_do_not() {
    let home = tempfile::tempdir().expect("a place for data");
    let server = guarded(home.path(), with_admin_key()).await;
    let good = issue(&server, Role::Reader, None).await;
    let mut stranger = client(&server, HOME, "tn_0123456789abcdef_x");
    let mut codes = Vec::new();
    let mut rest = None;
    for _ in 0..2 * FAILURES_MAX + 10 {
        let status = stranger.facts.list_facts(list(HOME)).await.expect_err("a denial");
        codes.push(status.code());
        if status.code() == Code::ResourceExhausted {
            assert_eq!(reason(&status), "TOO_MANY_FAILURES");
            rest = status.get_details_retry_info().and_then(|info| info.retry_delay);
            break;
        }
    }
    let failures = usize::try_from(FAILURES_MAX).expect("a small number");
    assert!(codes.len() > failures, "{codes:?}");
    assert!(codes[..failures].iter().all(|code| *code == Code::Unauthenticated));
    assert!(rest.is_some_and(|rest| !rest.is_zero()));
    assert_eq!(reads(&server, &good.key).await, Ok(()));
    server.stop().await;
}

#[tokio::test]
async fn denials_and_changes_are_written_down_without_secrets() {
    let home = tempfile::tempdir().expect("a place for data");
    let server = guarded(home.path(), with_admin_key()).await;
    let mut root = admin(&server);
    let brief = proto::CreateNamespaceRequest { name: "brief".to_owned(), ..Default::default() };
    root.admin.create_namespace(brief).await.expect("made");
    let asked = proto::CreateCredentialRequest {
        name: "ci".to_owned(),
        role: proto::Role::Reader.into(),
        namespace: HOME.to_owned(),
        ..Default::default()
    };
    let made = root.admin.create_credential(asked).await.expect("made").into_inner();
    let id = made.credential.expect("a credential").id;
    let mut ci = client(&server, HOME, &made.key);
    for _ in 0..3 {
        ci.facts.list_facts(list("brief")).await.expect_err("another namespace");
    }
    let secret = request(vec![fact("secret-subject", "p", "b", 0, None)]);
    ci.facts.transact(secret).await.expect_err("a reader");
    // One secret in sixteen ends with A as it is.
    let other = if made.key.ends_with('A') { 'E' } else { 'A' };
    let garbled = format!("{}{other}", &made.key[..made.key.len() - 1]);
    reads(&server, &garbled).await.expect_err("the wrong secret");
    let delete = proto::DeleteNamespaceRequest { name: "brief".to_owned() };
    root.admin.delete_namespace(delete).await.expect("deleted");
    let told = events(&mut root).await;
    let shown = |event: &proto::AuditEvent| {
        let proto::AuditEvent { action, who, namespace, count, .. } = event;
        format!("{action} {who:?} {namespace:?} {count}")
    };
    let mut said: Vec<_> = told.iter().map(shown).collect();
    said.sort();
    let wanted = [
        "CREDENTIAL_CREATED \"the admin key\" \"default\" 1",
        "KEY_WRONG \"\" \"\" 1",
        "NAMESPACE_DELETED \"the admin key\" \"brief\" 1",
        "NAMESPACE_DENIED \"ci\" \"brief\" 3",
        "ROLE_TOO_LOW \"ci\" \"default\" 1",
    ];
    // The flush of every second may have come between two alike.
    let joined =
        said.join("\n").replace("\"brief\" 1\nNAMESPACE_DENIED \"ci\" \"brief\" 2", "\"brief\" 3");
    let joined = joined.replace("\"brief\" 2\nNAMESPACE_DENIED \"ci\" \"brief\" 1", "\"brief\" 3");
    assert_eq!(joined, wanted.join("\n"));
    assert!(told.iter().all(|event| event.peer == "127.0.0.1"));
    let changed = told.iter().find(|event| event.action == "CREDENTIAL_CREATED");
    assert_eq!(changed.expect("one").credential_id, id);
    let text = format!("{told:?}");
    for hidden in [&made.key[20..], ADMIN, "secret-subject"] {
        assert!(!text.contains(hidden), "{hidden}");
    }
    let ordered: Vec<u64> = told.iter().map(|event| event.sequence).collect();
    assert!(ordered.is_sorted_by(|newer, older| newer > older), "{ordered:?}");
    let own = issue(&server, Role::Admin, Some(HOME)).await;
    let own = events(&mut client(&server, HOME, &own.key)).await;
    let own = own.iter().filter(|event| event.who == "ci" || event.who == "the admin key");
    let own: Vec<_> = own.map(|event| event.action.as_str()).collect();
    assert_eq!(own, ["ROLE_TOO_LOW", "CREDENTIAL_CREATED"], "what names its namespace");
    drop((root, ci));
    server.stop().await;
    let server = guarded(home.path(), with_admin_key()).await;
    assert!(events(&mut admin(&server)).await.ends_with(&told), "they outlive the process");
    server.stop().await;
}

#[tokio::test]
async fn an_agent_has_the_scope_of_its_key() {
    let home = tempfile::tempdir().expect("a place for data");
    let server = guarded(home.path(), with_admin_key()).await;
    let mut root = admin(&server);
    for name in ["acme", "other"] {
        let name = name.to_owned();
        let made = proto::CreateNamespaceRequest { name, ..Default::default() };
        root.admin.create_namespace(made).await.expect("made");
    }
    let key = issue(&server, Role::Writer, Some("acme")).await.key;
    let call = |path: &str, tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        http()
            .post(format!("{}{path}", server.url()))
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-11-25")
            .header("authorization", format!("Bearer {key}"))
            .json(&message)
            .send()
    };
    let arguments = json!({"subject": "ann", "predicate": "works_at", "object": "acme"});
    let told = call("/mcp", "assert_fact", arguments.clone()).await.expect("an answer");
    let told: Value = told.json().await.expect("JSON");
    assert_ne!(told["result"]["isError"], true, "{told}");
    let facts = root.facts.list_facts(list("acme")).await.expect("a list").into_inner();
    assert_eq!(facts.rectangles.len(), 1, "the namespace is that of the key");
    for path in ["/mcp/other", "/mcp/default"] {
        let told = call(path, "assert_fact", arguments.clone()).await.expect("an answer");
        let told: Value = told.json().await.expect("JSON");
        let error = &told["result"]["structuredContent"]["error"];
        assert_eq!(error["reason"], "NAMESPACE_DENIED", "{told}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_request_is_narrowed_by_its_headers_and_never_widened() {
    let home = tempfile::tempdir().expect("a place for data");
    let server = guarded(home.path(), with_admin_key()).await;
    let label = |text: &str| text.parse().expect("a label");
    let scope = tenure::types::Scope { owner: Some(label("ann")), labels: [label("hr")].into() };
    let new = NewCredential {
        name: "ann".to_owned(),
        role: Role::Writer,
        reach: Reach::One(Name::new(HOME).expect("a name")),
        clearance: Clearance::Only(scope),
        lifetime: None,
    };
    let ann = server.engine.create_credential(new, AuditSubject::default()).await.expect("made");
    let backend = issue(&server, Role::Writer, Some(HOME)).await;
    let ask = async |key: &str, owner: Option<&str>, labels: Option<&str>| {
        let mut asked = Request::new(list(HOME));
        for (name, value) in [("tenure-owner", owner), ("tenure-labels", labels)] {
            if let Some(value) = value {
                asked.metadata_mut().insert(name, value.parse().expect("a value"));
            }
        }
        let answer = client(&server, HOME, key).facts.list_facts(asked).await;
        let told = answer.map(|answer| answer.into_inner().rectangles.len());
        told.map_err(|status| (status.code(), reason(&status)))
    };
    let mut own = client(&server, HOME, &ann.key);
    own.facts.transact(request(vec![fact("a", "p", "b", 0, None)])).await.expect("written");
    assert_eq!(ask(&ann.key, None, None).await, Ok(1));
    assert_eq!(ask(&backend.key, Some("ann"), None).await, Ok(1));
    assert_eq!(ask(&backend.key, Some("bob"), Some("hr,eu")).await, Ok(0));
    let wider = (Code::PermissionDenied, "SCOPE_DENIED".to_owned());
    assert_eq!(ask(&ann.key, Some("bob"), None).await, Err(wider.clone()));
    assert_eq!(ask(&ann.key, None, Some("hr,eu")).await, Err(wider));
    let blank = (Code::InvalidArgument, "MALFORMED_FIELD".to_owned());
    assert_eq!(ask(&backend.key, Some(""), None).await, Err(blank));
    drop(own);
    server.stop().await;
}

#[tokio::test]
async fn sixty_four_callers_with_one_key_leave_one_value() {
    let home = tempfile::tempdir().expect("a place for data");
    let server = guarded(home.path(), with_admin_key()).await;
    let key = issue(&server, Role::Writer, Some(HOME)).await.key;
    let mut one = client(&server, HOME, &key);
    one.facts.transact(request(vec![op::one("head")])).await.expect("declared");
    server.clock.set(1);
    let callers = (0..64).map(|n| {
        let mut caller = one.clone();
        let operation = fact("d1", "head", &format!("h{n}"), 100 + n, None);
        tokio::spawn(async move { caller.facts.transact(request(vec![operation])).await })
    });
    for caller in callers.collect::<Vec<_>>() {
        caller.await.expect("a caller").expect("it is taken");
    }
    let as_of = crate::support::at::valid(10_000);
    let held = one.facts.list_facts(proto::ListFactsRequest { as_of, ..list(HOME) }).await;
    let held = held.expect("a list").into_inner().rectangles;
    assert_eq!(held.len(), 1, "{held:?}");
    drop(one);
    server.stop().await;
}
