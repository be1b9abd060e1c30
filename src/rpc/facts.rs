//! `FactService`: convert, ask the engine, convert.

use tonic::{Request, Response, Status, Streaming};

use crate::engine::{Engine, Submission};
use crate::kernel::ViolationKind;
use crate::query::{
    AsOf, Budget, FactsQuery, Pattern, Snapshot, Span, audit, beliefs, facts, timeline,
};
use crate::types::limits::{EDGES_EXAMINED_MAX, PATTERNS_MAX, ROWS_MAX};
use crate::types::{Basis, EntityId, Name, PredicateId, Role, TxId};

use super::caller::open;
use super::context::{Context, Stopping};
use super::diff::DiffWork;
use super::explain::known_fact;
use super::from_proto::{self, Form, fact_id};
use super::hidden;
use super::list::List;
use super::place::{at, facts_place, number};
use super::proto::fact_service_server::FactService;
use super::status::rejected;
use super::stream::Reply;
use super::{failure, proto, reflect, render, stream, to_proto};

#[derive(Clone)]
pub struct Facts {
    context: Context,
}

impl Facts {
    pub(super) fn new(context: Context) -> Facts {
        Facts { context }
    }

    fn engine(&self) -> &Engine {
        self.context.engine()
    }
}

#[tonic::async_trait]
impl FactService for Facts {
    async fn transact(
        &self,
        request: Request<proto::TransactRequest>,
    ) -> Result<Response<proto::TransactResponse>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Writer, &request.namespace)?;
        let operations = &request.operations;
        let command = from_proto::command(&request, zone, &namespace.clearance);
        caller.note_denials(&namespace, &command);
        let command = command.map_err(|rejection| rejected(&rejection, operations))?;
        hidden::refuse(&self.context, &namespace, &command, operations).await?;
        let watched = reflect::watched(&self.context, &namespace, &command);
        let submission = Submission { dry_run: request.dry_run, ..Submission::from(command) };
        let receipt = self.engine().submit(&namespace, submission).await;
        let receipt = receipt.map_err(|error| failure::submit(&error, operations))?;
        reflect::after_write(&self.context, &namespace, watched);
        Ok(Response::new(proto::TransactResponse {
            tx: receipt.tx.raw(),
            tx_time: Some(to_proto::instant(receipt.time)),
            outcomes: to_proto::outcomes(&receipt.outcomes, operations),
            replayed: receipt.replayed,
        }))
    }

    async fn get_fact(
        &self,
        request: Request<proto::GetFactRequest>,
    ) -> Result<Response<proto::GetFactResponse>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let fact = fact_id(&mut form, "fact_id", &request.fact_id);
        let as_of = form.as_of("as_of", request.as_of.as_ref());
        let (fact, as_of) = failure::form(form.finish(|| Ok((fact?, as_of?))))?;
        let answer = self.context.read(&namespace, as_of, |snapshot| {
            known_fact(snapshot, fact)?;
            let triple = snapshot.canonical(fact.0);
            let pattern = Pattern {
                subject: Some(triple.subject),
                predicates: vec![triple.predicate],
                object: Some(triple.object),
            };
            let query = FactsQuery { pattern, span: Span::Basis, limit: 1, after: None };
            let page = facts(snapshot, &query, &mut Budget::edges(u64::MAX));
            let rectangle = page.rows.first().map(|row| render::rectangle(snapshot.directory, row));
            let basis = Some(render::basis(snapshot.directory, snapshot.basis));
            Ok::<_, Status>(proto::GetFactResponse { rectangle, basis })
        })??;
        Ok(Response::new(answer))
    }

    async fn list_facts(
        &self,
        request: Request<proto::ListFactsRequest>,
    ) -> Result<Response<proto::ListFactsResponse>, Status> {
        let (caller, mut request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let pattern = form.pattern("pattern", request.pattern.as_ref());
        let as_of = form.as_of("as_of", request.as_of.as_ref());
        let range = form.range("overlapping", request.overlapping.as_ref());
        let limit = form.page_size(request.page_size);
        let twice = request.as_of.as_ref().is_some_and(|as_of| as_of.valid.is_some());
        if request.overlapping.is_some() && twice {
            let detail = "a range takes the place of as_of.valid: give one of them";
            form.fail("overlapping", ViolationKind::Malformed, detail);
        }
        let read = form.finish(|| Ok((pattern?, as_of?, range?, limit?)));
        let (pattern, as_of, range, limit) = failure::form(read)?;
        request.page_size = 0;
        let token = std::mem::take(&mut request.page_token);
        let digest = self.context.digest(&namespace, "ListFacts", &request)?;
        let place = digest.place::<8>(&token)?;
        let (as_of, after) = place.map_or((as_of, None), |place| {
            let (basis, after) = facts_place(place);
            (basis, Some(after))
        });
        let clamp = request.clamp;
        let span = range.map_or(Span::Basis, |range| Span::Overlapping { range, clamp });
        let list = List { pattern, span, limit, after };
        Ok(Response::new(self.context.list_facts(&namespace, as_of, list, digest).await?))
    }

    async fn batch_get_facts(
        &self,
        request: Request<proto::BatchGetFactsRequest>,
    ) -> Result<Response<proto::BatchGetFactsResponse>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let patterns = form.patterns("patterns", &request.patterns, PATTERNS_MAX);
        let as_of = form.as_of("as_of", request.as_of.as_ref());
        let limit = form.row_limit(request.limit);
        let read = form.finish(|| Ok((patterns?, as_of?, limit?)));
        let (patterns, as_of, limit) = failure::form(read)?;
        let asked = patterns.clone();
        let answer =
            self.context.read_facts(&namespace, as_of, &patterns, move |snapshot, halt| {
                let mut budget = Budget::edges(EDGES_EXAMINED_MAX).until(halt);
                let mut rows_left = ROWS_MAX;
                let matches = asked.iter().map(|pattern| {
                    let limit = limit.min(rows_left);
                    let found = matches_of(snapshot, snapshot.pattern(pattern), limit, &mut budget);
                    rows_left -= found.rectangles.len();
                    found
                });
                let matches = matches.collect();
                let basis = Some(render::basis(snapshot.directory, snapshot.basis));
                proto::BatchGetFactsResponse { matches, basis }
            });
        Ok(Response::new(answer.await?))
    }

    async fn get_timeline(
        &self,
        request: Request<proto::GetTimelineRequest>,
    ) -> Result<Response<proto::GetTimelineResponse>, Status> {
        let (caller, mut request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let subject = form.name("subject", &request.subject);
        let predicate = form.name("predicate", &request.predicate);
        let known = form.transaction_point("known", request.known.as_ref());
        let limit = form.page_size(request.page_size);
        let read = form.finish(|| Ok((subject?, predicate?, known?, limit?)));
        let (subject, predicate, known, limit) = failure::form(read)?;
        request.page_size = 0;
        let token = std::mem::take(&mut request.page_token);
        let digest = self.context.digest(&namespace, "GetTimeline", &request)?;
        let place = digest.place::<3>(&token)?;
        let as_of = place.map_or(AsOf { valid: None, known }, |[valid, tx, _]| at(valid, tx));
        let skip = place.map_or(0, |[_, _, skip]| usize::try_from(skip).unwrap_or(usize::MAX));
        let answer = self.context.read(&namespace, as_of, |snapshot| {
            let rows = match named(snapshot, &subject, &predicate) {
                None => Vec::new(),
                Some((entity, predicates)) if request.audit => audit(snapshot, entity, &predicates),
                Some((entity, predicates)) => {
                    let subject = snapshot.directory.canonical_at(entity, snapshot.basis.tx);
                    timeline(snapshot, subject, &predicates)
                }
            };
            let page: Vec<_> = rows.iter().skip(skip).take(limit).copied().collect();
            let next = skip.saturating_add(limit);
            let Basis { valid, tx } = snapshot.basis;
            let token = (next < rows.len())
                .then(|| digest.token(&[valid.micros(), number(tx), next.cast_signed() as i64]));
            proto::GetTimelineResponse {
                rectangles: render::rows(snapshot, &page),
                basis: Some(render::basis(snapshot.directory, snapshot.basis)),
                next_page_token: token.unwrap_or_default(),
            }
        })?;
        Ok(Response::new(answer))
    }

    async fn get_belief_history(
        &self,
        request: Request<proto::GetBeliefHistoryRequest>,
    ) -> Result<Response<proto::GetBeliefHistoryResponse>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let subject = form.name("subject", &request.subject);
        let predicate = form.name("predicate", &request.predicate);
        let valid = form.valid_point("valid", request.valid.as_ref());
        let known = form.transaction_point("known", request.known.as_ref());
        let read = form.finish(|| Ok((subject?, predicate?, valid?, known?)));
        let (subject, predicate, valid, known) = failure::form(read)?;
        let as_of = AsOf { valid, known };
        let answer = self.context.read(&namespace, as_of, |snapshot| {
            let named = named(snapshot, &subject, &predicate);
            let beliefs =
                named.map_or_else(Vec::new, |(entity, ids)| beliefs(snapshot, entity, &ids));
            let beliefs = beliefs.iter().map(|belief| proto::Belief {
                tx_from: belief.tx_from.raw(),
                tx_from_time: snapshot.directory.time_of(belief.tx_from).map(to_proto::instant),
                rectangles: render::rows(snapshot, &belief.rows),
            });
            proto::GetBeliefHistoryResponse {
                beliefs: beliefs.collect(),
                basis: Some(render::basis(snapshot.directory, snapshot.basis)),
            }
        })?;
        Ok(Response::new(answer))
    }

    async fn diff_facts(
        &self,
        request: Request<proto::DiffFactsRequest>,
    ) -> Result<Response<proto::DiffFactsResponse>, Status> {
        let (caller, mut request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let from = form.as_of("from", request.from.as_ref());
        let to = form.as_of("to", request.to.as_ref());
        let pattern = form.pattern("pattern", request.pattern.as_ref());
        let limit = form.page_size(request.page_size);
        let read = form.finish(|| Ok((from?, to?, pattern?, limit?)));
        let (from, to, pattern, limit) = failure::form(read)?;
        request.page_size = 0;
        let token = std::mem::take(&mut request.page_token);
        let digest = self.context.digest(&namespace, "DiffFacts", &request)?;
        let place = digest.place::<5>(&token)?;
        let plain = request.plain_rows;
        let work = DiffWork { from, to, pattern, limit, plain, place };
        Ok(Response::new(self.context.diff_facts(namespace, work, digest).await?))
    }

    async fn explain_fact(
        &self,
        request: Request<proto::ExplainFactRequest>,
    ) -> Result<Response<proto::ExplainFactResponse>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let fact = fact_id(&mut form, "fact_id", &request.fact_id);
        let as_of = form.as_of("as_of", request.as_of.as_ref());
        let (fact, as_of) = failure::form(form.finish(|| Ok((fact?, as_of?))))?;
        Ok(Response::new(self.context.explain_fact(namespace, as_of, fact).await?))
    }

    async fn list_conflicts(
        &self,
        request: Request<proto::ListConflictsRequest>,
    ) -> Result<Response<proto::ListConflictsResponse>, Status> {
        let (caller, mut request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let subject = form.name_if_any("subject", &request.subject);
        let known = form.transaction_point("known", request.known.as_ref());
        let limit = form.page_size(request.page_size);
        let read = form.finish(|| Ok((subject?, known?, limit?)));
        let (subject, known, limit) = failure::form(read)?;
        request.page_size = 0;
        let token = std::mem::take(&mut request.page_token);
        let digest = self.context.digest(&namespace, "ListConflicts", &request)?;
        let place = digest.place::<3>(&token)?;
        let settled = request.include_settled;
        let work = super::conflicts::Work { subject, known, settled, limit, place };
        Ok(Response::new(self.context.list_conflicts(namespace, work, digest).await?))
    }

    async fn import_facts(
        &self,
        request: Request<Streaming<proto::ImportFactsRequest>>,
    ) -> Result<Response<proto::ImportFactsResponse>, Status> {
        let (caller, messages) = open(request)?;
        let report = stream::import(&self.context, &caller, messages).await?;
        Ok(Response::new(report))
    }

    type ExportFactsStream = Reply<proto::ExportFactsResponse>;

    async fn export_facts(
        &self,
        request: Request<proto::ExportFactsRequest>,
    ) -> Result<Response<Self::ExportFactsStream>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, _) = self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let from = TxId::new(request.from_tx);
        Ok(Response::new(stream::export(&self.context, caller, namespace, from)?))
    }

    type WatchFactsStream = Reply<proto::WatchFactsResponse>;

    async fn watch_facts(
        &self,
        request: Request<proto::WatchFactsRequest>,
    ) -> Result<Response<Self::WatchFactsStream>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let pattern = form.pattern("pattern", request.pattern.as_ref());
        let pattern = failure::form(form.finish(|| pattern))?;
        let from = request.from_tx.map(TxId::new);
        let stopping: Stopping = self.context.stopping();
        Ok(Response::new(stream::watch(&self.context, caller, namespace, pattern, from, stopping)?))
    }
}

fn matches_of(
    snapshot: Snapshot<'_>,
    pattern: Option<Pattern>,
    limit: usize,
    budget: &mut Budget,
) -> proto::FactMatches {
    let Some(pattern) = pattern else { return proto::FactMatches::default() };
    let query = FactsQuery { pattern, span: Span::Basis, limit, after: None };
    if budget.is_spent() {
        return proto::FactMatches { truncated: true, ..Default::default() };
    }
    let page = facts(snapshot, &query, budget);
    let truncated = page.more;
    proto::FactMatches { rectangles: render::rows(snapshot, &page.rows), truncated }
}

/// The entity and the predicates that two names were recorded as; none if one of them was never
/// named.
fn named(
    snapshot: Snapshot<'_>,
    subject: &Name,
    predicate: &Name,
) -> Option<(EntityId, Vec<PredicateId>)> {
    let subject = snapshot.directory.entity(subject)?;
    Some((subject, snapshot.predicates(std::slice::from_ref(predicate))?))
}
