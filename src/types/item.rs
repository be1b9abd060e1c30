//! What is remembered, one by one: a fact with all that was said of it, or a text.

use super::{EpisodeId, Triple};

/// What can be put into the archive and taken out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// Under the ids that its entities counted as when it was named.
    Fact(Triple),
    Episode(EpisodeId),
}
