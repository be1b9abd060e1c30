//! What is handed to the writer, and what comes back.

use crate::kernel::{Command, Outcome};
use crate::types::{Timestamp, TxId};

/// A command, and how to take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    pub command: Command,
    /// Say what would happen; write nothing.
    pub dry_run: bool,
    /// The commit time of an imported transaction.
    pub time: Option<Timestamp>,
}

impl From<Command> for Submission {
    fn from(command: Command) -> Submission {
        Submission { command, dry_run: false, time: None }
    }
}

/// What became of a command. It is durable, unless it was a dry run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    pub tx: TxId,
    pub time: Timestamp,
    pub outcomes: Vec<Outcome>,
    /// The request id was known; this is its first receipt.
    pub replayed: bool,
}
