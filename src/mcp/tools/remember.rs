//! `remember`: keeps words, and the facts in them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tonic::Status;

use crate::rpc::proto::operation::Operation as Kind;
use crate::rpc::proto::{AddEpisode, AddEpisodesRequest, EpisodeKind};

use super::super::memory::Memory;
use super::super::verb::{Effect, Told, Verb};
use super::super::when;
use super::super::written::Written;
use super::assert::Claim;

pub(super) struct Remember;

#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Sort {
    /// What someone said.
    #[default]
    Turn,
    /// A passage of a document.
    Passage,
    /// What a tool returned.
    ToolResult,
    /// Anything else.
    Note,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to keep, in the words it was said in.
    text: String,
    /// Who said it.
    speaker: Option<String>,
    /// What kind of text it is. Default: `turn`.
    #[serde(default)]
    kind: Sort,
    /// What it is a part of: the name of a document, the subject of a conversation.
    title: Option<String>,
    /// The conversation or document it belongs to.
    session: Option<String>,
    /// When it was said. Default: now.
    when: Option<String>,
    /// Name of the source; `forget` can withdraw all that came from it.
    source: Option<String>,
    /// How much it matters, from 0 to 1. Leave it out when it is not known.
    importance: Option<f32>,
    /// The facts in it.
    #[serde(default)]
    facts: Vec<Claim>,
    /// The same key twice writes once. Seven days.
    request_id: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Answer {
    /// `forget` takes it.
    episode_id: String,
    /// The transaction that recorded it.
    known_at: String,
    /// What became of the facts.
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<Written>,
}

impl Told for Answer {
    fn text(&self) -> String {
        let kept = format!("Remembered as {} ({}).", self.episode_id, self.known_at);
        match &self.facts {
            Some(facts) => format!("{kept} Facts: {}", facts.text()),
            None => kept,
        }
    }
}

impl Verb for Remember {
    const NAME: &'static str = "remember";
    const TITLE: &'static str = "Remember";
    const ABOUT: &'static str = "Keep what was said, word for word, so that recall finds it, and \
        optionally the facts in it. Use it when a user tells something worth keeping. Nothing is \
        kept when one of the facts is refused.";
    const EFFECT: Effect = Effect::Adds;
    type Args = Args;
    type Answer = Answer;

    async fn run(mut memory: Memory, args: Args) -> Result<Answer, Status> {
        let claimed = |episode: &str| {
            let kinds = args.facts.iter().map(|claim| claim.kinds(episode));
            Ok::<_, Status>(kinds.collect::<Result<Vec<Vec<Kind>>, _>>()?.concat())
        };
        if !args.facts.is_empty() {
            memory.rehearse(claimed("")?).await?;
        }
        // Keys of their own for the two requests, as long as one another: if one is too long,
        // nothing is kept.
        let key = |part: &str| args.request_id.as_ref().map(|id| format!("{id}/{part}"));
        let request = AddEpisodesRequest {
            namespace: memory.namespace.clone(),
            request_id: key("words").unwrap_or_default(),
            episodes: vec![episode(&args)],
        };
        let added = memory.episodes.add_episodes(request).await?.into_inner();
        let episode_id = added.episode_ids.into_iter().next().unwrap_or_default();
        let facts = if args.facts.is_empty() {
            None
        } else {
            let kinds = claimed(&episode_id)?;
            Some(Written::new(&memory.transact(kinds, key("facts").as_deref()).await?))
        };
        Ok(Answer { episode_id, known_at: format!("tx:{}", added.tx), facts })
    }
}

fn episode(args: &Args) -> AddEpisode {
    let kind = match args.kind {
        Sort::Turn => EpisodeKind::Turn,
        Sort::Passage => EpisodeKind::Passage,
        Sort::ToolResult => EpisodeKind::ToolResult,
        Sort::Note => EpisodeKind::Note,
    };
    AddEpisode {
        kind: kind.into(),
        text: args.text.clone(),
        speaker: args.speaker.clone().unwrap_or_default(),
        title: args.title.clone().unwrap_or_default(),
        session: args.session.clone().unwrap_or_default(),
        from: when::bound(args.when.as_deref()),
        source: args.source.clone().unwrap_or_default(),
        importance: args.importance,
        ..Default::default()
    }
}
