//! Summaries of sessions: what is folded, what is made again, and what closes a session.

use tonic::Status;

use crate::agent::{Due, Session, SessionKey, Summary, due, made_again, summary_op};
use crate::engine::{Engine, ReadError, Submission};
use crate::kernel::{Command, Mode, Outcome};
use crate::query::AsOf;
use crate::types::{Grant, Timestamp, TxId};

use super::caller::Caller;
use super::context::Context;
use super::session::{Place, needs_turns, opened, place};
use super::{failure, proto, to_proto};

/// A summary that was recorded.
pub(super) struct Recorded {
    tx: TxId,
    time: Timestamp,
    summary: proto::Summary,
}

pub(super) async fn end(
    context: &Context,
    caller: &Caller,
    request: proto::EndSessionRequest,
) -> Result<proto::EndSessionResponse, Status> {
    let place = place(context, caller, &request.namespace, request.key.as_ref())?;
    let _alone = context.session(&place.key).await;
    let session = opened(context, &place, AsOf::default()).await?;
    let read = move || {
        let closed = match session.closed()? {
            Some(closed) => {
                Some((closed.episode.map(|id| session.recorded(id)).transpose()?, closed))
            }
            None => None,
        };
        Ok::<_, ReadError>((closed, made_again(&session, true)?, session))
    };
    let read = context.aside(read).await?.map_err(|error| failure::read(&error))?;
    let (closed, made, session) = read;
    if let Some((time, closed)) = closed {
        let tx = closed.episode.map_or(0, |id| id.tx.raw());
        return Ok(proto::EndSessionResponse {
            tx,
            tx_time: time.map(to_proto::instant),
            summary: Some(shown(&closed)),
            replayed: true,
        });
    }
    let made = made.ok_or_else(|| needs_turns(&place.key))?;
    let Recorded { tx, time, summary } = record(context, &place, &session, made).await?;
    Ok(proto::EndSessionResponse {
        tx: tx.raw(),
        tx_time: Some(to_proto::instant(time)),
        summary: Some(summary),
        replayed: false,
    })
}

pub(super) async fn regenerate(
    context: &Context,
    caller: &Caller,
    request: proto::RegenerateSummaryRequest,
) -> Result<proto::RegenerateSummaryResponse, Status> {
    let place = place(context, caller, &request.namespace, request.key.as_ref())?;
    let _alone = context.session(&place.key).await;
    let session = opened(context, &place, AsOf::default()).await?;
    let read = move || {
        let closes = session.closed()?.is_some();
        Ok::<_, ReadError>((made_again(&session, closes)?, session))
    };
    let read = context.aside(read).await?.map_err(|error| failure::read(&error))?;
    let (made, session) = read;
    let made = made.ok_or_else(|| needs_turns(&place.key))?;
    let Recorded { tx, time, summary } = record(context, &place, &session, made).await?;
    Ok(proto::RegenerateSummaryResponse {
        tx: tx.raw(),
        tx_time: Some(to_proto::instant(time)),
        summary: Some(summary),
    })
}

/// Folds the older turns of a session that has outgrown its share of the budget. The turns are
/// recorded already: where this fails the next append does it.
pub(super) async fn fold(
    context: &Context,
    place: &Place,
) -> Result<Option<proto::Summary>, Status> {
    let session = opened(context, place, AsOf::default()).await?;
    let read = move || Ok::<_, ReadError>((due(&session)?, session));
    let read = context.aside(read).await?.map_err(|error| failure::read(&error))?;
    let (made, session) = read;
    match made {
        None => Ok(None),
        Some(made) => {
            record(context, place, &session, made).await.map(|recorded| Some(recorded.summary))
        }
    }
}

async fn record(
    context: &Context,
    place: &Place,
    session: &Session,
    made: Due,
) -> Result<Recorded, Status> {
    let ops = summary_op(session, &place.key, &made);
    let command = Command { request: None, mode: Mode::Atomic, ops };
    let receipt = context.engine().submit(&place.grant, Submission::from(command)).await;
    let receipt = receipt.map_err(|error| failure::submit(&error, &[]))?;
    let episode = receipt.outcomes.last().and_then(|outcome: &Outcome| outcome.episode);
    let summary = Summary { episode, ..made.shown() };
    Ok(Recorded { tx: receipt.tx, time: receipt.time, summary: shown(&summary) })
}

pub(super) fn shown(summary: &Summary) -> proto::Summary {
    proto::Summary {
        episode_id: summary.episode.map_or_else(String::new, |id| id.to_string()),
        text: summary.text.clone(),
        tokens: super::session::count(summary.tokens),
        fold: Some(to_proto::fold(&summary.fold)),
        method: proto::SummaryMethod::Extractive.into(),
        trust: to_proto::trust(summary.trust).into(),
    }
}

/// One session at a basis, read on a thread for long work.
pub(super) async fn open(
    context: &Context,
    grant: &Grant,
    as_of: AsOf,
    key: &SessionKey,
) -> Result<Option<Session>, Status> {
    let (engine, grant, key): (Engine, Grant, SessionKey) =
        (context.engine().clone(), grant.clone(), key.clone());
    let read = move || Session::open(&engine, &grant, as_of, &key);
    context.aside(read).await?.map_err(|error| failure::read(&error))
}
