//! What may be found: visibility on both axes and the filter, tested while a leg searches.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crate::types::{
    Bits, DocumentId, EntityId, Object, Rectangle, SourceId, StatementId, Triple, TxId,
};
use crate::view::document::{Documents, EpisodeEntry, FactNumber, FactSet, Hold, Support, What};

use super::super::answer::Row;
use super::super::facts::Span;
use super::super::snapshot::Snapshot;
use super::answer::Found;
use super::request::Filter;

/// Facts that are looked at in their order in the time one question about a fact takes.
const FACTS_PER_QUESTION: usize = 16;
/// Questions that are answered one by one in any case.
const FACTS_ASKED_MIN: usize = 256;

/// The documents of a snapshot through a filter.
pub struct Sight<'a> {
    snapshot: Snapshot<'a>,
    span: Span,
    filter: &'a Filter,
    /// Some entity was merged into another, so ids must be read under what they count as.
    aliased: bool,
    /// Nothing but the rectangles of a fact and what is known at the basis decides.
    plain: bool,
    /// Something was archived, and what is in the archive is not wanted.
    hides_archive: bool,
    /// Every document is known at the basis.
    latest: bool,
    /// Facts that were asked about one by one.
    asked: AtomicUsize,
    /// The facts that are visible, once so many were asked about that it was worth to look at all.
    visible: OnceLock<Arc<FactSet>>,
}

impl<'a> Sight<'a> {
    #[must_use]
    pub fn new(snapshot: Snapshot<'a>, span: Span, filter: &'a Filter) -> Sight<'a> {
        let aliased = snapshot.directory.has_aliases();
        let narrows = filter.asks_for_facts()
            || filter.asks_for_support()
            || filter.session.is_some()
            || filter.recorded != (TxId::ZERO, TxId::OPEN);
        let archive = snapshot.documents.has_archive();
        // What was found out for the moment leaves the archive out.
        let plain = (!archive || !filter.archived)
            && span == Span::Basis
            && snapshot.seen.everything()
            && !aliased
            && !narrows
            && !snapshot.directory.has_withdrawals();
        let latest = snapshot.basis.tx >= snapshot.documents.watermark();
        let visible = OnceLock::new();
        if let Some(facts) = snapshot.documents.held_at(snapshot.basis).filter(|_| plain) {
            // Nobody else has the lock yet.
            let _ = visible.set(facts);
        }
        let asked = AtomicUsize::new(0);
        let hides_archive = archive && !filter.archived;
        Sight { snapshot, span, filter, aliased, plain, hides_archive, latest, asked, visible }
    }

    #[must_use]
    pub fn snapshot(&self) -> Snapshot<'a> {
        self.snapshot
    }

    fn documents(&self) -> &'a Documents {
        self.snapshot.documents
    }

    /// Whether a document may be found.
    #[must_use]
    #[inline]
    pub fn sees(&self, document: DocumentId) -> bool {
        if let Some(visible) = self.visible.get()
            && visible.hidden().has(document.index())
        {
            return false;
        }
        if self.plain
            && let Some(fact) = self.documents().fact_of(document)
        {
            // A leg asks this of every document it meets: a million times, if it must.
            return self.filter.kinds.facts
                && (self.latest || self.documents().made_in(document) <= self.snapshot.basis.tx)
                && self.sees_plainly(fact);
        }
        self.sees_narrowly(document)
    }

    /// The same for a fact of which only the rectangles count. To look at all facts in their order
    /// takes a fraction of what asking for each of them takes.
    fn sees_plainly(&self, fact: FactNumber) -> bool {
        if let Some(visible) = self.visible.get() {
            return visible.holds(fact);
        }
        // Two threads may count one question as none: it is only a hint.
        let asked = self.asked.load(Ordering::Relaxed) + 1;
        self.asked.store(asked, Ordering::Relaxed);
        if asked > FACTS_ASKED_MIN && asked > self.documents().fact_count() / FACTS_PER_QUESTION {
            let all = || self.documents().hold_at(self.snapshot.basis);
            return self.visible.get_or_init(all).holds(fact);
        }
        self.documents().any_hold(fact, |hold| self.sees_hold(hold)) && !self.puts_away(fact)
    }

    /// Whether a fact is in the archive and so does not come up.
    fn puts_away(&self, fact: FactNumber) -> bool {
        self.hides_archive && self.documents().is_archived(fact, self.snapshot.basis.tx)
    }

    /// Whether a hit is in the archive at the basis.
    #[must_use]
    pub fn is_archived(&self, found: Found) -> bool {
        let (documents, tx) = (self.documents(), self.snapshot.basis.tx);
        match found {
            Found::Fact(triple) => {
                documents.fact(triple).is_some_and(|fact| documents.is_archived(fact, tx))
            }
            Found::Episode(id) => documents.is_episode_archived(id, tx),
            Found::Entity(_) => false,
        }
    }

    /// Every document with words of its own that may be found, ascending, where it is known already
    /// that they are at most so many. Names are none of them: they have no vectors.
    pub(super) fn few(&self, max: usize) -> Option<Vec<DocumentId>> {
        let facts = self.visible.get().filter(|facts| facts.len() <= max)?;
        let documents = self.documents();
        let episodes = documents.episodes().len();
        if episodes > max {
            return None;
        }
        let of_facts = documents.speaking_of(facts);
        let of_episodes = (0..).take(episodes).map(|place| documents.episode_document(place));
        let mut few = if self.latest && self.filter.kinds.facts {
            // All of them, as they stand: to ask about each takes longer than to compare it.
            of_facts.to_vec()
        } else {
            of_facts.iter().copied().filter(|document| self.sees(*document)).collect()
        };
        few.extend(of_episodes.filter(|document| self.sees(*document)));
        // Two runs that ascend already.
        few.sort();
        Some(few)
    }

    /// The documents that are known to be hidden, where they are most of all.
    pub(super) fn hidden(&self) -> Option<&Bits> {
        let facts = self.visible.get()?;
        (facts.len() <= self.documents().fact_count() / 2).then(|| facts.hidden())
    }

    fn sees_narrowly(&self, document: DocumentId) -> bool {
        let kinds = self.filter.kinds;
        match self.documents().what(document) {
            What::Fact(fact) => kinds.facts && self.sees_fact(fact),
            What::Statement(place) => {
                let support = self.documents().support(place);
                kinds.facts && self.counts(support) && self.sees_fact(support.fact)
            }
            What::Entity(id) => kinds.entities && self.sees_entity(id),
            What::Episode(place) => {
                kinds.episodes && self.sees_episode(self.documents().episode(place))
            }
        }
    }

    /// What a document is found as.
    #[must_use]
    pub fn found(&self, document: DocumentId) -> Found {
        let documents = self.documents();
        let fact = |fact| Found::Fact(self.snapshot.canonical(documents.triple(fact)));
        match documents.what(document) {
            What::Fact(number) => fact(number),
            What::Statement(place) => fact(documents.support(place).fact),
            What::Entity(id) => {
                Found::Entity(self.snapshot.directory.canonical_at(id, self.snapshot.basis.tx))
            }
            What::Episode(place) => Found::Episode(documents.episode(place).id),
        }
    }

    fn sees_fact(&self, fact: FactNumber) -> bool {
        let Some(fact) = self.read_as(fact) else { return false };
        self.documents().holds(fact).any(|hold| self.sees_hold(hold))
            && !self.puts_away(fact)
            && self.passes(fact)
    }

    /// Whether a fact of the graph may be found.
    #[must_use]
    pub fn sees_triple(&self, triple: Triple) -> bool {
        self.documents().fact(triple).is_some_and(|fact| {
            self.filter.kinds.facts
                && self.documents().holds(fact).any(|hold| self.sees_hold(hold))
                && !self.puts_away(fact)
                && self.passes(fact)
        })
    }

    /// The fact that a recorded one counts as.
    fn read_as(&self, fact: FactNumber) -> Option<FactNumber> {
        if !self.aliased {
            return Some(fact);
        }
        let recorded = self.documents().triple(fact);
        let canonical = self.snapshot.canonical(recorded);
        if canonical == recorded { Some(fact) } else { self.documents().fact(canonical) }
    }

    fn sees_hold(&self, hold: &Hold) -> bool {
        let basis = self.snapshot.basis;
        let visible = match self.span {
            Span::Basis => basis.sees(hold.valid, hold.believed),
            Span::Overlapping { range, .. } => {
                hold.believed.contains(basis.tx) && hold.valid.overlaps(range)
            }
        };
        visible && self.recorded(hold.believed.from)
    }

    fn recorded(&self, tx: TxId) -> bool {
        let (from, to) = self.filter.recorded;
        from <= tx && tx < to
    }

    /// The part of the filter that is about the triple and what stands behind it.
    fn passes(&self, fact: FactNumber) -> bool {
        let filter = self.filter;
        let triple = self.documents().triple(fact);
        let named = |id: EntityId| filter.entities.contains(&id);
        let about = filter.entities.is_empty()
            || named(triple.subject)
            || triple.object.entity().is_some_and(named);
        about
            && self.snapshot.sees(triple)
            && (filter.predicates.is_empty() || filter.predicates.contains(&triple.predicate))
            && filter.session.is_none()
            && (!filter.asks_for_support()
                || self.supports(triple).iter().any(|support| self.supported(support)))
    }

    fn supported(&self, support: &Support) -> bool {
        let filter = self.filter;
        let sources = &filter.sources;
        (sources.is_empty() || support.source.is_some_and(|source| sources.contains(&source)))
            && filter.trust_min.is_none_or(|least| support.trust >= least)
            && filter.confidence_min.is_none_or(|least| {
                support.confidence.is_some_and(|confidence| confidence.get() >= least)
            })
    }

    /// The statements that say, at the basis, that a fact holds, newest first.
    #[must_use]
    pub fn supports(&self, triple: Triple) -> Vec<&'a Support> {
        let documents = self.documents();
        let members = self.recorded_as(triple).into_iter();
        let facts = members.filter_map(|triple| documents.fact(triple));
        let mut supports: Vec<&Support> = facts
            .flat_map(|fact| documents.supports(fact))
            .filter(|support| support.asserts && !support.contested && self.counts(support))
            .collect();
        if self.aliased {
            supports.sort_by_key(|support| std::cmp::Reverse(support.id));
        }
        supports
    }

    /// The triples whose statements count as this one's.
    fn recorded_as(&self, triple: Triple) -> Vec<Triple> {
        if !self.aliased {
            return vec![triple];
        }
        let (directory, tx) = (self.snapshot.directory, self.snapshot.basis.tx);
        let members = |id: EntityId| {
            let mut members = directory.merged_ever(id, tx);
            members.retain(|member| directory.canonical_at(*member, tx) == id);
            members.push(id);
            members
        };
        let objects: Vec<Object> = match triple.object {
            Object::Entity(id) => members(id).into_iter().map(Object::Entity).collect(),
            value @ Object::Value(_) => vec![value],
        };
        let subjects = members(triple.subject).into_iter();
        let with = |subject| {
            objects.iter().map(move |object| Triple { subject, object: *object, ..triple })
        };
        subjects.flat_map(with).collect()
    }

    /// Whether a statement was known at the basis and not withdrawn.
    fn counts(&self, support: &Support) -> bool {
        known(self.snapshot, support.id, support.source)
    }

    fn sees_entity(&self, id: EntityId) -> bool {
        self.snapshot.directory.is_named_at(id, self.snapshot.basis.tx)
            && self.snapshot.sees_entity(id)
            && !self.filter.asks_for_facts()
            && !self.filter.asks_for_support()
            && self.filter.session.is_none()
    }

    /// Whether an episode may be found.
    #[must_use]
    pub fn sees_episode(&self, episode: &EpisodeEntry) -> bool {
        let filter = self.filter;
        let hold = Hold { valid: episode.valid, believed: episode.believed };
        let sources = &filter.sources;
        let tx = self.snapshot.basis.tx;
        self.sees_hold(&hold)
            && !(self.hides_archive && self.documents().is_episode_archived(episode.id, tx))
            && self.snapshot.seen.scope(episode.scope)
            && !filter.asks_for_facts()
            && (sources.is_empty()
                || episode.source.is_some_and(|source| sources.contains(&source)))
            && filter.trust_min.is_none_or(|least| episode.trust >= least)
            && filter.confidence_min.is_none()
            && filter.session.is_none_or(|session| episode.session == Some(session))
            && filter.finds(episode.kind)
    }

    /// The rectangles that make a fact visible, by start.
    #[must_use]
    pub fn rows(&self, triple: Triple) -> Vec<Row> {
        let Some(fact) = self.documents().fact(triple) else { return Vec::new() };
        let holds = self.documents().holds(fact).filter(|hold| self.sees_hold(hold));
        let mut rows: Vec<Row> = holds
            .map(|hold| {
                let Hold { valid, believed } = *hold;
                // Why it was closed is for the graph to tell; here it is believed at the basis.
                let rectangle = Rectangle { triple, valid, believed, closed: None };
                Row::of(rectangle, self.snapshot.basis)
            })
            .collect();
        rows.sort_by_key(Row::key);
        rows
    }
}

/// Whether something said was known at the basis and its source not withdrawn.
fn known(snapshot: Snapshot<'_>, id: StatementId, source: Option<SourceId>) -> bool {
    let tx = snapshot.basis.tx;
    let bound = source.and_then(|source| snapshot.directory.withdrawn_at(source, tx));
    id.tx <= tx && bound.is_none_or(|bound| id >= bound)
}
