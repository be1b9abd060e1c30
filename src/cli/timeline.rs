//! One subject and predicate over time: `timeline` over valid time, `beliefs` over transaction
//! time, `audit` over both.

use clap::Args;
use serde_json::{Value, json};

use crate::rpc::proto::{Belief, GetBeliefHistoryRequest, GetTimelineRequest, Rectangle};

use super::{
    connect::Client,
    error::Error,
    object,
    output::{Output, Row, note_cut},
    page::{Page, follow},
    point::{DateArgs, KnownArgs},
    row,
    run::Ending,
    time_text,
};

#[derive(Debug, Args)]
pub struct TimelineArgs {
    /// Name of the subject
    subject: String,
    /// Name of the predicate
    predicate: String,
    #[command(flatten)]
    known: KnownArgs,
    /// Rows to show; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u64,
}

#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Name of the subject
    subject: String,
    /// Name of the predicate
    predicate: String,
    #[command(flatten)]
    known: KnownArgs,
    /// Rows to show; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u64,
}

#[derive(Debug, Args)]
pub struct BeliefsArgs {
    /// Name of the subject
    subject: String,
    /// Name of the predicate
    predicate: String,
    /// The point of valid time that is asked about [default: now]
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    at: Option<String>,
    #[command(flatten)]
    dates: DateArgs,
}

pub(crate) async fn timeline(
    client: &mut Client,
    output: &mut Output,
    args: &TimelineArgs,
) -> Result<Ending, Error> {
    let request = GetTimelineRequest {
        namespace: client.namespace.clone(),
        subject: args.subject.clone(),
        predicate: args.predicate.clone(),
        known: args.known.to_proto()?,
        ..GetTimelineRequest::default()
    };
    print(client, output, request, args.limit).await
}

pub(crate) async fn audit(
    client: &mut Client,
    output: &mut Output,
    args: &AuditArgs,
) -> Result<Ending, Error> {
    let request = GetTimelineRequest {
        namespace: client.namespace.clone(),
        subject: args.subject.clone(),
        predicate: args.predicate.clone(),
        known: args.known.to_proto()?,
        audit: true,
        ..GetTimelineRequest::default()
    };
    print(client, output, request, args.limit).await
}

async fn print(
    client: &mut Client,
    output: &mut Output,
    request: GetTimelineRequest,
    limit: u64,
) -> Result<Ending, Error> {
    let mut listing = output.listing::<Rectangle>();
    let followed = follow(
        limit,
        async |page_size, page_token| {
            let request = GetTimelineRequest { page_size, page_token, ..request.clone() };
            let reply = client.facts.get_timeline(request).await;
            let answer = client.answer(reply)?;
            Ok(Page {
                rows: answer.rectangles,
                next_page_token: answer.next_page_token,
                basis: answer.basis,
            })
        },
        |row| listing.add(&row),
    )
    .await?;
    listing.end()?;
    // A timeline is all of valid time, so only the transaction is a point.
    output.note(followed.basis.map(|basis| {
        let time = time_text::optional(basis.tx_time.as_ref());
        let time = time.map_or_else(String::new, |time| format!(" ({time})"));
        format!("known at transaction {}{time}", basis.tx)
    }))?;
    if followed.cut {
        note_cut(followed.shown, "rows");
    }
    Ok(Ending::Done)
}

pub(crate) async fn beliefs(
    client: &mut Client,
    output: &mut Output,
    args: &BeliefsArgs,
) -> Result<Ending, Error> {
    let request = GetBeliefHistoryRequest {
        namespace: client.namespace.clone(),
        subject: args.subject.clone(),
        predicate: args.predicate.clone(),
        valid: args.at.as_deref().map(|text| args.dates.valid(text)),
        known: None,
    };
    let reply = client.facts.get_belief_history(request).await;
    let answer = client.answer(reply)?;
    output.list(&answer.beliefs)?;
    output.basis(answer.basis.as_ref())?;
    Ok(Ending::Done)
}

impl Row for Belief {
    fn columns() -> Vec<&'static str> {
        vec!["from_tx", "from_time", "believed"]
    }

    fn cells(&self) -> Vec<String> {
        let objects: Vec<String> =
            self.rectangles.iter().map(|r| object::text(r.object.as_ref())).collect();
        vec![
            self.tx_from.to_string(),
            time_text::optional(self.tx_from_time.as_ref()).unwrap_or_default(),
            if objects.is_empty() { "(nothing)".to_owned() } else { objects.join(", ") },
        ]
    }

    fn json(&self) -> Value {
        let objects: Vec<Value> =
            self.rectangles.iter().map(|r| object::to_json(r.object.as_ref())).collect();
        let rows: Vec<Value> =
            self.rectangles.iter().map(|r| Value::Object(row::fields(r))).collect();
        json!({
            "tx_from": self.tx_from,
            "tx_from_time": time_text::optional(self.tx_from_time.as_ref()),
            "objects": objects,
            "rows": rows,
        })
    }
}
