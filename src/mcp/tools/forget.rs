//! `forget`: a fact, a text, or all that a source said.

use schemars::JsonSchema;
use serde::Deserialize;
use tonic::Status;

use crate::rpc::proto::operation::Operation as Kind;
use crate::rpc::proto::{ExplainFactRequest, Retract, RetractEpisode, Triple, WithdrawSource};
use crate::rpc::status::malformed;

use super::super::memory::Memory;
use super::super::verb::{Effect, Verb};
use super::super::written::Written;

pub(super) struct Forget;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// A fact, by its id.
    fact_id: Option<String>,
    /// Words that were kept, by the id of the episode. Facts drawn from them stay.
    episode_id: Option<String>,
    /// All that this source ever said, facts and words.
    source: Option<String>,
    /// With `fact_id`: refuse the fact also when it is asserted again.
    #[serde(default)]
    block: bool,
}

impl Verb for Forget {
    const NAME: &'static str = "forget";
    const TITLE: &'static str = "Forget";
    const ABOUT: &'static str = "Have a fact, a remembered text, or all that a source said not \
        believed any more, as if it had never been said. Give exactly one of fact_id, episode_id \
        and source. This does not erase: what was believed before stays visible to known_at.";
    const EFFECT: Effect = Effect::Removes;
    type Args = Args;
    type Answer = Written;

    async fn run(mut memory: Memory, args: Args) -> Result<Written, Status> {
        let kind = match (args.fact_id, args.episode_id, args.source) {
            (Some(fact_id), None, None) => {
                let triple = Some(triple(&mut memory, fact_id).await?);
                Kind::Retract(Retract { triple, block: args.block, ..Default::default() })
            }
            (None, Some(episode_id), None) => Kind::RetractEpisode(RetractEpisode { episode_id }),
            (None, None, Some(source)) => Kind::WithdrawSource(WithdrawSource { source }),
            _ => {
                let detail = "exactly one of fact_id, episode_id and source is needed".to_owned();
                return Err(malformed(String::new(), detail));
            }
        };
        Ok(Written::new(&memory.transact(vec![kind], None).await?))
    }
}

/// What an id stands for, in names.
async fn triple(memory: &mut Memory, fact_id: String) -> Result<Triple, Status> {
    let namespace = memory.namespace.clone();
    let request = ExplainFactRequest { namespace, fact_id: fact_id.clone(), as_of: None };
    let explained = memory.facts.explain_fact(request).await?.into_inner();
    let said = explained.statements.into_iter().find(|said| said.fact_id == fact_id);
    said.map(|said| Triple {
        subject: said.subject,
        predicate: said.predicate,
        object: said.object,
    })
    .ok_or_else(|| malformed("fact_id".to_owned(), "nothing is said of this fact".to_owned()))
}
