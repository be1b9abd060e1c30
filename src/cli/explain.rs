//! `explain`: every statement and rectangle behind a fact.

use clap::Args;
use serde_json::{Value, json};

use crate::rpc::proto::{
    AsOf, ExplainFactRequest, ExplainFactResponse, FactPattern, GetTimelineRequest,
    ListFactsRequest, Range, Statement, StatementKind,
};
use crate::types::limits::ROWS_MAX;

use super::{
    connect::Client,
    error::{Error, Refusal},
    object, ops,
    output::{Output, one_line},
    point::AsOfArgs,
    row,
    run::Ending,
    time_text,
};

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The id of a fact, or its subject, predicate and object
    #[arg(num_args = 1..=3, required = true, value_names = ["FACT|SUBJECT", "PREDICATE", "OBJECT"])]
    fact: Vec<String>,
    /// With a subject and predicate: the object is this literal
    #[arg(long, value_name = "LITERAL", allow_hyphen_values = true)]
    value: Option<String>,
    #[command(flatten)]
    at: AsOfArgs,
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    args: &ExplainArgs,
) -> Result<Ending, Error> {
    let as_of = args.at.to_proto()?;
    let fact_id = match (args.fact.as_slice(), &args.value) {
        ([id], None) => id.clone(),
        ([subject, predicate, name], None) => {
            find(client, subject, predicate, object::from_words(Some(name), None)?, &as_of).await?
        }
        ([subject, predicate], Some(value)) => {
            find(client, subject, predicate, object::from_words(None, Some(value))?, &as_of).await?
        }
        _ => {
            return Err(Error::usage(
                "name a fact by its id, by SUBJECT PREDICATE OBJECT, or by SUBJECT PREDICATE --value LITERAL",
            ));
        }
    };
    let request =
        ExplainFactRequest { namespace: client.namespace.clone(), fact_id, as_of: Some(as_of) };
    let reply = client.facts.explain_fact(request).await;
    let answer = client.answer(reply)?;
    output.say(&answer_json(&answer), &answer_text(&answer))?;
    output.basis(answer.basis.as_ref())?;
    Ok(Ending::Done)
}

/// The id of a fact that is believed at any valid time, or else was believed once.
async fn find(
    client: &mut Client,
    subject: &str,
    predicate: &str,
    wanted: Option<crate::rpc::proto::Object>,
    as_of: &AsOf,
) -> Result<String, Error> {
    let request = ListFactsRequest {
        namespace: client.namespace.clone(),
        pattern: Some(FactPattern {
            subject: subject.to_owned(),
            predicates: vec![predicate.to_owned()],
            object: wanted.clone(),
        }),
        as_of: Some(AsOf { valid: None, known: as_of.known.clone() }),
        overlapping: Some(Range::default()),
        page_size: 1,
        ..ListFactsRequest::default()
    };
    let reply = client.facts.list_facts(request).await;
    if let Some(rectangle) = client.answer(reply)?.rectangles.into_iter().next() {
        return Ok(rectangle.fact_id);
    }
    let request = GetTimelineRequest {
        namespace: client.namespace.clone(),
        subject: subject.to_owned(),
        predicate: predicate.to_owned(),
        known: as_of.known.clone(),
        audit: true,
        page_size: i32::try_from(ROWS_MAX).expect("limits fit the wire"),
        ..GetTimelineRequest::default()
    };
    let reply = client.facts.get_timeline(request).await;
    let shown = object::text(wanted.as_ref());
    let folded = shown.to_lowercase();
    client
        .answer(reply)?
        .rectangles
        .into_iter()
        .find(|rectangle| object::text(rectangle.object.as_ref()).to_lowercase() == folded)
        .map(|rectangle| rectangle.fact_id)
        .ok_or_else(|| {
            let message = format!("no fact {subject} {predicate} {shown} was ever believed");
            Error::Refused(Box::new(Refusal::local("FACT_NOT_FOUND", message, Vec::new())))
        })
}

fn answer_json(answer: &ExplainFactResponse) -> Value {
    let rectangles: Vec<Value> = answer
        .rectangles
        .iter()
        .map(|explained| {
            let mut fields = explained.rectangle.as_ref().map(row::fields).unwrap_or_default();
            let supersedes: Vec<Value> =
                explained.supersedes.iter().map(|r| Value::Object(row::fields(r))).collect();
            fields.insert("supersedes".to_owned(), supersedes.into());
            Value::Object(fields)
        })
        .collect();
    json!({
        "visible": answer.visible.as_ref().map(row::fields),
        "owner_statement_id": non_empty(&answer.owner_statement_id),
        "known_ended": answer.known_ended,
        "statements": answer.statements.iter().map(statement_json).collect::<Vec<_>>(),
        "rectangles": rectangles,
        "basis": answer.basis.as_ref().map(|basis| json!({
            "valid_time": time_text::optional(basis.valid_time.as_ref()),
            "tx": basis.tx,
            "tx_time": time_text::optional(basis.tx_time.as_ref()),
        })),
    })
}

pub(crate) fn statement_json(statement: &Statement) -> Value {
    let written =
        |date: &Option<crate::rpc::proto::CivilDate>| date.as_ref().map(|d| d.text.clone());
    let evidence = statement.evidence.clone().unwrap_or_default();
    let confidence = evidence.confidence.and_then(|c| c.to_string().parse::<f64>().ok());
    json!({
        "id": statement.id,
        "fact_id": statement.fact_id,
        "kind": kind_word(statement),
        "subject": statement.subject,
        "predicate": statement.predicate,
        "object": object::to_json(statement.object.as_ref()),
        "from": time_text::optional(statement.from.as_ref()),
        "to": time_text::optional(statement.to.as_ref()),
        "from_written": written(&statement.from_written),
        "to_written": written(&statement.to_written),
        "source": non_empty(&evidence.source),
        "trust": ops::trust_word(evidence.trust()),
        "confidence": confidence,
        "statement": non_empty(&evidence.statement),
        "derived_from": evidence.derived_from_ids,
        "tx": statement.tx,
        "tx_time": time_text::optional(statement.tx_time.as_ref()),
        "contested": statement.contested,
        "accepts_id": non_empty(&statement.accepts_id),
        "withdrawn": statement.withdrawn,
    })
}

fn non_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

pub(crate) fn kind_word(statement: &Statement) -> &'static str {
    row::short_name(statement.kind().as_str_name(), "STATEMENT_KIND_")
}

/// Three short sections: what holds, what was said, what was believed.
fn answer_text(answer: &ExplainFactResponse) -> String {
    let mut text = match (&answer.visible, answer.known_ended) {
        (Some(rectangle), _) => format!("It holds: {}", one_line(&row::sentence(rectangle))),
        (None, true) => "It does not hold: it is known to have ended.".to_owned(),
        (None, false) => "It does not hold there.".to_owned(),
    };
    if !answer.owner_statement_id.is_empty() {
        text += &format!("\nStatement {} decides this.", answer.owner_statement_id);
    }
    text += "\n\nWhat was said";
    for statement in &answer.statements {
        text += &format!("\n  {}", one_line(&statement_text(statement)));
    }
    text += "\n\nWhat was believed";
    for explained in &answer.rectangles {
        let Some(rectangle) = &explained.rectangle else { continue };
        let until = rectangle.tx_to.map_or_else(String::new, |tx| {
            let reason = row::close_word(rectangle.close_reason()).to_lowercase();
            format!(" to {tx} ({reason})")
        });
        let line =
            format!("{}, from transaction {}{until}", row::sentence(rectangle), rectangle.tx_from);
        text += &format!("\n  {}", one_line(&line));
        for other in &explained.supersedes {
            text += &format!("\n    in place of {}", one_line(&row::sentence(other)));
        }
    }
    text
}

/// `4.0  OPEN Ana works_at Acme from 2021, transaction 4, by hr: "the sentence"`.
pub(crate) fn statement_text(statement: &Statement) -> String {
    let mut text = format!(
        "{}  {} {} {} {}",
        statement.id,
        kind_word(statement),
        statement.subject,
        statement.predicate,
        object::text(statement.object.as_ref())
    );
    let until = if statement.kind() == StatementKind::End { "at" } else { "to" };
    // An end written as "through 2021" is 2022: only the instant says which was meant.
    for (word, time, written) in
        [("from", &statement.from, &statement.from_written), (until, &statement.to, &None)]
    {
        let shown = written
            .as_ref()
            .map(|date| date.text.clone())
            .or_else(|| time.as_ref().map(|time| time_text::short(time.unix_micros)));
        if let Some(shown) = shown {
            text += &format!(" {word} {shown}");
        }
    }
    text += &format!(", transaction {}", statement.tx);
    if let Some(evidence) = &statement.evidence {
        if !evidence.source.is_empty() {
            text += &format!(", by {}", evidence.source);
        }
        if !evidence.statement.is_empty() {
            text += &format!(": {:?}", evidence.statement);
        }
    }
    if statement.contested {
        text += " (contested)";
    }
    if statement.withdrawn {
        text += " (withdrawn)";
    }
    text
}
