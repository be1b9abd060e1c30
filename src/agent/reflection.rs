//! What has been observed since the last conclusions, and conclusions as episodes.
//!
//! Where the last conclusions end is read from the log, so neither a restart nor a forgotten counter
//! moves it: observations count as new while no conclusion for the same scope rests on a later one.

use std::collections::VecDeque;

use crate::engine::{Engine, ReadError, shown};
use crate::kernel::{AddEpisode, Change, Op};
use crate::models::prompts::Conclusion;
use crate::query::{AsOf, Snapshot};
use crate::types::{
    Clearance, Confidence, Episode, EpisodeId, EpisodeKind, Grant, Name, Scope, Statement, Trust,
    TxId,
};

/// Something that a conclusion may rest on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// What the model knows it by.
    pub id: String,
    pub role: &'static str,
    pub text: String,
    /// The episode that it is, or that it was drawn from.
    pub episode: EpisodeId,
    pub trust: Trust,
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Observed {
    /// The newest, oldest first.
    pub observations: Vec<Observation>,
    /// All of them, also those that were too many.
    pub count: usize,
    /// The last transaction that was looked at.
    pub through: TxId,
}

/// What a reader of a scope sees of a namespace: what is for everybody, and what is for the scope.
fn reader_of(namespace: &Name, scope: &Scope) -> Grant {
    Grant { namespace: namespace.clone(), clearance: Clearance::Only(scope.clone()) }
}

/// The newest transaction that a conclusion for a scope rests on, also one that was retracted since:
/// it is not drawn again from the same.
fn concluded(snapshot: Snapshot<'_>, scope: &Scope) -> TxId {
    let Some(number) = snapshot.documents.scope_place(scope) else {
        return TxId::ZERO;
    };
    let all = snapshot.documents.episodes().iter();
    let own = all.filter(|entry| entry.kind == EpisodeKind::Reflection && entry.scope == number);
    let grounds = own.flat_map(|entry| snapshot.directory.grounds(entry.id));
    grounds.map(|ground| ground.tx).max().unwrap_or(TxId::ZERO)
}

/// The observations for a scope that are newer than its last conclusions and than `after`: notes,
/// failures, and facts that were drawn from an episode, as far as they are visible now.
///
/// # Errors
/// When the namespace or its log cannot be read.
pub fn observe(
    engine: &Engine,
    namespace: &Name,
    scope: &Scope,
    after: TxId,
    limit: usize,
) -> Result<Observed, ReadError> {
    let grant = reader_of(namespace, scope);
    let now = AsOf::default();
    let after = engine.read(&grant, now, |snapshot| concluded(snapshot, scope))?.max(after);
    let mut found = VecDeque::new();
    let mut observed = Observed { through: after, ..Observed::default() };
    loop {
        let chunk = engine.log(&grant, observed.through.next())?;
        let Some(last) = chunk.txs.last() else { break };
        observed.through = last.id;
        engine.read(&grant, now, |snapshot| {
            for change in chunk.txs.iter().flat_map(|tx| &tx.changes) {
                if let Some(observation) = observation(snapshot, change) {
                    observed.count += 1;
                    found.push_back(observation);
                    if found.len() > limit {
                        found.pop_front();
                    }
                }
            }
        })?;
    }
    observed.observations = found.into();
    Ok(observed)
}

fn observation(snapshot: Snapshot<'_>, change: &Change) -> Option<Observation> {
    match change {
        Change::EpisodeAdded(episode) => noted(snapshot, episode),
        Change::Stated(statement) => stated(snapshot, statement),
        _ => None,
    }
}

fn noted(snapshot: Snapshot<'_>, episode: &Episode) -> Option<Observation> {
    let role = match episode.kind {
        EpisodeKind::Note => "note",
        EpisodeKind::Failure => "failure",
        _ => return None,
    };
    let entry = snapshot.documents.episode_by_id(episode.id)?;
    let visible = snapshot.basis.sees(entry.valid, entry.believed);
    (visible && snapshot.seen.scope(entry.scope)).then(|| Observation {
        id: episode.id.to_string(),
        role,
        text: episode.text.clone(),
        episode: episode.id,
        trust: episode.trust,
    })
}

fn stated(snapshot: Snapshot<'_>, statement: &Statement) -> Option<Observation> {
    let episode = statement.episode?;
    if statement.contested || statement.kind.start().is_none() || !snapshot.sees(statement.triple) {
        return None;
    }
    let (documents, basis) = (snapshot.documents, snapshot.basis);
    let fact = documents.fact(statement.triple)?;
    let ground = documents.episode_by_id(episode)?;
    let stands = ground.believed.contains(basis.tx) && snapshot.seen.scope(ground.scope);
    let holds = documents.any_hold(fact, |hold| basis.sees(hold.valid, hold.believed));
    (stands && holds).then(|| Observation {
        id: statement.id.to_string(),
        role: "fact",
        text: statement.text.clone().unwrap_or_else(|| shown(snapshot, statement.triple)),
        episode,
        trust: statement.trust,
    })
}

/// Conclusions to be recorded, each with its evidence. They are trusted at most as far as the least of
/// it, and never further than what a model concludes.
///
/// # Panics
/// When a conclusion names what was not observed: its reply was to be refused.
#[must_use]
pub fn conclusion_ops(
    observations: &[Observation],
    conclusions: Vec<Conclusion>,
    model: &str,
    scope: &Scope,
) -> Vec<Op> {
    let op = |Conclusion { text, evidence, confidence }: Conclusion| {
        let mut trust = Trust::Inferred;
        let mut grounds = Vec::new();
        for id in &evidence {
            let known = observations.iter().find(|observation| observation.id == *id);
            let ground = known.expect("a reply names only what was sent");
            trust = trust.min(ground.trust);
            if !grounds.contains(&ground.episode) {
                grounds.push(ground.episode);
            }
        }
        #[allow(clippy::cast_possible_truncation, reason = "a confidence is kept in 32 bits")]
        let confidence = Confidence::new(confidence as f32);
        Op::AddEpisode(AddEpisode {
            kind: EpisodeKind::Reflection,
            text,
            speaker: Some(model.to_owned()),
            title: None,
            session: None,
            from: None,
            to: None,
            source: None,
            trust,
            importance: confidence.ok(),
            vector: None,
            scope: scope.clone(),
            fold: None,
            derived_from: grounds,
        })
    };
    conclusions.into_iter().map(op).collect()
}
