//! `AdminService`: namespaces, statistics, verification, and what guards them.

use tonic::{Request, Response, Status};

use crate::engine::{NamespaceInfo, SpaceSpec, Statistics, SubmitError};
use crate::kernel::ViolationKind;
use crate::models::Embedder;
use crate::query::Halt;

use crate::types::{Name, Role};

use super::backup::backup;
use super::caller::open;
use super::civil::Zone;
use super::context::Context;
use super::from_proto::Form;
use super::page::QueryDigest;
use super::proto::admin_service_server::AdminService;
use super::stream::Reply;
use super::{failure, proto, to_proto};

#[derive(Clone)]
pub struct Admin {
    context: Context,
}

impl Admin {
    pub(super) fn new(context: Context) -> Admin {
        Admin { context }
    }
}

#[tonic::async_trait]
impl AdminService for Admin {
    async fn create_namespace(
        &self,
        request: Request<proto::CreateNamespaceRequest>,
    ) -> Result<Response<proto::CreateNamespaceResponse>, Status> {
        let (caller, request) = open(request)?;
        let mut form = Form::new(Zone::UNSET);
        let name = form.name("name", &request.name);
        let zone = Zone::of_namespace(&request.zone)
            .map_err(|error| form.fail("zone", ViolationKind::ZoneUnknown, error.to_string()));
        let space = form.space("embedding", request.embedding.as_ref());
        let (name, _, space) = failure::form(form.finish(|| Ok((name?, zone?, space?))))?;
        caller.must_reach(&name)?;
        caller.must_be(Role::Admin)?;
        let engine = self.context.engine();
        let (info, created) =
            match engine.create_namespace(&name, &request.zone, space.as_ref()).await {
                Ok(info) => (info, true),
                Err(SubmitError::NamespaceExists { .. }) if request.allow_existing => {
                    (engine.namespace(&name).map_err(|error| failure::read(&error))?, false)
                }
                Err(error) => return Err(failure::submit(&error, &[])),
            };
        let namespace = Some(namespace(&info));
        Ok(Response::new(proto::CreateNamespaceResponse { namespace, created }))
    }

    async fn list_namespaces(
        &self,
        request: Request<proto::ListNamespacesRequest>,
    ) -> Result<Response<proto::ListNamespacesResponse>, Status> {
        let (caller, mut request) = open(request)?;
        let mut form = Form::new(Zone::UNSET);
        let limit = form.page_size(request.page_size);
        let limit = failure::form(form.finish(|| limit))?;
        request.page_size = 0;
        let token = std::mem::take(&mut request.page_token);
        let digest = QueryDigest::of("ListNamespaces", 0, &request);
        let place = digest.place::<1>(&token)?;
        // By id and not by place: a namespace that is deleted between two pages moves the places.
        let after = place.map_or(-1, |[id]| id);
        let mut found = self.context.engine().namespaces();
        let reach = &caller.access().reach;
        let own = |info: &NamespaceInfo| Name::new(&info.name).is_ok_and(|name| reach.holds(&name));
        found.retain(|info| i64::from(info.id.raw()) > after && own(info));
        let more = found.len() > limit;
        found.truncate(limit);
        let last = found.last().filter(|_| more).map(|info| i64::from(info.id.raw()));
        Ok(Response::new(proto::ListNamespacesResponse {
            namespaces: found.iter().map(namespace).collect(),
            next_page_token: last.map_or_else(String::new, |last| digest.token(&[last])),
        }))
    }

    async fn erase(
        &self,
        request: Request<proto::EraseRequest>,
    ) -> Result<Response<proto::EraseResponse>, Status> {
        let (caller, request) = open(request)?;
        self.context.erase(&caller, &request).await.map(Response::new)
    }

    async fn get_erasure(
        &self,
        request: Request<proto::GetErasureRequest>,
    ) -> Result<Response<proto::GetErasureResponse>, Status> {
        let (caller, request) = open(request)?;
        self.context.get_erasure(&caller, &request).await.map(Response::new)
    }

    async fn list_erasures(
        &self,
        request: Request<proto::ListErasuresRequest>,
    ) -> Result<Response<proto::ListErasuresResponse>, Status> {
        let (caller, request) = open(request)?;
        self.context.list_erasures(&caller, request).await.map(Response::new)
    }

    async fn delete_namespace(
        &self,
        request: Request<proto::DeleteNamespaceRequest>,
    ) -> Result<Response<proto::DeleteNamespaceResponse>, Status> {
        let (caller, request) = open(request)?;
        let (name, _) = self.context.whole_namespace(&caller, Role::Admin, &request.name)?;
        let deleted = self.context.engine().delete_namespace(&name, caller.subject()).await;
        deleted.map_err(|error| failure::submit(&error, &[]))?;
        Ok(Response::new(proto::DeleteNamespaceResponse {}))
    }

    async fn get_statistics(
        &self,
        request: Request<proto::GetStatisticsRequest>,
    ) -> Result<Response<proto::GetStatisticsResponse>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, _) =
            self.context.whole_namespace(&caller, Role::Reader, &request.namespace)?;
        let engine = self.context.engine().clone();
        let statistics = self.context.aside(move || engine.statistics(&namespace)).await?;
        let statistics = statistics.map_err(|error| failure::read(&error))?;
        let usage = self.context.models().embedder.as_ref().map(Embedder::usage);
        let embedder = usage.map(|usage| proto::EmbedderUsage {
            calls: usage.calls,
            failures: usage.failures,
            retries: usage.retries,
            texts: usage.inputs,
            tokens: usage.tokens,
        });
        Ok(Response::new(proto::GetStatisticsResponse { embedder, ..shown(statistics) }))
    }

    async fn verify(
        &self,
        request: Request<proto::VerifyRequest>,
    ) -> Result<Response<proto::VerifyResponse>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, _) =
            self.context.whole_namespace(&caller, Role::Admin, &request.namespace)?;
        let engine = self.context.engine().clone();
        let verify = move |halt: &Halt| engine.verify_until(&namespace, halt);
        let verification = self.context.aside_until(verify).await?;
        let verification = verification.map_err(|error| failure::read(&error))?;
        Ok(Response::new(proto::VerifyResponse {
            clean: verification.differences == 0,
            transactions: verification.transactions,
            statements: verification.statements,
            rectangles: verification.rectangles,
            groups: verification.groups,
            differences: verification.first,
            documents: verification.documents,
            vectors: verification.vectors,
        }))
    }

    async fn reembed(
        &self,
        request: Request<proto::ReembedRequest>,
    ) -> Result<Response<proto::ReembedResponse>, Status> {
        let (caller, request) = open(request)?;
        let (namespace, _) =
            self.context.whole_namespace(&caller, Role::Admin, &request.namespace)?;
        let space = self.context.models().space().await;
        let space = space.map_err(|error| failure::embedder(&error.to_string()))?;
        let (model, dimension) = space.ok_or_else(failure::no_embedder)?;
        let dimension = u32::try_from(dimension).expect("a dimension is bounded");
        let spec = SpaceSpec { model, dimension, supplied: false };
        let begun = self.context.engine().reembed(&namespace, &spec).await;
        let documents = begun.map_err(|error| failure::submit(&error, &[]))?;
        let embedding = Some(embedding(&spec));
        Ok(Response::new(proto::ReembedResponse { embedding, documents: documents.into() }))
    }

    type BackupStream = Reply<proto::BackupResponse>;

    async fn backup(
        &self,
        request: Request<proto::BackupRequest>,
    ) -> Result<Response<Self::BackupStream>, Status> {
        let (caller, request) = open(request)?;
        Ok(Response::new(backup(&self.context, &caller, request).await?))
    }

    async fn ping(
        &self,
        request: Request<proto::PingRequest>,
    ) -> Result<Response<proto::PingResponse>, Status> {
        open(request)?;
        Ok(Response::new(proto::PingResponse {}))
    }

    async fn create_credential(
        &self,
        request: Request<proto::CreateCredentialRequest>,
    ) -> Result<Response<proto::CreateCredentialResponse>, Status> {
        let (caller, request) = open(request)?;
        Ok(Response::new(self.context.create_credential(&caller, request).await?))
    }

    async fn list_credentials(
        &self,
        request: Request<proto::ListCredentialsRequest>,
    ) -> Result<Response<proto::ListCredentialsResponse>, Status> {
        let (caller, request) = open(request)?;
        Ok(Response::new(self.context.list_credentials(&caller, request)?))
    }

    async fn rotate_credential(
        &self,
        request: Request<proto::RotateCredentialRequest>,
    ) -> Result<Response<proto::RotateCredentialResponse>, Status> {
        let (caller, request) = open(request)?;
        Ok(Response::new(self.context.rotate_credential(&caller, &request).await?))
    }

    async fn revoke_credential(
        &self,
        request: Request<proto::RevokeCredentialRequest>,
    ) -> Result<Response<proto::RevokeCredentialResponse>, Status> {
        let (caller, request) = open(request)?;
        Ok(Response::new(self.context.revoke_credential(&caller, &request).await?))
    }

    async fn list_audit_events(
        &self,
        request: Request<proto::ListAuditEventsRequest>,
    ) -> Result<Response<proto::ListAuditEventsResponse>, Status> {
        let (caller, request) = open(request)?;
        Ok(Response::new(self.context.list_audit_events(&caller, request).await?))
    }

    async fn set_quotas(
        &self,
        request: Request<proto::SetQuotasRequest>,
    ) -> Result<Response<proto::SetQuotasResponse>, Status> {
        let (caller, request) = open(request)?;
        Ok(Response::new(self.context.set_quotas(&caller, &request).await?))
    }

    async fn get_quotas(
        &self,
        request: Request<proto::GetQuotasRequest>,
    ) -> Result<Response<proto::GetQuotasResponse>, Status> {
        let (caller, request) = open(request)?;
        Ok(Response::new(self.context.get_quotas(&caller, &request).await?))
    }

    async fn get_usage(
        &self,
        request: Request<proto::GetUsageRequest>,
    ) -> Result<Response<proto::GetUsageResponse>, Status> {
        let (caller, request) = open(request)?;
        Ok(Response::new(self.context.get_usage(&caller, &request)?))
    }

    async fn set_budgets(
        &self,
        request: Request<proto::SetBudgetsRequest>,
    ) -> Result<Response<proto::SetBudgetsResponse>, Status> {
        let (caller, request) = open(request)?;
        Ok(Response::new(self.context.set_budgets(&caller, &request).await?))
    }
}

fn namespace(info: &NamespaceInfo) -> proto::Namespace {
    proto::Namespace {
        name: info.name.clone(),
        zone: info.zone.clone(),
        create_time: Some(to_proto::instant(info.created)),
        embedding: info.space.as_ref().map(embedding),
    }
}

fn embedding(space: &SpaceSpec) -> proto::EmbeddingSpace {
    proto::EmbeddingSpace {
        model: space.model.clone(),
        dimension: i32::try_from(space.dimension).expect("a dimension is bounded"),
        supplied: space.supplied,
    }
}

fn shown(statistics: Statistics) -> proto::GetStatisticsResponse {
    let Statistics {
        transactions,
        entities,
        predicates,
        values,
        sources,
        rectangles_live,
        rectangles_closed,
        conflicts,
        last_tx,
        graph_watermark,
        graph_bytes,
        store_bytes,
        episodes,
        documents,
        text_documents,
        text_bytes,
        vectors,
        next_space,
    } = statistics;
    proto::GetStatisticsResponse {
        transactions,
        entities: entities as u64,
        predicates: predicates as u64,
        values: values as u64,
        sources: sources as u64,
        rectangles_live: rectangles_live as u64,
        rectangles_closed: rectangles_closed as u64,
        conflicts: conflicts as u64,
        last_tx: last_tx.raw(),
        graph_watermark: graph_watermark.raw(),
        graph_bytes: graph_bytes as u64,
        store_bytes,
        episodes: episodes as u64,
        documents: documents as u64,
        text_documents,
        text_bytes,
        embedding: vectors.space.as_ref().map(embedding),
        vectors: vectors.documents as u64,
        vectors_behind: vectors.behind,
        vector_bytes: vectors.bytes as u64,
        vectors_linked: vectors.linked as u64,
        next_embedding: next_space.as_ref().map(|(space, _)| embedding(space)),
        next_embedded: next_space.map_or(0, |(_, looked_at)| looked_at),
        embedder: None,
    }
}
