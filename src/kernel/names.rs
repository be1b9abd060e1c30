//! The directory as one request sees it: the names, merges and declarations of its own operations
//! laid over those that are recorded.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::types::{
    Cardinality, EntityId, Name, Object, ObjectKind, PredicateId, Scope, SourceId, StatementId,
    Triple, TxId, Value, ValueId,
};

use super::change::Change;
use super::command::ObjectName;
use super::directory::Directory;
use super::group::GroupKey;

pub(super) struct Names<'a> {
    base: &'a Directory,
    /// The last recorded transaction: what the base says is read there.
    now: TxId,
    entities: BTreeMap<Arc<str>, EntityId>,
    predicates: BTreeMap<Arc<str>, PredicateId>,
    scoped: BTreeMap<(PredicateId, Scope), PredicateId>,
    values: BTreeMap<Value, ValueId>,
    sources: BTreeMap<Arc<str>, SourceId>,
    kinds: BTreeMap<PredicateId, ObjectKind>,
    declared: BTreeMap<PredicateId, Cardinality>,
    /// What an entity counts as, where this request changed it.
    aliases: BTreeMap<EntityId, Option<EntityId>>,
    withdrawn: BTreeMap<SourceId, StatementId>,
}

impl<'a> Names<'a> {
    pub(super) fn new(base: &'a Directory) -> Names<'a> {
        Names {
            base,
            now: base.last_tx(),
            entities: BTreeMap::new(),
            predicates: BTreeMap::new(),
            scoped: BTreeMap::new(),
            values: BTreeMap::new(),
            sources: BTreeMap::new(),
            kinds: BTreeMap::new(),
            declared: BTreeMap::new(),
            aliases: BTreeMap::new(),
            withdrawn: BTreeMap::new(),
        }
    }

    pub(super) fn entity(&self, name: &Name) -> Option<EntityId> {
        self.base.entity(name).or_else(|| self.entities.get(name.key()).copied())
    }

    pub(super) fn predicate(&self, name: &Name) -> Option<PredicateId> {
        self.base.predicate(name).or_else(|| self.predicates.get(name.key()).copied())
    }

    /// The predicate of a name for a scope.
    pub(super) fn predicate_in(&self, name: &Name, scope: &Scope) -> Option<PredicateId> {
        self.in_scope(self.predicate(name)?, scope)
    }

    fn in_scope(&self, base: PredicateId, scope: &Scope) -> Option<PredicateId> {
        if scope.is_open() {
            return Some(base);
        }
        let here = || self.scoped.get(&(base, scope.clone())).copied();
        self.base.predicate_in(base, scope).or_else(here)
    }

    /// The predicate that a scoped one is a variant of; any other is its own.
    pub(super) fn base_of(&self, predicate: PredicateId) -> PredicateId {
        if predicate.index() < self.base.predicate_count() {
            return self.base.base_of(predicate);
        }
        let made = self.scoped.iter().find(|(_, made)| **made == predicate);
        made.map_or(predicate, |((base, _), _)| *base)
    }

    /// A predicate with all its variants.
    pub(super) fn variants(&self, base: PredicateId) -> Vec<PredicateId> {
        let recorded = self.base.variants(base);
        let here = self.scoped.iter().filter(|((of, _), _)| *of == base).map(|(_, id)| *id);
        std::iter::once(base).chain(recorded).chain(here).collect()
    }

    pub(super) fn source(&self, name: &Name) -> Option<SourceId> {
        self.base.source(name).or_else(|| self.sources.get(name.key()).copied())
    }

    fn value(&self, value: &Value) -> Option<ValueId> {
        self.base.value(value).or_else(|| self.values.get(value).copied())
    }

    pub(super) fn object(&self, name: &ObjectName) -> Option<Object> {
        match name {
            ObjectName::Entity(name) => self.entity(name).map(Object::Entity),
            ObjectName::Value(value) => self.value(value).map(Object::Value),
        }
    }

    pub(super) fn make_entity(&mut self, name: &Name, changes: &mut Vec<Change>) -> EntityId {
        self.entity(name).unwrap_or_else(|| {
            let id = EntityId::new(dense(self.base.entity_count() + self.entities.len()));
            self.entities.insert(name.key().clone(), id);
            changes.push(Change::EntityCreated { id, name: name.display().clone() });
            id
        })
    }

    pub(super) fn make_predicate(&mut self, name: &Name, changes: &mut Vec<Change>) -> PredicateId {
        self.predicate(name).unwrap_or_else(|| {
            let id = self.next_predicate();
            self.predicates.insert(name.key().clone(), id);
            changes.push(Change::PredicateCreated { id, name: name.display().clone() });
            id
        })
    }

    /// The variant of a predicate for a scope.
    pub(super) fn make_scoped(
        &mut self,
        base: PredicateId,
        scope: &Scope,
        changes: &mut Vec<Change>,
    ) -> PredicateId {
        self.in_scope(base, scope).unwrap_or_else(|| {
            let id = self.next_predicate();
            self.scoped.insert((base, scope.clone()), id);
            changes.push(Change::PredicateScoped { id, of: base, scope: Arc::new(scope.clone()) });
            id
        })
    }

    /// A variant that this transaction made when it was decided.
    pub(super) fn scoped_again(&mut self, base: PredicateId, scope: &Scope, id: PredicateId) {
        self.scoped.insert((base, scope.clone()), id);
    }

    fn next_predicate(&self) -> PredicateId {
        let here = self.predicates.len() + self.scoped.len();
        PredicateId::new(dense(self.base.predicate_count() + here))
    }

    pub(super) fn make_source(&mut self, name: &Name, changes: &mut Vec<Change>) -> SourceId {
        self.source(name).unwrap_or_else(|| {
            let id = SourceId::new(dense(self.base.source_count() + self.sources.len()));
            self.sources.insert(name.key().clone(), id);
            changes.push(Change::SourceCreated { id, name: name.display().clone() });
            id
        })
    }

    pub(super) fn make_object(&mut self, name: &ObjectName, changes: &mut Vec<Change>) -> Object {
        match name {
            ObjectName::Entity(name) => Object::Entity(self.make_entity(name, changes)),
            ObjectName::Value(value) => Object::Value(self.make_value(value, changes)),
        }
    }

    fn make_value(&mut self, value: &Value, changes: &mut Vec<Change>) -> ValueId {
        self.value(value).unwrap_or_else(|| {
            let id = ValueId::new(dense(self.base.value_count() + self.values.len()));
            self.values.insert(value.clone(), id);
            changes.push(Change::ValueCreated { id, value: value.clone() });
            id
        })
    }

    pub(super) fn kind(&self, predicate: PredicateId) -> Option<ObjectKind> {
        let recorded = self.base.predicate_info(predicate).and_then(|info| info.typed);
        recorded.map(|(_, kind)| kind).or_else(|| self.kinds.get(&predicate).copied())
    }

    pub(super) fn settle_kind(
        &mut self,
        id: PredicateId,
        kind: ObjectKind,
        changes: &mut Vec<Change>,
    ) {
        if self.kind(id).is_none() {
            self.kinds.insert(id, kind);
            changes.push(Change::PredicateTyped { id, kind });
        }
    }

    pub(super) fn cardinality(&self, predicate: PredicateId) -> Cardinality {
        let predicate = self.base_of(predicate);
        match self.declared.get(&predicate) {
            Some(cardinality) => *cardinality,
            None if predicate.index() < self.base.predicate_count() => {
                self.base.cardinality_at(predicate, self.now)
            }
            None => Cardinality::default(),
        }
    }

    /// What this request declared the predicate to be.
    pub(super) fn declared_here(&self, predicate: PredicateId) -> Option<Cardinality> {
        self.declared.get(&predicate).copied()
    }

    pub(super) fn is_declared(&self, predicate: PredicateId) -> bool {
        let recorded =
            self.base.predicate_info(predicate).is_some_and(|info| !info.declared.is_empty());
        recorded || self.declared.contains_key(&predicate)
    }

    pub(super) fn declare(&mut self, predicate: PredicateId, cardinality: Cardinality) {
        self.declared.insert(predicate, cardinality);
    }

    /// What an entity is merged into, directly.
    pub(super) fn alias(&self, id: EntityId) -> Option<EntityId> {
        match self.aliases.get(&id) {
            Some(alias) => *alias,
            None => {
                let last = self.base.aliases(id).last();
                last.filter(|alias| alias.believed.to.is_open()).map(|alias| alias.into)
            }
        }
    }

    pub(super) fn set_alias(&mut self, id: EntityId, into: Option<EntityId>) {
        self.aliases.insert(id, into);
    }

    pub(super) fn canonical(&self, id: EntityId) -> EntityId {
        let mut canonical = id;
        while let Some(into) = self.alias(canonical) {
            canonical = into;
        }
        canonical
    }

    pub(super) fn canonical_object(&self, object: Object) -> Object {
        match object {
            Object::Entity(id) => Object::Entity(self.canonical(id)),
            Object::Value(_) => object,
        }
    }

    pub(super) fn canonical_triple(&self, triple: Triple) -> Triple {
        Triple {
            subject: self.canonical(triple.subject),
            predicate: triple.predicate,
            object: self.canonical_object(triple.object),
        }
    }

    /// Every id that counts as this canonical one, itself first.
    pub(super) fn members(&self, canonical: EntityId) -> Vec<EntityId> {
        let mut members = vec![canonical];
        let mut next = 0;
        while let Some(into) = members.get(next).copied() {
            next += 1;
            let recorded = self.base.merged_into(into).iter().copied();
            let here = self.aliases.keys().copied();
            for id in recorded.chain(here) {
                if self.alias(id) == Some(into) && !members.contains(&id) {
                    members.push(id);
                }
            }
        }
        members
    }

    pub(super) fn member_objects(&self, canonical: Object) -> Vec<Object> {
        match canonical {
            Object::Entity(id) => self.members(id).into_iter().map(Object::Entity).collect(),
            Object::Value(_) => vec![canonical],
        }
    }

    pub(super) fn group_of(&self, triple: Triple) -> GroupKey {
        let Triple { subject, predicate, object } = self.canonical_triple(triple);
        let object = match self.cardinality(predicate) {
            Cardinality::One => None,
            Cardinality::Many => Some(object),
        };
        GroupKey { subject, predicate, object }
    }

    pub(super) fn withdraw(&mut self, source: SourceId, bound: StatementId) {
        self.withdrawn.insert(source, bound);
    }

    /// Whether a statement of the source counts as never said.
    pub(super) fn is_withdrawn(&self, source: SourceId, statement: StatementId) -> bool {
        let bound = self.withdrawn.get(&source).copied();
        let bound = bound.or_else(|| self.base.withdrawn_at(source, self.now));
        bound.is_some_and(|bound| statement < bound)
    }

    /// Takes back the names that a refused operation made.
    pub(super) fn unmake(&mut self, changes: impl Iterator<Item = Change>) {
        for change in changes {
            match change {
                Change::EntityCreated { id, .. } => self.entities.retain(|_, made| *made != id),
                Change::PredicateCreated { id, .. } => {
                    self.predicates.retain(|_, made| *made != id);
                }
                Change::PredicateScoped { id, .. } => self.scoped.retain(|_, made| *made != id),
                Change::ValueCreated { id, .. } => self.values.retain(|_, made| *made != id),
                Change::SourceCreated { id, .. } => self.sources.retain(|_, made| *made != id),
                Change::PredicateTyped { id, .. } => {
                    self.kinds.remove(&id);
                }
                _ => unreachable!("a refused operation has made nothing but names"),
            }
        }
    }
}

fn dense(count: usize) -> u32 {
    u32::try_from(count).expect("a namespace holds fewer than 2^32 names of a kind")
}
