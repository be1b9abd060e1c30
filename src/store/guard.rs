//! Credentials, quotas, policies and the audit log: what stands before the facts.

use redb::{ReadableTable, ReadableTableMetadata};

use crate::kernel::Tx;
use crate::types::limits::AUDIT_EVENTS_MAX;
use crate::types::{AuditEvent, AuditSubject, Credential, CredentialId, NamespaceId, Quotas};

use super::batch::Batch;
use super::codec::{seal, unseal};
use super::error::{CommitError, ReadError};
use super::key::{self, Key};
use super::read::decoded;
use super::reader::Reader;
use super::record::PolicyRecord;
use super::table::{self, Rows};

const NEXT_AUDIT: &str = "next_audit";

/// Of which kind an event is. Each has room of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditKind {
    Denial,
    Change,
}

impl AuditKind {
    const fn table(
        self,
    ) -> redb::TableDefinition<'static, &'static [u8; key::NUMBER], &'static [u8]> {
        match self {
            AuditKind::Denial => table::AUDIT_DENIAL,
            AuditKind::Change => table::AUDIT_CHANGE,
        }
    }
}

impl Reader {
    /// Every credential, by id.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn credentials(&self) -> Result<Vec<Credential>, ReadError> {
        let rows = self.credential.iter()?;
        rows.map(|row| decoded("credential", unseal(row?.1.value()))).collect()
    }

    /// The quotas of a namespace; none where none were set.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn quotas(&self, namespace: NamespaceId) -> Result<Option<Quotas>, ReadError> {
        let row = self.quota.get(&Key::of(namespace).full())?;
        row.map(|row| decoded("quota", unseal(row.value()))).transpose()
    }

    /// The policy of a namespace; none where none was set.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn policy(&self, namespace: NamespaceId) -> Result<Option<PolicyRecord>, ReadError> {
        let row = self.policy.get(&Key::of(namespace).full())?;
        row.map(|row| decoded("policy", unseal(row.value()))).transpose()
    }

    /// Bytes of the log of a namespace, as stored.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn log_bytes(&self, namespace: NamespaceId) -> Result<u64, ReadError> {
        log_bytes(&self.log, namespace)
    }

    /// Events that fit, the newest first, before a number.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn audit(
        &self,
        before: u64,
        at_most: usize,
        mut fits: impl FnMut(&AuditEvent) -> bool,
    ) -> Result<Vec<AuditEvent>, ReadError> {
        let end = before.to_be_bytes();
        let mut events = Vec::new();
        for table in [&self.audit_denial, &self.audit_change] {
            let mut found = 0;
            for row in table.range::<&[u8; key::NUMBER]>(..&end)?.rev() {
                let event: AuditEvent = decoded("audit", unseal(row?.1.value()))?;
                if fits(&event) {
                    events.push(event);
                    found += 1;
                }
                if found == at_most {
                    break;
                }
            }
        }
        events.sort_unstable_by_key(|event| std::cmp::Reverse(event.sequence));
        events.truncate(at_most);
        Ok(events)
    }
}

impl Batch {
    /// # Errors
    /// When the disk cannot be read.
    pub fn credential(&self, id: CredentialId) -> Result<Option<Credential>, ReadError> {
        let table = self.txn.open_table(table::CREDENTIAL)?;
        let row = table.get(&id.raw().to_be_bytes())?;
        row.map(|row| decoded("credential", unseal(row.value()))).transpose()
    }

    /// How many credentials there are.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn credential_count(&self) -> Result<u64, ReadError> {
        Ok(self.txn.open_table(table::CREDENTIAL)?.len()?)
    }

    /// Adds a credential, or replaces the one of this id.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn put_credential(&mut self, credential: &Credential) -> Result<(), CommitError> {
        let mut table = self.txn.open_table(table::CREDENTIAL)?;
        table.insert(&credential.id.raw().to_be_bytes(), seal(credential).as_slice())?;
        Ok(())
    }

    /// # Errors
    /// When the disk fails.
    pub fn remove_credential(&mut self, id: CredentialId) -> Result<(), CommitError> {
        self.txn.open_table(table::CREDENTIAL)?.remove(&id.raw().to_be_bytes())?;
        Ok(())
    }

    /// # Errors
    /// When the disk fails.
    pub fn put_quotas(
        &mut self,
        namespace: NamespaceId,
        quotas: &Quotas,
    ) -> Result<(), CommitError> {
        let mut table = self.txn.open_table(table::QUOTA)?;
        table.insert(&Key::of(namespace).full(), seal(quotas).as_slice())?;
        Ok(())
    }

    /// The policy of a namespace; none where none was set.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn policy(&self, namespace: NamespaceId) -> Result<Option<PolicyRecord>, ReadError> {
        let table = self.txn.open_table(table::POLICY)?;
        let row = table.get(&Key::of(namespace).full())?;
        row.map(|row| decoded("policy", unseal(row.value()))).transpose()
    }

    /// # Errors
    /// When the disk fails.
    pub fn put_policy(
        &mut self,
        namespace: NamespaceId,
        policy: &PolicyRecord,
    ) -> Result<(), CommitError> {
        let mut table = self.txn.open_table(table::POLICY)?;
        table.insert(&Key::of(namespace).full(), seal(policy).as_slice())?;
        Ok(())
    }

    /// Bytes of the log of a namespace, as stored.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn log_bytes(&self, namespace: NamespaceId) -> Result<u64, ReadError> {
        log_bytes(&self.txn.open_table(table::LOG)?, namespace)
    }

    /// Adds events under the next numbers, and drops the oldest of their kind past the bound.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn add_audit(
        &mut self,
        kind: AuditKind,
        events: Vec<AuditEvent>,
    ) -> Result<(), CommitError> {
        let mut meta = self.txn.open_table(table::META)?;
        let mut next = match meta.get(NEXT_AUDIT)? {
            Some(row) => decoded("meta", unseal::<u64>(row.value()))?,
            None => 1,
        };
        let mut table = self.txn.open_table(kind.table())?;
        for mut event in events {
            event.sequence = next;
            table.insert(&next.to_be_bytes(), seal(&event).as_slice())?;
            next += 1;
        }
        meta.insert(NEXT_AUDIT, seal(&next).as_slice())?;
        for _ in AUDIT_EVENTS_MAX..table.len()? {
            table.pop_first()?;
        }
        Ok(())
    }

    /// Puts another word in the place of the name of a namespace, in all that was denied or changed.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn rename_in_audit(&mut self, name: &str, to: &str) -> Result<(), CommitError> {
        for kind in [AuditKind::Denial, AuditKind::Change] {
            let mut table = self.txn.open_table(kind.table())?;
            let mut found = Vec::new();
            for row in table.iter()? {
                let (key, value) = row?;
                let event: AuditEvent = decoded("audit", unseal(value.value()))?;
                if event.about.namespace == name {
                    let about = AuditSubject { namespace: to.to_owned(), ..event.about.clone() };
                    found.push((*key.value(), AuditEvent { about, ..event }));
                }
            }
            for (key, event) in found {
                table.insert(&key, seal(&event).as_slice())?;
            }
        }
        Ok(())
    }
}

fn log_bytes(log: &impl Rows<{ key::LOG }>, namespace: NamespaceId) -> Result<u64, ReadError> {
    let mut bytes = 0;
    for row in log.under(Key::of(namespace))? {
        bytes += row?.1.value().len() as u64;
    }
    Ok(bytes)
}

/// Bytes that a transaction takes in the log.
#[must_use]
pub fn tx_bytes(tx: &Tx) -> u64 {
    seal(tx).len() as u64
}
