//! The rules, one file a family. Each checks before it changes, so a refused operation leaves
//! nothing behind but names, which the draft takes back.

mod admit;
mod archive;
mod assert;
mod compose;
mod conflict;
pub(super) mod draft;
mod end;
mod entity;
mod episode;
mod kind;
mod predicate;
mod reason;
mod replay;
mod retract;
mod source;

pub(super) use admit::brought_together;
pub(super) use archive::{archive, compact, restore};
pub(super) use assert::assert;
pub(super) use compose::{correct, supersede};
pub(super) use conflict::accept;
pub(super) use end::end;
pub(super) use entity::{merge, unmerge};
pub(super) use episode::{add_episode, retract_episode};
pub(super) use predicate::declare;
pub(super) use reason::close_reason;
pub(super) use replay::replay;
pub(super) use retract::retract;
pub(super) use source::withdraw_source;
