//! One namespace of one server, as tools see it.

use tonic::Status;

use crate::rpc::Caller;
use crate::rpc::proto::fact_service_client::FactServiceClient;
use crate::rpc::proto::graph_service_client::GraphServiceClient;
use crate::rpc::proto::memory_service_client::MemoryServiceClient;
use crate::rpc::proto::operation::Operation as Kind;
use crate::rpc::proto::{Operation, TransactRequest, TransactResponse};
use crate::types::limits::MESSAGE_BYTES_MAX;

use super::wire::Wire;

#[derive(Clone)]
pub struct Memory {
    pub(super) facts: FactServiceClient<Wire>,
    pub(super) graph: GraphServiceClient<Wire>,
    pub(super) episodes: MemoryServiceClient<Wire>,
    pub(super) namespace: String,
    wire: Wire,
}

impl Memory {
    #[must_use]
    pub fn new(wire: &Wire, namespace: &str) -> Memory {
        Memory {
            facts: FactServiceClient::new(wire.clone())
                .max_decoding_message_size(MESSAGE_BYTES_MAX),
            graph: GraphServiceClient::new(wire.clone())
                .max_decoding_message_size(MESSAGE_BYTES_MAX),
            episodes: MemoryServiceClient::new(wire.clone())
                .max_decoding_message_size(2 * MESSAGE_BYTES_MAX),
            namespace: namespace.to_owned(),
            wire: wire.clone(),
        }
    }

    /// The same memory for a caller that was let in. Left to choose, it is the namespace that the
    /// caller's credential is for.
    #[must_use]
    pub(super) fn of(&self, caller: &Caller, namespace: Option<&str>) -> Memory {
        let own = caller.home().map(ToString::to_string);
        let namespace = namespace.map(ToOwned::to_owned).or(own);
        Memory::new(&self.wire.of(caller), namespace.as_deref().unwrap_or(&self.namespace))
    }

    /// Changes facts in one transaction.
    pub(super) async fn transact(
        &mut self,
        kinds: Vec<Kind>,
        request_id: Option<&str>,
    ) -> Result<TransactResponse, Status> {
        let request = self.request(kinds, request_id);
        Ok(self.facts.transact(request).await?.into_inner())
    }

    /// What a change would do, or why it would be refused.
    pub(super) async fn rehearse(&mut self, kinds: Vec<Kind>) -> Result<(), Status> {
        let request = TransactRequest { dry_run: true, ..self.request(kinds, None) };
        self.facts.transact(request).await.map(drop)
    }

    fn request(&self, kinds: Vec<Kind>, request_id: Option<&str>) -> TransactRequest {
        TransactRequest {
            namespace: self.namespace.clone(),
            request_id: request_id.unwrap_or_default().to_owned(),
            operations: kinds.into_iter().map(|kind| Operation { operation: Some(kind) }).collect(),
            ..Default::default()
        }
    }
}
