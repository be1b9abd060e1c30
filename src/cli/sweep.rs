//! `sweep`: forgetting, step by step until it is through.

use std::collections::BTreeMap;

use clap::Args;
use serde_json::{Value, json};

use crate::rpc::proto::{MemoryKind, SweepCount, SweepMemoriesRequest};

use super::{connect::Client, error::Error, output::Output, row, run::Ending};

#[derive(Debug, Args)]
pub struct SweepArgs {
    /// Count what would be done; do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    args: SweepArgs,
) -> Result<Ending, Error> {
    let mut totals: BTreeMap<i32, SweepCount> = BTreeMap::new();
    let mut page_token = String::new();
    loop {
        let request = SweepMemoriesRequest {
            namespace: client.namespace.clone(),
            dry_run: args.dry_run,
            page_token,
            ..SweepMemoriesRequest::default()
        };
        let reply = client.memory.sweep_memories(request).await;
        let answer = client.answer(reply)?;
        for count in answer.counts {
            let total = totals.entry(count.kind).or_default();
            total.kind = count.kind;
            total.looked_at += count.looked_at;
            total.archived += count.archived;
            total.evicted += count.evicted;
            total.compacted += count.compacted;
        }
        page_token = answer.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    let verb = if args.dry_run { "would be" } else { "were" };
    for count in totals.values() {
        let SweepCount { looked_at, archived, evicted, compacted, .. } = count;
        let text = format!(
            "{}: {looked_at} looked at, {archived} {verb} archived, {evicted} evicted, {compacted} compacted",
            word(count)
        );
        output.say(&shown(count, args.dry_run), &text)?;
    }
    if totals.is_empty() && !output.is_json() {
        output.text("there is nothing to look at")?;
    }
    Ok(Ending::Done)
}

fn word(count: &SweepCount) -> String {
    let kind = MemoryKind::try_from(count.kind).unwrap_or_default();
    row::short_name(kind.as_str_name(), "MEMORY_KIND_").to_owned()
}

fn shown(count: &SweepCount, dry_run: bool) -> Value {
    json!({
        "kind": word(count),
        "looked_at": count.looked_at,
        "archived": count.archived,
        "evicted": count.evicted,
        "compacted": count.compacted,
        "dry_run": dry_run,
    })
}
