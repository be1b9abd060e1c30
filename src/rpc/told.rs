//! What the conversations behind the hits of a context tell about them. The hits come from few
//! conversations, each of which is looked at once.

use std::collections::HashMap;

use crate::agent::{Session, SessionKey, unkept};
use crate::engine::{Engine, ReadError};
use crate::query::AsOf;
use crate::types::{EpisodeId, Grant, Timestamp};

use super::civil::Zone;
use super::{promote, proto};

/// What is told about one hit.
pub(super) struct Told {
    /// When it was last said.
    pub(super) said: Option<Timestamp>,
    pub(super) news: News,
}

pub(super) enum News {
    /// It is no turn, and stands as it is.
    Whole,
    /// What a turn says that is not known otherwise.
    Rest(String),
    Nothing,
}

pub(super) struct Teller {
    engine: Engine,
    grant: Grant,
    as_of: AsOf,
    zone: Zone,
    /// The last turn of each that has passed the gate.
    passed: HashMap<SessionKey, Option<EpisodeId>>,
}

impl Teller {
    pub(super) fn new(engine: Engine, grant: Grant, as_of: AsOf, zone: Zone) -> Teller {
        Teller { engine, grant, as_of, zone, passed: HashMap::new() }
    }

    /// # Errors
    /// When the store cannot be read.
    pub(super) fn tell(&mut self, hit: &proto::Hit) -> Result<Told, ReadError> {
        let turn = hit.episode.as_ref().filter(|turn| turn.kind() == proto::EpisodeKind::Turn);
        let news = match turn.and_then(|turn| turn.id.parse().ok()) {
            Some(id) => self.news_of(id)?,
            None => News::Whole,
        };
        Ok(Told { said: self.said(hit)?, news })
    }

    /// A fact from a conversation is as old as the turn that told it, however much later that turn
    /// passed the gate: what was said after it is newer.
    fn said(&self, hit: &proto::Hit) -> Result<Option<Timestamp>, ReadError> {
        let source = hit.sources.first();
        let turn = source.and_then(|source| source.evidence.as_ref()?.episode_id.parse().ok());
        if let Some(id) = turn {
            let turn = self.engine.episode(&self.grant, id)?;
            let start = turn.map(|turn| turn.valid.start()).filter(|at| at.is_instant());
            if start.is_some() {
                return Ok(start);
            }
        }
        let episode = hit.episode.as_ref();
        let time = source
            .and_then(|source| source.tx_time)
            .or_else(|| episode.and_then(|episode| episode.valid_from.or(episode.tx_from_time)));
        Ok(time.map(|time| Timestamp::from_micros(time.unix_micros)))
    }

    fn news_of(&mut self, id: EpisodeId) -> Result<News, ReadError> {
        let Some(turn) = self.engine.episode(&self.grant, id)? else { return Ok(News::Nothing) };
        let speaker = turn.speaker.clone().unwrap_or_default();
        let name = turn.session.clone().unwrap_or_default();
        let passed = self.passed(SessionKey { name, scope: turn.scope.clone() })?;
        let text = if passed.is_some_and(|last| id <= last) {
            unkept(&promote::heard(&turn, self.zone, turn.valid.start()))
        } else {
            turn.text
        };
        Ok(if text.is_empty() { News::Nothing } else { News::Rest(format!("{speaker}: {text}")) })
    }

    fn passed(&mut self, key: SessionKey) -> Result<Option<EpisodeId>, ReadError> {
        if let Some(passed) = self.passed.get(&key) {
            return Ok(*passed);
        }
        let session = Session::open(&self.engine, &self.grant, self.as_of, &key)?;
        let passed = session.map(|session| session.passed_through()).transpose()?.flatten();
        self.passed.insert(key, passed);
        Ok(passed)
    }
}
