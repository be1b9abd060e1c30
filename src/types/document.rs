//! What search finds, as it is known across restarts.

use super::TxId;

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    /// The words of a triple: subject, predicate, object.
    Fact,
    /// The sentence a statement came with.
    Statement,
    /// The name of an entity.
    Entity,
    Episode,
}

/// Names a document by the change that made it. Keys ascend with the log, and what is stored under
/// them survives a document's being numbered anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentKey {
    pub tx: TxId,
    pub kind: DocumentKind,
    /// The statement's or episode's own place; for facts and entities that of the change in its
    /// transaction.
    pub op: u32,
}
