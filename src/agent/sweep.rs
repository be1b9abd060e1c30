//! One bounded step of forgetting: what has faded goes to the archive, what an owner has too much of
//! goes there too, and long texts that nobody reads become short ones.
//!
//! It only plans, from a snapshot; what is planned is one transaction, and the rules look again at
//! what it names. Nothing is taken back but a long text that has a short one in its place, so a past
//! basis shows what it showed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use crate::engine::{Engine, ReadError, Reads};
use crate::kernel::{
    AddEpisode, Archive, Compact, Directory, ItemName, Op, Outcome, OutcomeStatus, TripleName,
};
use crate::query::{AsOf, Held, Known, for_each_held};
use crate::types::limits::{COMPACT_TOKENS_MAX, SWEEP_VISIT_DOCUMENTS};
use crate::types::{
    Basis, Confidence, Dated, DocumentKey, Episode, EpisodeId, EpisodeKind, Grant, Item,
    KindPolicy, Label, MemoryKind, Name, Object, ObjectName, Policy, PredicateId, Timestamp,
    Triple,
};

use super::extract::{Said, summarise};
use super::forget::{days, value};
use super::session::tokens;

/// What is to be swept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// None stands for all.
    pub kinds: BTreeSet<MemoryKind>,
    /// Documents one step looks at, and items it evicts.
    pub limit: usize,
    /// Everything is counted as if it had been done.
    pub dry_run: bool,
}

/// Where a step begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At a document, by its number.
    Document(u32),
    /// At what owners have too much of.
    Caps,
}

/// What became of the items of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub looked_at: u64,
    /// Faded below the bound of their kind.
    pub archived: u64,
    /// Archived because their owner had too many.
    pub evicted: u64,
    pub compacted: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Archive,
    Evict,
    Compact,
}

/// What one step comes to.
#[derive(Clone, Debug)]
pub struct Step {
    /// One transaction, if there are any.
    pub ops: Vec<Op>,
    deeds: Vec<(MemoryKind, Deed)>,
    counts: BTreeMap<MemoryKind, Counts>,
    /// Where the next one begins, unless this was the last.
    pub next: Option<Place>,
}

impl Step {
    fn ending_at(next: Option<Place>) -> Step {
        Step { ops: Vec::new(), deeds: Vec::new(), counts: BTreeMap::new(), next }
    }

    /// What was done, by what became of each operation.
    #[must_use]
    pub fn done(&self, outcomes: &[Outcome]) -> BTreeMap<MemoryKind, Counts> {
        let applied = |outcome: &Outcome| outcome.status == OutcomeStatus::Applied;
        let deeds = self.deeds.iter().zip(outcomes).filter(|(_, outcome)| applied(outcome));
        self.counted(deeds.map(|(deed, _)| *deed))
    }

    /// What would be done.
    #[must_use]
    pub fn planned(&self) -> BTreeMap<MemoryKind, Counts> {
        self.counted(self.deeds.iter().copied())
    }

    fn counted(
        &self,
        deeds: impl Iterator<Item = (MemoryKind, Deed)>,
    ) -> BTreeMap<MemoryKind, Counts> {
        let mut counts = self.counts.clone();
        for (kind, deed) in deeds {
            let counts = counts.entry(kind).or_default();
            match deed {
                Deed::Archive => counts.archived += 1,
                Deed::Evict => counts.evicted += 1,
                Deed::Compact => counts.compacted += 1,
            }
        }
        counts
    }
}

/// Plans a step. Of a namespace as the caller sees it: what is hidden from it is not touched.
///
/// # Errors
/// When the namespace or what is stored of it cannot be read.
pub fn plan(
    engine: &Engine,
    grant: &Grant,
    sweep: &Sweep,
    place: Place,
) -> Result<Step, ReadError> {
    let as_of = AsOf { valid: None, known: Known::Latest };
    let (basis, count) =
        engine.read(grant, as_of, |snapshot| (snapshot.basis, snapshot.documents.next().raw()))?;
    let policy = engine.policy(grant)?;
    let planner = Planner { engine, grant, sweep, policy: &policy, basis };
    match place {
        Place::Document(first) => planner.faded(first, count),
        Place::Caps => planner.over_caps(count),
    }
}

struct Planner<'a> {
    engine: &'a Engine,
    grant: &'a Grant,
    sweep: &'a Sweep,
    policy: &'a Policy,
    basis: Basis,
}

/// An item, and how it is treated.
struct Weighed {
    held: Held,
    kind: MemoryKind,
}

/// An item by what it is worth and since when it is there.
type Ranked = (f64, Timestamp, Item);

/// What of an item was done, said or read.
struct Standing {
    reads: u64,
    worth: f64,
}

impl Planner<'_> {
    fn as_of(&self) -> AsOf {
        AsOf { valid: Some(self.basis.valid), known: Known::Tx(self.basis.tx) }
    }

    /// The items among some documents that the sweep is about. The writer may publish in between.
    fn visit(&self, documents: Range<u32>, mut each: impl FnMut(Weighed)) -> Result<(), ReadError> {
        let mut kinds: HashMap<PredicateId, MemoryKind> = HashMap::new();
        let mut first = documents.start;
        while first < documents.end {
            let end = documents.end.min(first.saturating_add(SWEEP_VISIT_DOCUMENTS));
            self.engine.read(self.grant, self.as_of(), |snapshot| {
                for_each_held(snapshot, first..end, |held| {
                    let kind = match (&held.item, held.episode_kind) {
                        (Item::Fact(triple), _) => {
                            *kinds.entry(triple.predicate).or_insert_with(|| {
                                kind_of(self.policy, snapshot.directory, triple.predicate)
                            })
                        }
                        (Item::Episode(_), kind) => kind.unwrap_or_default().into(),
                    };
                    let asked = self.sweep.kinds.is_empty() || self.sweep.kinds.contains(&kind);
                    // An agent reads its core memory in any case.
                    if asked && kind != MemoryKind::Core {
                        each(Weighed { held, kind });
                    }
                });
            })?;
            first = end;
        }
        Ok(())
    }

    /// What is worth too little goes to the archive; what is long and rarely read becomes short.
    fn faded(&self, first: u32, count: u32) -> Result<Step, ReadError> {
        let limit = u32::try_from(self.sweep.limit).unwrap_or(u32::MAX);
        let end = count.min(first.saturating_add(limit));
        let next = if end < count { Place::Document(end) } else { Place::Caps };
        let mut step = Step::ending_at(Some(next));
        let mut found = Vec::new();
        self.visit(first..end, |weighed| found.push(weighed))?;
        for weighed in &found {
            step.counts.entry(weighed.kind).or_default().looked_at += 1;
        }
        self.keep_open_sessions(&mut found)?;
        let mut fading = Vec::new();
        for (weighed, Standing { reads, worth }) in self.with_standing(found)? {
            let Weighed { held, kind } = weighed;
            let policy = self.policy.of(kind);
            if !held.archived && worth < policy.archive_below {
                fading.push((held.item, kind, Deed::Archive));
            }
            // Behind its archiving, so that the short text is in the archive too.
            if let Item::Episode(id) = held.item
                && self.is_old(&held, kind, reads)
                && let Some(op) = self.compacted(id)?
            {
                self.add_named(&mut step, std::mem::take(&mut fading))?;
                step.ops.push(Op::Compact(op));
                step.deeds.push((kind, Deed::Compact));
            }
        }
        self.add_named(&mut step, fading)?;
        Ok(step)
    }

    fn is_old(&self, held: &Held, kind: MemoryKind, reads: u64) -> bool {
        let policy: &KindPolicy = self.policy.of(kind);
        let age = days(held.since, self.basis.valid);
        kind != MemoryKind::Summary
            && reads < u64::from(policy.compact_reads)
            && policy.compact_days.is_some_and(|after| age >= f64::from(after))
    }

    /// The turns of a session that has not ended, and its summary, stay as they are.
    fn keep_open_sessions(&self, found: &mut Vec<Weighed>) -> Result<(), ReadError> {
        let session = |weighed: &Weighed| {
            let kind = weighed.held.episode_kind?;
            let told = [EpisodeKind::Turn, EpisodeKind::ToolResult, EpisodeKind::Summary];
            weighed.held.session.filter(|_| told.contains(&kind))
        };
        let sessions: BTreeSet<(u64, usize)> = found.iter().filter_map(session).collect();
        if sessions.is_empty() {
            return Ok(());
        }
        let tx = self.basis.tx;
        let summaries = self.engine.read(self.grant, self.as_of(), |snapshot| {
            let mut newest: BTreeMap<(u64, usize), EpisodeId> = BTreeMap::new();
            for entry in snapshot.documents.episodes() {
                if entry.kind == EpisodeKind::Summary
                    && entry.believed.contains(tx)
                    && let Some(session) = entry.session
                    && sessions.contains(&(session, entry.scope.index()))
                {
                    newest.insert((session, entry.scope.index()), entry.id);
                }
            }
            newest
        })?;
        let mut closed: BTreeSet<(u64, usize)> = BTreeSet::new();
        for (session, summary) in summaries {
            let summary = self.engine.episode(self.grant, summary)?;
            if summary.and_then(|summary| summary.fold).is_some_and(|fold| fold.closes) {
                closed.insert(session);
            }
        }
        found.retain(|weighed| session(weighed).is_none_or(|session| closed.contains(&session)));
        Ok(())
    }

    fn with_standing(&self, found: Vec<Weighed>) -> Result<Vec<(Weighed, Standing)>, ReadError> {
        let keys: Vec<DocumentKey> =
            found.iter().flat_map(|weighed| weighed.held.documents.iter().copied()).collect();
        let mut reads = self.engine.reads(self.grant, &keys)?.into_iter();
        let standing = |weighed: Weighed| {
            let own = reads.by_ref().take(weighed.held.documents.len());
            let standing = self.standing(&weighed, own.flatten());
            (weighed, standing)
        };
        Ok(found.into_iter().map(standing).collect())
    }

    fn standing(&self, weighed: &Weighed, read: impl Iterator<Item = Reads>) -> Standing {
        let Weighed { held, kind } = weighed;
        let (mut last, mut reads) = (held.since, 0_u64);
        for Reads { last: read, count } in read {
            last = last.max(read);
            reads = reads.saturating_add(count);
        }
        let confidence = held.confidence.map_or(1.0, |sure| f64::from(Confidence::get(sure)));
        let worth = value(self.policy.of(*kind), confidence, last, self.basis.valid, reads);
        Standing { reads, worth }
    }

    /// What owners have too much of goes to the archive, what is worth least first.
    fn over_caps(&self, count: u32) -> Result<Step, ReadError> {
        let cap = |kind: MemoryKind| self.policy.of(kind).cap;
        let mut counts: HashMap<(MemoryKind, Label), u64> = HashMap::new();
        self.visit(0..count, |Weighed { held, kind }| {
            if let Some(owner) = held.owner.filter(|_| cap(kind).is_some() && !held.archived) {
                *counts.entry((kind, owner)).or_default() += 1;
            }
        })?;
        counts.retain(|(kind, _), count| cap(*kind).is_some_and(|cap| *count > u64::from(cap)));
        let mut found = Vec::new();
        if !counts.is_empty() {
            self.visit(0..count, |weighed| {
                let owner = weighed.held.owner.clone().filter(|_| !weighed.held.archived);
                if owner.is_some_and(|owner| counts.contains_key(&(weighed.kind, owner))) {
                    found.push(weighed);
                }
            })?;
        }
        self.keep_open_sessions(&mut found)?;
        let mut groups: BTreeMap<(MemoryKind, Option<Label>), Vec<Ranked>> = BTreeMap::new();
        for (Weighed { held, kind }, Standing { worth, .. }) in self.with_standing(found)? {
            // What has faded is archived for that, or would be.
            if worth >= self.policy.of(kind).archive_below {
                let group = groups.entry((kind, held.owner)).or_default();
                group.push((worth, held.since, held.item));
            }
        }
        let mut evicted = Vec::new();
        for ((kind, _), mut group) in groups {
            let over = group.len().saturating_sub(cap(kind).map_or(usize::MAX, |cap| cap as usize));
            group.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
            let least = group.into_iter().take(over);
            evicted.extend(least.map(|(_, _, item)| (item, kind, Deed::Evict)));
        }
        let rest = !self.sweep.dry_run && evicted.len() > self.sweep.limit;
        if rest {
            evicted.truncate(self.sweep.limit);
        }
        let mut step = Step::ending_at(rest.then_some(Place::Caps));
        self.add_named(&mut step, evicted)?;
        Ok(step)
    }

    /// Adds the archiving of items, by name. One whose name was erased meanwhile is left out.
    fn add_named(
        &self,
        step: &mut Step,
        items: Vec<(Item, MemoryKind, Deed)>,
    ) -> Result<(), ReadError> {
        let named = self.engine.read(self.grant, self.as_of(), |snapshot| {
            let name = |(item, kind, deed): (Item, MemoryKind, Deed)| {
                Some((item_name(snapshot.directory, item)?, (kind, deed)))
            };
            items.into_iter().filter_map(name).collect::<Vec<_>>()
        })?;
        for (item, deed) in named {
            step.ops.push(Op::Archive(Archive { item }));
            step.deeds.push(deed);
        }
        Ok(())
    }

    /// The short text of a long one; none where it is short already, or has nothing to be left with.
    fn compacted(&self, id: EpisodeId) -> Result<Option<Compact>, ReadError> {
        let Some(long) = self.engine.episode(self.grant, id)? else { return Ok(None) };
        if tokens(&long.text) <= COMPACT_TOKENS_MAX {
            return Ok(None);
        }
        let whole = [Said { role: "", text: &long.text }];
        let text = summarise(&whole, COMPACT_TOKENS_MAX);
        let text = text.strip_prefix(": ").unwrap_or(&text).to_owned();
        if text.is_empty() {
            return Ok(None);
        }
        let source = match long.source {
            None => None,
            Some(source) => self.engine.read(self.grant, self.as_of(), |snapshot| {
                let name = snapshot.directory.source_name(source)?;
                Name::new(name).ok()
            })?,
        };
        let document =
            DocumentKey { tx: id.tx, kind: crate::types::DocumentKind::Episode, op: id.op };
        let vector = self.engine.stored_vector(self.grant, document)?;
        let Episode { kind, speaker, title, session, trust, importance, valid, .. } = long;
        let dated = |at: Timestamp, written| Dated { at, written };
        let to = Some(valid.end()).filter(|end| *end != Timestamp::INFINITY);
        let short = AddEpisode {
            kind,
            text,
            speaker,
            title,
            session,
            from: Some(dated(valid.start(), long.from_written)),
            to: to.map(|end| dated(end, long.to_written)),
            source,
            trust,
            importance,
            vector,
            scope: long.scope,
            fold: None,
            derived_from: vec![id],
        };
        Ok(Some(Compact { episode: id, short }))
    }
}

fn kind_of(policy: &Policy, directory: &Directory, predicate: PredicateId) -> MemoryKind {
    let name = directory.predicate_info(predicate).and_then(|info| Name::new(&info.name).ok());
    name.map_or(MemoryKind::Fact, |name| policy.kind_of(name.key()))
}

fn item_name(directory: &Directory, item: Item) -> Option<ItemName> {
    let Triple { subject, predicate, object } = match item {
        Item::Episode(id) => return Some(ItemName::Episode(id)),
        Item::Fact(triple) => triple,
    };
    let entity = |id| Name::new(directory.entity_name(id)?).ok();
    let object = match object {
        Object::Entity(id) => ObjectName::Entity(entity(id)?),
        Object::Value(id) => ObjectName::Value(directory.value_of(id)?.clone()),
    };
    let scope = directory.scope_of(predicate).cloned().unwrap_or_default();
    let predicate = Name::new(&directory.predicate_info(predicate)?.name).ok()?;
    let triple = TripleName { subject: entity(subject)?, predicate, object };
    Some(ItemName::Fact { triple, scope })
}
