//! `/metrics`, `/healthz` and `/readyz`.

use std::sync::Arc;
use std::time::SystemTime;

use axum::Router;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Request, Response, StatusCode};
use axum::response::IntoResponse;
use axum::routing::get;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use serde_json::{Value, json};
use tokio::sync::watch;
use tonic::Status;

use crate::auth::{LIVE, READY};
use crate::engine::{Engine, Sizes};
use crate::http::refusal;
use crate::models::Models;
use crate::rpc::Caller;

use super::requests::Requests;
use super::sizes::Looks;

const METRICS: &str = "/metrics";
const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What the pages show.
#[derive(Clone)]
pub(in crate::server) struct Pages {
    registry: Arc<Registry>,
    engine: Engine,
    stopping: watch::Receiver<bool>,
}

impl Pages {
    pub(in crate::server) fn new(
        engine: Engine,
        models: Arc<Models>,
        requests: &Requests,
        stopping: watch::Receiver<bool>,
    ) -> Pages {
        let mut registry = Registry::with_prefix("tenure");
        requests.register(&mut registry);
        let started = SystemTime::now();
        let looks = Looks { engine: engine.clone(), models, started };
        registry.register_collector(Box::new(looks));
        Pages { registry: Arc::new(registry), engine, stopping }
    }

    fn metrics(&self) -> Response<Body> {
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => ([(CONTENT_TYPE, TEXT)], text).into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }

    fn ready(&self) -> Response<Body> {
        let sizes = self.engine.sizes();
        let all = sizes.into_iter().fold(Sizes::default(), |sum, (_, sizes)| sum.and(sizes));
        let stopping = *self.stopping.borrow();
        let broken = self.engine.meters().broken;
        let (ready, report) = readiness(stopping, broken, &all);
        let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        (status, [(CONTENT_TYPE, "application/json")], report.to_string()).into_response()
    }
}

/// A view that is behind still answers and says so, so it keeps nobody away; one that is being
/// opened would answer with less than there is.
fn readiness(stopping: bool, broken: bool, all: &Sizes) -> (bool, Value) {
    let opening = all.text_opening > 0;
    let ready = !(stopping || broken || opening);
    let report = json!({
        "ready": ready,
        "stopping": stopping,
        "writable": !broken,
        "text": { "opening": all.text_opening, "behind": all.text_behind },
        "vectors": { "behind": all.vectors_behind },
    });
    (ready, report)
}

/// The pages for an address that everybody who reaches it may ask, or, where `guarded`, for those
/// alone who administer the whole server.
pub(in crate::server) fn pages(pages: &Pages, guarded: bool) -> Router {
    let (metrics, ready) = (pages.clone(), pages.clone());
    let metrics = async move |request: Request<Body>| {
        if guarded && let Err(status) = allowed(&request) {
            return refusal(&status).map(Body::new);
        }
        metrics.metrics()
    };
    Router::new()
        .route(LIVE, get(async || "ok\n"))
        .route(READY, get(async move || ready.ready()))
        .route(METRICS, get(metrics))
}

fn allowed(request: &Request<Body>) -> Result<(), Status> {
    match request.extensions().get::<Caller>() {
        Some(caller) => caller.must_administer_all(),
        None => Err(Status::internal("the gate was passed by")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keeps_a_server_from_being_asked() {
        let well = Sizes { text_behind: 3, vectors_behind: 9, ..Sizes::default() };
        let opening = Sizes { text_opening: 1, ..well };
        for (stopping, broken, sizes, wanted) in [
            (false, false, well, true),
            (true, false, well, false),
            (false, true, well, false),
            (false, false, opening, false),
        ] {
            let (ready, report) = readiness(stopping, broken, &sizes);
            assert_eq!(ready, wanted, "{report}");
            assert_eq!(report["ready"], wanted);
            assert_eq!(report["text"]["behind"], 3);
            assert_eq!(report["writable"], !broken);
        }
    }
}
