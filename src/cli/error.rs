//! Why a verb failed, how it is told to a person, and the exit code it becomes.

use std::{error::Error as _, io};

use serde_json::{Value, json};
use thiserror::Error;
use tonic::{Code, Status};

use crate::client;
use crate::rpc::proto::Violation;

#[derive(Debug, Error)]
pub(crate) enum Error {
    /// The command or an input file is wrong; nothing was sent because of it.
    #[error("{0}")]
    Usage(String),
    #[error("{path}: {cause}")]
    File { path: String, cause: io::Error },
    #[error("cannot reach the server at {server}: {cause}")]
    Unreachable { server: String, cause: String },
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// An input file is wrong, in more than one place perhaps; nothing was sent because of it.
    #[error("{0}")]
    Input(Box<Refusal>),
    /// A server of the command's own could not be run.
    #[error("cannot run a server: {0}")]
    Server(String),
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
}

impl Error {
    pub(crate) fn usage(message: impl Into<String>) -> Error {
        Error::Usage(message.into())
    }

    pub(crate) fn file(path: impl Into<String>, cause: io::Error) -> Error {
        Error::File { path: path.into(), cause }
    }

    /// An answer with an error code: refused by the server, or never reached it.
    pub(crate) fn from_status(server: &str, status: &Status) -> Error {
        let on_the_way =
            status.source().is_some_and(<dyn std::error::Error>::is::<tonic::transport::Error>);
        let unavailable = status.code() == Code::Unavailable || on_the_way;
        let failed = client::Error::from(status.clone());
        if unavailable && failed.reason.is_empty() {
            return Error::Unreachable { server: server.to_owned(), cause: innermost(status) };
        }
        Error::Refused(Box::new(Refusal::told(failed)))
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            // The reader has gone, which is its right.
            Error::Output(_) if self.is_broken_pipe() => 0,
            Error::Refused(_) | Error::Server(_) => 1,
            Error::Usage(_) | Error::Input(_) | Error::File { .. } | Error::Output(_) => 2,
            Error::Unreachable { .. } => 3,
        }
    }

    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::Output(cause) if cause.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Lines for standard error.
    pub(crate) fn report(&self, namespace: &str) -> String {
        let mut text = format!("error: {self}\n");
        if let Error::Refused(refusal) | Error::Input(refusal) = self {
            // The message of a single violation is the violation.
            let alone = refusal.violations.len() == 1
                && refusal.message.contains(&refusal.violations[0].description);
            for violation in refusal.violations.iter().filter(|_| !alone) {
                text += &format!("  {}\n", violation_text(violation));
            }
        }
        if let Some(hint) = self.hint(namespace) {
            text += &format!("hint: {hint}\n");
        }
        text
    }

    fn hint(&self, namespace: &str) -> Option<String> {
        match self {
            Error::Unreachable { .. } => {
                Some("is the server running? Start it with `tenure serve --data DIR`.".to_owned())
            }
            Error::Refused(refusal)
                if refusal.code == Code::NotFound
                    && refusal.reason.starts_with("NAMESPACE")
                    && refusal.namespace.as_deref().is_none_or(|name| name == namespace) =>
            {
                Some(format!(
                    "make it with `tenure namespace create {namespace}`, or name another with --namespace."
                ))
            }
            _ => None,
        }
    }
}

/// What went wrong at the bottom: "Connection refused" rather than "transport error".
fn innermost(status: &Status) -> String {
    let Some(mut cause) = status.source() else { return status.message().to_owned() };
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// A request, or a line that should have become one, that was refused.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{message} [{reason}]")]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    /// Stable word; the name of the status code where the server gives none.
    pub(crate) reason: String,
    pub(crate) message: String,
    pub(crate) violations: Vec<Violation>,
    /// The namespace that the server says it is about.
    namespace: Option<String>,
}

impl Refusal {
    /// A refusal by the command line itself, before anything was sent.
    pub(crate) fn local(
        reason: &str,
        message: impl Into<String>,
        violations: Vec<Violation>,
    ) -> Refusal {
        Refusal {
            code: Code::InvalidArgument,
            reason: reason.to_owned(),
            message: message.into(),
            violations,
            namespace: None,
        }
    }

    fn told(failed: client::Error) -> Refusal {
        let client::Error { code, mut reason, message, violations, mut metadata, .. } = failed;
        if reason.is_empty() {
            reason = format!("{code:?}");
        }
        let namespace = metadata.remove("namespace");
        Refusal { code, reason, message, violations, namespace }
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "reason": self.reason,
            "message": self.message,
            "violations": self.violations.iter().map(violation_json).collect::<Vec<_>>(),
        })
    }
}

pub(crate) fn violation(
    field: impl Into<String>,
    reason: &str,
    description: impl Into<String>,
) -> Violation {
    Violation { field: field.into(), reason: reason.to_owned(), description: description.into() }
}

pub(crate) fn violation_json(violation: &Violation) -> Value {
    json!({
        "field": violation.field,
        "reason": violation.reason,
        "description": violation.description,
    })
}

/// "field: description [REASON]", without the parts that are not there.
pub(crate) fn violation_text(violation: &Violation) -> String {
    let mut text = String::new();
    if !violation.field.is_empty() {
        text += &format!("{}: ", violation.field);
    }
    text += &violation.description;
    if !violation.reason.is_empty() {
        text += &format!(" [{}]", violation.reason);
    }
    text
}

#[cfg(test)]
mod tests {
    use tonic_types::{ErrorDetails, StatusExt};

    use super::*;

    #[test]
    fn a_refusal_tells_the_reason_each_violation_and_a_hint() {
        let mut details = ErrorDetails::new();
        details.set_error_info("NAMESPACE_NOT_FOUND", "tenure", std::collections::HashMap::new());
        details.add_bad_request_violation("namespace", "no such name");
        let status =
            Status::with_error_details(Code::NotFound, "namespace lab does not exist", details);
        let error = Error::from_status("http://x", &status);
        assert_eq!(error.exit_code(), 1);
        assert_eq!(
            error.report("lab"),
            "error: namespace lab does not exist [NAMESPACE_NOT_FOUND]\n  namespace: no such name\n\
             hint: make it with `tenure namespace create lab`, or name another with --namespace.\n"
        );
    }

    #[test]
    fn a_server_that_is_not_there_is_another_exit_code() {
        let error = Error::from_status("http://x", &Status::unavailable("tcp connect error"));
        assert_eq!(error.exit_code(), 3);
        assert!(error.report("lab").contains("tenure serve --data DIR"));
    }
}
