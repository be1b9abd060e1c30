//! All of them, in the order an agent reads them.

use rmcp::model::{CallToolResult, JsonObject, Tool};

use super::super::memory::Memory;
use super::super::verb::{self, Verb, tool};
use super::assert::AssertFact;
use super::changed::WhatChanged;
use super::connections::Connections;
use super::context::BuildContext;
use super::conversations::Conversations;
use super::core_memory::{CoreAppended, CoreReplaced};
use super::correct::CorrectFact;
use super::end::EndFact;
use super::explain::Explain;
use super::facts::FactsAsOf;
use super::forget::Forget;
use super::recall::Recall;
use super::remember::Remember;
use super::retract::RetractFact;
use super::timeline::Timeline;

pub(in crate::mcp) fn offered() -> Vec<Tool> {
    vec![
        tool::<Remember>(),
        tool::<Recall>(),
        tool::<AssertFact>(),
        tool::<EndFact>(),
        tool::<CorrectFact>(),
        tool::<RetractFact>(),
        tool::<FactsAsOf>(),
        tool::<Timeline>(),
        tool::<WhatChanged>(),
        tool::<Connections>(),
        tool::<Explain>(),
        tool::<Forget>(),
        tool::<BuildContext>(),
        tool::<Conversations>(),
        tool::<CoreAppended>(),
        tool::<CoreReplaced>(),
    ]
}

/// None when there is no such tool.
pub(in crate::mcp) async fn call(
    memory: Memory,
    name: &str,
    arguments: JsonObject,
) -> Option<CallToolResult> {
    Some(match name {
        Remember::NAME => verb::call::<Remember>(memory, arguments).await,
        Recall::NAME => verb::call::<Recall>(memory, arguments).await,
        AssertFact::NAME => verb::call::<AssertFact>(memory, arguments).await,
        EndFact::NAME => verb::call::<EndFact>(memory, arguments).await,
        CorrectFact::NAME => verb::call::<CorrectFact>(memory, arguments).await,
        RetractFact::NAME => verb::call::<RetractFact>(memory, arguments).await,
        FactsAsOf::NAME => verb::call::<FactsAsOf>(memory, arguments).await,
        Timeline::NAME => verb::call::<Timeline>(memory, arguments).await,
        WhatChanged::NAME => verb::call::<WhatChanged>(memory, arguments).await,
        Connections::NAME => verb::call::<Connections>(memory, arguments).await,
        Explain::NAME => verb::call::<Explain>(memory, arguments).await,
        Forget::NAME => verb::call::<Forget>(memory, arguments).await,
        BuildContext::NAME => verb::call::<BuildContext>(memory, arguments).await,
        Conversations::NAME => verb::call::<Conversations>(memory, arguments).await,
        CoreAppended::NAME => verb::call::<CoreAppended>(memory, arguments).await,
        CoreReplaced::NAME => verb::call::<CoreReplaced>(memory, arguments).await,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_described_with_both_schemas() {
        let tools = offered();
        assert_eq!(tools.len(), 16);
        for tool in tools {
            let text = tool.description.as_deref().unwrap_or_default();
            assert!(text.len() > 40 && tool.title.is_some(), "{}", tool.name);
            assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
            let output = tool.output_schema.expect("an output schema");
            assert_eq!(output["type"], "object", "{}", tool.name);
            assert!(output["properties"]["error"]["properties"]["reason"].is_object());
            let hints = tool.annotations.expect("annotations");
            assert!(hints.read_only_hint.is_some() && hints.open_world_hint == Some(false));
        }
    }
}
