//! Typed literals and their total order.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use thiserror::Error;

use super::limits::VALUE_BYTES_MAX;
use super::{Name, Timestamp};

/// A literal an object can be. Values of different types are different, also `10` and `10.0`.
#[derive(Clone, Debug)]
pub enum Value {
    Boolean(bool),
    Integer(i64),
    /// Finite; negative zero is stored as zero.
    Number(f64),
    Time(Timestamp),
    Text(String),
}

/// What a fact points at, before names are looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectName {
    Entity(Name),
    Value(Value),
}

/// Why something is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ValueError {
    #[error("a number must be finite")]
    NotFinite,
    #[error("the text has {bytes} bytes, {VALUE_BYTES_MAX} are allowed")]
    TooLong { bytes: usize },
    #[error("a time must be an instant, not an infinity")]
    NotAnInstant,
}

impl Value {
    /// # Errors
    /// [`ValueError::NotFinite`] for NaN and the infinities.
    pub fn number(number: f64) -> Result<Value, ValueError> {
        if number.is_finite() {
            Ok(Value::Number(number + 0.0))
        } else {
            Err(ValueError::NotFinite)
        }
    }

    /// # Errors
    /// [`ValueError::TooLong`] past the bound on literals.
    pub fn text(text: String) -> Result<Value, ValueError> {
        let bytes = text.len();
        if bytes > VALUE_BYTES_MAX {
            Err(ValueError::TooLong { bytes })
        } else {
            Ok(Value::Text(text))
        }
    }

    /// # Errors
    /// [`ValueError::NotAnInstant`] for the sentinels.
    pub fn time(at: Timestamp) -> Result<Value, ValueError> {
        if at.is_instant() { Ok(Value::Time(at)) } else { Err(ValueError::NotAnInstant) }
    }

    const fn rank(&self) -> u8 {
        match self {
            Value::Boolean(_) => 0,
            Value::Integer(_) => 1,
            Value::Number(_) => 2,
            Value::Time(_) => 3,
            Value::Text(_) => 4,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Boolean(a), Value::Boolean(b)) => a.cmp(b),
            (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
            (Value::Number(a), Value::Number(b)) => a.total_cmp(b),
            (Value::Time(a), Value::Time(b)) => a.cmp(b),
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
        match self {
            Value::Boolean(value) => value.hash(state),
            Value::Integer(value) => value.hash(state),
            Value::Number(value) => value.to_bits().hash(state),
            Value::Time(value) => value.hash(state),
            Value::Text(value) => value.hash(state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_finite_and_zero_is_one_value() {
        assert_eq!(Value::number(f64::NAN), Err(ValueError::NotFinite));
        assert_eq!(Value::number(f64::INFINITY), Err(ValueError::NotFinite));
        assert_eq!(Value::number(-0.0), Value::number(0.0));
        assert_ne!(Value::Integer(10), Value::Number(10.0));
    }

    #[test]
    fn text_is_bounded() {
        assert!(Value::text("x".repeat(VALUE_BYTES_MAX)).is_ok());
        let bytes = VALUE_BYTES_MAX + 1;
        assert_eq!(Value::text("x".repeat(bytes)), Err(ValueError::TooLong { bytes }));
    }
}
