//! The way to the services: a connection, or the services of this process.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderValue, Request, Response};
use tonic::body::Body;
use tonic::service::Routes;
use tonic::transport::Channel;
use tower::{Service, ServiceExt};

use crate::rpc::Caller;

#[derive(Clone)]
pub enum Wire {
    /// A server, and what opens it: the value of the `authorization` header.
    Remote(Channel, Option<HeaderValue>),
    /// The services of this process, and who asks them.
    Local(Routes, Option<Caller>),
}

impl Wire {
    /// The same way, for a caller that was let in.
    #[must_use]
    pub(super) fn of(&self, caller: &Caller) -> Wire {
        match self {
            Wire::Remote(channel, key) => Wire::Remote(channel.clone(), key.clone()),
            Wire::Local(services, _) => Wire::Local(services.clone(), Some(caller.clone())),
        }
    }
}

type Fault = Box<dyn Error + Send + Sync>;

impl Service<Request<Body>> for Wire {
    type Response = Response<Body>;
    type Error = Fault;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Fault>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Fault>> {
        // Each call waits for itself.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        match self.clone() {
            Wire::Remote(channel, key) => {
                if let Some(key) = key {
                    request.headers_mut().insert(AUTHORIZATION, key);
                }
                Box::pin(async { channel.oneshot(request).await.map_err(Fault::from) })
            }
            Wire::Local(services, caller) => {
                if let Some(caller) = caller {
                    request.extensions_mut().insert(caller);
                }
                Box::pin(async { services.oneshot(request).await.map_err(Fault::from) })
            }
        }
    }
}
