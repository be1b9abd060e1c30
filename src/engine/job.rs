//! What waits for the writer, and who waits for it.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::store::Access;
use crate::types::{AuditEvent, DocumentKey, Name, NamespaceId};

use super::account::Account;
use super::erase::EraseJob;
use super::error::SubmitError;
use super::failure::Failure;
use super::guard::{self, GuardJob};
use super::namespace::{Namespace, NamespaceInfo};
use super::spaces::{SpaceJob, SpaceSpec};
use super::submission::{self, Submission};

/// What waits for the writer.
#[allow(clippy::large_enum_variant, reason = "the large one is the common one")]
pub(super) enum Job {
    Submit {
        namespace: Name,
        submission: Submission,
        reply: Reply<submission::Receipt>,
        /// Of the call that waits for it.
        account: Option<Arc<Account>>,
    },
    Create {
        name: Name,
        zone: String,
        space: Option<SpaceSpec>,
        reply: Reply<NamespaceInfo>,
    },
    Delete {
        name: Name,
        event: AuditEvent,
        reply: Reply<()>,
    },
    Space {
        namespace: Arc<Namespace>,
        job: SpaceJob,
        reply: Reply<()>,
    },
    /// When documents were read. Nobody waits for it.
    Reads {
        namespace: Arc<Namespace>,
        reads: Vec<(DocumentKey, Access)>,
    },
    /// What calls of models have cost was counted. Nobody waits for it.
    Usage {
        namespace: Name,
        id: NamespaceId,
    },
    /// Alone in its batch.
    Erase(Box<EraseJob>),
    Guard(GuardJob),
    /// A read found the store closed. Beginning a batch reopens it, so there is nothing left to do.
    Mend,
}

pub(super) type Reply<T> = oneshot::Sender<Result<T, SubmitError>>;
type Awaited = oneshot::Receiver<Result<submission::Receipt, SubmitError>>;

impl Job {
    /// A command, and where its reply will come.
    pub(super) fn submit(namespace: &Name, submission: Submission) -> (Job, Awaited) {
        let (reply, receipt) = oneshot::channel();
        let (namespace, account) = (namespace.clone(), Account::current());
        (Job::Submit { namespace, submission, reply, account }, receipt)
    }

    /// How much of a batch it takes up.
    pub(super) fn ops(&self) -> usize {
        match self {
            Job::Submit { submission, .. } => submission.command.ops.len(),
            Job::Space { job: SpaceJob::Store { rows, .. }, .. } => rows.len(),
            Job::Create { .. }
            | Job::Delete { .. }
            | Job::Space { .. }
            | Job::Reads { .. }
            | Job::Usage { .. }
            | Job::Erase(_)
            | Job::Guard(_)
            | Job::Mend => 1,
        }
    }
}

/// Answers a job that could not be begun.
pub(super) fn refuse(job: Job, failure: &Failure) {
    match job {
        Job::Submit { reply, .. } => drop(reply.send(Err(failure.into()))),
        Job::Create { reply, .. } => drop(reply.send(Err(failure.into()))),
        Job::Delete { reply, .. } | Job::Space { reply, .. } => {
            drop(reply.send(Err(failure.into())));
        }
        Job::Erase(job) => drop(job.reply.send(Err(failure.into()))),
        Job::Guard(job) => guard::refuse(job, failure),
        Job::Reads { .. } | Job::Usage { .. } | Job::Mend => {}
    }
}
