//! Conclusions from a terminal: drawing them, and taking back what stood on what is gone.

use clap::Args;
use serde_json::json;

use crate::rpc::proto::{ReflectRequest, RetractDerivedRequest, retract_derived_request::From};

use super::{connect::Client, error::Error, output::Output, run::Ending, scope::ScopeArgs};

#[derive(Debug, Args)]
pub struct ReflectArgs {
    /// Observations to read, the newest: 1 to 64 [default: 50]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    limit: i32,
    #[command(flatten)]
    scope: ScopeArgs,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(super) struct Ground {
    /// A source that was withdrawn
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// An episode that was retracted
    #[arg(long, value_name = "ID")]
    episode: Option<String>,
}

#[derive(Debug, Args)]
pub struct RetractDerivedArgs {
    #[command(flatten)]
    ground: Ground,
    /// Say what would go, and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) async fn reflect(
    client: &mut Client,
    output: &mut Output,
    args: &ReflectArgs,
) -> Result<Ending, Error> {
    let namespace = client.namespace.clone();
    let request = ReflectRequest { namespace, scope: args.scope.scope(), limit: args.limit };
    let reply = client.memory.reflect(request).await;
    let answer = client.answer(reply)?;
    output.list(&answer.reflections)?;
    output.note(Some(format!("{} new observations", answer.observations)))?;
    output.basis(answer.basis.as_ref())?;
    Ok(Ending::Done)
}

pub(crate) async fn retract_derived(
    client: &mut Client,
    output: &mut Output,
    args: RetractDerivedArgs,
) -> Result<Ending, Error> {
    let Ground { source, episode } = args.ground;
    let request = RetractDerivedRequest {
        namespace: client.namespace.clone(),
        from: source.map(From::Source).or(episode.map(From::EpisodeId)),
        dry_run: args.dry_run,
    };
    let reply = client.memory.retract_derived(request).await;
    let answer = client.answer(reply)?;
    let json = json!({
        "tx": answer.tx, "episode_ids": answer.episode_ids, "fact_ids": answer.fact_ids,
        "kept_fact_ids": answer.kept_fact_ids,
    });
    let would = if args.dry_run { "would be " } else { "" };
    let text = format!(
        "{} episodes and {} facts {would}retracted, {} facts stay because something else supports them",
        answer.episode_ids.len(),
        answer.fact_ids.len(),
        answer.kept_fact_ids.len(),
    );
    output.say(&json, &text)?;
    Ok(Ending::Done)
}
