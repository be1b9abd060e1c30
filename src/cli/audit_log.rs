//! `audit-log`: what was denied, and who changed what stands before the facts.

use clap::Args;
use serde_json::{Value, json};

use crate::rpc::proto::{AuditEvent, ListAuditEventsRequest};

use super::{
    connect::Client,
    error::Error,
    output::{Output, Row, note_cut},
    page::{Page, follow},
    run::Ending,
    time_text,
};

#[derive(Debug, Args)]
pub struct AuditLogArgs {
    /// Rows to show, the newest first; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u64,
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    args: &AuditLogArgs,
) -> Result<Ending, Error> {
    let mut listing = output.listing::<AuditEvent>();
    let followed = follow(
        args.limit,
        async |page_size, page_token| {
            let request = ListAuditEventsRequest { page_size, page_token };
            let reply = client.admin.list_audit_events(request).await;
            let answer = client.answer(reply)?;
            let next_page_token = answer.next_page_token;
            Ok(Page { rows: answer.events, next_page_token, basis: None })
        },
        |row| listing.add(&row),
    )
    .await?;
    listing.end()?;
    if followed.cut {
        note_cut(followed.shown, "events");
    }
    Ok(Ending::Done)
}

impl Row for AuditEvent {
    fn columns() -> Vec<&'static str> {
        vec!["time", "action", "who", "peer", "method", "namespace", "key", "count"]
    }

    fn cells(&self) -> Vec<String> {
        vec![
            time_text::optional(self.time.as_ref()).unwrap_or_default(),
            self.action.clone(),
            self.who.clone(),
            self.peer.clone(),
            self.method.clone(),
            self.namespace.clone(),
            self.credential_id.clone(),
            self.count.to_string(),
        ]
    }

    fn json(&self) -> Value {
        json!({
            "sequence": self.sequence,
            "time": time_text::optional(self.time.as_ref()),
            "action": self.action,
            "who": self.who,
            "peer": self.peer,
            "method": self.method,
            "namespace": self.namespace,
            "credential_id": self.credential_id,
            "count": self.count,
        })
    }
}
