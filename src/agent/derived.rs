//! What was drawn from something that counts as never said: episodes and facts, and what was drawn
//! from those in turn.

use std::collections::BTreeSet;

use crate::engine::{Engine, ReadError};
use crate::kernel::{Change, Directory, Evidence, Op, Retract, RetractEpisode, TripleName};
use crate::query::AsOf;
use crate::types::{
    Episode, EpisodeId, Grant, Name, Object, ObjectName, SourceId, Statement, StatementId,
    StatementKind, Triple, TxId,
};

/// What counts as never said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    Source(SourceId),
    Episode(EpisodeId),
}

/// What was drawn from it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Derived {
    /// Episodes that stand.
    pub episodes: Vec<EpisodeId>,
    /// Facts that nothing else supports.
    pub facts: Vec<Triple>,
    /// Facts that something else supports too. They stay.
    pub kept: Vec<Triple>,
    pub ops: Vec<Op>,
}

struct Walk {
    root: Root,
    /// What goes, and the root itself.
    statements: BTreeSet<StatementId>,
    episodes: BTreeSet<EpisodeId>,
    found: Vec<EpisodeId>,
    triples: BTreeSet<Triple>,
}

/// Whether something counts as never said, so that what was drawn from it can go.
#[must_use]
pub fn is_gone(directory: &Directory, root: Root) -> bool {
    match root {
        Root::Source(source) => directory.withdrawn_at(source, directory.last_tx()).is_some(),
        Root::Episode(id) => !directory.stands(id),
    }
}

/// What was drawn from something, by one reading of the log: what is drawn from something comes after
/// it.
///
/// # Errors
/// When the namespace or what is stored of it cannot be read.
pub fn derived(engine: &Engine, namespace: &Name, root: Root) -> Result<Derived, ReadError> {
    let grant = Grant::all(namespace.clone());
    let mut walk = Walk {
        root,
        statements: BTreeSet::new(),
        episodes: BTreeSet::new(),
        found: Vec::new(),
        triples: BTreeSet::new(),
    };
    let mut through = TxId::ZERO;
    loop {
        let chunk = engine.log(namespace, through.next())?;
        let Some(last) = chunk.txs.last() else { break };
        through = last.id;
        engine.read(&grant, AsOf::default(), |snapshot| {
            for change in chunk.txs.iter().flat_map(|tx| &tx.changes) {
                walk.change(snapshot.directory, change);
            }
        })?;
    }
    walk.end(engine, &grant)
}

impl Walk {
    fn change(&mut self, directory: &Directory, change: &Change) {
        match change {
            Change::EpisodeAdded(episode) => self.episode(directory, episode),
            Change::Stated(statement) => self.statement(directory, statement),
            _ => {}
        }
    }

    fn episode(&mut self, directory: &Directory, episode: &Episode) {
        let stands = directory.stands(episode.id);
        let is_root = match self.root {
            Root::Source(source) => episode.source == Some(source) && !stands,
            Root::Episode(id) => episode.id == id,
        };
        let is_drawn = episode.derived_from.iter().any(|ground| self.episodes.contains(ground));
        if is_root || is_drawn {
            self.episodes.insert(episode.id);
        }
        if is_drawn && stands {
            self.found.push(episode.id);
        }
    }

    fn statement(&mut self, directory: &Directory, statement: &Statement) {
        let is_root = matches!(self.root, Root::Source(source) if statement.source == Some(source))
            && is_withdrawn(directory, statement);
        let is_drawn = statement.derived_from.iter().any(|id| self.statements.contains(id))
            || statement.episode.is_some_and(|id| self.episodes.contains(&id));
        if is_root || is_drawn {
            self.statements.insert(statement.id);
        }
        if is_drawn && statement.kind.start().is_some() {
            self.triples.insert(statement.triple);
        }
    }

    fn end(self, engine: &Engine, grant: &Grant) -> Result<Derived, ReadError> {
        let mut derived = Derived { episodes: self.found.clone(), ..Derived::default() };
        for triple in &self.triples {
            let statements = engine.statements_about(grant, *triple)?;
            let last = statements
                .iter()
                .rposition(|said| matches!(said.kind, StatementKind::RetractAll { .. }));
            let standing = &statements[last.map_or(0, |last| last + 1)..];
            let supports = engine.read(grant, AsOf::default(), |snapshot| {
                let asserts = |said: &&Statement| {
                    said.kind.start().is_some() && !is_withdrawn(snapshot.directory, said)
                };
                let own = |said: &Statement| self.statements.contains(&said.id);
                let asserts: Vec<bool> = standing.iter().filter(asserts).map(own).collect();
                asserts
            })?;
            if supports.iter().any(|own| !own) {
                derived.kept.push(*triple);
            } else if !supports.is_empty() {
                derived.facts.push(*triple);
            }
        }
        derived.ops = engine.read(grant, AsOf::default(), |snapshot| {
            let episodes = derived.episodes.iter();
            let episodes = episodes.map(|id| Op::RetractEpisode(RetractEpisode { episode: *id }));
            let facts = derived.facts.iter().map(|triple| retract(snapshot.directory, *triple));
            facts.chain(episodes).collect()
        })?;
        Ok(derived)
    }
}

fn is_withdrawn(directory: &Directory, statement: &Statement) -> bool {
    let bound =
        statement.source.and_then(|source| directory.withdrawn_at(source, directory.last_tx()));
    bound.is_some_and(|bound| statement.id < bound)
}

/// # Panics
/// For a triple that was never recorded.
fn retract(directory: &Directory, triple: Triple) -> Op {
    let name = |text: &str| Name::new(text).expect("the log holds names");
    let entity = |id| name(directory.entity_name(id).expect("every id was named"));
    let object = match triple.object {
        Object::Entity(id) => ObjectName::Entity(entity(id)),
        Object::Value(id) => {
            ObjectName::Value(directory.value_of(id).expect("every id was recorded").clone())
        }
    };
    let predicate = directory.predicate_info(triple.predicate).expect("every id was named");
    let scope = directory.scope_of(triple.predicate).cloned().unwrap_or_default();
    Op::Retract(Retract {
        triple: TripleName {
            subject: entity(triple.subject),
            predicate: name(&predicate.name),
            object,
        },
        from: None,
        to: None,
        correct: false,
        block: false,
        evidence: Evidence { scope, ..Evidence::default() },
    })
}
