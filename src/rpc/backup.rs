//! `Backup`: a file as it is made, piece by piece.

use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

use crate::engine::{Backup, BackupBase, BackupError};
use crate::kernel::ViolationKind;
use crate::types::limits::{BACKUP_STEP_BYTES, NAMESPACES_MAX, STREAM_MESSAGES_MAX};
use crate::types::{Clearance, Name, Reach, Role, TxId};

use super::caller::Caller;
use super::civil::Zone;
use super::context::Context;
use super::from_proto::{Checked, Form};
use super::status::{BACKUP_BASE_FOREIGN, BACKUP_OVERTAKEN, status};
use super::stream::Reply;
use super::{failure, proto};

/// Bytes of the hash of a transaction.
const HEAD_BYTES: usize = 32;

type Bases = Vec<(Name, BackupBase)>;

/// Everything of a namespace, or of all of them, for an administrator who sees all of it.
pub(super) async fn backup(
    context: &Context,
    caller: &Caller,
    request: proto::BackupRequest,
) -> Result<Reply<proto::BackupResponse>, Status> {
    let access = caller.access();
    let (bases, only) = read(&request, &access.reach)?;
    match &only {
        Some(name) => {
            context.whole_namespace(caller, Role::Admin, &name.to_string())?;
        }
        None => {
            caller.must_be(Role::Admin)?;
            if access.clearance != Clearance::Everything {
                return Err(failure::clearance_too_low());
            }
        }
    }
    let engine = context.engine().clone();
    let begun = context.aside(move || engine.backup(only.as_ref(), &bases)).await?;
    let backup = begun.map_err(|error| told(&error))?;
    let (sender, receiver) = mpsc::channel(STREAM_MESSAGES_MAX);
    let context = context.clone();
    tokio::spawn(async move {
        if let Err(status) = send(&context, backup, &sender).await {
            // A caller that has gone does not mind.
            let _ = sender.send(Err(status)).await;
        }
    });
    Ok(Box::pin(ReceiverStream::new(receiver)))
}

async fn send(
    context: &Context,
    mut backup: Backup,
    sender: &mpsc::Sender<Result<proto::BackupResponse, Status>>,
) -> Result<(), Status> {
    loop {
        let (left, step) = context
            .aside(move || {
                let step = backup.step();
                (backup, step)
            })
            .await?;
        backup = left;
        let Some(data) = step.map_err(|error| told(&error))? else { return Ok(()) };
        // One row may be longer than the messages that clients take.
        for data in data.chunks(BACKUP_STEP_BYTES) {
            let message = proto::BackupResponse { data: data.to_vec() };
            if sender.send(Ok(message)).await.is_err() {
                return Ok(());
            }
        }
    }
}

/// The bases, and the one namespace that is meant, if it is one.
fn read(request: &proto::BackupRequest, reach: &Reach) -> Result<(Bases, Option<Name>), Status> {
    let mut form = Form::new(Zone::UNSET);
    let only = match reach {
        Reach::One(own) if request.namespace.is_empty() => Ok(Some(own.clone())),
        Reach::All if request.namespace.is_empty() => Ok(None),
        Reach::One(_) | Reach::All => form.namespace(&request.namespace).map(Some),
    };
    if request.bases.len() > NAMESPACES_MAX {
        form.fail("bases", ViolationKind::TooMany, format!("more than {NAMESPACES_MAX}"));
    }
    let mut bases = Vec::new();
    for (place, base) in request.bases.iter().take(NAMESPACES_MAX).enumerate() {
        bases.push(form.within_item("bases", place, |form| read_base(form, base)));
    }
    let bases: Checked<Vec<_>> = bases.into_iter().collect();
    failure::form(form.finish(|| Ok((bases?, only?))))
}

fn read_base(form: &mut Form, base: &proto::BackupBase) -> Checked<(Name, BackupBase)> {
    let name = form.namespace(&base.namespace);
    let head = match base.head.len() {
        0 => Ok(None),
        HEAD_BYTES => Ok(base.head.as_slice().try_into().ok()),
        found => {
            let detail = format!("a hash has {HEAD_BYTES} bytes, this one has {found}");
            Err(form.fail("head", ViolationKind::Malformed, detail))
        }
    };
    Ok((name?, BackupBase { since: TxId::new(base.since_tx), head: head? }))
}

fn told(error: &BackupError) -> Status {
    match error {
        BackupError::Read(error) => failure::read(error),
        BackupError::NamespaceGone { name } => match Name::new(name) {
            Ok(name) => failure::namespace_gone(&name),
            Err(_) => failure::internal(),
        },
        BackupError::BaseForeign { name, since } => {
            let metadata = [("namespace", name.as_str()), ("since_tx", &since.to_string())];
            status(BACKUP_BASE_FOREIGN, &error.to_string(), &metadata)
        }
        BackupError::Overtaken { name } => {
            status(BACKUP_OVERTAKEN, &error.to_string(), &[("namespace", name)])
        }
    }
}
