//! Which protocol a request speaks, and who answers it.

use std::convert::Infallible;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Request, Response, Version};
use tonic::Status;
use tonic::body::Body;
use tonic::service::Routes;
use tonic_web::GrpcWebLayer;
use tower::{Layer, Service, ServiceExt, service_fn};

use crate::auth::{Gate, Peer};

use super::host::Hosts;
use super::method;
use super::{call, error};

/// Puts the door before the services.
#[derive(Clone)]
pub struct FrontLayer {
    pages: Router,
    hosts: Arc<Hosts>,
    gate: Arc<Gate>,
}

impl FrontLayer {
    /// `pages` answers what is no call of a service.
    #[must_use]
    pub fn new(pages: Router, hosts: Hosts, gate: Arc<Gate>) -> FrontLayer {
        FrontLayer { pages, hosts: Arc::new(hosts), gate }
    }
}

impl Layer<Routes> for FrontLayer {
    type Service = Front;

    fn layer(&self, services: Routes) -> Front {
        let FrontLayer { pages, hosts, gate } = self.clone();
        Front { services, pages, hosts, gate }
    }
}

#[derive(Clone)]
pub struct Front {
    services: Routes,
    pages: Router,
    hosts: Arc<Hosts>,
    gate: Arc<Gate>,
}

/// What a content type says of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protocol {
    Grpc,
    GrpcWeb,
    Other,
}

impl Protocol {
    fn of(headers: &HeaderMap) -> Protocol {
        let content = headers.get(CONTENT_TYPE).map_or(&b""[..], |value| value.as_bytes());
        if content.starts_with(b"application/grpc-web") {
            Protocol::GrpcWeb
        } else if content.starts_with(b"application/grpc") {
            Protocol::Grpc
        } else {
            Protocol::Other
        }
    }
}

impl Service<Request<Body>> for Front {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // Neither the services nor the pages ever make anyone wait.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Answering {
        // No browser speaks HTTP/2 without TLS, and only a browser is led here by a false name.
        if request.version() < Version::HTTP_2
            && let Err(refusal) = self.hosts.check(&request)
        {
            return Answering::Other(Box::pin(ready(Ok(*refusal))));
        }
        let peer = request.extensions().get::<Peer>().copied();
        let protocol = Protocol::of(request.headers());
        match self.gate.admit(request.headers(), request.uri().path(), peer) {
            Ok(Some(caller)) => drop(request.extensions_mut().insert(caller)),
            Ok(None) => {}
            Err(status) => return refused(protocol, request, status),
        }
        match protocol {
            Protocol::Grpc => Answering::Grpc(self.services.call(request)),
            Protocol::GrpcWeb => {
                let web = GrpcWebLayer::new().layer(self.services.clone());
                Answering::Other(Box::pin(web.oneshot(request)))
            }
            Protocol::Other if method::is_ours(request.uri().path()) => {
                let services = self.services.clone();
                Answering::Other(Box::pin(async { Ok(call::answer(services, request).await) }))
            }
            Protocol::Other => {
                let pages = self.pages.clone();
                let request = request.map(axum::body::Body::new);
                Answering::Other(Box::pin(async {
                    Ok(pages.oneshot(request).await?.map(Body::new))
                }))
            }
        }
    }
}

/// Says in the words of the protocol that a request is not let in.
fn refused(protocol: Protocol, request: Request<Body>, status: Status) -> Answering {
    match protocol {
        Protocol::Grpc => Answering::Other(Box::pin(ready(Ok(status.into_http())))),
        Protocol::GrpcWeb => {
            let says_so = service_fn(move |_: Request<Body>| {
                ready(Ok::<_, Infallible>(status.clone().into_http::<Body>()))
            });
            let web = GrpcWebLayer::new().layer(says_so);
            Answering::Other(Box::pin(web.oneshot(request)))
        }
        Protocol::Other if method::is_ours(request.uri().path()) => {
            Answering::Other(Box::pin(ready(Ok(call::refused(&request, &status)))))
        }
        Protocol::Other => Answering::Other(Box::pin(ready(Ok(error::response(&status))))),
    }
}

/// An answer to come. Native gRPC, which is most of them, takes no allocation.
#[allow(clippy::large_enum_variant, reason = "the large one is the common one")]
pub enum Answering {
    Grpc(<Routes as Service<Request<Body>>>::Future),
    Other(Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>),
}

impl Future for Answering {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            Answering::Grpc(answer) => Pin::new(answer).poll(cx),
            Answering::Other(answer) => answer.as_mut().poll(cx),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_types_name_the_protocol() {
        for (content, protocol) in [
            ("application/grpc", Protocol::Grpc),
            ("application/grpc+proto", Protocol::Grpc),
            ("application/grpc-web", Protocol::GrpcWeb),
            ("application/grpc-web-text+proto", Protocol::GrpcWeb),
            ("application/json", Protocol::Other),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, content.parse().expect("a header"));
            assert_eq!(Protocol::of(&headers), protocol, "{content}");
        }
        assert_eq!(Protocol::of(&HeaderMap::new()), Protocol::Other);
    }
}
