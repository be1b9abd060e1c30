//! Folded groups the writer keeps at hand, so that the next write to one need not fold it again.

use std::collections::HashMap;

use crate::kernel::{Decision, Group, GroupKey};
use crate::types::limits::GROUP_CACHE_PIECES_MAX;

#[derive(Default)]
pub(super) struct GroupCache {
    groups: HashMap<GroupKey, Group>,
    weight: usize,
}

impl GroupCache {
    /// Hands a group over. Whoever takes it gives back what it became, or it is read again.
    pub(super) fn take(&mut self, key: GroupKey) -> Option<Group> {
        let group = self.groups.remove(&key)?;
        self.weight -= group.weight();
        Some(group)
    }

    /// Takes in the groups of a decision that is applied.
    pub(super) fn settle(&mut self, decision: &mut Decision) {
        for key in &decision.dissolved {
            self.take(*key);
        }
        for (key, group) in std::mem::take(&mut decision.groups) {
            self.take(key);
            self.weight += group.weight();
            self.groups.insert(key, group);
        }
        if self.weight > GROUP_CACHE_PIECES_MAX {
            self.clear();
        }
    }

    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.weight = 0;
    }
}
