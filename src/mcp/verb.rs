//! What every tool is, and how one is described and called.

use std::future::Future;
use std::sync::Arc;

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tonic::Status;

use crate::rpc::status::malformed;

use super::failure::Failure;
use super::memory::Memory;

/// What a tool does to the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Reads,
    /// Nothing that was believed before is believed less.
    Adds,
    /// The same as [`Effect::Adds`], and a second call adds nothing.
    AddsOnce,
    /// Something that was believed before is not any longer. It stays known that it was.
    Removes,
}

/// One tool.
pub(super) trait Verb {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// When to use it, for whoever chooses.
    const ABOUT: &'static str;
    const EFFECT: Effect;
    type Args: DeserializeOwned + JsonSchema + Send;
    type Answer: Serialize + JsonSchema + Told;

    fn run(
        memory: Memory,
        args: Self::Args,
    ) -> impl Future<Output = Result<Self::Answer, Status>> + Send;
}

/// An answer in words.
pub(super) trait Told {
    fn text(&self) -> String;
}

pub(super) fn tool<V: Verb>() -> Tool {
    let hints = match V::EFFECT {
        Effect::Reads => ToolAnnotations::new().read_only(true).idempotent(true),
        Effect::Adds => ToolAnnotations::new().read_only(false).destructive(false),
        Effect::AddsOnce => {
            ToolAnnotations::new().read_only(false).destructive(false).idempotent(true)
        }
        Effect::Removes => {
            ToolAnnotations::new().read_only(false).destructive(true).idempotent(true)
        }
    };
    Tool::new(V::NAME, V::ABOUT, input::<V::Args>())
        .with_title(V::TITLE)
        .with_annotations(hints.open_world(false))
        .with_raw_output_schema(output::<V::Answer>())
}

pub(super) async fn call<V: Verb>(memory: Memory, arguments: JsonObject) -> CallToolResult {
    let ended = match read::<V::Args>(arguments) {
        Ok(args) => V::run(memory, args).await,
        Err(status) => Err(status),
    };
    match ended {
        Ok(answer) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(answer.text())]);
            let value = serde_json::to_value(&answer);
            result.structured_content = Some(value.expect("an answer has text keys only"));
            result
        }
        Err(status) => Failure::new(&status).result(),
    }
}

fn read<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, Status> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        // A dot stands for all of them, a question mark for what has no name.
        let path = error.path().to_string();
        let field = path.trim_end_matches(['.', '?']).to_owned();
        malformed(field, error.into_inner().to_string())
    })
}

fn input<T: JsonSchema>() -> Arc<JsonObject> {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let schema = generator.into_root_schema_for::<T>();
    Arc::new(bare(schema.to_value()))
}

/// The answer or an error, one of the two: clients that check results check both.
fn output<T: JsonSchema>() -> Arc<JsonObject> {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = bare(settings.clone().into_generator().into_root_schema_for::<T>().to_value());
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    let error = settings.into_generator().into_root_schema_for::<Failure>().to_value();
    let required = schema.remove("required").unwrap_or_else(|| json!([]));
    schema.insert("anyOf".into(), json!([{ "required": required }, { "required": ["error"] }]));
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    properties["error"] = Value::Object(bare(error));
    Arc::new(schema)
}

/// Without what says nothing to a model.
fn bare(schema: Value) -> JsonObject {
    let Value::Object(mut schema) = schema else { return JsonObject::new() };
    for word in ["$schema", "title", "description"] {
        schema.remove(word);
    }
    schema.entry("properties").or_insert_with(|| json!({}));
    schema
}
