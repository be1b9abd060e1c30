//! `facts`: what holds at a point of both times, or overlaps a span of valid time.

use clap::Args;

use crate::rpc::proto::{FactPattern, ListFactsRequest, Rectangle};

use super::{
    connect::Client,
    error::Error,
    object::ObjectArgs,
    output::{Output, note_cut},
    page::{Page, follow},
    point::{AsOfArgs, range},
    run::Ending,
};

/// Which facts; what is left out matches all.
#[derive(Debug, Args)]
pub(crate) struct PatternArgs {
    /// Only facts of this subject
    #[arg(long, value_name = "NAME")]
    pub(crate) subject: Option<String>,
    /// Only facts of this predicate; may be given several times
    #[arg(long = "predicate", value_name = "NAME")]
    pub(crate) predicates: Vec<String>,
    #[command(flatten)]
    pub(crate) object: ObjectArgs,
}

impl PatternArgs {
    pub(crate) fn to_proto(&self) -> Result<FactPattern, Error> {
        Ok(FactPattern {
            subject: self.subject.clone().unwrap_or_default(),
            predicates: self.predicates.clone(),
            object: self.object.to_proto()?,
        })
    }
}

#[derive(Debug, Args)]
pub struct FactsArgs {
    #[command(flatten)]
    pattern: PatternArgs,
    #[command(flatten)]
    at: AsOfArgs,
    /// Facts that overlap the span from A up to B, instead of one point; -inf and inf are allowed
    #[arg(long, num_args = 2, value_names = ["A", "B"], allow_hyphen_values = true, conflicts_with = "as_of")]
    overlap: Vec<String>,
    /// Cut the bounds of overlapping facts to the span
    #[arg(long, requires = "overlap")]
    clamp: bool,
    /// Rows to show; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u64,
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    args: &FactsArgs,
) -> Result<Ending, Error> {
    let request = ListFactsRequest {
        namespace: client.namespace.clone(),
        pattern: Some(args.pattern.to_proto()?),
        as_of: Some(args.at.to_proto()?),
        overlapping: range(&args.overlap, args.at.zone())?,
        clamp: args.clamp,
        page_size: 0,
        page_token: String::new(),
    };
    let mut listing = output.listing::<Rectangle>();
    let followed = follow(
        args.limit,
        async |page_size, page_token| {
            let request = ListFactsRequest { page_size, page_token, ..request.clone() };
            let reply = client.facts.list_facts(request).await;
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
    output.basis(followed.basis.as_ref())?;
    if followed.cut {
        note_cut(followed.shown, "facts");
    }
    Ok(Ending::Done)
}
