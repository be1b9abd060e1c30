//! `core_memory_append` and `core_memory_replace`: what an agent always has before it, kept by itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tonic::Status;

use crate::rpc::proto::update_core_memory_request::Edit;
use crate::rpc::proto::{CoreAppend, CoreReplace, UpdateCoreMemoryRequest};

use super::super::memory::Memory;
use super::super::verb::{Effect, Told, Verb};

pub(super) struct CoreAppended;
pub(super) struct CoreReplaced;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AppendArgs {
    /// The block: `persona` for the agent itself, `human` for whom it talks to, or any other.
    label: String,
    /// A line to add at its end.
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplaceArgs {
    /// The block.
    label: String,
    /// A piece of its text that stands there exactly once.
    old: String,
    /// What takes its place. Empty takes the piece out.
    new: String,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Answer {
    label: String,
    /// The whole block as it stands now.
    text: String,
    /// Changes with every edit.
    version: String,
}

impl Told for Answer {
    fn text(&self) -> String {
        format!("{}: {}", self.label, self.text)
    }
}

impl Verb for CoreAppended {
    const NAME: &'static str = "core_memory_append";
    const TITLE: &'static str = "Append to core memory";
    const ABOUT: &'static str = "Add a line to a block of core memory, which build_context always \
        shows. Use it for the few things that every answer needs: who the user is, how to speak. \
        What is only sometimes needed belongs into remember.";
    const EFFECT: Effect = Effect::Adds;
    type Args = AppendArgs;
    type Answer = Answer;

    async fn run(memory: Memory, args: AppendArgs) -> Result<Answer, Status> {
        let edit = Edit::Append(CoreAppend { text: args.text });
        edited(memory, args.label, edit).await
    }
}

impl Verb for CoreReplaced {
    const NAME: &'static str = "core_memory_replace";
    const TITLE: &'static str = "Replace in core memory";
    const ABOUT: &'static str = "Put one piece of a block of core memory in the place of another, \
        where something changed or is no longer worth a line. The block as it was stays known.";
    const EFFECT: Effect = Effect::Removes;
    type Args = ReplaceArgs;
    type Answer = Answer;

    async fn run(memory: Memory, args: ReplaceArgs) -> Result<Answer, Status> {
        let edit = Edit::Replace(CoreReplace { old: args.old, new: args.new });
        edited(memory, args.label, edit).await
    }
}

async fn edited(mut memory: Memory, label: String, edit: Edit) -> Result<Answer, Status> {
    let request = UpdateCoreMemoryRequest {
        namespace: memory.namespace.clone(),
        label: label.clone(),
        edit: Some(edit),
        ..Default::default()
    };
    let block = memory.episodes.update_core_memory(request).await?.into_inner().block;
    let block = block.unwrap_or_default();
    Ok(Answer { label, text: block.text, version: block.version })
}
