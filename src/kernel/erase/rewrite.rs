//! The rewritten log: transaction by transaction, with tombstones where something was taken and the
//! rectangles of touched slots as the statements that stay give them.

use std::collections::{BTreeMap, BTreeSet};

use crate::types::{DocumentKey, DocumentKind, Statement, Timestamp, Triple, TxId};

use super::super::change::{Change, Erased, Tx};
use super::super::decide::refold;
use super::super::directory::Directory;
use super::plan::{Fate, Plan};
use super::shadow::Shadow;

/// Where the log stands that is rewritten.
pub struct Rewrite {
    plan: Plan,
    shadow: Shadow,
    toll: Toll,
    /// The documents of the words of touched facts, as they were and as they are.
    before: BTreeMap<Triple, DocumentKey>,
    after: BTreeMap<Triple, DocumentKey>,
}

/// One transaction after the rewriting.
pub struct Rewritten {
    pub tx: Tx,
    /// It is not what it was.
    pub changed: bool,
    /// Something that was said in it was taken.
    pub lost: bool,
}

/// What went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Toll {
    pub evidence: u64,
    pub rectangles: u64,
    pub rectangles_restored: u64,
    pub log_changes: u64,
    /// The first transaction that was rewritten.
    pub first: Option<TxId>,
    /// What search knew it by.
    pub documents: BTreeSet<DocumentKey>,
    /// Of these, how many are known by another key now.
    pub moved: u64,
    pub facts: u64,
}

impl Rewrite {
    #[must_use]
    pub fn new(plan: Plan) -> Rewrite {
        Rewrite {
            plan,
            shadow: Shadow::default(),
            toll: Toll::default(),
            before: BTreeMap::new(),
            after: BTreeMap::new(),
        }
    }

    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Rewrites the next transaction.
    pub fn next(&mut self, tx: &Tx) -> Rewritten {
        let mut changes: Vec<Change> = Vec::with_capacity(tx.changes.len());
        let (mut changed, mut lost) = (false, false);
        for (place, change) in (0..).zip(&tx.changes) {
            match self.fate(change) {
                Fate::Stays => changes.push(change.clone()),
                Fate::Becomes(left) => {
                    changed = true;
                    changes.push(left);
                }
                Fate::Goes(what) => {
                    changed = true;
                    lost |= matches!(what, Erased::Statement { .. } | Erased::Episode(_));
                    self.note(tx.id, place, change);
                    changes.push(self.tombstone(what));
                }
            }
        }
        changed |= self.fold(tx, &mut changes);
        let tx = Tx { changes, ..*tx };
        if changed {
            self.toll.first = self.toll.first.or(Some(tx.id));
        }
        self.shadow.apply(&tx, &self.plan);
        Rewritten { tx, changed, lost }
    }

    fn fate(&self, change: &Change) -> Fate {
        if let Change::Unmerged { duplicate } = change {
            // The merge may be gone.
            let last = self.shadow.directory.aliases(*duplicate).last();
            let merged = last.is_some_and(|alias| alias.believed.to.is_open());
            return if merged { Fate::Stays } else { Fate::Goes(Erased::Consequence) };
        }
        self.plan.fate(change)
    }

    fn tombstone(&mut self, what: Erased) -> Change {
        self.toll.log_changes += 1;
        Change::Erased { by: self.plan.number, what }
    }

    /// Counts what goes with a change.
    fn note(&mut self, tx: TxId, place: u32, change: &Change) {
        let document = match change {
            Change::Stated(statement) => {
                self.toll.evidence += u64::from(statement.text.is_some());
                let op = statement.id.op;
                is_found(statement).then_some(DocumentKey { tx, kind: DocumentKind::Statement, op })
            }
            Change::EpisodeAdded(episode) => {
                Some(DocumentKey { tx, kind: DocumentKind::Episode, op: episode.id.op })
            }
            Change::EntityCreated { .. } => {
                Some(DocumentKey { tx, kind: DocumentKind::Entity, op: place })
            }
            _ => None,
        };
        self.toll.documents.extend(document);
    }

    /// Puts the rectangles in place that the statements which stay give. Those that are as they were
    /// keep their places, for what is stored of them is found by those.
    fn fold(&mut self, tx: &Tx, changes: &mut Vec<Change>) -> bool {
        let folded = Tx { changes: changes.clone(), ..*tx };
        let touches = |triple: Triple| self.plan.touches(triple);
        let mut fresh = Vec::new();
        if changes.iter().any(|change| moves(change, &self.plan)) {
            let mut decision = refold(&folded, &self.shadow, touches);
            self.shadow.settle(&mut decision);
            fresh = decision.tx.changes;
        }
        // A rectangle is closed before another opens at its start, so one that is closed at the end
        // of the transaction now has its successor behind it.
        let closed: Vec<(Triple, Timestamp)> =
            fresh.iter().filter(|fresh| !changes.contains(fresh)).filter_map(closes).collect();
        let mut changed = false;
        for (place, change) in changes.iter_mut().enumerate() {
            let Some(triple) = drawn(change).filter(|triple| touches(*triple)) else { continue };
            let key = fact_document(tx.id, place);
            let opened = opens(change).is_some();
            if opened {
                self.before.entry(triple).or_insert(key);
            }
            let behind = opens(change).is_some_and(|opened| closed.contains(&opened));
            if let Some(same) = fresh.iter().position(|fresh| fresh == change && !behind) {
                fresh.remove(same);
                if opened {
                    self.after.entry(triple).or_insert(key);
                }
                continue;
            }
            changed = true;
            self.toll.rectangles += u64::from(opened);
            self.toll.log_changes += 1;
            *change = Change::Erased { by: self.plan.number, what: Erased::Consequence };
        }
        for change in fresh {
            changed = true;
            if let Change::Opened { triple, .. } = &change {
                self.toll.rectangles_restored += 1;
                self.after.entry(*triple).or_insert(fact_document(tx.id, changes.len()));
            }
            changes.push(change);
        }
        changed
    }

    /// What went, and the directory of the log as it is now.
    #[must_use]
    pub fn finish(self) -> (Plan, Toll, Directory) {
        let Rewrite { plan, shadow, mut toll, before, after } = self;
        for (triple, key) in before {
            match after.get(&triple) {
                Some(now) if *now == key => {}
                now => {
                    toll.facts += u64::from(now.is_none());
                    toll.moved += u64::from(now.is_some());
                    toll.documents.insert(key);
                }
            }
        }
        (plan, toll, shadow.directory)
    }
}

/// Whether search has a document for the sentence of a statement.
fn is_found(statement: &Statement) -> bool {
    !statement.kind.is_retract() && (statement.text.is_some() || statement.embedded)
}

fn fact_document(tx: TxId, place: usize) -> DocumentKey {
    let op = u32::try_from(place).expect("a transaction is bounded");
    DocumentKey { tx, kind: DocumentKind::Fact, op }
}

fn opens(change: &Change) -> Option<(Triple, Timestamp)> {
    match change {
        Change::Opened { triple, valid } => Some((*triple, valid.start())),
        _ => None,
    }
}

fn closes(change: &Change) -> Option<(Triple, Timestamp)> {
    match change {
        Change::Closed { triple, valid, .. } => Some((*triple, valid.start())),
        _ => None,
    }
}

/// The rectangle that a change opens or closes.
fn drawn(change: &Change) -> Option<Triple> {
    match change {
        Change::Opened { triple, .. } | Change::Closed { triple, .. } => Some(*triple),
        _ => None,
    }
}

/// Whether a change can move rectangles of touched slots.
fn moves(change: &Change, plan: &Plan) -> bool {
    match change {
        Change::Stated(statement) => plan.touches(statement.triple),
        Change::Merged { .. }
        | Change::Unmerged { .. }
        | Change::PredicateDeclared { .. }
        | Change::SourceWithdrawn { .. } => true,
        _ => false,
    }
}
