//! `key`: API keys of a running server, and the first one of a directory.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use crate::rpc::proto::{
    CreateCredentialRequest, Credential, ListCredentialsRequest, RevokeCredentialRequest, Role,
    RotateCredentialRequest, Scope,
};
use crate::server::{NewCredential, create_credential};
use crate::types;

use super::{
    connect::Client,
    error::Error,
    output::{Output, Row, note_cut},
    page::{Page, follow},
    run::Ending,
    time_text,
};

#[derive(Debug, Subcommand)]
pub enum KeyVerb {
    /// Make a key. It is shown once and never again
    Create(CreateArgs),
    /// List keys, without their secrets
    List {
        /// Rows to show; 0 shows all
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: u64,
    },
    /// Give a key another secret, which is shown once and never again
    Rotate {
        /// Its id, as `key list` shows it
        id: String,
        /// Seconds for which the old secret stays valid
        #[arg(long, value_name = "SECONDS", default_value_t = 0)]
        grace: i64,
    },
    /// End a key: the next request with it is refused
    Revoke {
        /// Its id, as `key list` shows it
        id: String,
    },
}

#[derive(Debug, Args)]
pub struct CreateArgs {
    /// What to call it; the audit log names it so
    #[arg(long)]
    name: String,
    /// What it lets its holder do
    #[arg(long, value_enum)]
    role: RoleWord,
    /// The one namespace it is for [default: all]
    #[arg(long = "for", value_name = "NAMESPACE")]
    reach: Option<String>,
    /// See only what is for everybody and for this owner
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// See only what is for everybody and for these labels
    #[arg(long = "label", value_name = "NAME")]
    labels: Vec<String>,
    /// Days after which it ends by itself [default: never]
    #[arg(long, value_name = "N")]
    days: Option<u32>,
    /// Make it in this directory, which no server has open: the first key has no other to make it
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RoleWord {
    /// Reads
    Reader,
    /// Reads and writes
    Writer,
    /// Also handles namespaces and keys
    Admin,
}

const SECONDS_OF_A_DAY: i64 = 24 * 3_600;

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    verb: KeyVerb,
) -> Result<Ending, Error> {
    match verb {
        KeyVerb::Create(args) if args.data.is_some() => made_here(output, args)?,
        KeyVerb::Create(args) => {
            let scope = (args.owner.is_some() || !args.labels.is_empty())
                .then(|| Scope { owner: args.owner.unwrap_or_default(), labels: args.labels });
            let role = match args.role {
                RoleWord::Reader => Role::Reader,
                RoleWord::Writer => Role::Writer,
                RoleWord::Admin => Role::Admin,
            };
            let request = CreateCredentialRequest {
                name: args.name,
                role: role.into(),
                namespace: args.reach.unwrap_or_default(),
                scope,
                lifetime_seconds: seconds(args.days).unwrap_or_default(),
            };
            let answer = client.admin.create_credential(request).await;
            let answer = client.answer(answer)?;
            shown_once(output, &answer.credential.unwrap_or_default().id, &answer.key)?;
        }
        KeyVerb::List { limit } => list(client, output, limit).await?,
        KeyVerb::Rotate { id, grace } => {
            let request = RotateCredentialRequest { id, grace_seconds: grace };
            let answer = client.admin.rotate_credential(request).await;
            let answer = client.answer(answer)?;
            shown_once(output, &answer.credential.unwrap_or_default().id, &answer.key)?;
        }
        KeyVerb::Revoke { id } => {
            let request = RevokeCredentialRequest { id: id.clone() };
            let answer = client.admin.revoke_credential(request).await;
            client.answer(answer)?;
            output.say(&json!({ "id": id, "revoked": true }), &format!("key {id} is revoked"))?;
        }
    }
    Ok(Ending::Done)
}

fn seconds(days: Option<u32>) -> Option<i64> {
    days.map(|days| i64::from(days) * SECONDS_OF_A_DAY)
}

fn shown_once(output: &mut Output, id: &str, key: &str) -> Result<(), Error> {
    output.say(
        &json!({ "id": id, "key": key }),
        &format!("{key}\nkey {id}; keep it: it is not shown again"),
    )
}

/// Straight into a directory.
fn made_here(output: &mut Output, args: CreateArgs) -> Result<(), Error> {
    let usage = |what: &str, error: &dyn std::fmt::Display| Error::usage(format!("{what} {error}"));
    let label = |text: &String| {
        text.parse::<types::Label>().map_err(|error| usage(&format!("{text:?}"), &error))
    };
    let owner = args.owner.as_ref().map(label).transpose()?;
    let labels = args.labels.iter().map(label).collect::<Result<_, _>>()?;
    let scope = types::Scope { owner, labels };
    let reach = match &args.reach {
        None => types::Reach::All,
        Some(name) => {
            let name = types::Name::new(name).map_err(|error| usage("--for", &error))?;
            types::Reach::One(name)
        }
    };
    types::Name::new(&args.name).map_err(|error| usage("--name", &error))?;
    let role = match args.role {
        RoleWord::Reader => types::Role::Reader,
        RoleWord::Writer => types::Role::Writer,
        RoleWord::Admin => types::Role::Admin,
    };
    let clearance =
        if scope.is_open() { types::Clearance::Everything } else { types::Clearance::Only(scope) };
    let data = args.data.unwrap_or_default();
    let lifetime = seconds(args.days).filter(|seconds| *seconds > 0);
    let new = NewCredential { name: args.name, role, reach, clearance, lifetime };
    let issued = create_credential(&data, new).map_err(|error| Error::usage(error.to_string()))?;
    shown_once(output, &issued.credential.id.to_string(), &issued.key)
}

async fn list(client: &mut Client, output: &mut Output, limit: u64) -> Result<(), Error> {
    let mut listing = output.listing::<Credential>();
    let followed = follow(
        limit,
        async |page_size, page_token| {
            let request = ListCredentialsRequest { page_size, page_token };
            let reply = client.admin.list_credentials(request).await;
            let answer = client.answer(reply)?;
            let next_page_token = answer.next_page_token;
            Ok(Page { rows: answer.credentials, next_page_token, basis: None })
        },
        |row| listing.add(&row),
    )
    .await?;
    listing.end()?;
    if followed.cut {
        note_cut(followed.shown, "keys");
    }
    Ok(())
}

fn role_word(role: Role) -> &'static str {
    match role {
        Role::Unspecified => "",
        Role::Reader => "reader",
        Role::Writer => "writer",
        Role::Admin => "admin",
    }
}

impl Row for Credential {
    fn columns() -> Vec<&'static str> {
        vec!["id", "name", "role", "for", "sees", "made", "ends"]
    }

    fn cells(&self) -> Vec<String> {
        let reach = if self.namespace.is_empty() { "all namespaces" } else { &self.namespace };
        let sees = match &self.scope {
            None => "everything".to_owned(),
            Some(Scope { owner, labels }) => format!("{owner} [{}]", labels.join(", ")),
        };
        vec![
            self.id.clone(),
            self.name.clone(),
            role_word(self.role()).to_owned(),
            reach.to_owned(),
            sees,
            time_text::optional(self.create_time.as_ref()).unwrap_or_default(),
            time_text::optional(self.expire_time.as_ref()).unwrap_or_default(),
        ]
    }

    fn json(&self) -> Value {
        let scope = self.scope.as_ref();
        json!({
            "id": self.id,
            "name": self.name,
            "role": role_word(self.role()),
            "namespace": self.namespace,
            "scope": scope.map(|sees| json!({ "owner": sees.owner, "labels": sees.labels })),
            "create_time": time_text::optional(self.create_time.as_ref()),
            "expire_time": time_text::optional(self.expire_time.as_ref()),
            "rotate_time": time_text::optional(self.rotate_time.as_ref()),
            "grace_end_time": time_text::optional(self.grace_end_time.as_ref()),
        })
    }
}
