//! The vocabulary of Tenure: ids, time, names, values, records, limits.
//!
//! Nothing here reads a clock, a file or a socket, and nothing here imports another layer. A bad
//! value is impossible to construct, so nobody above checks twice.

mod access;
mod bits;
mod cipher;
mod credential;
mod encryption_key;
mod id;
pub mod limits;
mod name;
mod record;
mod episode;
mod erasure;
mod document;
mod item;
mod policy;
mod time;
mod usage;
mod value;
mod vector;

pub use access::{Access, Clearance, Grant, Label, LabelError, NotNarrower, Reach, Role, Scope};
pub use bits::Bits;
pub use cipher::Cipher;
pub use credential::{
    AuditEvent, AuditSubject, Credential, CredentialId, CredentialIdError, QuotaKind, Quotas,
    SecretDigest,
};
pub use document::{DocumentKey, DocumentKind};
pub use encryption_key::{EncryptionKey, KeyError};
pub use episode::{Episode, EpisodeId, EpisodeKind, Fold, session_digest};
pub use erasure::{ErasureCounts, ErasureKind};
pub use id::{
    DocumentId, EntityId, FactId, NamespaceId, Object, ParseIdError, PredicateId, Slot, SourceId,
    SpaceId, StatementId, Triple, TxId, ValueId,
};
pub use item::Item;
pub use name::{Name, NameError};
pub use policy::{
    ContextPolicy, GatePolicy, KindPolicy, MemoryKind, Policy, ReflectionPolicy, Renewal,
};
pub use record::{
    Cardinality, CloseReason, Confidence, ConfidenceError, Conflict, ConflictKind, ConflictSide,
    ObjectKind, Rectangle, RowKey, Statement, StatementKind, Trust,
};
pub use time::{Basis, Dated, Granularity, Interval, IntervalError, Timestamp, TxSpan, Written};
pub use usage::{Budget, Budgets, Cost, Period, Purpose};
pub use value::{ObjectName, Value, ValueError};
pub use vector::{Vector, VectorError};
