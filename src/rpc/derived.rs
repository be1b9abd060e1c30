//! What was drawn from something that counts as never said, taken back with it.

use tonic::Status;

use crate::agent::{Derived, Root, derived, is_gone};
use crate::engine::Submission;
use crate::kernel::{Command, Mode, Rejection, Violation, ViolationKind};
use crate::query::AsOf;
use crate::types::limits::OPS_MAX;
use crate::types::{FactId, Role, Triple};

use super::caller::Caller;
use super::context::Context;
use super::from_proto::Form;
use super::proto::retract_derived_request::From;
use super::{failure, proto, to_proto};

pub(super) async fn retract_derived(
    context: &Context,
    caller: &Caller,
    request: proto::RetractDerivedRequest,
) -> Result<proto::RetractDerivedResponse, Status> {
    // All of it goes, so whoever takes it back must see all of it.
    let (grant, zone) = context.whole_namespace(caller, Role::Writer, &request.namespace)?;
    let mut form = Form::new(zone);
    let source = match &request.from {
        Some(From::Source(name)) => form.name("source", name).map(Some),
        Some(From::EpisodeId(_)) => Ok(None),
        None => {
            let detail = "say what it was drawn from: a source or an episode";
            Err(form.fail("from", ViolationKind::Missing, detail))
        }
    };
    let episode = match &request.from {
        Some(From::EpisodeId(id)) => form.episode_id("episode_id", id).map(Some),
        _ => Ok(None),
    };
    let (source, episode) = failure::form(form.finish(|| Ok((source?, episode?))))?;
    let (root, gone) = context.read(&grant, AsOf::default(), |snapshot| {
        let directory = snapshot.directory;
        let root = match (&source, episode) {
            (Some(name), _) => directory.source(name).map(Root::Source),
            (None, id) => id.filter(|id| directory.episode(*id).is_some()).map(Root::Episode),
        };
        (root, root.is_some_and(|root| is_gone(directory, root)))
    })?;
    let root = match (root, source, episode) {
        (Some(root), ..) => root,
        (None, Some(name), _) => return Err(failure::source_unknown(&name)),
        (None, None, Some(id)) => return Err(failure::episode_unknown(id)),
        (None, None, None) => return Err(failure::internal()),
    };
    if !gone {
        return Err(failure::ground_stands());
    }
    let (engine, namespace) = (context.engine().clone(), grant.namespace.clone());
    let found = context.aside(move || derived(&engine, &namespace, root)).await?;
    let Derived { episodes, facts, kept, ops } = found.map_err(|error| failure::read(&error))?;
    if ops.len() > OPS_MAX {
        return Err(too_many(ops.len()));
    }
    let id = |triple: &Triple| FactId(*triple).to_string();
    let mut response = proto::RetractDerivedResponse {
        episode_ids: episodes.iter().map(ToString::to_string).collect(),
        fact_ids: facts.iter().map(id).collect(),
        kept_fact_ids: kept.iter().map(id).collect(),
        ..Default::default()
    };
    if ops.is_empty() {
        return Ok(response);
    }
    let command = Command { request: None, mode: Mode::Atomic, ops };
    let submission = Submission { dry_run: request.dry_run, ..Submission::from(command) };
    let receipt = context.engine().submit(&grant, submission).await;
    let receipt = receipt.map_err(|error| failure::submit(&error, &[]))?;
    if !request.dry_run {
        response.tx = receipt.tx.raw();
        response.tx_time = Some(to_proto::instant(receipt.time));
    }
    Ok(response)
}

fn too_many(count: usize) -> Status {
    let detail = format!("{count} items were drawn from it, {OPS_MAX} go at once");
    let kind = ViolationKind::TooMany;
    let violation = Violation { op: None, field: "from".into(), kind, detail };
    super::status::rejected(&Rejection::from(violation), &[])
}
