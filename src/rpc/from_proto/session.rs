//! Sessions and their turns.

use super::date::Side;
use super::transact::{digest, key};
use super::{Checked, Form};
use crate::agent::{SessionKey, Shape, trust_of};
use crate::kernel::{AddEpisode, Command, Mode, Op, Rejection, RequestKey, ViolationKind};
use crate::rpc::civil::Zone;
use crate::rpc::proto;
use crate::types::limits::{EPISODE_BYTES_MAX, NAME_BYTES_MAX, TURNS_MAX};
use crate::types::{Clearance, EpisodeKind};

/// The role of what comes from outside and not from a person.
const TOOL: &str = "tool";

/// Reads turns and the session they are for.
///
/// # Errors
/// A [`Rejection`] with every violation.
pub(in crate::rpc) fn append_turns(
    request: &proto::AppendTurnsRequest,
    zone: Zone,
    clearance: &Clearance,
) -> Result<(SessionKey, Command), Rejection> {
    let mut form = Form::new(zone).cleared(clearance);
    let id = form.request_id(&request.request_id);
    let session = form.session_key(request.key.as_ref());
    if request.turns.is_empty() {
        form.fail("turns", ViolationKind::Missing, "there is nothing to append");
    }
    let turns = form.length("turns", request.turns.len(), TURNS_MAX).map(|()| {
        let read = |(index, turn)| form.within_item("turns", index, |form| form.turn(turn));
        request.turns.iter().enumerate().map(read).collect::<Vec<_>>()
    });
    form.finish(|| {
        let session = session?;
        let body = proto::AppendTurnsRequest { request_id: String::new(), ..request.clone() };
        let body = digest(&body, clearance);
        let request = id?.map(|id| RequestKey { id: key(id, clearance), body });
        let mut ops = Vec::new();
        for turn in turns? {
            let (name, scope) = (Some(session.name.clone()), session.scope.clone());
            ops.push(Op::AddEpisode(AddEpisode { session: name, scope, ..turn? }));
        }
        Ok((session, Command { request, mode: Mode::Atomic, ops }))
    })
}

impl Form {
    pub(in crate::rpc) fn session_key(
        &mut self,
        key: Option<&proto::SessionKey>,
    ) -> Checked<SessionKey> {
        self.within("key", |form| {
            let name = key.map_or("", |key| &key.session);
            let scope = form.scope("scope", key.and_then(|key| key.scope.as_ref()));
            let name = match form.text("session", name, NAME_BYTES_MAX) {
                Ok(None) => {
                    let detail = "the name of a session is needed";
                    Err(form.fail("session", ViolationKind::Missing, detail))
                }
                Ok(Some(name)) => Ok(name),
                Err(bad) => Err(bad),
            };
            Ok(SessionKey { name: name?, scope: scope? })
        })
    }

    pub(in crate::rpc) fn shape(&mut self, field: &'static str, raw: i32) -> Checked<Shape> {
        Ok(match self.variant(field, raw)? {
            proto::WindowKind::Unspecified | proto::WindowKind::Summarising => Shape::Summarising,
            proto::WindowKind::Sliding => Shape::Sliding,
            proto::WindowKind::Hierarchical => Shape::Hierarchical,
            proto::WindowKind::Composable => Shape::Composable,
        })
    }

    /// Who said it settles how far it is trusted: what a tool says is nobody's word.
    fn turn(&mut self, turn: &proto::Turn) -> Checked<AddEpisode> {
        let role = self.text("role", &turn.role, NAME_BYTES_MAX);
        if turn.role.is_empty() {
            self.fail("role", ViolationKind::Missing, "say who spoke");
        }
        let content = self.text("content", &turn.content, EPISODE_BYTES_MAX);
        if turn.content.trim().is_empty() {
            self.fail("content", ViolationKind::Missing, "a turn needs words");
        }
        let from = self.bound("time", turn.time.as_ref(), Side::From);
        let tool = turn.role == TOOL;
        Ok(AddEpisode {
            kind: if tool { EpisodeKind::ToolResult } else { EpisodeKind::Turn },
            text: content?.unwrap_or_default(),
            speaker: role?,
            title: None,
            session: None,
            from: from?,
            to: None,
            source: None,
            trust: trust_of(&turn.role),
            importance: None,
            vector: None,
            scope: self.clearance.own(),
            fold: None,
            derived_from: Vec::new(),
        })
    }
}
