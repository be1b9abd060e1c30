//! Episodes: raw texts that are kept, and texts that count as never said.

use crate::types::{Episode, Interval, Timestamp};

use super::super::change::Change;
use super::super::command::{AddEpisode, Outcome, OutcomeStatus, RetractEpisode};
use super::super::error::ViolationKind;
use super::super::lookup::Lookup;
use super::assert::interval;
use super::draft::{Draft, Ruling, broken};

pub(in crate::kernel) fn add_episode<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &AddEpisode,
) -> Ruling<Outcome, L> {
    let from = draft.at(op.from.as_ref());
    let to = op.to.as_ref().map_or(Timestamp::INFINITY, |to| to.at);
    let valid: Interval = interval(from, to)?;
    if let Some(through) = op.fold.map(|fold| fold.through)
        && draft.stands(through).is_none()
    {
        let detail = format!("no episode {through} that a summary could stand for");
        return Err(broken("fold.through", ViolationKind::EpisodeUnknown, detail));
    }
    let mut trust = op.trust;
    for ground in &op.derived_from {
        let Some(known) = draft.trust_of(*ground) else {
            let detail = format!("no episode {ground} to derive from");
            return Err(broken("derived_from_ids", ViolationKind::EpisodeUnknown, detail));
        };
        trust = trust.min(known);
    }
    let source = draft.source(op.source.as_ref());
    let id = draft.next_episode();
    draft.add_episode(Episode {
        id,
        kind: op.kind,
        text: op.text.clone(),
        speaker: op.speaker.clone(),
        title: op.title.clone(),
        session: op.session.clone(),
        source,
        trust,
        importance: op.importance,
        valid,
        from_written: op.from.as_ref().and_then(|from| from.written.clone()),
        to_written: op.to.as_ref().and_then(|to| to.written.clone()),
        dated: op.from.is_some(),
        embedded: op.vector.is_some(),
        operation: draft.operation(),
        scope: op.scope.clone(),
        fold: op.fold,
        derived_from: op.derived_from.clone(),
    });
    Ok(Outcome { episode: Some(id), ..Outcome::new(OutcomeStatus::Applied) })
}

pub(in crate::kernel) fn retract_episode<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &RetractEpisode,
) -> Ruling<Outcome, L> {
    let RetractEpisode { episode } = *op;
    let status = match draft.stands(episode) {
        None => {
            let detail = format!("no episode {episode}");
            return Err(broken("episode_id", ViolationKind::EpisodeUnknown, detail));
        }
        Some(false) => OutcomeStatus::NoMatch,
        Some(true) => {
            draft.change(Change::EpisodeRetracted { id: episode });
            OutcomeStatus::Applied
        }
    };
    Ok(Outcome { episode: Some(episode), ..Outcome::new(status) })
}
