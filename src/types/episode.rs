//! Raw texts that statements are drawn from.

use std::fmt;
use std::str::FromStr;

use super::id::ParseIdError;
use super::{Confidence, Interval, Scope, SourceId, StatementId, Trust, TxId, Written};

/// Names an episode: its transaction, and its place among the episodes of that. Spelled `ep7.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EpisodeId {
    pub tx: TxId,
    pub op: u32,
}

impl fmt::Display for EpisodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ep{}", StatementId { tx: self.tx, op: self.op })
    }
}

impl FromStr for EpisodeId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<EpisodeId, ParseIdError> {
        let StatementId { tx, op } = text.strip_prefix("ep").ok_or(ParseIdError)?.parse()?;
        Ok(EpisodeId { tx, op })
    }
}

/// What kind of text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum EpisodeKind {
    #[default]
    Turn,
    Passage,
    ToolResult,
    Note,
    /// What the first turns of a session come to.
    Summary,
    /// A block that an agent always reads: who it is, whom it talks to.
    Core,
    /// A conclusion drawn from several others.
    Reflection,
    /// How something is done.
    Procedure,
    /// Something that went wrong, and what came of it.
    Failure,
}

/// Which turns a summary stands for. That settles what it was made from: the turns of its session
/// that were visible when it was recorded, up to `through`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    pub through: EpisodeId,
    pub turns: u32,
    /// How often it was merged from the summary before it since one was made from the turns.
    pub generation: u32,
    /// The session ended with it.
    pub closes: bool,
}

/// A text as it was recorded. It never changes; only belief in it ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Episode {
    pub id: EpisodeId,
    pub kind: EpisodeKind,
    pub text: String,
    pub speaker: Option<String>,
    pub title: Option<String>,
    pub session: Option<String>,
    pub source: Option<SourceId>,
    pub trust: Trust,
    pub importance: Option<Confidence>,
    pub valid: Interval,
    /// The bounds as they were written, for display.
    pub from_written: Option<Written>,
    pub to_written: Option<Written>,
    /// The start was said, not taken from the clock.
    pub dated: bool,
    /// A vector came with it.
    pub embedded: bool,
    /// Place of the operation that added it.
    pub operation: u32,
    /// Whom it is for.
    pub scope: Scope,
    /// Of a summary, and of nothing else.
    pub fold: Option<Fold>,
    /// What it was drawn from. It is trusted at most as far as the least of these.
    pub derived_from: Vec<EpisodeId>,
}

/// What sessions are compared by: FNV-1a, which is the same on every machine.
#[must_use]
pub fn session_digest(session: &str) -> u64 {
    session.bytes().fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn episode_ids_survive_their_spelling() {
        let id = EpisodeId { tx: TxId::new(7), op: 2 };
        assert_eq!(id.to_string(), "ep7.2");
        assert_eq!("ep7.2".parse(), Ok(id));
        for text in ["7.2", "ep7", "ep07.2", "EP7.2", "ep7.2 "] {
            assert_eq!(text.parse::<EpisodeId>(), Err(ParseIdError), "{text:?}");
        }
    }
}
