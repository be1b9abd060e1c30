//! Restoring a backup, and erasing from it again what was erased since it was taken.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use tokio::runtime::Builder;

use crate::store::{self, Restore, RestoreError, Restored, ToForget};
use crate::types::{AuditSubject, EncryptionKey, ErasureCounts, Name};

use super::clock::SystemClock;
use super::erase::{Erase, EraseWhat, Forgotten};
use super::handle::Engine;
use super::open::Config;

/// Who the audit log says erased.
const WHO: &str = "restore";

/// Looks at every byte of the backups, makes the directory, compares its tables with its logs, and
/// erases what a later backup has erased. The directory gets its name after all of it.
///
/// # Errors
/// [`RestoreError`]; then there is no directory, as before.
pub fn restore(request: &Restore) -> Result<Vec<Restored>, RestoreError> {
    store::restore(request, &|draft, lists, restored| {
        forget(draft, request.key.as_ref(), lists, restored)
    })
}

fn forget(
    draft: &Path,
    key: Option<&EncryptionKey>,
    lists: &[ToForget],
    restored: &mut [Restored],
) -> Result<(), RestoreError> {
    let config = Config { data: draft.to_owned(), space: None, key: key.cloned() };
    // Whoever restores may be inside a runtime, which must not be blocked: the thread has its own.
    thread::scope(|scope| {
        let work = scope.spawn(|| {
            let runtime = Builder::new_current_thread().build().map_err(failed)?;
            let engine = Engine::open(&config, Arc::new(SystemClock)).map_err(failed)?;
            let done = runtime.block_on(erase(&engine, lists, restored));
            engine.close();
            done
        });
        work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

async fn erase(
    engine: &Engine,
    lists: &[ToForget],
    restored: &mut [Restored],
) -> Result<(), RestoreError> {
    let mut held = Vec::new();
    for list in lists {
        // What the backup was too old to hold, or holds as erased already.
        if takes(&taken(engine, list, true, false).await?.counts) {
            held.push(list);
        }
    }
    for (place, list) in held.iter().enumerate() {
        let is_last = place + 1 == held.len();
        let record = taken(engine, list, false, is_last).await?;
        if is_last && !record.purged {
            return Err(failed("the file could not be written anew without it"));
        }
        let of = |restored: &&mut Restored| restored.name == list.namespace.to_string();
        if let Some(restored) = restored.iter_mut().find(of) {
            restored.last_tx = record.tx;
            restored.erasures += 1;
        }
    }
    Ok(())
}

async fn taken(
    engine: &Engine,
    list: &ToForget,
    dry_run: bool,
    purge: bool,
) -> Result<store::ErasureRecord, RestoreError> {
    let mut what = Forgotten {
        kind: list.kind,
        statements: BTreeSet::new(),
        episodes: BTreeSet::new(),
        entities: BTreeSet::new(),
    };
    list.erased.iter().for_each(|erased| what.add(*erased));
    let erase = Erase { what: EraseWhat::Listed(what), dry_run, purge, request: None };
    let by = AuditSubject { who: WHO.to_owned(), ..AuditSubject::default() };
    let name: &Name = &list.namespace;
    Ok(engine.erase(name, erase, by).await.map_err(failed)?.record)
}

fn takes(counts: &ErasureCounts) -> bool {
    counts.statements > 0 || counts.episodes > 0 || counts.names > 0
}

fn failed(error: impl Into<Box<dyn Error + Send + Sync>>) -> RestoreError {
    RestoreError::Forget(error.into())
}
