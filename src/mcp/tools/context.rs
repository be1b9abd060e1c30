//! `build_context`: what to have in mind before answering.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tonic::Status;

use crate::rpc::proto::{BuildContextRequest, SessionKey};

use super::super::memory::Memory;
use super::super::verb::{Effect, Told, Verb};

pub(super) struct BuildContext;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What the answer will be about, best in the words of the user.
    query: String,
    /// The session that is going on, if its turns are kept here.
    session: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Answer {
    /// Core memory, known facts, what bears on the work, past failures, what to check first, and the
    /// conversation, under headings. Empty when nothing is known.
    context: String,
    /// Nothing in long-term memory bears on the query.
    abstained: bool,
    tokens: u32,
    /// The transaction it was read at.
    known_at: String,
}

impl Told for Answer {
    fn text(&self) -> String {
        if self.context.is_empty() {
            return "Nothing that is known bears on it.".to_owned();
        }
        self.context.clone()
    }
}

impl Verb for BuildContext {
    const NAME: &'static str = "build_context";
    const TITLE: &'static str = "Build a context";
    const ABOUT: &'static str = "What to have in mind before you answer: core memory, facts that \
        are known and current, past failures, what may be stale, and the conversation so far. Use \
        it first, once a question; use recall to dig further.";
    const EFFECT: Effect = Effect::Reads;
    type Args = Args;
    type Answer = Answer;

    async fn run(mut memory: Memory, args: Args) -> Result<Answer, Status> {
        let key = args.session.map(|session| SessionKey { session, scope: None });
        let request = BuildContextRequest {
            namespace: memory.namespace.clone(),
            key,
            query: args.query,
            ..Default::default()
        };
        let answer = memory.episodes.build_context(request).await?.into_inner();
        let tx = answer.basis.map_or(0, |basis| basis.tx);
        Ok(Answer {
            context: answer.text,
            abstained: answer.abstained,
            tokens: answer.tokens,
            known_at: format!("tx:{tx}"),
        })
    }
}
