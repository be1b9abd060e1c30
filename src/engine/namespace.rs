//! A namespace as readers share it, and the list of them.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use tokio::sync::watch;

use crate::kernel::{Directory, Tx};
use crate::store::NamespaceRecord;
use crate::types::{Name, NamespaceId, Timestamp, TxId};
use crate::view::document::Documents;
use crate::view::graph::GraphView;

use super::search::Search;
use super::spaces::SpaceSpec;

/// What is known of a namespace from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamespaceInfo {
    /// Increases in the order they were made.
    pub id: NamespaceId,
    pub name: String,
    pub zone: String,
    pub created: Timestamp,
    /// The space its vectors are compared in, if there is one.
    pub space: Option<SpaceSpec>,
}

/// Directory, graph and documents at one transaction. They are published together.
#[derive(Default)]
pub(super) struct Published {
    pub(super) directory: Directory,
    pub(super) graph: GraphView,
    pub(super) documents: Documents,
}

pub(super) struct Namespace {
    pub(super) record: NamespaceRecord,
    pub(super) search: Search,
    published: RwLock<Published>,
    committed: Arc<watch::Sender<TxId>>,
}

impl Namespace {
    pub(super) fn new(record: NamespaceRecord, published: Published, search: Search) -> Namespace {
        let committed = Arc::new(watch::Sender::new(published.directory.last_tx()));
        Namespace { record, search, published: RwLock::new(published), committed }
    }

    /// In the place of another: who follows that one follows this.
    pub(super) fn after(self, other: &Namespace) -> Namespace {
        Namespace { committed: Arc::clone(&other.committed), ..self }
    }

    /// Wakes who waits for transactions.
    pub(super) fn tell(&self) {
        self.committed.send_replace(self.published().directory.last_tx());
    }

    pub(super) fn id(&self) -> NamespaceId {
        self.record.id
    }

    pub(super) fn info(&self) -> NamespaceInfo {
        let NamespaceRecord { id, name, zone, created } = &self.record;
        let (id, created) = (*id, *created);
        let space = self.search.spaces().record.current.as_ref().map(SpaceSpec::of);
        NamespaceInfo { id, name: name.to_string(), zone: zone.clone(), created, space }
    }

    /// A fold panics before it changes anything for others to see, or not at all, so what a
    /// poisoned lock guards is whole.
    pub(super) fn published(&self) -> RwLockReadGuard<'_, Published> {
        self.published.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Folds durable transactions into the views and wakes who waits for them.
    pub(super) fn publish(&self, txs: &[Tx]) {
        let mut published = self.published.write().unwrap_or_else(PoisonError::into_inner);
        for tx in txs {
            published.directory.apply(tx);
            published.graph.apply(tx);
            published.documents.apply(tx);
        }
        let last = published.directory.last_tx();
        drop(published);
        self.committed.send_replace(last);
    }

    pub(super) fn committed(&self) -> watch::Receiver<TxId> {
        self.committed.subscribe()
    }
}

/// The namespaces there are, by name.
#[derive(Default)]
pub(super) struct Registry {
    namespaces: RwLock<BTreeMap<Name, Arc<Namespace>>>,
}

impl Registry {
    pub(super) fn get(&self, name: &Name) -> Option<Arc<Namespace>> {
        self.read().get(name).cloned()
    }

    pub(super) fn insert(&self, namespace: Namespace) -> Arc<Namespace> {
        let namespace = Arc::new(namespace);
        let mut all = self.namespaces.write().unwrap_or_else(PoisonError::into_inner);
        all.insert(namespace.record.name.clone(), Arc::clone(&namespace));
        namespace
    }

    pub(super) fn remove(&self, name: &Name) {
        self.namespaces.write().unwrap_or_else(PoisonError::into_inner).remove(name);
    }

    /// In the order they were made.
    pub(super) fn all(&self) -> Vec<Arc<Namespace>> {
        let mut all: Vec<Arc<Namespace>> = self.read().values().cloned().collect();
        all.sort_by_key(|namespace| namespace.id());
        all
    }

    pub(super) fn len(&self) -> usize {
        self.read().len()
    }

    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<Name, Arc<Namespace>>> {
        self.namespaces.read().unwrap_or_else(PoisonError::into_inner)
    }
}
