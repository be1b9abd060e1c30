//! A file that something else has cut, changed or copied while it was written to: it opens with
//! all it had, or it is refused by name.

use std::fs;
use std::path::Path;

use crate::store::{OpenError, Store, check};
use crate::types::{NamespaceId, TxId};

use super::sample::{add_namespace, commit, succession};

const FILE: &str = "tenure.redb";
const PAGE_BYTES: usize = 4_096;
const COMMITS: u64 = 40;
/// Single bits that are turned, spread over the file.
const TURNED: usize = 300;

/// A directory whose store was closed in order, after so many commits.
fn filled(directory: &Path) -> NamespaceId {
    let store = Store::open(directory).expect("opens");
    let mut batch = store.begin().expect("begins");
    let namespace = add_namespace(&mut batch, "one").expect("creates").id;
    batch.commit().expect("commits");
    for n in 1..=COMMITS {
        commit(&store, namespace, n).expect("commits");
    }
    namespace
}

/// Whether it opened; then all that was committed has to be there. Anything else names the file.
fn opens_whole(directory: &Path, namespace: NamespaceId, what: &str) -> bool {
    let store = match Store::open(directory) {
        Ok(store) => store,
        Err(OpenError::Damaged { path, .. }) => {
            assert_eq!(path, directory.join(FILE), "{what}");
            return false;
        }
        Err(other) => panic!("{what}: {other:?}"),
    };
    let reader = store.read().expect("reads");
    for n in 1..=COMMITS {
        let found = reader.tx(namespace, TxId::new(n)).expect("reads");
        assert_eq!(found, Some(succession(n)), "{what}: transaction {n}");
    }
    let report = check(&reader, namespace).expect("checks");
    assert!(report.is_clean() && report.txs == COMMITS, "{what}: {report:?}");
    true
}

/// The same, with the bytes of its file.
fn whole() -> (tempfile::TempDir, NamespaceId, Vec<u8>) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let namespace = filled(directory.path());
    let bytes = fs::read(directory.path().join(FILE)).expect("reads");
    (directory, namespace, bytes)
}

/// After an orderly stop, and after a kill, which leaves the file as it is while it is open.
#[test]
fn a_file_cut_at_any_page_is_refused_by_name_or_has_lost_nothing() {
    let (directory, namespace, closed) = whole();
    let path = directory.path().join(FILE);
    let store = Store::open(directory.path()).expect("opens");
    drop(store.begin().expect("begins"));
    let killed = fs::read(&path).expect("reads");
    drop(store);
    for (how, whole) in [("closed", closed), ("killed", killed)] {
        let mut refused = 0;
        for len in (0..whole.len()).step_by(PAGE_BYTES) {
            fs::write(&path, &whole[..len]).expect("writes");
            let opened = opens_whole(directory.path(), namespace, &format!("{how}, {len} bytes"));
            refused += usize::from(!opened);
            if len == 0 {
                assert!(!opened, "an empty file is no new database");
                assert_eq!(fs::metadata(&path).expect("reads").len(), 0, "it is left alone");
            }
        }
        assert!(refused > 10, "{how}: only {refused} cuts were noticed");
    }
}

#[test]
fn a_bit_that_has_turned_is_refused_by_name_or_changes_nothing() {
    let (directory, namespace, whole) = whole();
    let path = directory.path().join(FILE);
    let mut refused = 0;
    for turn in 0..TURNED {
        let place = turn * (whole.len() / TURNED) + turn % 64;
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (turn % 8);
        fs::write(&path, &bytes).expect("writes");
        let opened = opens_whole(directory.path(), namespace, &format!("bit of byte {place}"));
        refused += usize::from(!opened);
    }
    assert!(refused > 0, "none was noticed");
}

/// The first part as it was before some commits, the rest as it is after them: what a copy of a
/// file holds that was made while it was written to.
#[test]
fn a_copy_made_while_it_was_written_to_opens_at_a_commit_or_is_refused_by_name() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let namespace = filled(directory.path());
    let copy = tempfile::tempdir().expect("a temporary directory");
    let store = Store::open(directory.path()).expect("opens");
    let before = fs::read(directory.path().join(FILE)).expect("reads");
    for n in COMMITS + 1..=2 * COMMITS {
        commit(&store, namespace, n).expect("commits");
    }
    let after = fs::read(directory.path().join(FILE)).expect("reads");
    let shorter = before.len().min(after.len());
    for place in (0..=shorter).step_by(4 * PAGE_BYTES) {
        let torn = [&before[..place], &after[place..]].concat();
        fs::write(copy.path().join(FILE), torn).expect("writes");
        opens_whole_until(copy.path(), namespace, place);
    }
}

fn opens_whole_until(directory: &Path, namespace: NamespaceId, place: usize) {
    let store = match Store::open(directory) {
        Ok(store) => store,
        Err(OpenError::Damaged { path, .. }) => return assert_eq!(path, directory.join(FILE)),
        Err(other) => panic!("torn at {place}: {other:?}"),
    };
    let reader = store.read().expect("reads");
    let report = check(&reader, namespace).expect("checks");
    assert!(report.is_clean() && report.txs >= COMMITS, "torn at {place}: {report:?}");
    for n in 1..=report.txs {
        let found = reader.tx(namespace, TxId::new(n)).expect("reads");
        assert_eq!(found, Some(succession(n)), "torn at {place}: transaction {n}");
    }
}
