//! The client against a server: the helpers, and the table of errors that every client is held to.

use std::fs;
use std::path::Path;

use prost::Message;
use protox::prost_reflect::{DescriptorPool, DynamicMessage, Kind, MessageDescriptor, Value};
use serde_json::Value as Json;
use tokio_stream::StreamExt;
use tonic::Status;

use tenure::client::{Client, Error, Import, Options, Retry, known, triple, valid};
use tenure::rpc::proto;

use crate::support::Server;

async fn start() -> (Server, Client) {
    let server = Server::start().await;
    let client = Client::new(&server.url(), "a home").expect("an address");
    client.create_namespace("").await.expect("a namespace");
    (server, client)
}

fn works_at(object: &str, from: &str) -> proto::Operation {
    let from = Some(from.into());
    proto::Assert { triple: triple("Ann", "works_at", object), from, ..Default::default() }.into()
}

fn transact(operations: Vec<proto::Operation>) -> proto::TransactRequest {
    proto::TransactRequest { operations, ..Default::default() }
}

fn of_ann(as_of: Option<proto::AsOf>) -> proto::ListFactsRequest {
    let pattern = proto::FactPattern { subject: "Ann".to_owned(), ..Default::default() };
    proto::ListFactsRequest { pattern: Some(pattern), as_of, ..Default::default() }
}

async fn objects(client: &Client, request: proto::ListFactsRequest) -> Vec<String> {
    let rows = client.list_facts(request).all().await.expect("rows");
    rows.into_iter().map(|row| row.object.unwrap_or_default().to_string()).collect()
}

#[tokio::test]
async fn both_clocks() {
    let (server, client) = start().await;
    let one = proto::DeclarePredicate {
        predicate: "works_at".to_owned(),
        cardinality: proto::Cardinality::One.into(),
    };
    let first = client.transact(transact(vec![one.into(), works_at("Acme", "2020")])).await;
    let first = first.expect("a transaction").tx;
    client.transact(transact(vec![works_at("Zeno", "2022")])).await.expect("a transaction");
    assert_eq!(objects(&client, of_ann(valid("2023"))).await, ["Zeno"]);
    assert_eq!(objects(&client, of_ann(known("2023", first))).await, ["Acme"]);
    let mut rows = client.list_facts(of_ann(valid("2023")));
    rows.next().await.expect("a row").expect("a row");
    let basis = *rows.basis().expect("a page has come");
    client.transact(transact(vec![works_at("Lakeside", "2022-06")])).await.expect("a transaction");
    assert_eq!(objects(&client, of_ann(Some(basis.into()))).await, ["Zeno"]);
    drop((client, rows));
    server.stop().await;
}

#[tokio::test]
async fn pages_are_a_stream_and_imports_are_many() {
    let (server, client) = start().await;
    let mut rows: Vec<_> = (0..25).map(|n| works_at(&format!("n{n}"), "2020")).collect();
    rows[17] = works_at("bad", "2020-13");
    let options = Import { batch: 10, deduplicate: true };
    let done = client.import(rows.clone(), options).await.expect("an import");
    assert_eq!((done.applied, done.rejected, done.tx), (24, 1, 3));
    assert_eq!(done.rejected_rows[0].row, 17);
    let again = client.import(rows, options).await.expect("an import");
    assert_eq!((again.applied, again.replayed), (0, 24));
    let ten = proto::ListFactsRequest { page_size: 10, ..of_ann(valid("2023")) };
    assert_eq!(objects(&client, ten).await.len(), 24);
    let line = proto::GetTimelineRequest {
        subject: "Ann".to_owned(),
        predicate: "works_at".to_owned(),
        page_size: 10,
        ..Default::default()
    };
    assert_eq!(client.timeline(line).all().await.expect("rows").len(), 24);
    drop(client);
    server.stop().await;
}

#[tokio::test]
async fn a_write_gets_an_id_of_its_own() {
    let (server, client) = start().await;
    for tx in 1..=2 {
        let written = client.transact(transact(vec![works_at("Acme", "2020")])).await;
        let written = written.expect("a transaction");
        assert_eq!((written.tx, written.replayed), (tx, false));
    }
    let keyed = || proto::TransactRequest {
        request_id: "k".to_owned(),
        ..transact(vec![works_at("x", "1")])
    };
    let refused = client.transact(keyed()).await.expect_err("1 is no year");
    assert_eq!(refused.reason, "DATE_INVALID");
    drop(client);
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unavailable() {
    let client = Client::new("http://127.0.0.1:1", "x").expect("an address");
    let client = client.with(Options { retry: Retry::NEVER, ..Options::default() });
    let error = client.list_facts(of_ann(None)).all().await.expect_err("nobody is there");
    assert_eq!((error.code, error.reason.as_str()), (tonic::Code::Unavailable, ""));
}

#[tokio::test]
async fn every_client_is_told_the_same() {
    let (server, client) = start().await;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/errors.json");
    let table = fs::read_to_string(path).expect("the table").replace("{namespace}", "a home");
    let table: Json = serde_json::from_str(&table).expect("JSON");
    let protos = DescriptorPool::decode(proto::FILE_DESCRIPTOR_SET).expect("descriptors");
    let operation = protos.get_message_by_name("tenure.v1.Operation").expect("a message");
    let setup = table["setup"].as_array().expect("a list").iter();
    let setup = setup.map(|row| message(&operation, row).transcode_to().expect("an operation"));
    client.transact(transact(setup.collect())).await.expect("what the cases need");
    for case in table["cases"].as_array().expect("a list") {
        let method = case["method"].as_str().expect("a name");
        let request = protos.get_message_by_name(&format!("tenure.v1.{method}Request"));
        let bytes = message(&request.expect("a request"), &case["request"]).encode_to_vec();
        let error = Error::from(ask(&client, method, &bytes).await.expect_err("a refusal"));
        let code = format!("{:?}", error.code);
        assert_eq!(
            code,
            case["code"].as_str().expect("a code").split('_').map(title).collect::<String>(),
            "{case}"
        );
        assert_eq!(error.reason, case["reason"], "{case}");
        let fields = error.violations.iter().map(|v| serde_json::json!([v.field, v.reason]));
        assert_eq!(Json::Array(fields.collect()), case["fields"], "{case}");
        for (key, value) in case["metadata"].as_object().into_iter().flatten() {
            assert_eq!(error.metadata.get(key).map(String::as_str), value.as_str(), "{case}");
        }
    }
    drop(client);
    server.stop().await;
}

/// `NOT` as a part of `NotFound`.
fn title(word: &str) -> String {
    word[..1].to_owned() + &word[1..].to_lowercase()
}

async fn ask(client: &Client, method: &str, bytes: &[u8]) -> Result<(), Status> {
    let (mut facts, mut graph) = (client.facts.clone(), client.graph.clone());
    let (mut memory, mut admin) = (client.memory.clone(), client.admin.clone());
    macro_rules! send {
        ($stub:ident.$call:ident($request:ident)) => {
            $stub.$call(proto::$request::decode(bytes).expect("a request")).await.map(drop)
        };
    }
    match method {
        "Transact" => send!(facts.transact(TransactRequest)),
        "CreateCredential" => send!(admin.create_credential(CreateCredentialRequest)),
        "RotateCredential" => send!(admin.rotate_credential(RotateCredentialRequest)),
        "RevokeCredential" => send!(admin.revoke_credential(RevokeCredentialRequest)),
        "GetFact" => send!(facts.get_fact(GetFactRequest)),
        "ListFacts" => send!(facts.list_facts(ListFactsRequest)),
        "Traverse" => send!(graph.traverse(TraverseRequest)),
        "GetEntity" => send!(graph.get_entity(GetEntityRequest)),
        "Recall" => send!(memory.recall(RecallRequest)),
        "GetEpisode" => send!(memory.get_episode(GetEpisodeRequest)),
        "Reflect" => send!(memory.reflect(ReflectRequest)),
        "SetBudgets" => send!(admin.set_budgets(SetBudgetsRequest)),
        "CreateNamespace" => send!(admin.create_namespace(CreateNamespaceRequest)),
        "Erase" => send!(admin.erase(EraseRequest)),
        "GetErasure" => send!(admin.get_erasure(GetErasureRequest)),
        other => panic!("{other} is not tried here"),
    }
}

/// The standard JSON form of a message, as far as the table uses it.
fn message(descriptor: &MessageDescriptor, json: &Json) -> DynamicMessage {
    let mut made = DynamicMessage::new(descriptor.clone());
    for (name, json) in json.as_object().expect("an object") {
        let field = descriptor.get_field_by_json_name(name).expect("a field of the message");
        let value = match json {
            Json::Array(items) if field.is_list() => {
                Value::List(items.iter().map(|item| value(&field.kind(), item)).collect())
            }
            single => value(&field.kind(), single),
        };
        made.set_field(&field, value);
    }
    made
}

fn value(kind: &Kind, json: &Json) -> Value {
    match (kind, json) {
        (Kind::Message(descriptor), json) => Value::Message(message(descriptor, json)),
        (Kind::Enum(kind), Json::String(name)) => {
            Value::EnumNumber(kind.get_value_by_name(name).expect("a value of the enum").number())
        }
        (Kind::String, Json::String(text)) => Value::String(text.clone()),
        (Kind::Bool, Json::Bool(boolean)) => Value::Bool(*boolean),
        (Kind::Int32, json) => {
            let number = json.as_i64().and_then(|number| i32::try_from(number).ok());
            Value::I32(number.expect("a small number"))
        }
        (Kind::Float, Json::String(text)) => Value::F32(text.parse().expect("NaN or an infinity")),
        #[expect(clippy::cast_possible_truncation, reason = "as the wire has it")]
        (Kind::Float, json) => Value::F32(json.as_f64().expect("a number") as f32),
        (kind, json) => panic!("{json} as {kind:?} is not in the table"),
    }
}
