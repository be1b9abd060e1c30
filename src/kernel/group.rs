//! A group: the statements that compete for one timeline, and that timeline.
//!
//! Where a predicate holds one object at a time the group is (subject, predicate); otherwise each
//! object is a group of its own. Ids are canonical here: statements are read under them.

use std::collections::BTreeSet;

use crate::types::{
    EntityId, Interval, Object, PredicateId, RowKey, Slot, Statement, StatementKind, Timestamp,
    Triple, TxId,
};

use super::timeline::{Effect, Extent, Owner, Remains, Timeline};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupKey {
    pub subject: EntityId,
    pub predicate: PredicateId,
    /// Present where the predicate holds many objects.
    pub object: Option<Object>,
}

impl GroupKey {
    #[must_use]
    pub const fn slot(self) -> Slot {
        Slot { subject: self.subject, predicate: self.predicate }
    }
}

/// A rectangle that is believed now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Live {
    pub triple: Triple,
    pub valid: Interval,
    pub believed_from: TxId,
}

/// One thing the fold does. A whole retract removes steps, a partial one replaces those of its
/// object by what remains, so the list is always what folding again would read.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Open(Owner),
    Definite(Owner, Interval),
    AtLeast(Owner, Interval),
    End(Object, Timestamp),
    Restore(Object, Remains),
}

impl Step {
    const fn object(&self) -> Object {
        match self {
            Step::Open(owner) | Step::Definite(owner, _) | Step::AtLeast(owner, _) => owner.object,
            Step::End(object, _) | Step::Restore(object, _) => *object,
        }
    }

    fn apply(&self, timeline: &mut Timeline) -> Effect {
        match self {
            Step::Open(owner) => timeline.open(*owner),
            Step::Definite(owner, span) => timeline.definite(*owner, *span),
            Step::AtLeast(owner, span) => timeline.at_least(*owner, *span),
            Step::End(object, at) => timeline.end(*object, *at),
            Step::Restore(_, remains) => timeline.restore(remains),
        }
    }
}

/// The folded state of a group, and the rectangles of it that are believed now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    timeline: Timeline,
    steps: Vec<Step>,
    blocked: BTreeSet<Object>,
    rows: BTreeSet<RowKey>,
    /// As of the last decided transaction.
    pub live: Vec<Live>,
}

impl Group {
    /// Folds statements in recording order. `object_of` reads an object under its canonical id.
    pub fn fold<'a>(
        statements: impl IntoIterator<Item = &'a Statement>,
        object_of: impl Fn(Object) -> Object,
    ) -> Group {
        let mut group = Group::default();
        for statement in statements {
            group.apply(statement, object_of(statement.triple.object));
        }
        group
    }

    #[must_use]
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    #[must_use]
    pub fn is_blocked(&self, object: Object) -> bool {
        self.blocked.contains(&object)
    }

    /// Whether this row of an import was recorded before, also if it was retracted since.
    #[must_use]
    pub fn has_row(&self, row: RowKey) -> bool {
        self.rows.contains(&row)
    }

    /// Whether any statement about the object counts.
    #[must_use]
    pub fn speaks_of(&self, object: Object) -> bool {
        self.steps.iter().any(|step| step.object() == object)
    }

    /// How much of the writer's cache it takes.
    #[must_use]
    pub fn weight(&self) -> usize {
        1 + self.steps.len() + self.timeline.pieces().len() + self.live.len() + self.rows.len()
    }

    /// Folds one more statement about `object`.
    pub fn apply(&mut self, statement: &Statement, object: Object) -> Effect {
        self.rows.extend(statement.row);
        if statement.contested {
            return Effect::default();
        }
        match statement.kind {
            StatementKind::Open { from } => {
                self.push(Step::Open(owner(statement, object, from, Extent::Open)))
            }
            StatementKind::Definite(span) => {
                let owner = owner(statement, object, span.start(), Extent::Bounded);
                self.push(Step::Definite(owner, span))
            }
            StatementKind::AtLeast(span) => {
                let owner = owner(statement, object, span.start(), Extent::Bounded);
                self.push(Step::AtLeast(owner, span))
            }
            StatementKind::End { at } => self.push(Step::End(object, at)),
            StatementKind::RetractAll { block } => {
                self.block(object, block);
                self.forget(object, None)
            }
            StatementKind::RetractPart { range, correct, block } => {
                self.block(object, block);
                let remains = self.timeline.remains(object, range, correct);
                let left = (!remains.is_empty()).then_some(Step::Restore(object, remains));
                self.forget(object, left)
            }
        }
    }

    /// Takes back the assert that was applied last, as if it had not been said.
    ///
    /// # Panics
    /// When none was.
    pub fn take_back(&mut self) {
        self.steps.pop().expect("an assert was applied");
        self.refold();
    }

    fn push(&mut self, step: Step) -> Effect {
        let effect = step.apply(&mut self.timeline);
        self.steps.push(step);
        effect
    }

    fn block(&mut self, object: Object, block: bool) {
        if block {
            self.blocked.insert(object);
        }
    }

    /// Drops every step about the object and folds the others again, then what is to follow them.
    fn forget(&mut self, object: Object, then: Option<Step>) -> Effect {
        let before = self.timeline.runs();
        self.steps.retain(|step| step.object() != object);
        self.steps.extend(then);
        self.refold();
        Effect { changed: before != self.timeline.runs(), displaced: Vec::new() }
    }

    fn refold(&mut self) {
        self.timeline = Timeline::default();
        for step in &self.steps {
            step.apply(&mut self.timeline);
        }
    }
}

fn owner(statement: &Statement, object: Object, start: Timestamp, extent: Extent) -> Owner {
    Owner { statement: statement.id, object, start, extent, trust: statement.trust }
}
