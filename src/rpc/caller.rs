//! Who asks: put into a request by the server's front, taken out where it is answered.

use std::sync::Arc;

use tonic::{Request, Status};

use crate::types::{Access, Name, Reach, Role};

use super::failure;

/// The holder of a credential that was checked.
#[derive(Clone, Debug)]
pub struct Caller(Arc<Access>);

impl Caller {
    #[must_use]
    pub fn new(access: Access) -> Caller {
        Caller(Arc::new(access))
    }

    pub(super) fn access(&self) -> &Access {
        &self.0
    }

    /// The one namespace that the credential is for, unless it is for all.
    pub(super) fn only(&self) -> Option<&Name> {
        match &self.0.reach {
            Reach::One(name) => Some(name),
            Reach::All => None,
        }
    }

    /// # Errors
    /// `NAMESPACE_DENIED`.
    pub(super) fn must_reach(&self, namespace: &Name) -> Result<(), Status> {
        if self.0.reach.holds(namespace) {
            Ok(())
        } else {
            Err(failure::namespace_denied(namespace))
        }
    }

    /// # Errors
    /// `ROLE_TOO_LOW`.
    pub(super) fn must_be(&self, role: Role) -> Result<(), Status> {
        if self.0.role >= role { Ok(()) } else { Err(failure::role_too_low(self.0.role, role)) }
    }
}

/// Takes a request apart. One that passed no front comes from inside the process.
pub(super) fn open<T>(mut request: Request<T>) -> (Caller, T) {
    let caller = request.extensions_mut().remove::<Caller>();
    let caller = caller.unwrap_or_else(|| Caller::new(Access::open()));
    (caller, request.into_inner())
}
