//! `retract_fact`: something was never true.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tonic::Status;

use crate::rpc::proto::operation::Operation as Kind;
use crate::rpc::proto::{Evidence, Retract};

use super::super::memory::Memory;
use super::super::verb::{Effect, Verb};
use super::super::written::Written;
use super::super::{object, when};

pub(super) struct RetractFact;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    subject: String,
    predicate: String,
    /// The entity it points at. Either this or `value`.
    object: Option<String>,
    /// The literal it points at.
    value: Option<Value>,
    /// Not true from this date on. Default: at no time.
    from: Option<String>,
    /// Not true until this date, exclusive.
    to: Option<String>,
    /// Refuse it also when it is asserted again.
    #[serde(default)]
    block: bool,
    /// Who or what says so.
    source: Option<String>,
}

impl Verb for RetractFact {
    const NAME: &'static str = "retract_fact";
    const TITLE: &'static str = "Retract a fact";
    const ABOUT: &'static str = "State that something was never true, or not in a range of dates. \
        What it had displaced returns. It stays known that it was believed. If it was true once, \
        use end_fact.";
    const EFFECT: Effect = Effect::Removes;
    type Args = Args;
    type Answer = Written;

    async fn run(mut memory: Memory, args: Args) -> Result<Written, Status> {
        let target =
            object::read(args.object.as_deref(), args.value.as_ref(), ["object", "value"])?;
        let source = args.source.unwrap_or_default();
        let retract = Kind::Retract(Retract {
            triple: Some(object::triple(&args.subject, &args.predicate, target)),
            from: when::bound(args.from.as_deref()),
            to: when::bound(args.to.as_deref()),
            block: args.block,
            evidence: Some(Evidence { source, ..Default::default() }),
            ..Default::default()
        });
        Ok(Written::new(&memory.transact(vec![retract], None).await?))
    }
}
