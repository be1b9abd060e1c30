//! `watch`: transactions as they are committed.

use clap::Args;

use crate::rpc::proto::{Rectangle, WatchFactsRequest, WatchFactsResponse};

use super::{
    connect::Client,
    error::Error,
    facts::PatternArgs,
    output::{Output, one_line},
    row,
    run::Ending,
    time_text,
};

#[derive(Debug, Args)]
pub struct WatchArgs {
    #[command(flatten)]
    pattern: PatternArgs,
    /// The first transaction to show [default: the next one]
    #[arg(long, value_name = "N")]
    from_tx: Option<u64>,
}

/// Runs until the server or the reader goes away.
pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    args: &WatchArgs,
) -> Result<Ending, Error> {
    let request = WatchFactsRequest {
        namespace: client.namespace.clone(),
        from_tx: args.from_tx,
        pattern: Some(args.pattern.to_proto()?),
    };
    let reply = client.facts.watch_facts(request).await;
    let mut stream = client.answer(reply)?;
    loop {
        match stream.message().await {
            Ok(None) => return Ok(Ending::Done),
            Ok(Some(transaction)) => print(output, &transaction)?,
            Err(status) => return client.answer(Err(status)),
        }
        output.flush()?;
    }
}

fn print(output: &mut Output, transaction: &WatchFactsResponse) -> Result<(), Error> {
    let closed = transaction.closed.iter().map(|rectangle| ("closed", "-", rectangle));
    let opened = transaction.opened.iter().map(|rectangle| ("opened", "+", rectangle));
    for (word, sign, rectangle) in closed.chain(opened) {
        if output.is_json() {
            output.json_line(&change_json(transaction, word, rectangle))?;
        } else {
            let line = format!("{} {sign} {}", transaction.tx, row::sentence(rectangle));
            output.text(&one_line(&line))?;
        }
    }
    Ok(())
}

fn change_json(
    transaction: &WatchFactsResponse,
    word: &str,
    rectangle: &Rectangle,
) -> serde_json::Value {
    let first = [
        ("tx", transaction.tx.into()),
        ("tx_time", time_text::optional(transaction.tx_time.as_ref()).into()),
        ("change", word.into()),
    ];
    row::with_first(&first, rectangle)
}
