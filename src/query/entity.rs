//! One entity: what holds of it, what it is called, and which entities a text names.

use petgraph::Direction;

use crate::types::limits::NAME_WORDS_MAX;
use crate::types::{EntityId, Name, Object};

use super::answer::Row;
use super::snapshot::Snapshot;

/// The facts around an entity, each side newest start first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityFacts {
    pub outgoing: Vec<Row>,
    pub incoming: Vec<Row>,
    pub truncated: bool,
}

/// An entity at the basis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityInfo {
    pub id: EntityId,
    /// What it counts as, if that is another.
    pub merged_into: Option<EntityId>,
    /// The others that count as it.
    pub aliases: Vec<EntityId>,
}

#[must_use]
pub fn entity_facts(snapshot: Snapshot<'_>, entity: EntityId, limit: usize) -> EntityFacts {
    let side = |direction| {
        let edges =
            snapshot.graph_as_of().edges(Object::Entity(entity), direction, snapshot.seen.filter());
        edges.take(limit + 1).map(|edge| Row::of_edge(&edge, snapshot.basis)).collect::<Vec<_>>()
    };
    let (mut outgoing, mut incoming) = (side(Direction::Outgoing), side(Direction::Incoming));
    let truncated = outgoing.len() > limit || incoming.len() > limit;
    outgoing.truncate(limit);
    incoming.truncate(limit);
    EntityFacts { outgoing, incoming, truncated }
}

#[must_use]
pub fn entity_info(snapshot: Snapshot<'_>, id: EntityId) -> EntityInfo {
    let (directory, tx) = (snapshot.directory, snapshot.basis.tx);
    let canonical = directory.canonical_at(id, tx);
    let aliases = directory.merged_ever(id, tx).into_iter();
    let counts = |alias: &EntityId| directory.canonical_at(*alias, tx) == id;
    let aliases = aliases.filter(|alias| counts(alias) && snapshot.sees_entity(*alias)).collect();
    EntityInfo { id, merged_into: (canonical != id).then_some(canonical), aliases }
}

/// The entities a text names: the text itself first, then names that stand in it word by word,
/// longest first, each once and under its canonical id.
#[must_use]
pub fn resolve_entity(snapshot: Snapshot<'_>, text: &Name, limit: usize) -> Vec<EntityId> {
    let words: Vec<&str> = text.key().split(' ').collect();
    let mut found: Vec<EntityId> = snapshot.entity_by_key(text.key()).into_iter().collect();
    for length in (1..=words.len().min(NAME_WORDS_MAX)).rev() {
        for window in words.windows(length) {
            if found.len() == limit {
                return found;
            }
            // A part of a key is a key.
            let entity = snapshot.entity_by_key(&window.join(" "));
            if let Some(entity) = entity.filter(|entity| !found.contains(entity)) {
                found.push(entity);
            }
        }
    }
    found
}
