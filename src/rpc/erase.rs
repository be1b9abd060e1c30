//! Erasures: the request, and receipts.

use tonic::Status;

use crate::engine::{EraseWhat, ErasureRecord};
use crate::query::{AsOf, Known};
use crate::types::{ErasureCounts, ErasureKind, NamespaceId, Role};

use super::caller::Caller;
use super::civil::Zone;
use super::context::Context;
use super::explain::known_fact;
use super::from_proto::{self, Form};
use super::page::QueryDigest;
use super::{failure, proto, to_proto};

impl Context {
    pub(super) async fn erase(
        &self,
        caller: &Caller,
        request: &proto::EraseRequest,
    ) -> Result<proto::EraseResponse, Status> {
        let (grant, zone) = self.whole_namespace(caller, Role::Admin, &request.namespace)?;
        let erase = failure::form(from_proto::erase(request, zone))?;
        if let EraseWhat::Fact(fact) = erase.what {
            let latest = AsOf { valid: None, known: Known::Latest };
            self.read(&grant, latest, |snapshot| known_fact(snapshot, fact))??;
        }
        let erased = self.engine().erase(&grant, erase, caller.subject()).await;
        let erased = erased.map_err(|error| failure::submit(&error, &[]))?;
        let erasure = Some(erasure(&erased.record));
        Ok(proto::EraseResponse { erasure, replayed: erased.replayed })
    }

    pub(super) async fn get_erasure(
        &self,
        caller: &Caller,
        request: &proto::GetErasureRequest,
    ) -> Result<proto::GetErasureResponse, Status> {
        let mut form = Form::new(Zone::UNSET);
        let id = from_proto::erasure_id(&mut form, &request.id);
        let (namespace, number) = failure::form(form.finish(|| id))?;
        let found = self
            .erasures(caller, None)
            .await?
            .into_iter()
            .find(|record| record.namespace.raw() == namespace && record.number == number);
        let found = found.ok_or_else(|| failure::erasure_unknown(&request.id))?;
        Ok(proto::GetErasureResponse { erasure: Some(erasure(&found)) })
    }

    pub(super) async fn list_erasures(
        &self,
        caller: &Caller,
        mut request: proto::ListErasuresRequest,
    ) -> Result<proto::ListErasuresResponse, Status> {
        let mut form = Form::new(Zone::UNSET);
        let limit = form.page_size(request.page_size);
        let limit = failure::form(form.finish(|| limit))?;
        let namespace = match request.namespace.as_str() {
            "" => None,
            name => {
                let (grant, _) = self.whole_namespace(caller, Role::Admin, name)?;
                let info = self.engine().namespace(&grant);
                Some(info.map_err(|error| failure::read(&error))?.id)
            }
        };
        request.page_size = 0;
        let token = std::mem::take(&mut request.page_token);
        let digest = QueryDigest::of("ListErasures", 0, &request);
        let after = digest.place::<2>(&token)?;
        let mut found = self.erasures(caller, namespace).await?;
        let place =
            |record: &ErasureRecord| [i64::from(record.namespace.raw()), i64::from(record.number)];
        found.retain(|record| after.is_none_or(|after| place(record) > after));
        let more = found.len() > limit;
        found.truncate(limit);
        let last = found.last().filter(|_| more).map(place);
        Ok(proto::ListErasuresResponse {
            erasures: found.iter().map(erasure).collect(),
            next_page_token: last.map_or_else(String::new, |last| digest.token(&last)),
        })
    }

    /// Those that the caller may know of, by namespace and number. Who is let into one namespace
    /// alone knows those of that one.
    async fn erasures(
        &self,
        caller: &Caller,
        namespace: Option<NamespaceId>,
    ) -> Result<Vec<ErasureRecord>, Status> {
        caller.must_be(Role::Admin)?;
        let engine = self.engine().clone();
        let found = self.aside(move || engine.erasures()).await?;
        let mut found = found.map_err(|error| failure::read(&error))?;
        if let Some(only) = caller.home() {
            let own = self.engine().namespace(only).map(|info| info.id).ok();
            found.retain(|record| Some(record.namespace) == own);
        }
        found.retain(|record| namespace.is_none_or(|only| record.namespace == only));
        Ok(found)
    }
}

pub(super) fn erasure_id(namespace: NamespaceId, number: u32) -> String {
    format!("{}.{number}", namespace.raw())
}

fn erasure(record: &ErasureRecord) -> proto::Erasure {
    let done = record.number != 0;
    proto::Erasure {
        id: if done { erasure_id(record.namespace, record.number) } else { String::new() },
        kind: kind(record.kind).into(),
        tx: record.tx.raw(),
        tx_time: done.then(|| to_proto::instant(record.time)),
        first_tx: record.first.map_or(0, crate::types::TxId::raw),
        counts: Some(counts(&record.counts)),
        purged: record.purged,
    }
}

const fn kind(kind: ErasureKind) -> proto::ErasureKind {
    match kind {
        ErasureKind::Fact => proto::ErasureKind::Fact,
        ErasureKind::Entity => proto::ErasureKind::Entity,
        ErasureKind::Source => proto::ErasureKind::Source,
        ErasureKind::Owner => proto::ErasureKind::Owner,
        ErasureKind::Namespace => proto::ErasureKind::Namespace,
    }
}

fn counts(counts: &ErasureCounts) -> proto::ErasureCounts {
    let ErasureCounts {
        statements,
        evidence,
        episodes,
        rectangles,
        rectangles_restored,
        log_changes,
        names,
        receipts,
        vectors,
        accesses,
        documents,
        facts,
    } = *counts;
    proto::ErasureCounts {
        statements,
        evidence,
        episodes,
        rectangles,
        rectangles_restored,
        log_changes,
        names,
        receipts,
        vectors,
        accesses,
        documents,
        facts,
    }
}
