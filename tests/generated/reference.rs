//! The reference of `docs/api.md`, made from the comments of the protos.
//!
//! The page is written by hand but for its blocks. A block stands between `<!-- proto: NAME -->`
//! and `<!-- end -->`, where NAME is `Service` (what it is for), `Service.Call` (the call with its
//! request and response) or `messages` (everything those are made of). Every service and call has
//! exactly one block.

use std::collections::{BTreeMap, BTreeSet};

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto,
    FileDescriptorSet, MethodDescriptorProto,
};

const OPENING: &str = "<!-- proto: ";
const CLOSING: &str = "<!-- end -->";

// Numbers of fields in the descriptor of a file, of which the paths of comments are made.
const MESSAGES: i32 = 4;
const ENUMS: i32 = 5;
const SERVICES: i32 = 6;
const FIELDS: i32 = 2;
const VALUES: i32 = 2;
const CALLS: i32 = 2;

/// The page with every block made anew.
pub(crate) fn filled(page: &str, protos: &FileDescriptorSet) -> Result<String, String> {
    let mut blocks = blocks(protos);
    let mut filled = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once(OPENING) {
        let (name, after) = after.split_once(" -->\n").ok_or("a block has no name")?;
        let (_, after) = after.split_once(CLOSING).ok_or(format!("{name} has no end"))?;
        let block = blocks.remove(name).ok_or(format!("{name} is not in the protos, or twice"))?;
        filled += &format!("{before}{OPENING}{name} -->\n{block}{CLOSING}");
        rest = after;
    }
    match blocks.keys().next() {
        Some(missing) => Err(format!("docs/api.md needs the block {OPENING}{missing} -->")),
        None => Ok(filled + rest),
    }
}

fn blocks(protos: &FileDescriptorSet) -> BTreeMap<String, String> {
    let files: Vec<File> = protos.file.iter().map(File::new).collect();
    let messages: BTreeMap<&str, (&File, usize)> = files
        .iter()
        .flat_map(|file| {
            let named = file.proto.message_type.iter().enumerate();
            named.map(move |(place, message)| (message.name(), (file, place)))
        })
        .collect();
    let mut blocks = BTreeMap::new();
    let mut of_calls = BTreeSet::new();
    for file in &files {
        for (place, service) in file.proto.service.iter().enumerate() {
            let at = [SERVICES, i32_of(place)];
            blocks.insert(service.name().to_owned(), paragraph(&file.comment(&at)));
            for (call_place, call) in service.method.iter().enumerate() {
                let comment = file.comment(&[at[0], at[1], CALLS, i32_of(call_place)]);
                let sides = [call.input_type(), call.output_type()].map(last);
                let tables = sides.map(|side| {
                    let (file, place) = messages[side];
                    file.message(place)
                });
                of_calls.extend(sides);
                let name = format!("{}.{}", service.name(), call.name());
                blocks.insert(name, call_block(call, &comment, &tables));
            }
        }
    }
    let parts = files.iter().flat_map(|file| file.parts(&of_calls));
    blocks.insert("messages".to_owned(), parts.collect());
    blocks
}

fn call_block(call: &MethodDescriptorProto, comment: &str, tables: &[String; 2]) -> String {
    let stream = |streamed| if streamed { "a stream of " } else { "" };
    format!(
        "{}{}`{}`:\n\n{}{}`{}`:\n\n{}",
        paragraph(comment),
        stream(call.client_streaming()),
        last(call.input_type()),
        tables[0],
        stream(call.server_streaming()),
        last(call.output_type()),
        tables[1],
    )
}

/// A proto with its comments by path.
struct File<'a> {
    proto: &'a FileDescriptorProto,
    comments: BTreeMap<&'a [i32], String>,
}

impl<'a> File<'a> {
    fn new(proto: &'a FileDescriptorProto) -> File<'a> {
        let locations = proto.source_code_info.iter().flat_map(|info| &info.location);
        let comments = locations
            .filter(|location| location.leading_comments.is_some())
            .map(|location| (location.path.as_slice(), one_line(location.leading_comments())))
            .collect();
        File { proto, comments }
    }

    fn comment(&self, path: &[i32]) -> String {
        self.comments.get(path).cloned().unwrap_or_default()
    }

    /// Messages and enums other than those of calls, each under its heading.
    fn parts(&self, of_calls: &BTreeSet<&str>) -> Vec<String> {
        let mut parts = Vec::new();
        for (place, message) in self.proto.message_type.iter().enumerate() {
            if !of_calls.contains(message.name()) {
                let comment = paragraph(&self.comment(&[MESSAGES, i32_of(place)]));
                let table = self.message(place);
                parts.push(format!("### {}\n\n{comment}{table}", message.name()));
            }
        }
        for (place, kind) in self.proto.enum_type.iter().enumerate() {
            let comment = paragraph(&self.comment(&[ENUMS, i32_of(place)]));
            parts.push(format!("### {}\n\n{comment}{}", kind.name(), self.values(place, kind)));
        }
        parts
    }

    fn message(&self, place: usize) -> String {
        let message = &self.proto.message_type[place];
        if message.field.is_empty() {
            return "No fields.\n\n".to_owned();
        }
        let mut table = "| field | type | |\n|---|---|---|\n".to_owned();
        for (field_place, field) in message.field.iter().enumerate() {
            let path = [MESSAGES, i32_of(place), FIELDS, i32_of(field_place)];
            let told = self.comment(&path);
            table += &row(&[format!("`{}`", field.name()), type_of(field, message), told]);
        }
        table + "\n"
    }

    fn values(&self, place: usize, kind: &EnumDescriptorProto) -> String {
        let mut table = "| value | |\n|---|---|\n".to_owned();
        for (value_place, value) in kind.value.iter().enumerate() {
            let path = [ENUMS, i32_of(place), VALUES, i32_of(value_place)];
            table += &row(&[format!("`{}`", value.name()), self.comment(&path)]);
        }
        table + "\n"
    }
}

fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// The type as a reader of the contract says it, with a link where there is more to read.
fn type_of(field: &FieldDescriptorProto, message: &DescriptorProto) -> String {
    let name = match field.r#type() {
        Type::Message | Type::Enum => {
            let name = last(field.type_name());
            format!("[{name}](#{})", name.to_lowercase())
        }
        scalar => scalar.as_str_name().trim_start_matches("TYPE_").to_lowercase(),
    };
    let optional = field.proto3_optional();
    match field.oneof_index {
        Some(oneof) if !optional => {
            let oneof = usize::try_from(oneof).expect("a place in a list");
            format!("{name}, one of `{}`", message.oneof_decl[oneof].name())
        }
        _ if optional => format!("optional {name}"),
        _ if field.label() == Label::Repeated => format!("repeated {name}"),
        _ => name,
    }
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or_default()
}

fn one_line(comment: &str) -> String {
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn paragraph(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text}\n\n") }
}

fn i32_of(place: usize) -> i32 {
    i32::try_from(place).expect("a place in a list")
}
