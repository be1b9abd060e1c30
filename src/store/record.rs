//! Records only the store has: namespaces, receipts, embedding spaces, accesses.

use std::sync::Arc;

use crate::kernel::Outcome;
use crate::types::{Name, NamespaceId, Policy, SpaceId, Timestamp, TxId};

/// One tenant. Its id is never given to another, also after it is deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamespaceRecord {
    pub id: NamespaceId,
    pub name: Name,
    /// IANA name of the zone in which dates without one are read.
    pub zone: String,
    pub created: Timestamp,
}

/// What became of a request, kept so that sending it again gives the same answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Digest of the body that came with the request id.
    pub body: [u8; 32],
    pub tx: TxId,
    pub time: Timestamp,
    pub outcomes: Vec<Outcome>,
}

/// An embedding space. Vectors of one are never compared with those of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceRecord {
    pub id: SpaceId,
    /// Name of the model.
    pub model: String,
    pub dimension: u32,
    /// Callers supply the vectors; the server makes none.
    pub supplied: bool,
    /// Documents below this one have their vector, or have no words the model knows.
    pub looked_at: u32,
}

/// The spaces of a namespace.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct EmbeddingRecord {
    /// What questions are compared in.
    pub current: Option<SpaceRecord>,
    /// What is being built beside it.
    pub next: Option<SpaceRecord>,
    /// The last id given out; none is given twice.
    pub last: u32,
}

/// How a namespace treats what it remembers, as it was set.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PolicyRecord {
    /// How often it was set; 0 where nobody did, and it is the default.
    pub version: u64,
    pub policy: Arc<Policy>,
}

/// When a document was last read, and how often. No fact depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub last: Timestamp,
    pub count: u64,
}
