//! What a command names by its id and its caller may not see. To the caller it is unknown.

use crate::kernel::{Command, Op, Rejection, Violation, ViolationKind};
use crate::query::Snapshot;
use crate::types::{Conflict, ConflictSide, EpisodeId, StatementId};

/// # Errors
/// Every statement and episode that is hidden from the caller.
pub(super) fn refuse(snapshot: Snapshot<'_>, command: &Command) -> Result<(), Rejection> {
    if snapshot.seen.everything() {
        return Ok(());
    }
    let mut hidden = Vec::new();
    for (place, op) in command.ops.iter().enumerate() {
        let mut fail = |field: &str, kind, detail| {
            hidden.push(Violation {
                op: Some(place),
                field: field.to_owned().into(),
                kind,
                detail,
            });
        };
        let (of_statement, of_episode) = named(op);
        for id in of_statement.filter(|id| !sees_side(snapshot, *id)) {
            fail("statement_id", ViolationKind::StatementUnknown, format!("no statement {id}"));
        }
        if let Some((field, id)) = of_episode.filter(|(_, id)| !sees_episode(snapshot, *id)) {
            fail(field, ViolationKind::EpisodeUnknown, format!("no episode {id}"));
        }
    }
    if hidden.is_empty() { Ok(()) } else { Err(Rejection::new(hidden)) }
}

/// The side of a conflict and the episode that an operation names.
fn named(
    op: &Op,
) -> (impl Iterator<Item = StatementId> + use<>, Option<(&'static str, EpisodeId)>) {
    let accepted = match op {
        Op::Accept(op) => Some(op.statement),
        _ => None,
    };
    let episode = match op {
        Op::RetractEpisode(op) => Some(("episode_id", op.episode)),
        Op::Assert(op) => op.evidence.episode.map(|id| ("evidence.episode_id", id)),
        Op::End(op) => op.evidence.episode.map(|id| ("evidence.episode_id", id)),
        Op::Retract(op) => op.evidence.episode.map(|id| ("evidence.episode_id", id)),
        Op::Supersede(op) => op.evidence.episode.map(|id| ("evidence.episode_id", id)),
        Op::Correct(op) => op.evidence.episode.map(|id| ("evidence.episode_id", id)),
        _ => None,
    };
    (accepted.into_iter(), episode)
}

/// Whether a statement is a side of a conflict that the caller may see: no other is accepted.
fn sees_side(snapshot: Snapshot<'_>, id: StatementId) -> bool {
    let names = |conflict: &&Conflict| {
        let is = |side: &ConflictSide| side.statement == id;
        is(&conflict.raised_by) || conflict.against.iter().any(is)
    };
    let mut conflicts = snapshot.directory.conflicts().filter(names);
    conflicts.any(|conflict| snapshot.seen.predicate(conflict.slot.predicate))
}

/// One that does not exist is for the kernel to refuse.
fn sees_episode(snapshot: Snapshot<'_>, id: EpisodeId) -> bool {
    let entry = snapshot.documents.episode_by_id(id);
    entry.is_none_or(|entry| snapshot.seen.scope(entry.scope))
}
