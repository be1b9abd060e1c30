//! `namespace quota`: what one namespace may use.

use clap::Args;
use serde_json::{Value, json};

use crate::rpc::proto::{GetQuotasRequest, GetQuotasResponse, Quotas, SetQuotasRequest};

use super::{connect::Client, error::Error, output::Output};

#[derive(Debug, Args)]
pub struct QuotaArgs {
    /// The namespace
    name: String,
    /// Facts believed at once
    #[arg(long, value_name = "N")]
    facts: Option<u64>,
    /// Bytes of the log
    #[arg(long, value_name = "N")]
    bytes: Option<u64>,
    /// Requests a second
    #[arg(long, value_name = "N")]
    requests_per_second: Option<u32>,
    /// Streams open at once
    #[arg(long, value_name = "N")]
    streams: Option<u32>,
    /// Take away all bounds that are not named here
    #[arg(long)]
    reset: bool,
}

/// Shows the bounds; with any of them named, sets those and leaves the others.
pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    args: QuotaArgs,
) -> Result<(), Error> {
    let named = Quotas {
        facts: args.facts,
        bytes: args.bytes,
        requests_per_second: args.requests_per_second,
        streams: args.streams,
    };
    if args.reset || named != Quotas::default() {
        let before = if args.reset {
            Quotas::default()
        } else {
            get(client, &args.name).await?.quotas.unwrap_or_default()
        };
        let quotas = Quotas {
            facts: named.facts.or(before.facts),
            bytes: named.bytes.or(before.bytes),
            requests_per_second: named.requests_per_second.or(before.requests_per_second),
            streams: named.streams.or(before.streams),
        };
        let request = SetQuotasRequest { namespace: args.name.clone(), quotas: Some(quotas) };
        let reply = client.admin.set_quotas(request).await;
        client.answer(reply)?;
    }
    let now = get(client, &args.name).await?;
    let quotas = now.quotas.unwrap_or_default();
    let bound =
        |bound: Option<u64>| bound.map_or_else(|| "unbounded".to_owned(), |n| n.to_string());
    let text = format!(
        "facts {} of {}, bytes {} of {}, requests a second {}, streams {}",
        now.facts,
        bound(quotas.facts),
        now.bytes,
        bound(quotas.bytes),
        bound(quotas.requests_per_second.map(u64::from)),
        bound(quotas.streams.map(u64::from)),
    );
    output.say(&shown(&args.name, &now, quotas), &text)
}

async fn get(client: &mut Client, name: &str) -> Result<GetQuotasResponse, Error> {
    let reply = client.admin.get_quotas(GetQuotasRequest { namespace: name.to_owned() }).await;
    client.answer(reply)
}

fn shown(name: &str, now: &GetQuotasResponse, quotas: Quotas) -> Value {
    json!({
        "name": name,
        "facts": now.facts,
        "bytes": now.bytes,
        "quotas": {
            "facts": quotas.facts,
            "bytes": quotas.bytes,
            "requests_per_second": quotas.requests_per_second,
            "streams": quotas.streams,
        },
    })
}
