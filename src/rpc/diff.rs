//! Comparing two bases, in bites.

use tonic::Status;

use crate::query::{AsOf, Budget, DiffQuery, Halt, PatternName, Side, Snapshot, diff};
use crate::types::Grant;

use super::context::{Context, EDGES_AT_ONCE};
use super::page::QueryDigest;
use super::place::{at, entity, number};
use super::{proto, render};

/// One comparison. `place` is where the page before ended: both bases and a subject.
pub(super) struct DiffWork {
    pub(super) from: AsOf,
    pub(super) to: AsOf,
    pub(super) pattern: PatternName,
    pub(super) limit: usize,
    pub(super) plain: bool,
    pub(super) place: Option<[i64; 5]>,
}

impl Context {
    pub(super) async fn diff_facts(
        &self,
        namespace: Grant,
        work: DiffWork,
        digest: QueryDigest,
    ) -> Result<proto::DiffFactsResponse, Status> {
        let DiffWork { from, to, pattern, limit, plain, place } = work;
        let (from, to) = match place {
            Some([valid, tx, to_valid, to_tx, _]) => (at(valid, tx), at(to_valid, to_tx)),
            None => (from, to),
        };
        // One now for both, or a missing valid point would differ from itself.
        let now = Some(self.engine().now());
        let (from, to) =
            [from, to].map(|as_of| AsOf { valid: as_of.valid.or(now), ..as_of }).into();
        let from = self.read(&namespace, from, |snapshot| snapshot.basis)?;
        let to = self.read(&namespace, to, |snapshot| snapshot.basis)?;
        let mut after = place.map(|[.., subject]| entity(subject));
        let mut answer = proto::DiffFactsResponse::default();
        loop {
            let asked = pattern.clone();
            let as_of = at(to.valid.micros(), number(to.tx));
            let given = answer.removed.len() + answer.added.len() + answer.changed.len();
            let wanted = limit.saturating_sub(given);
            let bite = move |snapshot: Snapshot<'_>, halt: &Halt| {
                let side = |basis| {
                    let pattern = Snapshot { basis, ..snapshot }.pattern(&asked);
                    Side { basis, pattern }
                };
                let (limit, from_side, to_side) = (wanted, side(from), side(to));
                let query = DiffQuery { from: from_side, to: to_side, plain, limit, after };
                let mut budget = Budget::edges(EDGES_AT_ONCE).until(halt);
                let found = diff(snapshot, &query, &mut budget);
                let changed = found.changed.iter().map(|changed| proto::ChangedFact {
                    before: Some(render::rectangle(snapshot.directory, &changed.before)),
                    after: Some(render::rectangle(snapshot.directory, &changed.after)),
                });
                let page = proto::DiffFactsResponse {
                    removed: render::rows(snapshot, &found.removed),
                    added: render::rows(snapshot, &found.added),
                    changed: changed.collect(),
                    from_basis: Some(render::basis(snapshot.directory, from)),
                    to_basis: Some(render::basis(snapshot.directory, to)),
                    next_page_token: String::new(),
                };
                (page, found.next)
            };
            let patterns = std::slice::from_ref(&pattern);
            let (mut page, next) = self.read_facts(&namespace, as_of, patterns, bite).await?;
            answer.removed.append(&mut page.removed);
            answer.added.append(&mut page.added);
            answer.changed.append(&mut page.changed);
            (answer.from_basis, answer.to_basis) = (page.from_basis, page.to_basis);
            after = next;
            let Some(next) = next else { return Ok(answer) };
            if answer.removed.len() + answer.added.len() + answer.changed.len() >= limit {
                let bases =
                    [from.valid.micros(), number(from.tx), to.valid.micros(), number(to.tx)];
                let [a, b, c, d] = bases;
                answer.next_page_token = digest.token(&[a, b, c, d, i64::from(next.raw())]);
                return Ok(answer);
            }
        }
    }
}
