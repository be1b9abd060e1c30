//! A transaction in the making: the groups it touches, the statements it records, the names it makes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::types::{
    CloseReason, Conflict, Dated, Episode, EpisodeId, FactId, Name, Object, PredicateId, RowKey,
    Scope, Slot, SourceId, Statement, StatementId, StatementKind, Timestamp, Triple, Trust, TxId,
};

use super::super::change::Change;
use super::super::command::{Evidence, Op, Outcome, OutcomeStatus, Stamp, TripleName};
use super::super::error::{DecideError, Rejection, Violation, ViolationKind};
use super::super::group::{Group, GroupKey, Live};
use super::super::lookup::{By, Lookup};
use super::super::names::Names;
use super::super::timeline::Effect;
use super::kind::{kind_of, other, plural};

/// One assert of the request at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asserted {
    /// Place of its operation.
    pub(super) operation: u32,
    /// As it was said.
    pub(super) triple: Triple,
    pub(super) kind: StatementKind,
}

pub(in crate::kernel) struct Draft<'a, L: Lookup> {
    lookup: &'a L,
    pub(super) stamp: Stamp,
    pub(super) names: Names<'a>,
    pub(super) changes: Vec<Change>,
    /// What `changes` held when the operation at hand began.
    began: usize,
    operation: u32,
    /// Whom the fact of the operation at hand is for.
    scope: Scope,
    statements: Vec<Statement>,
    /// How many were added.
    episodes: u32,
    /// Where the statements about a slot stand, under the ids they were recorded with.
    places: BTreeMap<Slot, Vec<usize>>,
    groups: BTreeMap<GroupKey, Group>,
    orphans: Vec<(Live, CloseReason)>,
    retracted: BTreeSet<Triple>,
    dissolved: Vec<GroupKey>,
    /// Asserts of this request by slot, as the slots are read now, for rule T2.
    pub(super) asserted: BTreeMap<Slot, Vec<Asserted>>,
    pub(super) settled: BTreeSet<StatementId>,
}

/// What a draft came to.
pub(in crate::kernel) struct Drafted {
    pub(in crate::kernel) changes: Vec<Change>,
    pub(in crate::kernel) groups: BTreeMap<GroupKey, Group>,
    pub(in crate::kernel) orphans: Vec<(Live, CloseReason)>,
    pub(in crate::kernel) retracted: BTreeSet<Triple>,
    pub(in crate::kernel) dissolved: Vec<GroupKey>,
}

pub(super) type Ruling<T, L> = Result<T, DecideError<<L as Lookup>::Error>>;

impl<'a, L: Lookup> Draft<'a, L> {
    pub(in crate::kernel) fn new(lookup: &'a L, stamp: Stamp) -> Draft<'a, L> {
        Draft {
            lookup,
            stamp,
            names: Names::new(lookup.directory()),
            changes: Vec::new(),
            began: 0,
            operation: 0,
            scope: Scope::default(),
            statements: Vec::new(),
            episodes: 0,
            places: BTreeMap::new(),
            groups: BTreeMap::new(),
            orphans: Vec::new(),
            retracted: BTreeSet::new(),
            dissolved: Vec::new(),
            asserted: BTreeMap::new(),
            settled: BTreeSet::new(),
        }
    }

    pub(in crate::kernel) fn begin(&mut self, place: usize, op: &Op) {
        self.scope = op.scope().cloned().unwrap_or_default();
        self.operation = u32::try_from(place).expect("a request is bounded");
        self.began = self.changes.len();
    }

    /// Takes back the names that the refused operation at hand made.
    pub(in crate::kernel) fn undo_names(&mut self) {
        self.names.unmake(self.changes.drain(self.began..));
    }

    pub(in crate::kernel) fn finish(self) -> Drafted {
        let Draft { changes, groups, orphans, retracted, dissolved, .. } = self;
        Drafted { changes, groups, orphans, retracted, dissolved }
    }

    pub(super) fn change(&mut self, change: Change) {
        self.changes.push(change);
    }

    /// The ids of a triple, made where they are new. The first use of a predicate settles whether
    /// it points at entities or at values; `field` is where the object was said.
    pub(super) fn intern(&mut self, name: &TripleName, field: &'static str) -> Ruling<Triple, L> {
        let TripleName { subject, predicate, object } = name;
        let kind = kind_of(object);
        let predicate_id = self.names.make_predicate(predicate, &mut self.changes);
        if self.names.kind(predicate_id).is_some_and(|settled| settled != kind) {
            let detail = format!("{predicate} points at {}", plural(other(kind)));
            return Err(broken(field, ViolationKind::PredicateClash, detail));
        }
        self.names.settle_kind(predicate_id, kind, &mut self.changes);
        let predicate = self.names.make_scoped(predicate_id, &self.scope, &mut self.changes);
        let subject = self.names.make_entity(subject, &mut self.changes);
        let object = self.names.make_object(object, &mut self.changes);
        Ok(Triple { subject, predicate, object })
    }

    /// The ids of a triple that was named before.
    pub(super) fn known(&self, name: &TripleName) -> Option<Triple> {
        Some(Triple {
            subject: self.names.entity(&name.subject)?,
            predicate: self.names.predicate_in(&name.predicate, &self.scope)?,
            object: self.names.object(&name.object)?,
        })
    }

    pub(super) fn source(&mut self, name: Option<&Name>) -> Option<SourceId> {
        Some(self.names.make_source(name?, &mut self.changes))
    }

    /// Whether an episode is believed, if there is one; this request's own changes count.
    pub(super) fn stands(&self, episode: EpisodeId) -> Option<bool> {
        let recorded = self.lookup.directory().episode(episode);
        let mut stands = recorded.map(|info| info.believed.to == TxId::OPEN);
        let mut source = recorded.and_then(|info| info.source);
        for change in &self.changes {
            match change {
                Change::EpisodeAdded(added) if added.id == episode => {
                    (stands, source) = (Some(true), added.source);
                }
                Change::EpisodeRetracted { id } if *id == episode => stands = Some(false),
                Change::SourceWithdrawn { source: withdrawn, .. } if source == Some(*withdrawn) => {
                    stands = stands.map(|_| false);
                }
                _ => {}
            }
        }
        stands
    }

    /// How far an episode is trusted, if there is one; this request's own count.
    pub(super) fn trust_of(&self, episode: EpisodeId) -> Option<Trust> {
        let added = self.changes.iter().find_map(|change| match change {
            Change::EpisodeAdded(added) if added.id == episode => Some(added.trust),
            _ => None,
        });
        let recorded = self.lookup.directory().episode(episode).map(|info| info.trust);
        recorded.or(added)
    }

    pub(super) fn add_episode(&mut self, episode: Episode) {
        assert_eq!(episode.id, self.next_episode(), "episodes take their places in order");
        self.episodes += 1;
        self.changes.push(Change::EpisodeAdded(Arc::new(episode)));
    }

    /// The place the next episode of this transaction takes. Among episodes alone, so that an
    /// exported transaction gives the same ids when it is imported.
    pub(super) fn next_episode(&self) -> EpisodeId {
        EpisodeId { tx: self.stamp.tx, op: self.episodes }
    }

    pub(super) fn make_predicate(&mut self, name: &Name) -> PredicateId {
        self.names.make_predicate(name, &mut self.changes)
    }

    /// A derived statement is trusted at most as far as the least of what it was derived from.
    pub(super) fn trust(&self, evidence: &Evidence) -> Ruling<Trust, L> {
        let mut trust = evidence.trust;
        for id in &evidence.derived_from {
            let ground = self.statement(*id)?.ok_or_else(|| {
                let detail = format!("no statement {id} to derive from");
                broken("evidence.derived_from_ids", ViolationKind::StatementUnknown, detail)
            })?;
            trust = trust.min(ground.trust);
        }
        Ok(trust)
    }

    pub(super) fn statement(&self, id: StatementId) -> Ruling<Option<Statement>, L> {
        if id.tx >= self.stamp.tx {
            return Ok(self.statements.iter().find(|statement| statement.id == id).cloned());
        }
        self.lookup.statement(id).map_err(DecideError::Lookup)
    }

    /// The place the next statement of this transaction takes.
    pub(super) fn next_id(&self) -> StatementId {
        let op = u32::try_from(self.statements.len()).expect("a request is bounded");
        StatementId { tx: self.stamp.tx, op }
    }

    /// A statement about a triple, with nothing said of where it comes from.
    pub(super) fn bare(&self, triple: Triple, kind: StatementKind) -> Statement {
        Statement {
            id: self.next_id(),
            triple,
            kind,
            trust: Trust::default(),
            confidence: None,
            source: None,
            text: None,
            from_written: None,
            to_written: None,
            contested: false,
            deliberate: false,
            accepts: None,
            operation: self.operation,
            derived_from: Vec::new(),
            row: None,
            importance: None,
            episode: None,
            embedded: false,
        }
    }

    pub(super) fn stated(
        &mut self,
        triple: Triple,
        kind: StatementKind,
        evidence: &Evidence,
        bounds: [Option<&Dated>; 2],
    ) -> Ruling<Statement, L> {
        let trust = self.trust(evidence)?;
        if let Some(episode) = evidence.episode.filter(|id| self.stands(*id).is_none()) {
            let detail = format!("no episode {episode} it could be drawn from");
            return Err(broken("evidence.episode_id", ViolationKind::EpisodeUnknown, detail));
        }
        let source = self.source(evidence.source.as_ref());
        let [from_written, to_written] =
            bounds.map(|bound| bound.and_then(|dated| dated.written.clone()));
        Ok(Statement {
            trust,
            confidence: evidence.confidence,
            source,
            text: evidence.text.clone(),
            from_written,
            to_written,
            derived_from: evidence.derived_from.clone(),
            row: evidence.row,
            importance: evidence.importance,
            episode: evidence.episode,
            embedded: evidence.vector.is_some(),
            ..self.bare(triple, kind)
        })
    }

    /// Records a statement and folds it into its group.
    pub(super) fn record(&mut self, statement: Statement) -> Ruling<Effect, L> {
        let triple = self.names.canonical_triple(statement.triple);
        if statement.kind.is_retract() {
            self.retracted.insert(triple);
        }
        let group = self.group(self.names.group_of(statement.triple))?;
        let effect = group.apply(&statement, triple.object);
        self.keep(statement);
        Ok(effect)
    }

    /// Folds a recorded statement once more, at the place it has.
    pub(super) fn replay(&mut self, statement: Statement) -> Ruling<(), L> {
        let triple = self.names.canonical_triple(statement.triple);
        if statement.kind.is_retract() {
            self.retracted.insert(triple);
        }
        let group = self.group(self.names.group_of(statement.triple))?;
        group.apply(&statement, triple.object);
        self.places.entry(statement.triple.slot()).or_default().push(self.statements.len());
        self.statements.push(statement);
        Ok(())
    }

    /// Records a statement that is folded already.
    pub(super) fn keep(&mut self, statement: Statement) {
        assert_eq!(statement.id, self.next_id(), "statements take their places in order");
        self.places.entry(statement.triple.slot()).or_default().push(self.statements.len());
        self.changes.push(Change::Stated(statement.clone()));
        self.statements.push(statement);
    }

    pub(super) fn group(&mut self, key: GroupKey) -> Ruling<&mut Group, L> {
        if !self.groups.contains_key(&key) {
            let group = match self.lookup.take_cached(key) {
                Some(group) => group,
                None => self.read_group(key)?,
            };
            self.groups.insert(key, group);
        }
        Ok(self.groups.get_mut(&key).expect("it was put there"))
    }

    pub(super) fn has_row(&mut self, triple: Triple, row: Option<RowKey>) -> Ruling<bool, L> {
        let Some(row) = row else { return Ok(false) };
        Ok(self.group(self.names.group_of(triple))?.has_row(row))
    }

    /// A group as it is recorded. Rectangles follow from statements, so where nothing was stated
    /// there are none to look for.
    fn read_group(&self, key: GroupKey) -> Ruling<Group, L> {
        let statements = self.statements(key)?;
        if statements.is_empty() {
            return Ok(Group::default());
        }
        let mut group = self.fold(&statements);
        group.live = self.live(key)?;
        Ok(group)
    }

    /// The statements of a group, those of this transaction included, in recording order.
    fn statements(&self, key: GroupKey) -> Ruling<Vec<Statement>, L> {
        let mut statements = Vec::new();
        for (slot, object) in self.recorded(key) {
            let found = self.lookup.statements(slot, object).map_err(DecideError::Lookup)?;
            statements.extend(found);
            let places = self.places.get(&slot).into_iter().flatten();
            let here = places.map(|place| &self.statements[*place]);
            let wanted = |said: Object| object.is_none_or(|object| object == said);
            statements.extend(here.filter(|said| wanted(said.triple.object)).cloned());
        }
        statements.sort_by_key(|statement| statement.id);
        Ok(statements)
    }

    fn fold(&self, statements: &[Statement]) -> Group {
        let counts = |statement: &&Statement| {
            !statement.source.is_some_and(|source| self.names.is_withdrawn(source, statement.id))
        };
        Group::fold(statements.iter().filter(counts), |object| self.names.canonical_object(object))
    }

    fn live(&self, key: GroupKey) -> Ruling<Vec<Live>, L> {
        let mut live = self.lookup.live(key.slot(), key.object).map_err(DecideError::Lookup)?;
        live.sort_by_key(|live| (live.valid, live.triple));
        Ok(live)
    }

    /// The slots and objects under which the statements of a group were recorded.
    fn recorded(&self, key: GroupKey) -> Vec<(Slot, Option<Object>)> {
        let subjects = self.names.members(key.subject);
        let objects = match key.object {
            None => vec![None],
            Some(object) => self.names.member_objects(object).into_iter().map(Some).collect(),
        };
        let slots = subjects.into_iter().map(|subject| Slot { subject, predicate: key.predicate });
        slots.flat_map(|slot| objects.iter().map(move |object| (slot, *object))).collect()
    }

    /// Reads the groups of some triples anew after `rename` has changed what they are read under.
    pub(super) fn regroup(
        &mut self,
        by: &[By],
        reason: CloseReason,
        rename: impl FnOnce(&mut Names<'a>),
    ) -> Ruling<(), L> {
        let triples = self.triples(by)?;
        let before: BTreeSet<GroupKey> =
            triples.iter().map(|triple| self.names.group_of(*triple)).collect();
        for key in &before {
            let live = std::mem::take(&mut self.group(*key)?.live);
            self.orphans.extend(live.into_iter().map(|live| (live, reason)));
            self.groups.remove(key);
        }
        rename(&mut self.names);
        let after: BTreeSet<GroupKey> =
            triples.iter().map(|triple| self.names.group_of(*triple)).collect();
        for key in &after {
            let group = self.fold(&self.statements(*key)?);
            self.groups.insert(*key, group);
        }
        self.dissolved.extend(before.difference(&after));
        Ok(())
    }

    fn triples(&self, by: &[By]) -> Ruling<BTreeSet<Triple>, L> {
        let mut triples = BTreeSet::new();
        for by in by {
            triples.extend(self.lookup.triples(*by).map_err(DecideError::Lookup)?);
            let here = self.statements.iter().filter(|statement| match *by {
                By::Subject(id) => statement.triple.subject == id,
                By::Object(object) => statement.triple.object == object,
                By::Predicate(id) => statement.triple.predicate == id,
                By::Source(id) => statement.source == Some(id),
            });
            triples.extend(here.map(|statement| statement.triple));
        }
        Ok(triples)
    }

    /// The conflicts that this request raised.
    pub(super) fn raised(&self) -> impl Iterator<Item = &Conflict> {
        self.changes.iter().filter_map(|change| match change {
            Change::ConflictOpened(conflict) => Some(conflict),
            _ => None,
        })
    }

    /// Whether this request has stated anything with a predicate, for whomever.
    pub(super) fn speaks_of(&self, predicate: PredicateId) -> bool {
        let base = |statement: &Statement| self.names.base_of(statement.triple.predicate);
        self.statements.iter().any(|statement| base(statement) == predicate)
    }

    pub(super) fn operation(&self) -> u32 {
        self.operation
    }

    pub(super) fn outcome(&self, status: OutcomeStatus, triple: Triple) -> Outcome {
        let fact = FactId(self.names.canonical_triple(triple));
        Outcome { fact: Some(fact), ..Outcome::new(status) }
    }

    pub(super) fn directory(&self) -> &'a super::super::directory::Directory {
        self.lookup.directory()
    }

    /// The instant a bound names, or the time of this transaction.
    pub(super) fn at(&self, dated: Option<&Dated>) -> Timestamp {
        dated.map_or(self.stamp.time, |dated| dated.at)
    }
}

pub(super) fn broken<E>(
    field: &'static str,
    kind: ViolationKind,
    detail: impl Into<String>,
) -> DecideError<E> {
    let violation = Violation { op: None, field: field.into(), kind, detail: detail.into() };
    Rejection::from(violation).into()
}
