//! What remains of an erasure: what kind it was and how much went, and nothing of what it was.

/// What was asked to be erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErasureKind {
    Fact,
    Entity,
    Source,
    Owner,
    Namespace,
}

/// How much went, and from where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ErasureCounts {
    pub statements: u64,
    /// Sentences that came with them.
    pub evidence: u64,
    pub episodes: u64,
    /// Rectangles that were opened, at any transaction.
    pub rectangles: u64,
    /// Rectangles in their place.
    pub rectangles_restored: u64,
    pub log_changes: u64,
    /// Names of all kinds, and values.
    pub names: u64,
    pub receipts: u64,
    pub vectors: u64,
    pub accesses: u64,
    pub documents: u64,
    pub facts: u64,
}
