//! `MemoryService`: convert, ask the engine, convert.

use tonic::{Request, Response, Status};

use crate::engine::Submission;
use crate::kernel::Outcome;
use crate::types::limits::{PAGE_BYTES_MAX, ROWS_DEFAULT};
use crate::types::{Episode, EpisodeId, Grant, Role, session_digest};

use super::caller::open;
use super::context::Context;
use super::from_proto::{self, Form};
use super::place::{at, number};
use super::proto::memory_service_server::MemoryService;
use super::session::{Place, opened};
use super::{
    bundle, core_memory, derived, failure, policy, proto, recall, reflect, remember, render,
    session, summary, sweep, to_proto,
};

#[derive(Clone)]
pub struct Memory {
    context: Context,
}

impl Memory {
    pub(super) fn new(context: Context) -> Memory {
        Memory { context }
    }
}

#[tonic::async_trait]
impl MemoryService for Memory {
    async fn add_episodes(
        &self,
        request: Request<proto::AddEpisodesRequest>,
    ) -> Result<Response<proto::AddEpisodesResponse>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Writer, &request.namespace)?;
        let command = from_proto::add_episodes(&request, zone, &namespace.clearance);
        caller.note_denials(&namespace, &command);
        let command = failure::form(command)?;
        let watched = reflect::watched(&self.context, &namespace, &command);
        let receipt = self.context.engine().submit(&namespace, Submission::from(command)).await;
        let receipt = receipt.map_err(|error| failure::in_list("episodes", error))?;
        reflect::after_write(&self.context, &namespace, watched);
        let added =
            |outcome: &Outcome| outcome.episode.map_or_else(String::new, |id| id.to_string());
        Ok(Response::new(proto::AddEpisodesResponse {
            tx: receipt.tx.raw(),
            tx_time: Some(to_proto::instant(receipt.time)),
            episode_ids: receipt.outcomes.iter().map(added).collect(),
            replayed: receipt.replayed,
        }))
    }

    async fn get_episode(
        &self,
        request: Request<proto::GetEpisodeRequest>,
    ) -> Result<Response<proto::GetEpisodeResponse>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let id = form.episode_id("episode_id", &request.episode_id);
        let as_of = form.as_of("as_of", request.as_of.as_ref());
        let (id, as_of) = failure::form(form.finish(|| Ok((id?, as_of?))))?;
        let (entry, basis) = self.context.read(&namespace, as_of, |snapshot| {
            let entry = snapshot.documents.episode_by_id(id).copied();
            (entry.filter(|entry| snapshot.seen.scope(entry.scope)), snapshot.basis)
        })?;
        // To whom it is hidden it is unknown.
        let entry = entry.ok_or_else(|| failure::episode_unknown(id))?;
        let visible = basis.sees(entry.valid, entry.believed);
        let episode = if visible { self.texts(&namespace, &[id]).await?.pop() } else { None };
        let as_of = at(basis.valid.micros(), number(basis.tx));
        let answer =
            self.context.read(&namespace, as_of, |snapshot| proto::GetEpisodeResponse {
                episode: episode.map(|episode| render::episode(snapshot, &episode)),
                basis: Some(render::basis(snapshot.directory, snapshot.basis)),
            })?;
        Ok(Response::new(answer))
    }

    async fn list_episodes(
        &self,
        request: Request<proto::ListEpisodesRequest>,
    ) -> Result<Response<proto::ListEpisodesResponse>, Status> {
        let (caller, mut request) = open(request)?;
        let (namespace, zone) =
            self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone);
        let as_of = form.as_of("as_of", request.as_of.as_ref());
        let limit = form.page_size(request.page_size);
        let kinds = form.episode_kinds("kinds", &request.kinds);
        let (as_of, limit, kinds) = failure::form(form.finish(|| Ok((as_of?, limit?, kinds?))))?;
        let session = (!request.session.is_empty()).then(|| session_digest(&request.session));
        request.page_size = 0;
        let token = std::mem::take(&mut request.page_token);
        let digest = self.context.digest(&namespace, "ListEpisodes", &request)?;
        let place = digest.place::<4>(&token)?;
        let (as_of, after) = place
            .map_or((as_of, None), |[valid, tx, of_tx, op]| (at(valid, tx), Some((of_tx, op))));
        let (ids, basis) = self.context.read(&namespace, as_of, |snapshot| {
            let all = snapshot.documents.episodes().iter();
            let found = all.filter(|entry| {
                snapshot.basis.sees(entry.valid, entry.believed)
                    && snapshot.seen.scope(entry.scope)
                    && after.is_none_or(|after| place_of(entry.id) > after)
                    && (kinds.is_empty() || kinds.contains(&entry.kind))
                    && session.is_none_or(|session| entry.session == Some(session))
            });
            (found.take(limit + 1).map(|entry| entry.id).collect::<Vec<_>>(), snapshot.basis)
        })?;
        let more = ids.len() > limit;
        let ids = &ids[..ids.len().min(limit)];
        let (episodes, cut) = self.page(&namespace, ids).await?;
        let last = episodes.last().map(|episode| place_of(episode.id)).filter(|_| more || cut);
        let as_of = at(basis.valid.micros(), number(basis.tx));
        let answer = self.context.read(&namespace, as_of, |snapshot| {
            let render = |episode| render::episode(snapshot, episode);
            proto::ListEpisodesResponse {
                episodes: episodes.iter().map(render).collect(),
                next_page_token: last.map_or_else(String::new, |(tx, op)| {
                    digest.token(&[basis.valid.micros(), number(basis.tx), tx, op])
                }),
                basis: Some(render::basis(snapshot.directory, snapshot.basis)),
            }
        })?;
        Ok(Response::new(answer))
    }

    async fn recall(
        &self,
        request: Request<proto::RecallRequest>,
    ) -> Result<Response<proto::RecallResponse>, Status> {
        let (caller, request) = open(request)?;
        recall::recall(&self.context, &caller, request).await.map(Response::new)
    }

    async fn append_turns(
        &self,
        request: Request<proto::AppendTurnsRequest>,
    ) -> Result<Response<proto::AppendTurnsResponse>, Status> {
        let (caller, request) = open(request)?;
        session::append(&self.context, &caller, request).await.map(Response::new)
    }

    async fn get_session(
        &self,
        request: Request<proto::GetSessionRequest>,
    ) -> Result<Response<proto::GetSessionResponse>, Status> {
        let (caller, request) = open(request)?;
        session::get(&self.context, &caller, request).await.map(Response::new)
    }

    async fn list_turns(
        &self,
        request: Request<proto::ListTurnsRequest>,
    ) -> Result<Response<proto::ListTurnsResponse>, Status> {
        let (caller, mut request) = open(request)?;
        let (grant, zone) = self.context.namespace(&caller, Role::Reader, &request.namespace)?;
        let mut form = Form::new(zone).cleared(&grant.clearance);
        let key = form.session_key(request.key.as_ref());
        let as_of = form.as_of("as_of", request.as_of.as_ref());
        let limit = form.page_size(request.page_size);
        let asked = failure::form(form.finish(|| Ok((key?, as_of?, limit?))))?;
        let (key, as_of, limit) = asked;
        request.page_size = 0;
        let token = std::mem::take(&mut request.page_token);
        let digest = self.context.digest(&grant, "ListTurns", &request)?;
        let (as_of, after) = digest
            .place::<4>(&token)?
            .map_or((as_of, None), |[valid, tx, of_tx, op]| (at(valid, tx), Some((of_tx, op))));
        let place = Place { grant, key };
        let session = opened(&self.context, &place, as_of).await?;
        let basis = session.basis;
        let all = session.turns();
        let start = all.partition_point(|id| after.is_some_and(|after| place_of(*id) <= after));
        let end = all.len().min(start + limit);
        let (turns, cut) = self.page(&place.grant, &all[start..end]).await?;
        let last = turns.last().map(|turn| place_of(turn.id)).filter(|_| end < all.len() || cut);
        let as_of = at(basis.valid.micros(), number(basis.tx));
        let answer = self.context.read(&place.grant, as_of, |snapshot| {
            let render = |turn| render::episode(snapshot, turn);
            proto::ListTurnsResponse {
                turns: turns.iter().map(render).collect(),
                next_page_token: last.map_or_else(String::new, |(tx, op)| {
                    digest.token(&[basis.valid.micros(), number(basis.tx), tx, op])
                }),
                basis: Some(render::basis(snapshot.directory, snapshot.basis)),
            }
        })?;
        Ok(Response::new(answer))
    }

    async fn end_session(
        &self,
        request: Request<proto::EndSessionRequest>,
    ) -> Result<Response<proto::EndSessionResponse>, Status> {
        let (caller, request) = open(request)?;
        summary::end(&self.context, &caller, request).await.map(Response::new)
    }

    async fn remember(
        &self,
        request: Request<proto::RememberRequest>,
    ) -> Result<Response<proto::RememberResponse>, Status> {
        let (caller, request) = open(request)?;
        remember::remember(&self.context, &caller, request).await.map(Response::new)
    }

    async fn get_core_memory(
        &self,
        request: Request<proto::GetCoreMemoryRequest>,
    ) -> Result<Response<proto::GetCoreMemoryResponse>, Status> {
        let (caller, request) = open(request)?;
        core_memory::get(&self.context, &caller, request).await.map(Response::new)
    }

    async fn update_core_memory(
        &self,
        request: Request<proto::UpdateCoreMemoryRequest>,
    ) -> Result<Response<proto::UpdateCoreMemoryResponse>, Status> {
        let (caller, request) = open(request)?;
        core_memory::update(&self.context, &caller, request).await.map(Response::new)
    }

    async fn build_context(
        &self,
        request: Request<proto::BuildContextRequest>,
    ) -> Result<Response<proto::BuildContextResponse>, Status> {
        let (caller, request) = open(request)?;
        bundle::build(&self.context, &caller, request).await.map(Response::new)
    }

    async fn regenerate_summary(
        &self,
        request: Request<proto::RegenerateSummaryRequest>,
    ) -> Result<Response<proto::RegenerateSummaryResponse>, Status> {
        let (caller, request) = open(request)?;
        summary::regenerate(&self.context, &caller, request).await.map(Response::new)
    }

    async fn get_policy(
        &self,
        request: Request<proto::GetPolicyRequest>,
    ) -> Result<Response<proto::GetPolicyResponse>, Status> {
        let (caller, request) = open(request)?;
        policy::get(&self.context, &caller, &request).map(Response::new)
    }

    async fn update_policy(
        &self,
        request: Request<proto::UpdatePolicyRequest>,
    ) -> Result<Response<proto::UpdatePolicyResponse>, Status> {
        let (caller, request) = open(request)?;
        policy::update(&self.context, &caller, &request).await.map(Response::new)
    }

    async fn sweep_memories(
        &self,
        request: Request<proto::SweepMemoriesRequest>,
    ) -> Result<Response<proto::SweepMemoriesResponse>, Status> {
        let (caller, request) = open(request)?;
        sweep::sweep(&self.context, &caller, request).await.map(Response::new)
    }

    async fn reflect(
        &self,
        request: Request<proto::ReflectRequest>,
    ) -> Result<Response<proto::ReflectResponse>, Status> {
        let (caller, request) = open(request)?;
        reflect::reflect(&self.context, &caller, request).await.map(Response::new)
    }

    async fn retract_derived(
        &self,
        request: Request<proto::RetractDerivedRequest>,
    ) -> Result<Response<proto::RetractDerivedResponse>, Status> {
        let (caller, request) = open(request)?;
        derived::retract_derived(&self.context, &caller, request).await.map(Response::new)
    }
}

fn place_of(id: EpisodeId) -> (i64, i64) {
    (number(id.tx), id.op.into())
}

impl Memory {
    async fn texts(&self, namespace: &Grant, ids: &[EpisodeId]) -> Result<Vec<Episode>, Status> {
        let (engine, namespace, ids) =
            (self.context.engine().clone(), namespace.clone(), ids.to_vec());
        let read = move || {
            let read = |id: &EpisodeId| engine.episode(&namespace, *id).transpose();
            ids.iter().filter_map(read).collect::<Result<Vec<_>, _>>()
        };
        self.context.aside(read).await?.map_err(|error| failure::read(&error))
    }

    /// The episodes that fit in a page, and whether it ended early.
    async fn page(
        &self,
        namespace: &Grant,
        ids: &[EpisodeId],
    ) -> Result<(Vec<Episode>, bool), Status> {
        let mut episodes = Vec::with_capacity(ids.len());
        let mut bytes = 0;
        for ids in ids.chunks(ROWS_DEFAULT) {
            for episode in self.texts(namespace, ids).await? {
                let parts = [&episode.speaker, &episode.title, &episode.session];
                bytes += episode.text.len();
                bytes += parts.into_iter().flatten().map(String::len).sum::<usize>();
                if bytes > PAGE_BYTES_MAX && !episodes.is_empty() {
                    return Ok((episodes, true));
                }
                episodes.push(episode);
            }
        }
        Ok((episodes, false))
    }
}
