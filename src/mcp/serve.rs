//! The two transports: standard input and output, and streamable HTTP.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::response::IntoResponse;
use axum::routing::any;
use rmcp::ServiceExt;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService, io};
use thiserror::Error;

use crate::types::limits::MESSAGE_BYTES_MAX;

use super::handler::{Handler, Profile, Scope};
use super::memory::Memory;

type Service = StreamableHttpService<Handler, NeverSessionManager>;

#[derive(Debug, Error)]
pub enum McpError {
    #[error("the session could not begin: {0}")]
    Begin(String),
    #[error("the session was lost: {0}")]
    Lost(String),
}

/// Serves one session on standard input and output, until the client ends it.
///
/// # Errors
/// [`McpError`].
pub async fn stdio(memory: Memory, profile: Profile) -> Result<(), McpError> {
    let handler = Handler::new(memory, profile);
    let session = Box::pin(handler.serve(io::stdio_pipes())).await;
    let session = session.map_err(|error| McpError::Begin(error.to_string()))?;
    session.waiting().await.map(drop).map_err(|error| McpError::Lost(error.to_string()))
}

/// `/mcp` for the namespace of `memory`, `/mcp/{namespace}` for any other, and the same below
/// `/mcp-memory` with the tools of the reference memory server.
pub fn pages(memory: &Memory) -> Router {
    // Each request stands for itself, so there are no sessions to bound, and none to lose when the
    // server starts anew. Names are looked at where all protocols come in.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts()
        .with_max_request_body_bytes(MESSAGE_BYTES_MAX);
    let mut router = Router::new();
    for (path, profile) in [("/mcp", Profile::Tenure), ("/mcp-memory", Profile::Graph)] {
        let handler = Handler::new(memory.clone(), profile);
        let sessions = Arc::new(NeverSessionManager::default());
        let service = Service::new(move || Ok(handler.clone()), sessions, config.clone());
        let pages = Router::new()
            .route(path, any(at_home))
            .route(&format!("{path}/{{namespace}}"), any(elsewhere))
            .with_state(service);
        router = router.merge(pages);
    }
    router
}

async fn at_home(State(service): State<Service>, request: Request) -> impl IntoResponse {
    service.handle(request).await
}

async fn elsewhere(
    State(service): State<Service>,
    Path(namespace): Path<String>,
    mut request: Request,
) -> impl IntoResponse {
    request.extensions_mut().insert(Scope(namespace));
    service.handle(request).await
}
