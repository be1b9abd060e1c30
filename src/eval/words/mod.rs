//! The words that made-up histories are made of. A language is data, and the rules of the gate are
//! not looked at: some of these statements they read, others they do not.

mod topic;
mod english;
mod korean;

pub(super) use english::ENGLISH;
pub(super) use korean::KOREAN;
pub(super) use topic::{Topic, Words};
