//! `conversation_search`: past turns by what they say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tonic::Status;

use crate::rpc::proto::{EpisodeKind, HitKind, RecallFilter, RecallRequest};

use super::super::memory::Memory;
use super::super::verb::{Effect, Told, Verb};
use super::super::when;

pub(super) struct Conversations;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to look for, in plain words.
    query: String,
    /// Only turns of this session.
    session: Option<String>,
    /// 1 to 1,000. Default 10.
    limit: Option<i32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Turn {
    id: String,
    session: String,
    speaker: String,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    said: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Answer {
    /// Best first.
    turns: Vec<Turn>,
}

impl Told for Answer {
    fn text(&self) -> String {
        if self.turns.is_empty() {
            return "Nobody said anything like it.".to_owned();
        }
        let lines = self.turns.iter().map(|turn| {
            let when = turn.said.as_deref().unwrap_or("at an unknown time");
            format!("{} ({}, {when}): {}", turn.speaker, turn.session, turn.text)
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Verb for Conversations {
    const NAME: &'static str = "conversation_search";
    const TITLE: &'static str = "Search past conversations";
    const ABOUT: &'static str = "Find what was said in past turns, word for word, with who said it \
        and when. Use recall for what is known; use this for what exactly was said.";
    const EFFECT: Effect = Effect::Reads;
    type Args = Args;
    type Answer = Answer;

    async fn run(mut memory: Memory, args: Args) -> Result<Answer, Status> {
        let filter = RecallFilter {
            kinds: vec![HitKind::Episode.into()],
            episode_kinds: vec![EpisodeKind::Turn.into(), EpisodeKind::ToolResult.into()],
            session: args.session.unwrap_or_default(),
            ..Default::default()
        };
        let request = RecallRequest {
            namespace: memory.namespace.clone(),
            query: args.query,
            filter: Some(filter),
            limit: args.limit.unwrap_or_default(),
            ..Default::default()
        };
        let answer = memory.episodes.recall(request).await?.into_inner();
        let turns = answer.hits.into_iter().filter_map(|hit| hit.episode).map(|episode| Turn {
            id: episode.id,
            session: episode.session,
            speaker: episode.speaker,
            text: episode.text,
            said: when::optional(episode.valid_from.as_ref()),
        });
        Ok(Answer { turns: turns.collect() })
    }
}
