//! Whether an object is an entity or a value, and how errors say so.

use crate::types::ObjectKind;

use super::super::command::ObjectName;

pub(super) const fn kind_of(object: &ObjectName) -> ObjectKind {
    match object {
        ObjectName::Entity(_) => ObjectKind::Entity,
        ObjectName::Value(_) => ObjectKind::Value,
    }
}

pub(super) const fn other(kind: ObjectKind) -> ObjectKind {
    match kind {
        ObjectKind::Entity => ObjectKind::Value,
        ObjectKind::Value => ObjectKind::Entity,
    }
}

pub(super) const fn plural(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::Entity => "entities",
        ObjectKind::Value => "values",
    }
}
