//! The protocol's side: what the server is, what it offers, which tool is called.

use std::future::Future;

use axum::http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, GetPromptRequestParams, GetPromptResponse,
    Implementation, ListPromptsResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};

use crate::rpc::Caller;

use super::memory::Memory;
use super::{graph, guide, tools};

/// Which tools are offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Those of this memory.
    #[default]
    Tenure,
    /// The nine of the reference memory server, with its schemas.
    Graph,
}

#[derive(Clone)]
pub(super) struct Handler {
    memory: Memory,
    profile: Profile,
}

/// The namespace that the path of an HTTP request names.
#[derive(Clone, Debug)]
pub(super) struct Scope(pub(super) String);

impl Handler {
    pub(super) fn new(memory: Memory, profile: Profile) -> Handler {
        Handler { memory, profile }
    }

    fn memory(&self, context: &RequestContext<RoleServer>) -> Memory {
        // On standard input and output there are no parts of a request.
        let Some(parts) = context.extensions.get::<Parts>() else { return self.memory.clone() };
        let named = parts.extensions.get::<Scope>().map(|Scope(namespace)| namespace.as_str());
        match parts.extensions.get::<Caller>() {
            Some(caller) => self.memory.of(caller, named),
            // The services let nobody in who did not pass the gate.
            None => self.memory.clone(),
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let offers =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts();
        let server = Implementation::new("tenure", env!("CARGO_PKG_VERSION")).with_title("Tenure");
        ServerConfig::new(offers.build())
            .with_server_info(server)
            .with_instructions(guide::instructions(self.profile))
    }

    fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ListToolsResult, ErrorData>> + Send {
        let offered = match self.profile {
            Profile::Tenure => tools::offered(),
            Profile::Graph => graph::offered(),
        };
        std::future::ready(Ok(ListToolsResult::with_all_items(offered)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let memory = self.memory(&context);
        let arguments = request.arguments.unwrap_or_default();
        let called = match self.profile {
            Profile::Tenure => tools::call(memory, &request.name, arguments).await,
            Profile::Graph => graph::call(memory, &request.name, arguments).await,
        };
        called.map(CallToolResponse::from).ok_or_else(|| {
            ErrorData::invalid_params(format!("there is no tool {}", request.name), None)
        })
    }

    fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ListResourcesResult, ErrorData>> + Send {
        std::future::ready(Ok(ListResourcesResult::with_all_items(guide::resources())))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let memory = self.memory(&context);
        guide::read(memory, self.profile, &request.uri).await.map(ReadResourceResponse::from)
    }

    fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ListPromptsResult, ErrorData>> + Send {
        std::future::ready(Ok(ListPromptsResult::with_all_items(guide::prompts())))
    }

    fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<GetPromptResponse, ErrorData>> + Send {
        let found = guide::prompt(self.profile, &request.name).map(GetPromptResponse::from);
        std::future::ready(found)
    }
}
