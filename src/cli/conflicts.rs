//! `conflicts`: statements of which neither is simply newer.

use clap::Args;
use serde_json::{Value, json};

use crate::rpc::proto::{Conflict, ListConflictsRequest};

use super::{
    connect::Client,
    error::Error,
    explain::{statement_json, statement_text},
    output::{Output, Row, basis_text, note_cut},
    page::{Page, follow},
    point::KnownArgs,
    row,
    run::Ending,
};

#[derive(Debug, Args)]
pub struct ConflictsArgs {
    /// Only those of this subject
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    #[command(flatten)]
    known: KnownArgs,
    /// Also those that were settled
    #[arg(long)]
    settled: bool,
    /// Rows to show; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u64,
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    args: &ConflictsArgs,
) -> Result<Ending, Error> {
    let request = ListConflictsRequest {
        namespace: client.namespace.clone(),
        subject: args.subject.clone().unwrap_or_default(),
        known: args.known.to_proto()?,
        include_settled: args.settled,
        ..ListConflictsRequest::default()
    };
    let mut listing = output.listing::<Conflict>();
    let followed = follow(
        args.limit,
        async |page_size, page_token| {
            let request = ListConflictsRequest { page_size, page_token, ..request.clone() };
            let reply = client.facts.list_conflicts(request).await;
            let answer = client.answer(reply)?;
            Ok(Page {
                rows: answer.conflicts,
                next_page_token: answer.next_page_token,
                basis: answer.basis,
            })
        },
        |row| listing.add(&row),
    )
    .await?;
    listing.end()?;
    output.note(followed.basis.as_ref().map(basis_text))?;
    if followed.cut {
        note_cut(followed.shown, "conflicts");
    }
    Ok(Ending::Done)
}

impl Row for Conflict {
    fn columns() -> Vec<&'static str> {
        vec!["id", "kind", "since tx", "settled", "raised by", "against"]
    }

    fn cells(&self) -> Vec<String> {
        let against: Vec<String> = self.against.iter().map(statement_text).collect();
        // A statement that was held back waits on when what it stood against is erased.
        let against = if against.is_empty() { "(erased)".to_owned() } else { against.join("; ") };
        vec![
            self.id.clone(),
            kind_word(self).to_owned(),
            self.tx_from.to_string(),
            self.tx_to.map_or_else(|| "no".to_owned(), |tx| tx.to_string()),
            self.raised_by.as_ref().map(statement_text).unwrap_or_default(),
            against,
        ]
    }

    fn json(&self) -> Value {
        json!({
            "id": self.id,
            "kind": kind_word(self),
            "raised_by": self.raised_by.as_ref().map(statement_json),
            "against": self.against.iter().map(statement_json).collect::<Vec<_>>(),
            "tx_from": self.tx_from,
            "tx_to": self.tx_to,
        })
    }
}

fn kind_word(conflict: &Conflict) -> &'static str {
    row::short_name(conflict.kind().as_str_name(), "CONFLICT_KIND_")
}
