//! Names, predicates, aliases, sources, conflicts and transaction times of one namespace: a fold
//! over the log that fits in memory. The writer holds one that runs ahead by its open batch, readers
//! share another that ends at the last commit.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::types::{
    Conflict, EntityId, EpisodeId, Item, Label, Name, Object, PredicateId, Scope, Slot, SourceId,
    StatementId, Timestamp, Triple, Trust, TxId, TxSpan, Value, ValueId,
};

use super::change::{Change, Erasure, Tx};
use super::predicates::PredicateInfo;

/// One entity counting as another for a span of transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alias {
    pub into: EntityId,
    pub believed: TxSpan,
}

/// What is known of an episode without its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EpisodeInfo {
    pub source: Option<SourceId>,
    pub trust: Trust,
    pub believed: TxSpan,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Directory {
    /// Names, and the transactions that first used them.
    pub(super) entities: Vec<(Arc<str>, TxId)>,
    entity_ids: HashMap<Arc<str>, EntityId>,
    pub(super) predicates: Vec<PredicateInfo>,
    /// Those that are no variants, ascending.
    pub(super) bases: Vec<PredicateId>,
    pub(super) predicate_ids: HashMap<Arc<str>, PredicateId>,
    /// By predicate, its variants.
    pub(super) variants: HashMap<PredicateId, BTreeMap<Arc<Scope>, PredicateId>>,
    /// By owner, the variants that are for it.
    pub(super) owned: BTreeMap<Option<Label>, Vec<PredicateId>>,
    pub(super) values: Vec<Value>,
    value_ids: HashMap<Value, ValueId>,
    pub(super) sources: Vec<Arc<str>>,
    source_ids: HashMap<Arc<str>, SourceId>,
    aliases: BTreeMap<EntityId, Vec<Alias>>,
    /// Entities merged directly into the key, now.
    merged: BTreeMap<EntityId, Vec<EntityId>>,
    /// Bounds of withdrawals, oldest first.
    withdrawn: BTreeMap<SourceId, Vec<StatementId>>,
    /// Slots whose statements name the object, with repetitions.
    mentions: HashMap<Object, Vec<Slot>>,
    conflicts: BTreeMap<StatementId, Conflict>,
    open_conflicts: BTreeSet<StatementId>,
    episodes: BTreeMap<EpisodeId, EpisodeInfo>,
    /// What is in the archive now.
    archive: BTreeSet<Item>,
    /// What episodes were drawn from, of those that were.
    pub(super) grounds: BTreeMap<EpisodeId, Vec<EpisodeId>>,
    times: Vec<Timestamp>,
    /// Erasures, and the transactions that note them.
    pub(super) erasures: Vec<(TxId, Erasure)>,
    /// Facts that statements were erased of, and the number of the last erasure.
    pub(super) erased_facts: BTreeMap<Triple, u32>,
    /// Statements that were erased.
    pub(super) erased_statements: BTreeSet<StatementId>,
    pub(super) erased_episodes: BTreeSet<EpisodeId>,
    /// Ids without a name any more.
    pub(super) erased_names: ErasedNames,
}

/// Ids whose names were erased.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErasedNames {
    pub entities: BTreeSet<EntityId>,
    pub predicates: BTreeSet<PredicateId>,
    pub values: BTreeSet<ValueId>,
    pub sources: BTreeSet<SourceId>,
}

impl Directory {
    /// Folds one transaction.
    ///
    /// # Panics
    /// When the transaction does not follow the last one: a gap in the log is a bug.
    pub fn apply(&mut self, tx: &Tx) {
        assert_eq!(tx.id, self.last_tx().next(), "log gap before the directory");
        self.times.push(tx.time);
        for change in &tx.changes {
            self.apply_change(tx.id, change);
        }
    }

    fn apply_change(&mut self, tx: TxId, change: &Change) {
        match change {
            Change::EntityCreated { id, name } => {
                assert_eq!(id.index(), self.entities.len(), "entity ids are dense");
                self.entities.push((name.clone(), tx));
                self.entity_ids.insert(key_of(name), *id);
            }
            Change::PredicateCreated { id, name } => self.add_predicate(tx, *id, name),
            Change::PredicateScoped { id, of, scope } => self.add_variant(tx, *id, *of, scope),
            Change::ValueCreated { id, value } => {
                assert_eq!(id.index(), self.values.len(), "value ids are dense");
                self.values.push(value.clone());
                self.value_ids.insert(value.clone(), *id);
            }
            Change::SourceCreated { id, name } => {
                assert_eq!(id.index(), self.sources.len(), "source ids are dense");
                self.sources.push(name.clone());
                self.source_ids.insert(key_of(name), *id);
            }
            Change::PredicateTyped { id, kind } => {
                self.predicates[id.index()].typed = Some((tx, *kind));
            }
            Change::PredicateDeclared { id, cardinality } => {
                self.predicates[id.index()].declared.push((tx, *cardinality));
            }
            Change::Stated(statement) => {
                let slots = self.mentions.entry(statement.triple.object).or_default();
                let slot = statement.triple.slot();
                if slots.last() != Some(&slot) {
                    slots.push(slot);
                }
            }
            Change::Merged { duplicate, into } => self.merge(tx, *duplicate, *into),
            Change::Unmerged { duplicate } => self.unmerge(tx, *duplicate),
            Change::SourceWithdrawn { source, bound } => {
                self.withdraw(tx, *source, *bound);
            }
            Change::EpisodeAdded(episode) => {
                let believed = TxSpan { from: tx, to: TxId::OPEN };
                let (source, trust) = (episode.source, episode.trust);
                let info = EpisodeInfo { source, trust, believed };
                self.episodes.insert(episode.id, info);
                if !episode.derived_from.is_empty() {
                    self.grounds.insert(episode.id, episode.derived_from.clone());
                }
            }
            Change::EpisodeRetracted { id } => {
                let episode = self.episodes.get_mut(id).expect("only a known episode is retracted");
                episode.believed.to = tx;
            }
            Change::ConflictOpened(conflict) => {
                self.open_conflicts.insert(conflict.id());
                self.conflicts.insert(conflict.id(), conflict.clone());
            }
            Change::ConflictClosed { id } => {
                let conflict = self.conflicts.get_mut(id).expect("only an open conflict closes");
                conflict.believed.to = tx;
                self.open_conflicts.remove(id);
            }
            Change::Archived { item } => {
                self.archive.insert(*item);
            }
            Change::Restored { item } => {
                self.archive.remove(item);
            }
            Change::Erased { by, what } => self.erase(tx, *by, *what),
            Change::Erasure(erasure) => self.erasures.push((tx, *erasure)),
            Change::Opened { .. } | Change::Closed { .. } => {}
        }
    }

    fn withdraw(&mut self, tx: TxId, source: SourceId, bound: StatementId) {
        self.withdrawn.entry(source).or_default().push(bound);
        for episode in self.episodes.values_mut() {
            if episode.source == Some(source) && episode.believed.to == TxId::OPEN {
                episode.believed.to = tx;
            }
        }
    }

    fn merge(&mut self, tx: TxId, duplicate: EntityId, into: EntityId) {
        let believed = TxSpan { from: tx, to: TxId::OPEN };
        self.aliases.entry(duplicate).or_default().push(Alias { into, believed });
        self.merged.entry(into).or_default().push(duplicate);
    }

    fn unmerge(&mut self, tx: TxId, duplicate: EntityId) {
        let alias = self
            .aliases
            .get_mut(&duplicate)
            .and_then(|aliases| aliases.last_mut())
            .expect("only a merged entity is unmerged");
        alias.believed.to = tx;
        let siblings = self.merged.get_mut(&alias.into).expect("aliases and members agree");
        siblings.retain(|entity| *entity != duplicate);
    }

    /// The last transaction folded; [`TxId::ZERO`] before the first.
    #[must_use]
    pub fn last_tx(&self) -> TxId {
        TxId::new(self.times.len() as u64)
    }

    /// When a transaction was committed.
    #[must_use]
    pub fn time_of(&self, tx: TxId) -> Option<Timestamp> {
        let place = usize::try_from(tx.raw().checked_sub(1)?).ok()?;
        self.times.get(place).copied()
    }

    /// The last transaction committed at or before an instant; [`TxId::ZERO`] if there is none.
    #[must_use]
    pub fn tx_at(&self, instant: Timestamp) -> TxId {
        TxId::new(self.times.partition_point(|time| *time <= instant) as u64)
    }

    #[must_use]
    pub fn entity(&self, name: &Name) -> Option<EntityId> {
        self.entity_by_key(name.key())
    }

    #[must_use]
    pub fn entity_by_key(&self, key: &str) -> Option<EntityId> {
        self.entity_ids.get(key).copied()
    }

    #[must_use]
    pub fn entity_name(&self, id: EntityId) -> Option<&Arc<str>> {
        self.entities.get(id.index()).map(|(name, _)| name)
    }

    /// Whether an entity was named at or before `tx`.
    #[must_use]
    pub fn is_named_at(&self, id: EntityId, tx: TxId) -> bool {
        self.entities.get(id.index()).is_some_and(|(_, since)| *since <= tx)
    }

    /// Entities named at or before `tx` that pass with their key, from an id on, and the id to go on from.
    #[must_use]
    pub fn list_entities(
        &self,
        first: EntityId,
        tx: TxId,
        limit: usize,
        passes: impl Fn(EntityId, &str) -> bool,
    ) -> (Vec<EntityId>, Option<EntityId>) {
        let all = self.entities.iter().zip(0..).skip(first.index());
        let known = all.take_while(|((_, since), _)| *since <= tx);
        let mut found: Vec<EntityId> = known
            .map(|((name, _), raw)| (EntityId::new(raw), name))
            .filter(|(id, _)| !self.erased_names.entities.contains(id))
            .filter(|(id, name)| passes(*id, &key_of(name)))
            .map(|(id, _)| id)
            .take(limit.saturating_add(1))
            .collect();
        let next = found.get(limit).copied();
        found.truncate(limit);
        (found, next)
    }

    #[must_use]
    pub fn entity_count(&self) -> usize {
        self.entities.len()
    }

    #[must_use]
    pub fn value(&self, value: &Value) -> Option<ValueId> {
        self.value_ids.get(value).copied()
    }

    #[must_use]
    pub fn value_of(&self, id: ValueId) -> Option<&Value> {
        self.values.get(id.index())
    }

    #[must_use]
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    #[must_use]
    pub fn source(&self, name: &Name) -> Option<SourceId> {
        self.source_ids.get(name.key()).copied()
    }

    #[must_use]
    pub fn source_name(&self, id: SourceId) -> Option<&Arc<str>> {
        self.sources.get(id.index())
    }

    #[must_use]
    pub fn source_count(&self) -> usize {
        self.sources.len()
    }

    #[must_use]
    pub fn episode(&self, id: EpisodeId) -> Option<&EpisodeInfo> {
        self.episodes.get(&id)
    }

    #[must_use]
    pub fn episode_count(&self) -> usize {
        self.episodes.len()
    }

    /// Whether an item is in the archive now.
    #[must_use]
    pub fn is_archived(&self, item: Item) -> bool {
        self.archive.contains(&item)
    }

    /// Whether any entity was ever merged into another.
    #[must_use]
    pub fn has_aliases(&self) -> bool {
        !self.aliases.is_empty()
    }

    /// Whether any source was ever withdrawn.
    #[must_use]
    pub fn has_withdrawals(&self) -> bool {
        !self.withdrawn.is_empty()
    }

    /// Statements of the source before this one count as never said, from `tx` on.
    #[must_use]
    pub fn withdrawn_at(&self, source: SourceId, tx: TxId) -> Option<StatementId> {
        let bounds = self.withdrawn.get(&source)?;
        bounds.iter().rev().find(|bound| bound.tx <= tx).copied()
    }

    /// The entity an id counts as at a transaction. Merges chain: a duplicate of a duplicate counts
    /// as the last of them.
    #[must_use]
    pub fn canonical_at(&self, id: EntityId, tx: TxId) -> EntityId {
        let mut canonical = id;
        while let Some(alias) = self.alias_at(canonical, tx) {
            canonical = alias.into;
        }
        canonical
    }

    fn alias_at(&self, id: EntityId, tx: TxId) -> Option<&Alias> {
        self.aliases.get(&id)?.iter().find(|alias| alias.believed.contains(tx))
    }

    /// What an entity was merged into over time, oldest first.
    #[must_use]
    pub fn aliases(&self, id: EntityId) -> &[Alias] {
        self.aliases.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The entities that count directly as this one now.
    #[must_use]
    pub fn merged_into(&self, id: EntityId) -> &[EntityId] {
        self.merged.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Every id that an entity was read under up to a transaction, its own first.
    #[must_use]
    pub fn canonical_ever(&self, id: EntityId, until: TxId) -> Vec<EntityId> {
        let mut found = vec![id];
        let mut next = 0;
        while let Some(current) = found.get(next).copied() {
            next += 1;
            for alias in self.aliases(current) {
                if alias.believed.from <= until && !found.contains(&alias.into) {
                    found.push(alias.into);
                }
            }
        }
        found
    }

    /// Every entity that was merged into this one up to a transaction, directly or by way of another.
    #[must_use]
    pub fn merged_ever(&self, id: EntityId, until: TxId) -> Vec<EntityId> {
        let mut found: Vec<EntityId> = Vec::new();
        let mut next = vec![id];
        while let Some(into) = next.pop() {
            for (duplicate, aliases) in &self.aliases {
                let known = |alias: &&Alias| alias.believed.from <= until;
                let merged = aliases.iter().filter(known).any(|alias| alias.into == into);
                if merged && !found.contains(duplicate) {
                    found.push(*duplicate);
                    next.push(*duplicate);
                }
            }
        }
        found
    }

    /// The slots whose statements name an object, ascending.
    #[must_use]
    pub fn mentions(&self, object: Object) -> Vec<Slot> {
        let mut slots = self.mentions.get(&object).cloned().unwrap_or_default();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Every conflict ever raised, by the statement that raised it.
    pub fn conflicts(&self) -> impl Iterator<Item = &Conflict> {
        self.conflicts.values()
    }

    /// The conflicts that stand.
    pub fn open_conflicts(&self) -> impl Iterator<Item = &Conflict> {
        self.open_conflicts.iter().map(|id| &self.conflicts[id])
    }

    #[must_use]
    pub fn conflict(&self, id: StatementId) -> Option<&Conflict> {
        self.conflicts.get(&id)
    }
}

/// The log holds names as they are shown. They were names when they were recorded, so they are now.
pub(super) fn key_of(display: &str) -> Arc<str> {
    Name::new(display).expect("the log holds names").key().clone()
}
