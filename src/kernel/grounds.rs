//! What episodes were drawn from, and whether that still stands.

use std::collections::BTreeSet;

use crate::types::{EpisodeId, TxId};

use super::directory::Directory;

impl Directory {
    /// The episodes that an episode was drawn from.
    #[must_use]
    pub fn grounds(&self, id: EpisodeId) -> &[EpisodeId] {
        self.grounds.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Whether an episode was drawn, directly or by way of others, from one that was retracted by a
    /// transaction, or whose source was withdrawn by then.
    #[must_use]
    pub fn is_groundless(&self, id: EpisodeId, at: TxId) -> bool {
        let mut seen = BTreeSet::new();
        let mut next = self.grounds(id).to_vec();
        while let Some(ground) = next.pop() {
            if !seen.insert(ground) {
                continue;
            }
            // One that is not there was erased.
            if self.episode(ground).is_none_or(|info| info.believed.to <= at) {
                return true;
            }
            next.extend_from_slice(self.grounds(ground));
        }
        false
    }
}
