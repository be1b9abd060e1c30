//! `correct_fact`: the record was wrong, and this is right.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tonic::Status;

use crate::rpc::proto::operation::Operation as Kind;
use crate::rpc::proto::{Correct, Evidence};

use super::super::memory::Memory;
use super::super::verb::{Effect, Verb};
use super::super::written::Written;
use super::super::{object, when};

pub(super) struct CorrectFact;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    subject: String,
    predicate: String,
    /// The entity that the record points at, wrongly or with the wrong dates. Or `value`.
    object: Option<String>,
    value: Option<Value>,
    /// The entity it should have pointed at. Default: the same.
    new_object: Option<String>,
    /// The literal it should have pointed at. Default: the same.
    new_value: Option<Value>,
    /// A date at which the record holds, where it holds more than once. Default: now.
    at: Option<String>,
    /// The right start. Default: the same.
    from: Option<String>,
    /// The right end, exclusive. Default: the same.
    to: Option<String>,
    /// Who or what says so.
    source: Option<String>,
}

impl Verb for CorrectFact {
    const NAME: &'static str = "correct_fact";
    const TITLE: &'static str = "Correct a fact";
    const ABOUT: &'static str = "Mend a record that was wrong: another object, other dates, or \
        both. It counts for all of the time it held, and what was believed before stays known. If \
        the record was right and the world changed, use assert_fact.";
    const EFFECT: Effect = Effect::Removes;
    type Args = Args;
    type Answer = Written;

    async fn run(mut memory: Memory, args: Args) -> Result<Written, Status> {
        let old = object::read(args.object.as_deref(), args.value.as_ref(), ["object", "value"])?;
        let fields = ["new_object", "new_value"];
        let new = object::read(args.new_object.as_deref(), args.new_value.as_ref(), fields)?;
        let source = args.source.unwrap_or_default();
        let correct = Kind::Correct(Correct {
            triple: Some(object::triple(&args.subject, &args.predicate, old)),
            at: when::bound(args.at.as_deref()),
            new_object: new,
            from: when::bound(args.from.as_deref()),
            to: when::bound(args.to.as_deref()),
            evidence: Some(Evidence { source, ..Default::default() }),
        });
        Ok(Written::new(&memory.transact(vec![correct], None).await?))
    }
}
