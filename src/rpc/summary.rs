//! Summaries of sessions: what is folded, what is made again, and what closes a session.
//!
//! A chat model is waited for without any lock. What it wrote is recorded only while the session is
//! as it was when the model was asked.

use std::time::Duration;

use tokio::sync::MutexGuard;
use tokio::time::timeout;
use tonic::Status;
use tracing::warn;

use crate::agent::{
    Due, Heard, OVER_BUDGET, Session, SessionKey, Summary, due, made_again, rewritten, summary_op,
    to_read,
};
use crate::engine::{Engine, ReadError, Submission};
use crate::kernel::{Command, Mode, Outcome};
use crate::query::AsOf;
use crate::types::limits::{FOLD_WAIT_MILLIS, SUMMARY_SECONDS_MAX};
use crate::types::{Cost, Grant, Purpose, Timestamp, TxId};

use super::background::{Begun, Matter};
use super::caller::Caller;
use super::civil::Zone;
use super::context::Context;
use super::extract::{self, Proposals};
use super::promote::{self, Care, Examined, OVERTAKEN, Screened, Whose};
use super::session::{Place, needs_turns, opened, place};
use super::{failure, proto, reflect, to_proto};

/// A summary that was recorded.
struct Recorded {
    tx: TxId,
    time: Timestamp,
    summary: proto::Summary,
    promotions: Vec<proto::Promotion>,
}

/// What an append has folded.
#[derive(Default)]
pub(super) struct Folded {
    pub(super) summary: Option<proto::Summary>,
    pub(super) promotions: Vec<proto::Promotion>,
    /// A chat model is still writing it.
    pub(super) pending: bool,
}

impl From<Recorded> for Folded {
    fn from(recorded: Recorded) -> Folded {
        let Recorded { summary, promotions, .. } = recorded;
        Folded { summary: Some(summary), promotions, pending: false }
    }
}

pub(super) async fn end(
    context: &Context,
    caller: &Caller,
    request: proto::EndSessionRequest,
) -> Result<proto::EndSessionResponse, Status> {
    let (place, zone) = place(context, caller, &request.namespace, request.key.as_ref())?;
    let session = opened(context, &place, AsOf::default()).await?;
    let (before, session) = ended(context, session).await?;
    if let Some(before) = before {
        return Ok(before);
    }
    let (made, session) = remade(context, &place, session, true).await?;
    let (made, session) = by_chat(context, &place, made, session).await?;
    let (ahead, session) = read_ahead(context, &place, zone, made.covered(), session).await?;
    let _alone = context.session(&place.key).await;
    let fresh = opened(context, &place, AsOf::default()).await?;
    let (before, fresh) = ended(context, fresh).await?;
    if let Some(before) = before {
        return Ok(before);
    }
    let (gate, extract_skipped) = match ahead {
        Ok(ahead) if fresh.is_as(&session) => {
            let skipped = ahead.skipped;
            (Gate::Ahead(zone, ahead), skipped)
        }
        Ok(_) => (Gate::Rules(zone), OVERTAKEN),
        Err(skipped) => (Gate::Rules(zone), skipped),
    };
    let (made, fresh) = still(context, &place, (made, &session), fresh, true).await?;
    let Recorded { tx, time, summary, promotions } =
        record(context, &place, fresh, made, gate).await?;
    Ok(proto::EndSessionResponse {
        tx: tx.raw(),
        tx_time: Some(to_proto::instant(time)),
        summary: Some(summary),
        replayed: false,
        promotions,
        extract_skipped: extract_skipped.to_owned(),
    })
}

/// What leaves a session, with what a chat model says of it.
struct Ahead {
    heard: Vec<Heard>,
    screened: Screened,
    /// Why the model did not read it.
    skipped: &'static str,
}

/// How what leaves the window passes the gate.
enum Gate {
    Shut,
    /// By the rules alone, as the session is held meanwhile.
    Rules(Zone),
    /// As a model has read it before.
    Ahead(Zone, Ahead),
}

/// Has a chat model read what leaves a session, where there is one, before the session is held. Else
/// why not, which is nothing to tell where there is none.
async fn read_ahead(
    context: &Context,
    place: &Place,
    zone: Zone,
    through: usize,
    session: Session,
) -> Result<(Result<Ahead, &'static str>, Session), Status> {
    if context.models().chat.is_none() {
        return Ok((Err(""), session));
    }
    let read = move || Ok::<_, ReadError>((leaving(&session, through, zone)?, session));
    let read = context.aside(read).await?.map_err(|error| failure::read(&error))?;
    let ((heard, recorded), session) = read;
    let whose = Whose { grant: &place.grant, scope: &place.key.scope, zone };
    let care = Care { asked: false, judged: true };
    let reading = async {
        let proposals = extract::propose_unread(context, &place.grant, &heard).await;
        let said = (&heard[..], &recorded[..]);
        let screened = promote::screened(context, &whose, said, care, &proposals).await?;
        Ok::<_, Status>((screened, proposals.skipped))
    };
    let mut stopping = context.stopping();
    let ahead = tokio::select! {
        read = reading => {
            let (screened, skipped) = read?;
            Ok(Ahead { heard, screened, skipped })
        }
        _ = stopping.wait_for(|stop| *stop) => Err("SHUTTING_DOWN"),
    };
    Ok((ahead, session))
}

/// What a session was ended with, if it was.
async fn ended(
    context: &Context,
    session: Session,
) -> Result<(Option<proto::EndSessionResponse>, Session), Status> {
    let read = move || {
        let closed = session.closed()?;
        let time = closed.as_ref().and_then(|closed| closed.episode);
        let time = time.map(|id| session.recorded(id)).transpose()?;
        Ok::<_, ReadError>((closed, time, session))
    };
    let read = context.aside(read).await?.map_err(|error| failure::read(&error))?;
    let (closed, time, session) = read;
    let response = closed.map(|closed| proto::EndSessionResponse {
        tx: closed.episode.map_or(0, |id| id.tx.raw()),
        tx_time: time.map(to_proto::instant),
        summary: Some(shown(&closed)),
        replayed: true,
        promotions: Vec::new(),
        extract_skipped: String::new(),
    });
    Ok((response, session))
}

pub(super) async fn regenerate(
    context: &Context,
    caller: &Caller,
    request: proto::RegenerateSummaryRequest,
) -> Result<proto::RegenerateSummaryResponse, Status> {
    let (place, _) = place(context, caller, &request.namespace, request.key.as_ref())?;
    let session = opened(context, &place, AsOf::default()).await?;
    let (before, session) = ended(context, session).await?;
    let closes = before.is_some();
    let (made, session) = remade(context, &place, session, closes).await?;
    let (made, session) = by_chat(context, &place, made, session).await?;
    let _alone = context.session(&place.key).await;
    let fresh = opened(context, &place, AsOf::default()).await?;
    let (before, fresh) = ended(context, fresh).await?;
    let (made, fresh) = still(context, &place, (made, &session), fresh, before.is_some()).await?;
    let Recorded { tx, time, summary, .. } =
        record(context, &place, fresh, made, Gate::Shut).await?;
    Ok(proto::RegenerateSummaryResponse {
        tx: tx.raw(),
        tx_time: Some(to_proto::instant(time)),
        summary: Some(summary),
    })
}

/// The summary made from the turns again, in the words that were said.
async fn remade(
    context: &Context,
    place: &Place,
    session: Session,
    closes: bool,
) -> Result<(Due, Session), Status> {
    let read = move || Ok::<_, ReadError>((made_again(&session, closes)?, session));
    let read = context.aside(read).await?.map_err(|error| failure::read(&error))?;
    let (made, session) = read;
    Ok((made.ok_or_else(|| needs_turns(&place.key))?, session))
}

/// What was made, where the session is still as it was then; else the same of what it is now, without
/// another wait for a model.
async fn still(
    context: &Context,
    place: &Place,
    (made, then): (Due, &Session),
    fresh: Session,
    closes: bool,
) -> Result<(Due, Session), Status> {
    if fresh.is_as(then) {
        return Ok((made, fresh));
    }
    let (again, fresh) = remade(context, place, fresh, closes).await?;
    Ok((overtaken(context, again), fresh))
}

fn overtaken(context: &Context, made: Due) -> Due {
    if context.models().chat.is_some() { made.fallen_back(OVERTAKEN) } else { made }
}

/// A summary in the words of the chat model, where there is one and it can be used.
async fn by_chat(
    context: &Context,
    place: &Place,
    made: Due,
    session: Session,
) -> Result<(Due, Session), Status> {
    let Some(chat) = &context.models().chat else { return Ok((made, session)) };
    let engine = context.engine();
    if !engine.may_spend(&place.grant, Purpose::Summarise) {
        return Ok((made.fallen_back(OVER_BUDGET), session));
    }
    let read = move || Ok::<_, ReadError>((to_read(&session, &made)?, made, session));
    let read = context.aside(read).await?.map_err(|error| failure::read(&error))?;
    let (calls, made, session) = read;
    let as_it_is = made.clone();
    let writing = rewritten(engine, &place.grant, chat, made, calls);
    let mut stopping = context.stopping();
    let made = tokio::select! {
        written = timeout(Duration::from_secs(SUMMARY_SECONDS_MAX), writing) => {
            written.unwrap_or_else(|_| {
                let given_up = Cost { calls: 1, failures: 1, ..Cost::default() };
                engine.spent(&place.grant, Purpose::Summarise, &given_up);
                as_it_is.fallen_back("TIMED_OUT")
            })
        }
        _ = stopping.wait_for(|stop| *stop) => as_it_is.fallen_back("SHUTTING_DOWN"),
    };
    Ok((made, session))
}

/// Folds the older turns of a session that has outgrown its share of the budget. The turns are
/// recorded already, so what goes wrong here is no error of theirs: the next append folds.
///
/// What leaves the window is promoted in the same transaction.
pub(super) async fn fold(
    context: &Context,
    place: &Place,
    zone: Zone,
    alone: MutexGuard<'_, ()>,
) -> Folded {
    try_fold(context, place, zone, alone).await.unwrap_or_else(|status| {
        warn!(%status, "a session could not be folded yet");
        Folded::default()
    })
}

async fn try_fold(
    context: &Context,
    place: &Place,
    zone: Zone,
    alone: MutexGuard<'_, ()>,
) -> Result<Folded, Status> {
    let session = opened(context, place, AsOf::default()).await?;
    let (made, session) = outgrown(context, session).await?;
    let Some(made) = made else { return Ok(Folded::default()) };
    let now = async |made: Due, session: Session| {
        record(context, place, session, made, Gate::Rules(zone)).await.map(Folded::from)
    };
    if context.models().chat.is_none() {
        return now(made, session).await;
    }
    if !context.engine().may_spend(&place.grant, Purpose::Summarise) {
        return now(made.fallen_back(OVER_BUDGET), session).await;
    }
    let info = context.engine().namespace(&place.grant).map_err(|error| failure::read(&error))?;
    let permit = match context.background().begin(Matter::Fold(info.id, place.key.clone())) {
        Begun::Now(permit) => permit,
        Begun::Already => return Ok(Folded { pending: true, ..Folded::default() }),
        Begun::Full => return now(made.fallen_back("BUSY"), session).await,
    };
    drop(alone);
    let (context, place) = (context.clone(), place.clone());
    // On its own, so that neither a caller that goes nor a model that is slow takes it along.
    let task = tokio::spawn(async move {
        let _permit = permit;
        let folded = fold_by_chat(&context, &place, zone, made, session).await;
        folded.unwrap_or_else(|status| {
            warn!(%status, "a session could not be folded yet");
            Folded::default()
        })
    });
    Ok(match timeout(Duration::from_millis(FOLD_WAIT_MILLIS), task).await {
        Ok(folded) => folded.unwrap_or_default(),
        Err(_) => Folded { pending: true, ..Folded::default() },
    })
}

async fn outgrown(context: &Context, session: Session) -> Result<(Option<Due>, Session), Status> {
    let read = move || Ok::<_, ReadError>((due(&session)?, session));
    context.aside(read).await?.map_err(|error| failure::read(&error))
}

async fn fold_by_chat(
    context: &Context,
    place: &Place,
    zone: Zone,
    made: Due,
    session: Session,
) -> Result<Folded, Status> {
    let (made, session) = by_chat(context, place, made, session).await?;
    let _alone = context.session(&place.key).await;
    let fresh = opened(context, place, AsOf::default()).await?;
    let (made, fresh) = if fresh.goes_on_from(&session) {
        (Some(made), fresh)
    } else {
        let (again, fresh) = outgrown(context, fresh).await?;
        (again.map(|made| overtaken(context, made)), fresh)
    };
    let Some(made) = made else { return Ok(Folded::default()) };
    record(context, place, fresh, made, Gate::Rules(zone)).await.map(Folded::from)
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

/// Records a summary of a session as it stands now, with what of the turns passes the gate.
async fn record(
    context: &Context,
    place: &Place,
    session: Session,
    made: Due,
    gate: Gate,
) -> Result<Recorded, Status> {
    let whose = |zone| Whose { grant: &place.grant, scope: &place.key.scope, zone };
    let mut session = session;
    let examined = match gate {
        Gate::Shut => Examined::default(),
        Gate::Ahead(zone, Ahead { heard, screened, .. }) => {
            promote::settle(context, &whose(zone), &heard, screened)?
        }
        Gate::Rules(zone) => {
            let through = made.covered();
            let read = move || Ok::<_, ReadError>((leaving(&session, through, zone)?, session));
            let read = context.aside(read).await?.map_err(|error| failure::read(&error))?;
            let (heard, recorded) = read.0;
            session = read.1;
            let (care, rules) = (Care { asked: false, judged: false }, Proposals::default());
            promote::examine(context, &whose(zone), (&heard, &recorded), care, &rules).await?
        }
    };
    let mut ops = examined.ops.clone();
    ops.extend(summary_op(&session, &place.key, &made));
    // A fact that cannot be stated does not keep the summary from being written.
    let command = Command { request: None, mode: Mode::Partial, ops };
    let watched = reflect::watched(context, &place.grant, &command);
    let receipt = context.engine().submit(&place.grant, Submission::from(command)).await;
    let receipt = receipt.map_err(|error| failure::submit(&error, &[]))?;
    reflect::after_write(context, &place.grant, watched);
    let episode = receipt.outcomes.last().and_then(|outcome: &Outcome| outcome.episode);
    let summary = shown(&Summary { episode, ..made.shown() });
    let promotions = promote::told(context, &place.grant, examined, &receipt.outcomes).await?;
    Ok(Recorded { tx: receipt.tx, time: receipt.time, summary, promotions })
}

pub(super) fn shown(summary: &Summary) -> proto::Summary {
    let method = match summary.model {
        None => proto::SummaryMethod::Extractive,
        Some(_) => proto::SummaryMethod::Abstractive,
    };
    proto::Summary {
        episode_id: summary.episode.map_or_else(String::new, |id| id.to_string()),
        text: summary.text.clone(),
        tokens: super::session::count(summary.tokens),
        fold: Some(to_proto::fold(&summary.fold)),
        method: method.into(),
        trust: to_proto::trust(summary.trust).into(),
        model: summary.model.clone().unwrap_or_default(),
        fallback_reason: summary.fallback.unwrap_or_default().to_owned(),
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
