//! What a batch has decided, and what it will reply once it is durable.

use std::sync::Arc;

use crate::kernel::Tx;
use crate::store::{Batch, CommitError, EmbeddingRecord, NamespaceRecord};
use crate::types::{Name, NamespaceId};

use super::account::Account;
use super::error::SubmitError;
use super::failure::Failure;
use super::guard::Guarded;
use super::job::Reply;
use super::meters::Meters;
use super::namespace::Namespace;

/// What a batch will reply once it is durable.
pub(super) type Promise = Box<dyn FnOnce(Result<(), &Failure>)>;

/// What a batch has decided so far.
#[derive(Default)]
pub(super) struct Pending {
    pub(super) txs: Vec<(NamespaceId, Tx)>,
    pub(super) created: Vec<(NamespaceRecord, EmbeddingRecord)>,
    pub(super) deleted: Vec<Name>,
    pub(super) spaces: Vec<(Arc<Namespace>, EmbeddingRecord)>,
    pub(super) guarded: Vec<Guarded>,
    pub(super) promises: Vec<Promise>,
    /// Of the calls that wait for the batch.
    pub(super) accounts: Vec<Arc<Account>>,
    pub(super) writes: bool,
}

impl Pending {
    /// Promises a reply for when the batch is durable. When the disk failed, the reply is the same
    /// failure that ends the batch.
    pub(super) fn settle<T: 'static>(
        &mut self,
        reply: Reply<T>,
        result: Result<Result<T, SubmitError>, CommitError>,
    ) -> Result<(), CommitError> {
        let (result, ended) = match result {
            Ok(result) => (result, Ok(())),
            Err(error) => (Err(SubmitError::Closed), Err(error)),
        };
        self.promises.push(promise(reply, result));
        ended
    }

    pub(super) fn commit(&self, batch: Batch, meters: &Meters) -> Result<(), CommitError> {
        meters.timed(self.promises.len(), &self.accounts, || batch.commit())
    }
}

/// A caller that has gone does not mind.
fn promise<T: 'static>(reply: Reply<T>, result: Result<T, SubmitError>) -> Promise {
    Box::new(move |durable| {
        let result = match durable {
            Ok(()) => result,
            Err(failure) => Err(failure.into()),
        };
        drop(reply.send(result));
    })
}
