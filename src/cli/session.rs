//! Conversations from a terminal: turns in, windows out.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::rpc::proto::{
    AppendTurnsRequest, EndSessionRequest, Episode, GetSessionRequest, ListTurnsRequest,
    RegenerateSummaryRequest, SessionKey, Summary, Turn, WindowKind,
};

use super::{
    connect::Client,
    error::Error,
    memory::unread,
    output::{Output, note_cut},
    page::{Page, follow},
    point::AsOfArgs,
    row,
    run::Ending,
    scope::ScopeArgs,
};

#[derive(Debug, Subcommand)]
pub enum SessionVerb {
    /// Add a turn
    Append(AppendArgs),
    /// Show the window an agent reads
    Show(ShowArgs),
    /// Show every turn
    Turns(TurnsArgs),
    /// Summarise it and take no more turns
    End(KeyArgs),
    /// Make its summary again from its turns
    Regenerate(KeyArgs),
}

#[derive(Debug, Args)]
pub struct KeyArgs {
    /// The session
    name: String,
    #[command(flatten)]
    scope: ScopeArgs,
}

#[derive(Debug, Args)]
pub struct AppendArgs {
    #[command(flatten)]
    key: KeyArgs,
    /// What was said
    text: String,
    /// Who said it
    #[arg(long, value_name = "ROLE", default_value = "user")]
    role: String,
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    #[command(flatten)]
    key: KeyArgs,
    /// sliding, summarising, hierarchical or composable
    #[arg(long, value_name = "WINDOW", default_value = "summarising")]
    window: String,
    /// Tokens of the window
    #[arg(long, value_name = "N", default_value_t = 3_000)]
    tokens: i32,
    #[command(flatten)]
    at: AsOfArgs,
}

#[derive(Debug, Args)]
pub struct TurnsArgs {
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    at: AsOfArgs,
    /// Turns to show; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u64,
}

impl KeyArgs {
    fn key(&self) -> SessionKey {
        SessionKey { session: self.name.clone(), scope: self.scope.scope() }
    }
}

pub(crate) async fn session(
    client: &mut Client,
    output: &mut Output,
    verb: SessionVerb,
) -> Result<Ending, Error> {
    let namespace = client.namespace.clone();
    match verb {
        SessionVerb::Append(args) => {
            let turn = Turn { role: args.role, content: args.text, time: None };
            let (key, turns) = (Some(args.key.key()), vec![turn]);
            let request = AppendTurnsRequest { namespace, key, turns, ..Default::default() };
            let reply = client.memory.append_turns(request).await;
            let answer = client.answer(reply)?;
            let id = answer.episode_ids.first().cloned().unwrap_or_default();
            let text = format!("kept as {id}, transaction {}", answer.tx);
            output.say(&json!({ "episode_id": id, "tx": answer.tx }), &text)?;
        }
        SessionVerb::Show(args) => show(client, output, &args).await?,
        SessionVerb::Turns(args) => turns(client, output, &args).await?,
        SessionVerb::End(args) => {
            let reply = client
                .memory
                .end_session(EndSessionRequest { namespace, key: Some(args.key()) })
                .await;
            let answer = client.answer(reply)?;
            say_summary(output, answer.summary.as_ref())?;
            if !answer.promotions.is_empty() {
                output.list(&answer.promotions)?;
            }
            output.note(unread(&answer.extract_skipped))?;
        }
        SessionVerb::Regenerate(args) => {
            let request = RegenerateSummaryRequest { namespace, key: Some(args.key()) };
            let reply = client.memory.regenerate_summary(request).await;
            let answer = client.answer(reply)?;
            say_summary(output, answer.summary.as_ref())?;
        }
    }
    Ok(Ending::Done)
}

fn say_summary(output: &mut Output, summary: Option<&Summary>) -> Result<(), Error> {
    let Some(summary) = summary else { return Ok(()) };
    output.say(&summary_json(summary), &summary.text)
}

fn summary_json(summary: &Summary) -> Value {
    let method = row::short_name(summary.method().as_str_name(), "SUMMARY_METHOD_");
    let (id, tokens) = (&summary.episode_id, summary.tokens);
    json!({
        "summary": summary.text, "episode_id": id, "tokens": tokens,
        "method": method.to_ascii_lowercase(),
    })
}

async fn show(client: &mut Client, output: &mut Output, args: &ShowArgs) -> Result<(), Error> {
    let name = format!("WINDOW_KIND_{}", args.window.to_ascii_uppercase());
    let Some(window) = WindowKind::from_str_name(&name) else {
        let words = "sliding, summarising, hierarchical, composable";
        return Err(Error::usage(format!("{:?} is no window; there are {words}", args.window)));
    };
    let request = GetSessionRequest {
        namespace: client.namespace.clone(),
        key: Some(args.key.key()),
        window: window.into(),
        token_budget: args.tokens,
        as_of: Some(args.at.to_proto()?),
        ..Default::default()
    };
    let reply = client.memory.get_session(request).await;
    let answer = client.answer(reply)?;
    for summary in &answer.summaries {
        output.say(&summary_json(summary), &format!("summary: {}\n", summary.text))?;
    }
    let turns = answer.pinned.iter().chain(&answer.turns).filter_map(|turn| turn.turn.clone());
    output.list(&turns.collect::<Vec<Episode>>())?;
    let ended = if answer.ended { ", ended" } else { "" };
    output.note(Some(format!("{} tokens, {} turns{ended}", answer.tokens, answer.turn_count)))?;
    output.basis(answer.basis.as_ref())
}

async fn turns(client: &mut Client, output: &mut Output, args: &TurnsArgs) -> Result<(), Error> {
    let request = ListTurnsRequest {
        namespace: client.namespace.clone(),
        key: Some(args.key.key()),
        as_of: Some(args.at.to_proto()?),
        ..Default::default()
    };
    let mut listing = output.listing::<Episode>();
    let followed = follow(
        args.limit,
        async |page_size, page_token| {
            let request = ListTurnsRequest { page_size, page_token, ..request.clone() };
            let reply = client.memory.list_turns(request).await;
            let answer = client.answer(reply)?;
            let (rows, next_page_token) = (answer.turns, answer.next_page_token);
            Ok(Page { rows, next_page_token, basis: answer.basis })
        },
        |row| listing.add(&row),
    )
    .await?;
    listing.end()?;
    output.basis(followed.basis.as_ref())?;
    if followed.cut {
        note_cut(followed.shown, "turns");
    }
    Ok(())
}
