use crate::store::{CommitError, OpenError, ReadError, Store, check};
use crate::types::{NamespaceId, TxId};

use super::disk::{Disk, Full};
use super::sample::{add_namespace, commit, succession};

const COMMITS: u64 = 5;

fn open(disk: &Disk) -> Result<Store, OpenError> {
    let disk = disk.clone();
    Store::with_backend(move || Ok(disk.clone()))
}

fn worked(disk: &Disk) -> (Store, NamespaceId) {
    let store = open(disk).expect("opens");
    let mut batch = store.begin().expect("begins");
    let namespace = add_namespace(&mut batch, "one").expect("creates").id;
    batch.commit().expect("commits");
    for n in 1..=COMMITS {
        commit(&store, namespace, n).expect("commits");
    }
    (store, namespace)
}

/// Commits until the disk is full, and says how many it took.
fn fill(store: &Store, namespace: NamespaceId) -> u64 {
    let mut done = COMMITS;
    loop {
        match commit(store, namespace, done + 1) {
            Ok(()) => done += 1,
            Err(CommitError::StorageFull(_)) => return done,
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[test]
fn a_full_disk_is_told_and_survived() {
    for full in [Full::Growth, Full::Writes] {
        let disk = Disk::default();
        let (store, namespace) = worked(&disk);
        disk.set_full(full);
        let done = fill(&store, namespace);
        assert!(matches!(store.begin(), Err(CommitError::Closed)), "{full:?}");
        disk.set_full(Full::No);
        store.reopen().expect("there is room");
        let reader = store.read().expect("reads");
        let report = check(&reader, namespace).expect("checks");
        assert!(report.is_clean() && report.txs == done, "{full:?}: {done}, {report:?}");
        drop(reader);
        commit(&store, namespace, done + 1).expect("commits");
    }
}

#[test]
fn a_full_disk_opens_if_it_can_overwrite_what_it_has() {
    let disk = Disk::default();
    let (store, namespace) = worked(&disk);
    disk.set_full(Full::Growth);
    let done = fill(&store, namespace);
    store.reopen().expect("opening after a failure grows nothing");
    assert_eq!(store.read().expect("reads").last_tx(namespace).expect("reads").raw(), done);
    drop(store);
    let store = open(&disk).expect("opening after a clean end grows nothing");
    disk.set_full(Full::Writes);
    assert!(matches!(store.reopen(), Err(OpenError::StorageFull(_))));
    assert!(matches!(store.read().err(), Some(ReadError::Closed)));
    disk.set_full(Full::No);
    store.reopen().expect("there is room");
    assert_eq!(store.read().expect("reads").last_tx(namespace).expect("reads").raw(), done);
}

/// Only pages in the cache: whoever must go on reading has to reopen.
#[test]
fn what_is_cached_is_read_on_after_a_failed_write_and_not_after_reopening() {
    let disk = Disk::default();
    let (store, namespace) = worked(&disk);
    let old = store.read().expect("reads");
    disk.set_full(Full::Writes);
    let done = fill(&store, namespace);
    assert_eq!(old.last_tx(namespace).expect("reads").raw(), done);
    assert_eq!(store.read().expect("reads").last_tx(namespace).expect("reads").raw(), done);
    disk.set_full(Full::No);
    store.reopen().expect("there is room");
    assert!(matches!(old.last_tx(namespace), Err(ReadError::Closed)));
}

/// redb checks every page when it opens in a debug build, so only opening can be made to fail here.
#[test]
fn a_disk_that_does_not_answer_keeps_the_store_closed() {
    let disk = Disk::default();
    let (store, namespace) = worked(&disk);
    disk.set_fails_reads(true);
    assert!(matches!(store.reopen(), Err(OpenError::Io(_))));
    assert!(matches!(store.read().err(), Some(ReadError::Closed)));
    disk.set_fails_reads(false);
    store.reopen().expect("the disk answers");
    let reader = store.read().expect("reads");
    assert_eq!(reader.tx(namespace, TxId::new(5)).expect("reads"), Some(succession(5)));
}
