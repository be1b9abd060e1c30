//! `traverse`: the facts within a few hops of an entity.

use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::rpc::proto::{Direction, Step, TraverseRequest};
use crate::types::limits::ROWS_MAX;

use super::{
    connect::Client,
    error::Error,
    object,
    output::{Output, Row},
    page::whole_limit,
    point::AsOfArgs,
    row,
    run::Ending,
};

/// Which way facts are walked.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum DirectionWord {
    /// From subject to object
    Out,
    /// From object to subject
    In,
    Both,
}

impl DirectionWord {
    pub(crate) fn to_proto(self) -> i32 {
        match self {
            DirectionWord::Out => Direction::Out.into(),
            DirectionWord::In => Direction::In.into(),
            DirectionWord::Both => Direction::Both.into(),
        }
    }
}

#[derive(Debug, Args)]
pub struct TraverseArgs {
    /// Name of the entity to start from
    start: String,
    /// How far to walk, from 1 to 3
    #[arg(long, value_name = "N", default_value_t = 1)]
    hops: i32,
    /// Which way to walk facts
    #[arg(long, value_name = "WAY", default_value = "out")]
    direction: DirectionWord,
    /// Only along this predicate; may be given several times
    #[arg(long = "predicate", value_name = "NAME")]
    predicates: Vec<String>,
    #[command(flatten)]
    at: AsOfArgs,
    /// Facts to show; 0 shows as many as the server returns
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u64,
    /// Facts to follow from any one entity, newest first [default: no bound]
    #[arg(long, value_name = "N")]
    fan_out: Option<i32>,
}

pub(crate) async fn traverse(
    client: &mut Client,
    output: &mut Output,
    args: &TraverseArgs,
) -> Result<Ending, Error> {
    let request = TraverseRequest {
        namespace: client.namespace.clone(),
        start: args.start.clone(),
        hops: args.hops,
        direction: args.direction.to_proto(),
        predicates: args.predicates.clone(),
        as_of: Some(args.at.to_proto()?),
        limit: whole_limit(args.limit, ROWS_MAX),
        fan_out: args.fan_out.unwrap_or_default(),
    };
    let reply = client.graph.traverse(request).await;
    let answer = client.answer(reply)?;
    output.list(&answer.steps)?;
    output.basis(answer.basis.as_ref())?;
    if answer.truncated {
        eprintln!(
            "{} facts shown; more can be reached: raise --limit, or narrow with --predicate",
            answer.steps.len()
        );
    }
    Ok(Ending::Done)
}

impl Row for Step {
    fn columns() -> Vec<&'static str> {
        vec!["hop", "subject", "predicate", "object", "valid_from", "valid_to", "way", "fact_id"]
    }

    fn cells(&self) -> Vec<String> {
        let Some(rectangle) = &self.rectangle else { return vec![self.hop.to_string()] };
        vec![
            self.hop.to_string(),
            rectangle.subject.clone(),
            rectangle.predicate.clone(),
            object::text(rectangle.object.as_ref()),
            row::start_text(rectangle.valid_from.as_ref()),
            row::end_text(rectangle.valid_to.as_ref()),
            if self.reversed { "in" } else { "out" }.to_owned(),
            rectangle.fact_id.clone(),
        ]
    }

    fn json(&self) -> Value {
        let mut fields = self.rectangle.as_ref().map(row::fields).unwrap_or_default();
        fields.insert("hop".to_owned(), self.hop.into());
        fields.insert("reversed".to_owned(), self.reversed.into());
        Value::Object(fields)
    }
}
