//! What a read asks for, before its names are looked up and its basis is settled.

use crate::types::{Name, ObjectName, Timestamp, TxId};

/// Where in both times to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct AsOf {
    /// Missing: now, the clock when the request started.
    pub valid: Option<Timestamp>,
    pub known: Known,
}

/// A point of transaction time. What lies after the last commit means the last commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Known {
    #[default]
    Latest,
    Tx(TxId),
    /// The last transaction committed at or before this instant.
    At(Timestamp),
}

/// Which facts: what is set must match, nothing set matches all.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PatternName {
    pub subject: Option<Name>,
    /// Any of these; none means all.
    pub predicates: Vec<Name>,
    pub object: Option<ObjectName>,
}
