//! The engine held against the model: everything that can be asked, and every receipt asked for
//! again.

use std::collections::BTreeSet;

use tenure::engine::{Engine, Receipt};
use tenure::query::{AsOf, Budget, FactsQuery, Halt, Known, Pattern, Row, Snapshot, Span, facts};
use tenure::types::{Basis, EntityId, Grant, Name, Object, Rectangle, Timestamp, Triple, TxId};
use tenure::view::graph::Direction;

use crate::model::{Model, Space};
use crate::world::{Done, Step, World};

/// Valid instants to ask about; the workload's dates lie around them.
const INSTANTS: [i64; 6] = [-1, 10, 40, 80, 119, 200];

/// All that the engine answers otherwise than the model, in words. Empty: they are the same.
pub(crate) fn differences(engine: &Engine, model: &Model) -> Vec<String> {
    let mut found = Vec::new();
    let mut there = engine.namespaces();
    let mut expected: Vec<_> = model.spaces.values().map(|space| space.info.clone()).collect();
    there.sort_by(|a, b| a.name.cmp(&b.name));
    expected.sort_by(|a, b| a.name.cmp(&b.name));
    if there != expected {
        found.push(format!("namespaces: {there:?} instead of {expected:?}"));
        return found;
    }
    for (name, space) in &model.spaces {
        stored(engine, name, space, &mut found);
        answered(engine, name, space, &mut found);
        if found.is_empty() {
            explained(engine, name, space, &mut found);
        }
    }
    found
}

/// What is on the disk: the log to the letter, the tables by way of `verify`, and single statements.
fn stored(engine: &Engine, name: &Name, space: &Space, found: &mut Vec<String>) {
    let verification = engine.verify(name).expect("it can be read");
    if verification.differences > 0 {
        found.push(format!("{name}: verify: {:?}", verification.first));
    }
    let mut log = Vec::new();
    loop {
        let next = TxId::new(log.len() as u64 + 1);
        let chunk = engine.log(name, next).expect("it can be read").txs;
        if chunk.is_empty() {
            break;
        }
        log.extend(chunk);
    }
    if log != space.log {
        let (there, expected) = (log.len(), space.log.len());
        found.push(format!("{name}: a log of {there} transactions, not the {expected} expected"));
    }
    for statement in space.memory.all_statements() {
        let there = engine.statement(name, statement.id).expect("it can be read");
        if there.as_ref() != Some(statement) {
            found.push(format!("{name}: statement {} is {there:?}", statement.id));
        }
    }
}

/// What is in memory: the directory, every rectangle, and what holds at many bases.
pub(crate) fn answered(engine: &Engine, name: &Name, space: &Space, found: &mut Vec<String>) {
    let expected = space.memory.rectangles();
    let asked = |valid: i64, tx: u64| AsOf {
        valid: Some(Timestamp::from_micros(valid)),
        known: Known::Tx(TxId::new(tx)),
    };
    let latest = AsOf { valid: Some(Timestamp::from_micros(0)), known: Known::Latest };
    let all = |snapshot: Snapshot<'_>| {
        if snapshot.directory != space.directory() {
            found.push(format!("{name}: the directory differs"));
        }
        let there = rectangles(snapshot);
        let odd: Vec<_> = there.symmetric_difference(&expected).collect();
        if !odd.is_empty() {
            found.push(format!("{name}: rectangles: {odd:?}"));
        }
    };
    engine.read(&Grant::all(name.clone()), latest, all).expect("the namespace is there");
    let last = space.last().raw();
    for tx in BTreeSet::from([0, last / 3, last / 2, last.saturating_sub(1), last]) {
        for valid in INSTANTS {
            let basis = Basis { valid: Timestamp::from_micros(valid), tx: TxId::new(tx) };
            let there = engine
                .read(&Grant::all(name.clone()), asked(valid, tx), rows)
                .expect("the namespace is there");
            let holds = expected.iter().filter(|r| basis.sees(r.valid, r.believed));
            let holds: BTreeSet<Row> = holds.map(|r| Row::of(*r, basis)).collect();
            if there != holds {
                found.push(format!("{name}: at {basis:?}: {there:?} instead of {holds:?}"));
            }
        }
    }
}

pub(crate) fn rectangles(snapshot: Snapshot<'_>) -> BTreeSet<Rectangle> {
    let nodes = snapshot.graph.subjects().map(Object::Entity);
    nodes
        .flat_map(|node| snapshot.graph.rectangles(node, Direction::Outgoing, &[]))
        .map(tenure::view::graph::Edge::rectangle)
        .collect()
}

fn rows(snapshot: Snapshot<'_>) -> BTreeSet<Row> {
    let query = FactsQuery {
        pattern: Pattern::default(),
        span: Span::Basis,
        limit: usize::MAX - 1,
        after: None,
    };
    facts(snapshot, &query, &mut Budget::edges(u64::MAX)).rows.into_iter().collect()
}

/// An explanation reads both the disk and memory. It must agree with itself and with what holds, for
/// every fact that counts under its own ids.
fn explained(engine: &Engine, name: &Name, space: &Space, found: &mut Vec<String>) {
    let (directory, rectangles) = (space.directory(), space.memory.rectangles());
    let basis = Basis { valid: Timestamp::from_micros(60), tx: space.last() };
    let as_of = AsOf { valid: Some(basis.valid), known: Known::Latest };
    let own = |id: EntityId| directory.canonical_at(id, basis.tx) == id;
    let counts = |triple: &Triple| match triple.object {
        Object::Entity(object) => own(triple.subject) && own(object),
        Object::Value(_) => own(triple.subject),
    };
    let triples: BTreeSet<Triple> = rectangles.iter().map(|r| r.triple).filter(counts).collect();
    for triple in triples {
        let explanation = engine
            .explain(&Grant::all(name.clone()), as_of, triple, &Halt::default())
            .expect("it can be read");
        let explained = explanation.explained;
        let mut holds = rectangles.iter().filter(|r| r.triple == triple);
        let holds = holds.find(|r| basis.sees(r.valid, r.believed)).map(|r| Row::of(*r, basis));
        let owned = holds.is_some() || explained.known_ended;
        if explained.visible != holds || explained.owner.is_some() != owned {
            found.push(format!("{name}: {triple:?} is explained by {explained:?}"));
        }
    }
}

/// Every request that was acknowledged is answered as it was then, and changes nothing.
pub(crate) fn replays(world: &World, model: &Model, now: i64) {
    for (namespace, space) in &model.spaces {
        let (steps, receipts): (Vec<Step>, Vec<&Receipt>) = space
            .receipts
            .values()
            .map(|(submission, receipt)| {
                let (namespace, submission) = (namespace.clone(), submission.clone());
                (Step::Submit { namespace, submission }, receipt)
            })
            .unzip();
        for (reply, first) in world.group(&steps, now).into_iter().zip(receipts) {
            let again = Receipt { replayed: true, ..first.clone() };
            assert_eq!(reply, Ok(Done::Receipt(again)), "in {namespace}");
        }
    }
}
