//! Answers as messages: ids become names, infinities become absent bounds.

use crate::kernel::Directory;
use crate::query::{EntityInfo, Row, Snapshot, Step};
use crate::types::{
    Basis, Conflict, ConflictSide, EntityId, Episode, FactId, Object, PredicateId, Scope,
    Statement, StatementId, Triple, TxId,
};

use super::proto;
use super::to_proto::{
    bound, civil_date, close_reason, conflict_kind, episode_kind, instant, statement_bounds,
    statement_kind, trust, value,
};

pub(super) fn basis(directory: &Directory, basis: Basis) -> proto::Basis {
    proto::Basis {
        erased: directory.is_rewritten(basis.tx),
        valid_time: Some(instant(basis.valid)),
        tx: basis.tx.raw(),
        tx_time: directory.time_of(basis.tx).map(instant),
    }
}

pub(super) fn rows(snapshot: Snapshot<'_>, rows: &[Row]) -> Vec<proto::Rectangle> {
    rows.iter().map(|row| rectangle(snapshot.directory, row)).collect()
}

pub(super) fn rectangle(directory: &Directory, row: &Row) -> proto::Rectangle {
    let Row { triple, valid, tx_from, closed } = *row;
    let tx_to = closed.map(|(tx, _)| tx);
    proto::Rectangle {
        fact_id: FactId(triple).to_string(),
        subject: entity_name(directory, triple.subject),
        predicate: predicate_name(directory, triple.predicate),
        object: Some(object(directory, triple.object)),
        valid_from: bound(valid.start()),
        valid_to: bound(valid.end()),
        tx_from: tx_from.raw(),
        tx_to: tx_to.map(TxId::raw),
        tx_from_time: directory.time_of(tx_from).map(instant),
        tx_to_time: tx_to.and_then(|tx| directory.time_of(tx)).map(instant),
        close_reason: closed.map_or(0, |(_, reason)| close_reason(reason).into()),
        scope: directory.scope_of(triple.predicate).and_then(scope),
    }
}

/// Nothing where it is for everybody.
pub(super) fn scope(scope: &Scope) -> Option<proto::Scope> {
    let owner = scope.owner.as_ref().map_or_else(String::new, ToString::to_string);
    let labels = scope.labels.iter().map(ToString::to_string).collect();
    (!scope.is_open()).then_some(proto::Scope { owner, labels })
}

pub(super) fn step(directory: &Directory, step: &Step) -> proto::Step {
    proto::Step {
        rectangle: Some(rectangle(directory, &step.row)),
        hop: i32::try_from(step.hop).expect("hops are bounded"),
        reversed: step.reversed,
    }
}

pub(super) fn entity(directory: &Directory, info: &EntityInfo) -> proto::Entity {
    proto::Entity {
        id: format!("e{}", info.id.raw()),
        name: entity_name(directory, info.id),
        merged_into: info.merged_into.map_or_else(String::new, |id| entity_name(directory, id)),
        aliases: info.aliases.iter().map(|id| entity_name(directory, *id)).collect(),
    }
}

/// An episode as it stands at the basis.
pub(super) fn episode(snapshot: Snapshot<'_>, episode: &Episode) -> proto::Episode {
    let directory = snapshot.directory;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let source = episode.source.and_then(|source| directory.source_name(source));
    let info = directory.episode(episode.id).expect("a stored episode is in the log");
    let tx_to = Some(info.believed.to).filter(|to| *to <= snapshot.basis.tx);
    proto::Episode {
        id: episode.id.to_string(),
        kind: episode_kind(episode.kind).into(),
        text: episode.text.clone(),
        speaker: text(&episode.speaker),
        title: text(&episode.title),
        session: text(&episode.session),
        source: source.map_or_else(String::new, ToString::to_string),
        trust: trust(episode.trust).into(),
        importance: episode.importance.map(crate::types::Confidence::get),
        valid_from: bound(episode.valid.start()),
        valid_to: bound(episode.valid.end()),
        tx_from: info.believed.from.raw(),
        tx_to: tx_to.map(TxId::raw),
        tx_from_time: directory.time_of(info.believed.from).map(instant),
        tx_to_time: tx_to.and_then(|tx| directory.time_of(tx)).map(instant),
        scope: scope(&episode.scope),
        fold: episode.fold.as_ref().map(super::to_proto::fold),
        grounds_gone: directory.is_groundless(episode.id, snapshot.basis.tx),
        derived_from_ids: episode.derived_from.iter().map(ToString::to_string).collect(),
    }
}

/// A statement under the names it was recorded with, as it stands at a transaction.
pub(super) fn statement(
    directory: &Directory,
    statement: &Statement,
    at: TxId,
) -> proto::Statement {
    let Triple { subject, predicate, object: said } = statement.triple;
    let (from, to) = statement_bounds(statement.kind);
    let source = statement.source;
    let bound = source.and_then(|source| directory.withdrawn_at(source, at));
    proto::Statement {
        id: statement.id.to_string(),
        fact_id: FactId(statement.triple).to_string(),
        subject: entity_name(directory, subject),
        predicate: predicate_name(directory, predicate),
        object: Some(object(directory, said)),
        kind: statement_kind(statement.kind).into(),
        from,
        to,
        from_written: statement.from_written.as_ref().map(civil_date),
        to_written: statement.to_written.as_ref().map(civil_date),
        evidence: Some(evidence(directory, statement)),
        tx: statement.id.tx.raw(),
        tx_time: directory.time_of(statement.id.tx).map(instant),
        contested: statement.contested,
        accepts_id: statement.accepts.map_or_else(String::new, |id| id.to_string()),
        withdrawn: bound.is_some_and(|bound| statement.id < bound),
    }
}

pub(super) fn evidence(directory: &Directory, statement: &Statement) -> proto::Evidence {
    let name = statement.source.and_then(|source| directory.source_name(source));
    proto::Evidence {
        source: name.map_or_else(String::new, ToString::to_string),
        trust: trust(statement.trust).into(),
        confidence: statement.confidence.map(crate::types::Confidence::get),
        statement: statement.text.clone().unwrap_or_default(),
        derived_from_ids: statement.derived_from.iter().map(ToString::to_string).collect(),
        importance: statement.importance.map(crate::types::Confidence::get),
        episode_id: statement.episode.as_ref().map_or_else(String::new, ToString::to_string),
        vector: None,
        scope: directory.scope_of(statement.triple.predicate).and_then(scope),
    }
}

/// A conflict; `find` reads a statement by its id.
pub(super) fn conflict<E>(
    directory: &Directory,
    conflict: &Conflict,
    at: TxId,
    mut find: impl FnMut(StatementId) -> Result<Option<Statement>, E>,
) -> Result<proto::Conflict, E> {
    // A statement that is not there was erased since the conflict was looked up.
    let mut side = |side: &ConflictSide| -> Result<Option<proto::Statement>, E> {
        Ok(find(side.statement)?.map(|found| statement(directory, &found, at)))
    };
    let against: Vec<Option<proto::Statement>> =
        conflict.against.iter().map(&mut side).collect::<Result<_, E>>()?;
    let settled = conflict.believed.to <= at;
    Ok(proto::Conflict {
        id: conflict.id().to_string(),
        kind: conflict_kind(conflict.kind).into(),
        raised_by: side(&conflict.raised_by)?,
        against: against.into_iter().flatten().collect(),
        tx_from: conflict.believed.from.raw(),
        tx_to: settled.then(|| conflict.believed.to.raw()),
    })
}

pub(super) fn entity_name(directory: &Directory, id: EntityId) -> String {
    directory.entity_name(id).expect("every id was named").to_string()
}

pub(super) fn predicate_name(directory: &Directory, id: PredicateId) -> String {
    directory.predicate_info(id).expect("every id was named").name.to_string()
}

pub(super) fn object(directory: &Directory, object: Object) -> proto::Object {
    let object = match object {
        Object::Entity(id) => proto::object::Object::Entity(entity_name(directory, id)),
        Object::Value(id) => {
            let literal = directory.value_of(id).expect("every id was recorded");
            proto::object::Object::Value(value(literal))
        }
    };
    proto::Object { object: Some(object) }
}
