//! Messages of protobuf as the body of an answer.

use std::convert::Infallible;

use axum::body::Body as PlainBody;
use axum::http::HeaderValue;
use axum::http::Response;
use axum::http::header::CONTENT_TYPE;
use bytes::{BufMut, Bytes, BytesMut};
use prost_reflect::MessageDescriptor;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use tonic::body::Body;
use tonic::{Status, Streaming};

use crate::types::limits::STREAM_MESSAGES_MAX;

use super::call::{Asked, over};
use super::content::{Content, Framing};
use super::inlet::ENVELOPE_BYTES;
use super::{error, method};

/// The envelope says how the stream ended.
const END: u8 = 2;

pub(super) fn one(asked: &Asked, message: Bytes) -> Result<Response<Body>, Status> {
    let written = method::write(&asked.method.output(), asked.answer.form, message)?;
    let body = match asked.answer.framing {
        Framing::Alone => written,
        Framing::Lines | Framing::Enveloped => {
            let mut body = BytesMut::from(&framed(asked.answer.framing, &written)[..]);
            body.put(ending(asked.answer.framing, None));
            body.freeze()
        }
    };
    Ok(response(asked.answer, PlainBody::from(body)))
}

/// A stream that begins with its end.
pub(super) fn only_error(answer: Content, status: &Status) -> Response<Body> {
    response(answer, PlainBody::from(ending(answer.framing, Some(status))))
}

pub(super) fn stream(asked: &Asked, mut messages: Streaming<Bytes>) -> Response<Body> {
    let (sender, receiver) = mpsc::channel(STREAM_MESSAGES_MAX);
    let (kind, answer, ends) = (asked.method.output(), asked.answer, asked.ends);
    tokio::spawn(async move {
        loop {
            let next = tokio::select! {
                next = messages.message() => next,
                () = until(ends) => Err(over()),
                // The reader has gone; dropping the messages ends the call.
                () = sender.closed() => return,
            };
            let (piece, last) = piece(&kind, answer, next);
            if sender.send(piece).await.is_err() || last {
                return;
            }
        }
    });
    let pieces = ReceiverStream::new(receiver).map(Ok::<_, Infallible>);
    response(asked.answer, PlainBody::from_stream(pieces))
}

async fn until(ends: Option<Instant>) {
    match ends {
        Some(ends) => sleep_until(ends).await,
        None => std::future::pending().await,
    }
}

/// What the reader gets for one step of a stream, and whether that is all.
fn piece(
    kind: &MessageDescriptor,
    answer: Content,
    next: Result<Option<Bytes>, Status>,
) -> (Bytes, bool) {
    let written = next.and_then(|message| {
        message.map(|message| method::write(kind, answer.form, message)).transpose()
    });
    match written {
        Ok(Some(message)) => (framed(answer.framing, &message), false),
        Ok(None) => (ending(answer.framing, None), true),
        Err(status) => (ending(answer.framing, Some(&status)), true),
    }
}

fn framed(framing: Framing, message: &[u8]) -> Bytes {
    match framing {
        Framing::Alone => Bytes::copy_from_slice(message),
        Framing::Lines => [message, b"\n"].concat().into(),
        Framing::Enveloped => enveloped(0, message),
    }
}

/// How a stream ended. Lines end by ending, or with an object that has nothing but an `error`.
fn ending(framing: Framing, status: Option<&Status>) -> Bytes {
    let said = status.map_or(
        Value::Object(serde_json::Map::new()),
        |status| json!({ "error": error::document(status) }),
    );
    match framing {
        Framing::Enveloped => enveloped(END, said.to_string().as_bytes()),
        Framing::Alone | Framing::Lines if status.is_none() => Bytes::new(),
        Framing::Alone | Framing::Lines => format!("{said}\n").into(),
    }
}

fn enveloped(flags: u8, message: &[u8]) -> Bytes {
    let mut bytes = BytesMut::with_capacity(ENVELOPE_BYTES + message.len());
    bytes.put_u8(flags);
    bytes.put_u32(u32::try_from(message.len()).expect("a message is bounded"));
    bytes.put_slice(message);
    bytes.freeze()
}

fn response(answer: Content, body: PlainBody) -> Response<Body> {
    let mut response = Response::new(Body::new(body));
    let media_type = HeaderValue::from_static(answer.media_type());
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    response
}
