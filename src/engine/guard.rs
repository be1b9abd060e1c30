//! Who may come in, and how much a namespace may use: kept in memory for every request to look at,
//! and changed by the writer alone, once the change is on the disk.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use tokio::sync::watch;

use crate::store::{AuditKind, Batch, CommitError, PolicyRecord, ReadError, Reader};
use crate::types::limits::CREDENTIALS_MAX;
use crate::types::{
    AuditEvent, Budgets, Credential, CredentialId, Name, NamespaceId, Quotas, SecretDigest,
    Timestamp,
};

use super::error::SubmitError;
use super::failure::Failure;
use super::job::Reply;
use super::namespace::Registry;
use super::pending::Pending;
use super::spending::Spending;

/// A change of what stands before the facts, with the event that tells of it.
pub(super) enum GuardJob {
    Credential {
        change: CredentialChange,
        event: AuditEvent,
        reply: Reply<Arc<Credential>>,
    },
    Quotas {
        name: Name,
        quotas: Quotas,
        event: AuditEvent,
        reply: Reply<()>,
    },
    Budgets {
        name: Name,
        budgets: Budgets,
        event: AuditEvent,
        reply: Reply<()>,
    },
    Policy {
        name: Name,
        /// As it was read before it was changed; its version must still be the last.
        record: PolicyRecord,
        event: AuditEvent,
        reply: Reply<Arc<PolicyRecord>>,
    },
    /// Denials of the last while.
    Denials {
        events: Vec<AuditEvent>,
        reply: Reply<()>,
    },
}

pub(super) enum CredentialChange {
    Create(Credential),
    /// Another secret; the one before is taken until an instant, if any.
    Rotate {
        id: CredentialId,
        digest: SecretDigest,
        now: Timestamp,
        until: Option<Timestamp>,
    },
    Revoke(CredentialId),
}

/// What becomes visible once it is durable.
pub(super) enum Guarded {
    Credential(Arc<Credential>),
    Revoked(CredentialId),
    Quotas(NamespaceId, Quotas),
    Policy(NamespaceId, Arc<PolicyRecord>),
    Budgets(NamespaceId, Budgets),
    /// The namespace is gone.
    Gone(NamespaceId),
}

#[derive(Default)]
struct State {
    credentials: BTreeMap<CredentialId, Arc<Credential>>,
    quotas: HashMap<NamespaceId, Quotas>,
    /// Of the namespaces where one was set.
    policies: HashMap<NamespaceId, Arc<PolicyRecord>>,
}

#[derive(Default)]
pub(super) struct Guard {
    state: RwLock<State>,
    pub(super) spending: Spending,
    /// Counts changes, so that streams look again whether they may go on.
    changed: watch::Sender<u64>,
}

impl Guard {
    /// Takes what is stored in place of what is known.
    pub(super) fn load(&self, reader: &Reader) -> Result<(), ReadError> {
        let credentials = reader.credentials()?.into_iter();
        let credentials = credentials.map(|credential| (credential.id, Arc::new(credential)));
        let mut fresh = State { credentials: credentials.collect(), ..State::default() };
        for namespace in reader.namespaces()? {
            if let Some(quotas) = reader.quotas(namespace.id)? {
                fresh.quotas.insert(namespace.id, quotas);
            }
            if let Some(policy) = reader.policy(namespace.id)? {
                fresh.policies.insert(namespace.id, Arc::new(policy));
            }
        }
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = fresh;
        self.spending.load(reader)?;
        self.changed.send_modify(|count| *count += 1);
        Ok(())
    }

    pub(super) fn apply(&self, changes: Vec<Guarded>) {
        if changes.is_empty() {
            return;
        }
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        for change in changes {
            match change {
                Guarded::Credential(credential) => {
                    state.credentials.insert(credential.id, credential);
                }
                Guarded::Revoked(id) => {
                    state.credentials.remove(&id);
                }
                Guarded::Quotas(namespace, quotas) => {
                    state.quotas.insert(namespace, quotas);
                }
                Guarded::Policy(namespace, policy) => {
                    state.policies.insert(namespace, policy);
                }
                Guarded::Budgets(namespace, budgets) => self.spending.set(namespace, budgets),
                Guarded::Gone(namespace) => {
                    state.quotas.remove(&namespace);
                    state.policies.remove(&namespace);
                    self.spending.forget(namespace);
                }
            }
        }
        drop(state);
        self.changed.send_modify(|count| *count += 1);
    }

    pub(super) fn credential(&self, id: CredentialId) -> Option<Arc<Credential>> {
        self.read().credentials.get(&id).cloned()
    }

    pub(super) fn credentials(&self) -> Vec<Arc<Credential>> {
        self.read().credentials.values().cloned().collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.read().credentials.is_empty()
    }

    pub(super) fn quotas(&self, namespace: NamespaceId) -> Quotas {
        self.read().quotas.get(&namespace).copied().unwrap_or_default()
    }

    pub(super) fn policy(&self, namespace: NamespaceId) -> Option<Arc<PolicyRecord>> {
        self.read().policies.get(&namespace).cloned()
    }

    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers a job that could not be begun.
pub(super) fn refuse(job: GuardJob, failure: &Failure) {
    match job {
        GuardJob::Credential { reply, .. } => drop(reply.send(Err(failure.into()))),
        GuardJob::Policy { reply, .. } => drop(reply.send(Err(failure.into()))),
        GuardJob::Quotas { reply, .. }
        | GuardJob::Budgets { reply, .. }
        | GuardJob::Denials { reply, .. } => {
            drop(reply.send(Err(failure.into())));
        }
    }
}

/// Takes one job within the batch; the change and the event that tells of it are one commit.
pub(super) fn take(
    job: GuardJob,
    registry: &Registry,
    batch: &mut Batch,
    pending: &mut Pending,
) -> Result<(), CommitError> {
    match job {
        GuardJob::Credential { change, event, reply } => {
            let result = credential(change, event, batch, pending);
            pending.settle(reply, result)
        }
        GuardJob::Quotas { name, quotas, event, reply } => {
            let result = set_quotas(&name, quotas, event, registry, batch, pending);
            pending.settle(reply, result)
        }
        GuardJob::Budgets { name, budgets, event, reply } => {
            let result = set_budgets(&name, budgets, event, registry, batch, pending);
            pending.settle(reply, result)
        }
        GuardJob::Policy { name, record, event, reply } => {
            let result = set_policy(&name, record, event, registry, batch, pending);
            pending.settle(reply, result)
        }
        GuardJob::Denials { events, reply } => {
            pending.writes = true;
            let result = batch.add_audit(AuditKind::Denial, events).map(Ok);
            pending.settle(reply, result)
        }
    }
}

fn credential(
    change: CredentialChange,
    event: AuditEvent,
    batch: &mut Batch,
    pending: &mut Pending,
) -> Result<Result<Arc<Credential>, SubmitError>, CommitError> {
    let known = match &change {
        CredentialChange::Create(_) => None,
        CredentialChange::Rotate { id, .. } | CredentialChange::Revoke(id) => {
            let Some(known) = batch.credential(*id)? else {
                return Ok(Err(SubmitError::CredentialUnknown { id: *id }));
            };
            Some(known)
        }
    };
    let credential = match (change, known) {
        (CredentialChange::Rotate { digest, now, until, .. }, Some(known)) => {
            let earlier = until.map(|until| (known.digest, until));
            Arc::new(Credential { digest, earlier, rotated: Some(now), ..known })
        }
        (CredentialChange::Create(fresh), _) => {
            let count = batch.credential_count()?;
            if count >= CREDENTIALS_MAX as u64 {
                return Ok(Err(SubmitError::CredentialsFull { count }));
            }
            Arc::new(fresh)
        }
        (CredentialChange::Revoke(id), known) => {
            batch.remove_credential(id)?;
            batch.add_audit(AuditKind::Change, vec![event])?;
            pending.guarded.push(Guarded::Revoked(id));
            pending.writes = true;
            return Ok(known.map(Arc::new).ok_or(SubmitError::CredentialUnknown { id }));
        }
        (CredentialChange::Rotate { id, .. }, None) => {
            return Ok(Err(SubmitError::CredentialUnknown { id }));
        }
    };
    batch.put_credential(&credential)?;
    batch.add_audit(AuditKind::Change, vec![event])?;
    pending.guarded.push(Guarded::Credential(Arc::clone(&credential)));
    pending.writes = true;
    Ok(Ok(credential))
}

fn set_quotas(
    name: &Name,
    quotas: Quotas,
    event: AuditEvent,
    registry: &Registry,
    batch: &mut Batch,
    pending: &mut Pending,
) -> Result<Result<(), SubmitError>, CommitError> {
    let Some(namespace) = registry.get(name).filter(|_| !pending.deleted.contains(name)) else {
        return Ok(Err(SubmitError::NamespaceUnknown { name: name.to_string() }));
    };
    batch.put_quotas(namespace.id(), &quotas)?;
    batch.add_audit(AuditKind::Change, vec![event])?;
    pending.guarded.push(Guarded::Quotas(namespace.id(), quotas));
    pending.writes = true;
    Ok(Ok(()))
}

fn set_budgets(
    name: &Name,
    budgets: Budgets,
    event: AuditEvent,
    registry: &Registry,
    batch: &mut Batch,
    pending: &mut Pending,
) -> Result<Result<(), SubmitError>, CommitError> {
    let Some(namespace) = registry.get(name).filter(|_| !pending.deleted.contains(name)) else {
        return Ok(Err(SubmitError::NamespaceUnknown { name: name.to_string() }));
    };
    batch.put_budgets(namespace.id(), &budgets)?;
    batch.add_audit(AuditKind::Change, vec![event])?;
    pending.guarded.push(Guarded::Budgets(namespace.id(), budgets));
    pending.writes = true;
    Ok(Ok(()))
}

fn set_policy(
    name: &Name,
    record: PolicyRecord,
    event: AuditEvent,
    registry: &Registry,
    batch: &mut Batch,
    pending: &mut Pending,
) -> Result<Result<Arc<PolicyRecord>, SubmitError>, CommitError> {
    let Some(namespace) = registry.get(name).filter(|_| !pending.deleted.contains(name)) else {
        return Ok(Err(SubmitError::NamespaceUnknown { name: name.to_string() }));
    };
    let version = batch.policy(namespace.id())?.map_or(0, |stored| stored.version);
    if record.version != version {
        return Ok(Err(SubmitError::PolicyChanged { version }));
    }
    let record = Arc::new(PolicyRecord { version: version + 1, ..record });
    batch.put_policy(namespace.id(), &record)?;
    batch.add_audit(AuditKind::Change, vec![event])?;
    pending.guarded.push(Guarded::Policy(namespace.id(), Arc::clone(&record)));
    pending.writes = true;
    Ok(Ok(record))
}
