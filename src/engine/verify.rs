//! Proof that tables and views are what the log says: the store checks its tables against the log,
//! every group is folded again from its statements, and the views are held against both.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::{Directory, Group};
use crate::query::Halt;
use crate::store::{self, Reader, check_while};
use crate::types::{
    Cardinality, EntityId, Interval, Name, NamespaceId, Object, Rectangle, Statement, Triple, TxId,
};
use crate::view::graph::Direction;

use super::error::ReadError;
use super::handle::Engine;
use super::namespace::Namespace;
use super::verify_views::views;

/// Differences spelled out; past them they are only counted.
const DIFFERENCES_MAX: usize = 100;
/// Nodes of the graph that are read under one lock.
const NODES_AT_ONCE: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    pub transactions: u64,
    pub statements: u64,
    pub rectangles: u64,
    pub groups: u64,
    /// Documents that the text view was compared on.
    pub documents: u64,
    /// Vectors that the vector view was compared on.
    pub vectors: u64,
    pub differences: u64,
    /// The first of them, for a person to read.
    pub first: Vec<String>,
}

impl Verification {
    pub(super) fn add(&mut self, difference: String) {
        self.differences += 1;
        self.spell_out(difference);
    }

    /// Tells of a difference that was counted already.
    pub(super) fn spell_out(&mut self, difference: String) {
        if self.first.len() < DIFFERENCES_MAX {
            self.first.push(difference);
        }
    }
}

/// How often erasures may overtake a verification, and how long it waits for what they publish.
const OVERTAKEN_MAX: u32 = 20;
const OVERTAKEN_REST: std::time::Duration = std::time::Duration::from_millis(50);

impl Engine {
    /// Folds the log again and compares every table and view with it. Takes time and memory in
    /// proportion to the namespace; writes go on meanwhile.
    ///
    /// # Errors
    /// When the namespace or the store cannot be read; damage is part of the answer instead.
    pub fn verify(&self, namespace: &Name) -> Result<Verification, ReadError> {
        self.verify_until(namespace, &Halt::default())
    }

    /// The same for as long as somebody waits for it.
    ///
    /// # Errors
    /// As for [`Engine::verify`]; [`ReadError::Halted`].
    pub fn verify_until(&self, namespace: &Name, halt: &Halt) -> Result<Verification, ReadError> {
        let mut tries = 0;
        loop {
            let namespace = self.find(namespace)?;
            let (verification, erased) = self.stored(|store| {
                let reader = store.read()?;
                let mut verification = Verification::of(&namespace, &reader, halt)?;
                if verification.differences == 0 && !halt.is_halted() {
                    views(&mut verification, &namespace, store, &reader, halt)?;
                }
                let erasures = reader.erasures()?.into_iter();
                let here = erasures.filter(|erasure| erasure.namespace == namespace.id());
                Ok((verification, here.count()))
            })?;
            if halt.is_halted() {
                return Err(ReadError::Halted);
            }
            tries += 1;
            // An erasure came between what was read and what it was held against.
            let overtaken = erased != namespace.published().directory.erasures().len();
            if verification.differences == 0 || !overtaken || tries == OVERTAKEN_MAX {
                return Ok(verification);
            }
            std::thread::sleep(OVERTAKEN_REST);
        }
    }
}

fn rectangles(
    reader: &Reader,
    namespace: NamespaceId,
) -> Result<BTreeSet<Rectangle>, store::ReadError> {
    let mut rectangles = BTreeSet::new();
    reader.for_each_rectangle(namespace, |rectangle| {
        rectangles.insert(rectangle);
    })?;
    Ok(rectangles)
}

type GroupId = (EntityId, crate::types::PredicateId, Option<Object>);

impl Verification {
    /// Once it is halted it ends early, and says nothing.
    fn of(
        namespace: &Namespace,
        reader: &Reader,
        halt: &Halt,
    ) -> Result<Verification, store::ReadError> {
        let report = check_while(reader, namespace.id(), &|| !halt.is_halted())?;
        let mut verification = Verification {
            transactions: report.txs,
            statements: report.statements,
            rectangles: report.rectangles,
            differences: report.differences,
            first: report.first.iter().map(|difference| format!("{difference:?}")).collect(),
            ..Verification::default()
        };
        if report.differences > 0 || halt.is_halted() {
            // What the log cannot be trusted for is no measure for anything else.
            return Ok(verification);
        }
        let mut directory = Directory::default();
        let mut statements: Vec<Statement> = Vec::new();
        reader.for_each_tx(namespace.id(), |tx| {
            directory.apply(&tx);
            statements.extend(tx.changes.into_iter().filter_map(|change| match change {
                crate::kernel::Change::Stated(statement) => Some(statement),
                _ => None,
            }));
        })?;
        let stored = rectangles(reader, namespace.id())?;
        verification.refold(&directory, &statements, &stored, halt);
        // The views may have gone on since the reader began, or not have come as far yet.
        let tx = {
            let published = namespace.published();
            let (ours, theirs) = (&directory, &published.directory);
            if theirs.last_tx() == ours.last_tx() && theirs != ours {
                verification.add("the directory differs from the log".to_owned());
            }
            theirs.last_tx().min(ours.last_tx())
        };
        if !halt.is_halted() {
            verification.view(namespace, &stored, tx);
        }
        Ok(verification)
    }

    /// Folds every group from its statements and compares what it holds now with the live
    /// rectangles.
    fn refold(
        &mut self,
        directory: &Directory,
        statements: &[Statement],
        stored: &BTreeSet<Rectangle>,
        halt: &Halt,
    ) {
        let now = directory.last_tx();
        let canonical = |object: Object| match object {
            Object::Entity(id) => Object::Entity(directory.canonical_at(id, now)),
            Object::Value(_) => object,
        };
        let mut groups: BTreeMap<GroupId, Vec<&Statement>> = BTreeMap::new();
        for statement in statements {
            let Triple { subject, predicate, object } = statement.triple;
            let bound = statement.source.and_then(|source| directory.withdrawn_at(source, now));
            if bound.is_some_and(|bound| statement.id < bound) {
                continue;
            }
            let many = directory.cardinality_at(predicate, now) == Cardinality::Many;
            let key =
                (directory.canonical_at(subject, now), predicate, many.then(|| canonical(object)));
            groups.entry(key).or_default().push(statement);
        }
        let mut folded: BTreeSet<(Triple, Interval)> = BTreeSet::new();
        for ((subject, predicate, _), statements) in &groups {
            if halt.is_halted() {
                return;
            }
            self.groups += 1;
            let group = Group::fold(statements.iter().copied(), canonical);
            let (subject, predicate) = (*subject, *predicate);
            folded.extend(
                group
                    .timeline()
                    .runs()
                    .into_iter()
                    .map(|run| (Triple { subject, predicate, object: run.object }, run.valid)),
            );
        }
        let live: BTreeSet<(Triple, Interval)> = stored
            .iter()
            .filter(|rectangle| rectangle.believed.to.is_open())
            .map(|rectangle| (rectangle.triple, rectangle.valid))
            .collect();
        for (triple, valid) in folded.symmetric_difference(&live) {
            self.add(format!("{triple:?} {valid:?} differs from the fold of its statements"));
        }
    }

    /// Compares the graph with the table of rectangles, both as of a transaction, from each end.
    fn view(&mut self, namespace: &Namespace, stored: &BTreeSet<Rectangle>, tx: TxId) {
        let stored: BTreeSet<Rectangle> =
            stored.iter().filter_map(|rectangle| as_of(rectangle, tx)).collect();
        let subjects: Vec<Object> = {
            let published = namespace.published();
            published.graph.subjects().map(Object::Entity).collect()
        };
        let objects: BTreeSet<Object> =
            stored.iter().map(|rectangle| rectangle.triple.object).collect();
        let objects: Vec<Object> = objects.into_iter().collect();
        let sides = [(subjects, Direction::Outgoing), (objects, Direction::Incoming)];
        for (nodes, direction) in sides {
            let seen = seen(namespace, &nodes, direction, tx);
            for rectangle in stored.symmetric_difference(&seen) {
                self.add(format!(
                    "{rectangle:?} differs between the table and the graph, {direction:?}"
                ));
            }
        }
    }
}

/// What the graph says of some nodes. It is asked a few at a time, so that the writer can publish in
/// between; the transaction makes the answers one.
fn seen(
    namespace: &Namespace,
    nodes: &[Object],
    direction: Direction,
    tx: TxId,
) -> BTreeSet<Rectangle> {
    let mut seen = BTreeSet::new();
    for nodes in nodes.chunks(NODES_AT_ONCE) {
        let published = namespace.published();
        for node in nodes {
            let edges = published.graph.rectangles(*node, direction, &[]);
            seen.extend(edges.filter_map(|edge| as_of(&edge.rectangle(), tx)));
        }
    }
    seen
}

/// A rectangle as it stood at a transaction.
fn as_of(rectangle: &Rectangle, tx: TxId) -> Option<Rectangle> {
    let mut rectangle = *rectangle;
    if rectangle.believed.to > tx {
        rectangle.believed.to = TxId::OPEN;
        rectangle.closed = None;
    }
    (rectangle.believed.from <= tx).then_some(rectangle)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::engine::{Config, Submission, SystemClock};
    use crate::kernel::{Assert, Command, Evidence, Mode, ObjectName, Op, TripleName};
    use crate::query::{AsOf, Snapshot};
    use crate::store;
    use crate::types::Grant;

    use super::*;

    fn engine(home: &tempfile::TempDir) -> (Engine, Name) {
        let config = Config::new(home.path().to_owned());
        let engine = Engine::open(&config, Arc::new(SystemClock)).expect("opens");
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let name = Name::new("home").expect("a name");
        runtime.block_on(engine.create_namespace(&name, "", None)).expect("made");
        (engine, name)
    }

    /// One fact.
    fn told(engine: &Engine, name: &Name) -> Triple {
        let word = |text| Name::new(text).expect("a name");
        let object = ObjectName::Entity(word("bob"));
        let triple = TripleName { subject: word("ann"), predicate: word("knows"), object };
        let assert = Assert {
            triple,
            from: None,
            to: None,
            at_least: false,
            overrides: false,
            deliberate: false,
            contested_against: Vec::new(),
            evidence: Evidence::default(),
        };
        let ops = vec![Op::Assert(assert)];
        let command = Command { request: None, mode: Mode::Atomic, ops };
        let receipt = engine.enqueue(name, Submission::from(command)).expect("there is room");
        receipt.blocking_recv().expect("an answer").expect("taken");
        let find = |snapshot: Snapshot<'_>| {
            let subject = snapshot.graph.subjects().next().expect("there is one");
            let node = Object::Entity(subject);
            let edge = snapshot.graph.rectangles(node, Direction::Outgoing, &[]).next();
            edge.expect("there is one").rectangle().triple
        };
        engine.read(&Grant::all(name.clone()), AsOf::default(), find).expect("it is there")
    }

    #[test]
    fn nothing_is_proved_or_explained_for_nobody() {
        let home = tempfile::tempdir().expect("a place for data");
        let (engine, name) = engine(&home);
        let halt = Halt::default();
        assert!(engine.verify_until(&name, &halt).is_ok());
        halt.halt();
        let verified = engine.verify_until(&name, &halt);
        assert!(matches!(verified, Err(ReadError::Halted)), "{verified:?}");
        let triple = told(&engine, &name);
        let explained = engine.explain(&Grant::all(name), AsOf::default(), triple, &halt);
        assert!(matches!(explained, Err(ReadError::Halted)), "{explained:?}");
        engine.close();
    }

    /// A purge does not wait for ever for whoever reads: then nothing has failed.
    #[test]
    fn a_read_that_meets_the_change_of_files_is_told_to_read_again() {
        let home = tempfile::tempdir().expect("a place for data");
        let (engine, _) = engine(&home);
        let read = engine.stored(|store| {
            let reader = store.read()?;
            store.write_anew().expect("there is room");
            assert!(store.swap(false).expect("it does not wait"));
            reader.namespaces()
        });
        assert!(matches!(read, Err(ReadError::Renewed)), "{read:?}");
        let closed = engine.stored(|_| Err::<(), _>(store::ReadError::Closed));
        assert!(matches!(closed, Err(ReadError::Store(_))), "{closed:?}");
        let again = engine.stored(|store| store.read()?.namespaces());
        assert_eq!(again.expect("the new file").len(), 1);
        engine.close();
    }
}
