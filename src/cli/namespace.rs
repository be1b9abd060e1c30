//! `namespace`: the only verb that makes or removes one.

use clap::Subcommand;
use serde_json::{Value, json};

use crate::rpc::proto::{
    CreateNamespaceRequest, DeleteNamespaceRequest, ListNamespacesRequest, Namespace,
};

use super::{
    connect::Client,
    error::Error,
    output::{Output, Row, note_cut},
    page::{Page, follow},
    quota::{self, QuotaArgs},
    run::Ending,
    time_text,
};

#[derive(Debug, Subcommand)]
pub enum NamespaceVerb {
    /// Make a namespace
    Create {
        /// Its name
        name: String,
        /// Zone that dates without one are read in, such as Asia/Seoul [default: UTC]
        #[arg(long, value_name = "ZONE")]
        zone: Option<String>,
        /// Succeed when it is there already
        #[arg(long)]
        allow_existing: bool,
    },
    /// List namespaces
    List {
        /// Rows to show; 0 shows all
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: u64,
    },
    /// Show what a namespace may use, or set it
    Quota(QuotaArgs),
    /// Remove a namespace and everything in it
    Delete {
        /// Its name
        name: String,
    },
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    verb: NamespaceVerb,
) -> Result<Ending, Error> {
    match verb {
        NamespaceVerb::Create { name, zone, allow_existing } => {
            let zone = zone.unwrap_or_default();
            create(
                client,
                output,
                CreateNamespaceRequest { name, zone, allow_existing, embedding: None },
            )
            .await?;
        }
        NamespaceVerb::List { limit } => list(client, output, limit).await?,
        NamespaceVerb::Quota(args) => quota::run(client, output, args).await?,
        NamespaceVerb::Delete { name } => {
            let reply =
                client.admin.delete_namespace(DeleteNamespaceRequest { name: name.clone() }).await;
            client.answer(reply)?;
            output.say(
                &json!({ "name": name, "deleted": true }),
                &format!("namespace {name} is removed"),
            )?;
        }
    }
    Ok(Ending::Done)
}

async fn create(
    client: &mut Client,
    output: &mut Output,
    request: CreateNamespaceRequest,
) -> Result<(), Error> {
    let name = request.name.clone();
    let reply = client.admin.create_namespace(request).await;
    let answer = client.answer(reply)?;
    let namespace = answer.namespace.unwrap_or_default();
    let Value::Object(mut json) = namespace.json() else {
        unreachable!("a namespace is an object")
    };
    json.insert("created".to_owned(), answer.created.into());
    let text = if answer.created {
        format!("namespace {name} is made")
    } else {
        format!("namespace {name} was there already")
    };
    output.say(&Value::Object(json), &text)
}

async fn list(client: &mut Client, output: &mut Output, limit: u64) -> Result<(), Error> {
    let mut listing = output.listing::<Namespace>();
    let followed = follow(
        limit,
        async |page_size, page_token| {
            let reply =
                client.admin.list_namespaces(ListNamespacesRequest { page_size, page_token }).await;
            let answer = client.answer(reply)?;
            Ok(Page {
                rows: answer.namespaces,
                next_page_token: answer.next_page_token,
                basis: None,
            })
        },
        |row| listing.add(&row),
    )
    .await?;
    listing.end()?;
    if followed.cut {
        note_cut(followed.shown, "namespaces");
    }
    Ok(())
}

impl Row for Namespace {
    fn columns() -> Vec<&'static str> {
        vec!["name", "zone", "made"]
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.name.clone(),
            self.zone.clone(),
            time_text::optional(self.create_time.as_ref()).unwrap_or_default(),
        ]
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "zone": self.zone,
            "create_time": time_text::optional(self.create_time.as_ref()),
        })
    }
}
