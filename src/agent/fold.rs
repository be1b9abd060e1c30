//! When the older turns of a session become a summary, and how.
//!
//! The turns stay as they are. A summary merged from the one before it drifts a little each time, so
//! it counts how often that was done, and past a bound it is made from the turns again.

use crate::engine::ReadError;
use crate::kernel::{AddEpisode, Op, RetractEpisode};
use crate::types::limits::{
    FOLD_PERCENT, RAW_TURNS_MIN, SUMMARY_CHUNK_TURNS, SUMMARY_GENERATIONS_MAX, SUMMARY_TOKENS_MAX,
    WINDOW_TOKENS_DEFAULT,
};
use crate::types::{Dated, EpisodeKind, Fold, Timestamp, Trust};

use super::extract::{Said, summarise};
use super::session::{Session, SessionKey, Summary, Turn, tokens};

/// A summary that is to be recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Due {
    pub text: String,
    pub fold: Fold,
    pub trust: Trust,
    /// When the last of its turns was said: before that nobody could know it.
    pub said: Timestamp,
    pub material: Material,
    /// The chat model that wrote it. Missing where it is made of sentences that were said.
    pub model: Option<String>,
    /// Why it was not written by the chat model that there is, as a stable word.
    pub fallback: Option<&'static str>,
}

/// What a summary is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Material {
    /// The summary that it goes on from. Empty where there is none.
    pub previous: String,
    /// Places of its turns, from the first up to another.
    pub first: usize,
    pub through: usize,
    pub tokens_max: usize,
}

/// What is to be folded now, if the session has outgrown its share of the budget.
///
/// # Errors
/// When the store cannot be read.
pub fn due(session: &Session) -> Result<Option<Due>, ReadError> {
    let summary = session.summary()?;
    let covered = summary.as_ref().map_or(0, covered);
    let through = session.turns().len().saturating_sub(RAW_TURNS_MIN);
    if through <= covered {
        return Ok(None);
    }
    let room = WINDOW_TOKENS_DEFAULT * FOLD_PERCENT / 100;
    let mut used = summary.as_ref().map_or(0, |summary| summary.tokens);
    for place in covered..session.turns().len() {
        used += session.turn(place)?.tokens;
    }
    if used <= room {
        return Ok(None);
    }
    match summary {
        Some(before) if before.fold.generation < SUMMARY_GENERATIONS_MAX => {
            let merged = merge(session, Some(&before), covered, through, SUMMARY_TOKENS_MAX)?;
            let generation = before.fold.generation + 1;
            Ok(Some(Due { fold: Fold { generation, ..merged.fold }, ..merged }))
        }
        _ => merge(session, None, 0, through, SUMMARY_TOKENS_MAX).map(Some),
    }
}

/// The summary made from the turns themselves: of all of them where it closes the session, else of
/// those that the standing one stands for. `None` where no turn is left.
///
/// # Errors
/// When the store cannot be read.
pub fn made_again(session: &Session, closes: bool) -> Result<Option<Due>, ReadError> {
    let count = session.turns().len();
    if count == 0 {
        return Ok(None);
    }
    let through = match session.summary()? {
        _ if closes => count,
        Some(standing) => covered(&standing),
        None if count > RAW_TURNS_MIN => count - RAW_TURNS_MIN,
        None => count,
    };
    let made = merge(session, None, 0, through, SUMMARY_TOKENS_MAX)?;
    Ok(Some(Due { fold: Fold { closes, ..made.fold }, ..made }))
}

/// How many turns a summary stands for.
pub(super) fn covered(summary: &Summary) -> usize {
    usize::try_from(summary.fold.turns).expect("a count of turns fits")
}

/// A summary of the turns from one place up to another, and of the summary before them. The system's
/// first turn is not in it: it stays as it is.
///
/// # Panics
/// When there is no turn to be summarised.
pub(super) fn merge(
    session: &Session,
    before: Option<&Summary>,
    first: usize,
    through: usize,
    tokens_max: usize,
) -> Result<Due, ReadError> {
    let mut text = before.map_or_else(String::new, |before| before.text.clone());
    let mut trust = before.map_or(Trust::SystemOfRecord, |before| before.trust);
    let mut said = Timestamp::NEG_INFINITY;
    let start = first.max(usize::from(session.pinned()?.is_some()));
    let places: Vec<usize> = (start..through).collect();
    for chunk in places.chunks(SUMMARY_CHUNK_TURNS) {
        let turns: Result<Vec<Turn>, _> = chunk.iter().map(|place| session.turn(*place)).collect();
        let turns = turns?;
        let mut parts: Vec<Said<'_>> = Said::of_summary(&text).collect();
        for Turn { episode, .. } in &turns {
            trust = trust.min(episode.trust);
            said = said.max(episode.valid.start());
            let role = episode.speaker.as_deref().unwrap_or_default();
            parts.push(Said { role, text: &episode.text });
        }
        text = summarise(&parts, tokens_max);
    }
    if places.is_empty() {
        trust = trust.min(Trust::Stated);
    }
    let last = session.turns()[through - 1];
    let turns = u32::try_from(through).expect("a session has fewer than 2^32 turns");
    let fold = Fold { through: last, turns, generation: 0, closes: false };
    let previous = before.map_or_else(String::new, |before| before.text.clone());
    let material = Material { previous, first: start.min(through), through, tokens_max };
    Ok(Due { text, fold, trust, said, material, model: None, fallback: None })
}

impl Due {
    /// How many turns it stands for.
    ///
    /// # Panics
    /// Never: a count of turns fits.
    #[must_use]
    pub fn covered(&self) -> usize {
        usize::try_from(self.fold.turns).expect("a count of turns fits")
    }

    /// As it is read before anything is recorded.
    #[must_use]
    pub fn shown(self) -> Summary {
        let tokens = tokens(&self.text);
        let Due { text, fold, trust, model, fallback, .. } = self;
        Summary { episode: None, text, tokens, fold, trust, model, fallback }
    }

    /// The same, saying why no chat model wrote it.
    #[must_use]
    pub fn fallen_back(self, why: &'static str) -> Due {
        Due { fallback: Some(why), ..self }
    }
}

/// Records a summary in the place of those that stand, as said by the model that wrote it. Where nothing was said but courtesies its text
/// says how many turns there were: an episode needs a text.
#[must_use]
pub fn summary_op(session: &Session, key: &SessionKey, due: &Due) -> Vec<Op> {
    let retract = |episode| Op::RetractEpisode(RetractEpisode { episode });
    let mut ops: Vec<Op> = session.standing().map(retract).collect();
    let said = Some(due.said).filter(|said| said.is_instant());
    let text = Some(due.text.clone()).filter(|text| !text.is_empty());
    ops.push(Op::AddEpisode(AddEpisode {
        kind: EpisodeKind::Summary,
        text: text.unwrap_or_else(|| format!("({} turns)", due.fold.turns)),
        speaker: due.model.clone(),
        title: None,
        session: Some(key.name.clone()),
        from: said.map(Dated::from),
        to: None,
        source: None,
        trust: due.trust,
        importance: None,
        vector: None,
        scope: key.scope.clone(),
        fold: Some(due.fold),
        derived_from: Vec::new(),
    }));
    ops
}
