//! Identifiers. Each is a newtype with a private field, so an entity can never be passed for a
//! predicate. Ids are dense and local to a namespace.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

macro_rules! dense_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The last id there can be.
            pub const MAX: $name = $name(u32::MAX);

            #[must_use]
            pub const fn new(raw: u32) -> $name {
                $name(raw)
            }

            #[must_use]
            pub const fn raw(self) -> u32 {
                self.0
            }

            /// The id after this one; the last has none after it.
            #[must_use]
            pub const fn next(self) -> $name {
                $name(self.0.saturating_add(1))
            }

            /// Position in a dense array.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

dense_id!(
    /// One tenant's memory. Unlike the others it is local to a data directory.
    NamespaceId
);
dense_id!(
    /// A node of the graph, as it was recorded: a merge never rewrites it.
    EntityId
);
dense_id!(
    /// A registered relation.
    PredicateId
);
dense_id!(
    /// A typed literal.
    ValueId
);
dense_id!(
    /// Where statements came from.
    SourceId
);

dense_id!(
    /// What search finds: the words of a fact, of a statement, of an entity's name, or an episode.
    /// Given out in the order of the log, so replaying it gives the same ids.
    DocumentId
);

dense_id!(
    /// Vectors that can be compared with one another: of one model, with one number of dimensions.
    SpaceId
);

/// Number of a transaction inside one namespace: 1, 2, 3 with no gaps. `TxId::ZERO` is the time
/// before the first commit and `TxId::OPEN` is "still believed".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TxId(u64);

impl TxId {
    pub const ZERO: TxId = TxId(0);
    pub const OPEN: TxId = TxId(u64::MAX);

    #[must_use]
    pub const fn new(raw: u64) -> TxId {
        TxId(raw)
    }

    #[must_use]
    pub const fn raw(self) -> u64 {
        self.0
    }

    #[must_use]
    pub const fn next(self) -> TxId {
        TxId(self.0 + 1)
    }

    #[must_use]
    pub const fn is_open(self) -> bool {
        self.0 == u64::MAX
    }
}

impl fmt::Display for TxId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A statement is named by the transaction that recorded it and its place in there, which is also
/// the order in which the fold reads statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId {
    pub tx: TxId,
    pub op: u32,
}

impl fmt::Display for StatementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.tx, self.op)
    }
}

impl FromStr for StatementId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<StatementId, ParseIdError> {
        let (tx, op) = text.split_once('.').ok_or(ParseIdError)?;
        Ok(StatementId { tx: TxId(parse(tx)?), op: parse(op)? })
    }
}

/// What a fact points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    Entity(EntityId),
    Value(ValueId),
}

impl Object {
    /// The last object in the order of objects.
    pub const MAX: Object = Object::Value(ValueId(u32::MAX));

    #[must_use]
    pub const fn entity(self) -> Option<EntityId> {
        match self {
            Object::Entity(id) => Some(id),
            Object::Value(_) => None,
        }
    }
}

/// Subject and predicate: the unit of a timeline when the predicate holds one value at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    pub subject: EntityId,
    pub predicate: PredicateId,
}

impl Slot {
    #[must_use]
    pub const fn triple(self, object: Object) -> Triple {
        Triple { subject: self.subject, predicate: self.predicate, object }
    }
}

/// Subject, predicate, object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Triple {
    pub subject: EntityId,
    pub predicate: PredicateId,
    pub object: Object,
}

impl Triple {
    #[must_use]
    pub const fn slot(self) -> Slot {
        Slot { subject: self.subject, predicate: self.predicate }
    }
}

/// The public name of a fact, and all of it: the three ids spelled `e12-p3-e45`, or `e12-p3-v7`
/// where the object is a value. It needs no table and never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(pub Triple);

impl fmt::Display for FactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FactId(Triple { subject, predicate, object }) = self;
        let (kind, raw) = match object {
            Object::Entity(id) => ('e', id.raw()),
            Object::Value(id) => ('v', id.raw()),
        };
        write!(f, "e{}-p{}-{kind}{raw}", subject.raw(), predicate.raw())
    }
}

impl FromStr for FactId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<FactId, ParseIdError> {
        let mut parts = text.split('-');
        let mut part = |prefix: char| parts.next().and_then(|part| part.strip_prefix(prefix));
        let subject = EntityId(parse(part('e').ok_or(ParseIdError)?)?);
        let predicate = PredicateId(parse(part('p').ok_or(ParseIdError)?)?);
        let last = parts.next().ok_or(ParseIdError)?;
        let object = match (last.strip_prefix('e'), last.strip_prefix('v')) {
            (Some(raw), _) => Object::Entity(EntityId(parse(raw)?)),
            (_, Some(raw)) => Object::Value(ValueId(parse(raw)?)),
            _ => return Err(ParseIdError),
        };
        if parts.next().is_some() {
            return Err(ParseIdError);
        }
        Ok(FactId(Triple { subject, predicate, object }))
    }
}

/// The text is not an id of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not an id")]
pub struct ParseIdError;

/// Only the canonical spelling is an id: `007` and `+7` are not `7`.
fn parse<T: FromStr + fmt::Display>(text: &str) -> Result<T, ParseIdError> {
    let value: T = text.parse().map_err(|_| ParseIdError)?;
    if value.to_string() == text { Ok(value) } else { Err(ParseIdError) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fact_ids_survive_their_spelling() {
        for text in ["e0-p0-e0", "e12-p3-v45", "e4294967295-p1-e2"] {
            let id: FactId = text.parse().expect("spelled right");
            assert_eq!(id.to_string(), text);
        }
        for text in ["", "e1-p2", "e1-p2-x3", "e1-p2-e3-e4", "p1-e2-e3", "e01-p2-e3", "e-1-p2-e3"] {
            assert_eq!(text.parse::<FactId>(), Err(ParseIdError), "{text:?}");
        }
    }

    #[test]
    fn statement_ids_survive_their_spelling() {
        let id: StatementId = "7.2".parse().expect("spelled right");
        assert_eq!((id.tx.raw(), id.op, id.to_string().as_str()), (7, 2, "7.2"));
        assert_eq!("7".parse::<StatementId>(), Err(ParseIdError));
        assert_eq!("7.+2".parse::<StatementId>(), Err(ParseIdError));
    }
}
