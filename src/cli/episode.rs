//! `episode`: raw texts that facts are drawn from.

use std::io::Read;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::rpc::proto::{
    AddEpisode, AddEpisodesRequest, Episode, GetEpisodeRequest, ListEpisodesRequest,
};

use super::{
    connect::Client,
    error::Error,
    ops,
    output::{Output, Row, note_cut},
    page::{Page, follow},
    point::AsOfArgs,
    row,
    run::Ending,
    scope::ScopeArgs,
    time_text::{self, Side},
};

#[derive(Debug, Subcommand)]
pub enum EpisodeVerb {
    /// Keep a text
    Add(Box<AddArgs>),
    /// Show one episode
    Get(GetArgs),
    /// List episodes, oldest first
    List(ListArgs),
}

#[derive(Debug, Args)]
pub struct GetArgs {
    /// Its id, such as ep7.0
    id: String,
    #[command(flatten)]
    at: AsOfArgs,
}

#[derive(Debug, Args)]
pub struct AddArgs {
    /// The text; `-` reads it from standard input
    text: String,
    /// What kind of text it is: turn, passage, `tool_result` or note
    #[arg(long, value_name = "KIND", default_value = "turn")]
    kind: String,
    /// Who said it
    #[arg(long, value_name = "NAME")]
    speaker: Option<String>,
    /// What it is a part of
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The conversation or document it belongs to
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// When it was said [default: now]
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    from: Option<String>,
    /// When it ends [default: never]
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    to: Option<String>,
    /// Zone that dates without one are read in
    #[arg(long, value_name = "ZONE", default_value = "", hide_default_value = true)]
    zone: String,
    /// Where it comes from
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// How far it is to be trusted
    #[arg(long, value_name = "CLASS")]
    trust: Option<String>,
    /// How much it matters, from 0 to 1
    #[arg(long, value_name = "SHARE")]
    importance: Option<f32>,
    /// An episode it was drawn from; may be given more than once
    #[arg(long, value_name = "ID")]
    derived_from: Vec<String>,
    #[command(flatten)]
    scope: ScopeArgs,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only episodes of this session
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    #[command(flatten)]
    at: AsOfArgs,
    /// Episodes to show; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u64,
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    verb: EpisodeVerb,
) -> Result<Ending, Error> {
    match verb {
        EpisodeVerb::Add(args) => add(client, output, *args).await?,
        EpisodeVerb::Get(GetArgs { id, at }) => get(client, output, id, &at).await?,
        EpisodeVerb::List(args) => list(client, output, &args).await?,
    }
    Ok(Ending::Done)
}

async fn add(client: &mut Client, output: &mut Output, args: AddArgs) -> Result<(), Error> {
    let text = match args.text.as_str() {
        "-" => {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|cause| Error::usage(format!("standard input: {cause}")))?;
            text
        }
        _ => args.text,
    };
    let trust = match args.trust.as_deref() {
        None => 0,
        Some(word) => ops::trust(word).map_err(Error::Usage)?.into(),
    };
    let bound = |text: Option<&String>, side| {
        let bound = text.map(|text| time_text::bound(text, side, &args.zone));
        bound.transpose().map_err(Error::Usage)
    };
    let episode = AddEpisode {
        kind: ops::episode_kind(&args.kind).map_err(Error::Usage)?.into(),
        text,
        from: bound(args.from.as_ref(), Side::Start)?,
        to: bound(args.to.as_ref(), Side::End)?,
        speaker: args.speaker.unwrap_or_default(),
        title: args.title.unwrap_or_default(),
        session: args.session.unwrap_or_default(),
        source: args.source.unwrap_or_default(),
        trust,
        importance: args.importance,
        vector: None,
        scope: args.scope.scope(),
        fold: None,
        derived_from_ids: args.derived_from,
    };
    let namespace = client.namespace.clone();
    let episodes = vec![episode];
    let request = AddEpisodesRequest { namespace, episodes, ..Default::default() };
    let reply = client.memory.add_episodes(request).await;
    let answer = client.answer(reply)?;
    let id = answer.episode_ids.first().cloned().unwrap_or_default();
    let text = format!("kept as {id}, transaction {}", answer.tx);
    output.say(&json!({ "episode_id": id, "tx": answer.tx }), &text)
}

async fn get(
    client: &mut Client,
    output: &mut Output,
    episode_id: String,
    at: &AsOfArgs,
) -> Result<(), Error> {
    let (namespace, as_of) = (client.namespace.clone(), Some(at.to_proto()?));
    let request = GetEpisodeRequest { namespace, episode_id, as_of };
    let reply = client.memory.get_episode(request).await;
    let answer = client.answer(reply)?;
    match &answer.episode {
        Some(episode) => output.say(&to_json(episode), &episode.text)?,
        None => output.say(&Value::Null, "(not visible there)")?,
    }
    output.basis(answer.basis.as_ref())
}

async fn list(client: &mut Client, output: &mut Output, args: &ListArgs) -> Result<(), Error> {
    let request = ListEpisodesRequest {
        namespace: client.namespace.clone(),
        session: args.session.clone().unwrap_or_default(),
        as_of: Some(args.at.to_proto()?),
        ..ListEpisodesRequest::default()
    };
    let mut listing = output.listing::<Episode>();
    let followed = follow(
        args.limit,
        async |page_size, page_token| {
            let request = ListEpisodesRequest { page_size, page_token, ..request.clone() };
            let reply = client.memory.list_episodes(request).await;
            let answer = client.answer(reply)?;
            Ok(Page {
                rows: answer.episodes,
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
        note_cut(followed.shown, "episodes");
    }
    Ok(())
}

impl Row for Episode {
    fn columns() -> Vec<&'static str> {
        vec!["id", "kind", "from", "speaker", "text"]
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.id.clone(),
            kind_word(self),
            row::start_text(self.valid_from.as_ref()),
            self.speaker.clone(),
            self.text.clone(),
        ]
    }

    fn json(&self) -> Value {
        to_json(self)
    }
}

fn kind_word(episode: &Episode) -> String {
    row::short_name(episode.kind().as_str_name(), "EPISODE_KIND_").to_ascii_lowercase()
}

pub(crate) fn to_json(episode: &Episode) -> Value {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    json!({
        "id": episode.id,
        "kind": kind_word(episode),
        "text": episode.text,
        "speaker": text(&episode.speaker),
        "title": text(&episode.title),
        "session": text(&episode.session),
        "source": text(&episode.source),
        "trust": ops::trust_word(episode.trust()),
        "valid_from": time_text::optional(episode.valid_from.as_ref()),
        "valid_to": time_text::optional(episode.valid_to.as_ref()),
        "tx_from": episode.tx_from,
        "tx_to": episode.tx_to,
    })
}
