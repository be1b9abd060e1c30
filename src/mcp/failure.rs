//! A refusal as the result of a tool: the same reason and fields as in every protocol.

use rmcp::model::{CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// Why a tool did not do what it was asked for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Failure {
    /// Stable, such as `DATE_INVALID`.
    reason: String,
    message: String,
    /// Every field that is wrong.
    violations: Vec<Wrong>,
    /// Worth trying again after so many milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<u64>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Wrong {
    /// Path in the request that the tool made.
    field: String,
    reason: String,
    description: String,
}

impl Failure {
    pub(super) fn new(status: &Status) -> Failure {
        let details = status.get_error_details();
        let reason = details.error_info().map(|info| info.reason.clone());
        let fields = details.bad_request().map_or(&[][..], |found| &found.field_violations);
        let delay = details.retry_info().and_then(|retry| retry.retry_delay);
        Failure {
            message: message(status, reason.is_some()),
            reason: reason.unwrap_or_else(|| name(status.code())),
            violations: fields
                .iter()
                .map(|found| Wrong {
                    field: found.field.clone(),
                    reason: found.reason.clone(),
                    description: found.description.clone(),
                })
                .collect(),
            retry_after_ms: delay.and_then(|delay| u64::try_from(delay.as_millis()).ok()),
        }
    }

    pub(super) fn result(self) -> CallToolResult {
        let mut text = format!("{}: {}", self.reason, self.message);
        if self.violations.len() > 1 {
            for field in &self.violations {
                text += &format!("\n{}: {} [{}]", field.field, field.description, field.reason);
            }
        }
        let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
        result.structured_content = Some(json!({ "error": self }));
        result
    }
}

/// What to tell. Where the server was not reached, what went wrong at the bottom.
fn message(status: &Status, answered: bool) -> String {
    let mut cause = std::error::Error::source(status);
    while let Some(deeper) = cause.and_then(std::error::Error::source) {
        cause = Some(deeper);
    }
    match cause {
        Some(cause) if !answered => format!("the server cannot be reached: {cause}"),
        _ => status.message().to_owned(),
    }
}

/// A code as errors without a reason are named, such as `UNAVAILABLE`.
fn name(code: Code) -> String {
    let mut name = String::new();
    for c in format!("{code:?}").chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_uppercase());
    }
    name
}
