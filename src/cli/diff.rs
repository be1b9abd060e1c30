//! `diff`: what differs between two points of both times.

use clap::Args;
use serde_json::{Value, json};

use crate::rpc::proto::{ChangedFact, DiffFactsRequest, Rectangle};

use super::{
    connect::Client,
    error::Error,
    facts::PatternArgs,
    object,
    output::{Output, Row, basis_text, note_cut},
    page::{Page, follow},
    point::{DateArgs, both_times},
    row,
    run::Ending,
};

#[derive(Debug, Args)]
#[command(after_help = "\
A point is DATE,KNOWN and either part may be left out:
  --from 2020 --to 2021              what changed in the world
  --from 2021,tx:3 --to 2021,tx:9    what changed in what we know about 2021
  --from ,tx:3 --to ,tx:9            the same about now")]
pub struct DiffArgs {
    /// The point to start from
    #[arg(long, value_name = "DATE[,KNOWN]", allow_hyphen_values = true)]
    from: String,
    /// The point to compare with
    #[arg(long, value_name = "DATE[,KNOWN]", allow_hyphen_values = true)]
    to: String,
    #[command(flatten)]
    pattern: PatternArgs,
    #[command(flatten)]
    dates: DateArgs,
    /// Show a changed object as one row removed and one added
    #[arg(long)]
    plain: bool,
    /// Rows to show; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u64,
}

#[allow(clippy::large_enum_variant, reason = "rows are shown one by one")]
enum Difference {
    Removed(Rectangle),
    Added(Rectangle),
    Changed(ChangedFact),
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    args: &DiffArgs,
) -> Result<Ending, Error> {
    let request = DiffFactsRequest {
        namespace: client.namespace.clone(),
        from: Some(both_times(&args.from, &args.dates)?),
        to: Some(both_times(&args.to, &args.dates)?),
        pattern: Some(args.pattern.to_proto()?),
        page_size: 0,
        page_token: String::new(),
        plain_rows: args.plain,
    };
    let mut span = None;
    let mut listing = output.listing::<Difference>();
    let followed = follow(
        args.limit,
        async |page_size, page_token| {
            let request = DiffFactsRequest { page_size, page_token, ..request.clone() };
            let reply = client.facts.diff_facts(request).await;
            let answer = client.answer(reply)?;
            span = span.take().or(answer.from_basis.zip(answer.to_basis));
            let removed = answer.removed.into_iter().map(Difference::Removed);
            let added = answer.added.into_iter().map(Difference::Added);
            let changed = answer.changed.into_iter().map(Difference::Changed);
            Ok(Page {
                rows: removed.chain(added).chain(changed).collect(),
                next_page_token: answer.next_page_token,
                basis: None,
            })
        },
        |row| listing.add(&row),
    )
    .await?;
    listing.end()?;
    output.note(
        span.map(|(from, to)| format!("from: {}\nto:   {}", basis_text(&from), basis_text(&to))),
    )?;
    if followed.cut {
        note_cut(followed.shown, "differences");
    }
    Ok(Ending::Done)
}

impl Row for Difference {
    fn columns() -> Vec<&'static str> {
        vec!["change", "subject", "predicate", "object", "valid_from", "valid_to"]
    }

    fn cells(&self) -> Vec<String> {
        let (word, shown, before) = match self {
            Difference::Removed(row) => ("removed", Some(row), None),
            Difference::Added(row) => ("added", Some(row), None),
            Difference::Changed(pair) => ("changed", pair.after.as_ref(), pair.before.as_ref()),
        };
        let Some(shown) = shown else { return vec![word.to_owned()] };
        let mut object = object::text(shown.object.as_ref());
        if let Some(before) = before {
            object = format!("{} -> {object}", object::text(before.object.as_ref()));
        }
        vec![
            word.to_owned(),
            shown.subject.clone(),
            shown.predicate.clone(),
            object,
            row::start_text(shown.valid_from.as_ref()),
            row::end_text(shown.valid_to.as_ref()),
        ]
    }

    fn json(&self) -> Value {
        match self {
            Difference::Removed(rectangle) => {
                row::with_first(&[("change", "removed".into())], rectangle)
            }
            Difference::Added(rectangle) => {
                row::with_first(&[("change", "added".into())], rectangle)
            }
            Difference::Changed(pair) => json!({
                "change": "changed",
                "before": pair.before.as_ref().map(row::fields),
                "after": pair.after.as_ref().map(row::fields),
            }),
        }
    }
}
