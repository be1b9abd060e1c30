//! What episodes were drawn from, and whether that still stands.

use std::collections::BTreeSet;

use crate::types::{EpisodeId, TxId};

use super::directory::Directory;

impl Directory {
    /// Whether an episode was recorded and neither retracted nor withdrawn with its source.
    #[must_use]
    pub fn stands(&self, id: EpisodeId) -> bool {
        self.episode(id).is_some_and(|info| info.believed.to == TxId::OPEN)
    }

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
            let Some(info) = self.episode(ground) else { return true };
            let ended = info.believed.to;
            if ended <= at && !self.gave_way(ground, ended) {
                return true;
            }
            next.extend_from_slice(self.grounds(ground));
        }
        false
    }

    /// Whether the transaction that ended an episode put one in its place that is drawn from it: so it
    /// was not taken back.
    fn gave_way(&self, id: EpisodeId, ended: TxId) -> bool {
        let (first, last) = (EpisodeId { tx: ended, op: 0 }, EpisodeId { tx: ended, op: u32::MAX });
        self.grounds.range(first..=last).any(|(_, grounds)| grounds.contains(&id))
    }
}
