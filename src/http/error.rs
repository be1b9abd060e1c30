//! A status as the Connect protocol writes it: code, message, and the same details as over gRPC.

use std::sync::LazyLock;

use axum::http::header::{CONTENT_TYPE, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, Response, StatusCode};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde_json::{Value, json};
use tonic::body::Body;
use tonic::{Code, Status};
use tonic_types::pb;

static DETAILS: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(pb::FILE_DESCRIPTOR_SET).expect("a test decodes the descriptors")
});

/// What a caller gets who asked for one message.
#[must_use]
pub fn response(status: &Status) -> Response<Body> {
    let text = document(status).to_string();
    let mut response = Response::new(Body::new(axum::body::Body::from(text)));
    *response.status_mut() = http_status(status.code());
    // For whoever counts answers: the status of HTTP tells less.
    response.extensions_mut().insert(status.code());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if status.code() == Code::Unauthenticated {
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

pub(super) fn document(status: &Status) -> Value {
    let details = pb::Status::decode(status.details()).map_or_else(
        |_| Vec::new(),
        |status| {
            status.details.iter().map(|detail| shown(&detail.type_url, &detail.value)).collect()
        },
    );
    let mut error = json!({ "code": code_name(status.code()) });
    if !status.message().is_empty() {
        error["message"] = status.message().into();
    }
    if !details.is_empty() {
        error["details"] = Value::Array(details);
    }
    error
}

/// `value` is for programs, `debug` for whoever reads the answer.
fn shown(type_url: &str, value: &[u8]) -> Value {
    let name = type_url.rsplit('/').next().unwrap_or_default();
    let mut detail = json!({ "type": name, "value": STANDARD_NO_PAD.encode(value) });
    let kind = DETAILS.get_message_by_name(name);
    let message = kind.and_then(|kind| DynamicMessage::decode(kind, value).ok());
    if let Some(debug) = message.and_then(|message| serde_json::to_value(&message).ok()) {
        detail["debug"] = debug;
    }
    detail
}

fn code_name(code: Code) -> &'static str {
    match code {
        // No error has it.
        Code::Ok | Code::Unknown => "unknown",
        Code::Cancelled => "canceled",
        Code::InvalidArgument => "invalid_argument",
        Code::DeadlineExceeded => "deadline_exceeded",
        Code::NotFound => "not_found",
        Code::AlreadyExists => "already_exists",
        Code::PermissionDenied => "permission_denied",
        Code::ResourceExhausted => "resource_exhausted",
        Code::FailedPrecondition => "failed_precondition",
        Code::Aborted => "aborted",
        Code::OutOfRange => "out_of_range",
        Code::Unimplemented => "unimplemented",
        Code::Internal => "internal",
        Code::Unavailable => "unavailable",
        Code::DataLoss => "data_loss",
        Code::Unauthenticated => "unauthenticated",
    }
}

/// As the Connect protocol maps them.
fn http_status(code: Code) -> StatusCode {
    match code {
        Code::Ok => StatusCode::OK,
        Code::Cancelled => StatusCode::from_u16(499).expect("a status of three digits"),
        Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => {
            StatusCode::BAD_REQUEST
        }
        Code::DeadlineExceeded => StatusCode::GATEWAY_TIMEOUT,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::AlreadyExists | Code::Aborted => StatusCode::CONFLICT,
        Code::PermissionDenied => StatusCode::FORBIDDEN,
        Code::ResourceExhausted => StatusCode::TOO_MANY_REQUESTS,
        Code::Unimplemented => StatusCode::NOT_IMPLEMENTED,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::Unauthenticated => StatusCode::UNAUTHORIZED,
        Code::Unknown | Code::Internal | Code::DataLoss => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::status::malformed;

    #[test]
    fn details_are_the_same_as_over_grpc() {
        let error = document(&malformed("a.b".to_owned(), "no such thing".to_owned()));
        assert_eq!(error["code"], "invalid_argument");
        assert_eq!(error["message"], "a.b: no such thing");
        let info = &error["details"][0];
        assert_eq!(info["type"], "google.rpc.ErrorInfo");
        assert_eq!(info["debug"]["reason"], "MALFORMED_FIELD");
        assert!(!info["value"].as_str().expect("base64").ends_with('='));
        let field = &error["details"][1]["debug"]["fieldViolations"][0];
        assert_eq!(field["field"], "a.b");
        assert_eq!(document(&Status::internal("")), json!({ "code": "internal" }));
    }
}
