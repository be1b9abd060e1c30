//! The methods that can be called, and their messages as JSON.

use std::collections::HashMap;
use std::sync::LazyLock;

use bytes::Bytes;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, MethodDescriptor};
use serde_path_to_error::{Deserializer, Track};
use tonic::Status;

use crate::rpc::proto::FILE_DESCRIPTOR_SET;
use crate::rpc::status::malformed;

use super::content::Form;

/// What every path of a call begins with.
const OURS: &str = "/tenure.v1.";
/// Where agents are answered.
const MCP: &str = "/mcp";

pub(super) static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("a test compiles the descriptors")
});

/// Whether a path is one of a service, whether or not there is such a method.
pub(super) fn is_ours(path: &str) -> bool {
    path.starts_with(OURS)
}

/// The method of a path as a label: no other text than those of the contract ever comes back, so
/// that what strangers ask for makes nothing grow.
#[must_use]
pub fn label(path: &str) -> &'static str {
    static LABELS: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
        let methods = POOL.services().flat_map(|service| service.methods().collect::<Vec<_>>());
        let pairs = methods.map(|method| {
            let service = method.parent_service().name().to_owned();
            let label = format!("{service}/{}", method.name());
            let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
            (path, &*label.leak())
        });
        pairs.collect()
    });
    let known = LABELS.get(path).copied();
    known.unwrap_or_else(|| if path.starts_with(MCP) { "mcp" } else { "other" })
}

/// The method of a path such as `/tenure.v1.FactService/ListFacts`.
pub(super) fn find(path: &str) -> Option<MethodDescriptor> {
    let (service, method) = path.strip_prefix('/')?.split_once('/')?;
    let service = POOL.get_service_by_name(service)?;
    service.methods().find(|found| found.name() == method)
}

/// A message of a request as protobuf.
pub(super) fn read(kind: &MessageDescriptor, form: Form, body: Bytes) -> Result<Bytes, Status> {
    match form {
        Form::Proto => Ok(body),
        // A request without a body says nothing, as an empty object does.
        Form::Json if body.trim_ascii().is_empty() => Ok(Bytes::new()),
        Form::Json => parse(kind, &body).map(|message| message.encode_to_vec().into()),
    }
}

/// A message of an answer as it is asked for.
pub(super) fn write(kind: &MessageDescriptor, form: Form, message: Bytes) -> Result<Bytes, Status> {
    if form == Form::Proto {
        return Ok(message);
    }
    let message = DynamicMessage::decode(kind.clone(), message);
    let text = message
        .map_err(|_| unreadable())
        .and_then(|message| serde_json::to_vec(&message).map_err(|_| unreadable()))?;
    Ok(text.into())
}

/// A service answered what its descriptor does not say, which is a bug.
fn unreadable() -> Status {
    Status::internal("the answer could not be written as JSON")
}

fn parse(kind: &MessageDescriptor, body: &[u8]) -> Result<DynamicMessage, Status> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let mut track = Track::new();
    let read = DynamicMessage::deserialize(kind.clone(), Deserializer::new(&mut json, &mut track));
    let read = read.and_then(|message| json.end().map(|()| message));
    read.map_err(|error| malformed(proto_names(&track.path().to_string()), error.to_string()))
}

/// A path of JSON in the names of the proto, as violations of a request have it.
fn proto_names(path: &str) -> String {
    let mut names = String::with_capacity(path.len());
    // A dot stands for the whole, a question mark for what was not read far enough to be named.
    let path = path.trim_end_matches(['.', '?']);
    for c in path.chars() {
        if c.is_ascii_uppercase() {
            names.push('_');
        }
        names.push(c.to_ascii_lowercase());
    }
    names
}

#[cfg(test)]
mod tests {
    use tonic_types::StatusExt;

    use super::*;

    fn violation(json: &str) -> (String, String) {
        let kind = POOL.get_message_by_name("tenure.v1.TransactRequest").expect("a message");
        let status = read(&kind, Form::Json, Bytes::copy_from_slice(json.as_bytes()));
        let details = status.expect_err(json).get_error_details();
        let found = &details.bad_request().expect("a BadRequest").field_violations[0];
        (found.field.clone(), found.reason.clone())
    }

    #[test]
    fn json_that_does_not_fit_names_its_field() {
        let cases = [
            ("{", ""),
            ("[]", ""),
            (r#"{"namespace": 7}"#, "namespace"),
            (r#"{"requestId": 7}"#, "request_id"),
            (
                r#"{"operations": [{"assert": {"atLeast": "yes"}}]}"#,
                "operations[0].assert.at_least",
            ),
            ("{} {}", ""),
        ];
        for (json, field) in cases {
            assert_eq!(violation(json), (field.to_owned(), "MALFORMED_FIELD".to_owned()), "{json}");
        }
    }

    #[test]
    fn both_spellings_of_a_name_are_read() {
        let kind = POOL.get_message_by_name("tenure.v1.ListFactsRequest").expect("a message");
        let read =
            |json: &'static str| read(&kind, Form::Json, Bytes::from_static(json.as_bytes()));
        let one = read(r#"{"pageSize": 5}"#).expect("a request");
        assert_eq!(one, read(r#"{"page_size": 5}"#).expect("a request"));
        assert!(!one.is_empty());
    }
}
