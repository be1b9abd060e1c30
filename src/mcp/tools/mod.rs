//! The tools of this memory, one file each.

mod list;
mod remember;
mod recall;
mod assert;
mod end;
mod correct;
mod retract;
mod facts;
mod timeline;
mod changed;
mod connections;
mod explain;
mod forget;
mod context;
mod conversations;
mod core_memory;

pub(super) use list::{call, offered};
