//! Conclusions that a chat model draws from what was observed, on request and by itself.

use std::collections::BTreeSet;

use tonic::Status;
use tracing::warn;

use crate::agent::{Observed, conclusion_ops, observe};
use crate::engine::{Receipt, Submission};
use crate::kernel::{Command, Mode, Op, Outcome};
use crate::models::prompts::{self, Passage};
use crate::models::spent;
use crate::query::AsOf;
use crate::types::limits::{OBSERVATIONS_DEFAULT, OBSERVATIONS_MAX, OBSERVATIONS_MIN};
use crate::types::{Grant, Name, Purpose, Role, Scope, TxId};

use super::background::{Begun, Matter};
use super::caller::Caller;
use super::context::Context;
use super::from_proto::Form;
use super::place::{at, number};
use super::{failure, proto, render, to_proto};

pub(super) async fn reflect(
    context: &Context,
    caller: &Caller,
    request: proto::ReflectRequest,
) -> Result<proto::ReflectResponse, Status> {
    let (grant, zone) = context.namespace(caller, Role::Writer, &request.namespace)?;
    let mut form = Form::new(zone).cleared(&grant.clearance);
    let scope = form.scope("scope", request.scope.as_ref());
    let limit = form.count("limit", request.limit, OBSERVATIONS_DEFAULT, OBSERVATIONS_MAX);
    let (scope, limit) = failure::form(form.finish(|| Ok((scope?, limit?))))?;
    let observed = look(context, &grant, &scope, limit, TxId::ZERO).await?;
    let count = super::session::count(observed.count);
    let Some(drawn) = draw(context, &grant, &scope, &observed).await? else {
        let basis = context.read(&grant, AsOf::default(), |snapshot| {
            render::basis(snapshot.directory, snapshot.basis)
        })?;
        return Ok(proto::ReflectResponse {
            observations: count,
            basis: Some(basis),
            ..Default::default()
        });
    };
    let ids: Vec<_> =
        drawn.outcomes.iter().filter_map(|outcome: &Outcome| outcome.episode).collect();
    let (engine, read_grant) = (context.engine().clone(), grant.clone());
    let read = move || {
        let read = |id| engine.episode(&read_grant, id).transpose();
        ids.into_iter().filter_map(read).collect::<Result<Vec<_>, _>>()
    };
    let episodes = context.aside(read).await?.map_err(|error| failure::read(&error))?;
    let as_of = at(drawn.time.micros(), number(drawn.tx));
    context.read(&grant, as_of, |snapshot| proto::ReflectResponse {
        reflections: episodes.iter().map(|episode| render::episode(snapshot, episode)).collect(),
        observations: count,
        tx: drawn.tx.raw(),
        tx_time: Some(to_proto::instant(drawn.time)),
        basis: Some(render::basis(snapshot.directory, snapshot.basis)),
    })
}

async fn look(
    context: &Context,
    namespace: &Name,
    scope: &Scope,
    limit: usize,
    after: TxId,
) -> Result<Observed, Status> {
    let (engine, namespace, scope) = (context.engine().clone(), namespace.clone(), scope.clone());
    let observing = move || observe(&engine, &namespace, &scope, after, limit);
    context.aside(observing).await?.map_err(|error| failure::read(&error))
}

/// Has conclusions drawn and records them; none where there is too little to conclude from, or nothing
/// follows from it.
async fn draw(
    context: &Context,
    grant: &Grant,
    scope: &Scope,
    observed: &Observed,
) -> Result<Option<Receipt>, Status> {
    let chat = context.models().chat.as_ref().ok_or_else(failure::chat_unavailable)?;
    let engine = context.engine();
    if !engine.may_spend(grant, Purpose::Reflect) {
        return Err(failure::budget_spent(Purpose::Reflect));
    }
    let observations = &observed.observations;
    if observations.len() < OBSERVATIONS_MIN {
        return Ok(None);
    }
    let passages: Vec<Passage<'_>> = observations
        .iter()
        .map(|seen| Passage { id: &seen.id, role: seen.role, time: "", text: &seen.text })
        .collect();
    let answer = prompts::reflect(chat, &passages).await;
    engine.spent(grant, Purpose::Reflect, &spent(&answer));
    let answer = answer.map_err(|error| failure::chat(&error))?;
    let ops = conclusion_ops(observations, answer.value, chat.model_name(), scope);
    if ops.is_empty() {
        return Ok(None);
    }
    let command = Command { request: None, mode: Mode::Atomic, ops };
    let receipt = engine.submit(grant, Submission::from(command)).await;
    receipt.map(Some).map_err(|error| failure::submit(&error, &[]))
}

/// How many observations a namespace waits for, if it waits for any.
fn threshold(context: &Context, grant: &Grant) -> Option<u32> {
    context.policy(grant).ok()?.reflection.after
}

/// The scopes that a command says something for, where conclusions are drawn by themselves; else none.
pub(super) fn watched(context: &Context, grant: &Grant, command: &Command) -> BTreeSet<Scope> {
    if context.models().chat.is_none() || threshold(context, grant).is_none() {
        return BTreeSet::new();
    }
    command.ops.iter().filter_map(Op::scope).cloned().collect()
}

/// Draws conclusions behind the reply to a write, for those scopes for which enough was observed.
pub(super) fn after_write(context: &Context, grant: &Grant, scopes: BTreeSet<Scope>) {
    let Some(after) = threshold(context, grant) else { return };
    let Ok(info) = context.engine().namespace(grant) else { return };
    for scope in scopes {
        let matter = Matter::Reflection(info.id, scope.clone());
        let Begun::Now(permit) = context.background().begin(matter.clone()) else { continue };
        let (context, grant) = (context.clone(), grant.clone());
        tokio::spawn(async move {
            let _permit = permit;
            if let Err(status) = by_itself(&context, &grant, &scope, matter, after).await {
                warn!(%status, "no conclusions were drawn");
            }
        });
    }
}

async fn by_itself(
    context: &Context,
    grant: &Grant,
    scope: &Scope,
    matter: Matter,
    after: u32,
) -> Result<(), Status> {
    let mark = context.background().mark(&matter);
    let observed = look(context, grant, scope, OBSERVATIONS_DEFAULT, mark).await?;
    if observed.count < usize::try_from(after).unwrap_or(usize::MAX) {
        return Ok(());
    }
    let mut stopping = context.stopping();
    let drawn = tokio::select! {
        drawn = draw(context, grant, scope, &observed) => drawn,
        _ = stopping.wait_for(|stop| *stop) => return Ok(()),
    };
    // Also after a failure: what failed is not paid for again with each write.
    context.background().set_mark(matter, observed.through);
    drawn.map(drop)
}
