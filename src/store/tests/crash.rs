use crate::store::{CommitError, OpenError, ReadError, Store, check};
use crate::types::{NamespaceId, TxId};

use super::disk::Disk;
use super::sample::{add_namespace, commit, receipt, succession};

const COMMITS: u64 = 30;
const SEEDS: u64 = 4;

/// How far the workload came before the power went.
#[derive(Clone, Copy, Debug, Default)]
struct Acknowledged {
    namespace: Option<NamespaceId>,
    txs: u64,
}

fn open(disk: &Disk) -> Result<Store, OpenError> {
    let disk = disk.clone();
    Store::with_backend(move || Ok(disk.clone()))
}

/// Makes a namespace, commits small transactions, stops at the first error. The database itself is
/// whole before anything fails, as [`Store::open`] sees to.
fn work(disk: &Disk, fail_after_syncs: u64) -> Acknowledged {
    let mut done = Acknowledged::default();
    let store = open(disk).expect("opens");
    disk.fail_at_sync(disk.syncs() + fail_after_syncs);
    let created = store.begin().and_then(|mut batch| {
        let record = add_namespace(&mut batch, "one")?;
        batch.commit().map(|()| record.id)
    });
    let Ok(namespace) = created else { return done };
    done.namespace = Some(namespace);
    for n in 1..=COMMITS {
        if commit(&store, namespace, n).is_err() {
            break;
        }
        done.txs = n;
    }
    done
}

/// What was acknowledged is there, at most the commit under way is there besides, and nothing is
/// there by half. Work goes on from where it stopped.
fn verify(disk: &Disk, done: Acknowledged, context: &str) {
    let store = open(disk).unwrap_or_else(|error| panic!("{context}: {error:?}"));
    let found: Vec<_> = store.namespaces().expect("reads").iter().map(|record| record.id).collect();
    assert!(done.namespace.is_none_or(|id| found == [id]), "{context}: namespaces {found:?}");
    let Some(&namespace) = found.first() else { return };
    let reader = store.read().expect("reads");
    let report = check(&reader, namespace).expect("checks");
    assert!(report.is_clean(), "{context}: {report:?}");
    let (txs, receipts) = (report.txs, report.receipts);
    assert!(txs == done.txs || txs == done.txs + 1, "{context}: {txs} of {}", done.txs);
    assert_eq!(receipts, txs, "{context}");
    for n in 1..=txs {
        assert_eq!(reader.tx(namespace, TxId::new(n)).expect("reads"), Some(succession(n)));
        let found = reader.receipt(namespace, &format!("request {n}")).expect("reads");
        assert_eq!(found, Some(receipt(n)), "{context}");
    }
    drop(reader);
    commit(&store, namespace, txs + 1).unwrap_or_else(|error| panic!("{context}: {error:?}"));
}

#[test]
fn a_power_cut_at_any_sync_loses_nothing_acknowledged() {
    let whole = Disk::default();
    drop(open(&whole).expect("opens"));
    let made = whole.syncs();
    assert_eq!(work(&whole, 10 * COMMITS).txs, COMMITS);
    let syncs = whole.syncs() - made;
    assert!(syncs > COMMITS, "each commit syncs");
    for sync in 1..=syncs {
        let disk = Disk::default();
        let done = work(&disk, sync);
        verify(&disk.after_power_cut(), done, &format!("sync {sync}"));
        for seed in 0..SEEDS {
            let torn = disk.after_torn_cut(seed * 1_000 + sync);
            verify(&torn, done, &format!("sync {sync}, seed {seed}"));
        }
    }
}

#[test]
fn after_a_failed_sync_the_store_refuses_until_it_is_reopened() {
    let disk = Disk::default();
    let store = open(&disk).expect("opens");
    let mut batch = store.begin().expect("begins");
    let namespace = add_namespace(&mut batch, "one").expect("creates").id;
    batch.commit().expect("commits");
    commit(&store, namespace, 1).expect("commits");
    disk.fail_at_sync(disk.syncs() + 1);
    assert!(matches!(commit(&store, namespace, 2), Err(CommitError::Io(_))));
    assert!(matches!(store.begin(), Err(CommitError::Closed)));
    assert!(matches!(store.reopen(), Err(OpenError::Io(_))), "the disk still fails");
    assert!(matches!(store.read().err(), Some(ReadError::Closed)));
    assert!(matches!(store.begin(), Err(CommitError::Closed)));
    disk.fail_at_sync(u64::MAX);
    store.reopen().expect("the disk works again");
    let txs = store.read().expect("reads").last_tx(namespace).expect("reads").raw();
    assert!(txs == 1 || txs == 2);
    commit(&store, namespace, txs + 1).expect("commits");
    assert!(check(&store.read().expect("reads"), namespace).expect("checks").is_clean());
}
