//! Credentials, quotas and the audit log: the calls of `AdminService` that guard the others.

use tonic::Status;

use crate::engine::{Issued, NewCredential};
use crate::kernel::ViolationKind;
use crate::types::limits::{CREDENTIAL_SECONDS_MAX, GRACE_SECONDS_MAX, LABELS_MAX};
use crate::types::{
    Access, AuditEvent, Clearance, Credential, CredentialId, CredentialIdError, Label, LabelError,
    Quotas, Reach, Role, Scope,
};

use super::caller::Caller;
use super::civil::Zone;
use super::context::Context;
use super::from_proto::{Checked, Form};
use super::page::QueryDigest;
use super::{failure, proto, to_proto};

impl Context {
    pub(super) async fn create_credential(
        &self,
        caller: &Caller,
        request: proto::CreateCredentialRequest,
    ) -> Result<proto::CreateCredentialResponse, Status> {
        caller.must_be(Role::Admin)?;
        let new = asked_for(&request)?;
        match &new.reach {
            Reach::One(name) => caller.must_reach(name)?,
            Reach::All => caller.must_administer_all()?,
        }
        if !caller.access().clearance.covers(&new.clearance) {
            return Err(caller.sees_too_little(None));
        }
        let opens_all = access_of(&new).covers(Role::Admin, &Reach::All, &Clearance::Everything);
        if !self.engine().has_credentials() && !opens_all && !self.has_other_ways_in() {
            return Err(failure::first_credential());
        }
        let issued = self.engine().create_credential(new, caller.subject()).await;
        let Issued { credential, key } = issued.map_err(|error| failure::submit(&error, &[]))?;
        let credential = Some(self.credential(&credential));
        Ok(proto::CreateCredentialResponse { credential, key })
    }

    pub(super) fn list_credentials(
        &self,
        caller: &Caller,
        mut request: proto::ListCredentialsRequest,
    ) -> Result<proto::ListCredentialsResponse, Status> {
        caller.must_be(Role::Admin)?;
        let mut form = Form::new(Zone::UNSET);
        let limit = form.page_size(request.page_size);
        let limit = failure::form(form.finish(|| limit))?;
        request.page_size = 0;
        let token = std::mem::take(&mut request.page_token);
        let digest = QueryDigest::of("ListCredentials", 0, &request);
        // By id and not by place: a credential that is revoked between two pages moves the places.
        let after = digest.place::<1>(&token)?.map(|[id]| id.cast_unsigned());
        let mut found = self.engine().credentials();
        found.retain(|credential| {
            after.is_none_or(|after| credential.id.raw() > after) && handles(caller, credential)
        });
        let more = found.len() > limit;
        found.truncate(limit);
        let last = found.last().filter(|_| more).map(|last| last.id.raw().cast_signed());
        Ok(proto::ListCredentialsResponse {
            credentials: found.iter().map(|credential| self.credential(credential)).collect(),
            next_page_token: last.map_or_else(String::new, |last| digest.token(&[last])),
        })
    }

    pub(super) async fn rotate_credential(
        &self,
        caller: &Caller,
        request: &proto::RotateCredentialRequest,
    ) -> Result<proto::RotateCredentialResponse, Status> {
        caller.must_be(Role::Admin)?;
        let mut form = Form::new(Zone::UNSET);
        let id = credential_id(&mut form, &request.id);
        let grace = seconds(&mut form, "grace_seconds", request.grace_seconds, GRACE_SECONDS_MAX);
        let (id, grace) = failure::form(form.finish(|| Ok((id?, grace?))))?;
        self.must_handle(caller, id)?;
        let issued = self.engine().rotate_credential(id, grace, caller.subject()).await;
        let Issued { credential, key } = issued.map_err(|error| failure::submit(&error, &[]))?;
        let credential = Some(self.credential(&credential));
        Ok(proto::RotateCredentialResponse { credential, key })
    }

    pub(super) async fn revoke_credential(
        &self,
        caller: &Caller,
        request: &proto::RevokeCredentialRequest,
    ) -> Result<proto::RevokeCredentialResponse, Status> {
        caller.must_be(Role::Admin)?;
        let mut form = Form::new(Zone::UNSET);
        let id = credential_id(&mut form, &request.id);
        let id = failure::form(form.finish(|| id))?;
        self.must_handle(caller, id)?;
        let revoked = self.engine().revoke_credential(id, caller.subject()).await;
        revoked.map_err(|error| failure::submit(&error, &[]))?;
        Ok(proto::RevokeCredentialResponse {})
    }

    /// Of a credential that the caller may not handle it learns no more than of one that is not.
    fn must_handle(&self, caller: &Caller, id: CredentialId) -> Result<(), Status> {
        let known = self.engine().credential(id);
        match known.filter(|credential| handles(caller, credential)) {
            Some(_) => Ok(()),
            None => Err(failure::credential_unknown(id)),
        }
    }

    fn credential(&self, credential: &Credential) -> proto::Credential {
        let now = self.engine().now();
        let grace = credential.earlier.map(|(_, until)| until).filter(|until| now < *until);
        proto::Credential {
            id: credential.id.to_string(),
            name: credential.name.clone(),
            role: role(credential.role).into(),
            namespace: match &credential.reach {
                Reach::All => String::new(),
                Reach::One(name) => name.to_string(),
            },
            scope: match &credential.clearance {
                Clearance::Everything => None,
                Clearance::Only(scope) => Some(shown(scope)),
            },
            create_time: Some(to_proto::instant(credential.created)),
            expire_time: credential.expires.map(to_proto::instant),
            rotate_time: credential.rotated.map(to_proto::instant),
            grace_end_time: grace.map(to_proto::instant),
        }
    }

    pub(super) async fn list_audit_events(
        &self,
        caller: &Caller,
        mut request: proto::ListAuditEventsRequest,
    ) -> Result<proto::ListAuditEventsResponse, Status> {
        caller.must_be(Role::Admin)?;
        let mut form = Form::new(Zone::UNSET);
        let limit = form.page_size(request.page_size);
        let limit = failure::form(form.finish(|| limit))?;
        request.page_size = 0;
        let token = std::mem::take(&mut request.page_token);
        let digest = QueryDigest::of("ListAuditEvents", 0, &request);
        let place = digest.place::<1>(&token)?;
        let before = place.map_or(u64::MAX, |[sequence]| sequence.cast_unsigned());
        // So that whoever was just denied finds it here.
        let flushed = self.engine().flush_denials().await;
        flushed.map_err(|error| failure::submit(&error, &[]))?;
        let own = match &caller.access().reach {
            Reach::All => None,
            Reach::One(name) => Some(name.to_string()),
        };
        let fits =
            move |event: &AuditEvent| own.as_ref().is_none_or(|own| event.about.namespace == *own);
        let engine = self.engine().clone();
        let read = self.aside(move || engine.audit(before, limit + 1, fits)).await?;
        let mut events = read.map_err(|error| failure::read(&error))?;
        let more = events.len() > limit;
        events.truncate(limit);
        let last = events.last().filter(|_| more).map(|last| last.sequence.cast_signed());
        Ok(proto::ListAuditEventsResponse {
            events: events.into_iter().map(event).collect(),
            next_page_token: last.map_or_else(String::new, |last| digest.token(&[last])),
        })
    }

    pub(super) async fn set_quotas(
        &self,
        caller: &Caller,
        request: &proto::SetQuotasRequest,
    ) -> Result<proto::SetQuotasResponse, Status> {
        // Whoever is bound must not move the bound.
        caller.must_administer_all()?;
        let (namespace, _) = self.admit(caller, Role::Admin, &request.namespace)?;
        let asked = request.quotas.unwrap_or_default();
        let mut form = Form::new(Zone::UNSET);
        if asked.requests_per_second == Some(0) {
            let detail = "at least 1 is allowed".to_owned();
            form.within("quotas", |form| {
                form.fail("requests_per_second", ViolationKind::TooMany, detail)
            });
        }
        failure::form(form.finish(|| Ok(())))?;
        let quotas = Quotas {
            facts: asked.facts,
            bytes: asked.bytes,
            requests_per_second: asked.requests_per_second,
            streams: asked.streams,
        };
        let set = self.engine().set_quotas(&namespace, quotas, caller.subject()).await;
        set.map_err(|error| failure::submit(&error, &[]))?;
        Ok(proto::SetQuotasResponse { quotas: Some(asked) })
    }

    pub(super) async fn get_quotas(
        &self,
        caller: &Caller,
        request: &proto::GetQuotasRequest,
    ) -> Result<proto::GetQuotasResponse, Status> {
        let (namespace, _) = self.admit(caller, Role::Reader, &request.namespace)?;
        let info = self.engine().namespace(&namespace).map_err(|error| failure::read(&error))?;
        let Quotas { facts, bytes, requests_per_second, streams } = self.engine().quotas(info.id);
        let quotas = Some(proto::Quotas { facts, bytes, requests_per_second, streams });
        let engine = self.engine().clone();
        let usage = self.aside(move || engine.usage(&namespace)).await?;
        let (facts, bytes) = usage.map_err(|error| failure::read(&error))?;
        Ok(proto::GetQuotasResponse { quotas, facts, bytes })
    }
}

/// Whether the caller could have made it.
fn handles(caller: &Caller, credential: &Credential) -> bool {
    caller.access().covers(credential.role, &credential.reach, &credential.clearance)
}

fn access_of(new: &NewCredential) -> Access {
    let NewCredential { role, reach, clearance, .. } = new.clone();
    Access { who: String::new(), role, reach, clearance }
}

fn asked_for(request: &proto::CreateCredentialRequest) -> Result<NewCredential, Status> {
    let mut form = Form::new(Zone::UNSET);
    let name = form.name("name", &request.name);
    let role = match request.role() {
        proto::Role::Reader => Ok(Role::Reader),
        proto::Role::Writer => Ok(Role::Writer),
        proto::Role::Admin => Ok(Role::Admin),
        proto::Role::Unspecified if request.role == 0 => {
            Err(form.fail("role", ViolationKind::Missing, "is missing".to_owned()))
        }
        proto::Role::Unspecified => {
            let detail = "is no role that is known here".to_owned();
            Err(form.fail("role", ViolationKind::Malformed, detail))
        }
    };
    let namespace = form.name_if_any("namespace", &request.namespace);
    let clearance = match &request.scope {
        None => Ok(Clearance::Everything),
        Some(asked) => form.within("scope", |form| scope(form, asked)).map(Clearance::Only),
    };
    let (field, bound) = ("lifetime_seconds", CREDENTIAL_SECONDS_MAX);
    let lifetime = seconds(&mut form, field, request.lifetime_seconds, bound);
    let read = form.finish(|| Ok((name?, role?, namespace?, clearance?, lifetime?)));
    let (name, role, namespace, clearance, lifetime) = failure::form(read)?;
    Ok(NewCredential {
        name: name.to_string(),
        role,
        reach: namespace.map_or(Reach::All, Reach::One),
        clearance,
        lifetime: (lifetime > 0).then_some(lifetime),
    })
}

fn scope(form: &mut Form, asked: &proto::Scope) -> Checked<Scope> {
    let owner = match asked.owner.as_str() {
        "" => Ok(None),
        text => label(form, "owner", text).map(Some),
    };
    if asked.labels.len() > LABELS_MAX {
        let detail = format!("{} labels, at most {LABELS_MAX} are allowed", asked.labels.len());
        return Err(form.fail("labels", ViolationKind::TooMany, detail));
    }
    let places = asked.labels.iter().enumerate();
    let labels: Vec<_> = places
        .map(|(place, text)| form.within_item("labels", place, |form| label(form, "", text)))
        .collect();
    Ok(Scope { owner: owner?, labels: labels.into_iter().collect::<Result<_, _>>()? })
}

fn label(form: &mut Form, field: &'static str, text: &str) -> Checked<Label> {
    text.parse().map_err(|error: LabelError| {
        let kind = match error {
            LabelError::Blank => ViolationKind::NameBlank,
            LabelError::TooLong { .. } => ViolationKind::TooLong,
            LabelError::Character => ViolationKind::Malformed,
        };
        form.fail(field, kind, error.to_string())
    })
}

fn credential_id(form: &mut Form, text: &str) -> Checked<CredentialId> {
    if text.is_empty() {
        return Err(form.fail("id", ViolationKind::Missing, "is missing".to_owned()));
    }
    text.parse().map_err(|error: CredentialIdError| {
        form.fail("id", ViolationKind::Malformed, error.to_string())
    })
}

fn seconds(form: &mut Form, field: &'static str, asked: i64, bound: i64) -> Checked<i64> {
    if (0..=bound).contains(&asked) {
        return Ok(asked);
    }
    let detail = format!("{asked} is not between 0 and {bound}");
    Err(form.fail(field, ViolationKind::TooMany, detail))
}

fn role(role: Role) -> proto::Role {
    match role {
        Role::Reader => proto::Role::Reader,
        Role::Writer => proto::Role::Writer,
        Role::Admin => proto::Role::Admin,
    }
}

fn shown(scope: &Scope) -> proto::Scope {
    proto::Scope {
        owner: scope.owner.as_ref().map_or_else(String::new, ToString::to_string),
        labels: scope.labels.iter().map(ToString::to_string).collect(),
    }
}

fn event(event: AuditEvent) -> proto::AuditEvent {
    let AuditEvent { sequence, time, action, about, count } = event;
    proto::AuditEvent {
        sequence,
        time: Some(to_proto::instant(time)),
        action,
        who: about.who,
        peer: about.peer,
        method: about.method,
        namespace: about.namespace,
        credential_id: about.credential.map_or_else(String::new, |id| id.to_string()),
        count,
    }
}
