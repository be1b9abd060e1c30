//! What is published, built from the store: at start, and again after a commit that failed.

use std::collections::HashMap;
use std::thread;

use crate::kernel::{Change, Directory};
use crate::store::{self, LogBound, NamespaceRecord, Reader, Store};
use crate::types::NamespaceId;
use crate::view::document::Documents;
use crate::view::graph::GraphView;

use super::namespace::{Namespace, Published, Registry};
use super::search::{Search, Views};

/// Brings what is published in line with a store that was reopened. A commit that failed may have
/// reached the disk after all, so the store is asked, not the writer.
pub(super) fn recover(
    store: &Store,
    registry: &Registry,
    views: Option<&Views>,
) -> Result<(), store::ReadError> {
    let reader = store.read()?;
    let stored = reader.namespaces()?;
    for namespace in registry.all() {
        if !stored.iter().any(|record| record.id == namespace.id()) {
            registry.remove(&namespace.record.name);
        }
    }
    for record in stored {
        match registry.get(&record.name) {
            Some(namespace) => {
                let next = namespace.published().directory.last_tx().next();
                let bound = LogBound { txs: usize::MAX, bytes: usize::MAX };
                let txs = reader.log(record.id, next, bound)?;
                if txs.iter().flat_map(|tx| &tx.changes).any(is_erasure) {
                    // What is published still holds what was erased.
                    let fresh = self::namespace(&reader, record, views)?.after(&namespace);
                    registry.insert(fresh).tell();
                    namespace.search.forget();
                    continue;
                }
                if !txs.is_empty() {
                    namespace.publish(&txs);
                }
                namespace.search.adopt(reader.embedding(record.id)?);
            }
            None => {
                registry.insert(namespace(&reader, record, views)?);
            }
        }
    }
    Ok(())
}

const fn is_erasure(change: &Change) -> bool {
    matches!(change, Change::Erasure(_))
}

/// A namespace as it is stored. Its views are opened by the indexer.
pub(super) fn namespace(
    reader: &Reader,
    record: NamespaceRecord,
    views: Option<&Views>,
) -> Result<Namespace, store::ReadError> {
    let published = published(reader, &record)?;
    let erasures = published.directory.erasures().len();
    let search = Search::new(&record, erasures, views.cloned(), reader.embedding(record.id)?);
    let mut reads = HashMap::new();
    reader.for_each_access(record.id, |document, access| {
        reads.insert(document, access);
    })?;
    search.load_reads(reads);
    Ok(Namespace::new(record, published, search))
}

/// The directory and the documents are folded from the log; beside that, as neither waits for the
/// other, the graph starts from the table of rectangles, which the same transactions wrote.
fn published(reader: &Reader, record: &NamespaceRecord) -> Result<Published, store::ReadError> {
    thread::scope(|scope| {
        let graph = scope.spawn(|| graph(reader, record.id));
        let mut directory = Directory::default();
        let mut documents = Documents::default();
        let folded = reader.for_each_tx(record.id, |tx| {
            directory.apply(&tx);
            documents.apply(&tx);
        });
        let graph = graph.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        folded?;
        Ok(Published { directory, graph: graph?, documents })
    })
}

fn graph(reader: &Reader, namespace: NamespaceId) -> Result<GraphView, store::ReadError> {
    let mut rectangles = Vec::new();
    reader.for_each_rectangle(namespace, |rectangle| rectangles.push(rectangle))?;
    Ok(GraphView::load(rectangles.into_iter(), reader.last_tx(namespace)?))
}
