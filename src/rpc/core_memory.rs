//! Blocks of core memory: episodes that an agent reads every time and edits itself. An edit takes the
//! place of the block before it, which stays as it was on the second clock.

use tonic::Status;

use crate::agent::{Edit, EditError, edited, tokens};
use crate::engine::Submission;
use crate::kernel::{AddEpisode, Command, Mode, Op, RetractEpisode};
use crate::models::StaticModel;
use crate::query::AsOf;
use crate::types::limits::CORE_BLOCKS_MAX;
use crate::types::{Episode, EpisodeKind, Grant, Role, Scope, Trust};

use super::caller::Caller;
use super::context::Context;
use super::from_proto::{self, Form};
use super::remember::of_kind;
use super::{failure, proto, render, to_proto};

pub(super) async fn get(
    context: &Context,
    caller: &Caller,
    request: proto::GetCoreMemoryRequest,
) -> Result<proto::GetCoreMemoryResponse, Status> {
    let (grant, zone) = context.namespace(caller, Role::Reader, &request.namespace)?;
    let mut form = Form::new(zone).cleared(&grant.clearance);
    let scope = form.whose("scope", request.scope.as_ref());
    let as_of = form.as_of("as_of", request.as_of.as_ref());
    let labels = form.core_labels(&request.labels);
    let (scope, as_of, labels) = failure::form(form.finish(|| Ok((scope?, as_of?, labels?))))?;
    let basis = context.read(&grant, as_of, |snapshot| snapshot.basis)?;
    let as_of = super::place::at(basis.valid.micros(), super::place::number(basis.tx));
    let mut blocks = blocks(context, &grant, as_of, &scope).await?;
    blocks.retain(|block| labels.is_empty() || labels.contains(&label(block).to_owned()));
    context.read(&grant, as_of, |snapshot| proto::GetCoreMemoryResponse {
        blocks: blocks.iter().map(|block| shown(snapshot, block)).collect(),
        basis: Some(render::basis(snapshot.directory, snapshot.basis)),
        tokenizer: StaticModel::NAME.to_owned(),
    })
}

pub(super) async fn update(
    context: &Context,
    caller: &Caller,
    request: proto::UpdateCoreMemoryRequest,
) -> Result<proto::UpdateCoreMemoryResponse, Status> {
    let (grant, zone) = context.namespace(caller, Role::Writer, &request.namespace)?;
    let read = from_proto::core_edit(&request, zone, &grant.clearance);
    let from_proto::CoreEdit { scope, label, edit, expected } = failure::form(read)?;
    // Nothing is edited between the look at what stands and the write.
    let _alone = context.alone(&label).await;
    let all = blocks(context, &grant, AsOf::default(), &scope).await?;
    let standing = all.iter().find(|block| self::label(block) == label);
    let version = standing.map(|block| block.id);
    if expected.is_some_and(|expected| version != Some(expected)) {
        let version = version.map_or_else(String::new, |version| version.to_string());
        return Err(failure::core_changed(&label, &version));
    }
    if standing.is_none() && all.len() >= CORE_BLOCKS_MAX {
        return Err(failure::core_full());
    }
    let text = edited(standing.map_or("", |block| &block.text), &edit);
    let text = text.map_err(|error| refused(&label, error))?;
    let mut ops: Vec<Op> = Vec::new();
    ops.extend(version.map(|episode| Op::RetractEpisode(RetractEpisode { episode })));
    if !text.trim().is_empty() {
        ops.push(block(&label, text, &scope));
    }
    if ops.is_empty() {
        return Err(failure::core_unknown(&label));
    }
    let command = Command { request: None, mode: Mode::Atomic, ops };
    let receipt = context.engine().submit(&grant, Submission::from(command)).await;
    let receipt = receipt.map_err(|error| failure::submit(&error, &[]))?;
    let made = blocks(context, &grant, AsOf::default(), &scope).await?;
    let made = made.into_iter().find(|block| self::label(block) == label);
    let block = context.read(&grant, AsOf::default(), |snapshot| {
        made.filter(|block| block.id.tx == receipt.tx).map(|block| shown(snapshot, &block))
    })?;
    let tx_time = Some(to_proto::instant(receipt.time));
    Ok(proto::UpdateCoreMemoryResponse { tx: receipt.tx.raw(), tx_time, block })
}

fn block(label: &str, text: String, scope: &Scope) -> Op {
    Op::AddEpisode(AddEpisode {
        kind: EpisodeKind::Core,
        text,
        speaker: None,
        title: Some(label.to_owned()),
        session: None,
        from: None,
        to: None,
        source: None,
        trust: Trust::Stated,
        importance: None,
        vector: None,
        scope: scope.clone(),
        fold: None,
        derived_from: Vec::new(),
    })
}

/// By label.
pub(super) async fn blocks(
    context: &Context,
    grant: &Grant,
    as_of: AsOf,
    scope: &Scope,
) -> Result<Vec<Episode>, Status> {
    let mut blocks = of_kind(context, grant, as_of, scope, EpisodeKind::Core).await?;
    blocks.sort_by(|a, b| a.title.cmp(&b.title).then(b.id.cmp(&a.id)));
    // Written by hand there may be two of a label: the newest counts.
    blocks.dedup_by(|older, newer| older.title == newer.title);
    Ok(blocks)
}

pub(super) fn label(block: &Episode) -> &str {
    block.title.as_deref().unwrap_or_default()
}

fn shown(snapshot: crate::query::Snapshot<'_>, block: &Episode) -> proto::CoreBlock {
    let time = snapshot.directory.time_of(block.id.tx);
    proto::CoreBlock {
        label: label(block).to_owned(),
        text: block.text.clone(),
        version: block.id.to_string(),
        tx_time: time.map(to_proto::instant),
        tokens: super::session::count(tokens(&block.text)),
        scope: render::scope(&block.scope),
    }
}

fn refused(label: &str, error: EditError) -> Status {
    match error {
        EditError::NotThere | EditError::NotOnce { .. } => {
            failure::core_mismatch(label, &error.to_string())
        }
        EditError::TooLong { .. } => failure::core_too_long(&error.to_string()),
    }
}

/// What is edited, for those who read it from the wire.
pub(super) fn edit(wanted: &proto::update_core_memory_request::Edit) -> Edit {
    use proto::update_core_memory_request::Edit as Wire;
    match wanted {
        Wire::Append(append) => Edit::Append(append.text.clone()),
        Wire::Replace(replace) => {
            Edit::Replace { old: replace.old.clone(), new: replace.new.clone() }
        }
        Wire::Set(set) => Edit::Set(set.text.clone()),
    }
}
