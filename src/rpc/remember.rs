//! `Remember`: texts through the gate, asked for.

use tonic::Status;

use crate::agent::{Heard, trust_of};
use crate::engine::Submission;
use crate::kernel::{AddEpisode, Command, Mode, Op, RetractEpisode};
use crate::query::AsOf;
use crate::types::{EpisodeId, EpisodeKind, Role, Scope};

use super::caller::Caller;
use super::context::Context;
use super::from_proto::{self, Item};
use super::promote::{self, Care, Examined, Whose};
use super::{extract, failure, proto, reflect, to_proto};

/// Whoever asks waits for the model.
const CARE: Care = Care { asked: true, judged: true };

pub(super) async fn remember(
    context: &Context,
    caller: &Caller,
    request: proto::RememberRequest,
) -> Result<proto::RememberResponse, Status> {
    let (grant, zone) = context.namespace(caller, Role::Writer, &request.namespace)?;
    let read = from_proto::remember(&request, zone, &grant.clearance);
    let from_proto::Asked { scope, items, request: key } = failure::form(read)?;
    let now = context.engine().now();
    let (titled, plain): (Vec<Item>, Vec<Item>) =
        items.into_iter().partition(|item| item.title.is_some() || item.kind.is_some());
    let hear = |item: &Item| {
        let said = item.time.as_ref().map_or(now, |time| time.at);
        let (role, text) = (item.role.clone(), item.text.clone());
        Heard { episode: None, trust: trust_of(&role), role, text, said, day: zone.day(said) }
    };
    let heard: Vec<Heard> = plain.iter().map(hear).collect();
    let whose = Whose { grant: &grant, scope: &scope, zone };
    let recorded = vec![now; heard.len()];
    let proposals = extract::propose(context, &grant, &heard).await;
    let extract_skipped = proposals.skipped.to_owned();
    let mut examined =
        promote::examine(context, &whose, (&heard, &recorded), CARE, &proposals).await?;
    for item in titled {
        version(context, &whose, &mut examined, &item).await?;
    }
    if examined.ops.is_empty() {
        let promotions = examined.report(&[], Vec::new());
        return Ok(proto::RememberResponse { promotions, extract_skipped, ..Default::default() });
    }
    let ops = examined.ops.clone();
    let command = Command { request: key, mode: Mode::Partial, ops };
    let watched = reflect::watched(context, &grant, &command);
    let submission = Submission { dry_run: request.dry_run, ..Submission::from(command) };
    let receipt = context.engine().submit(&grant, submission).await;
    let receipt = receipt.map_err(|error| failure::submit(&error, &[]))?;
    if !request.dry_run && !receipt.replayed {
        reflect::after_write(context, &grant, watched);
    }
    let promotions = if receipt.replayed {
        // What stood there then may stand elsewhere now: the outcomes are not those of these.
        examined.report(&[], Vec::new())
    } else if request.dry_run {
        examined.refused(&receipt.outcomes);
        examined.report(&receipt.outcomes, Vec::new())
    } else {
        promote::told(context, &grant, examined, &receipt.outcomes).await?
    };
    let tx = if request.dry_run { 0 } else { receipt.tx.raw() };
    let tx_time = (!request.dry_run).then(|| to_proto::instant(receipt.time));
    let replayed = receipt.replayed;
    Ok(proto::RememberResponse { tx, tx_time, promotions, replayed, extract_skipped })
}

/// A text that is kept whole, in the place of the one of its kind and title.
async fn version(
    context: &Context,
    whose: &Whose<'_>,
    examined: &mut Examined,
    item: &Item,
) -> Result<(), Status> {
    let kind = item.kind.unwrap_or(EpisodeKind::Procedure);
    let standing = match &item.title {
        Some(title) => standing(context, whose, kind, title).await?,
        None => None,
    };
    if let Some((id, text)) = &standing
        && *text == item.text
    {
        examined.is_there(&item.text, *id);
        return Ok(());
    }
    let mut ops: Vec<Op> = Vec::new();
    if let Some((episode, _)) = standing {
        ops.push(Op::RetractEpisode(RetractEpisode { episode }));
    }
    ops.push(Op::AddEpisode(AddEpisode {
        kind,
        text: item.text.clone(),
        speaker: Some(item.role.clone()),
        title: item.title.clone(),
        session: None,
        from: item.time.clone(),
        to: None,
        source: item.source.clone(),
        trust: trust_of(&item.role),
        importance: None,
        vector: None,
        scope: whose.scope.clone(),
        fold: None,
        derived_from: Vec::new(),
    }));
    examined.keep(&item.text, ops);
    Ok(())
}

/// The text of a kind and title that stands for a scope.
async fn standing(
    context: &Context,
    whose: &Whose<'_>,
    kind: EpisodeKind,
    title: &str,
) -> Result<Option<(EpisodeId, String)>, Status> {
    let all = of_kind(context, whose.grant, AsOf::default(), whose.scope, kind).await?;
    let found = all.into_iter().rfind(|episode| episode.title.as_deref() == Some(title));
    Ok(found.map(|episode| (episode.id, episode.text)))
}

/// The episodes of a kind that are for a scope and visible, oldest first.
pub(super) async fn of_kind(
    context: &Context,
    grant: &crate::types::Grant,
    as_of: AsOf,
    scope: &Scope,
    kind: EpisodeKind,
) -> Result<Vec<crate::types::Episode>, Status> {
    let ids: Vec<EpisodeId> = context.read(grant, as_of, |snapshot| {
        let documents = snapshot.documents;
        let Some(scope) = documents.scope_place(scope) else { return Vec::new() };
        let own = documents.episodes_of(kind).filter(|entry| {
            entry.scope == scope
                && snapshot.seen.scope(entry.scope)
                && snapshot.basis.sees(entry.valid, entry.believed)
        });
        own.map(|entry| entry.id).collect()
    })?;
    let (engine, grant) = (context.engine().clone(), grant.clone());
    let read = move || {
        let read = |id: EpisodeId| engine.episode(&grant, id).transpose();
        ids.into_iter().filter_map(read).collect::<Result<Vec<_>, _>>()
    };
    context.aside(read).await?.map_err(|error| failure::read(&error))
}
