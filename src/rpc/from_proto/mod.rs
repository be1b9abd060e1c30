//! From the wire to what the layers below understand. Each reader collects *every* broken rule of
//! a request before it gives up, and what it returns needs no further check.

mod form;
mod date;
mod claim;
mod episode;
mod session;
mod memory;
mod context;
mod erase;
mod operation;
mod transact;
mod floored;
mod read;
mod recall;

pub use context::{ContextQuery, build_context, recall_for_context, trust_class};
pub use erase::{erase, erasure_id};
pub use floored::floored;
pub use form::{Bad, Checked, Form};
pub use memory::{Asked, CoreEdit, Item, core_edit, remember};
pub use read::{fact_id, statement_id};
pub use recall::Recall;
pub(super) use session::append_turns;
pub use transact::{Import, add_episodes, command, import};
