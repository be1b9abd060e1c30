//! Listing facts: in bites, so that a long listing never keeps the writer waiting for long.

use prost::Message;
use tonic::Status;

use crate::engine::note_found;
use crate::query::{
    AsOf, Budget, FactsQuery, Halt, PatternName, Row, RowKey, Snapshot, Span, facts,
};
use crate::types::Grant;
use crate::types::limits::PAGE_BYTES_MAX;

use super::context::{Context, EDGES_AT_ONCE};
use super::page::QueryDigest;
use super::place::{at, facts_words, number};
use super::{proto, render};

/// One listing of facts, in as many bites as its budget needs.
pub(super) struct List {
    pub(super) pattern: PatternName,
    pub(super) span: Span,
    pub(super) limit: usize,
    pub(super) after: Option<RowKey>,
}

impl Context {
    pub(super) async fn list_facts(
        &self,
        namespace: &Grant,
        as_of: AsOf,
        list: List,
        digest: QueryDigest,
    ) -> Result<proto::ListFactsResponse, Status> {
        let List { pattern, span, limit, mut after } = list;
        let mut answer = proto::ListFactsResponse::default();
        let mut as_of = as_of;
        let mut bytes = 0;
        loop {
            let wanted = limit - answer.rectangles.len();
            let asked = pattern.clone();
            let bite = move |snapshot: Snapshot<'_>, halt: &Halt| {
                let basis = snapshot.basis;
                let resolved = snapshot.pattern(&asked);
                let page = resolved.map(|pattern| {
                    let query = FactsQuery { pattern, span, limit: wanted, after };
                    facts(snapshot, &query, &mut Budget::edges(EDGES_AT_ONCE).until(halt))
                });
                let (rows, next) = page.map_or((Vec::new(), None), |page| (page.rows, page.next));
                let keys: Vec<RowKey> = rows.iter().map(Row::key).collect();
                let shown = render::basis(snapshot.directory, basis);
                (render::rows(snapshot, &rows), keys, next, basis, shown)
            };
            let (rows, keys, mut next, basis, shown) =
                self.read_facts(namespace, as_of, std::slice::from_ref(&pattern), bite).await?;
            for (row, key) in rows.into_iter().zip(keys) {
                bytes += row.encoded_len();
                if bytes > PAGE_BYTES_MAX && !answer.rectangles.is_empty() {
                    break;
                }
                answer.rectangles.push(row);
                after = Some(key);
            }
            if bytes > PAGE_BYTES_MAX {
                next = after;
            }
            answer.basis = Some(shown);
            as_of = at(basis.valid.micros(), number(basis.tx));
            after = next;
            let Some(next) = next else {
                note_found(answer.rectangles.len());
                return Ok(answer);
            };
            if answer.rectangles.len() >= limit || bytes > PAGE_BYTES_MAX {
                note_found(answer.rectangles.len());
                answer.next_page_token = digest.token(&facts_words(basis, next));
                return Ok(answer);
            }
        }
    }
}
