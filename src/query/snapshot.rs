//! Names and graph of one namespace at one basis.

use petgraph::Direction;

use crate::kernel::{Directory, ObjectName};
use crate::types::{Basis, EntityId, Name, Object, PredicateId, Triple};
use crate::view::document::Documents;
use crate::view::graph::{AsOf, GraphView};

use super::halt::Halt;
use super::request::PatternName;
use super::seen::Seen;

#[derive(Clone, Copy)]
pub struct Snapshot<'a> {
    pub directory: &'a Directory,
    pub graph: &'a GraphView,
    pub documents: &'a Documents,
    pub basis: Basis,
    pub seen: &'a Seen,
}

/// Which facts, by canonical id. What is missing matches all.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Pattern {
    pub subject: Option<EntityId>,
    pub predicates: Vec<PredicateId>,
    pub object: Option<Object>,
}

impl<'a> Snapshot<'a> {
    #[must_use]
    pub fn graph_as_of(self) -> AsOf<'a> {
        self.graph.as_of(self.basis)
    }

    /// The entity a name counts as at the basis.
    #[must_use]
    pub fn entity(self, name: &Name) -> Option<EntityId> {
        let id = self.directory.entity(name).filter(|id| self.sees_entity(*id))?;
        Some(self.directory.canonical_at(id, self.basis.tx))
    }

    /// Whether the caller may know of an entity: it may see a fact about it, of whatever time.
    #[must_use]
    pub fn sees_entity(self, id: EntityId) -> bool {
        let about = |direction| {
            let edges = self.graph.rectangles(Object::Entity(id), direction, self.seen.filter());
            edges.into_iter().next().is_some()
        };
        self.seen.everything() || about(Direction::Outgoing) || about(Direction::Incoming)
    }

    #[must_use]
    pub fn sees(self, triple: Triple) -> bool {
        self.seen.predicate(triple.predicate)
    }

    /// The same for the key of a name, if it was named by then.
    #[must_use]
    pub fn entity_by_key(self, key: &str) -> Option<EntityId> {
        let (directory, tx) = (self.directory, self.basis.tx);
        let id = directory.entity_by_key(key).filter(|id| directory.is_named_at(*id, tx))?;
        if !self.sees_entity(id) {
            return None;
        }
        Some(directory.canonical_at(id, tx))
    }

    #[must_use]
    pub fn object(self, name: &ObjectName) -> Option<Object> {
        match name {
            ObjectName::Entity(name) => self.entity(name).map(Object::Entity),
            ObjectName::Value(value) => self.directory.value(value).map(Object::Value),
        }
    }

    /// A triple under the ids that its entities count as at the basis.
    #[must_use]
    pub fn canonical(self, triple: Triple) -> Triple {
        let canonical = |id| self.directory.canonical_at(id, self.basis.tx);
        let object = match triple.object {
            Object::Entity(id) => Object::Entity(canonical(id)),
            value @ Object::Value(_) => value,
        };
        Triple { subject: canonical(triple.subject), object, ..triple }
    }

    /// The ids of a filter over predicates, each for everybody and for whom else the caller may see.
    /// `None`: it names some, and none of them is known, so nothing passes.
    #[must_use]
    pub fn predicates(self, names: &[Name]) -> Option<Vec<PredicateId>> {
        if names.is_empty() {
            return Some(self.seen.filter().to_vec());
        }
        let bases = names.iter().filter_map(|name| self.directory.predicate(name));
        let mut ids: Vec<PredicateId> = bases
            .flat_map(|base| std::iter::once(base).chain(self.directory.variants(base)))
            .filter(|id| self.seen.predicate(*id))
            .collect();
        ids.sort_unstable();
        ids.dedup();
        (!ids.is_empty()).then_some(ids)
    }

    /// The ids of a pattern. `None`: it names what nobody ever named, so nothing matches.
    #[must_use]
    pub fn pattern(self, name: &PatternName) -> Option<Pattern> {
        let subject = match &name.subject {
            Some(name) => Some(self.entity(name)?),
            None => None,
        };
        let object = match &name.object {
            Some(name) => Some(self.object(name)?),
            None => None,
        };
        Some(Pattern { subject, predicates: self.predicates(&name.predicates)?, object })
    }

    /// At most how many edges the facts of a pattern are looked for among, known without looking.
    #[must_use]
    pub fn reach(self, name: &PatternName) -> usize {
        let Some(pattern) = self.pattern(name) else { return 0 };
        let anchor = pattern.anchor();
        anchor.map_or(usize::MAX, |(node, direction)| self.graph.degree_max(node, direction))
    }
}

impl Pattern {
    #[must_use]
    pub fn matches(&self, triple: &Triple) -> bool {
        self.subject.is_none_or(|subject| subject == triple.subject)
            && self.object.is_none_or(|object| object == triple.object)
            && (self.predicates.is_empty() || self.predicates.contains(&triple.predicate))
    }

    /// The node and direction whose edges hold every match, if the pattern names one.
    #[must_use]
    pub fn anchor(&self) -> Option<(Object, Direction)> {
        match (self.subject, self.object) {
            (Some(subject), _) => Some((Object::Entity(subject), Direction::Outgoing)),
            (None, Some(object)) => Some((object, Direction::Incoming)),
            (None, None) => None,
        }
    }
}

/// How much one call may still look at before it hands back what it has. Bounds the time that a
/// reader keeps the writer from publishing. It is spent at once when nobody waits any more.
#[derive(Clone, Debug)]
pub struct Budget {
    edges: u64,
    halt: Option<Halt>,
}

impl Budget {
    #[must_use]
    pub const fn edges(edges: u64) -> Budget {
        Budget { edges, halt: None }
    }

    /// The same, for an answer that may lose whoever waits for it.
    #[must_use]
    pub fn until(self, halt: &Halt) -> Budget {
        Budget { halt: Some(halt.clone()), ..self }
    }

    /// Takes what was examined off the budget; false once there is none left.
    pub fn spend(&mut self, edges: u64) -> bool {
        let halted = self.halt.as_ref().is_some_and(Halt::is_halted);
        self.edges = if halted { 0 } else { self.edges.saturating_sub(edges) };
        self.edges > 0
    }

    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.edges == 0
    }
}
