//! Clients that write without a break and note what was acknowledged, until the server is gone.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tenure::rpc::proto;
use tokio::sync::Notify;
use tonic::Status;

use crate::process::Clients;
use crate::support::{at, op};

/// Facts of one batch.
pub(crate) const BATCH: usize = 100;
/// A valid instant at which all that was written holds.
const LATER: i64 = 1_000;

/// One request, sent again to the letter after the server is back.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    pub(crate) request: proto::TransactRequest,
    /// Shared by all facts of the write and by no other.
    subject: String,
    /// Missing when the answer never came.
    pub(crate) acknowledged: Option<proto::TransactResponse>,
}

/// Counts acknowledgements, and tells when there were enough.
pub(crate) struct Fuse {
    acknowledged: AtomicU64,
    limit: u64,
    pub(crate) burnt: Notify,
}

impl Fuse {
    pub(crate) fn new(limit: u64) -> Arc<Fuse> {
        Arc::new(Fuse { acknowledged: AtomicU64::new(0), limit, burnt: Notify::new() })
    }

    fn burn(&self) {
        if self.acknowledged.fetch_add(1, Ordering::SeqCst) + 1 == self.limit {
            self.burnt.notify_one();
        }
    }
}

/// Every other client writes batches.
pub(crate) async fn load(
    mut clients: Clients,
    namespace: String,
    client: usize,
    fuse: Arc<Fuse>,
) -> Vec<Write> {
    let mut writes = Vec::new();
    let size = if client.is_multiple_of(2) { 1 } else { BATCH };
    for number in 0.. {
        let mut write = Write::new(&namespace, &format!("client {client} write {number}"), size);
        match clients.facts.transact(write.request.clone()).await {
            Ok(response) => write.acknowledged = Some(response.into_inner()),
            Err(status) => {
                assert!(is_gone(&status), "{status:?}");
                writes.push(write);
                break;
            }
        }
        fuse.burn();
        match write.facts(&mut clients).await {
            Ok(found) => assert_eq!(found, size, "read your write"),
            Err(status) => assert!(is_gone(&status), "{status:?}"),
        }
        writes.push(write);
    }
    writes
}

/// What a client says of a server that was killed.
fn is_gone(status: &Status) -> bool {
    use tonic::Code::{Cancelled, Internal, Unavailable, Unknown};
    let own = crate::support::reason(status);
    own.is_empty() && [Cancelled, Internal, Unavailable, Unknown].contains(&status.code())
}

impl Write {
    fn new(namespace: &str, subject: &str, size: usize) -> Write {
        let assert =
            |n: usize| op::assert(subject, "holds", &format!("thing {n}"), op::instant(0), None);
        let request = proto::TransactRequest {
            namespace: namespace.to_owned(),
            request_id: subject.to_owned(),
            operations: (0..size).map(assert).collect(),
            ..Default::default()
        };
        Write { request, subject: subject.to_owned(), acknowledged: None }
    }

    /// How many facts of the write hold.
    async fn facts(&self, clients: &mut Clients) -> Result<usize, Status> {
        let request = proto::ListFactsRequest {
            namespace: self.request.namespace.clone(),
            pattern: Some(proto::FactPattern {
                subject: self.subject.clone(),
                ..Default::default()
            }),
            as_of: at::valid(LATER),
            page_size: 10_000,
            ..Default::default()
        };
        let page = clients.facts.list_facts(request).await?.into_inner();
        Ok(page.rectangles.len())
    }

    /// An acknowledged write is there, any other as a whole or not at all; and sending it again
    /// makes it be there once.
    pub(crate) async fn check(&self, clients: &mut Clients) {
        let (size, subject) = (self.request.operations.len(), &self.subject);
        let found = self.facts(clients).await.expect("the server is back");
        assert!(found == 0 || found == size, "{subject}: {found} of {size}");
        assert!(found == size || self.acknowledged.is_none(), "{subject}: lost");
        let again = clients.facts.transact(self.request.clone()).await;
        let again = again.expect("the server is back").into_inner();
        assert_eq!(again.replayed, found == size, "{subject}: {found} of {size}");
        if let Some(first) = &self.acknowledged {
            let first = proto::TransactResponse { replayed: true, ..first.clone() };
            assert_eq!(again, first, "{subject}");
        }
        assert_eq!(self.facts(clients).await.expect("the server is back"), size, "{subject}");
    }
}
