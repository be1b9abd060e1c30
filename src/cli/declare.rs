//! `declare`: how many objects a predicate holds at one instant.

use clap::{Args, ValueEnum};

use crate::rpc::proto::{
    Cardinality, DeclarePredicate, Operation, TransactRequest, operation::Operation as Kind,
};

use super::{
    connect::Client,
    error::Error,
    output::Output,
    run::Ending,
    transact::{response_json, response_text},
};

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Holds {
    /// One object at a time: a newer one ends the older
    One,
    /// Any number of objects
    Many,
}

#[derive(Debug, Args)]
pub struct DeclareArgs {
    /// Name of the predicate
    predicate: String,
    /// How many objects it holds for one subject at one instant
    cardinality: Holds,
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    args: DeclareArgs,
) -> Result<Ending, Error> {
    let cardinality = match args.cardinality {
        Holds::One => Cardinality::One,
        Holds::Many => Cardinality::Many,
    };
    let declare = DeclarePredicate { predicate: args.predicate, cardinality: cardinality.into() };
    let request = TransactRequest {
        namespace: client.namespace.clone(),
        operations: vec![Operation { operation: Some(Kind::DeclarePredicate(declare)) }],
        ..Default::default()
    };
    let reply = client.facts.transact(request).await;
    let response = client.answer(reply)?;
    output.say(&response_json(&response), &response_text(&response))?;
    Ok(Ending::Done)
}
