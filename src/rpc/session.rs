//! Sessions over the wire: turns in, windows out.

use tonic::Status;

use crate::agent::{Session, SessionKey, Shape, Turn, Window, tokens, window};
use crate::engine::{ReadError, Submission};
use crate::kernel::Outcome;
use crate::models::StaticModel;
use crate::query::{AsOf, Snapshot};
use crate::types::limits::{
    HITS_DEFAULT, QUERY_BYTES_MAX, TOKEN_BUDGET_MAX, WINDOW_TOKENS_DEFAULT,
};
use crate::types::{EpisodeId, Grant, Role};

use super::caller::Caller;
use super::civil::Zone;
use super::context::Context;
use super::from_proto::{self, Form};
use super::place::{at, number};
use super::summary::Folded;
use super::{failure, proto, recall, render, summary, to_proto};

/// A session of a namespace that the caller was let into.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) grant: Grant,
    pub(super) key: SessionKey,
}

pub(super) async fn append(
    context: &Context,
    caller: &Caller,
    request: proto::AppendTurnsRequest,
) -> Result<proto::AppendTurnsResponse, Status> {
    let (grant, zone) = context.namespace(caller, Role::Writer, &request.namespace)?;
    let read = from_proto::append_turns(&request, zone, &grant.clearance);
    let (key, command) = failure::form(read)?;
    let place = Place { grant, key };
    // Nothing is appended between the look at whether it has ended and the write.
    let alone = context.session(&place.key).await;
    let before = summary::open(context, &place.grant, AsOf::default(), &place.key).await?;
    let ended = move || before.map_or(Ok(false), |session| Ok(session.closed()?.is_some()));
    let ended = context.aside(ended).await?.map_err(|error: ReadError| failure::read(&error))?;
    let submission = Submission { dry_run: ended, ..Submission::from(command) };
    let receipt = context.engine().submit(&place.grant, submission).await;
    let receipt = receipt.map_err(|error| failure::in_list("turns", error))?;
    // A request that was taken before the session ended is answered as it was then.
    if ended && !receipt.replayed {
        return Err(failure::session_ended(&place.key.name));
    }
    let folded =
        if ended { Folded::default() } else { summary::fold(context, &place, zone, alone).await };
    let added = |outcome: &Outcome| outcome.episode.map_or_else(String::new, |id| id.to_string());
    Ok(proto::AppendTurnsResponse {
        tx: receipt.tx.raw(),
        tx_time: Some(to_proto::instant(receipt.time)),
        episode_ids: receipt.outcomes.iter().map(added).collect(),
        replayed: receipt.replayed,
        summary: folded.summary,
        promotions: folded.promotions,
        summary_pending: folded.pending,
    })
}

pub(super) async fn get(
    context: &Context,
    caller: &Caller,
    request: proto::GetSessionRequest,
) -> Result<proto::GetSessionResponse, Status> {
    let (grant, zone) = context.namespace(caller, Role::Reader, &request.namespace)?;
    let mut form = Form::new(zone).cleared(&grant.clearance);
    let key = form.session_key(request.key.as_ref());
    let shape = form.shape("window", request.window);
    let budget =
        form.count("token_budget", request.token_budget, WINDOW_TOKENS_DEFAULT, TOKEN_BUDGET_MAX);
    let query = form.text("query", &request.query, QUERY_BYTES_MAX);
    let as_of = form.as_of("as_of", request.as_of.as_ref());
    let asked = form.finish(|| Ok((key?, shape?, budget?, query?, as_of?)));
    let (key, shape, budget, query, as_of) = failure::form(asked)?;
    let place = Place { grant, key };
    let session = opened(context, &place, as_of).await?;
    let basis = session.basis;
    let read = move || {
        let window = window(&session, shape, budget)?;
        let ended = session.closed()?.is_some();
        Ok::<_, ReadError>((window, ended, session.turns().to_vec()))
    };
    let read = context.aside(read).await?.map_err(|error| failure::read(&error))?;
    let (window, ended, all) = read;
    let as_of = at(basis.valid.micros(), number(basis.tx));
    let room = budget.saturating_sub(window.tokens());
    let recalled = match query {
        Some(query) if shape == Shape::Composable => {
            let older = older(&window, &all);
            recalled(context, caller, &place, (query, as_of), older, room).await?
        }
        _ => Vec::new(),
    };
    let recalled_tokens: u32 = recalled.iter().map(|turn| turn.tokens).sum();
    let total = count(window.tokens()).saturating_add(recalled_tokens);
    context.read(&place.grant, as_of, |snapshot| proto::GetSessionResponse {
        pinned: window.pinned.as_ref().map(|turn| shown(snapshot, turn)),
        summaries: window.summaries.iter().map(summary::shown).collect(),
        recalled,
        turns: window.turns.iter().map(|turn| shown(snapshot, turn)).collect(),
        tokens: total,
        over_budget: window.tokens() > budget,
        tokenizer: StaticModel::NAME.to_owned(),
        turn_count: count(all.len()),
        left_out: count(window.left_out),
        ended,
        basis: Some(render::basis(snapshot.directory, snapshot.basis)),
    })
}

fn shown(snapshot: Snapshot<'_>, turn: &Turn) -> proto::WindowTurn {
    proto::WindowTurn {
        turn: Some(render::episode(snapshot, &turn.episode)),
        tokens: count(turn.tokens),
    }
}

/// The turns that a window does not show as they are.
fn older<'a>(window: &Window, all: &'a [EpisodeId]) -> &'a [EpisodeId] {
    let first = window.turns.first().map(|turn| turn.episode.id);
    let end = first.map_or(all.len(), |first| all.partition_point(|id| *id < first));
    &all[usize::from(window.pinned.is_some()).min(end)..end]
}

/// The older turns that answer a query best, as far as they fit.
async fn recalled(
    context: &Context,
    caller: &Caller,
    place: &Place,
    (query, as_of): (String, AsOf),
    older: &[EpisodeId],
    room: usize,
) -> Result<Vec<proto::WindowTurn>, Status> {
    let basis = context
        .read(&place.grant, as_of, |snapshot| render::basis(snapshot.directory, snapshot.basis))?;
    let valid = basis.valid_time.map(proto::valid_point::Point::Instant);
    let known = proto::transaction_point::Point::Tx(basis.tx);
    let as_of = proto::AsOf {
        valid: Some(proto::ValidPoint { point: valid, edge: 0 }),
        known: Some(proto::TransactionPoint { point: Some(known), edge: 0 }),
    };
    let filter = proto::RecallFilter {
        kinds: vec![proto::HitKind::Episode.into()],
        session: place.key.name.clone(),
        ..Default::default()
    };
    let request = proto::RecallRequest {
        namespace: place.grant.namespace.to_string(),
        query,
        filter: Some(filter),
        as_of: Some(as_of),
        limit: i32::try_from(2 * HITS_DEFAULT).unwrap_or(i32::MAX),
        ..Default::default()
    };
    let answer = recall::recall(context, caller, request).await?;
    let mut left = room;
    let mut found = Vec::new();
    for episode in answer.hits.into_iter().filter_map(|hit| hit.episode) {
        let is_older = episode.id.parse().is_ok_and(|id| older.binary_search(&id).is_ok());
        let tokens = tokens(&episode.text);
        if is_older && tokens <= left {
            left -= tokens;
            found.push(proto::WindowTurn { turn: Some(episode), tokens: count(tokens) });
        }
    }
    Ok(found)
}

/// The names of a session, checked.
pub(super) fn place(
    context: &Context,
    caller: &Caller,
    namespace: &str,
    key: Option<&proto::SessionKey>,
) -> Result<(Place, Zone), Status> {
    let (grant, zone) = context.namespace(caller, Role::Writer, namespace)?;
    let mut form = Form::new(Zone::UNSET).cleared(&grant.clearance);
    let key = form.session_key(key);
    let key = failure::form(form.finish(|| key))?;
    Ok((Place { grant, key }, zone))
}

/// # Errors
/// `SESSION_UNKNOWN`.
pub(super) async fn opened(
    context: &Context,
    place: &Place,
    as_of: AsOf,
) -> Result<Session, Status> {
    let session = summary::open(context, &place.grant, as_of, &place.key).await?;
    session.ok_or_else(|| needs_turns(&place.key))
}

pub(super) fn needs_turns(key: &SessionKey) -> Status {
    failure::session_unknown(&key.name)
}

pub(super) fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
