use crate::kernel::{By, Change, Live, Tx};
use crate::store::{CommitError, Corrupt, Difference, LogBound, Store, check};
use crate::types::{
    CloseReason, EntityId, NamespaceId, PredicateId, SourceId, Statement, StatementId, TxId, TxSpan,
};

use super::disk::Disk;
use super::sample::{
    add_namespace, at, commit, entity, from, receipt, slot, span, statement, succession, time,
    triple, value,
};

fn store() -> (Store, NamespaceId) {
    let disk = Disk::default();
    let store = Store::with_backend(move || Ok(disk.clone())).expect("opens");
    let mut batch = store.begin().expect("begins");
    let id = add_namespace(&mut batch, "one").expect("creates").id;
    batch.commit().expect("commits");
    (store, id)
}

fn stating(tx: u64, statements: Vec<Statement>) -> Tx {
    let changes = statements.into_iter().map(Change::Stated).collect();
    Tx { id: TxId::new(tx), time: time(tx), changes }
}

#[test]
fn a_batch_sees_its_own_writes_and_a_dropped_one_leaves_none() {
    let (store, ns) = store();
    let mut batch = store.begin().expect("begins");
    batch.apply(ns, &succession(1)).expect("applies");
    batch.put_receipt(ns, "a", &receipt(1)).expect("puts");
    assert_eq!(batch.last_tx(ns).expect("reads"), TxId::new(1));
    assert_eq!(
        batch.recorded().expect("reads").statements(ns, slot(1, 0), None).expect("reads").len(),
        1
    );
    assert_eq!(
        batch.recorded().expect("reads").live(ns, slot(1, 0), None).expect("reads").len(),
        1
    );
    assert_eq!(batch.receipt(ns, "a").expect("reads"), Some(receipt(1)));
    assert_eq!(store.read().expect("reads").last_tx(ns).expect("reads"), TxId::ZERO);
    drop(batch);
    let reader = store.read().expect("reads");
    assert_eq!(reader.last_tx(ns).expect("reads"), TxId::ZERO);
    assert_eq!(reader.statements(ns, slot(1, 0), None).expect("reads"), []);
    assert_eq!(reader.receipt(ns, "a").expect("reads"), None);
}

#[test]
fn statements_of_a_slot_come_in_the_order_they_were_recorded() {
    let (store, ns) = store();
    let (a, b) = (triple(1, 2, entity(9)), triple(1, 2, value(3)));
    let mut batch = store.begin().expect("begins");
    let first = stating(1, vec![statement(1, 0, b), statement(1, 300, a)]);
    batch.apply(ns, &first).expect("applies");
    let other = triple(1, 3, entity(9));
    let second = stating(2, vec![statement(2, 0, a), statement(2, 1, other)]);
    batch.apply(ns, &second).expect("applies");
    let ids = |object| -> Vec<String> {
        let found =
            batch.recorded().expect("reads").statements(ns, slot(1, 2), object).expect("reads");
        found.iter().map(|statement| statement.id.to_string()).collect()
    };
    assert_eq!(ids(None), ["1.0", "1.300", "2.0"]);
    assert_eq!(ids(Some(a.object)), ["1.300", "2.0"]);
    assert_eq!(ids(Some(entity(3))), [""; 0]);
    let id = StatementId { tx: TxId::new(2), op: 1 };
    assert_eq!(
        batch.recorded().expect("reads").statement(ns, id).expect("reads"),
        Some(statement(2, 1, other))
    );
    for missing in [StatementId { op: 7, ..id }, StatementId { tx: TxId::new(9), ..id }] {
        assert_eq!(batch.recorded().expect("reads").statement(ns, missing).expect("reads"), None);
    }
}

#[test]
fn triples_are_found_from_every_side() {
    let (store, ns) = store();
    let (a, b, c) = (triple(1, 2, entity(9)), triple(1, 3, value(9)), triple(2, 2, entity(9)));
    let from_source =
        |op, triple| Statement { source: Some(SourceId::new(4)), ..statement(1, op, triple) };
    let statements =
        vec![statement(1, 0, a), from_source(1, a), statement(1, 2, c), from_source(3, b)];
    let mut batch = store.begin().expect("begins");
    batch.apply(ns, &stating(1, statements)).expect("applies");
    let by = |by| batch.recorded().expect("reads").triples(ns, by).expect("reads");
    assert_eq!(by(By::Subject(EntityId::new(1))), [a, b]);
    assert_eq!(by(By::Predicate(PredicateId::new(2))), [a, c]);
    assert_eq!(by(By::Object(entity(9))), [a, c]);
    assert_eq!(by(By::Source(SourceId::new(4))), [a, b]);
    assert_eq!(by(By::Subject(EntityId::new(9))), []);
}

#[test]
fn closing_a_rectangle_keeps_it_beside_the_one_that_follows() {
    let (store, ns) = store();
    for n in 1..=6 {
        commit(&store, ns, n).expect("commits");
    }
    let reader = store.read().expect("reads");
    let (old, new) = (triple(1, 0, entity(1)), triple(1, 0, entity(6)));
    let believed_from = TxId::new(6);
    assert_eq!(
        reader.live(ns, slot(1, 0), None).expect("reads"),
        [
            Live { triple: old, valid: span(1, 6), believed_from },
            Live { triple: new, valid: from(6), believed_from },
        ]
    );
    let mut all = Vec::new();
    reader.for_each_rectangle(ns, |rectangle| all.push(rectangle)).expect("reads");
    assert!(all.is_sorted_by_key(|r| (r.triple, r.valid.start(), r.believed.from)));
    let closed: Vec<_> = all.iter().filter(|rectangle| rectangle.closed.is_some()).collect();
    assert_eq!((all.len(), closed.len()), (7, 1));
    assert_eq!(closed[0].valid, from(1));
    assert_eq!(closed[0].believed, TxSpan { from: TxId::new(1), to: TxId::new(6) });
    assert_eq!(closed[0].closed, Some(CloseReason::Superseded));
}

#[test]
fn only_an_open_rectangle_is_closed() {
    let (store, ns) = store();
    let mut batch = store.begin().expect("begins");
    batch.apply(ns, &succession(1)).expect("applies");
    for (start, believed_from) in [(2, 1), (1, 0)] {
        let change = Change::Closed {
            triple: triple(1, 0, entity(1)),
            valid: from(start),
            believed_from: TxId::new(believed_from),
            reason: CloseReason::Ended,
        };
        let tx =
            Tx { id: batch.last_tx(ns).expect("reads").next(), time: at(1), changes: vec![change] };
        let error = batch.apply(ns, &tx).expect_err("nothing is open there");
        assert!(matches!(error, CommitError::Corrupt(Corrupt::RectangleNotOpen { .. })));
    }
}

#[test]
#[should_panic(expected = "log gap before the store")]
fn the_log_has_no_gap() {
    let (store, ns) = store();
    let mut batch = store.begin().expect("begins");
    let _ = batch.apply(ns, &succession(2));
}

#[test]
fn the_log_is_read_in_bounded_parts() {
    let (store, ns) = store();
    for n in 1..=5 {
        commit(&store, ns, n).expect("commits");
    }
    let reader = store.read().expect("reads");
    let read = |from, txs, bytes| -> Vec<u64> {
        let bound = LogBound { txs, bytes };
        let txs = reader.log(ns, TxId::new(from), bound).expect("reads");
        txs.iter().map(|tx| tx.id.raw()).collect()
    };
    assert_eq!(read(1, 100, 1_000_000), [1, 2, 3, 4, 5]);
    assert_eq!(read(4, 100, 1_000_000), [4, 5]);
    assert_eq!(read(2, 2, 1_000_000), [2, 3]);
    assert_eq!(read(2, 100, 1), [2]);
    assert_eq!(read(6, 100, 1_000_000), [0; 0]);
    let mut all = Vec::new();
    reader.for_each_tx(ns, |tx| all.push(tx)).expect("reads");
    assert_eq!(all, (1..=5).map(succession).collect::<Vec<_>>());
}

#[test]
fn old_receipts_go_first_and_a_repeated_one_takes_its_new_age() {
    let (store, ns) = store();
    let mut batch = store.begin().expect("begins");
    for n in 1..=4 {
        batch.put_receipt(ns, &format!("{n}"), &receipt(n)).expect("puts");
    }
    batch.put_receipt(ns, "1", &receipt(9)).expect("puts");
    assert_eq!(batch.forget_receipts(ns, time(4), 1).expect("forgets"), 1);
    assert_eq!(batch.receipt(ns, "2").expect("reads"), None);
    assert_eq!(batch.receipt(ns, "3").expect("reads"), Some(receipt(3)));
    assert_eq!(batch.forget_receipts(ns, time(4), 9).expect("forgets"), 1);
    assert_eq!(batch.receipt(ns, "4").expect("reads"), Some(receipt(4)));
    assert_eq!(batch.receipt(ns, "1").expect("reads"), Some(receipt(9)));
    batch.commit().expect("commits");
    let report = check(&store.read().expect("reads"), ns).expect("checks");
    assert_eq!((report.receipts, report.first), (2, vec![]));
}

#[test]
fn deleting_a_namespace_leaves_the_others_and_its_id_alone() {
    let (store, first) = store();
    let mut batch = store.begin().expect("begins");
    let second = add_namespace(&mut batch, "two").expect("creates").id;
    batch.commit().expect("commits");
    for n in 1..=7 {
        commit(&store, first, n).expect("commits");
        commit(&store, second, n).expect("commits");
    }
    let before = check(&store.read().expect("reads"), second).expect("checks");
    let mut batch = store.begin().expect("begins");
    assert!(batch.delete_namespace(first).expect("deletes"));
    assert!(!batch.delete_namespace(first).expect("deletes"));
    let third = add_namespace(&mut batch, "three").expect("creates").id;
    batch.commit().expect("commits");
    assert!(third > second);
    let ids: Vec<_> = store.namespaces().expect("reads").iter().map(|record| record.id).collect();
    assert_eq!(ids, [second, third]);
    let reader = store.read().expect("reads");
    assert_eq!(check(&reader, second).expect("checks"), before);
    assert!(before.is_clean() && before.txs == 7 && before.receipts == 7);
    assert_eq!(check(&reader, first).expect("checks"), crate::store::Report::default());
    let stats = store.stats().expect("reads");
    assert_eq!((stats.namespaces, stats.txs, stats.statements, stats.receipts), (2, 7, 7, 7));
}

#[test]
fn everything_is_there_after_opening_again() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let store = Store::open(directory.path()).expect("opens");
    let mut batch = store.begin().expect("begins");
    let record = add_namespace(&mut batch, "one").expect("creates");
    batch.commit().expect("commits");
    for n in 1..=7 {
        commit(&store, record.id, n).expect("commits");
    }
    let report = check(&store.read().expect("reads"), record.id).expect("checks");
    drop(store);
    let store = Store::open(directory.path()).expect("opens");
    assert_eq!(store.namespaces().expect("reads"), std::slice::from_ref(&record));
    assert_eq!(check(&store.read().expect("reads"), record.id).expect("checks"), report);
    assert!(report.is_clean() && report.rectangles == 9);
    assert!(store.stats().expect("reads").file_bytes.is_some_and(|bytes| bytes > 0));
    commit(&store, record.id, 8).expect("commits");
}

#[test]
fn the_check_finds_rows_the_log_does_not_imply() {
    let (store, ns) = store();
    for n in 1..=6 {
        commit(&store, ns, n).expect("commits");
    }
    let batch = store.begin().expect("begins");
    let damage = super::super::batch::Damage::of(&batch, ns);
    let lost = StatementId { tx: TxId::new(2), op: 1 };
    damage.remove_statement(triple(2, 0, entity(2)), lost);
    let odd = statement(3, 7, triple(3, 0, entity(3)));
    damage.put_statement(&odd);
    damage.put_statement(&statement(4, 8, triple(3, 0, entity(3))));
    damage.garble_rectangle(triple(4, 0, entity(4)), at(4), TxId::new(4));
    batch.commit().expect("commits");
    let report = check(&store.read().expect("reads"), ns).expect("checks");
    assert!(report.first.contains(&Difference::StatementMissing { id: lost }), "{report:?}");
    assert!(report.first.contains(&Difference::StatementExtra { id: odd.id }), "{report:?}");
    assert!(
        report
            .first
            .iter()
            .any(|found| matches!(found, Difference::Unreadable { table: "rectangle", .. })),
        "{report:?}"
    );
}
