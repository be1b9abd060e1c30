//! Bytes around messages: envelopes that lie, and connections that speak nothing known.

use prost::Message;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::chance::Dice;
use crate::support::Server;
use crate::wire::{http, methods, request};
use crate::{answers, count_panics, inputs};

/// Inputs in a run of the test command.
const INPUTS: u64 = 2_000;
const SEED: u64 = 0xface;
const HOME: &str = "default";
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Kinds of bodies whose messages have a head of one byte of flags and four of length.
const ENVELOPED: [&str; 5] = [
    "application/grpc-web+proto",
    "application/grpc-web-text",
    "application/connect+json",
    "application/connect+proto",
    "application/grpc",
];

fn enveloped(dice: &mut Dice, message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).expect("short");
    let length = match dice.below(5) {
        0 => u32::MAX,
        1 => length.saturating_sub(1),
        2 => length + 1,
        _ => length,
    };
    let flags = if dice.one_in(3) { dice.byte() } else { 0 };
    let mut body = vec![flags];
    body.extend_from_slice(&length.to_be_bytes());
    body.extend_from_slice(message);
    if dice.one_in(4) {
        body.extend(dice.bytes(16));
    }
    body
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_envelope_is_a_fault_of_the_server() {
    count_panics();
    let mut server = Server::start().await;
    let (methods, http, mut dice) = (methods(), http(), Dice(SEED));
    for input in 0..inputs(INPUTS) {
        let method = &methods[dice.below(methods.len())];
        let message = request(&mut dice, method).encode_to_vec();
        let body = enveloped(&mut dice, &message);
        let kind = ENVELOPED[dice.below(ENVELOPED.len())];
        let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
        let asked = http.post(format!("{}{path}", server.url()));
        let answer = asked.header("content-type", kind).body(body).send().await;
        let code = answer.expect("an answer").status().as_u16();
        // A body that says gRPC over HTTP/1 gets no gRPC; too much for now is no fault.
        assert!(
            code < 500 || [501, 503, 505].contains(&code),
            "input {input}, {kind} {path}: {code}"
        );
    }
    answers(&mut server, HOME).await;
    server.stop().await;
}

/// A frame of HTTP/2 with a head that may lie about its length.
fn frame(dice: &mut Dice) -> Vec<u8> {
    let payload = dice.bytes(64);
    let length = if dice.one_in(4) { dice.below(1 << 24) } else { payload.len() };
    let mut bytes = u32::try_from(length).expect("three bytes").to_be_bytes()[1..].to_vec();
    bytes.push(u8::try_from(dice.below(12)).expect("a byte"));
    bytes.push(dice.byte());
    let stream = u32::try_from(dice.below(6)).expect("a small number");
    bytes.extend_from_slice(&stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}

fn spoken(dice: &mut Dice) -> Vec<u8> {
    match dice.below(4) {
        0 => dice.bytes(256),
        1 => {
            let mut text = b"POST /tenure.v1.FactService/ListFacts HTTP/1.1\r\nhost: localhost\r\n\
                content-type: application/json\r\ncontent-length: 2\r\n\r\n{}"
                .to_vec();
            dice.mutate(&mut text);
            text
        }
        _ => {
            let mut bytes = PREFACE.to_vec();
            // The settings that a client begins with.
            bytes.extend([0, 0, 0, 4, 0, 0, 0, 0, 0]);
            for _ in 0..=dice.below(6) {
                bytes.extend(frame(dice));
            }
            bytes
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_connection_is_a_fault_of_the_server() {
    count_panics();
    let mut server = Server::start().await;
    let address = server.url().trim_start_matches("http://").to_owned();
    let mut dice = Dice(SEED + 1);
    for _ in 0..inputs(INPUTS) {
        let mut stream = TcpStream::connect(&address).await.expect("it listens");
        // The server may have hung up already, as it should.
        drop(stream.write_all(&spoken(&mut dice)).await);
        drop(stream.shutdown().await);
    }
    answers(&mut server, HOME).await;
    server.stop().await;
}
