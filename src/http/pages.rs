//! What is read with a browser or fetched by a tool: no call of a service.

use std::sync::LazyLock;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;

use super::openapi::document;

static OPENAPI: LazyLock<String> = LazyLock::new(|| document().to_string());

/// The pages of the door. Others may be merged into them.
pub fn pages() -> Router {
    Router::new().route("/openapi.json", get(openapi))
}

async fn openapi() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], OPENAPI.as_str())
}
