//! A transaction as operations: importing them at its number and time gives the same facts at every
//! basis. Compositions come apart into the statements they recorded, which is what they mean.

use crate::kernel::{Change, Directory, Tx};
use crate::query::Snapshot;
use crate::types::{
    Cardinality, Confidence, Conflict, ConflictKind, ConflictSide, EntityId, Episode, EpisodeId,
    Statement, StatementId, StatementKind, Timestamp, Triple, Written,
};

use super::proto;
use super::proto::operation::Operation as Kind;
use super::render::{entity_name, evidence, object, predicate_name, scope};
use super::to_proto::{cardinality, civil_date, episode_kind, fold, instant, trust};

/// Without what the caller may not see.
pub(super) fn operations(snapshot: Snapshot<'_>, tx: &Tx) -> Vec<proto::Operation> {
    let directory = snapshot.directory;
    let seen = |change: &Change| match change {
        Change::Stated(statement) => snapshot.sees(statement.triple),
        Change::EpisodeAdded(episode) => sees_episode(snapshot, episode.id),
        Change::EpisodeRetracted { id } => sees_episode(snapshot, *id),
        Change::ConflictClosed { id } => {
            let conflict = directory.conflict(*id);
            conflict.is_some_and(|conflict| snapshot.seen.predicate(conflict.slot.predicate))
        }
        _ => true,
    };
    let changes = tx.changes.iter().enumerate().filter(|(_, change)| seen(change));
    let kinds = changes.filter_map(|(place, change)| kind(directory, tx, place, change));
    kinds.map(|operation| proto::Operation { operation: Some(operation) }).collect()
}

fn sees_episode(snapshot: Snapshot<'_>, id: EpisodeId) -> bool {
    let entry = snapshot.documents.episode_by_id(id);
    entry.is_some_and(|entry| snapshot.seen.scope(entry.scope))
}

fn kind(directory: &Directory, tx: &Tx, place: usize, change: &Change) -> Option<Kind> {
    let entity = |id: EntityId| entity_name(directory, id);
    match change {
        Change::Stated(statement) => Some(stated(directory, statement)),
        Change::Merged { duplicate, into } => {
            Some(Kind::Merge(proto::Merge { duplicate: entity(*duplicate), into: entity(*into) }))
        }
        Change::Unmerged { duplicate } => {
            Some(Kind::Unmerge(proto::Unmerge { duplicate: entity(*duplicate) }))
        }
        Change::PredicateDeclared { id, cardinality: declared } => {
            Some(declaration(predicate_name(directory, *id), *declared))
        }
        Change::SourceWithdrawn { source, .. } => {
            let source = directory.source_name(*source).expect("every id was named");
            Some(Kind::WithdrawSource(proto::WithdrawSource { source: source.to_string() }))
        }
        Change::ConflictClosed { id } => kept_side(directory, tx, place, *id),
        Change::EpisodeAdded(episode) => Some(added(directory, episode)),
        Change::EpisodeRetracted { id } => {
            let episode_id = directory.told_episode(*id).to_string();
            Some(Kind::RetractEpisode(proto::RetractEpisode { episode_id }))
        }
        // Derived from the above when it is decided again.
        Change::EntityCreated { .. }
        | Change::PredicateCreated { .. }
        | Change::PredicateScoped { .. }
        | Change::ValueCreated { .. }
        | Change::SourceCreated { .. }
        | Change::PredicateTyped { .. }
        | Change::Opened { .. }
        | Change::Closed { .. }
        | Change::ConflictOpened(_)
        // Whoever imports it is told nothing of what was erased.
        | Change::Erased { .. }
        | Change::Erasure(_) => None,
    }
}

/// A conflict closed by accepting the side that was believed leaves no statement, so that side is
/// accepted again. Not where the closing leaves one, or follows from another operation, and
/// accepting that side would state it again instead.
fn kept_side(directory: &Directory, tx: &Tx, place: usize, id: StatementId) -> Option<Kind> {
    let conflict = directory.conflict(id)?;
    let displaced = standing(directory, tx, place).any(|other| names(&other.against, id));
    if conflict.kind == ConflictKind::Contested || displaced || takes_a_side(tx, conflict) {
        return None;
    }
    let statement_id = directory.told_statement(id).to_string();
    Some(Kind::Accept(proto::Accept { statement_id, ..Default::default() }))
}

/// The conflicts of earlier transactions that stood when the change at `place` was made.
fn standing<'a>(
    directory: &'a Directory,
    tx: &'a Tx,
    place: usize,
) -> impl Iterator<Item = &'a Conflict> {
    let closes = |change: &Change, id| matches!(change, Change::ConflictClosed { id: closed } if *closed == id);
    directory.conflicts().filter(move |conflict| {
        let still = || tx.changes[place..].iter().any(|change| closes(change, conflict.id()));
        let believed = conflict.believed;
        believed.from < tx.id && (believed.to > tx.id || believed.to == tx.id && still())
    })
}

/// Whether the transaction states a side of the conflict again.
fn takes_a_side(tx: &Tx, conflict: &Conflict) -> bool {
    tx.changes.iter().any(|change| match change {
        Change::Stated(Statement { accepts: Some(accepted), .. }) => {
            conflict.id() == *accepted || names(&conflict.against, *accepted)
        }
        _ => false,
    })
}

fn names(sides: &[ConflictSide], statement: StatementId) -> bool {
    sides.iter().any(|side| side.statement == statement)
}

fn declaration(predicate: String, declared: Cardinality) -> Kind {
    let cardinality = cardinality(declared).into();
    Kind::DeclarePredicate(proto::DeclarePredicate { predicate, cardinality })
}

/// What a contested statement stands against: it is not weighed again.
fn held_back(directory: &Directory, statement: &Statement) -> Vec<String> {
    let conflict = directory.conflict(statement.id).filter(|_| statement.contested);
    let against = conflict.map_or(&[][..], |conflict| &conflict.against);
    against.iter().map(|side| directory.told_statement(side.statement).to_string()).collect()
}

fn stated(directory: &Directory, statement: &Statement) -> Kind {
    if let Some(accepted) = statement.accepts {
        let statement_id = directory.told_statement(accepted).to_string();
        return Kind::Accept(proto::Accept { statement_id, trust: trust(statement.trust).into() });
    }
    let triple = Some(triple(directory, statement.triple));
    // Under the ids that they get where this is imported.
    let told = |id: &StatementId| directory.told_statement(*id).to_string();
    let evidence = Some(proto::Evidence {
        derived_from_ids: statement.derived_from.iter().map(told).collect(),
        episode_id: statement
            .episode
            .map_or_else(String::new, |id| directory.told_episode(id).to_string()),
        ..evidence(directory, statement)
    });
    let from = |at| Some(bound(at, statement.from_written.as_ref()));
    let to = |at| Some(bound(at, statement.to_written.as_ref()));
    // It was admitted, so no block may stand in its way again.
    let assert = proto::Assert {
        triple: triple.clone(),
        r#override: true,
        deliberate: statement.deliberate,
        contested_against_ids: held_back(directory, statement),
        ..Default::default()
    };
    match statement.kind {
        StatementKind::Open { from: start } => {
            Kind::Assert(proto::Assert { from: from(start), evidence, ..assert })
        }
        StatementKind::Definite(span) => Kind::Assert(proto::Assert {
            from: from(span.start()),
            to: to(span.end()),
            evidence,
            ..assert
        }),
        StatementKind::AtLeast(span) => Kind::Assert(proto::Assert {
            from: from(span.start()),
            to: to(span.end()),
            at_least: true,
            evidence,
            ..assert
        }),
        StatementKind::End { at } => Kind::End(proto::End { triple, at: to(at), evidence }),
        StatementKind::RetractAll { block } => {
            Kind::Retract(proto::Retract { triple, block, evidence, ..Default::default() })
        }
        StatementKind::RetractPart { range, correct, block } => Kind::Retract(proto::Retract {
            triple,
            from: from(range.start()),
            to: to(range.end()),
            correct,
            block,
            evidence,
        }),
    }
}

fn added(directory: &Directory, episode: &Episode) -> Kind {
    let source = episode.source.and_then(|source| directory.source_name(source));
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let told = |id: &EpisodeId| directory.told_episode(*id).to_string();
    // An undated one is imported with the time of its transaction, which is kept.
    let from = Some(bound(episode.valid.start(), episode.from_written.as_ref()));
    let to = Some(bound(episode.valid.end(), episode.to_written.as_ref()));
    Kind::AddEpisode(proto::AddEpisode {
        kind: episode_kind(episode.kind).into(),
        text: episode.text.clone(),
        speaker: text(&episode.speaker),
        title: text(&episode.title),
        session: text(&episode.session),
        from: from.filter(|_| episode.dated),
        to,
        source: source.map_or_else(String::new, ToString::to_string),
        trust: trust(episode.trust).into(),
        importance: episode.importance.map(Confidence::get),
        vector: None,
        scope: scope(&episode.scope),
        fold: episode
            .fold
            .as_ref()
            .map(|stands| proto::Fold { through: told(&stands.through), ..fold(stands) }),
        derived_from_ids: episode.derived_from.iter().map(told).collect(),
    })
}

fn triple(directory: &Directory, triple: Triple) -> proto::Triple {
    proto::Triple {
        subject: entity_name(directory, triple.subject),
        predicate: predicate_name(directory, triple.predicate),
        object: Some(object(directory, triple.object)),
    }
}

/// The instant as it was resolved, with the words beside it: they are not resolved again.
fn bound(at: Timestamp, words: Option<&Written>) -> proto::Bound {
    let bound = if at.is_instant() {
        proto::bound::Bound::Instant(instant(at))
    } else {
        proto::bound::Bound::Unbounded(proto::Unbounded {})
    };
    proto::Bound { bound: Some(bound), written: words.map(civil_date) }
}
