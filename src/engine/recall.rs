//! A recall from the question to texts that can be shown.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::kernel::Rejection;
use crate::query::recall::{
    Filter, Found, Hit, Laps, Leg, LegReport, LegState, RecallQuery, Recalled, Sight, Views, Wanted,
};
use crate::query::{AsOf, Halt, Snapshot, Span, recall};
use crate::store;
use crate::types::limits::{CATCH_UP_MILLIS_MAX, EMBED_MILLIS_MAX, HIT_SOURCES_MAX};
use crate::types::{
    Basis, DocumentId, DocumentKey, DocumentKind, Episode, EpisodeId, Grant, Name, NamespaceId,
    Statement, StatementId, Triple,
};

use super::account::{Account, Step, note_found};
use super::error::ReadError;
use super::handle::Engine;
use super::search::Progress;

#[derive(Debug, Error)]
pub enum RecallError {
    #[error(transparent)]
    Rejected(#[from] Rejection),
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Documents that a leg does not hold yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Behind {
    pub text: u64,
    pub vectors: u64,
}

/// What stands behind a hit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Newest first.
    pub statements: Vec<Statement>,
    pub episode: Option<Episode>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub recalled: Recalled,
    /// One a hit, in order.
    pub evidence: Vec<Evidence>,
    pub basis: Basis,
    pub behind: Behind,
}

/// Where the texts of a hit stand.
#[derive(Default)]
struct Places {
    statements: Vec<(Triple, StatementId)>,
    episode: Option<EpisodeId>,
    document: Option<DocumentKey>,
}

impl Engine {
    /// Waits, not for long, until what was acknowledged can be found by its words, and by its
    /// vector where those are supplied, or soon made by the model that `embeds` names.
    ///
    /// # Errors
    /// [`ReadError::NamespaceUnknown`].
    pub async fn caught_up(&self, name: &Name, embeds: Option<&str>) -> Result<(), ReadError> {
        let namespace = self.find(name)?;
        let began = Instant::now();
        let mut waited = false;
        let wanted = namespace.published().documents.next();
        let mut progress = namespace.search.progress();
        let by_words = |progress: &Progress| progress.text >= wanted;
        let by_both = |progress: &Progress| by_words(progress) && progress.vectors >= wanted;
        if !by_words(&progress.borrow()) {
            self.wake(&namespace);
            waited = true;
            let patience = Duration::from_millis(CATCH_UP_MILLIS_MAX);
            // Past it the answer says what is behind.
            drop(tokio::time::timeout(patience, progress.wait_for(by_words)).await);
        }
        let current = namespace.search.spaces().record.current;
        let supplied = current.as_ref().is_some_and(|space| space.supplied);
        let made = embeds.is_some_and(|model| current.is_none_or(|space| space.model == model));
        if (made || supplied) && !by_both(&progress.borrow()) {
            let millis = if supplied { CATCH_UP_MILLIS_MAX } else { EMBED_MILLIS_MAX };
            waited = true;
            let patience = Duration::from_millis(millis);
            drop(tokio::time::timeout(patience, progress.wait_for(by_both)).await);
        }
        if waited {
            self.stepped(Step::Wait, began, 0, false);
        }
        Ok(())
    }

    /// The facts and episodes that answer a question.
    ///
    /// # Errors
    /// [`RecallError::Rejected`] with every name that nobody ever used.
    pub fn recall(
        &self,
        name: &Grant,
        as_of: AsOf,
        query: &RecallQuery,
        halt: &Halt,
    ) -> Result<Answer, RecallError> {
        // One reading of the clock: what is visible, how old it is, and when it was read.
        let now = as_of.valid.unwrap_or_else(|| self.now());
        let as_of = AsOf { valid: Some(now), ..as_of };
        let query = &RecallQuery { now, ..query.clone() };
        let namespace = self.find(name)?;
        let search = &namespace.search;
        let (text, spaces) = (search.text(), search.spaces());
        let space = spaces.current.filter(|space| space.is_loaded());
        let views = Views {
            // One whose commit failed still finds everything.
            text: text.as_deref(),
            vector: space.as_deref().map(|space| &space.view).filter(|view| !view.is_empty()),
            accesses: search,
            halt,
        };
        let (recalled, places, basis, last) =
            self.read_in(&namespace, name, as_of, |snapshot| {
                let watch = Watch::new(self);
                let recalled = recall::recall(snapshot, views, query, &watch)?;
                watch.fused(recalled.hits.len());
                let places = recalled.hits.iter().map(|hit| places(snapshot, hit)).collect();
                let last = snapshot.documents.next();
                Ok::<_, Rejection>((recalled, places, snapshot.basis, last))
            })?;
        let places: Vec<Places> = places;
        if halt.is_halted() {
            return Err(ReadError::Halted.into());
        }
        self.counted().recalled(&recalled.reports);
        note_found(recalled.hits.len());
        if query.current {
            let read: Vec<DocumentKey> = places.iter().filter_map(|place| place.document).collect();
            search.read(&read, query.now);
            self.keep(&namespace);
        }
        let evidence = self.evidence(namespace.id(), places)?;
        let behind = |reached: DocumentId| u64::from(last.raw().saturating_sub(reached.raw()));
        let behind = Behind {
            text: behind(text.map_or(DocumentId::new(0), |view| view.next())),
            vectors: space.map_or(0, |space| behind(space.looked_at())),
        };
        Ok(Answer { recalled, evidence, basis, behind })
    }

    /// The words of a question by how rare they are. Nothing where the text view is broken.
    ///
    /// # Errors
    /// [`ReadError::NamespaceUnknown`].
    pub fn wanted(&self, name: &Name, question: &str) -> Result<Option<Wanted>, ReadError> {
        let namespace = self.find(name)?;
        let text = namespace.search.text();
        Ok(text.and_then(|view| Wanted::new(&view, question).ok()))
    }

    /// Notes that items were confirmed, as if they had been read.
    ///
    /// # Errors
    /// [`ReadError::NamespaceUnknown`].
    pub fn touch(&self, name: &Grant, items: &[Found]) -> Result<(), ReadError> {
        if items.is_empty() {
            return Ok(());
        }
        let namespace = self.find(name)?;
        let keys: Vec<DocumentKey> = self.read_in(&namespace, name, AsOf::default(), |snapshot| {
            let documents = snapshot.documents;
            let key = |found: &Found| match *found {
                Found::Episode(id) => {
                    Some(DocumentKey { tx: id.tx, kind: DocumentKind::Episode, op: id.op })
                }
                Found::Fact(triple) => {
                    let words = documents.words(documents.fact(triple)?)?;
                    Some(documents.key(words))
                }
                Found::Entity(_) => None,
            };
            items.iter().filter_map(key).collect()
        });
        namespace.search.read(&keys, self.now());
        self.keep(&namespace);
        Ok(())
    }

    fn evidence(
        &self,
        namespace: NamespaceId,
        places: Vec<Places>,
    ) -> Result<Vec<Evidence>, ReadError> {
        self.stored(|store| {
            let reader = store.read()?;
            let read = |places: Places| {
                let mut statements = Vec::with_capacity(places.statements.len());
                for (triple, id) in places.statements {
                    statements.extend(reader.statement_of(namespace, triple, id)?);
                }
                let episode = match places.episode {
                    Some(id) => reader.episode(namespace, id)?,
                    None => None,
                };
                Ok::<_, store::ReadError>(Evidence { statements, episode })
            };
            places.into_iter().map(read).collect()
        })
    }

    /// One episode as it was recorded.
    ///
    /// # Errors
    /// When the namespace or the store cannot be read.
    pub fn episode(&self, name: &Name, id: EpisodeId) -> Result<Option<Episode>, ReadError> {
        let namespace = self.find(name)?.id();
        self.stored(|store| store.read()?.episode(namespace, id))
    }
}

/// The time of each leg, noted for the call whichever thread it runs on.
struct Watch<'a> {
    engine: &'a Engine,
    account: Option<Arc<Account>>,
    laps: Mutex<Begun>,
}

struct Begun {
    legs: [Instant; Leg::ALL.len()],
    /// When the last leg ended.
    fuse: Instant,
}

impl<'a> Watch<'a> {
    fn new(engine: &'a Engine) -> Watch<'a> {
        let now = Instant::now();
        let laps = Mutex::new(Begun { legs: [now; Leg::ALL.len()], fuse: now });
        Watch { engine, account: Account::current(), laps }
    }

    fn laps(&self) -> MutexGuard<'_, Begun> {
        self.laps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fused(&self, hits: usize) {
        let began = self.laps().fuse;
        self.engine.stepped(Step::Fuse, began, hits, false);
    }
}

impl Laps for Watch<'_> {
    fn began(&self, leg: Leg) {
        self.laps().legs[leg as usize] = Instant::now();
    }

    fn ended(&self, report: &LegReport) {
        let began = {
            let mut laps = self.laps();
            laps.fuse = Instant::now();
            laps.legs[report.leg as usize]
        };
        let step = match report.leg {
            Leg::Text => Step::Text,
            Leg::Vector => Step::Vector,
            Leg::Graph => Step::Graph,
        };
        let failed = match report.state {
            LegState::Searched => false,
            LegState::Broken => true,
            // It took no part.
            LegState::Skipped(_) => return,
        };
        let stepped = || self.engine.stepped(step, began, report.found, failed);
        match &self.account {
            Some(account) => Arc::clone(account).within(stepped),
            None => stepped(),
        }
    }
}

fn places(snapshot: Snapshot<'_>, hit: &Hit) -> Places {
    let document = Some(snapshot.documents.key(hit.document));
    match hit.found {
        Found::Fact(triple) => {
            // The filter tells which facts are hits; what is behind one is shown whole.
            let all = Filter::all();
            let sight = Sight::new(snapshot, Span::Basis, &all);
            let supports = sight.supports(triple).into_iter().take(HIT_SOURCES_MAX);
            let statements = supports
                .map(|support| (snapshot.documents.triple(support.fact), support.id))
                .collect();
            Places { statements, document, ..Places::default() }
        }
        Found::Episode(id) => Places { episode: Some(id), document, ..Places::default() },
        Found::Entity(_) => Places { document, ..Places::default() },
    }
}
