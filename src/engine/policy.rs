//! How a namespace treats what it remembers: at hand for every request, and changed by the writer alone.

use std::sync::{Arc, LazyLock};

use tokio::sync::oneshot;

use crate::kernel::SuppliedVector;
use crate::store::PolicyRecord;
use crate::types::{AuditSubject, DocumentKey, Name, Policy, Timestamp};

use super::audit::event;
use super::error::{ReadError, SubmitError};
use super::guard::GuardJob;
use super::handle::Engine;
use super::job::Job;

/// What holds where nobody set anything.
static DEFAULT: LazyLock<Arc<PolicyRecord>> = LazyLock::new(Arc::default);

/// How a document was read by questions about today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reads {
    pub last: Timestamp,
    pub count: u64,
}

impl Engine {
    /// The policy of a namespace.
    ///
    /// # Errors
    /// [`ReadError::NamespaceUnknown`].
    pub fn policy(&self, name: &Name) -> Result<Arc<Policy>, ReadError> {
        Ok(Arc::clone(&self.policy_record(name)?.policy))
    }

    /// The same with its version.
    ///
    /// # Errors
    /// [`ReadError::NamespaceUnknown`].
    pub fn policy_record(&self, name: &Name) -> Result<Arc<PolicyRecord>, ReadError> {
        let id = self.find(name)?.id();
        Ok(self.guard().policy(id).unwrap_or_else(|| Arc::clone(&DEFAULT)))
    }

    /// Puts a policy in the place of the one of a version, and gives it with its own.
    ///
    /// # Errors
    /// [`SubmitError::PolicyChanged`] where another came between,
    /// [`SubmitError::NamespaceUnknown`], or why it could not be recorded.
    pub async fn set_policy(
        &self,
        name: &Name,
        policy: Policy,
        version: u64,
        by: AuditSubject,
    ) -> Result<Arc<PolicyRecord>, SubmitError> {
        let (reply, done) = oneshot::channel();
        let about = AuditSubject { namespace: name.to_string(), ..by };
        let event = event(self.now(), "POLICY_SET", about);
        let record = PolicyRecord { version, policy: Arc::new(policy) };
        self.send(Job::Guard(GuardJob::Policy { name: name.clone(), record, event, reply }))?;
        done.await.unwrap_or(Err(SubmitError::Closed))
    }

    /// The stored vector of a document in the space that questions are compared in.
    ///
    /// # Errors
    /// When the namespace or the store cannot be read.
    pub fn stored_vector(
        &self,
        name: &Name,
        document: DocumentKey,
    ) -> Result<Option<SuppliedVector>, ReadError> {
        let namespace = self.find(name)?;
        let Some(space) = namespace.search.spaces().record.current else { return Ok(None) };
        let vector =
            self.stored(|store| store.read()?.vector(namespace.id(), space.id, document))?;
        Ok(vector.map(|vector| SuppliedVector { vector, model: Some(space.model) }))
    }

    /// How often documents were read, and when last. To ask is no reading.
    ///
    /// # Errors
    /// [`ReadError::NamespaceUnknown`].
    pub fn reads(
        &self,
        name: &Name,
        documents: &[DocumentKey],
    ) -> Result<Vec<Option<Reads>>, ReadError> {
        Ok(self.find(name)?.search.reads_of(documents))
    }
}
