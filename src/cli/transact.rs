//! `transact`: requests from a file, each its own transaction, in order.

use std::{path::PathBuf, sync::Arc};

use clap::Args;
use serde_json::{Value, json};

use crate::rpc::proto::{Outcome, OutcomeStatus, TransactRequest, TransactResponse};
use crate::types::limits::MESSAGE_BYTES_MAX;

use super::{
    connect::Client,
    error::{Error, Refusal, violation_json, violation_text},
    lines::{self, Lines},
    ops,
    output::Output,
    row::short_name,
    run::Ending,
    time_text,
};

#[derive(Debug, Args)]
#[command(after_help = "\
A line is one request and one transaction:
  {\"request_id\":\"k1\",\"ops\":[{\"op\":\"assert\",\"s\":\"Ana\",\"p\":\"works_at\",\"o\":\"Acme\",\"from\":\"2021-03-05\"}]}

Operations: assert, end, retract, supersede, correct, merge, unmerge, declare, accept, withdraw.
An object is an entity when it is a string; otherwise a number, true, false, or {\"text\": \"...\"}.
Dates are strings; \"inf\" is an end that never comes, \"-inf\" a start that is unknown.
A line that is wrong or refused is told and the next one is sent; the exit code is then 1.")]
pub struct TransactArgs {
    /// A file of JSON lines, or - for standard input
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    args: &TransactArgs,
) -> Result<Ending, Error> {
    let mut lines = Lines::new(lines::open(&args.file, Arc::default())?, MESSAGE_BYTES_MAX);
    let mut ending = Ending::Done;
    let mut told_times = false;
    while let Some(line) =
        lines.next().map_err(|cause| Error::file(args.file.display().to_string(), cause))?
    {
        if line.is_blank() {
            continue;
        }
        let request = if line.too_long {
            let message = format!("the line is longer than {MESSAGE_BYTES_MAX} bytes");
            Err(Refusal::local("LINE_TOO_LONG", message, Vec::new()))
        } else {
            ops::request(line.body())
        };
        let answered = match request {
            Err(refusal) => Err(refusal),
            Ok(request) => {
                if request.tx_time.is_some() && !told_times {
                    eprintln!(
                        "note: line {} has a tx_time, which is not kept here; `tenure import` keeps it",
                        line.number
                    );
                    told_times = true;
                }
                send(client, request).await?
            }
        };
        match answered {
            Ok(response) => print(output, line.number, &response)?,
            Err(refusal) => {
                ending = Ending::Refused;
                print_refusal(output, line.number, &refusal)?;
            }
        }
        // A script that waits for the answer to each line must get it.
        output.flush()?;
    }
    Ok(ending)
}

/// The answer or the refusal of this request; an error where no further request can be sent.
async fn send(
    client: &mut Client,
    request: ops::Request,
) -> Result<Result<TransactResponse, Refusal>, Error> {
    let request = TransactRequest {
        namespace: client.namespace.clone(),
        request_id: request.request_id,
        operations: request.operations,
        mode: request.mode.into(),
        dry_run: request.dry_run,
    };
    let reply = client.facts.transact(request).await;
    match client.answer(reply) {
        Ok(response) => Ok(Ok(response)),
        Err(Error::Refused(refusal)) => Ok(Err(*refusal)),
        Err(error) => Err(error),
    }
}

fn print(output: &mut Output, line: u64, response: &TransactResponse) -> Result<(), Error> {
    if output.is_json() {
        let mut json = json!({ "line": line });
        let Value::Object(map) = &mut json else { unreachable!("the literal above is an object") };
        let Value::Object(answer) = response_json(response) else {
            unreachable!("it is an object")
        };
        map.extend(answer);
        output.json_line(&json)
    } else {
        output.text(&format!("line {line}: {}", response_text(response)))
    }
}

fn print_refusal(output: &mut Output, line: u64, refusal: &Refusal) -> Result<(), Error> {
    if output.is_json() {
        return output.json_line(&json!({ "line": line, "error": refusal.json() }));
    }
    output.flush()?;
    eprintln!("line {line}: error: {refusal}");
    if refusal.violations.len() > 1
        || refusal.violations.iter().any(|v| !refusal.message.contains(&v.description))
    {
        for violation in &refusal.violations {
            eprintln!("  {}", violation_text(violation));
        }
    }
    Ok(())
}

pub(crate) fn response_json(response: &TransactResponse) -> Value {
    let words: Vec<&str> = response.outcomes.iter().map(|o| status_word(o.status())).collect();
    let details: Vec<Value> = response.outcomes.iter().map(outcome_json).collect();
    json!({
        "tx": response.tx,
        "tx_time": time_text::optional(response.tx_time.as_ref()),
        "replayed": response.replayed,
        "outcomes": words,
        "details": details,
    })
}

fn outcome_json(outcome: &Outcome) -> Value {
    let displaced: Vec<Value> = outcome
        .displaced
        .iter()
        .map(|other| json!({ "fact_id": other.fact_id, "statement_id": other.statement_id }))
        .collect();
    json!({
        "status": status_word(outcome.status()),
        "fact_id": outcome.fact_id,
        "statement_id": outcome.statement_id,
        "displaced": displaced,
        "conflict": outcome.conflict,
        "violations": outcome.violations.iter().map(violation_json).collect::<Vec<_>>(),
    })
}

/// `transaction 5: 3 APPLIED, 1 NO_CHANGE`, and what went otherwise below it.
pub(crate) fn response_text(response: &TransactResponse) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for outcome in &response.outcomes {
        let word = status_word(outcome.status());
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    let counts: Vec<String> =
        counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    let head = match (response.tx, response.replayed) {
        (0, _) => "dry run, nothing written".to_owned(),
        (tx, true) => format!("transaction {tx}, answered before"),
        (tx, false) => format!("transaction {tx}"),
    };
    let mut text = format!(
        "{head}: {}",
        if counts.is_empty() { "nothing to do".to_owned() } else { counts.join(", ") }
    );
    for (place, outcome) in response.outcomes.iter().enumerate() {
        for violation in &outcome.violations {
            text += &format!("\n  operation {place}: {}", violation_text(violation));
        }
        if outcome.conflict {
            text += &format!(
                "\n  operation {place}: stands against another statement; see `tenure conflicts`"
            );
        }
    }
    text
}

pub(crate) fn status_word(status: OutcomeStatus) -> &'static str {
    short_name(status.as_str_name(), "OUTCOME_STATUS_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_one_line_with_its_outcomes() {
        let response = TransactResponse {
            tx: 5,
            tx_time: Some(crate::rpc::proto::Instant { unix_micros: 0 }),
            outcomes: vec![
                Outcome { status: OutcomeStatus::Applied.into(), ..Outcome::default() },
                Outcome { status: OutcomeStatus::NoChange.into(), ..Outcome::default() },
            ],
            replayed: false,
        };
        let json = response_json(&response);
        assert_eq!(json["outcomes"], json!(["APPLIED", "NO_CHANGE"]));
        assert_eq!(json["tx_time"], "1970-01-01T00:00:00Z");
        assert_eq!(response_text(&response), "transaction 5: 1 APPLIED, 1 NO_CHANGE");
    }
}
