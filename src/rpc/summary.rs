//! Summaries of sessions: what is folded, what is made again, and what closes a session.

use tonic::Status;

use crate::agent::{Due, Heard, Session, SessionKey, Summary, due, made_again, summary_op};
use crate::engine::{Engine, ReadError, Submission};
use crate::kernel::{Command, Mode, Outcome};
use crate::query::AsOf;
use crate::types::{Grant, Timestamp, TxId};

use super::caller::Caller;
use super::civil::Zone;
use super::context::Context;
use super::promote::{self, Examined, Whose};
use super::session::{Place, needs_turns, opened, place};
use super::{failure, proto, to_proto};

/// A summary that was recorded.
pub(super) struct Recorded {
    tx: TxId,
    time: Timestamp,
    summary: proto::Summary,
    promotions: Vec<proto::Promotion>,
}

pub(super) async fn end(
    context: &Context,
    caller: &Caller,
    request: proto::EndSessionRequest,
) -> Result<proto::EndSessionResponse, Status> {
    let (place, zone) = place(context, caller, &request.namespace, request.key.as_ref())?;
    let _alone = context.session(&place.key).await;
    let session = opened(context, &place, AsOf::default()).await?;
    let read = move || {
        let closed = match session.closed()? {
            Some(closed) => {
                Some((closed.episode.map(|id| session.recorded(id)).transpose()?, closed))
            }
            None => None,
        };
        let leaving = leaving(&session, session.turns().len(), zone)?;
        Ok::<_, ReadError>((closed, made_again(&session, true)?, leaving, session))
    };
    let read = context.aside(read).await?.map_err(|error| failure::read(&error))?;
    let (closed, made, leaving, session) = read;
    if let Some((time, closed)) = closed {
        let tx = closed.episode.map_or(0, |id| id.tx.raw());
        return Ok(proto::EndSessionResponse {
            tx,
            tx_time: time.map(to_proto::instant),
            summary: Some(shown(&closed)),
            replayed: true,
            promotions: Vec::new(),
        });
    }
    let made = made.ok_or_else(|| needs_turns(&place.key))?;
    let leaving = Some((leaving, zone));
    let Recorded { tx, time, summary, promotions } =
        record(context, &place, &session, made, leaving).await?;
    Ok(proto::EndSessionResponse {
        tx: tx.raw(),
        tx_time: Some(to_proto::instant(time)),
        summary: Some(summary),
        replayed: false,
        promotions,
    })
}

pub(super) async fn regenerate(
    context: &Context,
    caller: &Caller,
    request: proto::RegenerateSummaryRequest,
) -> Result<proto::RegenerateSummaryResponse, Status> {
    let (place, _) = place(context, caller, &request.namespace, request.key.as_ref())?;
    let _alone = context.session(&place.key).await;
    let session = opened(context, &place, AsOf::default()).await?;
    let read = move || {
        let closes = session.closed()?.is_some();
        Ok::<_, ReadError>((made_again(&session, closes)?, session))
    };
    let read = context.aside(read).await?.map_err(|error| failure::read(&error))?;
    let (made, session) = read;
    let made = made.ok_or_else(|| needs_turns(&place.key))?;
    let Recorded { tx, time, summary, .. } = record(context, &place, &session, made, None).await?;
    Ok(proto::RegenerateSummaryResponse {
        tx: tx.raw(),
        tx_time: Some(to_proto::instant(time)),
        summary: Some(summary),
    })
}

/// Folds the older turns of a session that has outgrown its share of the budget. The turns are
/// recorded already: where this fails the next append does it.
///
/// What leaves the window is promoted in the same transaction.
pub(super) async fn fold(
    context: &Context,
    place: &Place,
    zone: Zone,
) -> Result<Option<(proto::Summary, Vec<proto::Promotion>)>, Status> {
    let session = opened(context, place, AsOf::default()).await?;
    let read = move || {
        let made = due(&session)?;
        let through = made.as_ref().map_or(0, Due::covered);
        Ok::<_, ReadError>((made, leaving(&session, through, zone)?, session))
    };
    let read = context.aside(read).await?.map_err(|error| failure::read(&error))?;
    let (made, leaving, session) = read;
    let Some(made) = made else { return Ok(None) };
    let Recorded { summary, promotions, .. } =
        record(context, place, &session, made, Some((leaving, zone))).await?;
    Ok(Some((summary, promotions)))
}

/// What was said, and when each of it was recorded.
type Leaving = (Vec<Heard>, Vec<Timestamp>);

/// The turns that no summary stood for yet, up to a place.
fn leaving(session: &Session, through: usize, zone: Zone) -> Result<Leaving, ReadError> {
    let mut heard = Vec::new();
    let mut recorded = Vec::new();
    for place in session.folded()?..through {
        let turn = session.turn(place)?;
        let time = session.recorded(turn.episode.id)?;
        heard.push(promote::heard(&turn.episode, zone, time));
        recorded.push(time);
    }
    Ok((heard, recorded))
}

async fn record(
    context: &Context,
    place: &Place,
    session: &Session,
    made: Due,
    leaving: Option<(Leaving, Zone)>,
) -> Result<Recorded, Status> {
    let mut examined = Examined::default();
    if let Some(((heard, recorded), zone)) = leaving {
        let whose = Whose { grant: &place.grant, scope: &place.key.scope, zone };
        examined = promote::examine(context, &whose, &heard, &recorded, false).await?;
    }
    let mut ops = examined.ops.clone();
    ops.extend(summary_op(session, &place.key, &made));
    // A fact that cannot be stated does not keep the summary from being written.
    let command = Command { request: None, mode: Mode::Partial, ops };
    let receipt = context.engine().submit(&place.grant, Submission::from(command)).await;
    let receipt = receipt.map_err(|error| failure::submit(&error, &[]))?;
    let episode = receipt.outcomes.last().and_then(|outcome: &Outcome| outcome.episode);
    let summary = shown(&Summary { episode, ..made.shown() });
    let promotions = promote::told(context, &place.grant, examined, &receipt.outcomes).await?;
    Ok(Recorded { tx: receipt.tx, time: receipt.time, summary, promotions })
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
