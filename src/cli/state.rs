//! `assert`, `end` and `retract`: one operation from the command line.

use clap::Args;

use crate::rpc::proto::{
    Assert, Bound, End, Evidence, Operation, Retract, TransactRequest, Triple,
    operation::Operation as Kind,
};

use super::{
    connect::Client,
    error::Error,
    object, ops,
    output::Output,
    run::Ending,
    scope::ScopeArgs,
    time_text::{self, Side},
    transact::{response_json, response_text},
};

/// The fact itself.
#[derive(Debug, Args)]
struct TripleArgs {
    /// Name of the subject
    subject: String,
    /// Name of the predicate
    predicate: String,
    /// Name of the object
    #[arg(required_unless_present = "value", conflicts_with = "value")]
    object: Option<String>,
    /// Instead of an object: a number, true, false, or text
    #[arg(long, value_name = "LITERAL", allow_hyphen_values = true)]
    value: Option<String>,
}

/// Where it comes from, and how to send it.
#[derive(Debug, Args)]
struct StatementArgs {
    /// Who or what says so
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// unverified, inferred, stated, confirmed or `system_of_record` [default: stated]
    #[arg(long, value_name = "CLASS")]
    trust: Option<String>,
    /// How sure it is, from 0 to 1
    #[arg(long, value_name = "NUMBER")]
    confidence: Option<f32>,
    /// The sentence it comes from
    #[arg(long, value_name = "TEXT")]
    statement: Option<String>,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Zone of dates without one, such as Asia/Seoul [default: the namespace's]
    #[arg(long, value_name = "ZONE", default_value = "", hide_default_value = true)]
    zone: String,
    /// Key that makes it safe to send again
    #[arg(long, value_name = "KEY", default_value = "", hide_default_value = true)]
    request_id: String,
    /// Say what would happen and write nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Args)]
pub struct AssertArgs {
    #[command(flatten)]
    triple: TripleArgs,
    /// Since when it holds; -inf: the start is unknown [default: now]
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    from: Option<String>,
    /// Until when, exclusive; inf: it never ends [default: no end is known]
    #[arg(long, value_name = "DATE", allow_hyphen_values = true, conflicts_with = "through")]
    to: Option<String>,
    /// Until when, inclusive: through 2021 is to 2022
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    through: Option<String>,
    /// An event of this date, no longer than the date itself
    #[arg(long, value_name = "DATE", allow_hyphen_values = true, conflicts_with_all = ["from", "to", "through"])]
    at: Option<String>,
    /// It was seen to hold in this interval, which states no end
    #[arg(long)]
    at_least: bool,
    /// Pass a block that an earlier retract set
    #[arg(long)]
    r#override: bool,
    #[command(flatten)]
    statement: StatementArgs,
}

#[derive(Debug, Args)]
pub struct EndArgs {
    #[command(flatten)]
    triple: TripleArgs,
    /// When it ended [default: now]
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    at: Option<String>,
    #[command(flatten)]
    statement: StatementArgs,
}

#[derive(Debug, Args)]
pub struct RetractArgs {
    #[command(flatten)]
    triple: TripleArgs,
    /// Start of the range that was not true [default: all of time before --to]
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    from: Option<String>,
    /// End of the range, exclusive [default: all of time after --from]
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    to: Option<String>,
    /// Also forget an end that was stated exactly at --to
    #[arg(long)]
    correct: bool,
    /// Refuse to have it asserted again
    #[arg(long)]
    block: bool,
    #[command(flatten)]
    statement: StatementArgs,
}

pub(crate) async fn assert(
    client: &mut Client,
    output: &mut Output,
    args: AssertArgs,
) -> Result<Ending, Error> {
    let zone = &args.statement.zone;
    let kind = Kind::Assert(Assert {
        triple: Some(triple(&args.triple)?),
        from: bound(args.from.as_deref(), Side::Start, zone)?,
        to: bound(args.to.as_deref(), Side::End, zone)?,
        through: args.through.as_deref().map(|text| time_text::date(text, zone)),
        at: args.at.as_deref().map(|text| time_text::date(text, zone)),
        at_least: args.at_least,
        r#override: args.r#override,
        deliberate: false,
        contested_against_ids: Vec::new(),
        evidence: evidence(&args.statement)?,
    });
    send(client, output, kind, args.statement).await
}

pub(crate) async fn end(
    client: &mut Client,
    output: &mut Output,
    args: EndArgs,
) -> Result<Ending, Error> {
    let kind = Kind::End(End {
        triple: Some(triple(&args.triple)?),
        at: bound(args.at.as_deref(), Side::End, &args.statement.zone)?,
        evidence: evidence(&args.statement)?,
    });
    send(client, output, kind, args.statement).await
}

pub(crate) async fn retract(
    client: &mut Client,
    output: &mut Output,
    args: RetractArgs,
) -> Result<Ending, Error> {
    let kind = Kind::Retract(Retract {
        triple: Some(triple(&args.triple)?),
        from: bound(args.from.as_deref(), Side::Start, &args.statement.zone)?,
        to: bound(args.to.as_deref(), Side::End, &args.statement.zone)?,
        correct: args.correct,
        block: args.block,
        evidence: evidence(&args.statement)?,
    });
    send(client, output, kind, args.statement).await
}

async fn send(
    client: &mut Client,
    output: &mut Output,
    kind: Kind,
    args: StatementArgs,
) -> Result<Ending, Error> {
    let request = TransactRequest {
        namespace: client.namespace.clone(),
        request_id: args.request_id,
        operations: vec![Operation { operation: Some(kind) }],
        mode: 0,
        dry_run: args.dry_run,
    };
    let reply = client.facts.transact(request).await;
    let response = client.answer(reply)?;
    output.say(&response_json(&response), &response_text(&response))?;
    Ok(Ending::Done)
}

fn triple(args: &TripleArgs) -> Result<Triple, Error> {
    Ok(Triple {
        subject: args.subject.clone(),
        predicate: args.predicate.clone(),
        object: object::from_words(args.object.as_deref(), args.value.as_deref())?,
    })
}

fn bound(text: Option<&str>, side: Side, zone: &str) -> Result<Option<Bound>, Error> {
    text.map(|text| time_text::bound(text, side, zone)).transpose().map_err(Error::Usage)
}

fn evidence(args: &StatementArgs) -> Result<Option<Evidence>, Error> {
    let trust = match args.trust.as_deref() {
        None => 0,
        Some(word) => ops::trust(word).map_err(Error::Usage)?.into(),
    };
    let evidence = Evidence {
        source: args.source.clone().unwrap_or_default(),
        trust,
        confidence: args.confidence,
        statement: args.statement.clone().unwrap_or_default(),
        scope: args.scope.scope(),
        ..Evidence::default()
    };
    Ok((evidence != Evidence::default()).then_some(evidence))
}
