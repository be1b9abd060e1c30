//! Who asks: put into a request by the server's front, taken out where it is answered.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tonic::{Request, Status};

use crate::engine::Engine;
use crate::kernel::{Command, Op, Rejection, Violation, ViolationKind};
use crate::types::{
    Access, AuditSubject, CredentialId, Name, Reach, Role, SecretDigest, Timestamp,
};

use super::failure;
use super::status::{NAMESPACE_DENIED, REACH_TOO_NARROW, ROLE_TOO_LOW, Reason, SCOPE_DENIED};

/// The shortest wait between two looks at a credential that ends by itself.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// The holder of a credential that was checked. A request without one is answered by nobody.
#[derive(Clone)]
pub struct Caller(Arc<Holder>);

struct Holder {
    access: Access,
    ends: Ends,
    origin: Origin,
}

/// When a credential that was taken is taken no longer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ends {
    /// It lasts as long as the process.
    #[default]
    Never,
    /// With the key it came with.
    Key { id: CredentialId, digest: SecretDigest },
    /// At an instant.
    At(Timestamp),
}

/// Where a request came from, and the log that is told when it is denied.
#[derive(Clone, Default)]
pub struct Origin {
    pub peer: String,
    pub method: String,
    pub log: Option<Engine>,
}

impl Caller {
    /// Of a request from inside the process, with all that its access lets it do.
    #[must_use]
    pub fn new(access: Access) -> Caller {
        Caller::of(access, Ends::Never, Origin::default())
    }

    #[must_use]
    pub fn of(access: Access, ends: Ends, origin: Origin) -> Caller {
        Caller(Arc::new(Holder { access, ends, origin }))
    }

    /// The one namespace that the credential is for.
    #[must_use]
    pub fn home(&self) -> Option<&Name> {
        match &self.0.access.reach {
            Reach::All => None,
            Reach::One(name) => Some(name),
        }
    }

    pub(super) fn access(&self) -> &Access {
        &self.0.access
    }

    /// What the audit log says of a change that the caller makes.
    pub(super) fn subject(&self) -> AuditSubject {
        AuditSubject {
            who: self.0.access.who.clone(),
            peer: self.0.origin.peer.clone(),
            method: self.0.origin.method.clone(),
            ..AuditSubject::default()
        }
    }

    /// # Errors
    /// `NAMESPACE_DENIED`.
    pub(super) fn must_reach(&self, namespace: &Name) -> Result<(), Status> {
        if self.0.access.reach.holds(namespace) {
            return Ok(());
        }
        self.note(NAMESPACE_DENIED, Some(namespace));
        Err(failure::namespace_denied(namespace))
    }

    /// # Errors
    /// `ROLE_TOO_LOW`.
    pub(super) fn must_be(&self, role: Role) -> Result<(), Status> {
        self.must_be_in(role, None)
    }

    /// The same in a namespace, which is told to the audit log.
    ///
    /// # Errors
    /// `ROLE_TOO_LOW`.
    pub(super) fn must_be_in(&self, role: Role, namespace: Option<&Name>) -> Result<(), Status> {
        if self.0.access.role >= role {
            return Ok(());
        }
        self.note(ROLE_TOO_LOW, namespace);
        Err(failure::role_too_low(self.0.access.role, role))
    }

    /// For what concerns all namespaces.
    ///
    /// # Errors
    /// `ROLE_TOO_LOW` and `REACH_TOO_NARROW`.
    pub fn must_administer_all(&self) -> Result<(), Status> {
        self.must_be(Role::Admin)?;
        if self.0.access.reach == Reach::All {
            return Ok(());
        }
        self.note(REACH_TOO_NARROW, None);
        Err(failure::reach_too_narrow())
    }

    /// `SCOPE_DENIED`.
    pub(super) fn sees_too_little(&self, namespace: Option<&Name>) -> Status {
        self.note(SCOPE_DENIED, namespace);
        failure::clearance_too_low()
    }

    /// Tells the audit log if a write was refused, whole or in part, for what its caller may not see.
    pub(super) fn note_denials(&self, namespace: &Name, read: &Result<Command, Rejection>) {
        let denied = |violations: &[Violation]| {
            violations.iter().any(|violation| violation.kind == ViolationKind::ScopeDenied)
        };
        let denied = match read {
            Err(rejection) => denied(&rejection.violations),
            Ok(command) => command.ops.iter().any(|op| match op {
                Op::Invalid(violations) => denied(violations),
                _ => false,
            }),
        };
        if denied {
            self.note(SCOPE_DENIED, Some(namespace));
        }
    }

    fn note(&self, reason: Reason, namespace: Option<&Name>) {
        if let Some(engine) = &self.0.origin.log {
            let namespace = namespace.map_or_else(String::new, ToString::to_string);
            engine.denied(reason.name, AuditSubject { namespace, ..self.subject() });
        }
    }

    /// Whether the credential is still taken.
    ///
    /// # Errors
    /// `UNAUTHENTICATED`.
    pub(super) fn must_still_be_taken(&self, engine: &Engine) -> Result<(), Status> {
        let taken = match &self.0.ends {
            Ends::Never => true,
            Ends::Key { id, digest } => engine.still_opens(*id, digest),
            Ends::At(at) => engine.now() < *at,
        };
        if taken { Ok(()) } else { Err(failure::unauthenticated()) }
    }

    /// Waits until the credential is taken no longer: for streams, which outlive their first check.
    pub(super) async fn ended(&self, engine: &Engine) -> Status {
        let mut changes = engine.credentials_changed();
        loop {
            if let Err(status) = self.must_still_be_taken(engine) {
                return status;
            }
            let end = match &self.0.ends {
                Ends::Never => None,
                Ends::Key { id, digest } => engine.opens_until(*id, digest),
                Ends::At(at) => Some(*at),
            };
            let Some(end) = end else {
                // Nothing but a change ends it. The engine keeps the sender.
                if changes.changed().await.is_err() {
                    std::future::pending::<()>().await;
                }
                continue;
            };
            let left = end.micros().saturating_sub(engine.now().micros());
            let left = Duration::from_micros(u64::try_from(left).unwrap_or(0)).max(LOOK_AGAIN);
            // Whichever came first: look again.
            drop(tokio::time::timeout(left, changes.changed()).await);
        }
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Caller").field(&self.0.access).finish()
    }
}

/// Takes a request apart. One that passed no front is denied: a way in that nobody thought of lets
/// nobody in.
pub(super) fn open<T>(mut request: Request<T>) -> Result<(Caller, T), Status> {
    let caller = request.extensions_mut().remove::<Caller>();
    let caller = caller.ok_or_else(failure::unauthenticated)?;
    Ok((caller, request.into_inner()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_passed_no_front_is_denied() {
        let status = open(Request::new(())).map(drop).expect_err("a denial");
        assert_eq!(status.code(), tonic::Code::Unauthenticated);
        let mut request = Request::new(7);
        request.extensions_mut().insert(Caller::new(Access::open()));
        assert_eq!(open(request).expect("it is let in").1, 7);
    }
}
