//! What the engine refuses, as a status. One exhaustive match for each of its errors.

use std::time::Duration;

use tonic::Status;

use crate::engine::{ReadError, SubmitError};
use crate::kernel::Rejection;
use crate::models::ChatError;
use crate::types::{CredentialId, EpisodeId, FactId, Name, Purpose, QuotaKind, Role};

use crate::types::limits::{CORE_BLOCKS_MAX, IMPORT_IDLE_SECONDS_MAX};

use super::proto;
use super::status::{
    BUDGET_SPENT, CHAT_FAILED, CHAT_UNAVAILABLE, CORE_CHANGED, CORE_FULL, CORE_MISMATCH,
    CORE_UNKNOWN, CREDENTIAL_UNKNOWN, CREDENTIALS_FULL, EMBEDDER_FAILED, EMBEDDER_MISSING,
    ENTITY_UNKNOWN, EPISODE_UNKNOWN, ERASURE_UNKNOWN, FACT_UNKNOWN, FIRST_CREDENTIAL,
    GROUND_STANDS, INVALID_PAGE_TOKEN, KEY_REUSED, NAMESPACE_DENIED, NAMESPACE_EXISTS,
    NAMESPACE_NOT_EMPTY, NAMESPACE_UNKNOWN, NAMESPACES_FULL, POLICY_CHANGED, QUEUE_FULL,
    QUOTA_EXCEEDED, REACH_TOO_NARROW, ROLE_TOO_LOW, SCOPE_DENIED, SESSION_ENDED, SESSION_UNKNOWN,
    SHUTTING_DOWN, SOURCE_UNKNOWN, STORAGE_FAILED, STORAGE_FULL, STORAGE_RENEWED, STREAM_IDLE,
    TIME_NOT_INCREASING, UNAUTHENTICATED, UNAUTHENTICATED_MESSAGE, bounded, rejected, retry_after,
    status,
};

/// When to come back to a writer that is behind: a few commits later.
const QUEUE_RETRY: Duration = Duration::from_millis(50);
/// When to read a file again that has just taken the place of another: at once would do.
const RENEWED_RETRY: Duration = Duration::from_millis(50);

pub(super) fn submit(error: &SubmitError, operations: &[proto::Operation]) -> Status {
    let message = error.to_string();
    match error {
        SubmitError::Rejected(rejection) => rejected(rejection, operations),
        SubmitError::NamespaceUnknown { name } => {
            status(NAMESPACE_UNKNOWN, &message, &[("namespace", name)])
        }
        SubmitError::NamespaceExists { name } => {
            status(NAMESPACE_EXISTS, &message, &[("namespace", name)])
        }
        SubmitError::NamespacesFull { .. } => status(NAMESPACES_FULL, &message, &[]),
        SubmitError::NamespaceNotEmpty => status(NAMESPACE_NOT_EMPTY, &message, &[]),
        SubmitError::ImportTime => status(TIME_NOT_INCREASING, &message, &[]),
        SubmitError::KeyReused => status(KEY_REUSED, &message, &[]),
        SubmitError::QueueFull { .. } => retry_after(QUEUE_FULL, &message, QUEUE_RETRY),
        SubmitError::CredentialUnknown { id } => credential_unknown(*id),
        SubmitError::CredentialsFull { .. } => status(CREDENTIALS_FULL, &message, &[]),
        SubmitError::QuotaExceeded { which, limit } => quota_exceeded(*which, *limit, None),
        SubmitError::PolicyChanged { version } => {
            status(POLICY_CHANGED, &message, &[("version", &version.to_string())])
        }
        SubmitError::StorageFull => status(STORAGE_FULL, &message, &[]),
        SubmitError::Disk { .. } => status(STORAGE_FAILED, &message, &[]),
        SubmitError::Closed => shutting_down(),
    }
}

pub(super) fn read(error: &ReadError) -> Status {
    let message = error.to_string();
    match error {
        ReadError::NamespaceUnknown { name } => {
            status(NAMESPACE_UNKNOWN, &message, &[("namespace", name)])
        }
        ReadError::Store(_) => status(STORAGE_FAILED, &message, &[]),
        ReadError::Renewed => retry_after(STORAGE_RENEWED, &message, RENEWED_RETRY),
        ReadError::Halted => Status::cancelled(message),
    }
}

/// What a form found, if it found anything.
pub(super) fn form<T>(read: Result<T, Rejection>) -> Result<T, Status> {
    read.map_err(|rejection| rejected(&rejection, &[]))
}

pub(super) fn page_token(why: &str) -> Status {
    status(INVALID_PAGE_TOKEN, &format!("the page token cannot be used: {why}"), &[])
}

pub(super) fn fact_unknown(fact: FactId) -> Status {
    let id = fact.to_string();
    status(FACT_UNKNOWN, &format!("there is no fact {id}"), &[("fact_id", &id)])
}

pub(super) fn erasure_unknown(id: &str) -> Status {
    status(ERASURE_UNKNOWN, &format!("there is no erasure {id}"), &[("id", id)])
}

pub(super) fn episode_unknown(episode: EpisodeId) -> Status {
    let id = episode.to_string();
    status(EPISODE_UNKNOWN, &format!("there is no episode {id}"), &[("episode_id", &id)])
}

pub(super) fn session_unknown(name: &str) -> Status {
    let message = format!("nothing was ever appended to the session {name}");
    status(SESSION_UNKNOWN, &message, &[("session", name)])
}

pub(super) fn session_ended(name: &str) -> Status {
    status(SESSION_ENDED, &format!("the session {name} has ended"), &[("session", name)])
}

pub(super) fn core_changed(label: &str, version: &str) -> Status {
    let message = format!("the block {label} was edited since: read it again");
    status(CORE_CHANGED, &message, &[("label", label), ("version", version)])
}

pub(super) fn core_unknown(label: &str) -> Status {
    status(CORE_UNKNOWN, &format!("there is no block {label}"), &[("label", label)])
}

pub(super) fn core_mismatch(label: &str, why: &str) -> Status {
    status(CORE_MISMATCH, &format!("the block {label}: {why}"), &[("label", label)])
}

pub(super) fn core_too_long(why: &str) -> Status {
    status(CORE_FULL, why, &[])
}

pub(super) fn core_full() -> Status {
    let message = format!("there are {CORE_BLOCKS_MAX} blocks already, as many as are allowed");
    status(CORE_FULL, &message, &[])
}

pub(super) fn no_embedder() -> Status {
    status(EMBEDDER_MISSING, "the server has no embedder to embed with", &[])
}

pub(super) fn embedder(message: &str) -> Status {
    status(EMBEDDER_FAILED, message, &[])
}

pub(super) fn chat_unavailable() -> Status {
    status(CHAT_UNAVAILABLE, "the server has no chat model: serve it with --chat-url", &[])
}

/// Nothing of a reply that cannot be used is told: it may quote what was sent.
pub(super) fn chat(error: &ChatError) -> Status {
    status(CHAT_FAILED, &format!("the chat model failed: {error}"), &[("kind", error.kind())])
}

pub(super) fn budget_spent(purpose: Purpose) -> Status {
    let word = purpose.word();
    let message = format!("the budget of the namespace for {word} is spent");
    status(BUDGET_SPENT, &message, &[("purpose", word)])
}

pub(super) fn source_unknown(name: &Name) -> Status {
    let name = name.to_string();
    status(SOURCE_UNKNOWN, &format!("no source is named {name}"), &[("source", &name)])
}

pub(super) fn ground_stands() -> Status {
    let message = "it stands: withdraw the source, or retract the episode, first";
    status(GROUND_STANDS, message, &[])
}

/// The same as [`submit`], for a request whose operations stand in a list of another name.
pub(super) fn in_list(list: &str, error: SubmitError) -> Status {
    let SubmitError::Rejected(mut rejection) = error else { return submit(&error, &[]) };
    for violation in &mut rejection.violations {
        if let Some(place) = violation.op.take() {
            violation.field = format!("{list}[{place}].{}", violation.field).into();
        }
    }
    rejected(&rejection, &[])
}

pub(super) fn entity_unknown(name: &Name) -> Status {
    let name = name.to_string();
    status(ENTITY_UNKNOWN, &format!("no entity is named {name}"), &[("entity", &name)])
}

/// A stream outlived its namespace.
pub(super) fn namespace_gone(name: &Name) -> Status {
    let name = name.to_string();
    status(NAMESPACE_UNKNOWN, &format!("the namespace {name} was deleted"), &[("namespace", &name)])
}

/// The same for all that can be wrong with a credential.
pub(super) fn unauthenticated() -> Status {
    status(UNAUTHENTICATED, UNAUTHENTICATED_MESSAGE, &[])
}

pub(super) fn namespace_denied(name: &Name) -> Status {
    let name = name.to_string();
    let message = format!("the credential is not for the namespace {name}");
    status(NAMESPACE_DENIED, &message, &[("namespace", &name)])
}

pub(super) fn role_too_low(role: Role, needed: Role) -> Status {
    let message = format!("this takes the role {needed}, the credential has {role}");
    status(ROLE_TOO_LOW, &message, &[("needed", &needed.to_string())])
}

pub(super) fn reach_too_narrow() -> Status {
    status(REACH_TOO_NARROW, "this takes a credential for all namespaces", &[])
}

pub(super) fn credential_unknown(id: CredentialId) -> Status {
    let id = id.to_string();
    status(CREDENTIAL_UNKNOWN, &format!("there is no credential {id}"), &[("credential_id", &id)])
}

/// Nobody could open the door again.
pub(super) fn first_credential() -> Status {
    let message = "the first credential must be an admin of all namespaces that sees everything";
    status(FIRST_CREDENTIAL, message, &[])
}

pub(super) fn quota_exceeded(which: QuotaKind, limit: u64, wait: Option<Duration>) -> Status {
    let message = format!("the quota of the namespace allows {limit} {which}");
    let metadata = [("which", &*which.to_string()), ("limit", &limit.to_string())];
    bounded(QUOTA_EXCEEDED, &message, &metadata, wait)
}

/// The caller of a stream said nothing for too long.
pub(super) fn stream_idle() -> Status {
    let message = format!("nothing came for {IMPORT_IDLE_SECONDS_MAX} seconds");
    status(STREAM_IDLE, &message, &[])
}

pub(super) fn clearance_too_low() -> Status {
    let message = "this is about all that the namespace holds, and the caller sees a part of it";
    status(SCOPE_DENIED, message, &[])
}

pub(super) fn shutting_down() -> Status {
    status(SHUTTING_DOWN, "the server is shutting down", &[])
}

/// Work was lost with its thread, which is a bug.
pub(super) fn internal() -> Status {
    Status::internal("the request could not be finished")
}

#[cfg(test)]
mod tests {
    use tonic::Code;
    use tonic_types::StatusExt;

    use super::*;

    #[test]
    fn a_file_that_was_written_anew_says_when_to_read_again() {
        let status = read(&ReadError::Renewed);
        let details = status.get_error_details();
        let reason = details.error_info().map(|info| info.reason.clone());
        assert_eq!(
            (status.code(), reason.as_deref()),
            (Code::Unavailable, Some("STORAGE_RENEWED"))
        );
        let wait = details.retry_info().and_then(|retry| retry.retry_delay);
        assert_eq!(wait, Some(RENEWED_RETRY));
    }
}
