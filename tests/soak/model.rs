//! What one writer knows of its own subjects: which object held when, as of which transaction.

use std::collections::BTreeMap;

/// A write of one fact of a predicate that holds one object.
#[derive(Clone, Debug)]
struct Held {
    from: i64,
    object: String,
    tx: u64,
    /// The transaction that said it had never held.
    retracted: Option<u64>,
}

/// The facts of the subjects of one writer. No start is used twice for a subject, so the law is
/// short: of the facts that are not retracted, the one with the latest start holds.
#[derive(Debug, Default)]
pub(crate) struct Model {
    subjects: BTreeMap<String, Vec<Held>>,
    /// The last transaction of the writer that was acknowledged: up to it all is known.
    pub(crate) last: u64,
}

impl Model {
    pub(crate) fn assert(&mut self, subject: &str, from: i64, object: &str, tx: u64) {
        let held = Held { from, object: object.to_owned(), tx, retracted: None };
        self.subjects.entry(subject.to_owned()).or_default().push(held);
        self.last = self.last.max(tx);
    }

    pub(crate) fn retract(&mut self, subject: &str, object: &str, tx: u64) {
        let facts = self.subjects.get_mut(subject).expect("it was asserted");
        let fact = facts.iter_mut().find(|held| held.object == object).expect("it was asserted");
        fact.retracted = Some(tx);
        self.last = self.last.max(tx);
    }

    /// An object that is not retracted, picked by a number.
    pub(crate) fn standing(&self, subject: &str, pick: u64) -> Option<String> {
        let facts = self.subjects.get(subject)?;
        let standing: Vec<_> = facts.iter().filter(|held| held.retracted.is_none()).collect();
        let place = pick.checked_rem(standing.len() as u64)?;
        Some(standing[usize::try_from(place).expect("a place")].object.clone())
    }

    pub(crate) fn is_free(&self, subject: &str, from: i64) -> bool {
        self.subjects.get(subject).is_none_or(|facts| facts.iter().all(|held| held.from != from))
    }

    /// Whether the subject has a name at a transaction.
    pub(crate) fn is_known(&self, subject: &str, tx: u64) -> bool {
        self.subjects.get(subject).is_some_and(|facts| facts.iter().any(|held| held.tx <= tx))
    }

    /// What holds at a valid instant, as known at a transaction.
    pub(crate) fn holds(&self, subject: &str, valid: i64, tx: u64) -> Option<&str> {
        let known = |held: &&Held| {
            held.tx <= tx && held.from <= valid && held.retracted.is_none_or(|gone| gone > tx)
        };
        let facts = self.subjects.get(subject)?;
        let latest = facts.iter().filter(known).max_by_key(|held| held.from)?;
        Some(&latest.object)
    }
}

#[test]
fn the_model_knows_the_law() {
    let mut model = Model::default();
    model.assert("d1", 10, "ann", 1);
    model.assert("d1", 20, "bob", 2);
    model.assert("d1", 15, "cid", 3);
    model.retract("d1", "cid", 4);
    let cases = [(9, 4, None), (12, 1, Some("ann")), (17, 2, Some("ann")), (17, 3, Some("cid"))];
    for (valid, tx, object) in cases.into_iter().chain([(17, 4, Some("ann")), (25, 4, Some("bob"))])
    {
        assert_eq!(model.holds("d1", valid, tx), object, "({valid},{tx})");
    }
    assert_eq!(model.standing("d1", 1).as_deref(), Some("bob"));
}
