//! The predicates of a namespace, and their variants.
//!
//! A fact that is for some alone has a predicate of its own, a variant of the one that its name says.
//! So facts for different scopes never share a group, and what a caller may not see cannot change
//! what it sees; and whom a fact is for is settled by its id, in every index there is.

use std::sync::Arc;

use crate::types::{Cardinality, Clearance, Name, ObjectKind, PredicateId, Scope, TxId};

use super::directory::{Directory, key_of};

/// A predicate and its declarations, oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateInfo {
    pub name: Arc<str>,
    /// The transaction that first used it.
    pub since: TxId,
    /// What it points at, and the transaction whose use of it settled that.
    pub typed: Option<(TxId, ObjectKind)>,
    pub declared: Vec<(TxId, Cardinality)>,
    /// What it is a variant of, and for whom.
    pub scoped: Option<(PredicateId, Arc<Scope>)>,
}

impl Directory {
    pub(super) fn add_predicate(&mut self, tx: TxId, id: PredicateId, name: &Arc<str>) {
        assert_eq!(id.index(), self.predicates.len(), "predicate ids are dense");
        self.predicates.push(PredicateInfo {
            name: name.clone(),
            since: tx,
            typed: None,
            declared: Vec::new(),
            scoped: None,
        });
        self.bases.push(id);
        self.predicate_ids.insert(key_of(name), id);
    }

    pub(super) fn add_variant(
        &mut self,
        tx: TxId,
        id: PredicateId,
        of: PredicateId,
        scope: &Arc<Scope>,
    ) {
        assert_eq!(id.index(), self.predicates.len(), "predicate ids are dense");
        self.predicates.push(PredicateInfo {
            name: self.predicates[of.index()].name.clone(),
            since: tx,
            typed: None,
            declared: Vec::new(),
            scoped: Some((of, scope.clone())),
        });
        self.variants.entry(of).or_default().insert(scope.clone(), id);
        self.owned.entry(scope.owner.clone()).or_default().push(id);
    }

    /// Predicates named at or before `tx`, without their variants, from an id on, and the id to go on from.
    #[must_use]
    pub fn list_predicates(
        &self,
        first: PredicateId,
        tx: TxId,
        limit: usize,
    ) -> (Vec<PredicateId>, Option<PredicateId>) {
        let info = |id: &PredicateId| &self.predicates[id.index()];
        let rest = &self.bases[self.bases.partition_point(|id| *id < first)..];
        let known = rest.iter().take_while(|id| info(id).since <= tx);
        let named = known.filter(|id| !info(id).name.is_empty());
        let mut found: Vec<PredicateId> = named.take(limit.saturating_add(1)).copied().collect();
        let next = found.get(limit).copied();
        found.truncate(limit);
        (found, next)
    }

    #[must_use]
    pub fn predicate(&self, name: &Name) -> Option<PredicateId> {
        self.predicate_ids.get(name.key()).copied()
    }

    #[must_use]
    pub fn predicate_info(&self, id: PredicateId) -> Option<&PredicateInfo> {
        self.predicates.get(id.index())
    }

    /// The variant of a predicate for a scope.
    #[must_use]
    pub fn predicate_in(&self, base: PredicateId, scope: &Scope) -> Option<PredicateId> {
        self.variants.get(&base)?.get(scope).copied()
    }

    /// The predicate that a variant is one of; any other is its own.
    #[must_use]
    pub fn base_of(&self, id: PredicateId) -> PredicateId {
        self.predicates[id.index()].scoped.as_ref().map_or(id, |(base, _)| *base)
    }

    /// The variants of a predicate.
    pub fn variants(&self, base: PredicateId) -> impl Iterator<Item = PredicateId> + '_ {
        self.variants.get(&base).into_iter().flat_map(|scopes| scopes.values().copied())
    }

    /// Whom the facts of a predicate are for; everybody where it is no variant.
    #[must_use]
    pub fn scope_of(&self, id: PredicateId) -> Option<&Scope> {
        self.predicates.get(id.index())?.scoped.as_ref().map(|(_, scope)| scope.as_ref())
    }

    /// The predicates that a scope is let see, ascending.
    #[must_use]
    pub fn predicates_for(&self, clearance: &Clearance) -> Vec<PredicateId> {
        if *clearance == Clearance::Everything {
            return (0..dense(self.predicates.len())).map(PredicateId::new).collect();
        }
        // A namespace may have many owners, each with variants: only the caller's are looked at.
        let mut ids = self.bases.clone();
        for variant in clearance.owners().iter().filter_map(|owner| self.owned.get(owner)).flatten()
        {
            if self.scope_of(*variant).is_some_and(|scope| clearance.sees(scope)) {
                ids.push(*variant);
            }
        }
        ids.sort_unstable();
        ids
    }

    /// Predicates and their variants.
    #[must_use]
    pub fn predicate_count(&self) -> usize {
        self.predicates.len()
    }

    /// What a predicate holds per subject, as declared at or before `tx`.
    #[must_use]
    pub fn cardinality_at(&self, id: PredicateId, tx: TxId) -> Cardinality {
        let declared = &self.predicates[self.base_of(id).index()].declared;
        let known = declared.partition_point(|(at, _)| *at <= tx);
        known.checked_sub(1).map_or(Cardinality::default(), |last| declared[last].1)
    }

    /// What a predicate points at, if a use at or before `tx` settled it.
    #[must_use]
    pub fn kind_at(&self, id: PredicateId, tx: TxId) -> Option<ObjectKind> {
        let (settled, kind) = self.predicates[self.base_of(id).index()].typed?;
        (settled <= tx).then_some(kind)
    }
}

fn dense(count: usize) -> u32 {
    u32::try_from(count).expect("a namespace holds fewer than 2^32 predicates")
}
