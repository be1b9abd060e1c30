//! Listing conflicts: the directory knows them, the store has their statements.

use tonic::Status;

use crate::query::{AsOf, Known};
use crate::types::{Conflict, Grant, Name, StatementId, TxId};

use super::context::Context;
use super::page::QueryDigest;
use super::place::{at, number};
use super::{failure, proto, render};

pub(super) struct Work {
    pub(super) subject: Option<Name>,
    pub(super) known: Known,
    pub(super) settled: bool,
    pub(super) limit: usize,
    /// Basis transaction, and the conflict that the page before ended with.
    pub(super) place: Option<[i64; 3]>,
}

impl Context {
    pub(super) async fn list_conflicts(
        &self,
        namespace: Grant,
        work: Work,
        digest: QueryDigest,
    ) -> Result<proto::ListConflictsResponse, Status> {
        let now = self.engine().now().micros();
        let as_of = match work.place {
            Some([tx, ..]) => at(now, tx),
            None => AsOf { valid: None, known: work.known },
        };
        let after = work.place.map(|[_, tx, op]| StatementId {
            tx: TxId::new(tx.cast_unsigned()),
            op: u32::try_from(op).unwrap_or(u32::MAX),
        });
        let (mut found, basis) = self.read(&namespace, as_of, |snapshot| {
            let tx = snapshot.basis.tx;
            let subject = work.subject.as_ref().map(|name| snapshot.entity(name));
            let listed = |conflict: &&Conflict| {
                let stands = conflict.believed.contains(tx);
                let known = conflict.believed.from <= tx;
                let canonical = snapshot.directory.canonical_at(conflict.slot.subject, tx);
                let about = subject.is_none_or(|subject| subject == Some(canonical));
                let fresh = after.is_none_or(|after| conflict.id() > after);
                let seen = snapshot.seen.predicate(conflict.slot.predicate);
                seen && about && fresh && (stands || (work.settled && known))
            };
            let conflicts = snapshot.directory.conflicts().filter(listed);
            (conflicts.take(work.limit + 1).cloned().collect::<Vec<_>>(), snapshot.basis)
        })?;
        let more = found.len() > work.limit;
        found.truncate(work.limit);
        let last = found.last().map(Conflict::id);
        let engine = self.engine().clone();
        self.aside(move || {
            let statement = |id| engine.statement(&namespace, id);
            let sides = found
                .iter()
                .flat_map(|conflict| std::iter::once(&conflict.raised_by).chain(&conflict.against));
            let statements = sides
                .map(|side| Ok((side.statement, statement(side.statement)?)))
                .collect::<Result<std::collections::BTreeMap<_, _>, crate::engine::ReadError>>(
            )?;
            engine.read(&namespace, at(basis.valid.micros(), number(basis.tx)), |snapshot| {
                let directory = snapshot.directory;
                let find = |id| Ok::<_, std::convert::Infallible>(statements[&id].clone());
                let conflicts = found.iter().map(|conflict| {
                    let shown = render::conflict(directory, conflict, basis.tx, find);
                    shown.unwrap_or_else(|never| match never {})
                });
                let next = last
                    .filter(|_| more)
                    .map(|id| digest.token(&[number(basis.tx), number(id.tx), i64::from(id.op)]));
                proto::ListConflictsResponse {
                    conflicts: conflicts.collect(),
                    basis: Some(render::basis(directory, basis)),
                    next_page_token: next.unwrap_or_default(),
                }
            })
        })
        .await?
        .map_err(|error| failure::read(&error))
    }
}
