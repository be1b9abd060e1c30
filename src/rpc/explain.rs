//! Explaining a fact: what the store says of it, under the names that readers know.

use tonic::Status;

use crate::query::{AsOf, Snapshot};
use crate::types::{FactId, Grant, Object};

use super::context::Context;
use super::erase::erasure_id;
use super::place::{at, number};
use super::{failure, proto, render};

impl Context {
    pub(super) async fn explain_fact(
        &self,
        namespace: Grant,
        as_of: AsOf,
        fact: FactId,
    ) -> Result<proto::ExplainFactResponse, Status> {
        self.read(&namespace, as_of, |snapshot| known_fact(snapshot, fact))??;
        let id = self.engine().namespace(&namespace).map_err(|error| failure::read(&error))?.id;
        let engine = self.engine().clone();
        let name = namespace.clone();
        let explanation = self
            .aside_until(move |halt| engine.explain(&name, as_of, fact.0, halt))
            .await?
            .map_err(|error| failure::read(&error))?;
        let basis = explanation.basis;
        let explained = explanation.explained;
        self.read(&namespace, at(basis.valid.micros(), number(basis.tx)), |snapshot| {
            let directory = snapshot.directory;
            let statements = explained.statements.iter();
            let rectangles = explained.rectangles.iter();
            proto::ExplainFactResponse {
                visible: explained.visible.map(|row| render::rectangle(directory, &row)),
                owner_statement_id: explained.owner.map(|id| id.to_string()).unwrap_or_default(),
                known_ended: explained.known_ended,
                statements: statements
                    .map(|statement| render::statement(directory, statement, basis.tx))
                    .collect(),
                rectangles: rectangles
                    .map(|explained| proto::ExplainedRectangle {
                        rectangle: Some(render::rectangle(directory, &explained.row)),
                        supersedes: render::rows(snapshot, &explained.supersedes),
                    })
                    .collect(),
                basis: Some(render::basis(directory, basis)),
                erasure_id: directory
                    .erased_fact(fact.0)
                    .map_or_else(String::new, |number| erasure_id(id, number)),
            }
        })
    }
}

/// A fact whose ids were never given out is an error, not an empty answer.
pub(super) fn known_fact(snapshot: Snapshot<'_>, fact: FactId) -> Result<(), Status> {
    let FactId(triple) = fact;
    let directory = snapshot.directory;
    let object = match triple.object {
        Object::Entity(id) => directory.entity_name(id).is_some(),
        Object::Value(id) => directory.value_of(id).is_some(),
    };
    let known = object
        && directory.entity_name(triple.subject).is_some()
        && directory.predicate_info(triple.predicate).is_some()
        // To whom it is hidden it is unknown: whether it exists is a part of what it says.
        && snapshot.sees(triple);
    if known { Ok(()) } else { Err(failure::fact_unknown(fact)) }
}
