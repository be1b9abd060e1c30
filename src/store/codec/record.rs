//! The vocabulary of [`crate::types`] in bytes.

use crate::types::{
    Cardinality, CloseReason, Confidence, Conflict, ConflictKind, ConflictSide, EntityId, FactId,
    Granularity, Interval, Label, Name, NamespaceId, Object, ObjectKind, PredicateId, RowKey,
    Scope, Slot, SourceId, Statement, StatementId, StatementKind, Timestamp, Triple, Trust, TxId,
    TxSpan, Value, ValueId, Written,
};

use super::bytes::{DecodeError, Decoder, Stored, put_text, stored_as_byte};

/// What the table of rectangles holds beside its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) struct RectangleRow {
    pub(in crate::store) valid_end: Timestamp,
    /// When and why belief in it ended.
    pub(in crate::store) closed: Option<(TxId, CloseReason)>,
}

impl Stored for RectangleRow {
    fn put(&self, out: &mut Vec<u8>) {
        self.valid_end.put(out);
        self.closed.put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<RectangleRow, DecodeError> {
        Ok(RectangleRow { valid_end: Stored::take(from)?, closed: Stored::take(from)? })
    }
}

impl Stored for (TxId, CloseReason) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<(TxId, CloseReason), DecodeError> {
        Ok((Stored::take(from)?, Stored::take(from)?))
    }
}

stored_as_byte!(Cardinality, "cardinality", One = 1, Many = 2);
stored_as_byte!(ObjectKind, "object kind", Entity = 1, Value = 2);
stored_as_byte!(
    Trust,
    "trust",
    Unverified = 1,
    Inferred = 2,
    Stated = 3,
    Confirmed = 4,
    SystemOfRecord = 5,
);
stored_as_byte!(
    CloseReason,
    "close reason",
    Superseded = 1,
    Ended = 2,
    Retracted = 3,
    Extended = 4,
    Merged = 5,
    Regrouped = 6,
);
stored_as_byte!(ConflictKind, "conflict", SameStart = 1, Overlap = 2, Contested = 3);
stored_as_byte!(
    Granularity,
    "granularity",
    Year = 1,
    Month = 2,
    Day = 3,
    Second = 4,
    Micro = 5,
    Decade = 6,
    Century = 7,
);

/// Spells an id as the number it wraps.
macro_rules! stored_as_number {
    ($($type:ty: $number:ty),+) => {
        $(
            impl Stored for $type {
                fn put(&self, out: &mut Vec<u8>) {
                    self.raw().put(out);
                }

                fn take(from: &mut Decoder<'_>) -> Result<$type, DecodeError> {
                    <$number>::take(from).map(<$type>::new)
                }
            }
        )+
    };
}

stored_as_number!(
    NamespaceId: u32, EntityId: u32, PredicateId: u32, ValueId: u32, SourceId: u32, TxId: u64
);

/// Spells a struct as its fields in the order given. Those after `since` are in values of that
/// version and later; older ones have none.
macro_rules! stored_by_field {
    ($type:ident { $($field:ident),+ $(,)? } since $version:literal { $($new:ident),+ $(,)? }) => {
        impl Stored for $type {
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)+
                $(self.$new.put(out);)+
            }

            fn take(from: &mut Decoder<'_>) -> Result<$type, DecodeError> {
                Ok($type {
                    $($field: Stored::take(from)?,)+
                    $($new: from.since($version)?,)+
                })
            }
        }
    };
    ($type:ident { $($field:ident),+ $(,)? }) => {
        impl Stored for $type {
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)+
            }

            fn take(from: &mut Decoder<'_>) -> Result<$type, DecodeError> {
                Ok($type { $($field: Stored::take(from)?),+ })
            }
        }
    };
}

pub(super) use stored_by_field;

stored_by_field!(StatementId { tx, op });
stored_by_field!(Slot { subject, predicate });
stored_by_field!(Triple { subject, predicate, object });
stored_by_field!(TxSpan { from, to });
stored_by_field!(Written { text, zone, granularity });
stored_by_field!(ConflictSide { statement, triple });
stored_by_field!(Conflict { kind, slot, raised_by, against, believed });
stored_by_field!(Statement {
    id,
    triple,
    kind,
    trust,
    confidence,
    source,
    text,
    from_written,
    to_written,
    contested,
    accepts,
    operation,
    derived_from,
    deliberate,
    row,
} since 2 { importance, episode, embedded });

impl Stored for FactId {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<FactId, DecodeError> {
        Triple::take(from).map(FactId)
    }
}

impl Stored for Label {
    fn put(&self, out: &mut Vec<u8>) {
        put_text(self.as_str(), out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<Label, DecodeError> {
        String::take(from)?.parse().map_err(|_| DecodeError::Range { of: "label" })
    }
}

impl Stored for Scope {
    fn put(&self, out: &mut Vec<u8>) {
        self.owner.put(out);
        self.labels.iter().cloned().collect::<Vec<Label>>().put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<Scope, DecodeError> {
        let (owner, labels) = (Stored::take(from)?, Vec::take(from)?);
        Ok(Scope { owner, labels: labels.into_iter().collect() })
    }
}

impl Stored for RowKey {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<RowKey, DecodeError> {
        Stored::take(from).map(RowKey)
    }
}

impl Stored for Object {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Object::Entity(id) => {
                out.push(0);
                id.put(out);
            }
            Object::Value(id) => {
                out.push(1);
                id.put(out);
            }
        }
    }

    fn take(from: &mut Decoder<'_>) -> Result<Object, DecodeError> {
        match from.byte()? {
            0 => Stored::take(from).map(Object::Entity),
            1 => Stored::take(from).map(Object::Value),
            tag => Err(DecodeError::Tag { of: "object", tag }),
        }
    }
}

impl Stored for Timestamp {
    fn put(&self, out: &mut Vec<u8>) {
        self.micros().put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<Timestamp, DecodeError> {
        i64::take(from).map(Timestamp::from_micros)
    }
}

impl Stored for Interval {
    fn put(&self, out: &mut Vec<u8>) {
        self.start().put(out);
        self.end().put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<Interval, DecodeError> {
        let (start, end) = (Stored::take(from)?, Stored::take(from)?);
        Interval::new(start, end).map_err(|_| DecodeError::Range { of: "interval" })
    }
}

impl Stored for Confidence {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.get().to_le_bytes());
    }

    fn take(from: &mut Decoder<'_>) -> Result<Confidence, DecodeError> {
        let number = f32::from_le_bytes(from.array()?);
        Confidence::new(number).map_err(|_| DecodeError::Range { of: "confidence" })
    }
}

impl Stored for Name {
    fn put(&self, out: &mut Vec<u8>) {
        put_text(self.display(), out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<Name, DecodeError> {
        Name::new(&String::take(from)?).map_err(|_| DecodeError::Range { of: "name" })
    }
}

// The bound on texts is not asked for here: a smaller one must not make old data unreadable.
impl Stored for Value {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Value::Boolean(value) => {
                out.push(1);
                value.put(out);
            }
            Value::Integer(value) => {
                out.push(2);
                value.put(out);
            }
            Value::Number(value) => {
                out.push(3);
                out.extend_from_slice(&value.to_le_bytes());
            }
            Value::Time(value) => {
                out.push(4);
                value.put(out);
            }
            Value::Text(value) => {
                out.push(5);
                value.put(out);
            }
        }
    }

    fn take(from: &mut Decoder<'_>) -> Result<Value, DecodeError> {
        match from.byte()? {
            1 => Stored::take(from).map(Value::Boolean),
            2 => Stored::take(from).map(Value::Integer),
            3 => Value::number(f64::from_le_bytes(from.array()?))
                .map_err(|_| DecodeError::Range { of: "number" }),
            4 => Value::time(Stored::take(from)?).map_err(|_| DecodeError::Range { of: "time" }),
            5 => Stored::take(from).map(Value::Text),
            tag => Err(DecodeError::Tag { of: "value", tag }),
        }
    }
}

impl Stored for StatementKind {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            StatementKind::Open { from } => {
                out.push(1);
                from.put(out);
            }
            StatementKind::Definite(interval) => {
                out.push(2);
                interval.put(out);
            }
            StatementKind::AtLeast(interval) => {
                out.push(3);
                interval.put(out);
            }
            StatementKind::End { at } => {
                out.push(4);
                at.put(out);
            }
            StatementKind::RetractAll { block } => {
                out.push(5);
                block.put(out);
            }
            StatementKind::RetractPart { range, correct, block } => {
                out.push(6);
                range.put(out);
                correct.put(out);
                block.put(out);
            }
        }
    }

    fn take(from: &mut Decoder<'_>) -> Result<StatementKind, DecodeError> {
        Ok(match from.byte()? {
            1 => StatementKind::Open { from: Stored::take(from)? },
            2 => StatementKind::Definite(Stored::take(from)?),
            3 => StatementKind::AtLeast(Stored::take(from)?),
            4 => StatementKind::End { at: Stored::take(from)? },
            5 => StatementKind::RetractAll { block: Stored::take(from)? },
            6 => StatementKind::RetractPart {
                range: Stored::take(from)?,
                correct: Stored::take(from)?,
                block: Stored::take(from)?,
            },
            tag => return Err(DecodeError::Tag { of: "statement", tag }),
        })
    }
}
