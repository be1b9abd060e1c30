//! The facts as the rules read them: the open batch, the writer's directory, the groups at hand.

use std::cell::RefCell;

use crate::kernel::{By, Directory, Group, GroupKey, Live, Lookup};
use crate::store::{ReadError, Recorded};
use crate::types::{NamespaceId, Object, Slot, Statement, StatementId, Triple};

use super::cache::GroupCache;

pub(super) struct BatchLookup<'a> {
    pub(super) recorded: Recorded<'a>,
    pub(super) namespace: NamespaceId,
    pub(super) directory: &'a Directory,
    pub(super) cache: &'a RefCell<GroupCache>,
}

impl Lookup for BatchLookup<'_> {
    type Error = ReadError;

    fn directory(&self) -> &Directory {
        self.directory
    }

    fn statements(&self, slot: Slot, object: Option<Object>) -> Result<Vec<Statement>, ReadError> {
        self.recorded.statements(self.namespace, slot, object)
    }

    fn live(&self, slot: Slot, object: Option<Object>) -> Result<Vec<Live>, ReadError> {
        self.recorded.live(self.namespace, slot, object)
    }

    fn triples(&self, by: By) -> Result<Vec<Triple>, ReadError> {
        let By::Object(object) = by else { return self.recorded.triples(self.namespace, by) };
        let slots = self.directory.mentions(object);
        Ok(slots.into_iter().map(|slot| slot.triple(object)).collect())
    }

    fn statement(&self, id: StatementId) -> Result<Option<Statement>, ReadError> {
        self.recorded.statement(self.namespace, id)
    }

    fn take_cached(&self, key: GroupKey) -> Option<Group> {
        self.cache.borrow_mut().take(key)
    }
}
