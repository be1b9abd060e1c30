use std::sync::Arc;

use crate::kernel::{Change, Tx};
use crate::types::{
    CloseReason, DocumentId, DocumentKind, EntityId, Episode, EpisodeId, EpisodeKind, Interval,
    Object, PredicateId, SourceId, Statement, StatementId, StatementKind, Timestamp, Triple, Trust,
    TxId,
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
