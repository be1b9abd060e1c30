//! What is to be remembered, and edits of core memory.

use super::date::Side;
use super::transact::{digest, key};
use super::{Checked, Form};
use crate::agent::Edit;
use crate::kernel::{Rejection, RequestKey, ViolationKind};
use crate::rpc::civil::Zone;
use crate::rpc::{core_memory, proto};
use crate::types::limits::{
    CORE_BLOCK_BYTES_MAX, CORE_BLOCKS_MAX, CORE_LABEL_BYTES_MAX, EPISODE_BYTES_MAX, MEMORIES_MAX,
    NAME_BYTES_MAX,
};
use crate::types::{Clearance, Dated, EpisodeId, EpisodeKind, Name, Scope};

/// Who speaks where nobody says who does.
const USER: &str = "user";

/// One thing to be remembered.
#[derive(Clone, Debug)]
pub struct Item {
    pub text: String,
    pub role: String,
    pub kind: Option<EpisodeKind>,
    pub title: Option<String>,
    pub time: Option<Dated>,
    pub source: Option<Name>,
}

#[derive(Clone, Debug)]
pub struct Asked {
    pub scope: Scope,
    pub items: Vec<Item>,
    pub request: Option<RequestKey>,
}

#[derive(Clone, Debug)]
pub struct CoreEdit {
    pub scope: Scope,
    pub label: String,
    pub edit: Edit,
    pub expected: Option<EpisodeId>,
}

/// # Errors
/// A [`Rejection`] with every violation.
pub fn remember(
    request: &proto::RememberRequest,
    zone: Zone,
    clearance: &Clearance,
) -> Result<Asked, Rejection> {
    let mut form = Form::new(zone).cleared(clearance);
    let id = form.request_id(&request.request_id);
    let scope = form.scope("scope", request.scope.as_ref());
    if request.items.is_empty() {
        form.fail("items", ViolationKind::Missing, "there is nothing to remember");
    }
    let items = form.length("items", request.items.len(), MEMORIES_MAX).map(|()| {
        let read = |(index, item)| form.within_item("items", index, |form| form.memory(item));
        request.items.iter().enumerate().map(read).collect::<Vec<_>>()
    });
    form.finish(|| {
        let body = proto::RememberRequest { request_id: String::new(), ..request.clone() };
        let body = digest(&body, clearance);
        let request = id?.map(|id| RequestKey { id: key(id, clearance), body });
        let items: Result<Vec<Item>, _> = items?.into_iter().collect();
        Ok(Asked { scope: scope?, items: items?, request })
    })
}

/// # Errors
/// A [`Rejection`] with every violation.
pub fn core_edit(
    request: &proto::UpdateCoreMemoryRequest,
    zone: Zone,
    clearance: &Clearance,
) -> Result<CoreEdit, Rejection> {
    let mut form = Form::new(zone).cleared(clearance);
    let scope = form.scope("scope", request.scope.as_ref());
    let label = form.core_label("label", &request.label);
    let expected = form.episode_id_if_any("expected_version", &request.expected_version);
    let edit = match &request.edit {
        None => Err(form.fail("edit", ViolationKind::Missing, "say what is to be edited")),
        Some(edit) => form.core_change(core_memory::edit(edit)),
    };
    form.finish(|| {
        let (scope, label, edit) = (scope?, label?, edit?);
        Ok(CoreEdit { scope, label, edit, expected: expected? })
    })
}

impl Form {
    /// Whom something that is read is for.
    pub(in crate::rpc) fn whose(
        &mut self,
        field: &'static str,
        scope: Option<&proto::Scope>,
    ) -> Checked<Scope> {
        self.scope(field, scope)
    }

    fn memory(&mut self, item: &proto::Memory) -> Checked<Item> {
        let text = self.text("text", &item.text, EPISODE_BYTES_MAX);
        if item.text.trim().is_empty() {
            self.fail("text", ViolationKind::Missing, "there is nothing to remember in it");
        }
        let role = self.text("role", &item.role, NAME_BYTES_MAX);
        let kind = match self.variant("kind", item.kind) {
            Ok(proto::EpisodeKind::Unspecified) => Ok(None),
            Ok(proto::EpisodeKind::Note) => Ok(Some(EpisodeKind::Note)),
            Ok(proto::EpisodeKind::Procedure) => Ok(Some(EpisodeKind::Procedure)),
            Ok(proto::EpisodeKind::Failure) => Ok(Some(EpisodeKind::Failure)),
            Ok(proto::EpisodeKind::Passage) => Ok(Some(EpisodeKind::Passage)),
            Ok(_) => {
                let detail = "a NOTE, PROCEDURE, FAILURE or PASSAGE can be remembered";
                Err(self.fail("kind", ViolationKind::Malformed, detail))
            }
            Err(bad) => Err(bad),
        };
        let title = self.text("title", &item.title, NAME_BYTES_MAX);
        let time = self.bound("time", item.time.as_ref(), Side::From);
        let source = self.name_if_any("source", &item.source);
        Ok(Item {
            text: text?.unwrap_or_default(),
            role: role?.unwrap_or_else(|| USER.to_owned()),
            kind: kind?,
            title: title?,
            time: time?,
            source: source?,
        })
    }

    pub(in crate::rpc) fn core_labels(&mut self, labels: &[String]) -> Checked<Vec<String>> {
        self.length("labels", labels.len(), CORE_BLOCKS_MAX)?;
        let read = |(index, label): (usize, &String)| {
            self.within_item("labels", index, |form| form.core_label("", label))
        };
        let read: Vec<_> = labels.iter().enumerate().map(read).collect();
        read.into_iter().collect()
    }

    fn core_label(&mut self, field: &'static str, label: &str) -> Checked<String> {
        match self.text(field, label, CORE_LABEL_BYTES_MAX)? {
            Some(label) if !label.trim().is_empty() => Ok(label),
            _ => Err(self.fail(field, ViolationKind::Missing, "a block needs a label")),
        }
    }

    fn core_change(&mut self, edit: Edit) -> Checked<Edit> {
        let (field, text) = match &edit {
            Edit::Append(text) if text.trim().is_empty() => {
                let detail = "there is nothing to append";
                return Err(self.fail("append.text", ViolationKind::Missing, detail));
            }
            Edit::Replace { old, .. } if old.is_empty() => {
                let detail = "say which piece is to be replaced";
                return Err(self.fail("replace.old", ViolationKind::Missing, detail));
            }
            Edit::Append(text) => ("append.text", text),
            Edit::Replace { new, .. } => ("replace.new", new),
            Edit::Set(text) => ("set.text", text),
        };
        self.text(field, text, CORE_BLOCK_BYTES_MAX)?;
        Ok(edit)
    }
}
