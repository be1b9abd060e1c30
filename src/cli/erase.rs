//! `erase`: what is to be as if it had never been said; and the receipts of it.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::rpc::proto::erase_request::What;
use crate::rpc::proto::{
    EraseRequest, Erasure, ErasureCounts, ErasureKind, GetErasureRequest, ListErasuresRequest,
};

use super::{
    connect::Client,
    error::Error,
    output::{Output, Row, note_cut},
    page::{Page, follow},
    run::Ending,
    time_text,
};

#[derive(Debug, Subcommand)]
pub enum EraseVerb {
    /// Every statement about a fact, and the episodes they were drawn from
    Fact {
        /// Its id
        id: String,
        #[command(flatten)]
        how: How,
    },
    /// Every statement about an entity under all its names, and the episodes they were drawn from
    Entity {
        /// Its name
        name: String,
        #[command(flatten)]
        how: How,
    },
    /// Every statement and episode of a source
    Source {
        /// Its name
        name: String,
        #[command(flatten)]
        how: How,
    },
    /// Every statement and episode that is for an owner alone
    Owner {
        /// The name of the owner
        name: String,
        #[command(flatten)]
        how: How,
    },
    /// The whole namespace
    Everything {
        #[command(flatten)]
        how: How,
    },
    /// Show the receipt of an erasure
    Show {
        /// Its id
        id: String,
    },
    /// List the receipts of erasures, of all namespaces
    List {
        /// Rows to show; 0 shows all
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: u64,
    },
}

/// How to erase.
#[derive(Debug, Args)]
pub struct How {
    /// Count what would go; erase nothing
    #[arg(long)]
    dry_run: bool,
    /// Leave the freed pages of the file as they are, until the next erasure
    #[arg(long)]
    no_purge: bool,
    /// Sending the same again under the same id gives the same receipt
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    verb: EraseVerb,
) -> Result<Ending, Error> {
    let (what, how) = match verb {
        EraseVerb::Fact { id, how } => (What::FactId(id), how),
        EraseVerb::Entity { name, how } => (What::Entity(name), how),
        EraseVerb::Source { name, how } => (What::Source(name), how),
        EraseVerb::Owner { name, how } => (What::Owner(name), how),
        EraseVerb::Everything { how } => (What::Everything(true), how),
        EraseVerb::Show { id } => return show(client, output, id).await,
        EraseVerb::List { limit } => return list(client, output, limit).await,
    };
    let request = EraseRequest {
        namespace: client.namespace.clone(),
        what: Some(what),
        dry_run: how.dry_run,
        purge: Some(!how.no_purge),
        request_id: how.request_id.unwrap_or_default(),
    };
    let reply = client.admin.erase(request).await;
    let answer = client.answer(reply)?;
    let erasure = answer.erasure.unwrap_or_default();
    let Value::Object(mut json) = erasure.json() else { unreachable!("a receipt is an object") };
    json.insert("replayed".to_owned(), answer.replayed.into());
    output.say(&Value::Object(json), &text(&erasure))?;
    Ok(Ending::Done)
}

async fn show(client: &mut Client, output: &mut Output, id: String) -> Result<Ending, Error> {
    let reply = client.admin.get_erasure(GetErasureRequest { id }).await;
    let erasure = client.answer(reply)?.erasure.unwrap_or_default();
    output.say(&erasure.json(), &text(&erasure))?;
    Ok(Ending::Done)
}

async fn list(client: &mut Client, output: &mut Output, limit: u64) -> Result<Ending, Error> {
    let mut listing = output.listing::<Erasure>();
    let followed = follow(
        limit,
        async |page_size, page_token| {
            let request = ListErasuresRequest { namespace: String::new(), page_size, page_token };
            let reply = client.admin.list_erasures(request).await;
            let answer = client.answer(reply)?;
            Ok(Page { rows: answer.erasures, next_page_token: answer.next_page_token, basis: None })
        },
        |row| listing.add(&row),
    )
    .await?;
    listing.end()?;
    if followed.cut {
        note_cut(followed.shown, "erasures");
    }
    Ok(Ending::Done)
}

fn text(erasure: &Erasure) -> String {
    let mut lines = vec![match erasure.id.as_str() {
        "" => "nothing is erased; this would go:".to_owned(),
        id if erasure.purged => format!("erasure {id}; no file holds it any more"),
        id => format!("erasure {id}; the files may still hold it until they are written anew"),
    }];
    let counts = erasure.counts.unwrap_or_default();
    lines.extend(
        named(&counts).map(|(name, count)| format!("{count:>8} {}", name.replace('_', " "))),
    );
    lines.join("\n")
}

fn named(counts: &ErasureCounts) -> [(&'static str, u64); 12] {
    [
        ("statements", counts.statements),
        ("evidence", counts.evidence),
        ("episodes", counts.episodes),
        ("facts", counts.facts),
        ("rectangles", counts.rectangles),
        ("rectangles_restored", counts.rectangles_restored),
        ("log_changes", counts.log_changes),
        ("names", counts.names),
        ("receipts", counts.receipts),
        ("documents", counts.documents),
        ("vectors", counts.vectors),
        ("accesses", counts.accesses),
    ]
}

fn kind(erasure: &Erasure) -> &'static str {
    match erasure.kind() {
        ErasureKind::Unspecified => "",
        ErasureKind::Fact => "fact",
        ErasureKind::Entity => "entity",
        ErasureKind::Source => "source",
        ErasureKind::Owner => "owner",
        ErasureKind::Namespace => "namespace",
    }
}

impl Row for Erasure {
    fn columns() -> Vec<&'static str> {
        vec!["id", "kind", "tx", "when", "statements", "episodes", "purged"]
    }

    fn cells(&self) -> Vec<String> {
        let counts = self.counts.unwrap_or_default();
        vec![
            self.id.clone(),
            kind(self).to_owned(),
            self.tx.to_string(),
            time_text::optional(self.tx_time.as_ref()).unwrap_or_default(),
            counts.statements.to_string(),
            counts.episodes.to_string(),
            self.purged.to_string(),
        ]
    }

    fn json(&self) -> Value {
        let counts = named(&self.counts.unwrap_or_default());
        let counts: serde_json::Map<_, _> =
            counts.map(|(name, count)| (name.to_owned(), count.into())).into_iter().collect();
        json!({
            "id": self.id,
            "kind": kind(self),
            "tx": self.tx,
            "tx_time": time_text::optional(self.tx_time.as_ref()),
            "first_tx": self.first_tx,
            "counts": counts,
            "purged": self.purged,
        })
    }
}
