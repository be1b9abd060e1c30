//! The fold that builds the arrays, transaction by transaction.

use std::collections::HashMap;
use std::sync::Arc;

use crate::kernel::{Change, Tx};
use crate::types::{
    Basis, Bits, Clearance, DocumentId, DocumentKey, DocumentKind, Episode, EpisodeId, EpisodeKind,
    Interval, Item, Label, Scope, SourceId, Statement, Timestamp, Triple, TxId, TxSpan,
};

use super::archive::Archive;
use super::record::{EpisodeEntry, FactNumber, Hold, Packed, ScopeNumber, Support, What};
use super::set::{FactSet, Moment};

/// The documents of one namespace.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    what: Vec<Packed>,
    /// The fact of each, for a scan that asks for nothing else.
    facts: Vec<Option<FactNumber>>,
    /// Where the log made each.
    made: Vec<(TxId, u32)>,
    triples: Vec<Triple>,
    numbers: HashMap<Triple, FactNumber>,
    /// The first rectangle of each fact.
    first: Vec<Hold>,
    /// Rectangles beyond the first.
    more: HashMap<FactNumber, Vec<Hold>>,
    /// The document of a fact's words; a fact that was only talked about has none yet.
    words: Vec<Option<DocumentId>>,
    /// The newest support of each fact.
    newest: Vec<Option<u32>>,
    supports: Vec<Support>,
    episodes: Vec<EpisodeEntry>,
    /// Places of episodes by what kind they are, and by the digest of their session.
    kinds: HashMap<EpisodeKind, Vec<u32>>,
    sessions: HashMap<u64, Vec<u32>>,
    /// Whom episodes are for, and where each stands in the list.
    scopes: Vec<Scope>,
    scope_numbers: HashMap<Scope, ScopeNumber>,
    /// By owner, the scopes that it has.
    scopes_owned: HashMap<Option<Label>, Vec<ScopeNumber>>,
    /// The documents of episodes, in their order.
    of_episodes: Vec<DocumentId>,
    archive: Archive,
    watermark: TxId,
    moment: Moment,
}

impl Documents {
    /// Folds one transaction.
    ///
    /// # Panics
    /// When the transaction does not follow the watermark, or closes what is not open: both mean
    /// that the log and the view disagree, which is a bug.
    pub fn apply(&mut self, tx: &Tx) {
        assert_eq!(tx.id, self.watermark.next(), "log gap before the documents");
        for (place, change) in (0..).zip(&tx.changes) {
            self.apply_change(tx.id, place, change);
        }
        self.watermark = tx.id;
    }

    fn apply_change(&mut self, tx: TxId, place: u32, change: &Change) {
        match change {
            Change::EntityCreated { id, .. } => self.add(What::Entity(*id), tx, place),
            Change::Stated(statement) => self.state(statement),
            Change::Opened { triple, valid } => self.open(tx, place, *triple, *valid),
            Change::Closed { triple, valid, believed_from, .. } => {
                self.close(tx, *triple, valid.start(), *believed_from);
            }
            Change::EpisodeAdded(episode) => self.add_episode(tx, episode),
            Change::EpisodeRetracted { id } => self.retract_episode(tx, *id),
            Change::SourceWithdrawn { source, .. } => self.withdraw(tx, *source),
            Change::Archived { item: Item::Fact(triple) } => {
                let fact = self.number(*triple);
                self.archive.put_fact(fact, tx);
            }
            Change::Restored { item: Item::Fact(triple) } => {
                let fact = self.number(*triple);
                self.archive.take_fact(fact, tx);
            }
            Change::Archived { item: Item::Episode(id) } => {
                self.archive.put_episode(self.known_episode(*id), tx);
            }
            Change::Restored { item: Item::Episode(id) } => {
                self.archive.take_episode(self.known_episode(*id), tx);
            }
            _ => {}
        }
    }

    fn add(&mut self, what: What, tx: TxId, op: u32) {
        self.what.push(Packed::new(what));
        self.facts.push(match what {
            What::Fact(fact) => Some(fact),
            What::Statement(place) => Some(self.supports[place as usize].fact),
            What::Entity(_) | What::Episode(_) => None,
        });
        self.made.push((tx, op));
    }

    fn number(&mut self, triple: Triple) -> FactNumber {
        let next = FactNumber::new(number_of(self.triples.len()));
        let number = *self.numbers.entry(triple).or_insert(next);
        if number == next {
            self.triples.push(triple);
            self.first.push(Hold::NEVER);
            self.words.push(None);
            self.newest.push(None);
        }
        number
    }

    /// Retractions say nothing that a search should find.
    fn state(&mut self, statement: &Statement) {
        if statement.kind.is_retract() {
            return;
        }
        let fact = self.number(statement.triple);
        let place = number_of(self.supports.len());
        let older = self.newest[fact.index()].replace(place);
        let spoken = statement.text.is_some() || statement.embedded;
        let document = spoken.then(|| self.next());
        self.supports.push(Support { document, ..Support::new(statement, fact, older) });
        if spoken {
            self.add(What::Statement(place), statement.id.tx, statement.id.op);
        }
    }

    fn open(&mut self, tx: TxId, place: u32, triple: Triple, valid: Interval) {
        let fact = self.number(triple);
        let hold = Hold { valid, believed: TxSpan { from: tx, to: TxId::OPEN } };
        if self.words[fact.index()].is_none() {
            self.words[fact.index()] = Some(self.next());
            self.add(What::Fact(fact), tx, place);
            self.first[fact.index()] = hold;
        } else {
            self.more.entry(fact).or_default().push(hold);
        }
    }

    fn close(&mut self, tx: TxId, triple: Triple, start: Timestamp, from: TxId) {
        let fact = self.numbers[&triple];
        let more = self.more.get_mut(&fact).into_iter().flatten();
        let hold = std::iter::once(&mut self.first[fact.index()])
            .chain(more)
            .find(|hold| hold.valid.start() == start && hold.believed.from == from)
            .expect("only an open rectangle is closed");
        hold.believed.to = tx;
    }

    fn add_episode(&mut self, tx: TxId, episode: &Episode) {
        let place = number_of(self.episodes.len());
        let scope = self.scope_number(&episode.scope);
        let entry = EpisodeEntry::new(episode, tx, scope);
        self.kinds.entry(entry.kind).or_default().push(place);
        if let Some(session) = entry.session {
            self.sessions.entry(session).or_default().push(place);
        }
        self.episodes.push(entry);
        self.of_episodes.push(self.next());
        self.add(What::Episode(place), tx, episode.id.op);
    }

    fn scope_number(&mut self, scope: &Scope) -> ScopeNumber {
        if let Some(number) = self.scope_numbers.get(scope) {
            return *number;
        }
        let number = ScopeNumber::new(number_of(self.scopes.len()));
        self.scopes.push(scope.clone());
        self.scopes_owned.entry(scope.owner.clone()).or_default().push(number);
        self.scope_numbers.insert(scope.clone(), number);
        number
    }

    fn retract_episode(&mut self, tx: TxId, id: EpisodeId) {
        let place = self.known_episode(id);
        self.episodes[place as usize].believed.to = tx;
    }

    fn withdraw(&mut self, tx: TxId, source: SourceId) {
        let said = self.episodes.iter_mut().filter(|episode| episode.source == Some(source));
        for episode in said.filter(|episode| episode.believed.to == TxId::OPEN) {
            episode.believed.to = tx;
        }
    }

    fn known_episode(&self, id: EpisodeId) -> u32 {
        number_of(self.episode_place(id).expect("only a known episode changes"))
    }

    fn episode_place(&self, id: EpisodeId) -> Option<usize> {
        self.episodes.binary_search_by_key(&id, |episode| episode.id).ok()
    }

    /// The last transaction folded.
    #[must_use]
    pub fn watermark(&self) -> TxId {
        self.watermark
    }

    /// The id the next document will have: as many as there are.
    #[must_use]
    pub fn next(&self) -> DocumentId {
        DocumentId::new(number_of(self.what.len()))
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.what.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.what.is_empty()
    }

    /// # Panics
    /// For a document that was not given out yet.
    #[must_use]
    pub fn what(&self, document: DocumentId) -> What {
        self.what[document.index()].what()
    }

    /// The fact that a document speaks of, as it was recorded.
    #[must_use]
    pub fn fact_of(&self, document: DocumentId) -> Option<FactNumber> {
        self.facts[document.index()]
    }

    /// The transaction that made a document.
    #[must_use]
    pub fn made_in(&self, document: DocumentId) -> TxId {
        self.made[document.index()].0
    }

    /// What is stored about a document is stored under this.
    ///
    /// # Panics
    /// For a document that was not given out yet.
    #[must_use]
    pub fn key(&self, document: DocumentId) -> DocumentKey {
        let (tx, op) = self.made[document.index()];
        let kind = match self.what(document) {
            What::Fact(_) => DocumentKind::Fact,
            What::Statement(_) => DocumentKind::Statement,
            What::Entity(_) => DocumentKind::Entity,
            What::Episode(_) => DocumentKind::Episode,
        };
        DocumentKey { tx, kind, op }
    }

    /// The documents one transaction made.
    #[must_use]
    pub fn made_by(&self, tx: TxId) -> std::ops::Range<u32> {
        let place = |tx: TxId| number_of(self.made.partition_point(|(made, _)| *made < tx));
        place(tx)..place(tx.next())
    }

    #[must_use]
    pub fn fact(&self, triple: Triple) -> Option<FactNumber> {
        self.numbers.get(&triple).copied()
    }

    #[must_use]
    pub fn triple(&self, fact: FactNumber) -> Triple {
        self.triples[fact.index()]
    }

    /// Whether any rectangle of a fact passes. Most facts have one, which is looked at in place.
    #[must_use]
    pub fn any_hold(&self, fact: FactNumber, passes: impl Fn(&Hold) -> bool) -> bool {
        passes(&self.first[fact.index()])
            || !self.more.is_empty()
                && self.more.get(&fact).is_some_and(|more| more.iter().any(&passes))
    }

    /// Facts that were ever recorded.
    #[must_use]
    pub fn fact_count(&self) -> usize {
        self.triples.len()
    }

    /// The facts that hold at a basis and are not in the archive then, if a question before has asked
    /// for those of the same moment.
    #[must_use]
    pub fn held_at(&self, basis: Basis) -> Option<Arc<FactSet>> {
        self.moment.facts(self.watermark, basis)
    }

    /// The facts that hold at a basis and are not in the archive then, by looking at all of them; kept
    /// for the questions after it.
    #[must_use]
    pub fn hold_at(&self, basis: Basis) -> Arc<FactSet> {
        let mut around = Interval::ALL;
        let mut holds = |hold: &Hold| {
            if !hold.believed.contains(basis.tx) {
                return false;
            }
            around = around.undivided(basis.valid, hold.valid);
            hold.valid.contains(basis.valid)
        };
        let mut facts = Bits::of(self.first.iter().map(&mut holds));
        for (fact, more) in &self.more {
            for hold in more {
                if holds(hold) {
                    facts.set(fact.index());
                }
            }
        }
        for archived in self.archive.facts_at(basis.tx) {
            facts.unset(archived.index());
        }
        let facts = FactSet::new(facts, self.facts.iter().copied());
        self.moment.keep(self.watermark, basis.tx, around, facts)
    }

    /// Whether anything was ever put into the archive.
    #[must_use]
    pub fn has_archive(&self) -> bool {
        !self.archive.is_empty()
    }

    /// Whether a fact is in the archive at a transaction.
    #[must_use]
    pub fn is_archived(&self, fact: FactNumber, tx: TxId) -> bool {
        self.archive.holds_fact(fact, tx)
    }

    /// The same for an episode.
    #[must_use]
    pub fn is_episode_archived(&self, id: EpisodeId, tx: TxId) -> bool {
        self.has_archive()
            && self
                .episode_place(id)
                .is_some_and(|place| self.archive.holds_episode(number_of(place), tx))
    }

    /// The document of a fact's words.
    #[must_use]
    pub fn words(&self, fact: FactNumber) -> Option<DocumentId> {
        self.words[fact.index()]
    }

    /// Every rectangle a fact ever had, in the order they were opened.
    pub fn holds(&self, fact: FactNumber) -> impl Iterator<Item = &Hold> {
        let more = if self.more.is_empty() { None } else { self.more.get(&fact) };
        std::iter::once(&self.first[fact.index()]).chain(more.into_iter().flatten())
    }

    /// The documents that speak of the facts of a set, ascending.
    #[must_use]
    pub fn speaking_of<'a>(&self, facts: &'a FactSet) -> &'a [DocumentId] {
        facts.documents(|| {
            let mut all: Vec<_> = facts.iter().flat_map(|fact| self.about(fact)).collect();
            all.sort_unstable();
            all
        })
    }

    /// The documents that speak of a fact: its words, and the sentences that were said of it.
    pub fn about(&self, fact: FactNumber) -> impl Iterator<Item = DocumentId> {
        let said = self.supports(fact).filter_map(|support| support.document);
        self.words(fact).into_iter().chain(said)
    }

    /// # Panics
    /// For a place that no document names.
    #[must_use]
    pub fn support(&self, place: u32) -> &Support {
        &self.supports[place as usize]
    }

    /// The statements behind a fact as it was recorded, newest first.
    pub fn supports(&self, fact: FactNumber) -> impl Iterator<Item = &Support> {
        let newest = self.newest[fact.index()].map(|place| self.support(place));
        std::iter::successors(newest, |support| support.older.map(|place| self.support(place)))
    }

    /// # Panics
    /// For a place that no document names.
    #[must_use]
    pub fn episode(&self, place: u32) -> &EpisodeEntry {
        &self.episodes[place as usize]
    }

    #[must_use]
    pub fn episode_by_id(&self, id: EpisodeId) -> Option<&EpisodeEntry> {
        self.episode_place(id).map(|place| &self.episodes[place])
    }

    /// Whom the episodes of a number are for.
    #[must_use]
    pub fn scope(&self, number: ScopeNumber) -> &Scope {
        &self.scopes[number.index()]
    }

    /// The scopes of episodes that a clearance lets see, ascending.
    #[must_use]
    pub fn scopes_for(&self, clearance: &Clearance) -> Vec<ScopeNumber> {
        let mut numbers: Vec<ScopeNumber> = clearance
            .owners()
            .iter()
            .filter_map(|owner| self.scopes_owned.get(owner))
            .flatten()
            .copied()
            .filter(|number| clearance.sees(&self.scopes[number.index()]))
            .collect();
        numbers.sort_unstable();
        numbers
    }

    /// The number of a scope that some episode has.
    #[must_use]
    pub fn scope_place(&self, scope: &Scope) -> Option<ScopeNumber> {
        self.scope_numbers.get(scope).copied()
    }

    /// The episodes of a kind, in the order they were recorded.
    pub fn episodes_of(&self, kind: EpisodeKind) -> impl DoubleEndedIterator<Item = &EpisodeEntry> {
        let places = self.kinds.get(&kind).into_iter().flatten();
        places.map(|place| &self.episodes[*place as usize])
    }

    /// The episodes of a session, by the digest of its name, in the order they were recorded.
    pub fn episodes_in(&self, session: u64) -> impl Iterator<Item = &EpisodeEntry> {
        let places = self.sessions.get(&session).into_iter().flatten();
        places.map(|place| &self.episodes[*place as usize])
    }

    /// Every episode, in the order they were recorded.
    #[must_use]
    pub fn episodes(&self) -> &[EpisodeEntry] {
        &self.episodes
    }

    /// # Panics
    /// For a place that no document names.
    #[must_use]
    pub fn episode_document(&self, place: u32) -> DocumentId {
        self.of_episodes[place as usize]
    }
}

fn number_of(count: usize) -> u32 {
    u32::try_from(count).expect("document numbers are 32 bits wide")
}
