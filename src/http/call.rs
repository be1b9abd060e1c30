//! One call: the body into messages, the messages through a service, the answer into a body.

use std::time::Duration;

use axum::http::header::{ALLOW, CONTENT_ENCODING, CONTENT_TYPE, HeaderName};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use bytes::Bytes;
use prost_reflect::MethodDescriptor;
use tokio::time::{Instant, timeout_at};
use tonic::body::Body;
use tonic::client::Grpc;
use tonic::service::Routes;
use tonic::{Code, Status};

use crate::rpc::Caller;
use crate::types::limits::MESSAGE_BYTES_MAX;

use super::content::{Content, Framing};
use super::inlet::{self, Inlet};
use super::raw::Raw;
use super::{error, method, outlet};

const TIMEOUT: HeaderName = HeaderName::from_static("connect-timeout-ms");
/// Digits of a time-out, which is a little more than three months.
const TIMEOUT_DIGITS_MAX: usize = 10;
const ACCEPT_POST: HeaderName = HeaderName::from_static("accept-post");

/// What a call is about.
pub(super) struct Asked {
    pub(super) method: MethodDescriptor,
    pub(super) content: Content,
    pub(super) answer: Content,
    /// When its time is over.
    pub(super) ends: Option<Instant>,
    path: PathAndQuery,
}

pub(super) async fn answer(services: Routes, request: Request<Body>) -> Response<Body> {
    let asked = match read_head(&request) {
        Ok(asked) => asked,
        Err(refusal) => return *refusal,
    };
    let (answer, ends) = (asked.answer, asked.ends);
    let (head, body) = request.into_parts();
    let caller = head.extensions.get::<Caller>().cloned();
    let work = call(services, asked, caller, body);
    let done = match ends {
        Some(ends) => timeout_at(ends, work).await.unwrap_or_else(|_| Err(over())),
        None => work.await,
    };
    done.unwrap_or_else(|status| failed(answer, &status))
}

/// The answer to a call that is not let in.
pub(super) fn refused(request: &Request<Body>, status: &Status) -> Response<Body> {
    match read_head(request) {
        Ok(asked) => failed(asked.answer, status),
        Err(_) => error::response(status),
    }
}

fn failed(answer: Content, status: &Status) -> Response<Body> {
    match answer.framing {
        Framing::Enveloped => outlet::only_error(answer, status),
        Framing::Alone | Framing::Lines => error::response(status),
    }
}

/// The caller waits no longer.
pub(super) fn over() -> Status {
    Status::deadline_exceeded("the time of the call is over")
}

async fn call(
    services: Routes,
    asked: Asked,
    caller: Option<Caller>,
    body: Body,
) -> Result<Response<Body>, Status> {
    let mut client = Grpc::new(services)
        .max_decoding_message_size(2 * MESSAGE_BYTES_MAX)
        .max_encoding_message_size(MESSAGE_BYTES_MAX);
    let path = asked.path.clone();
    if asked.method.is_client_streaming() {
        let Inlet { messages, mut fault } = inlet::stream(&asked, body);
        let answer = client.client_streaming(by(caller, messages), path, Raw).await;
        // What ended the messages early is the news, whatever the service made of the rest.
        if let Ok(fault) = fault.try_recv() {
            return Err(fault);
        }
        return outlet::one(&asked, answer?.into_inner());
    }
    let message = inlet::one(&asked, body).await?;
    let request = by(caller, message);
    if asked.method.is_server_streaming() {
        let answer = client.server_streaming(request, path, Raw).await?;
        return Ok(outlet::stream(&asked, answer.into_inner()));
    }
    let answer: Bytes = client.unary(request, path, Raw).await?.into_inner();
    outlet::one(&asked, answer)
}

/// A request of the caller that the gate let in.
fn by<T>(caller: Option<Caller>, message: T) -> tonic::Request<T> {
    let mut request = tonic::Request::new(message);
    if let Some(caller) = caller {
        request.extensions_mut().insert(caller);
    }
    request
}

type Refusal = Box<Response<Body>>;

fn read_head(request: &Request<Body>) -> Result<Asked, Refusal> {
    let path = request.uri().path();
    let Some(method) = method::find(path) else {
        let message = format!("there is no method {path}");
        return Err(Box::new(error::response(&Status::unimplemented(message))));
    };
    if request.method() != Method::POST {
        return Err(Box::new(refuse(StatusCode::METHOD_NOT_ALLOWED, ALLOW, "POST")));
    }
    let content = Content::of(request.headers());
    let answer = content.and_then(|content| {
        content.answer(method.is_client_streaming(), method.is_server_streaming())
    });
    let (Some(content), Some(answer)) = (content, answer) else {
        let accepted = match (method.is_client_streaming(), method.is_server_streaming()) {
            (false, false) => "application/json, application/proto",
            (false, true) => {
                "application/json, application/connect+json, application/connect+proto"
            }
            (true, _) => {
                "application/x-ndjson, application/connect+json, application/connect+proto"
            }
        };
        return Err(Box::new(refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, ACCEPT_POST, accepted)));
    };
    let refused = |status: Status| Box::new(error::response(&status));
    identity(request.headers()).map_err(refused)?;
    let ends = ends(request.headers()).map_err(refused)?;
    let path = PathAndQuery::try_from(path).expect("the path of a request is one");
    Ok(Asked { method, content, answer, ends, path })
}

fn refuse(code: StatusCode, header: HeaderName, value: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::default());
    *response.status_mut() = code;
    response.headers_mut().insert(header, HeaderValue::from_static(value));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    response
}

/// Bodies are taken as they are.
fn identity(headers: &HeaderMap) -> Result<(), Status> {
    for name in [CONTENT_ENCODING, HeaderName::from_static("connect-content-encoding")] {
        if headers.get(&name).is_some_and(|value| value.as_bytes() != b"identity") {
            return Err(Status::unimplemented("bodies are not compressed here"));
        }
    }
    Ok(())
}

fn ends(headers: &HeaderMap) -> Result<Option<Instant>, Status> {
    let Some(value) = headers.get(&TIMEOUT) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default();
    let digits = text.len() <= TIMEOUT_DIGITS_MAX && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse().ok().filter(|_| digits) {
        Some(millis) => Ok(Some(Instant::now() + Duration::from_millis(millis))),
        None => Err(Status::new(Code::InvalidArgument, format!("{TIMEOUT}: not in milliseconds"))),
    }
}
