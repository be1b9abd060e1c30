//! Errors on the wire: a gRPC code for machines that retry, a stable reason for code that reacts,
//! and the fields for the person who fixes the request.
//!
//! `docs/errors.md` has a section for each reason; a test holds the two together.

use std::collections::HashMap;
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};

use super::{proto, to_proto};
use crate::kernel::{Rejection, Violation, ViolationKind};
use crate::types::limits::{STATUS_MESSAGE_BYTES_MAX, STATUS_VIOLATIONS_BYTES_MAX};

/// What `google.rpc.ErrorInfo` calls the source of our reasons.
pub const DOMAIN: &str = "tenure";

/// A stable reason and the code it comes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    pub name: &'static str,
    pub code: Code,
}

macro_rules! reasons {
    ($($name:ident: $code:ident,)*) => {
        $(pub const $name: Reason = Reason { name: stringify!($name), code: Code::$code };)*

        /// All of them.
        pub const REASONS: &[Reason] = &[$($name),*];
    };
}

// INVALID_ARGUMENT is wrong whatever the state, FAILED_PRECONDITION until the state changes.
// Clients retry UNAVAILABLE by themselves, so only what passes by itself may say it.
reasons! {
    MISSING_FIELD: InvalidArgument,
    MALFORMED_FIELD: InvalidArgument,
    NAME_BLANK: InvalidArgument,
    STRING_TOO_LONG: InvalidArgument,
    LIMIT_EXCEEDED: InvalidArgument,
    DATE_INVALID: InvalidArgument,
    ZONE_MISSING: InvalidArgument,
    ZONE_UNKNOWN: InvalidArgument,
    NUMBER_INVALID: InvalidArgument,
    EMPTY_INTERVAL: InvalidArgument,
    INVERTED_INTERVAL: InvalidArgument,
    // Depends on how the predicate was used before; another namespace would take the request.
    PREDICATE_CLASH: FailedPrecondition,
    CONFLICT_IN_REQUEST: InvalidArgument,
    ENTITY_UNKNOWN: NotFound,
    PREDICATE_UNKNOWN: NotFound,
    SOURCE_UNKNOWN: NotFound,
    STATEMENT_UNKNOWN: NotFound,
    EPISODE_UNKNOWN: NotFound,
    ERASURE_UNKNOWN: NotFound,
    // Depends on the space of the namespace; another would take the vector.
    VECTOR_MISMATCH: FailedPrecondition,
    NO_MATCH: FailedPrecondition,
    ALREADY_MERGED: FailedPrecondition,
    NOT_MERGED: FailedPrecondition,
    INVALID_PAGE_TOKEN: InvalidArgument,
    // Not ALREADY_EXISTS, which callers of idempotent writes take for success, and not ABORTED,
    // which asks them to try again.
    KEY_REUSED: FailedPrecondition,
    // One for all that can be wrong with a credential.
    UNAUTHENTICATED: Unauthenticated,
    TOO_MANY_FAILURES: ResourceExhausted,
    NAMESPACE_DENIED: PermissionDenied,
    ROLE_TOO_LOW: PermissionDenied,
    REACH_TOO_NARROW: PermissionDenied,
    SCOPE_DENIED: PermissionDenied,
    CREDENTIAL_UNKNOWN: NotFound,
    CREDENTIALS_FULL: ResourceExhausted,
    FIRST_CREDENTIAL: FailedPrecondition,
    QUOTA_EXCEEDED: ResourceExhausted,
    NAMESPACE_UNKNOWN: NotFound,
    NAMESPACE_EXISTS: AlreadyExists,
    NAMESPACE_NOT_EMPTY: FailedPrecondition,
    NAMESPACES_FULL: ResourceExhausted,
    TIME_NOT_INCREASING: FailedPrecondition,
    BACKUP_BASE_FOREIGN: FailedPrecondition,
    // Taken again from the start it is whole.
    BACKUP_OVERTAKEN: Aborted,
    FACT_UNKNOWN: NotFound,
    SESSION_UNKNOWN: NotFound,
    SESSION_ENDED: FailedPrecondition,
    CORE_UNKNOWN: NotFound,
    CORE_CHANGED: Aborted,
    CORE_MISMATCH: FailedPrecondition,
    CORE_FULL: FailedPrecondition,
    // Read again and made again it passes.
    POLICY_CHANGED: Aborted,
    QUEUE_FULL: ResourceExhausted,
    STREAM_IDLE: DeadlineExceeded,
    // A full disk does not empty itself, so no automatic retry.
    STORAGE_FULL: ResourceExhausted,
    STORAGE_FAILED: Internal,
    // The new file is there by the time anybody asks again.
    STORAGE_RENEWED: Unavailable,
    EMBEDDER_MISSING: FailedPrecondition,
    EMBEDDER_FAILED: Unavailable,
    CHAT_UNAVAILABLE: FailedPrecondition,
    // The same call may succeed a moment later.
    CHAT_FAILED: Unavailable,
    BUDGET_SPENT: ResourceExhausted,
    GROUND_STANDS: FailedPrecondition,
    SHUTTING_DOWN: Unavailable,
}

/// What is said of every credential that is not taken, whatever is wrong with it.
pub const UNAUTHENTICATED_MESSAGE: &str = "a valid credential is needed";

/// The reason of a broken rule.
#[must_use]
pub const fn reason(kind: ViolationKind) -> Reason {
    match kind {
        ViolationKind::Missing => MISSING_FIELD,
        ViolationKind::Malformed => MALFORMED_FIELD,
        ViolationKind::NameBlank => NAME_BLANK,
        ViolationKind::TooLong => STRING_TOO_LONG,
        ViolationKind::TooMany => LIMIT_EXCEEDED,
        ViolationKind::DateInvalid => DATE_INVALID,
        ViolationKind::ZoneMissing => ZONE_MISSING,
        ViolationKind::ZoneUnknown => ZONE_UNKNOWN,
        ViolationKind::NumberInvalid => NUMBER_INVALID,
        ViolationKind::EmptyInterval => EMPTY_INTERVAL,
        ViolationKind::InvertedInterval => INVERTED_INTERVAL,
        ViolationKind::PredicateClash => PREDICATE_CLASH,
        ViolationKind::ConflictInRequest => CONFLICT_IN_REQUEST,
        ViolationKind::EntityUnknown => ENTITY_UNKNOWN,
        ViolationKind::PredicateUnknown => PREDICATE_UNKNOWN,
        ViolationKind::SourceUnknown => SOURCE_UNKNOWN,
        ViolationKind::StatementUnknown => STATEMENT_UNKNOWN,
        ViolationKind::EpisodeUnknown => EPISODE_UNKNOWN,
        ViolationKind::FactUnknown => FACT_UNKNOWN,
        ViolationKind::VectorMismatch => VECTOR_MISMATCH,
        ViolationKind::ScopeDenied => SCOPE_DENIED,
        ViolationKind::NoMatch => NO_MATCH,
        ViolationKind::AlreadyMerged => ALREADY_MERGED,
        ViolationKind::NotMerged => NOT_MERGED,
    }
}

/// An error with its reason, and what a program may want to know about it.
#[must_use]
pub fn status(reason: Reason, message: &str, metadata: &[(&str, &str)]) -> Status {
    build(reason, message, info(reason, metadata))
}

/// An error that is worth trying again after `delay`.
#[must_use]
pub fn retry_after(reason: Reason, message: &str, delay: Duration) -> Status {
    bounded(reason, message, &[], Some(delay))
}

/// An error of a bound, which is worth trying again after `delay` where time helps.
#[must_use]
pub fn bounded(
    reason: Reason,
    message: &str,
    metadata: &[(&str, &str)],
    delay: Option<Duration>,
) -> Status {
    let mut details = info(reason, metadata);
    if delay.is_some() {
        details.set_retry_info(delay);
    }
    build(reason, message, details)
}

/// A request that is not written as it must be: another notation than protobuf may break.
#[must_use]
pub fn malformed(field: String, detail: String) -> Status {
    let kind = ViolationKind::Malformed;
    let violation = Violation { op: None, field: field.into(), kind, detail };
    rejected(&Rejection::new(vec![violation]), &[])
}

/// More bytes than are taken.
#[must_use]
pub fn too_long(what: &str, bytes_max: usize) -> Status {
    status(LIMIT_EXCEEDED, &format!("{what} has more than {bytes_max} bytes"), &[])
}

/// A refused request. The first violation names the error; all are listed as far as trailers
/// allow, and `violation_count` says how many there are. `operations` are those of the request.
#[must_use]
pub fn rejected(rejection: &Rejection, operations: &[proto::Operation]) -> Status {
    let Rejection { violations } = rejection;
    let mut fields = Vec::new();
    let mut bytes = 0;
    for violation in violations {
        let proto::Violation { mut field, reason, mut description } =
            to_proto::violation(violation, operations);
        shorten(&mut field);
        shorten(&mut description);
        bytes += field.len() + reason.len() + description.len();
        if bytes > STATUS_VIOLATIONS_BYTES_MAX && !fields.is_empty() {
            break;
        }
        fields.push(FieldViolation { field, description, reason, localized_message: None });
    }
    let first = &fields[0];
    let more = match violations.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let message = match first.field.as_str() {
        "" => format!("{}{more}", first.description),
        field => format!("{field}: {}{more}", first.description),
    };
    let reason = reason(rejection.kind());
    let mut details = info(reason, &[("violation_count", &violations.len().to_string())]);
    details.set_bad_request(fields);
    build(reason, &message, details)
}

fn info(reason: Reason, metadata: &[(&str, &str)]) -> ErrorDetails {
    let shortened = |(key, value): &(&str, &str)| {
        let mut value = (*value).to_owned();
        shorten(&mut value);
        ((*key).to_owned(), value)
    };
    let metadata: HashMap<_, _> = metadata.iter().map(shortened).collect();
    ErrorDetails::with_error_info(reason.name, DOMAIN, metadata)
}

fn build(reason: Reason, message: &str, details: ErrorDetails) -> Status {
    let mut message = message.to_owned();
    shorten(&mut message);
    Status::with_error_details(reason.code, message, details)
}

/// Cuts a text that a caller may have made long. Errors travel in HTTP/2 trailers, of which many
/// clients take 8 KiB in all and drop the connection past that.
fn shorten(text: &mut String) {
    if text.len() <= STATUS_MESSAGE_BYTES_MAX {
        return;
    }
    let dots = "...";
    let end =
        (0..=STATUS_MESSAGE_BYTES_MAX - dots.len()).rev().find(|end| text.is_char_boundary(*end));
    text.truncate(end.unwrap_or(0));
    text.push_str(dots);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Violation;
    use std::collections::BTreeMap;

    const PAGE: &str = include_str!("../../docs/errors.md");

    /// Codes as the page writes them.
    fn code_name(code: Code) -> String {
        let mut name = String::new();
        for c in format!("{code:?}").chars() {
            if c.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(c.to_ascii_uppercase());
        }
        name
    }

    #[test]
    fn every_reason_is_explained_with_its_code_and_nothing_else_is() {
        let mut page = BTreeMap::new();
        for section in PAGE.split("\n## ").skip(1) {
            let (name, text) = section.split_once('\n').expect("a heading has a body");
            let code = text.trim_start().split('`').nth(1).expect("a section begins with a code");
            assert!(page.insert(name, code.to_owned()).is_none(), "{name} is there twice");
            for part in ["**What happened.**", "**Example.**", "**What to do.**"] {
                assert!(text.contains(part), "{name} lacks {part}");
            }
        }
        let reasons: BTreeMap<_, _> =
            REASONS.iter().map(|reason| (reason.name, code_name(reason.code))).collect();
        assert_eq!(page, reasons);
        assert_eq!(reasons.len(), REASONS.len(), "reasons are unique");
    }

    fn violation(op: usize, kind: ViolationKind, detail: &str) -> Violation {
        Violation { op: Some(op), field: "to".into(), kind, detail: detail.to_owned() }
    }

    #[test]
    fn a_rejection_carries_reason_and_fields() {
        let rejection = Rejection::new(vec![
            violation(1, ViolationKind::InvertedInterval, "the end is before the start"),
            violation(0, ViolationKind::DateInvalid, "there is no such date"),
        ]);
        let assert = proto::operation::Operation::Assert(proto::Assert::default());
        let operations = vec![proto::Operation { operation: Some(assert) }; 2];
        let status = rejected(&rejection, &operations);
        assert_eq!(status.code(), Code::InvalidArgument);
        let message = "operations[0].assert.to: there is no such date (and 1 more)";
        assert_eq!(status.message(), message);
        let details = status.get_error_details();
        let info = details.error_info().expect("an ErrorInfo");
        assert_eq!((info.reason.as_str(), info.domain.as_str()), ("DATE_INVALID", "tenure"));
        assert_eq!(info.metadata["violation_count"], "2");
        let fields = &details.bad_request().expect("a BadRequest").field_violations;
        assert_eq!(fields[1].field, "operations[1].assert.to");
        assert_eq!(fields[1].reason, "INVERTED_INTERVAL");
    }

    #[test]
    fn errors_fit_into_trailers_however_much_is_wrong() {
        let long = "\u{d55c}".repeat(10_000);
        let violations = (0..10_000).map(|op| violation(op, ViolationKind::Missing, &long));
        let status = rejected(&Rejection::new(violations.collect()), &[]);
        // Percent-encoding triples the message, base64 adds a third to the details.
        let bytes = status.message().len() * 3 + status.details().len() * 4 / 3;
        assert!(bytes < 8 * 1_024, "{bytes}");
        assert_eq!(
            status.get_error_details().error_info().expect("info").metadata["violation_count"],
            "10000"
        );
        let status = super::status(NAMESPACE_UNKNOWN, &long, &[("namespace", &long)]);
        assert!(
            status.message().ends_with("...") && status.message().len() <= STATUS_MESSAGE_BYTES_MAX
        );
    }

    #[test]
    fn a_full_queue_says_when_to_come_back() {
        let status = retry_after(QUEUE_FULL, "the writer is behind", Duration::from_millis(50));
        assert_eq!(status.code(), Code::ResourceExhausted);
        let details = status.get_error_details();
        assert!(details.retry_info().is_some_and(|retry| retry.retry_delay.is_some()));
    }
}
