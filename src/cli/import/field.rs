//! What a column can be, and the names it goes by.

use super::super::error::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Field {
    Subject,
    Predicate,
    Object,
    /// A literal.
    Value,
    ValidFrom,
    /// Exclusive.
    ValidTo,
    /// Inclusive at its own precision.
    ValidThrough,
    At,
    Statement,
    Source,
    Confidence,
    Trust,
    /// assert, end or retract.
    Op,
}

/// The name of each field and the other names a column may have for it.
pub(crate) const FIELDS: [(Field, &str, &[&str]); 13] = [
    (Field::Subject, "subject", &["s"]),
    (Field::Predicate, "predicate", &["p"]),
    (Field::Object, "object", &["o"]),
    (Field::Value, "value", &[]),
    (Field::ValidFrom, "valid_from", &["from"]),
    (Field::ValidTo, "valid_to", &["to"]),
    (Field::ValidThrough, "valid_through", &["through"]),
    (Field::At, "at", &[]),
    (Field::Statement, "statement", &[]),
    (Field::Source, "source", &[]),
    (Field::Confidence, "confidence", &[]),
    (Field::Trust, "trust", &[]),
    (Field::Op, "op", &[]),
];

impl Field {
    pub(crate) fn name(self) -> &'static str {
        FIELDS[self as usize].1
    }

    /// By its own name.
    pub(crate) fn named(name: &str) -> Result<Field, Error> {
        let wanted = folded(name);
        FIELDS.iter().find(|(_, known, _)| *known == wanted).map(|(field, _, _)| *field).ok_or_else(
            || {
                let names: Vec<&str> = FIELDS.iter().map(|(_, name, _)| *name).collect();
                Error::usage(format!("--map: {name:?} is no field; there are {}", names.join(", ")))
            },
        )
    }

    /// By the name of a column that nobody mapped.
    pub(crate) fn of_column(column: &str) -> Option<Field> {
        let wanted = folded(column);
        FIELDS
            .iter()
            .find(|(_, name, others)| *name == wanted || others.contains(&wanted.as_str()))
            .map(|(field, _, _)| *field)
    }
}

/// Columns that could mean two things.
pub(crate) fn is_ambiguous(column: &str) -> bool {
    matches!(
        folded(column).as_str(),
        "start" | "end" | "start_date" | "end_date" | "start_time" | "end_time" | "until" | "since"
    )
}

fn folded(name: &str) -> String {
    name.trim().to_ascii_lowercase().replace(['-', ' '], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (place, (field, name, _)) in FIELDS.iter().enumerate() {
            assert_eq!(*field as usize, place);
            assert_eq!(Field::of_column(name), Some(*field));
        }
    }
}
