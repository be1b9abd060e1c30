//! The facts of one namespace in plain maps: the reference that the store is held against, and the
//! lookup that the kernel's own tests decide over.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use crate::types::{
    CloseReason, Interval, Object, Rectangle, Slot, Statement, StatementId, Timestamp, Triple,
    TxId, TxSpan,
};

use super::change::{Change, Tx};
use super::directory::Directory;
use super::group::Live;
use super::lookup::{By, Lookup};

/// Where a rectangle is kept: one triple has at most one with a given start and transaction.
type RectangleKey = (Triple, Timestamp, TxId);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    directory: Directory,
    statements: BTreeMap<(Triple, StatementId), Statement>,
    live: BTreeMap<(Triple, Timestamp), Live>,
    closed: BTreeMap<RectangleKey, (Interval, TxId, CloseReason)>,
}

impl Memory {
    /// Folds one transaction.
    ///
    /// # Panics
    /// When it closes a rectangle that is not live, or opens one that is.
    pub fn apply(&mut self, tx: &Tx) {
        self.directory.apply(tx);
        for change in &tx.changes {
            match change {
                Change::Stated(statement) => {
                    self.statements.insert((statement.triple, statement.id), statement.clone());
                }
                Change::Opened { triple, valid } => {
                    let live = Live { triple: *triple, valid: *valid, believed_from: tx.id };
                    let there = self.live.insert((*triple, valid.start()), live);
                    assert_eq!(there, None, "one live rectangle a start");
                }
                Change::Closed { triple, valid, believed_from, reason } => {
                    let live = self.live.remove(&(*triple, valid.start()));
                    let live = live.expect("only a live rectangle is closed");
                    assert_eq!((live.valid, live.believed_from), (*valid, *believed_from));
                    let key = (*triple, valid.start(), *believed_from);
                    self.closed.insert(key, (*valid, tx.id, *reason));
                }
                _ => {}
            }
        }
    }

    /// Every rectangle ever, by triple, start and transaction.
    #[must_use]
    pub fn rectangles(&self) -> BTreeSet<Rectangle> {
        let live = self.live.values().map(|live| Rectangle {
            triple: live.triple,
            valid: live.valid,
            believed: TxSpan { from: live.believed_from, to: TxId::OPEN },
            closed: None,
        });
        let closed = self.closed.iter().map(|((triple, _, from), (valid, to, reason))| Rectangle {
            triple: *triple,
            valid: *valid,
            believed: TxSpan { from: *from, to: *to },
            closed: Some(*reason),
        });
        live.chain(closed).collect()
    }

    pub fn all_statements(&self) -> impl Iterator<Item = &Statement> {
        self.statements.values()
    }

    fn of_slot<T>(
        rows: impl Iterator<Item = (Triple, T)>,
        slot: Slot,
        object: Option<Object>,
    ) -> Vec<T> {
        rows.filter(|(triple, _)| triple.slot() == slot)
            .filter(|(triple, _)| object.is_none_or(|object| object == triple.object))
            .map(|(_, row)| row)
            .collect()
    }
}

impl Lookup for Memory {
    type Error = Infallible;

    fn directory(&self) -> &Directory {
        &self.directory
    }

    fn statements(&self, slot: Slot, object: Option<Object>) -> Result<Vec<Statement>, Infallible> {
        let rows = self.statements.iter().map(|((triple, _), row)| (*triple, row.clone()));
        let mut statements = Memory::of_slot(rows, slot, object);
        statements.sort_by_key(|statement| statement.id);
        Ok(statements)
    }

    fn live(&self, slot: Slot, object: Option<Object>) -> Result<Vec<Live>, Infallible> {
        let rows = self.live.iter().map(|((triple, _), row)| (*triple, *row));
        Ok(Memory::of_slot(rows, slot, object))
    }

    fn triples(&self, by: By) -> Result<Vec<Triple>, Infallible> {
        let found: BTreeSet<Triple> = self
            .statements
            .values()
            .filter(|statement| match by {
                By::Subject(id) => statement.triple.subject == id,
                By::Object(object) => statement.triple.object == object,
                By::Predicate(id) => statement.triple.predicate == id,
                By::Source(id) => statement.source == Some(id),
            })
            .map(|statement| statement.triple)
            .collect();
        Ok(found.into_iter().collect())
    }

    fn statement(&self, id: StatementId) -> Result<Option<Statement>, Infallible> {
        Ok(self.statements.values().find(|statement| statement.id == id).cloned())
    }
}
