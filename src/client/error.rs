//! What a call can fail with: a code, and a stable reason where the server gave one.

use std::collections::HashMap;
use std::time::Duration;

use thiserror::Error;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::rpc::status::{DOMAIN, QUEUE_FULL, SHUTTING_DOWN};

pub use crate::rpc::proto::Violation;

/// A call that failed. React to the reason, show the message.
#[derive(Clone, Debug, Error)]
#[error("{message} [{}]", if reason.is_empty() { code.description() } else { reason })]
pub struct Error {
    pub code: Code,
    /// Empty where the server gave none, as for a lost connection.
    pub reason: String,
    pub message: String,
    /// Every broken rule, with its field and its own reason.
    pub violations: Vec<Violation>,
    /// What the reason comes with.
    pub metadata: HashMap<String, String>,
    /// How long the server wants to be left alone.
    pub retry_after: Option<Duration>,
}

impl Error {
    /// Whether the server refused the call before it wrote anything, and may take it later.
    #[must_use]
    pub fn wrote_nothing(&self) -> bool {
        [QUEUE_FULL.name, SHUTTING_DOWN.name].contains(&self.reason.as_str())
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Error {
        let (reason, metadata) = match status.get_details_error_info() {
            Some(info) if info.domain == DOMAIN => (info.reason, info.metadata),
            _ => Default::default(),
        };
        let violations = status.get_details_bad_request().map_or_else(Vec::new, |request| {
            let broken = request.field_violations.into_iter();
            broken
                .map(|v| Violation { field: v.field, reason: v.reason, description: v.description })
                .collect()
        });
        Error {
            code: status.code(),
            reason,
            message: status.message().to_owned(),
            violations,
            metadata,
            retry_after: status.get_details_retry_info().and_then(|info| info.retry_delay),
        }
    }
}
