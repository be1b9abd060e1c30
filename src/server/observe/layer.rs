//! Sees every request come and its answer end, in every protocol. A gRPC answer ends with its
//! trailers, which say the code.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::http::{HeaderMap, Request, Response};
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{Layer, Service};

use crate::engine::Account;
use crate::http::label;

use super::requests::{Call, Requests};

#[derive(Clone)]
pub(in crate::server) struct ObserveLayer(pub(in crate::server) Requests);

impl<S> Layer<S> for ObserveLayer {
    type Service = Observe<S>;

    fn layer(&self, inner: S) -> Observe<S> {
        Observe { inner, requests: self.0.clone() }
    }
}

#[derive(Clone)]
pub(in crate::server) struct Observe<S> {
    inner: S,
    requests: Requests,
}

impl<S> Service<Request<Body>> for Observe<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let call = self.requests.begin(label(request.uri().path()), request.headers());
        let account = call.account();
        let answering = Arc::clone(&account).within(|| self.inner.call(request));
        Box::pin(account.scope(async move { Ok(observed(answering.await?, call)) }))
    }
}

fn observed(response: Response<Body>, call: Call) -> Response<Body> {
    let early = code_in(response.headers());
    if early.is_some() || response.body().is_end_stream() {
        call.ended(early.unwrap_or_else(|| code_of(&response)));
        return response;
    }
    let is_grpc = is_grpc(&response);
    let code = if is_grpc { Code::Cancelled } else { code_of(&response) };
    let account = call.account();
    response.map(|inner| Body::new(Observed { inner, call: Some(call), account, code }))
}

fn is_grpc(response: &Response<Body>) -> bool {
    let content = response.headers().get(axum::http::header::CONTENT_TYPE);
    let content = content.map_or(&b""[..], |content| content.as_bytes());
    content.starts_with(b"application/grpc") && !content.starts_with(b"application/grpc-web")
}

fn code_in(headers: &HeaderMap) -> Option<Code> {
    Some(Code::from_bytes(headers.get("grpc-status")?.as_bytes()))
}

/// What an answer in another protocol than gRPC came to.
fn code_of(response: &Response<Body>) -> Code {
    let known = response.extensions().get::<Code>().copied();
    known.unwrap_or_else(|| match response.status().as_u16() {
        ..400 => Code::Ok,
        401 => Code::Unauthenticated,
        403 => Code::PermissionDenied,
        404 => Code::NotFound,
        400..500 => Code::InvalidArgument,
        503 => Code::Unavailable,
        _ => Code::Unknown,
    })
}

/// An answer on its way.
struct Observed {
    inner: Body,
    call: Option<Call>,
    account: Arc<Account>,
    /// What it comes to when nothing more is said.
    code: Code,
}

impl Observed {
    fn end(&mut self) {
        if let Some(call) = self.call.take() {
            call.ended(self.code);
        }
    }
}

impl HttpBody for Observed {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let account = Arc::clone(&self.account);
        let polled = account.within(|| Pin::new(&mut self.inner).poll_frame(context));
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                if let (Some(call), Some(data)) = (&mut self.call, frame.data_ref()) {
                    call.sent(data.len());
                }
                if let Some(code) = frame.trailers_ref().and_then(code_in) {
                    self.code = code;
                }
                if self.inner.is_end_stream() {
                    self.end();
                }
            }
            Poll::Ready(Some(Err(status))) => {
                self.code = status.code();
                self.end();
            }
            Poll::Ready(None) => self.end(),
            Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
