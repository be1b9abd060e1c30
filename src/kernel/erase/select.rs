//! What an erasure takes: two readings of the log. The first finds statements and episodes, the
//! second which names nothing else uses.

use std::collections::{BTreeMap, BTreeSet};

use crate::types::{
    ConflictKind, EntityId, Episode, EpisodeId, Item, Label, Object, PredicateId, Scope, Slot,
    SourceId, Statement, StatementId, Triple,
};

use super::super::change::{Change, Tx};
use super::super::directory::{Directory, ErasedNames};
use super::plan::Plan;

/// What is to be erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// Every statement about a fact, as it is read now.
    Fact(Triple),
    /// Every statement about an entity under all its names, as subject or object.
    Entity(EntityId),
    Source(SourceId),
    /// What is for an owner alone.
    Owner(Label),
    /// What an erasure took before, to be taken again from an older copy of the log.
    Listed {
        statements: BTreeSet<StatementId>,
        episodes: BTreeSet<EpisodeId>,
        entities: BTreeSet<EntityId>,
    },
}

/// The readings so far.
pub struct Selection<'a> {
    selector: &'a Selector,
    directory: &'a Directory,
    /// Entities that go whole, names and merges included.
    whole: BTreeSet<EntityId>,
    /// All that ever counted as one with them.
    around: BTreeSet<EntityId>,
    plan: Plan,
    /// Episodes that are erased because of what was drawn from them.
    grounds: BTreeSet<EpisodeId>,
    /// Turns that are erased, by session and by whom they are for.
    turns: BTreeMap<(String, Scope), EpisodeId>,
    /// Facts that were ever in the archive, by what they are read as now. Those that something is
    /// still said of are taken out.
    archived: BTreeMap<Triple, BTreeSet<Triple>>,
    together: Together<'a>,
}

impl<'a> Selection<'a> {
    /// `directory` is that of the whole log.
    #[must_use]
    pub fn new(selector: &'a Selector, directory: &'a Directory) -> Selection<'a> {
        let mut together = Together { directory, known: BTreeMap::new() };
        let whole: BTreeSet<EntityId> = match selector {
            Selector::Entity(id) => {
                let last = directory.last_tx();
                let canonical = directory.canonical_at(*id, last);
                let counts = |other: &EntityId| directory.canonical_at(*other, last) == canonical;
                together.of(*id).iter().copied().filter(counts).collect()
            }
            Selector::Listed { entities, .. } => entities.clone(),
            _ => BTreeSet::new(),
        };
        let around = whole.iter().flat_map(|id| together.of(*id).to_vec()).collect();
        let mut plan = Plan::default();
        plan.names.entities.clone_from(&whole);
        if let Selector::Owner(owner) = selector {
            plan.names.predicates.extend(owned(directory, owner));
        }
        Selection {
            selector,
            directory,
            whole,
            around,
            plan,
            grounds: BTreeSet::new(),
            turns: BTreeMap::new(),
            archived: BTreeMap::new(),
            together,
        }
    }

    /// The first reading, transaction by transaction.
    pub fn read(&mut self, tx: &Tx) {
        for change in &tx.changes {
            match change {
                Change::EpisodeAdded(episode) if self.takes_episode(episode) => {
                    self.plan.episodes.insert(episode.id);
                    self.plan.names.sources.extend(episode.source);
                }
                Change::Stated(statement) if self.takes(statement) => self.take(statement),
                Change::Archived { item: Item::Fact(fact) } => {
                    let now = self.now(*fact);
                    self.archived.entry(now).or_default().insert(*fact);
                }
                _ => {}
            }
        }
    }

    fn takes_episode(&self, episode: &Episode) -> bool {
        match self.selector {
            Selector::Fact(_) | Selector::Entity(_) => false,
            Selector::Source(source) => episode.source == Some(*source),
            Selector::Owner(owner) => is_of(owner, &episode.scope),
            Selector::Listed { episodes, .. } => episodes.contains(&episode.id),
        }
    }

    fn takes(&self, statement: &Statement) -> bool {
        let Triple { subject, predicate, object } = statement.triple;
        let asked = match self.selector {
            Selector::Fact(fact) => self.now(statement.triple) == self.now(*fact),
            Selector::Entity(_) => {
                let object = object.entity();
                self.whole.contains(&subject) || object.is_some_and(|id| self.whole.contains(&id))
            }
            Selector::Source(source) => statement.source == Some(*source),
            Selector::Owner(owner) => {
                self.directory.scope_of(predicate).is_some_and(|scope| is_of(owner, scope))
            }
            Selector::Listed { statements, .. } => return statements.contains(&statement.id),
        };
        asked || self.follows(statement)
    }

    /// Whether nothing is left that a statement could stand on. It stands after what it follows from.
    fn follows(&self, statement: &Statement) -> bool {
        let plan = &self.plan;
        let grounds = &statement.derived_from;
        let derived = !grounds.is_empty() && grounds.iter().all(|id| plan.statements.contains(id));
        let accepted = statement.accepts.is_some_and(|id| plan.statements.contains(&id));
        let drawn = statement.episode.is_some_and(|id| plan.episodes.contains(&id));
        derived || accepted || drawn
    }

    fn now(&self, triple: Triple) -> Triple {
        let canonical = |id| self.directory.canonical_at(id, self.directory.last_tx());
        let object = match triple.object {
            Object::Entity(id) => Object::Entity(canonical(id)),
            value @ Object::Value(_) => value,
        };
        Triple { subject: canonical(triple.subject), object, ..triple }
    }

    fn take(&mut self, statement: &Statement) {
        self.plan.statements.insert(statement.id);
        if matches!(self.selector, Selector::Fact(_) | Selector::Entity(_)) {
            self.grounds.extend(statement.episode);
        }
        let Triple { subject, predicate, object } = statement.triple;
        let names = &mut self.plan.names;
        names.entities.insert(subject);
        names.predicates.extend([predicate, self.directory.base_of(predicate)]);
        match object {
            Object::Entity(id) => names.entities.insert(id),
            Object::Value(id) => names.values.insert(id),
        };
        names.sources.extend(statement.source);
        self.touch(statement.triple);
    }

    /// Everything that was ever read together with a triple is folded again.
    fn touch(&mut self, triple: Triple) {
        let predicate = triple.predicate;
        let subjects = self.together.of(triple.subject);
        self.plan
            .slots
            .extend(subjects.iter().map(|subject| Slot { subject: *subject, predicate }));
    }

    /// The second reading, which begins when the first is done.
    pub fn reread(&mut self, tx: &Tx) {
        self.plan.episodes.append(&mut self.grounds);
        for change in &tx.changes {
            match change {
                Change::Stated(statement) if !self.plan.statements.contains(&statement.id) => {
                    self.stays(statement);
                }
                Change::EpisodeAdded(episode) => self.reread_episode(episode),
                Change::PredicateDeclared { id, .. } => {
                    self.plan.names.predicates.remove(id);
                }
                // An entity that only lost its statements still joins what it was merged with.
                Change::Merged { duplicate, into } => {
                    for id in [duplicate, into] {
                        if !self.whole.contains(id) {
                            self.plan.names.entities.remove(id);
                        }
                    }
                }
                Change::ConflictOpened(conflict) => {
                    let erased = |id| self.plan.statements.contains(&id);
                    let waits = conflict.kind == ConflictKind::Contested;
                    let alone = conflict.against.iter().all(|side| erased(side.statement));
                    if erased(conflict.id()) || alone && !waits {
                        self.plan.conflicts.insert(conflict.id());
                    }
                }
                _ => {}
            }
        }
    }

    fn reread_episode(&mut self, episode: &Episode) {
        if self.tells(episode) {
            self.plan.episodes.insert(episode.id);
        }
        if self.plan.episodes.contains(&episode.id) {
            if let Some(session) = &episode.session {
                let key = (session.clone(), episode.scope.clone());
                self.turns.entry(key).or_insert(episode.id);
            }
        } else if let Some(source) = episode.source {
            self.plan.names.sources.remove(&source);
        }
    }

    /// Whether a text was drawn from one that goes: what of it came from where nobody can tell.
    fn tells(&self, episode: &Episode) -> bool {
        let derived = episode.derived_from.iter().any(|id| self.plan.episodes.contains(id));
        let Some((fold, session)) = episode.fold.as_ref().zip(episode.session.clone()) else {
            return derived;
        };
        let first = self.turns.get(&(session, episode.scope.clone()));
        derived || first.is_some_and(|first| *first <= fold.through)
    }

    fn stays(&mut self, statement: &Statement) {
        let Triple { subject, predicate, object } = statement.triple;
        if !self.archived.is_empty() {
            let now = self.now(statement.triple);
            self.archived.remove(&now);
        }
        let base = self.directory.base_of(predicate);
        let names = &mut self.plan.names;
        names.entities.remove(&subject);
        names.predicates.remove(&predicate);
        names.predicates.remove(&base);
        match object {
            Object::Entity(id) => names.entities.remove(&id),
            Object::Value(id) => names.values.remove(&id),
        };
        if let Some(source) = statement.source {
            names.sources.remove(&source);
        }
        // It was read with an entity that goes, while they counted as one.
        let object = object.entity();
        let near = |id: EntityId| self.around.contains(&id);
        if near(subject) || object.is_some_and(near) {
            self.touch(statement.triple);
        }
    }

    #[must_use]
    pub fn finish(mut self, number: u32) -> Plan {
        self.plan.episodes.append(&mut self.grounds);
        let left = std::mem::take(&mut self.archived).into_values().flatten();
        self.plan.archived = left.filter(|fact| self.plan.touches(*fact)).collect();
        let ErasedNames { entities, predicates, values, sources } = self.directory.erased_names();
        let names = &mut self.plan.names;
        names.entities.retain(|id| !entities.contains(id));
        names.predicates.retain(|id| !predicates.contains(id));
        names.values.retain(|id| !values.contains(id));
        names.sources.retain(|id| !sources.contains(id));
        self.plan.number = number;
        self.plan
    }
}

/// The one place that tells what is for an owner alone.
fn is_of(owner: &Label, scope: &Scope) -> bool {
    scope.owner.as_ref() == Some(owner)
}

fn owned(directory: &Directory, owner: &Label) -> Vec<PredicateId> {
    let count = u32::try_from(directory.predicate_count()).expect("ids are 32 bits wide");
    let all = (0..count).map(PredicateId::new);
    all.filter(|id| directory.scope_of(*id).is_some_and(|scope| is_of(owner, scope))).collect()
}

/// Which entities ever counted as one.
struct Together<'a> {
    directory: &'a Directory,
    known: BTreeMap<EntityId, Vec<EntityId>>,
}

impl Together<'_> {
    /// Itself included.
    fn of(&mut self, id: EntityId) -> &[EntityId] {
        let directory = self.directory;
        self.known.entry(id).or_insert_with(|| {
            let mut found = vec![id];
            if !directory.has_aliases() {
                return found;
            }
            let last = directory.last_tx();
            let mut next = 0;
            while let Some(current) = found.get(next).copied() {
                next += 1;
                let upward = directory.canonical_ever(current, last);
                for other in upward.into_iter().chain(directory.merged_ever(current, last)) {
                    if !found.contains(&other) {
                        found.push(other);
                    }
                }
            }
            found
        })
    }
}
