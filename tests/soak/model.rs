//! What one writer knows of its own subjects: which object held when, as of which transaction.

use std::collections::{BTreeMap, VecDeque};

/// Subjects that were erased and are still asked for.
const GONE_MAX: usize = 16;

/// A write of one fact of a predicate that holds one object.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    from: i64,
    pub(crate) object: String,
    /// Names the fact to whoever erases it.
    pub(crate) fact_id: String,
    tx: u64,
    /// The transaction that said it had never held.
    retracted: Option<u64>,
}

/// What is left out of an answer, because it is erased or may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Without<'a> {
    Nothing,
    Object(&'a str),
    All,
}

/// The facts of the subjects of one writer. No start is used twice for a subject, so the law is
/// short: of the facts that are neither erased nor retracted, the one with the latest start holds.
/// What is erased is taken out, and with that it is as if it had never been said.
#[derive(Debug, Default)]
pub(crate) struct Model {
    subjects: BTreeMap<String, Vec<Held>>,
    /// Erased whole, and not written since.
    gone: VecDeque<String>,
    /// The last transaction of the writer that was acknowledged: up to it all is known.
    pub(crate) last: u64,
}

impl Model {
    pub(crate) fn assert(&mut self, subject: &str, from: i64, object: &str, told: (u64, &str)) {
        let (tx, fact_id) = (told.0, told.1.to_owned());
        let held = Held { from, object: object.to_owned(), fact_id, tx, retracted: None };
        self.subjects.entry(subject.to_owned()).or_default().push(held);
        self.gone.retain(|gone| gone != subject);
        self.last = self.last.max(tx);
    }

    pub(crate) fn retract(&mut self, subject: &str, object: &str, tx: u64) {
        let facts = self.subjects.get_mut(subject).expect("it was asserted");
        let fact = facts.iter_mut().find(|held| held.object == object).expect("it was asserted");
        fact.retracted = Some(tx);
        self.last = self.last.max(tx);
    }

    /// All that was said of a fact is gone, or of the subject where none is named.
    pub(crate) fn erase(&mut self, subject: &str, object: Option<&str>) {
        let Some(object) = object else {
            self.subjects.remove(subject);
            self.gone.push_back(subject.to_owned());
            if self.gone.len() > GONE_MAX {
                self.gone.pop_front();
            }
            return;
        };
        let facts = self.subjects.get_mut(subject).expect("it was asserted");
        facts.retain(|held| held.object != object);
    }

    /// Nobody writes about a subject any more, or asks for it.
    pub(crate) fn drop_subject(&mut self, subject: &str) {
        self.subjects.remove(subject);
    }

    pub(crate) fn facts(&self, subject: &str) -> &[Held] {
        self.subjects.get(subject).map_or(&[], Vec::as_slice)
    }

    /// Subjects that something is known of, and those that were erased whole.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.subjects.keys().chain(&self.gone)
    }

    /// An object that is not retracted, picked by a number.
    pub(crate) fn standing(&self, subject: &str, pick: u64) -> Option<String> {
        let facts = self.facts(subject).iter();
        let standing: Vec<_> = facts.filter(|held| held.retracted.is_none()).collect();
        let place = pick.checked_rem(standing.len() as u64)?;
        Some(standing[usize::try_from(place).expect("a place")].object.clone())
    }

    pub(crate) fn is_free(&self, subject: &str, from: i64) -> bool {
        self.facts(subject).iter().all(|held| held.from != from)
    }

    /// The first transaction of a subject; one of no facts has the last.
    pub(crate) fn first_tx(&self, subject: &str) -> u64 {
        self.facts(subject).first().map_or(self.last, |held| held.tx)
    }

    /// The object that a subject has at a valid instant, as known at a transaction.
    pub(crate) fn holds(
        &self,
        subject: &str,
        valid: i64,
        tx: u64,
        without: Without<'_>,
    ) -> Option<&String> {
        let counts = |held: &&Held| {
            let erased = match without {
                Without::Nothing => false,
                Without::Object(object) => held.object == object,
                Without::All => true,
            };
            let retracted = held.retracted.is_some_and(|gone| gone <= tx);
            held.tx <= tx && held.from <= valid && !erased && !retracted
        };
        let latest = self.facts(subject).iter().filter(counts).max_by_key(|held| held.from);
        latest.map(|held| &held.object)
    }
}

#[test]
fn the_model_knows_the_law() {
    let mut model = Model::default();
    model.assert("d1", 10, "ann", (1, ""));
    model.assert("d1", 20, "bob", (2, ""));
    model.assert("d1", 15, "cid", (3, ""));
    model.retract("d1", "cid", 4);
    let holds = |model: &Model, valid, tx, without| model.holds("d1", valid, tx, without).cloned();
    let cases = [(9, 4, None), (12, 1, Some("ann")), (17, 2, Some("ann")), (17, 3, Some("cid"))];
    for (valid, tx, object) in cases.into_iter().chain([(17, 4, Some("ann")), (25, 4, Some("bob"))])
    {
        let found = holds(&model, valid, tx, Without::Nothing);
        assert_eq!(found.as_deref(), object, "({valid},{tx})");
    }
    assert_eq!(model.standing("d1", 1).as_deref(), Some("bob"));
    let without = holds(&model, 25, 4, Without::Object("bob"));
    model.erase("d1", Some("bob"));
    for tx in [2, 4] {
        assert_eq!(holds(&model, 25, tx, Without::Nothing).as_deref(), Some("ann"), "at {tx}");
    }
    assert_eq!((without.as_deref(), model.is_free("d1", 20)), (Some("ann"), true));
    model.erase("d1", None);
    assert_eq!(holds(&model, 25, 4, Without::Nothing), None);
    assert_eq!(model.names().collect::<Vec<_>>(), ["d1"]);
}
