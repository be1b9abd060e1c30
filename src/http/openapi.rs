//! The services as an `OpenAPI` 3.1 document, made from the descriptors and their comments.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use prost_reflect::{
    EnumDescriptor, FieldDescriptor, FileDescriptor, Kind, MessageDescriptor, MethodDescriptor,
};
use serde_json::{Map, Value, json};

use super::method::POOL;

const ABOUT: &str = "Every call is a POST of one JSON object: the JSON of protobuf, by the Connect \
protocol. Names are in lower camel case, and names as they are in the proto files are read too. \
64-bit numbers are strings. Fields with their default value are left out of answers. A method \
that streams answers with one JSON object a line; should it fail after it began, the last line has \
an `error` and nothing else.";

/// The document. The order of its keys is that of the proto files.
#[must_use]
pub fn document() -> Value {
    let comments = Comments::new();
    let mut paths = Map::new();
    let mut used = Used::default();
    let mut tags = Vec::new();
    for service in POOL.services() {
        let said = comments.of(&service.parent_file(), service.path());
        tags.push(json!({ "name": service.name(), "description": said }));
        for method in service.methods() {
            let path = format!("/{}/{}", service.full_name(), method.name());
            paths.insert(path, json!({ "post": operation(&comments, &method) }));
            used.message(&method.input());
            used.message(&method.output());
        }
    }
    let mut schemas = Map::new();
    for message in used.messages.values() {
        schemas.insert(message.name().to_owned(), object(&comments, message));
    }
    for found in used.enums.values() {
        schemas.insert(found.name().to_owned(), choice(&comments, found));
    }
    schemas.insert("Error".to_owned(), error());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Tenure",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "tags": tags,
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

fn operation(comments: &Comments, method: &MethodDescriptor) -> Value {
    let service = method.parent_service();
    let said = comments.of(&service.parent_file(), method.path());
    let (sent, answered) = match (method.is_client_streaming(), method.is_server_streaming()) {
        (false, false) => ("application/json", "application/json"),
        (false, true) => ("application/json", "application/x-ndjson"),
        (true, _) => ("application/x-ndjson", "application/json"),
    };
    json!({
        "tags": [service.name()],
        "operationId": format!("{}_{}", service.name(), method.name()),
        "description": said,
        "requestBody": {
            "required": true,
            "content": { sent: { "schema": reference(method.input().name()) } },
        },
        "responses": {
            "200": {
                "description": "Done.",
                "content": { answered: { "schema": reference(method.output().name()) } },
            },
            "default": {
                "description": "Refused. The reason is in the first detail.",
                "content": { "application/json": { "schema": reference("Error") } },
            },
        },
    })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn object(comments: &Comments, message: &MessageDescriptor) -> Value {
    let file = message.parent_file();
    let mut properties = Map::new();
    for field in message.fields() {
        let said = comments.of(&file, field.path());
        properties.insert(field.json_name().to_owned(), property(&field, &said));
    }
    let mut said = comments.of(&file, message.path());
    for choice in message.oneofs().filter(|choice| !choice.is_synthetic()) {
        let names: Vec<_> = choice.fields().map(|field| field.json_name().to_owned()).collect();
        let sentence = format!("At most one of: {}.", names.join(", "));
        said = joined(said, " ", &sentence);
    }
    json!({ "type": "object", "description": said, "properties": properties })
}

fn property(field: &FieldDescriptor, said: &str) -> Value {
    let one = match field.kind() {
        Kind::Message(message) => reference(message.name()),
        Kind::Enum(found) => reference(found.name()),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::String => json!({ "type": "string" }),
        Kind::Bytes => json!({ "type": "string", "contentEncoding": "base64" }),
        Kind::Double => json!({ "type": "number", "format": "double" }),
        Kind::Float => json!({ "type": "number", "format": "float" }),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
            json!({ "type": "integer", "format": "int32" })
        }
        Kind::Uint32 | Kind::Fixed32 => json!({ "type": "integer", "format": "uint32" }),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
            json!({ "type": "string", "format": "int64" })
        }
        Kind::Uint64 | Kind::Fixed64 => json!({ "type": "string", "format": "uint64" }),
    };
    let mut schema = if field.is_list() { json!({ "type": "array", "items": one }) } else { one };
    if !said.is_empty() {
        schema["description"] = said.into();
    }
    schema
}

fn choice(comments: &Comments, found: &EnumDescriptor) -> Value {
    let file = found.parent_file();
    let mut said = comments.of(&file, found.path());
    let mut names = Vec::new();
    for value in found.values() {
        let meaning = comments.of(&file, value.path());
        if !meaning.is_empty() {
            said = joined(said, "\n", &format!("{}: {meaning}", value.name()));
        }
        names.push(value.name().to_owned());
    }
    json!({ "type": "string", "description": said, "enum": names })
}

fn joined(said: String, by: &str, more: &str) -> String {
    if said.is_empty() { more.to_owned() } else { said + by + more }
}

fn error() -> Value {
    let detail = json!({
        "type": "object",
        "properties": {
            "type": {
                "type": "string",
                "description": "google.rpc.ErrorInfo, google.rpc.BadRequest or google.rpc.RetryInfo.",
            },
            "value": { "type": "string", "description": "The message, in base64 without padding." },
            "debug": { "type": "object", "description": "The same message as JSON." },
        },
        "required": ["type", "value"],
    });
    json!({
        "type": "object",
        "description": "Why a call was refused. docs/errors.md explains each reason.",
        "properties": {
            "code": { "type": "string", "description": "A gRPC code, such as invalid_argument." },
            "message": { "type": "string", "description": "For a person to read." },
            "details": { "type": "array", "items": detail },
        },
        "required": ["code"],
    })
}

/// What the methods reach, by full name.
#[derive(Default)]
struct Used {
    messages: BTreeMap<String, MessageDescriptor>,
    enums: BTreeMap<String, EnumDescriptor>,
    seen: BTreeSet<String>,
}

impl Used {
    fn message(&mut self, message: &MessageDescriptor) {
        if !self.seen.insert(message.full_name().to_owned()) {
            return;
        }
        self.messages.insert(message.full_name().to_owned(), message.clone());
        for field in message.fields() {
            match field.kind() {
                Kind::Message(inner) => self.message(&inner),
                Kind::Enum(found) => {
                    self.enums.insert(found.full_name().to_owned(), found);
                }
                _ => {}
            }
        }
    }
}

/// What the proto files say above each thing.
struct Comments(HashMap<(String, Vec<i32>), String>);

impl Comments {
    fn new() -> Comments {
        let mut found = HashMap::new();
        for file in POOL.files() {
            let info = file.file_descriptor_proto().source_code_info.as_ref();
            for location in info.map_or(&[][..], |info| &info.location) {
                let lines = location.leading_comments().lines().map(str::trim);
                let text = lines.collect::<Vec<_>>().join(" ").trim().to_owned();
                if !text.is_empty() {
                    found.insert((file.name().to_owned(), location.path.clone()), text);
                }
            }
        }
        Comments(found)
    }

    fn of(&self, file: &FileDescriptor, path: &[i32]) -> String {
        self.0.get(&(file.name().to_owned(), path.to_vec())).cloned().unwrap_or_default()
    }
}
