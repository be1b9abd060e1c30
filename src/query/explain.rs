//! Why a fact holds or does not: the statements of its group, the rectangles they gave, and what
//! each took the place of.

use crate::kernel::Group;
use crate::types::{CloseReason, Object, Rectangle, Statement, StatementId, Triple, TxId};

use super::answer::Row;
use super::facts::visible;
use super::halt::Halt;
use super::snapshot::Snapshot;
use super::timeline::ever;

/// A rectangle, and the rectangles of its slot that were closed by the transaction that opened it
/// and whose valid time it overlaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedRectangle {
    pub row: Row,
    pub supersedes: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    pub visible: Option<Row>,
    pub owner: Option<StatementId>,
    /// The instant is owned but empty: the fact is known to have ended there.
    pub known_ended: bool,
    /// In recording order, up to the basis.
    pub statements: Vec<Statement>,
    pub rectangles: Vec<ExplainedRectangle>,
}

/// `statements` are those of the group at the basis, in recording order. Once it is halted it ends
/// early, with an answer for nobody.
#[must_use]
pub fn explain(
    snapshot: Snapshot<'_>,
    triple: Triple,
    statements: Vec<Statement>,
    halt: &Halt,
) -> Explained {
    let (directory, basis) = (snapshot.directory, snapshot.basis);
    let canonical = |object: Object| match object {
        Object::Entity(id) => Object::Entity(directory.canonical_at(id, basis.tx)),
        Object::Value(_) => object,
    };
    let counts = |statement: &&Statement| {
        let source = statement.source;
        let withdrawn = source.and_then(|source| directory.withdrawn_at(source, basis.tx));
        withdrawn.is_none_or(|bound| statement.id >= bound)
    };
    let group = Group::fold(statements.iter().filter(counts), canonical);
    let pieces = group.timeline().pieces();
    let piece = pieces.iter().find(|piece| piece.span.contains(basis.valid));
    let mine = piece.filter(|piece| piece.owner.object == triple.object);
    let slot = ever(snapshot, triple.subject, &[triple.predicate]);
    let rectangles = slot
        .iter()
        .take_while(|_| !halt.is_halted())
        .filter(|rectangle| rectangle.triple == triple)
        .map(|rectangle| explained(snapshot, rectangle, &slot))
        .collect();
    Explained {
        visible: visible(snapshot, triple).map(|edge| Row::of_edge(&edge, basis)),
        owner: mine.map(|piece| piece.owner.statement),
        known_ended: mine.is_some_and(|piece| !piece.held),
        statements,
        rectangles,
    }
}

fn explained(
    snapshot: Snapshot<'_>,
    rectangle: &Rectangle,
    slot: &[Rectangle],
) -> ExplainedRectangle {
    let taken = |other: &&Rectangle| {
        other.believed.to == rectangle.believed.from
            && other.closed.is_some_and(|reason| reason != CloseReason::Regrouped)
            && other.valid.overlaps(rectangle.valid)
            && rectangle.believed.from > TxId::ZERO
    };
    let supersedes = slot.iter().filter(taken);
    ExplainedRectangle {
        row: Row::of(*rectangle, snapshot.basis),
        supersedes: supersedes.map(|other| Row::of(*other, snapshot.basis)).collect(),
    }
}
