//! Messages from what is at hand: objects, triples, dates, points and operations.

use std::fmt;

use crate::rpc::proto::{
    Accept, AsOf, Assert, Basis, Bound, CivilDate, Correct, DeclarePredicate, End, Instant, Merge,
    Object, Operation, Retract, Supersede, TransactionPoint, Triple, Unbounded, Unmerge,
    ValidPoint, Value, WithdrawSource, bound, object, operation, transaction_point, valid_point,
    value,
};

/// A literal text as an object, where a bare string is the name of an entity.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a>(pub &'a str);

/// A subject, predicate and object, as requests take them.
#[must_use]
pub fn triple(subject: &str, predicate: &str, object: impl Into<Object>) -> Option<Triple> {
    Some(Triple {
        subject: subject.to_owned(),
        predicate: predicate.to_owned(),
        object: Some(object.into()),
    })
}

/// A date as people write it, in the zone of the namespace.
#[must_use]
pub fn date(text: &str) -> CivilDate {
    CivilDate { text: text.to_owned(), ..Default::default() }
}

/// In a start: unknown. In an end: known never to end.
#[must_use]
pub fn unbounded() -> Option<Bound> {
    Some(Bound { bound: Some(bound::Bound::Unbounded(Unbounded {})), written: None })
}

/// A point of valid time: an instant, or the start of a date.
#[must_use]
pub fn valid(at: impl Into<ValidPoint>) -> Option<AsOf> {
    Some(AsOf { valid: Some(at.into()), known: None })
}

/// A point of both times. A number is a transaction.
#[must_use]
pub fn known(at: impl Into<ValidPoint>, known: impl Into<TransactionPoint>) -> Option<AsOf> {
    Some(AsOf { valid: Some(at.into()), known: Some(known.into()) })
}

impl From<&str> for Object {
    fn from(name: &str) -> Object {
        Object { object: Some(object::Object::Entity(name.to_owned())) }
    }
}

impl From<value::Value> for Object {
    fn from(value: value::Value) -> Object {
        Object { object: Some(object::Object::Value(Value { value: Some(value) })) }
    }
}

impl From<Text<'_>> for Object {
    fn from(Text(text): Text<'_>) -> Object {
        value::Value::Text(text.to_owned()).into()
    }
}

impl From<bool> for Object {
    fn from(boolean: bool) -> Object {
        value::Value::Boolean(boolean).into()
    }
}

impl From<i64> for Object {
    fn from(integer: i64) -> Object {
        value::Value::Integer(integer).into()
    }
}

impl From<f64> for Object {
    fn from(number: f64) -> Object {
        value::Value::Number(number).into()
    }
}

impl From<Instant> for Object {
    fn from(time: Instant) -> Object {
        value::Value::Time(time).into()
    }
}

impl From<&str> for Bound {
    fn from(text: &str) -> Bound {
        date(text).into()
    }
}

impl From<CivilDate> for Bound {
    fn from(date: CivilDate) -> Bound {
        Bound { bound: Some(bound::Bound::Date(date)), written: None }
    }
}

impl From<Instant> for Bound {
    fn from(instant: Instant) -> Bound {
        Bound { bound: Some(bound::Bound::Instant(instant)), written: None }
    }
}

impl From<&str> for ValidPoint {
    fn from(text: &str) -> ValidPoint {
        date(text).into()
    }
}

impl From<CivilDate> for ValidPoint {
    fn from(date: CivilDate) -> ValidPoint {
        ValidPoint { point: Some(valid_point::Point::Date(date)), edge: 0 }
    }
}

impl From<Instant> for ValidPoint {
    fn from(instant: Instant) -> ValidPoint {
        ValidPoint { point: Some(valid_point::Point::Instant(instant)), edge: 0 }
    }
}

impl From<u64> for TransactionPoint {
    fn from(tx: u64) -> TransactionPoint {
        TransactionPoint { point: Some(transaction_point::Point::Tx(tx)), edge: 0 }
    }
}

impl From<&str> for TransactionPoint {
    fn from(text: &str) -> TransactionPoint {
        TransactionPoint { point: Some(transaction_point::Point::Date(date(text))), edge: 0 }
    }
}

impl From<Instant> for TransactionPoint {
    fn from(instant: Instant) -> TransactionPoint {
        TransactionPoint { point: Some(transaction_point::Point::Instant(instant)), edge: 0 }
    }
}

/// The point of an answer, which repeats it.
impl From<Basis> for AsOf {
    fn from(basis: Basis) -> AsOf {
        AsOf { valid: basis.valid_time.map(ValidPoint::from), known: Some(basis.tx.into()) }
    }
}

macro_rules! operations {
    ($($kind:ident),*) => {
        $(impl From<$kind> for Operation {
            fn from(said: $kind) -> Operation {
                Operation { operation: Some(operation::Operation::$kind(said)) }
            }
        })*
    };
}

operations!(
    Assert,
    End,
    Retract,
    Supersede,
    Correct,
    Merge,
    Unmerge,
    DeclarePredicate,
    Accept,
    WithdrawSource
);

/// The name of an entity bare, a literal as it is written; nothing for an object that is not there.
impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.object {
            None => Ok(()),
            Some(object::Object::Entity(name)) => f.write_str(name),
            Some(object::Object::Value(Value { value })) => match value {
                None => Ok(()),
                Some(value::Value::Boolean(boolean)) => write!(f, "{boolean}"),
                Some(value::Value::Integer(integer)) => write!(f, "{integer}"),
                Some(value::Value::Number(number)) => write!(f, "{number:?}"),
                Some(value::Value::Time(time)) => write!(f, "{time}"),
                Some(value::Value::Text(text)) => f.write_str(text),
            },
        }
    }
}
