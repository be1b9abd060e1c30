//! Facts that are for some alone. What a caller may not see cannot change what it sees: each scope is
//! a law of its own.

use proptest::prelude::*;
use tenure::kernel::{
    Assert, Command, Declare, End, Evidence, Memory, Mode, Op, Retract, Stamp, TripleName, decide,
};
use tenure::types::{
    Cardinality, Clearance, Dated, Interval, Name, Object, ObjectName, PredicateId, Rectangle,
    Scope, Timestamp, TxId,
};

const OWNERS: [Option<&str>; 3] = [None, Some("ann"), Some("bob")];

#[derive(Clone, Copy, Debug)]
enum Act {
    Assert { from: i64, to: Option<i64> },
    End { at: i64 },
    Retract,
}

#[derive(Clone, Copy, Debug)]
struct Said {
    owner: usize,
    labelled: bool,
    object: usize,
    act: Act,
}

fn said() -> impl Strategy<Value = Said> {
    let bounded = (0_i64..8, 1_i64..5)
        .prop_map(|(from, length)| Act::Assert { from, to: Some(from + length) });
    let act = prop_oneof![
        4 => (0_i64..8).prop_map(|from| Act::Assert { from, to: None }),
        2 => bounded,
        2 => (0_i64..8).prop_map(|at| Act::End { at }),
        1 => Just(Act::Retract),
    ];
    (0..OWNERS.len(), any::<bool>(), 0_usize..3, act)
        .prop_map(|(owner, labelled, object, act)| Said { owner, labelled, object, act })
}

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn scope(owner: usize, labelled: bool) -> Scope {
    let label = |text: &str| text.parse().expect("a label");
    let labels = labelled.then(|| label("hr")).into_iter().collect();
    Scope { owner: OWNERS[owner].map(label), labels }
}

fn op(said: Said, scope: Scope) -> Op {
    let object = ObjectName::Entity(name(["x", "y", "z"][said.object]));
    let triple = TripleName { subject: name("s"), predicate: name("p"), object };
    let evidence = Evidence { scope, ..Evidence::default() };
    let at = |micros| Some(Dated { at: Timestamp::from_micros(micros), written: None });
    match said.act {
        Act::Assert { from, to } => Op::Assert(Assert {
            triple,
            from: at(from),
            to: to.and_then(at),
            at_least: false,
            overrides: false,
            deliberate: false,
            contested_against: Vec::new(),
            evidence,
        }),
        Act::End { at: end } => Op::End(End { triple, at: at(end), evidence }),
        Act::Retract => Op::Retract(Retract {
            triple,
            from: None,
            to: None,
            correct: false,
            block: false,
            evidence,
        }),
    }
}

/// Decides one operation a transaction; one left out takes its number and changes nothing.
fn told(all: &[Option<Op>]) -> Memory {
    let mut memory = Memory::default();
    for (place, op) in (1..).zip(all) {
        let stamp = Stamp { tx: TxId::new(place), time: Timestamp::from_micros(100) };
        let ops = op.iter().cloned().collect();
        let command = Command { request: None, mode: Mode::Atomic, ops };
        memory.apply(&decide(&command, stamp, &memory).expect("a valid operation").tx);
    }
    memory
}

/// Rectangles by what their ids name, so that namespaces with different ids can be compared.
fn named(memory: &Memory, seen: &[PredicateId]) -> Vec<(String, Interval, TxId, TxId)> {
    let directory = tenure::kernel::Lookup::directory(memory);
    let mut rows: Vec<_> = memory
        .rectangles()
        .into_iter()
        .filter(|rectangle| seen.contains(&rectangle.triple.predicate))
        .map(|Rectangle { triple, valid, believed, .. }| {
            let Object::Entity(object) = triple.object else { panic!("objects are entities") };
            let scope = directory.scope_of(triple.predicate).cloned().unwrap_or_default();
            let object = directory.entity_name(object).expect("it was named");
            (format!("{object} for {scope:?}"), valid, believed.from, believed.to)
        })
        .collect();
    rows.sort();
    rows
}

fn declared(cardinality: Cardinality) -> Op {
    Op::Declare(Declare { predicate: name("p"), cardinality })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..Default::default() })]

    /// What a caller sees is what a namespace would hold in which only that had ever been said.
    #[test]
    fn a_caller_sees_what_would_be_there_without_the_rest(
        all in prop::collection::vec(said(), 1..10),
        one in any::<bool>(),
        late in any::<bool>(),
        viewer in 0..OWNERS.len(),
        labelled in any::<bool>(),
    ) {
        let clearance = Clearance::Only(scope(viewer, labelled));
        let cardinality = if one { Cardinality::One } else { Cardinality::Many };
        let with = |keep: &dyn Fn(&Scope) -> bool| {
            let ops = all.iter().map(|said| {
                let scope = scope(said.owner, said.labelled);
                keep(&scope).then(|| op(*said, scope))
            });
            let mut ops: Vec<Option<Op>> = ops.collect();
            // A declaration goes for all scopes, and regroups those that were used before it.
            ops.insert(if late { ops.len() } else { 0 }, Some(declared(cardinality)));
            told(&ops)
        };
        let whole = with(&|_| true);
        let part = with(&|scope| clearance.sees(scope));
        let ids = |memory: &Memory| {
            tenure::kernel::Lookup::directory(memory).predicates_for(&clearance)
        };
        prop_assert_eq!(named(&whole, &ids(&whole)), named(&part, &ids(&part)));
    }
}
