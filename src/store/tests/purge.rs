//! The file written anew: what was erased is in it no more, and everything else is.

use std::collections::BTreeSet;
use std::path::Path;

use crate::store::{Store, check};
use crate::types::{EpisodeKind, NamespaceId, SpaceId, TxId};

use super::sample::{add_namespace, commit, receipt, whole_episode};

const TOKEN: &str = "Qzx7Jv";

fn holds(directory: &Path, token: &str) -> bool {
    let bytes = std::fs::read(directory.join("tenure.redb")).expect("a file");
    bytes.windows(token.len()).any(|at| at == token.as_bytes())
}

/// Two namespaces, one of them named by the token.
fn planted(directory: &Path) -> (Store, NamespaceId, NamespaceId) {
    let store = Store::open(directory).expect("opens");
    let mut batch = store.begin().expect("begins");
    let kept = add_namespace(&mut batch, "kept").expect("creates").id;
    let gone = add_namespace(&mut batch, TOKEN).expect("creates").id;
    batch.put_receipt(kept, "a request", &receipt(1)).expect("puts");
    batch.commit().expect("commits");
    for n in 1..=5 {
        commit(&store, kept, n).expect("commits");
    }
    (store, kept, gone)
}

fn erase(store: &Store, gone: NamespaceId) {
    let mut batch = store.begin().expect("begins");
    batch.delete_namespace(gone).expect("deletes");
    batch.mark_purge().expect("marks");
    batch.commit().expect("commits");
}

/// Everything of a namespace that a reader can list.
fn content(store: &Store, namespace: NamespaceId) -> impl PartialEq + std::fmt::Debug + use<> {
    let reader = store.read().expect("reads");
    let mut txs = Vec::new();
    reader.for_each_tx(namespace, |tx| txs.push(tx)).expect("reads");
    let mut rectangles = Vec::new();
    reader.for_each_rectangle(namespace, |row| rectangles.push(row)).expect("reads");
    let receipt = reader.receipt(namespace, "a request").expect("reads");
    let report = check(&reader, namespace).expect("checks");
    assert!(report.is_clean(), "{report:?}");
    (reader.namespaces().expect("reads"), txs, rectangles, receipt, report)
}

#[test]
fn a_crash_before_the_purge_is_made_good_when_the_directory_is_opened() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let (store, kept, gone) = planted(home.path());
    erase(&store, gone);
    let before = content(&store, kept);
    assert!(store.wants_purge().expect("reads"));
    drop(store);
    let store = Store::open(home.path()).expect("opens");
    assert!(!holds(home.path(), TOKEN));
    assert!(!store.wants_purge().expect("reads"));
    assert_eq!(content(&store, kept), before);
    assert!(!home.path().join("tenure.redb.new").exists());
    commit(&store, kept, 6).expect("goes on");
}

#[test]
fn a_purge_waits_for_readers_as_long_as_it_is_patient() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let (store, kept, gone) = planted(home.path());
    erase(&store, gone);
    store.write_anew().expect("there is room");
    let reader = store.read().expect("reads");
    assert!(!store.swap(true).expect("it waits"));
    assert_eq!(reader.last_tx(kept).expect("the old file"), TxId::new(5));
    drop(reader);
    assert!(store.swap(true).expect("nobody reads"));
    assert!(!holds(home.path(), TOKEN));

    erase(&store, gone);
    store.write_anew().expect("there is room");
    let reader = store.read().expect("reads");
    assert!(store.swap(false).expect("it does not wait"));
    drop(reader);
    assert_eq!(store.read().expect("reads").last_tx(kept).expect("the new file"), TxId::new(5));
}

#[test]
fn what_a_crash_left_of_an_unfinished_file_is_removed() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let (store, _, gone) = planted(home.path());
    store.write_anew().expect("there is room");
    drop(store);
    let left = home.path().join("tenure.redb.new");
    assert!(left.exists());
    let store = Store::open(home.path()).expect("opens");
    assert!(!left.exists(), "it would keep what is erased later");
    erase(&store, gone);
}

#[test]
fn documents_and_receipts_are_forgotten_by_what_they_are_about() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let (store, kept, _) = planted(home.path());
    let mut batch = store.begin().expect("begins");
    batch.put_receipt(kept, "another", &receipt(3)).expect("puts");
    let one = BTreeSet::from([TxId::new(1)]);
    // That of the first commit too.
    assert_eq!(batch.forget_receipts_of(kept, &one).expect("removes"), 2);
    assert_eq!(batch.receipt(kept, "a request").expect("reads"), None);
    assert!(batch.receipt(kept, "another").expect("reads").is_some());
    assert_eq!(batch.rows_of(kept).expect("counts"), [5, 0, 0]);
    let episode = whole_episode(EpisodeKind::default());
    let key = crate::types::DocumentKey {
        tx: episode.id.tx,
        kind: crate::types::DocumentKind::Episode,
        op: episode.id.op,
    };
    let vector = crate::types::Vector::new(&[1.0, 0.0]).expect("a vector");
    let other = crate::types::DocumentKey { op: key.op + 1, ..key };
    batch
        .put_vectors(kept, SpaceId::new(1), &[(key, vector.clone()), (other, vector)])
        .expect("puts");
    let gone = BTreeSet::from([key]);
    let spaces = [SpaceId::new(1), SpaceId::new(2)];
    assert_eq!(batch.forget_documents(kept, &spaces, &gone).expect("removes"), (1, 0));
    assert_eq!(batch.rows_of(kept).expect("counts"), [5, 1, 0]);
}
