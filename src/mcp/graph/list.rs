//! The nine tools.

use rmcp::model::{CallToolResult, JsonObject, Tool};

use super::super::memory::Memory;
use super::super::verb::{self, Verb, tool};
use super::read::{OpenNodes, ReadGraph, SearchNodes};
use super::remove::{DeleteEntities, DeleteObservations, DeleteRelations};
use super::write::{AddObservations, CreateEntities, CreateRelations};

pub(in crate::mcp) fn offered() -> Vec<Tool> {
    vec![
        tool::<CreateEntities>(),
        tool::<CreateRelations>(),
        tool::<AddObservations>(),
        tool::<DeleteEntities>(),
        tool::<DeleteObservations>(),
        tool::<DeleteRelations>(),
        tool::<ReadGraph>(),
        tool::<SearchNodes>(),
        tool::<OpenNodes>(),
    ]
}

/// None when there is no such tool.
pub(in crate::mcp) async fn call(
    memory: Memory,
    name: &str,
    arguments: JsonObject,
) -> Option<CallToolResult> {
    Some(match name {
        CreateEntities::NAME => verb::call::<CreateEntities>(memory, arguments).await,
        CreateRelations::NAME => verb::call::<CreateRelations>(memory, arguments).await,
        AddObservations::NAME => verb::call::<AddObservations>(memory, arguments).await,
        DeleteEntities::NAME => verb::call::<DeleteEntities>(memory, arguments).await,
        DeleteObservations::NAME => verb::call::<DeleteObservations>(memory, arguments).await,
        DeleteRelations::NAME => verb::call::<DeleteRelations>(memory, arguments).await,
        ReadGraph::NAME => verb::call::<ReadGraph>(memory, arguments).await,
        SearchNodes::NAME => verb::call::<SearchNodes>(memory, arguments).await,
        OpenNodes::NAME => verb::call::<OpenNodes>(memory, arguments).await,
        _ => return None,
    })
}
