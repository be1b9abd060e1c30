//! What teaches an agent to use the memory: instructions, a prompt, resources.

use rmcp::model::{
    ErrorData, GetPromptResult, Prompt, PromptMessage, ReadResourceResult, Resource,
    ResourceContents, Role,
};
use serde_json::json;

use crate::rpc::proto::{Cardinality, ListPredicatesRequest};
use crate::types::limits::ROWS_MAX;

use super::failure::Failure;
use super::handler::Profile;
use super::memory::Memory;

const GUIDE: &str = include_str!("guide.md");
const GRAPH_GUIDE: &str = include_str!("graph/guide.md");
const GUIDE_URI: &str = "tenure://guide";
const PREDICATES_URI: &str = "tenure://predicates";
const PROMPT: &str = "use_memory";

const INSTRUCTIONS: &str = "A memory of facts on two clocks: when something was true, and when it \
was known. Call recall before answering from memory, and remember or assert_fact when something is \
learnt. The world changed: assert_fact. The record was wrong: correct_fact. Dates are written as \
people write them. The resource tenure://guide says more.";

fn text(profile: Profile) -> &'static str {
    match profile {
        Profile::Tenure => GUIDE,
        Profile::Graph => GRAPH_GUIDE,
    }
}

pub(super) fn instructions(profile: Profile) -> &'static str {
    match profile {
        Profile::Tenure => INSTRUCTIONS,
        Profile::Graph => GRAPH_GUIDE,
    }
}

pub(super) fn prompts() -> Vec<Prompt> {
    let about = "When to use which tool of the memory";
    vec![Prompt::new(PROMPT, Some(about), None).with_title("Use the memory")]
}

pub(super) fn prompt(profile: Profile, name: &str) -> Result<GetPromptResult, ErrorData> {
    if name != PROMPT {
        return Err(ErrorData::invalid_params(format!("there is no prompt {name}"), None));
    }
    let said = PromptMessage::new_text(Role::User, text(profile));
    Ok(GetPromptResult::new(vec![said]))
}

pub(super) fn resources() -> Vec<Resource> {
    vec![
        Resource::new(GUIDE_URI, "guide")
            .with_title("Guide")
            .with_description("When to use which tool")
            .with_mime_type("text/markdown"),
        Resource::new(PREDICATES_URI, "predicates")
            .with_title("Predicates")
            .with_description("The predicates in use, and how many objects each holds at once")
            .with_mime_type("application/json"),
    ]
}

pub(super) async fn read(
    memory: Memory,
    profile: Profile,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let contents = match uri {
        GUIDE_URI => ResourceContents::text(text(profile), uri).with_mime_type("text/markdown"),
        PREDICATES_URI => {
            let predicates = predicates(memory).await?;
            ResourceContents::text(predicates, uri).with_mime_type("application/json")
        }
        _ => {
            let message = format!("there is no resource {uri}");
            return Err(ErrorData::resource_not_found(message, None));
        }
    };
    Ok(ReadResourceResult::new(vec![contents]))
}

async fn predicates(mut memory: Memory) -> Result<String, ErrorData> {
    let request = ListPredicatesRequest {
        namespace: memory.namespace.clone(),
        page_size: i32::try_from(ROWS_MAX).expect("limits fit the wire"),
        ..Default::default()
    };
    let listed = memory.graph.list_predicates(request).await.map_err(|status| {
        let data = serde_json::to_value(Failure::new(&status)).ok();
        ErrorData::internal_error(status.message().to_owned(), data)
    })?;
    let predicates = listed.into_inner().predicates.into_iter().map(|predicate| {
        json!({
            "name": predicate.name,
            "single": predicate.cardinality == i32::from(Cardinality::One),
            "holds_values": predicate.holds_values,
        })
    });
    Ok(serde_json::Value::Array(predicates.collect()).to_string())
}
