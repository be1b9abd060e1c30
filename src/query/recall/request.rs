//! What is asked, by name and then by id.

use crate::kernel::{Directory, Rejection, Violation, ViolationKind};
use crate::types::{
    EntityId, EpisodeKind, Interval, Name, PredicateId, SourceId, Timestamp, Trust, TxId, Vector,
};

use super::super::request::Known;
use super::super::snapshot::Snapshot;

/// One way of searching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leg {
    Text,
    Vector,
    Graph,
}

impl Leg {
    pub const ALL: [Leg; 3] = [Leg::Text, Leg::Vector, Leg::Graph];
}

/// Which legs take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Legs {
    pub text: bool,
    pub vector: bool,
    pub graph: bool,
}

impl Legs {
    pub const ALL: Legs = Legs { text: true, vector: true, graph: true };

    #[must_use]
    pub const fn has(self, leg: Leg) -> bool {
        match leg {
            Leg::Text => self.text,
            Leg::Vector => self.vector,
            Leg::Graph => self.graph,
        }
    }
}

/// How the scores of the legs become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fusion {
    #[default]
    RelativeScore,
    ReciprocalRank,
}

/// What counts beside the fused score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Profile {
    #[default]
    Balanced,
    Weighted,
    GenerativeAgents,
}

/// Which kinds of hits are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds {
    pub facts: bool,
    pub episodes: bool,
    pub entities: bool,
}

impl Default for Kinds {
    fn default() -> Kinds {
        Kinds { facts: true, episodes: true, entities: false }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct RecallQuery {
    /// May be empty beside a vector or seeds.
    pub words: String,
    pub vector: Option<Vector>,
    /// Entities to start from, beside those the words name.
    pub seeds: Vec<Name>,
    pub filter: FilterName,
    /// One hit for each rectangle believed, whatever its valid time, by start.
    pub history: bool,
    pub profile: Profile,
    pub fusion: Fusion,
    pub legs: Legs,
    pub limit: usize,
    pub score_min: f32,
    /// From 0, relevance alone, to 1.
    pub diversity: f32,
    pub hops: u32,
    /// The moment that ages are counted to.
    pub now: Timestamp,
    /// Reads of today count when something was last read; a past basis does not know.
    pub current: bool,
}

/// What a hit must be, by name.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FilterName {
    pub kinds: Option<Kinds>,
    pub predicates: Vec<Name>,
    pub entities: Vec<Name>,
    pub sources: Vec<Name>,
    pub trust_min: Option<Trust>,
    pub confidence_min: Option<f32>,
    pub valid: Option<Interval>,
    pub recorded_from: Option<Known>,
    pub recorded_to: Option<Known>,
    /// Digest of a session's name.
    pub session: Option<u64>,
    pub episode_kinds: Vec<EpisodeKind>,
    /// Also what is in the archive at the basis.
    pub archived: bool,
}

/// The same by id, as it stands at a basis.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    pub kinds: Kinds,
    pub predicates: Vec<PredicateId>,
    pub entities: Vec<EntityId>,
    pub sources: Vec<SourceId>,
    pub trust_min: Option<Trust>,
    pub confidence_min: Option<f32>,
    /// Recorded by a transaction from the first up to the second.
    pub recorded: (TxId, TxId),
    pub session: Option<u64>,
    /// None stands for all but blocks of core memory, which an agent reads in any case.
    pub episode_kinds: Vec<EpisodeKind>,
    /// Also what is in the archive at the basis.
    pub archived: bool,
}

impl Filter {
    /// Lets everything through.
    #[must_use]
    pub fn all() -> Filter {
        Filter {
            kinds: Kinds::default(),
            predicates: Vec::new(),
            entities: Vec::new(),
            sources: Vec::new(),
            trust_min: None,
            confidence_min: None,
            recorded: (TxId::ZERO, TxId::OPEN),
            session: None,
            episode_kinds: Vec::new(),
            archived: true,
        }
    }

    /// Whether it lets an episode of a kind through.
    #[must_use]
    pub fn finds(&self, kind: EpisodeKind) -> bool {
        match self.episode_kinds.as_slice() {
            [] => kind != EpisodeKind::Core,
            kinds => kinds.contains(&kind),
        }
    }

    /// Whether it asks for anything of the statements behind a fact.
    #[must_use]
    pub fn asks_for_support(&self) -> bool {
        !self.sources.is_empty() || self.trust_min.is_some() || self.confidence_min.is_some()
    }

    /// Whether it can be met by facts alone.
    #[must_use]
    pub fn asks_for_facts(&self) -> bool {
        !self.predicates.is_empty() || !self.entities.is_empty()
    }
}

/// Everything named in a question, by id.
pub(super) struct Named {
    pub(super) seeds: Vec<EntityId>,
    pub(super) filter: Filter,
}

impl Named {
    /// # Errors
    /// Every name that nobody ever used.
    pub(super) fn resolve(snapshot: Snapshot<'_>, query: &RecallQuery) -> Result<Named, Rejection> {
        let mut unknown = Vec::new();
        let directory = snapshot.directory;
        let filter = &query.filter;
        let entity = |name: &Name| snapshot.entity(name);
        let (at, what) = (ViolationKind::EntityUnknown, "entity");
        let seeds = ids("seeds", &query.seeds, entity, at, what, &mut unknown);
        let around = ids("filter.entities", &filter.entities, entity, at, what, &mut unknown);
        let predicates = ids(
            "filter.predicates",
            &filter.predicates,
            |name| directory.predicate(name),
            ViolationKind::PredicateUnknown,
            "predicate",
            &mut unknown,
        );
        let sources = ids(
            "filter.sources",
            &filter.sources,
            |name| directory.source(name),
            ViolationKind::SourceUnknown,
            "source",
            &mut unknown,
        );
        if !unknown.is_empty() {
            return Err(Rejection::new(unknown));
        }
        let variants = |base: PredicateId| std::iter::once(base).chain(directory.variants(base));
        let predicates = predicates.into_iter().flat_map(variants).collect();
        let from = filter.recorded_from.map_or(TxId::ZERO, |known| first_from(directory, known));
        let to = filter.recorded_to.map_or(TxId::OPEN, |known| first_from(directory, known));
        Ok(Named {
            seeds,
            filter: Filter {
                kinds: filter.kinds.unwrap_or_default(),
                predicates,
                entities: around,
                sources,
                trust_min: filter.trust_min,
                confidence_min: filter.confidence_min,
                recorded: (from, to),
                session: filter.session,
                episode_kinds: filter.episode_kinds.clone(),
                archived: filter.archived,
            },
        })
    }
}

/// The ids of names, each once; every name that nobody ever used is a violation.
fn ids<Id: PartialEq>(
    field: &str,
    names: &[Name],
    find: impl Fn(&Name) -> Option<Id>,
    kind: ViolationKind,
    what: &str,
    unknown: &mut Vec<Violation>,
) -> Vec<Id> {
    let mut ids = Vec::with_capacity(names.len());
    for (place, name) in names.iter().enumerate() {
        match find(name) {
            Some(id) if !ids.contains(&id) => ids.push(id),
            Some(_) => {}
            None => {
                let field = format!("{field}[{place}]").into();
                let detail = format!("no {what} is named {name}");
                unknown.push(Violation { op: None, field, kind, detail });
            }
        }
    }
    ids
}

/// The first transaction at or after a point.
fn first_from(directory: &Directory, known: Known) -> TxId {
    match known {
        Known::Latest => TxId::OPEN,
        Known::Tx(tx) => tx,
        Known::At(instant) => {
            let before = Timestamp::from_micros(instant.micros().saturating_sub(1));
            directory.tx_at(before).next()
        }
    }
}
