//! Small transactions that touch every table.

use crate::kernel::{Change, Displaced, Outcome, OutcomeStatus, Tx, Violation, ViolationKind};
use crate::store::{Batch, CommitError, NamespaceRecord, Receipt, Store};
use crate::types::{
    CloseReason, Confidence, EntityId, Episode, EpisodeId, EpisodeKind, FactId, Fold, Granularity,
    Interval, Name, NamespaceId, Object, PredicateId, RowKey, Scope, Slot, SourceId, Statement,
    StatementId, StatementKind, Timestamp, Triple, Trust, TxId, ValueId, Written,
};

pub(super) fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros)
}

pub(super) fn span(start: i64, end: i64) -> Interval {
    Interval::new(at(start), at(end)).expect("ordered")
}

pub(super) fn from(start: i64) -> Interval {
    Interval::new(at(start), Timestamp::INFINITY).expect("ordered")
}

pub(super) fn entity(id: u32) -> Object {
    Object::Entity(EntityId::new(id))
}

pub(super) fn value(id: u32) -> Object {
    Object::Value(ValueId::new(id))
}

pub(super) fn slot(subject: u32, predicate: u32) -> Slot {
    Slot { subject: EntityId::new(subject), predicate: PredicateId::new(predicate) }
}

pub(super) fn triple(subject: u32, predicate: u32, object: Object) -> Triple {
    let Slot { subject, predicate } = slot(subject, predicate);
    Triple { subject, predicate, object }
}

pub(super) fn statement(tx: u64, op: u32, triple: Triple) -> Statement {
    Statement {
        id: StatementId { tx: TxId::new(tx), op },
        triple,
        kind: StatementKind::Open { from: at(10) },
        trust: Trust::Stated,
        confidence: None,
        source: None,
        text: None,
        from_written: None,
        to_written: None,
        contested: false,
        accepts: None,
        operation: op,
        derived_from: Vec::new(),
        deliberate: false,
        row: None,
        importance: None,
        episode: None,
        embedded: false,
    }
}

/// A statement with every field in use.
pub(super) fn whole_statement(kind: StatementKind) -> Statement {
    let written = |text: &str, granularity| Written {
        text: text.to_owned(),
        zone: "Asia/Seoul".to_owned(),
        granularity,
    };
    Statement {
        kind,
        trust: Trust::SystemOfRecord,
        confidence: Some(Confidence::new(0.75).expect("a probability")),
        source: Some(SourceId::new(300)),
        text: Some("Ann \u{d55c} works at Acme.".to_owned()),
        from_written: Some(written("2020", Granularity::Year)),
        to_written: Some(written("2021-02-03", Granularity::Day)),
        contested: true,
        accepts: Some(StatementId { tx: TxId::new(3), op: 9 }),
        operation: 77,
        derived_from: vec![StatementId { tx: TxId::new(1), op: 0 }; 3],
        deliberate: true,
        row: Some(RowKey([7; 16])),
        importance: Some(Confidence::new(0.25).expect("a share")),
        episode: Some(EpisodeId { tx: TxId::new(4), op: 6 }),
        embedded: true,
        ..statement(5, 2, triple(1, 2, value(3)))
    }
}

/// An episode with every field in use.
pub(super) fn whole_episode(kind: EpisodeKind) -> Episode {
    let text = |text: &str| Some(text.to_owned());
    let written =
        Written { text: "2020".to_owned(), zone: "UTC".to_owned(), granularity: Granularity::Year };
    Episode {
        id: EpisodeId { tx: TxId::new(4), op: 1 },
        kind,
        text: "\u{d55c}\u{ae00}".to_owned(),
        speaker: text("Ann"),
        title: text("Monday"),
        session: text("s1"),
        source: Some(SourceId::new(7)),
        trust: Trust::Unverified,
        importance: Some(Confidence::new(0.5).expect("a share")),
        valid: span(1, 2),
        from_written: Some(written.clone()),
        to_written: Some(written),
        dated: true,
        embedded: true,
        operation: 3,
        scope: scope(),
        fold: Some(Fold {
            through: EpisodeId { tx: TxId::new(3), op: 2 },
            turns: 7,
            generation: 1,
            closes: true,
        }),
        derived_from: vec![EpisodeId { tx: TxId::new(2), op: 1 }; 2],
    }
}

pub(super) fn outcome(status: OutcomeStatus) -> Outcome {
    let fact = FactId(triple(1, 2, entity(3)));
    let statement = StatementId { tx: TxId::new(4), op: 1 };
    Outcome {
        fact: Some(fact),
        statement: Some(statement),
        displaced: vec![Displaced { fact, statement }],
        conflict: true,
        violations: vec![Violation {
            op: Some(3),
            field: "triple.subject".into(),
            kind: ViolationKind::NameBlank,
            detail: "blank".to_owned(),
        }],
        ..Outcome::new(status)
    }
}

pub(super) fn receipt(tx: u64) -> Receipt {
    Receipt {
        body: [tx.to_le_bytes()[0]; 32],
        tx: TxId::new(tx),
        time: time(tx),
        outcomes: vec![Outcome::new(OutcomeStatus::Applied)],
    }
}

pub(super) fn time(tx: u64) -> Timestamp {
    at(1_000 * i64::try_from(tx).expect("small"))
}

/// Transaction `n` gives subject `n % 5` a new object from `n` on, and closes what transaction
/// `n - 5` had opened for it.
pub(super) fn succession(n: u64) -> Tx {
    let small = u32::try_from(n).expect("small");
    let start = i64::from(small);
    let subject = small % 5;
    let mut changes = vec![
        Change::EntityCreated { id: EntityId::new(small - 1), name: format!("e{n}").into() },
        Change::Stated(Statement {
            text: Some("x".repeat(300)),
            ..statement(n, 1, triple(subject, 0, entity(small)))
        }),
    ];
    if n > 5 {
        let earlier = triple(subject, 0, entity(small - 5));
        let believed_from = TxId::new(n - 5);
        let reason = CloseReason::Superseded;
        let valid = from(start - 5);
        changes.push(Change::Closed { triple: earlier, valid, believed_from, reason });
        changes.push(Change::Opened { triple: earlier, valid: span(start - 5, start) });
    }
    changes.push(Change::Opened { triple: triple(subject, 0, entity(small)), valid: from(start) });
    Tx { id: TxId::new(n), time: time(n), changes }
}

pub(super) fn add_namespace(batch: &mut Batch, name: &str) -> Result<NamespaceRecord, CommitError> {
    batch.create_namespace(Name::new(name).expect("a name"), "Etc/UTC".to_owned(), at(1))
}

/// One commit: transaction `n` and its receipt.
pub(super) fn commit(store: &Store, namespace: NamespaceId, n: u64) -> Result<(), CommitError> {
    let mut batch = store.begin()?;
    batch.apply(namespace, &succession(n))?;
    batch.put_receipt(namespace, &format!("request {n}"), &receipt(n))?;
    batch.commit()
}

/// For one owner, with two labels.
pub(super) fn scope() -> Scope {
    let label = |text: &str| text.parse().expect("a label");
    Scope { owner: Some(label("ann")), labels: ["eu", "hr"].map(label).into() }
}
