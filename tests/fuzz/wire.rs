//! Random and mutated messages of every method, in every protocol.

use bytes::Bytes;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MethodDescriptor, Value};
use tonic::{Code, Request, Status};

use tenure::rpc::proto::FILE_DESCRIPTOR_SET;

use crate::chance::Dice;
use crate::raw::Raw;
use crate::support::{Server, reason};
use crate::{answers, count_panics, inputs};

/// Inputs of each protocol in a run of the test command.
const INPUTS: u64 = 3_000;
const SEED: u64 = 0xf0f0;
/// Inputs between two looks at the server.
const LOOK_EVERY: u64 = 100;
const HOME: &str = "default";
const ELSEWHERE: &str = "elsewhere";

pub(crate) fn methods() -> Vec<MethodDescriptor> {
    let pool = DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("descriptors");
    let services: Vec<_> = pool.services().collect();
    services.iter().flat_map(|service| service.methods().collect::<Vec<_>>()).collect()
}

/// A request of a method. What removes or closes a namespace is sent to another one than that on
/// which the rest is tried.
pub(crate) fn request(dice: &mut Dice, method: &MethodDescriptor) -> DynamicMessage {
    let mut message = dice.message(&method.input(), 0);
    let erases_all =
        message.get_field_by_name("everything").is_some_and(|all| *all == Value::Bool(true));
    if erases_all || ["DeleteNamespace", "SetQuotas"].contains(&method.name()) {
        for field in ["name", "namespace"] {
            if method.input().get_field_by_name(field).is_some() {
                message.set_field_by_name(field, Value::String(ELSEWHERE.to_owned()));
            }
        }
    }
    message
}

fn path(method: &MethodDescriptor) -> String {
    format!("/{}/{}", method.parent_service().full_name(), method.name())
}

/// Plain HTTP, but the client wants to know who would encrypt.
pub(crate) fn http() -> reqwest::Client {
    // Another test may have been first.
    drop(rustls::crypto::ring::default_provider().install_default());
    reqwest::Client::new()
}

/// A refusal is the caller's fault or of a bound, and has a reason, unless it is of the protocol
/// itself: what is no message of protobuf gRPC calls `INTERNAL`, before any method is asked.
fn check(status: &Status, is_message: bool, what: &str) {
    let own = !reason(status).is_empty();
    let of_grpc = !is_message && !own && status.message().contains("decode");
    let blamed = matches!(status.code(), Code::Internal | Code::Unknown | Code::DataLoss);
    assert!(!blamed || of_grpc, "{what}: {status:?}");
}

/// A stream is opened and let go: it may have nothing to say for now.
async fn over_grpc(server: &Server, method: &MethodDescriptor, message: Bytes) -> Option<Status> {
    let mut client = tonic::client::Grpc::new(server.channel.clone());
    client.ready().await.expect("the server takes calls");
    let path = path(method).parse().expect("a path");
    let (up, down) = (method.is_client_streaming(), method.is_server_streaming());
    let one = || tokio_stream::iter([message.clone()]);
    match (up, down) {
        (true, true) => client.streaming(Request::new(one()), path, Raw).await.err(),
        (true, false) => client.client_streaming(Request::new(one()), path, Raw).await.err(),
        (false, true) => client.server_streaming(Request::new(message), path, Raw).await.err(),
        (false, false) => client.unary(Request::new(message), path, Raw).await.err(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_message_over_grpc_is_a_fault_of_the_server() {
    count_panics();
    let mut server = Server::start().await;
    let (methods, mut dice) = (methods(), Dice(SEED));
    let mut taken = 0;
    for input in 0..inputs(INPUTS) {
        let method = &methods[dice.below(methods.len())];
        let mut bytes = request(&mut dice, method).encode_to_vec();
        let is_mutated = dice.one_in(2);
        if is_mutated {
            dice.mutate(&mut bytes);
        }
        let what = format!("input {input}, {}", method.full_name());
        match over_grpc(&server, method, bytes.into()).await {
            Some(status) => check(&status, !is_mutated, &what),
            None => taken += 1,
        }
        if input % LOOK_EVERY == 0 {
            answers(&mut server, HOME).await;
        }
    }
    assert!(taken > 0, "only refusals were tried");
    answers(&mut server, HOME).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_json_is_a_fault_of_the_server() {
    count_panics();
    let mut server = Server::start().await;
    let (methods, http, mut dice) = (methods(), http(), Dice(SEED + 1));
    let mut taken = 0;
    for input in 0..inputs(INPUTS) {
        let method = &methods[dice.below(methods.len())];
        let message = request(&mut dice, method);
        let mut bytes = serde_json::to_vec(&message).expect("JSON");
        if dice.one_in(2) {
            dice.mutate(&mut bytes);
        }
        let kind = if method.is_client_streaming() { "x-ndjson" } else { "json" };
        let asked = http
            .post(format!("{}{}", server.url(), path(method)))
            .header("content-type", format!("application/{kind}"))
            .body(bytes);
        let answer = asked.send().await.expect("an answer");
        let code = answer.status().as_u16();
        // Too much for now, and what is not switched on, are no faults.
        let is_fault = code >= 500 && ![501, 503].contains(&code);
        let what = format!("input {input}, {}", method.full_name());
        if !method.is_server_streaming() {
            let text = answer.text().await.expect("a body");
            assert!(!is_fault, "{what}: {code} {text}");
        }
        assert!(!is_fault, "{what}: {code}");
        taken += u64::from(code == 200);
        if input % LOOK_EVERY == 0 {
            answers(&mut server, HOME).await;
        }
    }
    assert!(taken > 0, "only refusals were tried");
    answers(&mut server, HOME).await;
    server.stop().await;
}
