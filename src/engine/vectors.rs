//! Vectors that come with a command: whether they fit the space, and where they are stored.

use crate::kernel::{
    Change, Command, Mode, Op, Rejection, SuppliedVector, Tx, Violation, ViolationKind,
};
use crate::store::{SpaceRecord, VectorRow};
use crate::types::{DocumentKey, DocumentKind};

use super::spaces::SpaceSpec;

/// The space that the first vector of a command asks for, where there is none yet.
pub(super) fn asked_for(command: &Command) -> Option<SpaceSpec> {
    let SuppliedVector { vector, model } = command.ops.iter().find_map(Op::vector)?;
    let dimension = u32::try_from(vector.dimension()).expect("a dimension is bounded");
    Some(SpaceSpec { model: model.clone().unwrap_or_default(), dimension, supplied: true })
}

/// Refuses vectors of another space, or leaves out their operations where the others may stand.
pub(super) fn checked(
    command: &Command,
    space: Option<&SpaceRecord>,
) -> Result<Option<Command>, Rejection> {
    let misfit = |(place, op): (usize, &Op)| misfit(place, op, space?);
    let misfits: Vec<Violation> = command.ops.iter().enumerate().filter_map(misfit).collect();
    if misfits.is_empty() {
        return Ok(None);
    }
    match command.mode {
        Mode::Atomic => Err(Rejection::new(misfits)),
        Mode::Partial => {
            let mut command = command.clone();
            for misfit in misfits {
                let place = misfit.op.expect("a misfit is in an operation");
                command.ops[place] = Op::Invalid(vec![Violation { op: None, ..misfit }]);
            }
            Ok(Some(command))
        }
    }
}

fn misfit(place: usize, op: &Op, space: &SpaceRecord) -> Option<Violation> {
    let SuppliedVector { vector, model } = op.vector()?;
    let field = match op {
        Op::AddEpisode(_) => "vector",
        _ => "evidence.vector",
    };
    let detail = mismatch(vector.dimension(), model.as_deref(), &SpaceSpec::of(space))?;
    let kind = ViolationKind::VectorMismatch;
    Some(Violation { op: Some(place), field: field.into(), kind, detail })
}

/// What keeps a vector out of a space, with both numbers or both names.
#[must_use]
pub fn mismatch(dimension: usize, model: Option<&str>, space: &SpaceSpec) -> Option<String> {
    let SpaceSpec { model: of_space, dimension: expected, .. } = space;
    if dimension != *expected as usize {
        let vectors = format!("the vector has {dimension} numbers");
        return Some(format!("{vectors}, the space of {of_space:?} has {expected}"));
    }
    let other = model.filter(|model| model != of_space)?;
    Some(format!("the vector is of the model {other:?}, the space is of {of_space:?}"))
}

/// The vectors of a transaction under the documents they belong to.
pub(super) fn rows(command: &Command, tx: &Tx) -> Vec<VectorRow> {
    let mut rows = Vec::new();
    for change in &tx.changes {
        match change {
            Change::Stated(statement) if statement.embedded && !statement.kind.is_retract() => {
                rows.push((DocumentKind::Statement, statement.id.op, statement.operation));
            }
            Change::EpisodeAdded(episode) if episode.embedded => {
                rows.push((DocumentKind::Episode, episode.id.op, episode.operation));
            }
            _ => {}
        }
    }
    let rows = rows.into_iter().filter_map(|(kind, op, operation)| {
        let supplied = command.ops[operation as usize].vector()?;
        Some((DocumentKey { tx: tx.id, kind, op }, supplied.vector.clone()))
    });
    rows.collect()
}
