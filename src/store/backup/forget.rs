//! What was erased since a backup was taken, as a later one tells: its log has the ids of what went.

use std::collections::BTreeMap;

use crate::kernel::{Change, Erased, Tx};
use crate::types::{ErasureKind, Name};

use super::super::codec::unseal;
use super::fault::{Fault, RestoreError};
use super::file::BackupFile;
use super::manifest::NamespaceManifest;
use super::plan::Plan;

/// What one erasure took of a namespace, to be taken again from an older copy of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToForget {
    pub namespace: Name,
    pub kind: ErasureKind,
    pub erased: Vec<Erased>,
}

/// Leaves out namespaces that are gone by the time of a later backup, and says why it cannot be
/// relied on for the others.
pub(super) fn narrow(plan: &mut Plan, files: &[BackupFile], later: &BackupFile) -> Vec<Fault> {
    let path = || later.path().to_owned();
    let newest = files.iter().map(|file| file.manifest().time_micros).max();
    if newest.is_some_and(|newest| later.manifest().time_micros < newest) {
        return vec![Fault::Older { path: path() }];
    }
    if later.manifest().complete {
        let held = plan.len();
        plan.retain(|id, _| later.namespace(*id).is_some());
        if held > 0 && plan.is_empty() {
            return vec![Fault::NothingLeft { path: path() }];
        }
    }
    let mut faults = Vec::new();
    for (id, chain) in plan.iter() {
        let held = chain.last().and_then(|place| files[*place].namespace(*id));
        let Some(held) = held else { continue };
        let namespace = held.name.clone();
        match later.namespace(*id) {
            Some(found) if !held.is_same(found) => {
                faults.push(Fault::Foreign { path: path(), namespace });
            }
            Some(found) if found.since_tx == 0 => {}
            _ => faults.push(Fault::Partial { path: path(), namespace }),
        }
    }
    faults
}

/// The erasures of the namespaces of a plan, in the order they were made.
pub(super) fn erasures(
    plan: &Plan,
    files: &[BackupFile],
    later: &BackupFile,
) -> Result<Vec<ToForget>, RestoreError> {
    let mut all = Vec::new();
    for (id, chain) in plan {
        let Some(namespace) = later.namespace(*id) else { continue };
        let held = chain.iter().filter_map(|place| files[*place].namespace(*id));
        let ends = held.filter_map(|held| Some((held.last_tx, held.last_time_micros?)));
        let name = Name::new(&namespace.name);
        let name = name.map_err(|_| later.damaged("a namespace has no name"))?;
        let damaged = |_| later.damaged("a receipt of an erasure is damaged");
        let records = namespace.erasures().map_err(damaged)?;
        let kinds: BTreeMap<u32, ErasureKind> =
            records.iter().map(|record| (record.number, record.kind)).collect();
        for (number, erased) in erased_in(later, namespace, ends.collect())? {
            let kind = kinds.get(&number).copied();
            let kind = kind.ok_or_else(|| {
                let (path, namespace) = (later.path().to_owned(), name.to_string());
                Fault::Untold { path, namespace }
            })?;
            all.push(ToForget { namespace: name.clone(), kind, erased });
        }
    }
    Ok(all)
}

/// By number of the erasure. `ends` has transactions of what is restored, with their times: an erasure
/// keeps both, and ids mean the same only where the later history has gone through them.
fn erased_in(
    later: &BackupFile,
    namespace: &NamespaceManifest,
    mut ends: BTreeMap<u64, i64>,
) -> Result<BTreeMap<u32, Vec<Erased>>, RestoreError> {
    let mut all: BTreeMap<u32, Vec<Erased>> = BTreeMap::new();
    for part in namespace.parts.iter().filter(|part| part.kind == "log") {
        for row in later.rows(part)? {
            let tx: Tx = unseal(&row?).map_err(|_| later.damaged("a transaction is damaged"))?;
            if ends.get(&tx.id.raw()) == Some(&tx.time.micros()) {
                ends.remove(&tx.id.raw());
            }
            for change in tx.changes {
                if let Change::Erased { by, what } = change {
                    all.entry(by).or_default().push(what);
                }
            }
        }
    }
    if !ends.is_empty() {
        let (path, namespace) = (later.path().to_owned(), namespace.name.clone());
        return Err(Fault::Foreign { path, namespace }.into());
    }
    Ok(all)
}
