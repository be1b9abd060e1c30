//! The way to the services: a connection, or the services of this process.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::http::{Request, Response};
use tonic::body::Body;
use tonic::service::Routes;
use tonic::transport::Channel;
use tower::{Service, ServiceExt};

#[derive(Clone)]
pub enum Wire {
    Remote(Channel),
    Local(Routes),
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

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        match self.clone() {
            Wire::Remote(channel) => {
                Box::pin(async { channel.oneshot(request).await.map_err(Fault::from) })
            }
            Wire::Local(services) => {
                Box::pin(async { services.oneshot(request).await.map_err(Fault::from) })
            }
        }
    }
}
