//! `end_fact`: something holds no longer.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tonic::Status;

use crate::rpc::proto::operation::Operation as Kind;
use crate::rpc::proto::{End, Evidence};

use super::super::memory::Memory;
use super::super::verb::{Effect, Verb};
use super::super::written::Written;
use super::super::{object, when};

pub(super) struct EndFact;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    subject: String,
    predicate: String,
    /// The entity it points at. Either this or `value`.
    object: Option<String>,
    /// The literal it points at.
    value: Option<Value>,
    /// The date from which it is true no longer. Default: now.
    at: Option<String>,
    /// Who or what says so.
    source: Option<String>,
}

impl Verb for EndFact {
    const NAME: &'static str = "end_fact";
    const TITLE: &'static str = "End a fact";
    const ABOUT: &'static str = "State that something is true no longer, from a date on, with \
        nothing in its place: someone left, a contract ended. It stays true for the time before.";
    const EFFECT: Effect = Effect::Removes;
    type Args = Args;
    type Answer = Written;

    async fn run(mut memory: Memory, args: Args) -> Result<Written, Status> {
        let target =
            object::read(args.object.as_deref(), args.value.as_ref(), ["object", "value"])?;
        let source = args.source.unwrap_or_default();
        let end = Kind::End(End {
            triple: Some(object::triple(&args.subject, &args.predicate, target)),
            at: when::bound(args.at.as_deref()),
            evidence: Some(Evidence { source, ..Default::default() }),
        });
        Ok(Written::new(&memory.transact(vec![end], None).await?))
    }
}
