//! Whole write requests: a list of operations becomes a command.

use prost::Message;
use sha2::{Digest, Sha256};

use super::{Bad, Form};
use crate::kernel::{Command, Mode, Op, Rejection, RequestKey, ViolationKind};
use crate::rpc::civil::Zone;
use crate::rpc::proto;
use crate::types::limits::{IMPORT_OPS_MAX, OPS_MAX};
use crate::types::{Clearance, RowKey, Timestamp};

/// One message of an import stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub command: Command,
    /// The commit time to keep instead of the clock's.
    pub time: Option<Timestamp>,
}

/// Reads a request. In partial mode a bad operation becomes [`Op::Invalid`]; what is wrong with
/// the request around it refuses it in either mode.
///
/// # Errors
/// A [`Rejection`] with every violation of the request.
pub fn command(
    request: &proto::TransactRequest,
    zone: Zone,
    clearance: &Clearance,
) -> Result<Command, Rejection> {
    let mut form = Form::new(zone).cleared(clearance);
    let namespace = form.namespace(&request.namespace);
    let id = form.request_id(&request.request_id);
    let mode = match form.variant("mode", request.mode) {
        Ok(proto::TransactMode::Unspecified | proto::TransactMode::Atomic) => Ok(Mode::Atomic),
        Ok(proto::TransactMode::Partial) => Ok(Mode::Partial),
        Err(bad) => Err(bad),
    };
    if request.operations.is_empty() {
        form.fail("operations", ViolationKind::Missing, "there is nothing to do");
    }
    let ops = operations(&mut form, &request.operations, mode.unwrap_or_default(), OPS_MAX);
    form.finish(|| {
        namespace?;
        let body = body_digest(request, clearance);
        let request = id?.map(|id| RequestKey { id: key(id, clearance), body });
        Ok(Command { request, mode: mode?, ops: ops? })
    })
}

/// Reads one message of an import, which is a partial request. It may hold no operations, where a
/// stream was cut into pieces and the last one is empty.
///
/// # Errors
/// A [`Rejection`] with every violation around the operations.
pub fn import(
    request: &proto::ImportFactsRequest,
    zone: Zone,
    clearance: &Clearance,
) -> Result<Import, Rejection> {
    let mut form = Form::new(zone).cleared(clearance);
    let namespace = form.namespace(&request.namespace);
    let time = request.tx_time.map(|at| form.instant("tx_time", at)).transpose();
    let ops = operations(&mut form, &request.operations, Mode::Partial, IMPORT_OPS_MAX);
    form.finish(|| {
        namespace?;
        let mut ops = ops?;
        if request.deduplicate {
            for (op, operation) in ops.iter_mut().zip(&request.operations) {
                if let Some(evidence) = op.evidence_mut() {
                    evidence.row = Some(row_key(operation));
                }
            }
        }
        Ok(Import { command: Command { request: None, mode: Mode::Partial, ops }, time: time? })
    })
}

/// Reads a request that adds episodes. Violations name its own fields.
///
/// # Errors
/// A [`Rejection`] with every violation of the request.
pub fn add_episodes(
    request: &proto::AddEpisodesRequest,
    zone: Zone,
    clearance: &Clearance,
) -> Result<Command, Rejection> {
    let mut form = Form::new(zone).cleared(clearance);
    let namespace = form.namespace(&request.namespace);
    let id = form.request_id(&request.request_id);
    if request.episodes.is_empty() {
        form.fail("episodes", ViolationKind::Missing, "there is nothing to keep");
    }
    let ops = form.length("episodes", request.episodes.len(), OPS_MAX).map(|()| {
        let read = |(index, episode)| {
            form.within_item("episodes", index, |form| form.add_episode(episode))
        };
        request.episodes.iter().enumerate().map(read).collect::<Vec<_>>()
    });
    form.finish(|| {
        namespace?;
        let body = proto::AddEpisodesRequest { request_id: String::new(), ..request.clone() };
        let body = digest(&body, clearance);
        let request = id?.map(|id| RequestKey { id: key(id, clearance), body });
        let ops =
            ops?.into_iter().map(|episode| episode.map(Op::AddEpisode)).collect::<Result<_, _>>();
        Ok(Command { request, mode: Mode::Atomic, ops: ops? })
    })
}

fn operations(
    form: &mut Form,
    operations: &[proto::Operation],
    mode: Mode,
    max: usize,
) -> Result<Vec<Op>, Bad> {
    // A list over its bound is not read at all: its errors would be as many.
    form.length("operations", operations.len(), max)?;
    let mut ops = Vec::with_capacity(operations.len());
    for (place, operation) in operations.iter().enumerate() {
        let mut one = form.of_operation(place);
        let op = one.operation(operation);
        let violations = one.take();
        match (op, mode) {
            (Ok(op), _) if violations.is_empty() => ops.push(op),
            (_, Mode::Partial) => ops.push(Op::Invalid(violations)),
            (_, Mode::Atomic) => form.add(violations),
        }
    }
    Ok(ops)
}

/// What tells two bodies under one key apart: everything but the key.
fn body_digest(request: &proto::TransactRequest, clearance: &Clearance) -> [u8; 32] {
    let body = proto::TransactRequest { request_id: String::new(), ..request.clone() };
    digest(&body, clearance)
}

/// The same words of callers who see different things are different requests.
pub(super) fn digest(body: &impl Message, clearance: &Clearance) -> [u8; 32] {
    let mut digest = Sha256::new_with_prefix(body.encode_to_vec());
    if let Clearance::Only(own) = clearance {
        // With its end after each: no list of labels reads as another, and none as an owner.
        let owner = own.owner.iter().map(|owner| format!("owner {owner}\n"));
        let labels = own.labels.iter().map(|label| format!("label {label}\n"));
        owner.chain(labels).for_each(|part| digest.update(part));
    }
    digest.finalize().into()
}

/// The key of a request that is not about an owner's part alone.
pub(super) fn key_of(id: String, body: &impl Message) -> RequestKey {
    RequestKey { id, body: digest(body, &Clearance::Everything) }
}

/// Keys of one owner's requests are not those of another's: nobody learns what others have sent.
pub(super) fn key(id: String, clearance: &Clearance) -> String {
    match clearance.own().owner {
        Some(owner) => format!("{owner}\n{id}"),
        None => id,
    }
}

/// Names a row by all it says, as the first half of a digest: collisions stay out of reach of
/// chance, and a caller who seeks one only loses rows of their own.
fn row_key(operation: &proto::Operation) -> RowKey {
    let digest: [u8; 32] = Sha256::digest(operation.encode_to_vec()).into();
    let mut key = [0; 16];
    key.copy_from_slice(&digest[..16]);
    RowKey(key)
}

#[cfg(test)]
mod tests;
