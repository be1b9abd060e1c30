//! Making a data directory from backups: under another name until it is whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::kernel::Tx;
use crate::types::limits::{BATCH_OPS_MAX, VECTORS_UNSAVED_MAX};
use crate::types::{EncryptionKey, Name, NamespaceId, Timestamp, TxId};

use super::super::check::check;
use super::super::codec::unseal;
use super::super::file::{Store, sync_directory};
use super::super::record::NamespaceRecord;
use super::apply::{receipt_row, vector_row};
use super::fault::{Fault, RestoreError};
use super::file::BackupFile;
use super::forget::{ToForget, erasures, narrow};
use super::manifest::{NamespaceManifest, Part};
use super::plan::{Plan, plan};

/// What a directory is called that is not whole yet.
const DRAFT_ENDING: &str = ".restoring";

/// Up to where the past is restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Until {
    #[default]
    End,
    /// This transaction is the last.
    Tx(TxId),
    /// Nothing that was committed later.
    Time(Timestamp),
}

impl Until {
    fn admits(self, tx: TxId, time: Timestamp) -> bool {
        match self {
            Until::End => true,
            Until::Tx(last) => tx <= last,
            Until::Time(last) => time <= last,
        }
    }
}

/// What to restore, and where to.
#[derive(Clone, Debug)]
pub struct Restore {
    /// A full backup and those that follow it, in order.
    pub files: Vec<PathBuf>,
    /// It must not exist, or be empty.
    pub directory: PathBuf,
    /// The directory is encrypted with it.
    pub key: Option<EncryptionKey>,
    pub until: Until,
    /// A later, full backup: what is erased in it is erased from what is restored.
    pub forget: Option<PathBuf>,
}

/// A namespace as it was restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    pub name: String,
    pub last_tx: TxId,
    /// Erasures that were made again.
    pub erasures: u32,
}

/// Erases from a directory that is not whole yet, and says in what was restored that it did.
type Forget<'a> = dyn Fn(&Path, &[ToForget], &mut [Restored]) -> Result<(), RestoreError> + 'a;

/// Looks at every byte of the backups, makes the directory, and compares its tables with its logs.
///
/// # Errors
/// [`RestoreError`]; then there is no directory, as before.
pub fn restore(request: &Restore, forget: &Forget<'_>) -> Result<Vec<Restored>, RestoreError> {
    let Examined { files, plan, to_forget } = examined(request)?;
    let draft = draft(&request.directory);
    let unmade = |source| RestoreError::Directory { path: request.directory.clone(), source };
    // Of a restore that was cut short.
    absent(fs::remove_dir_all(&draft)).map_err(unmade)?;
    let filled = fill(&draft, request, &files, &plan).and_then(|mut restored| {
        if !to_forget.is_empty() {
            forget(&draft, &to_forget, &mut restored)?;
        }
        Ok(restored)
    });
    let restored = match filled {
        Ok(restored) => restored,
        Err(error) => {
            // The first error is the one to tell.
            let _ = fs::remove_dir_all(&draft);
            return Err(error);
        }
    };
    // Of what is there only an empty directory is replaced.
    fs::rename(&draft, &request.directory).map_err(unmade)?;
    let parent = request.directory.parent().filter(|parent| !parent.as_os_str().is_empty());
    sync_directory(parent.unwrap_or(Path::new("."))).map_err(unmade)?;
    Ok(restored)
}

struct Examined {
    files: Vec<BackupFile>,
    plan: Plan,
    to_forget: Vec<ToForget>,
}

/// The files, if each is whole, they continue one another, and there is room.
fn examined(request: &Restore) -> Result<Examined, RestoreError> {
    let mut faults = Vec::new();
    let mut files = Vec::new();
    for path in request.files.iter().chain(&request.forget) {
        match BackupFile::open(path) {
            Ok(file) => files.push(file),
            Err(fault) => faults.push(fault),
        }
    }
    let is_free = match fs::read_dir(&request.directory) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if !is_free {
        faults.push(Fault::TargetExists { path: request.directory.clone() });
    }
    if files.len() < request.files.len() + usize::from(request.forget.is_some()) {
        // What lacks a file need not be told to have a gap.
        return Err(RestoreError::Refused(faults));
    }
    let later = request.forget.as_ref().and_then(|_| files.pop());
    match plan(&files, request.until) {
        Ok(mut plan) => {
            faults.extend(later.iter().flat_map(|later| narrow(&mut plan, &files, later)));
            if !faults.is_empty() {
                return Err(RestoreError::Refused(faults));
            }
            let to_forget =
                later.map_or(Ok(Vec::new()), |later| erasures(&plan, &files, &later))?;
            Ok(Examined { files, plan, to_forget })
        }
        Err(found) => {
            faults.extend(found);
            Err(RestoreError::Refused(faults))
        }
    }
}

fn draft(directory: &Path) -> PathBuf {
    let mut name = directory.components().as_path().as_os_str().to_owned();
    name.push(DRAFT_ENDING);
    name.into()
}

fn absent(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

fn fill(
    draft: &Path,
    request: &Restore,
    files: &[BackupFile],
    plan: &Plan,
) -> Result<Vec<Restored>, RestoreError> {
    let store = Store::open_with(draft, request.key.as_ref())?;
    let mut restored = Vec::new();
    for (id, chain) in plan {
        let held = chain.iter().filter_map(|place| {
            let file = &files[*place];
            file.namespace(*id).map(|namespace| (file, namespace))
        });
        let held: Vec<(&BackupFile, &NamespaceManifest)> = held.collect();
        let Some((file, newest)) = held.last().copied() else { continue };
        let name = Name::new(&newest.name).map_err(|_| file.damaged("a namespace has no name"))?;
        let record = NamespaceRecord {
            id: NamespaceId::new(*id),
            name,
            zone: newest.zone.clone(),
            created: Timestamp::from_micros(newest.created_micros),
        };
        let mut batch = store.begin()?;
        batch.adopt_namespace(&record)?;
        batch.put_embedding(record.id, &newest.spaces())?;
        let policy = newest.policy().map_err(|_| file.damaged("a policy is damaged"))?;
        if let Some(policy) = policy {
            batch.put_policy(record.id, &policy)?;
        }
        batch.commit()?;
        let last = fill_log(&store, record.id, &held, request.until)?;
        let damaged = |_| file.damaged("a receipt of an erasure is damaged");
        let mut batch = store.begin()?;
        for erasure in newest.erasures().map_err(damaged)?.iter().filter(|past| past.tx <= last) {
            batch.put_erasure(erasure)?;
        }
        batch.commit()?;
        fill_receipts(&store, record.id, &held, last)?;
        fill_vectors(&store, record.id, &held, last)?;
        let report = check(&store.read()?, record.id)?;
        if report.differences > 0 {
            let count = report.differences;
            return Err(RestoreError::Different { namespace: newest.name.clone(), count });
        }
        restored.push(Restored { name: newest.name.clone(), last_tx: last, erasures: 0 });
    }
    Ok(restored)
}

type Held<'a> = [(&'a BackupFile, &'a NamespaceManifest)];

fn part<'a>(namespace: &'a NamespaceManifest, kind: &str) -> Option<&'a Part> {
    namespace.parts.iter().find(|part| part.kind == kind)
}

/// Transactions as they were decided: nothing is decided again.
fn fill_log(
    store: &Store,
    id: NamespaceId,
    held: &Held<'_>,
    until: Until,
) -> Result<TxId, RestoreError> {
    let mut last = TxId::ZERO;
    let mut batch = store.begin()?;
    let mut changes = 0;
    for (file, namespace) in held {
        let Some(part) = part(namespace, "log") else { continue };
        for row in file.rows(part)? {
            let tx: Tx = unseal(&row?).map_err(|_| file.damaged("a transaction is damaged"))?;
            if tx.id != last.next() {
                return Err(file.damaged("a transaction is missing").into());
            }
            if !until.admits(tx.id, tx.time) {
                batch.commit()?;
                return Ok(last);
            }
            batch.apply(id, &tx)?;
            last = tx.id;
            changes += tx.changes.len();
            if changes >= BATCH_OPS_MAX {
                batch.commit()?;
                batch = store.begin()?;
                changes = 0;
            }
        }
        if last.raw() != namespace.last_tx {
            return Err(file.damaged("the backup lacks transactions").into());
        }
    }
    batch.commit()?;
    Ok(last)
}

/// Requests that are sent again get the answer they had.
fn fill_receipts(
    store: &Store,
    id: NamespaceId,
    held: &Held<'_>,
    last: TxId,
) -> Result<(), RestoreError> {
    let mut batch = store.begin()?;
    for (file, namespace) in held {
        let Some(part) = part(namespace, "receipt") else { continue };
        for row in file.rows(part)? {
            let row = receipt_row(&row?);
            let (digest, receipt) = row.ok_or_else(|| file.damaged("a receipt is damaged"))?;
            if receipt.tx <= last {
                batch.adopt_receipt(id, digest, &receipt)?;
            }
        }
    }
    Ok(batch.commit()?)
}

fn fill_vectors(
    store: &Store,
    id: NamespaceId,
    held: &Held<'_>,
    last: TxId,
) -> Result<(), RestoreError> {
    let known = held.last().map(|(_, newest)| newest.spaces()).unwrap_or_default();
    let spaces: Vec<_> = [known.current, known.next].into_iter().flatten().collect();
    let mut batch = store.begin()?;
    let mut count = 0;
    for (file, namespace) in held {
        let Some(part) = part(namespace, "vector") else { continue };
        for row in file.rows(part)? {
            let row = vector_row(&row?);
            let (space, row) = row.ok_or_else(|| file.damaged("a vector is damaged"))?;
            // A space that was given up since has none.
            if row.0.tx > last || !spaces.iter().any(|known| known.id == space) {
                continue;
            }
            batch.put_vectors(id, space, &[row])?;
            count += 1;
            if count % VECTORS_UNSAVED_MAX == 0 {
                batch.commit()?;
                batch = store.begin()?;
            }
        }
    }
    Ok(batch.commit()?)
}
