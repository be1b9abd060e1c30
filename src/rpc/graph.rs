//! `GraphService`: convert, ask the engine, convert.

use tonic::{Request, Response, Status};

use crate::engine::note_found;
use crate::kernel::ViolationKind;
use crate::query::{
    AsOf, Budget, Halt, Heading, PathMode, PathsQuery, Snapshot, TraverseQuery, Way, entity_facts,
    entity_info, paths, resolve_entity, traverse,
};
use crate::types::limits::{EDGES_EXAMINED_MAX, PATHS_DEFAULT, PATHS_MAX, ROWS_MAX};
use crate::types::{EntityId, Interval, Name, Object, ObjectKind, PredicateId, Role};

use super::caller::open;
use super::context::{Context, EDGES_INLINE};
use super::from_proto::{Checked, Form};
use super::page::QueryDigest;
use super::place::{at, number};
use super::proto::graph_service_server::GraphService;
use super::{failure, proto, render, to_proto};

#[derive(Clone)]
pub struct Graph {
    context: Context,
}

impl Graph {
    pub(super) fn new(context: Context) -> Graph {
        Graph { context }
    }
}

#[tonic::async_trait]
impl GraphService for Graph {
    async fn traverse(
        &self,
        request: Request<proto::TraverseRequest>,
    ) -> Result<Response<proto::TraverseResponse>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let walk = Walk::read(&mut form, &request);
        let as_of = form.as_of("as_of", request.as_of.as_ref());
        let (walk, as_of) = failure::form(form.finish(|| Ok((walk?, as_of?))))?;
        let brief = self.context.read(&namespace, as_of, |snapshot| {
            let mut budget = Budget::edges(EDGES_INLINE as u64);
            let answer = walk.take(snapshot, &mut budget);
            (!budget.is_spent()).then_some(answer)
        })?;
        if let Some(answer) = brief {
            return Ok(walked(answer?));
        }
        let answer = self.context.read_aside(namespace, as_of, move |snapshot, halt| {
            walk.take(snapshot, &mut Budget::edges(EDGES_EXAMINED_MAX).until(halt))
        });
        Ok(walked(answer.await??))
    }

    async fn find_paths(
        &self,
        request: Request<proto::FindPathsRequest>,
    ) -> Result<Response<proto::FindPathsResponse>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let asked = Asked::read(&mut form, &request);
        let as_of = form.as_of("as_of", request.as_of.as_ref());
        let (asked, as_of) = failure::form(form.finish(|| Ok((asked?, as_of?))))?;
        let ask = move |snapshot: Snapshot<'_>, halt: &Halt| asked.find(snapshot, halt);
        let answer = self.context.read_aside(namespace, as_of, ask);
        Ok(Response::new(answer.await??))
    }

    async fn get_entity(
        &self,
        request: Request<proto::GetEntityRequest>,
    ) -> Result<Response<proto::GetEntityResponse>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let name = form.name("name", &request.name);
        let as_of = form.as_of("as_of", request.as_of.as_ref());
        let limit = form.row_limit(request.limit);
        let (name, as_of, limit) = failure::form(form.finish(|| Ok((name?, as_of?, limit?))))?;
        let answer = self.context.read(&namespace, as_of, |snapshot| {
            let id = known_entity(snapshot, &name)?;
            let around = entity_facts(snapshot, id, limit);
            let info = entity_info(snapshot, id);
            Ok::<_, Status>(proto::GetEntityResponse {
                entity: Some(render::entity(snapshot.directory, &info)),
                outgoing: render::rows(snapshot, &around.outgoing),
                incoming: render::rows(snapshot, &around.incoming),
                truncated: around.truncated,
                basis: Some(render::basis(snapshot.directory, snapshot.basis)),
            })
        })??;
        Ok(Response::new(answer))
    }

    async fn resolve_entity(
        &self,
        request: Request<proto::ResolveEntityRequest>,
    ) -> Result<Response<proto::ResolveEntityResponse>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let text = form.name("text", &request.text);
        let known = form.transaction_point("known", request.known.as_ref());
        let limit = form.count("limit", request.limit, PATHS_DEFAULT, PATHS_MAX);
        let (text, known, limit) = failure::form(form.finish(|| Ok((text?, known?, limit?))))?;
        let as_of = AsOf { valid: None, known };
        let answer = self.context.read(&namespace, as_of, |snapshot| {
            let found = resolve_entity(snapshot, &text, limit).into_iter();
            let entities = found
                .map(|id| render::entity(snapshot.directory, &entity_info(snapshot, id)))
                .collect();
            let basis = Some(render::basis(snapshot.directory, snapshot.basis));
            proto::ResolveEntityResponse { entities, basis }
        })?;
        Ok(Response::new(answer))
    }

    async fn list_entities(
        &self,
        request: Request<proto::ListEntitiesRequest>,
    ) -> Result<Response<proto::ListEntitiesResponse>, Status> {
        let (caller, mut request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let prefix = form.name_if_any("name_prefix", &request.name_prefix);
        let known = form.transaction_point("known", request.known.as_ref());
        let limit = form.page_size(request.page_size);
        let (prefix, known, limit) = failure::form(form.finish(|| Ok((prefix?, known?, limit?))))?;
        request.page_size = 0;
        let token = std::mem::take(&mut request.page_token);
        let digest = self.context.digest(&namespace, "ListEntities", &request)?;
        let (as_of, first) = self.place(digest, &token, AsOf { valid: None, known })?;
        let answer = self.context.read(&namespace, as_of, |snapshot| {
            let directory = snapshot.directory;
            let first = EntityId::new(first);
            let (found, next) =
                directory.list_entities(first, snapshot.basis.tx, limit, |id, name| {
                    prefix.as_ref().is_none_or(|prefix| name.starts_with(&**prefix.key()))
                        && snapshot.sees_entity(id)
                });
            let entities = found
                .into_iter()
                .map(|id| render::entity(directory, &entity_info(snapshot, id)))
                .collect();
            proto::ListEntitiesResponse {
                entities,
                basis: Some(render::basis(directory, snapshot.basis)),
                next_page_token: next.map_or_else(String::new, |id: EntityId| {
                    digest.token(&[number(snapshot.basis.tx), i64::from(id.raw())])
                }),
            }
        })?;
        Ok(Response::new(answer))
    }

    async fn list_predicates(
        &self,
        request: Request<proto::ListPredicatesRequest>,
    ) -> Result<Response<proto::ListPredicatesResponse>, Status> {
        let (caller, mut request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let known = form.transaction_point("known", request.known.as_ref());
        let limit = form.page_size(request.page_size);
        let (known, limit) = failure::form(form.finish(|| Ok((known?, limit?))))?;
        request.page_size = 0;
        let token = std::mem::take(&mut request.page_token);
        let digest = self.context.digest(&namespace, "ListPredicates", &request)?;
        let (as_of, first) = self.place(digest, &token, AsOf { valid: None, known })?;
        let answer = self.context.read(&namespace, as_of, |snapshot| {
            let (directory, tx) = (snapshot.directory, snapshot.basis.tx);
            let first = PredicateId::new(first);
            let (found, next) = directory.list_predicates(first, tx, limit);
            let predicates = found.into_iter().map(|id| predicate(snapshot, id)).collect();
            proto::ListPredicatesResponse {
                predicates,
                basis: Some(render::basis(directory, snapshot.basis)),
                next_page_token: next.map_or_else(String::new, |id: PredicateId| {
                    digest.token(&[number(tx), i64::from(id.raw())])
                }),
            }
        })?;
        Ok(Response::new(answer))
    }
}

impl Graph {
    /// Where a listing of names goes on: at which basis, and from which id.
    fn place(
        &self,
        digest: QueryDigest,
        token: &str,
        first_page: AsOf,
    ) -> Result<(AsOf, u32), Status> {
        let place = digest.place::<2>(token)?;
        Ok(place.map_or((first_page, 0), |[tx, id]| {
            let now = self.context.engine().now().micros();
            (at(now, tx), u32::try_from(id).unwrap_or(u32::MAX))
        }))
    }
}

fn predicate(snapshot: Snapshot<'_>, id: PredicateId) -> proto::Predicate {
    let directory = snapshot.directory;
    let info = directory.predicate_info(id).expect("every id was named");
    proto::Predicate {
        name: info.name.to_string(),
        cardinality: to_proto::cardinality(directory.cardinality_at(id, snapshot.basis.tx)).into(),
        holds_values: directory.kind_at(id, snapshot.basis.tx) == Some(ObjectKind::Value),
    }
}

fn known_entity(snapshot: Snapshot<'_>, name: &Name) -> Result<EntityId, Status> {
    snapshot.entity(name).ok_or_else(|| failure::entity_unknown(name))
}

fn heading(form: &mut Form, raw: i32) -> Checked<Heading> {
    Ok(match form.variant("direction", raw)? {
        proto::Direction::Unspecified | proto::Direction::Out => Heading::Out,
        proto::Direction::In => Heading::In,
        proto::Direction::Both => Heading::Both,
    })
}

/// A walk, before its names are ids.
struct Walk {
    start: Name,
    hops: u32,
    heading: Heading,
    predicates: Vec<Name>,
    limit: usize,
    fan_out: usize,
}

impl Walk {
    fn read(form: &mut Form, request: &proto::TraverseRequest) -> Checked<Walk> {
        let start = form.name("start", &request.start);
        let hops = form.hops(request.hops);
        let heading = heading(form, request.direction);
        let predicates = form.predicates("predicates", &request.predicates);
        let limit = form.row_limit(request.limit);
        let fan_out = form.count("fan_out", request.fan_out, usize::MAX, ROWS_MAX);
        Ok(Walk {
            start: start?,
            hops: hops?,
            heading: heading?,
            predicates: predicates?,
            limit: limit?,
            fan_out: fan_out?,
        })
    }

    fn take(
        &self,
        snapshot: Snapshot<'_>,
        budget: &mut Budget,
    ) -> Result<proto::TraverseResponse, Status> {
        let Walk { hops, heading, limit, fan_out, .. } = *self;
        let start = Object::Entity(known_entity(snapshot, &self.start)?);
        let basis = Some(render::basis(snapshot.directory, snapshot.basis));
        let Some(predicates) = snapshot.predicates(&self.predicates) else {
            return Ok(proto::TraverseResponse { basis, ..Default::default() });
        };
        let query = TraverseQuery { start, hops, heading, predicates, limit, fan_out };
        let found = traverse(snapshot, &query, budget);
        let steps = found.steps.iter().map(|step| render::step(snapshot.directory, step));
        let (steps, truncated) = (steps.collect(), found.truncated);
        Ok(proto::TraverseResponse { steps, truncated, basis })
    }
}

fn walked(answer: proto::TraverseResponse) -> Response<proto::TraverseResponse> {
    note_found(answer.steps.len());
    Response::new(answer)
}

/// A search for paths, before its names are ids.
struct Asked {
    start: Name,
    target: Option<Name>,
    hops: u32,
    heading: Heading,
    predicates: Vec<Name>,
    mode: PathMode,
    limit: usize,
    shortest: bool,
}

impl Asked {
    fn read(form: &mut Form, request: &proto::FindPathsRequest) -> Checked<Asked> {
        let start = form.name("start", &request.start);
        let target = form.name_if_any("target", &request.target);
        let hops = form.path_hops(request.hops);
        let heading = heading(form, request.direction);
        let predicates = form.predicates("predicates", &request.predicates);
        let within = form.range("within", request.within.as_ref());
        let mode = form.variant("mode", request.mode);
        let limit = form.count("limit", request.limit, PATHS_DEFAULT, PATHS_MAX);
        if request.within.is_some() && mode != Ok(proto::PathMode::CommonInstant) {
            let detail = "a window is for paths that hold at one common instant";
            form.fail("within", ViolationKind::Malformed, detail);
        }
        let mode = match mode? {
            proto::PathMode::Unspecified | proto::PathMode::AtBasis => PathMode::AtBasis,
            proto::PathMode::CommonInstant => {
                PathMode::CommonInstant { within: within?.unwrap_or(Interval::ALL) }
            }
            proto::PathMode::AnyTime => PathMode::AnyTime,
        };
        Ok(Asked {
            start: start?,
            target: target?,
            hops: hops?,
            heading: heading?,
            predicates: predicates?,
            mode,
            limit: limit?,
            shortest: request.shortest,
        })
    }

    fn find(
        &self,
        snapshot: Snapshot<'_>,
        halt: &Halt,
    ) -> Result<proto::FindPathsResponse, Status> {
        let start = Object::Entity(known_entity(snapshot, &self.start)?);
        let target = match &self.target {
            Some(name) => Some(Object::Entity(known_entity(snapshot, name)?)),
            None => None,
        };
        let basis = Some(render::basis(snapshot.directory, snapshot.basis));
        let Some(predicates) = snapshot.predicates(&self.predicates) else {
            return Ok(proto::FindPathsResponse { basis, ..Default::default() });
        };
        let query = PathsQuery {
            start,
            target,
            hops: self.hops,
            heading: self.heading,
            predicates,
            mode: self.mode,
            limit: self.limit,
            shortest: self.shortest,
        };
        let mut budget = Budget::edges(EDGES_EXAMINED_MAX).until(halt);
        let found = paths(snapshot, &query, &mut budget);
        note_found(found.paths.len());
        let paths = found.paths.iter().map(|way| path(snapshot, way)).collect();
        Ok(proto::FindPathsResponse { paths, truncated: found.truncated, basis })
    }
}

fn path(snapshot: Snapshot<'_>, way: &Way) -> proto::Path {
    proto::Path {
        steps: way.steps.iter().map(|step| render::step(snapshot.directory, step)).collect(),
        simultaneous: way.common.is_some(),
        common_from: way.common.and_then(|common| to_proto::bound(common.start())),
        common_to: way.common.and_then(|common| to_proto::bound(common.end())),
    }
}
