//! What is asked, validated one field at a time. Names are still names here.

use crate::kernel::ObjectName;
use crate::types::{Name, Timestamp, TxId};

/// Where in both times to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct AsOf {
    /// Missing means now.
    pub valid: Option<Timestamp>,
    pub known: Known,
}

/// A point of transaction time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Known {
    /// The last commit.
    #[default]
    Latest,
    /// One after the last commit is clamped to it.
    Tx(TxId),
    /// The last transaction committed at or before an instant.
    At(Timestamp),
}

/// Which facts, by name. What is missing matches all.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PatternName {
    pub subject: Option<Name>,
    pub predicates: Vec<Name>,
    pub object: Option<ObjectName>,
}
