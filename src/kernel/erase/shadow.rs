//! The facts of the touched slots as the rewritten log tells them so far: what the fold reads.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use crate::types::{Object, Slot, Statement, StatementId, Timestamp, Triple};

use super::super::change::{Change, Tx};
use super::super::decide::Decision;
use super::super::directory::Directory;
use super::super::group::{Group, GroupKey, Live};
use super::super::lookup::{By, Lookup};
use super::plan::Plan;

/// Names, merges and declarations are those of the whole namespace.
#[derive(Default)]
pub(super) struct Shadow {
    pub(super) directory: Directory,
    statements: BTreeMap<Slot, BTreeMap<(Object, StatementId), Statement>>,
    live: BTreeMap<Slot, BTreeMap<(Object, Timestamp), Live>>,
    mentions: BTreeMap<Object, BTreeSet<Slot>>,
    groups: RefCell<BTreeMap<GroupKey, Group>>,
}

impl Shadow {
    /// Folds a transaction as it was rewritten.
    pub(super) fn apply(&mut self, tx: &Tx, plan: &Plan) {
        self.directory.apply(tx);
        for change in &tx.changes {
            match change {
                Change::Stated(statement) if plan.touches(statement.triple) => {
                    let Triple { object, .. } = statement.triple;
                    let slot = statement.triple.slot();
                    let said = self.statements.entry(slot).or_default();
                    said.insert((object, statement.id), statement.clone());
                    self.mentions.entry(object).or_default().insert(slot);
                }
                Change::Opened { triple, valid } if plan.touches(*triple) => {
                    let live = Live { triple: *triple, valid: *valid, believed_from: tx.id };
                    let slot = self.live.entry(triple.slot()).or_default();
                    let there = slot.insert((triple.object, valid.start()), live);
                    assert_eq!(there, None, "one live rectangle a start");
                }
                Change::Closed { triple, valid, .. } if plan.touches(*triple) => {
                    let slot = self.live.entry(triple.slot()).or_default();
                    let live = slot.remove(&(triple.object, valid.start()));
                    assert!(live.is_some(), "only a live rectangle is closed");
                }
                _ => {}
            }
        }
    }

    /// Keeps the groups of a fold at hand for the next.
    pub(super) fn settle(&self, decision: &mut Decision) {
        let mut groups = self.groups.borrow_mut();
        for key in &decision.dissolved {
            groups.remove(key);
        }
        groups.append(&mut decision.groups);
    }

    fn of_slot<T: Clone, K>(
        rows: Option<&BTreeMap<(Object, K), T>>,
        object: Option<Object>,
    ) -> Vec<T> {
        let rows = rows.into_iter().flatten();
        let wanted = rows.filter(|((said, _), _)| object.is_none_or(|object| object == *said));
        wanted.map(|(_, row)| row.clone()).collect()
    }

    fn triples_of<'s>(
        &self,
        slots: impl Iterator<Item = &'s Slot>,
        wanted: impl Fn(&Statement) -> bool,
    ) -> Vec<Triple> {
        let said = slots.filter_map(|slot| self.statements.get(slot)).flatten();
        let found: BTreeSet<Triple> =
            said.filter(|(_, said)| wanted(said)).map(|(_, said)| said.triple).collect();
        found.into_iter().collect()
    }
}

impl Lookup for Shadow {
    type Error = Infallible;

    fn directory(&self) -> &Directory {
        &self.directory
    }

    fn statements(&self, slot: Slot, object: Option<Object>) -> Result<Vec<Statement>, Infallible> {
        let mut statements = Shadow::of_slot(self.statements.get(&slot), object);
        statements.sort_by_key(|statement| statement.id);
        Ok(statements)
    }

    fn live(&self, slot: Slot, object: Option<Object>) -> Result<Vec<Live>, Infallible> {
        Ok(Shadow::of_slot(self.live.get(&slot), object))
    }

    fn triples(&self, by: By) -> Result<Vec<Triple>, Infallible> {
        Ok(match by {
            By::Object(object) => {
                let slots = self.mentions.get(&object).into_iter().flatten();
                self.triples_of(slots, |said| said.triple.object == object)
            }
            By::Subject(id) => {
                let slots = self.statements.keys().filter(|slot| slot.subject == id);
                self.triples_of(slots, |_| true)
            }
            By::Predicate(id) => {
                let slots = self.statements.keys().filter(|slot| slot.predicate == id);
                self.triples_of(slots, |_| true)
            }
            By::Source(id) => {
                self.triples_of(self.statements.keys(), |said| said.source == Some(id))
            }
        })
    }

    fn statement(&self, id: StatementId) -> Result<Option<Statement>, Infallible> {
        let said = self.statements.values().flat_map(BTreeMap::values);
        Ok(said.into_iter().find(|statement| statement.id == id).cloned())
    }

    fn take_cached(&self, key: GroupKey) -> Option<Group> {
        self.groups.borrow_mut().remove(&key)
    }
}
