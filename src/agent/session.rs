//! A session as it stands at a basis: its turns in the order they were appended, and its summary.
//!
//! A session is named by its name *and* by whom it is for, two fields that are never glued together:
//! no name of one leads to a session of another.

use crate::engine::{Engine, ReadError};
use crate::models::StaticModel;
use crate::query::AsOf;
use crate::types::{
    Basis, Episode, EpisodeId, EpisodeKind, Fold, Grant, Scope, Timestamp, Trust, session_digest,
};

/// The role whose first turn stays in every window.
const SYSTEM: &str = "system";

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionKey {
    pub name: String,
    pub scope: Scope,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    pub episode: Episode,
    pub tokens: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Missing where it was made for one reply alone.
    pub episode: Option<EpisodeId>,
    pub text: String,
    pub tokens: usize,
    pub fold: Fold,
    pub trust: Trust,
    /// The chat model that wrote it. Missing where it is made of sentences that were said.
    pub model: Option<String>,
    /// Why it was not written by the chat model that there is. Known only where it is made.
    pub fallback: Option<&'static str>,
}

/// How much a text takes of a budget, by the built-in tokenizer.
#[must_use]
pub fn tokens(text: &str) -> usize {
    StaticModel::shared().count_tokens(text)
}

pub struct Session {
    engine: Engine,
    grant: Grant,
    pub basis: Basis,
    /// In the order they were appended.
    turns: Vec<EpisodeId>,
    /// Summaries that are believed, oldest first.
    standing: Vec<Standing>,
}

#[derive(Clone, Copy, Debug)]
struct Standing {
    id: EpisodeId,
    visible: bool,
}

impl Session {
    /// `None` where nobody ever appended to it.
    ///
    /// # Errors
    /// When the namespace cannot be read.
    pub fn open(
        engine: &Engine,
        grant: &Grant,
        as_of: AsOf,
        key: &SessionKey,
    ) -> Result<Option<Session>, ReadError> {
        let digest = session_digest(&key.name);
        engine.read(grant, as_of, |snapshot| {
            let (basis, documents) = (snapshot.basis, snapshot.documents);
            let scope = documents.scope_place(&key.scope)?;
            let mut known = false;
            let (mut turns, mut standing) = (Vec::new(), Vec::new());
            let own = documents
                .episodes_in(digest)
                .filter(|entry| entry.scope == scope && snapshot.seen.scope(entry.scope));
            for entry in own {
                let visible = basis.sees(entry.valid, entry.believed);
                match entry.kind {
                    EpisodeKind::Turn | EpisodeKind::ToolResult => {
                        known = true;
                        if visible {
                            turns.push(entry.id);
                        }
                    }
                    EpisodeKind::Summary if entry.believed.contains(basis.tx) => {
                        standing.push(Standing { id: entry.id, visible });
                    }
                    _ => {}
                }
            }
            let (engine, grant) = (engine.clone(), grant.clone());
            known.then_some(Session { engine, grant, basis, turns, standing })
        })
    }

    /// In the order they were appended.
    #[must_use]
    pub fn turns(&self) -> &[EpisodeId] {
        &self.turns
    }

    /// Whether nothing was appended, taken back or summarised since.
    #[must_use]
    pub fn is_as(&self, then: &Session) -> bool {
        self.turns.len() == then.turns.len() && self.goes_on_from(then)
    }

    /// The same, but for what was appended.
    #[must_use]
    pub fn goes_on_from(&self, then: &Session) -> bool {
        self.turns.starts_with(&then.turns) && self.standing().eq(then.standing())
    }

    /// The summaries that a new one replaces.
    pub fn standing(&self) -> impl Iterator<Item = EpisodeId> + '_ {
        self.standing.iter().map(|standing| standing.id)
    }

    /// # Errors
    /// When the store cannot be read.
    ///
    /// # Panics
    /// For a place past the last turn.
    pub fn turn(&self, place: usize) -> Result<Turn, ReadError> {
        let episode = self.read(self.turns[place])?;
        let tokens = tokens(&episode.text);
        Ok(Turn { episode, tokens })
    }

    /// The system's first turn.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn pinned(&self) -> Result<Option<Turn>, ReadError> {
        if self.turns.is_empty() {
            return Ok(None);
        }
        let first = self.turn(0)?;
        let is_system = first.episode.speaker.as_deref() == Some(SYSTEM);
        Ok(is_system.then_some(first))
    }

    /// The newest summary, unless a turn that it was made from is visible no longer: what was taken
    /// back does not live on in a summary.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn summary(&self) -> Result<Option<Summary>, ReadError> {
        let Some(standing) = self.standing.last().filter(|standing| standing.visible) else {
            return Ok(None);
        };
        let episode = self.read(standing.id)?;
        let fold = fold_of(&episode);
        let covered = self.turns.partition_point(|turn| *turn <= fold.through);
        if u32::try_from(covered) != Ok(fold.turns) {
            return Ok(None);
        }
        Ok(Some(summary_of(episode, fold)))
    }

    /// How many turns a summary stands for.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn folded(&self) -> Result<usize, ReadError> {
        Ok(self.summary()?.map_or(0, |summary| super::fold::covered(&summary)))
    }

    /// The last turn that has passed the gate: a summary stands for it, or it was there when the
    /// session ended. Those before it have passed, too.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn passed_through(&self) -> Result<Option<EpisodeId>, ReadError> {
        let closed = self.closed()?.map(|closed| closed.fold.through);
        let folded = self.folded()?.checked_sub(1).and_then(|last| self.turns.get(last).copied());
        Ok(closed.max(folded))
    }

    /// The summary that closed it, whatever has become of its turns.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn closed(&self) -> Result<Option<Summary>, ReadError> {
        let Some(standing) = self.standing.last() else { return Ok(None) };
        let episode = self.read(standing.id)?;
        let fold = fold_of(&episode);
        Ok(fold.closes.then(|| summary_of(episode, fold)))
    }

    /// When it was recorded.
    ///
    /// # Errors
    /// When the namespace cannot be read.
    ///
    /// # Panics
    /// For what was never recorded.
    pub fn recorded(&self, id: EpisodeId) -> Result<Timestamp, ReadError> {
        self.engine.read(&self.grant, AsOf::default(), |snapshot| {
            snapshot.directory.time_of(id.tx).expect("a recorded transaction has a time")
        })
    }

    fn read(&self, id: EpisodeId) -> Result<Episode, ReadError> {
        let episode = self.engine.episode(&self.grant, id)?;
        Ok(episode.expect("an episode of the view is in the store"))
    }
}

fn summary_of(episode: Episode, fold: Fold) -> Summary {
    let tokens = tokens(&episode.text);
    Summary {
        episode: Some(episode.id),
        text: episode.text,
        tokens,
        fold,
        trust: episode.trust,
        model: episode.speaker,
        fallback: None,
    }
}

fn fold_of(summary: &Episode) -> Fold {
    summary.fold.expect("a summary says what it stands for")
}
