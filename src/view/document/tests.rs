use std::sync::Arc;

use crate::kernel::{Change, Tx};
use crate::types::{
    Basis, CloseReason, DocumentId, DocumentKind, EntityId, Episode, EpisodeId, EpisodeKind,
    Interval, Item, Object, PredicateId, Scope, SourceId, Statement, StatementId, StatementKind,
    Timestamp, Triple, Trust, TxId,
};

use super::{Documents, What};

fn span(from: i64, to: i64) -> Interval {
    Interval::new(Timestamp::from_micros(from), Timestamp::from_micros(to)).expect("ordered")
}

fn triple(object: u32) -> Triple {
    let (subject, predicate) = (EntityId::new(0), PredicateId::new(0));
    Triple { subject, predicate, object: Object::Entity(EntityId::new(object)) }
}

fn tx(id: u64, changes: Vec<Change>) -> Tx {
    let time = Timestamp::from_micros(i64::try_from(id).expect("small"));
    Tx { id: TxId::new(id), time, changes }
}

fn stated(tx: u64, triple: Triple, text: Option<&str>, trust: Trust) -> Change {
    Change::Stated(Statement {
        id: StatementId { tx: TxId::new(tx), op: 0 },
        triple,
        kind: StatementKind::Open { from: Timestamp::from_micros(1) },
        trust,
        confidence: None,
        source: None,
        text: text.map(str::to_owned),
        from_written: None,
        to_written: None,
        contested: false,
        deliberate: false,
        accepts: None,
        operation: 0,
        derived_from: Vec::new(),
        row: None,
        importance: None,
        episode: None,
        embedded: false,
    })
}

fn episode(tx: u64, op: u32, source: Option<u32>) -> Change {
    Change::EpisodeAdded(Arc::new(Episode {
        id: EpisodeId { tx: TxId::new(tx), op },
        kind: EpisodeKind::Turn,
        text: "hello".to_owned(),
        speaker: None,
        title: None,
        session: Some("monday".to_owned()),
        source: source.map(SourceId::new),
        trust: Trust::Stated,
        importance: None,
        valid: span(1, 9),
        from_written: None,
        to_written: None,
        dated: true,
        embedded: false,
        operation: op,
        scope: Scope::default(),
        fold: None,
        derived_from: Vec::new(),
    }))
}

#[test]
fn closing_and_opening_again_makes_no_new_document() {
    let mut documents = Documents::default();
    let opened = |valid| Change::Opened { triple: triple(1), valid };
    let (valid, believed_from) = (span(1, 5), TxId::new(1));
    let reason = CloseReason::Extended;
    let closed = Change::Closed { triple: triple(1), valid, believed_from, reason };
    documents.apply(&tx(1, vec![stated(1, triple(1), None, Trust::Stated), opened(valid)]));
    assert_eq!(documents.len(), 1);
    documents.apply(&tx(2, vec![closed, opened(span(1, 7))]));
    assert_eq!(documents.len(), 1);
    let What::Fact(fact) = documents.what(DocumentId::new(0)) else { panic!("a fact's words") };
    let holds: Vec<_> =
        documents.holds(fact).map(|hold| (hold.valid, hold.believed.to.raw())).collect();
    assert_eq!(holds, [(span(1, 5), 2), (span(1, 7), TxId::OPEN.raw())]);
}

#[test]
fn a_sentence_is_a_document_of_its_own_and_supports_come_newest_first() {
    let mut documents = Documents::default();
    let first = stated(1, triple(1), Some("they say so"), Trust::Unverified);
    documents.apply(&tx(1, vec![first, Change::Opened { triple: triple(1), valid: span(1, 5) }]));
    documents.apply(&tx(2, vec![stated(2, triple(1), None, Trust::Confirmed)]));
    assert_eq!(documents.len(), 2);
    assert_eq!(documents.key(DocumentId::new(0)).kind, DocumentKind::Statement);
    assert_eq!(documents.made_by(TxId::new(1)), 0..2);
    assert_eq!(documents.made_by(TxId::new(2)), 2..2);
    let fact = documents.fact(triple(1)).expect("stated");
    let trust: Vec<_> = documents.supports(fact).map(|support| support.trust).collect();
    assert_eq!(trust, [Trust::Confirmed, Trust::Unverified]);
}

#[test]
fn an_episode_ends_with_its_source() {
    let mut documents = Documents::default();
    documents.apply(&tx(1, vec![episode(1, 0, Some(3)), episode(1, 1, None)]));
    let bound = StatementId { tx: TxId::new(2), op: 0 };
    let withdrawn = Change::SourceWithdrawn { source: SourceId::new(3), bound };
    documents.apply(&tx(2, vec![withdrawn, episode(2, 0, Some(3))]));
    let ends: Vec<_> = documents.episodes().iter().map(|entry| entry.believed.to).collect();
    assert_eq!(ends, [TxId::new(2), TxId::OPEN, TxId::OPEN]);
    let id = EpisodeId { tx: TxId::new(1), op: 1 };
    documents.apply(&tx(3, vec![Change::EpisodeRetracted { id }]));
    assert_eq!(documents.episode_by_id(id).expect("added").believed.to, TxId::new(3));
}

/// The set of one moment serves the questions between two bounds, and no others.
#[test]
fn the_facts_of_a_moment_are_those_whose_rectangles_say_so() {
    let mut documents = Documents::default();
    let opened =
        |object, from, to| Change::Opened { triple: triple(object), valid: span(from, to) };
    let (valid, believed_from) = (span(2, 9), TxId::new(1));
    let reason = CloseReason::Ended;
    let closed = Change::Closed { triple: triple(2), valid, believed_from, reason };
    documents.apply(&tx(1, vec![opened(1, 1, 5), opened(2, 2, 9), opened(1, 7, 8)]));
    documents.apply(&tx(2, vec![closed, opened(2, 2, 4), opened(3, 6, 7)]));
    let ids = [1, 2, 3].map(|object| documents.fact(triple(object)).expect("it was recorded"));
    let check = |documents: &Documents, at: i64, known: u64| {
        let basis = Basis { valid: Timestamp::from_micros(at), tx: TxId::new(known) };
        let wanted =
            ids.map(|id| documents.any_hold(id, |hold| basis.sees(hold.valid, hold.believed)));
        for set in
            [documents.held_at(basis), Some(documents.hold_at(basis)), documents.held_at(basis)]
        {
            let found = set.map(|set| ids.map(|id| set.holds(id)));
            assert_eq!(found.unwrap_or(wanted), wanted, "at {at}, known {known}");
        }
    };
    for known in 0..=2 {
        for at in (0..=10).chain((0..=10).rev()) {
            check(&documents, at, known);
        }
    }
    let now = Basis { valid: Timestamp::from_micros(3), tx: TxId::new(2) };
    drop(documents.hold_at(now));
    assert!(documents.held_at(Basis { valid: Timestamp::from_micros(2), ..now }).is_some());
    assert!(documents.held_at(Basis { valid: Timestamp::from_micros(4), ..now }).is_none());
    assert!(documents.held_at(Basis { tx: TxId::new(1), ..now }).is_none());
    documents.apply(&tx(3, vec![]));
    assert!(documents.held_at(now).is_none(), "what was recorded since may count");
}

#[test]
fn what_is_archived_does_not_come_up_between_its_transactions() {
    let mut documents = Documents::default();
    let fact = triple(1);
    let opened = Change::Opened { triple: fact, valid: span(1, 9) };
    documents
        .apply(&tx(1, vec![stated(1, fact, None, Trust::Stated), opened, episode(1, 0, None)]));
    assert!(!documents.has_archive());
    let id = EpisodeId { tx: TxId::new(1), op: 0 };
    let items = [Item::Fact(fact), Item::Episode(id)];
    let all = |change: fn(Item) -> Change| items.map(change).to_vec();
    documents.apply(&tx(2, all(|item| Change::Archived { item })));
    documents.apply(&tx(3, all(|item| Change::Restored { item })));
    let both = items
        .iter()
        .flat_map(|item| [Change::Archived { item: *item }, Change::Restored { item: *item }]);
    documents.apply(&tx(4, both.collect()));
    documents.apply(&tx(5, all(|item| Change::Archived { item })));
    let number = documents.fact(fact).expect("stated");
    for (known, away) in [(1, false), (2, true), (3, false), (4, false), (5, true), (9, true)] {
        let known = TxId::new(known);
        assert_eq!(documents.is_archived(number, known), away, "{known:?}");
        assert_eq!(documents.is_episode_archived(id, known), away, "{known:?}");
        let basis = Basis { valid: Timestamp::from_micros(5), tx: known };
        let set = documents.hold_at(basis);
        let words = documents.words(number).expect("it held");
        assert_eq!(
            (set.holds(number), set.hidden().has(words.index())),
            (!away, away),
            "{known:?}"
        );
    }
}
