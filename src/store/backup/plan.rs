//! Whether backups continue one another, and what of them is restored.

use std::collections::BTreeMap;

use crate::types::TxId;

use super::fault::Fault;
use super::file::BackupFile;
use super::manifest::NamespaceManifest;
use super::restore::Until;

/// The namespaces of the last backup, each with the places of the files that hold it, in order.
pub(super) type Plan = BTreeMap<u32, Vec<usize>>;

/// A full backup comes first, and each that follows begins where the one before it ends.
pub(super) fn plan(files: &[BackupFile], until: Until) -> Result<Plan, Vec<Fault>> {
    let mut plan = Plan::new();
    let mut faults = Vec::new();
    for (place, file) in files.iter().enumerate() {
        let manifest = file.manifest();
        if manifest.complete {
            plan.retain(|id, _| file.namespace(*id).is_some());
        }
        for namespace in &manifest.namespaces {
            let chain = plan.entry(namespace.id).or_default();
            let before = chain.last().and_then(|last| files[*last].namespace(namespace.id));
            match fault(file, before, namespace) {
                Some(fault) => faults.push(fault),
                // A full backup stands for itself, whatever came before it.
                None if namespace.since_tx == 0 => *chain = vec![place],
                None => chain.push(place),
            }
        }
    }
    if let Until::Tx(asked) = until {
        faults.extend(misses(files, &plan, asked));
    }
    if faults.is_empty() { Ok(plan) } else { Err(faults) }
}

fn fault(
    file: &BackupFile,
    before: Option<&NamespaceManifest>,
    namespace: &NamespaceManifest,
) -> Option<Fault> {
    let path = file.path().to_owned();
    let (name, found) = (namespace.name.clone(), namespace.since_tx);
    if before.is_some_and(|before| !before.is_same(namespace)) {
        return Some(Fault::Foreign { path, namespace: name });
    }
    if found == 0 {
        return None;
    }
    let expected = before.map_or(0, |before| before.last_tx);
    if found != expected {
        return Some(Fault::Gap { path, namespace: name, expected, found });
    }
    let continues = before.is_some_and(|before| before.head == namespace.base_head);
    (!continues).then_some(Fault::Foreign { path, namespace: name })
}

/// A transaction that was asked for and is not there.
fn misses(files: &[BackupFile], plan: &Plan, asked: TxId) -> Option<Fault> {
    if plan.len() != 1 {
        return Some(Fault::PointAmbiguous { count: plan.len() });
    }
    let (id, chain) = plan.first_key_value()?;
    let namespace = files[*chain.last()?].namespace(*id)?;
    let (last, asked) = (namespace.last_tx, asked.raw());
    let namespace = namespace.name.clone();
    (asked > last).then_some(Fault::PointUnknown { namespace, asked, last })
}
