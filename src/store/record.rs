//! Records only the store has: namespaces and receipts.

use crate::kernel::Outcome;
use crate::types::{Name, NamespaceId, Timestamp, TxId};

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
