//! Every request passes here first.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use tonic::Status;

use crate::engine::Engine;
use crate::rpc::status::{
    SCOPE_DENIED, TOO_MANY_FAILURES, UNAUTHENTICATED, UNAUTHENTICATED_MESSAGE, retry_after, status,
};
use crate::rpc::{Caller, Ends, Origin};
use crate::types::limits::CREDENTIAL_BYTES_MAX;
use crate::types::{Access, AuditSubject, Clearance, CredentialId, Reach, Role};

use super::admin_key::AdminKey;
use super::failures::Failures;
use super::jwks::KeySet;
use super::narrow::{NarrowError, narrowed};
use super::peer::Peer;
use super::token::{TokenConfig, Tokens};

/// Who asks only whether the server is up asks for nothing that is anybody's, and orchestrators ask
/// without credentials.
const HEALTH: &str = "/grpc.health.v1.Health/";
/// Whether the process answers, and whether it should be asked.
pub const LIVE: &str = "/healthz";
pub const READY: &str = "/readyz";
const API_KEY: &str = "x-api-key";
const BEARER: &str = "bearer ";
/// What the keys of the data directory begin with; no token does.
const KEY_PREFIX: &str = "tn_";

/// What opens the gate beside the credentials of the data directory.
#[derive(Default)]
pub struct GateConfig {
    /// Credentials are asked for also while there are none.
    pub required: bool,
    pub admin_key: Option<AdminKey>,
    pub tokens: Option<(TokenConfig, KeySet)>,
}

pub struct Gate {
    engine: Engine,
    config: GateConfig,
    /// Once there was a credential, the gate stays closed until the process ends: whoever revokes the
    /// last one wants it closed.
    closed: AtomicBool,
    failures: Failures,
}

/// What a credential gave, or why it gave nothing.
type Checked = Result<(Access, Ends), Fault>;

/// What the audit log is told of a credential that was not taken.
struct Fault {
    action: String,
    credential: Option<CredentialId>,
}

impl Fault {
    fn new(action: impl Into<String>) -> Fault {
        Fault { action: action.into(), credential: None }
    }
}

impl Gate {
    #[must_use]
    pub fn new(engine: Engine, config: GateConfig) -> Gate {
        let closed = config.required || config.admin_key.is_some() || config.tokens.is_some();
        Gate { engine, config, closed: AtomicBool::new(closed), failures: Failures::default() }
    }

    /// The set of keys that is to be read again now and then.
    #[must_use]
    pub fn keys(&self) -> Option<&KeySet> {
        self.config.tokens.as_ref().map(|(_, keys)| keys)
    }

    /// Whether a credential is asked for.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        if self.closed.load(Ordering::Acquire) {
            return true;
        }
        let closed = self.engine.has_credentials();
        if closed {
            self.closed.store(true, Ordering::Release);
        }
        closed
    }

    /// Who sent a request; nobody in particular where no caller is needed.
    ///
    /// # Errors
    /// `UNAUTHENTICATED`, `TOO_MANY_FAILURES`, `SCOPE_DENIED`, `MALFORMED_FIELD`.
    pub fn admit(
        &self,
        headers: &HeaderMap,
        path: &str,
        peer: Option<Peer>,
    ) -> Result<Option<Caller>, Status> {
        if is_open(path) {
            return Ok(None);
        }
        let shown = peer.map_or_else(String::new, Peer::shown);
        let origin =
            Origin { peer: shown, method: path.to_owned(), log: Some(self.engine.clone()) };
        let (access, ends) = if self.is_closed() {
            self.authenticated(headers, &origin, peer)?
        } else {
            (Access::open(), Ends::Never)
        };
        let access = self.narrowed(access, headers, &origin)?;
        Ok(Some(Caller::of(access, ends, origin)))
    }

    fn authenticated(
        &self,
        headers: &HeaderMap,
        origin: &Origin,
        peer: Option<Peer>,
    ) -> Result<(Access, Ends), Status> {
        let sent = sent(headers);
        // A key that is taken costs one digest and is nobody's guess: it is not held up by what
        // others of its address have sent.
        let key = sent.map_or(Err(Fault::new("CREDENTIAL_MISSING")), |sent| self.by_key(sent));
        let mut fault = match key {
            Ok(found) => return Ok(found),
            Err(fault) => fault,
        };
        let counted = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), Peer::counted);
        if let Some(rest) = self.failures.rest(counted, Instant::now()) {
            self.note(TOO_MANY_FAILURES.name, AuditSubject::default(), origin);
            let message = "too many credentials from this address were not valid";
            return Err(retry_after(TOO_MANY_FAILURES, message, rest));
        }
        if let (Some(sent), Some((config, keys))) = (sent, &self.config.tokens)
            && !sent.starts_with(KEY_PREFIX)
        {
            match (Tokens { config, keys }).access(sent, self.engine.now()) {
                Ok((access, end)) => return Ok((access, Ends::At(end))),
                Err(why) => fault = Fault::new(why),
            }
        }
        self.failures.note(counted, Instant::now());
        let Fault { action, credential } = fault;
        self.note(&action, AuditSubject { credential, ..AuditSubject::default() }, origin);
        Err(status(UNAUTHENTICATED, UNAUTHENTICATED_MESSAGE, &[]))
    }

    fn by_key(&self, sent: &str) -> Checked {
        if self.config.admin_key.as_ref().is_some_and(|key| key.opens(sent)) {
            let who = "the admin key".to_owned();
            let (role, reach) = (Role::Admin, Reach::All);
            let access = Access { who, role, reach, clearance: Clearance::Everything };
            return Ok((access, Ends::Never));
        }
        match self.engine.authenticate(sent) {
            Ok((credential, digest)) => {
                let access = Access {
                    who: credential.name.clone(),
                    role: credential.role,
                    reach: credential.reach.clone(),
                    clearance: credential.clearance.clone(),
                };
                Ok((access, Ends::Key { id: credential.id, digest }))
            }
            Err(fault) => Err(Fault { action: fault.to_string(), credential: fault.credential() }),
        }
    }

    fn narrowed(
        &self,
        access: Access,
        headers: &HeaderMap,
        origin: &Origin,
    ) -> Result<Access, Status> {
        match narrowed(&access.clearance, headers) {
            Ok(clearance) => Ok(Access { clearance, ..access }),
            Err(NarrowError::Malformed(status)) => Err(*status),
            Err(NarrowError::NotNarrower(error)) => {
                let about = AuditSubject { who: access.who, ..AuditSubject::default() };
                self.note(SCOPE_DENIED.name, about, origin);
                Err(status(SCOPE_DENIED, &format!("the request {error}"), &[]))
            }
        }
    }

    fn note(&self, action: &str, about: AuditSubject, origin: &Origin) {
        let (peer, method) = (origin.peer.clone(), origin.method.clone());
        self.engine.denied(action, AuditSubject { peer, method, ..about });
    }
}

/// Whether a path is answered to everybody. Metrics are not among them: they name namespaces.
#[must_use]
pub fn is_open(path: &str) -> bool {
    path.starts_with(HEALTH) || path == LIVE || path == READY
}

/// The one credential of a request, if it has exactly one and it can be read at all.
fn sent(headers: &HeaderMap) -> Option<&str> {
    let mut bearers = headers.get_all(AUTHORIZATION).iter();
    let mut keys = headers.get_all(API_KEY).iter();
    let text = match (bearers.next(), bearers.next(), keys.next(), keys.next()) {
        (Some(value), None, None, None) => {
            let text = value.to_str().ok()?;
            let scheme = text.get(..BEARER.len())?;
            if !scheme.eq_ignore_ascii_case(BEARER) {
                return None;
            }
            text[BEARER.len()..].trim()
        }
        (None, None, Some(value), None) => value.to_str().ok()?.trim(),
        _ => return None,
    };
    (!text.is_empty() && text.len() <= CREDENTIAL_BYTES_MAX).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_exactly_one_credential() {
        let headers = |pairs: &[(&'static str, &str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.append(*name, value.parse().expect("a value"));
            }
            headers
        };
        let long = "x".repeat(CREDENTIAL_BYTES_MAX);
        for (pairs, found) in [
            (&[("authorization", "Bearer abc")][..], Some("abc")),
            (&[("authorization", "bearer  abc ")], Some("abc")),
            (&[("x-api-key", "abc")], Some("abc")),
            (&[("x-api-key", &long)], Some(&*long)),
            (&[("x-api-key", &format!("{long}x"))], None),
            (&[("authorization", "Basic abc")], None),
            (&[("authorization", "Bearer ")], None),
            (&[("authorization", "abc")], None),
            (&[("authorization", "Bearer a"), ("authorization", "Bearer a")], None),
            (&[("authorization", "Bearer a"), ("x-api-key", "a")], None),
            (&[], None),
        ] {
            assert_eq!(sent(&headers(pairs)), found, "{pairs:?}");
        }
    }
}
