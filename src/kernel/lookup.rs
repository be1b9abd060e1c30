//! The only reads the rules may make.

use crate::types::{EntityId, Object, PredicateId, Slot, SourceId, Statement, StatementId, Triple};

use super::directory::Directory;
use super::group::{Group, GroupKey, Live};

/// Which triples were ever stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Subject(EntityId),
    Object(Object),
    Predicate(PredicateId),
    Source(SourceId),
}

/// The facts as of the last decided transaction. Ids are those that were recorded; the rules read
/// them under their canonical ids themselves.
pub trait Lookup {
    type Error;

    fn directory(&self) -> &Directory;

    /// The statements recorded under exactly these ids, in the order of their ids; contested ones
    /// included. `object` narrows them to one object.
    ///
    /// # Errors
    /// When the facts cannot be read.
    fn statements(&self, slot: Slot, object: Option<Object>)
    -> Result<Vec<Statement>, Self::Error>;

    /// The rectangles believed now under exactly these ids, by object and start.
    ///
    /// # Errors
    /// When the facts cannot be read.
    fn live(&self, slot: Slot, object: Option<Object>) -> Result<Vec<Live>, Self::Error>;

    /// The distinct triples ever stated, as recorded, in ascending order.
    ///
    /// # Errors
    /// When the facts cannot be read.
    fn triples(&self, by: By) -> Result<Vec<Triple>, Self::Error>;

    /// One statement by its name.
    ///
    /// # Errors
    /// When the facts cannot be read.
    fn statement(&self, id: StatementId) -> Result<Option<Statement>, Self::Error>;

    /// A folded group with its live rectangles that is at hand already, if it is exactly what reading
    /// it again would give. It is handed over: the decision gives it back as it then stands.
    fn take_cached(&self, _key: GroupKey) -> Option<Group> {
        None
    }
}
