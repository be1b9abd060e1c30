//! The view against a naive one: a list of rectangles that every answer filters and sorts anew.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use petgraph::Direction::{self, Incoming, Outgoing};
use petgraph::algo::{astar, connected_components, dijkstra, tarjan_scc};
use petgraph::visit::{Bfs, EdgeRef, IntoEdgeReferences, IntoNodeIdentifiers, NodeIndexable};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{AsOf, Edge, GraphView};
use crate::kernel::{Change, Tx};
use crate::types::{
    Basis, CloseReason, EntityId, Interval, Object, PredicateId, Rectangle, Timestamp, Triple,
    TxId, TxSpan, ValueId,
};

const ENTITIES: u32 = 4;
const VALUES: u32 = 2;
const PREDICATES: u32 = 3;
const TIMES: i64 = 8;

/// One change of a log: the place of the live rectangle to close, modulo their number, or a new one.
#[derive(Clone, Copy, Debug)]
enum Step {
    Open(Triple, Interval),
    Close(usize),
}

/// What the log says, as plainly as possible.
#[derive(Clone, Debug, Default)]
struct Naive {
    rectangles: Vec<Rectangle>,
    log: Vec<Tx>,
}

impl Naive {
    fn new(steps: Vec<Vec<Step>>) -> Naive {
        let mut naive = Naive::default();
        for (number, steps) in (1..).zip(steps) {
            let tx = TxId::new(number);
            let changes = steps.into_iter().filter_map(|step| naive.take(tx, step)).collect();
            naive.log.push(Tx { id: tx, time: at(0), changes });
        }
        naive
    }

    fn take(&mut self, tx: TxId, step: Step) -> Option<Change> {
        match step {
            Step::Open(triple, valid) => {
                let believed = TxSpan { from: tx, to: TxId::OPEN };
                self.rectangles.push(Rectangle { triple, valid, believed, closed: None });
                Some(Change::Opened { triple, valid })
            }
            Step::Close(place) => {
                let is_open = |rectangle: &&mut Rectangle| {
                    rectangle.closed.is_none() && rectangle.believed.from < tx
                };
                let mut open: Vec<_> = self.rectangles.iter_mut().filter(is_open).collect();
                let place = place.checked_rem(open.len())?;
                let Rectangle { triple, valid, believed, closed } = &mut *open[place];
                let reason = CloseReason::Superseded;
                (believed.to, *closed) = (tx, Some(reason));
                let (triple, valid, believed_from) = (*triple, *valid, believed.from);
                Some(Change::Closed { triple, valid, believed_from, reason })
            }
        }
    }

    fn fold(&self) -> GraphView {
        let mut view = GraphView::default();
        for tx in &self.log {
            view.apply(tx);
        }
        view
    }

    fn answer(
        &self,
        node: Object,
        direction: Direction,
        predicates: &[PredicateId],
        visible: impl Fn(&Rectangle) -> bool,
    ) -> Vec<Rectangle> {
        let ends = |triple: Triple| match direction {
            Outgoing => (Object::Entity(triple.subject), triple.object),
            Incoming => (triple.object, Object::Entity(triple.subject)),
        };
        let mut seen = self.rectangles.clone();
        seen.retain(|rectangle| {
            let predicate = &rectangle.triple.predicate;
            ends(rectangle.triple).0 == node
                && (predicates.is_empty() || predicates.contains(predicate))
                && visible(rectangle)
        });
        seen.sort_by_key(|seen| {
            let start = Reverse(seen.valid.start());
            (start, seen.triple.predicate, ends(seen.triple).1, *seen)
        });
        seen
    }

    /// Node to node, along what the basis sees.
    fn arcs(&self, basis: Basis) -> BTreeSet<(Object, Object)> {
        let seen = self.rectangles.iter().filter(|seen| basis.sees(seen.valid, seen.believed));
        seen.map(|seen| (Object::Entity(seen.triple.subject), seen.triple.object)).collect()
    }
}

/// Hops from a node to every node that can be reached.
fn hops(arcs: &BTreeSet<(Object, Object)>, from: Object) -> BTreeMap<Object, u32> {
    let mut hops = BTreeMap::from([(from, 0)]);
    for round in 0..ENTITIES + VALUES {
        let front: Vec<_> = hops.keys().copied().collect();
        for (a, b) in arcs.iter().filter(|(a, _)| front.contains(a)) {
            if hops[a] == round {
                hops.entry(*b).or_insert(round + 1);
            }
        }
    }
    hops
}

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros)
}

fn entity(id: u32) -> Object {
    Object::Entity(EntityId::new(id))
}

fn predicate(id: u32) -> PredicateId {
    PredicateId::new(id)
}

fn nodes() -> Vec<Object> {
    let values = (0..=VALUES).map(|id| Object::Value(ValueId::new(id)));
    (0..=ENTITIES).map(entity).chain(values).collect()
}

fn triples() -> impl Strategy<Value = Triple> {
    // Half of everything is about entity 0, so that it becomes a hub of many blocks.
    let subject = prop_oneof![Just(0), 0..ENTITIES];
    let object = prop_oneof![
        Just(entity(0)),
        (0..ENTITIES).prop_map(entity),
        (0..VALUES).prop_map(|id| Object::Value(ValueId::new(id)))
    ];
    (subject, 0..PREDICATES, object).prop_map(|(subject, id, object)| Triple {
        subject: EntityId::new(subject),
        predicate: predicate(id),
        object,
    })
}

fn intervals() -> impl Strategy<Value = Interval> {
    (-1..TIMES, 1..=TIMES).prop_map(|(start, length)| {
        let from = if start < 0 { Timestamp::NEG_INFINITY } else { at(start) };
        let to = if start + length >= TIMES { Timestamp::INFINITY } else { at(start + length) };
        Interval::new(from, to).expect("ordered")
    })
}

fn logs() -> impl Strategy<Value = Naive> {
    let step = prop_oneof![
        2 => (triples(), intervals()).prop_map(|(triple, valid)| Step::Open(triple, valid)),
        1 => any::<usize>().prop_map(Step::Close),
    ];
    prop::collection::vec(prop::collection::vec(step, 0..12), 0..16).prop_map(Naive::new)
}

fn bases() -> impl Strategy<Value = Basis> {
    let valid = prop_oneof![
        8 => (-1..=TIMES).prop_map(at),
        1 => Just(Timestamp::NEG_INFINITY),
        1 => Just(Timestamp::INFINITY),
    ];
    let tx = prop_oneof![9 => (0..18_u64).prop_map(TxId::new), 1 => Just(TxId::OPEN)];
    (valid, tx).prop_map(|(valid, tx)| Basis { valid, tx })
}

/// As a caller may give them: in any order, twice, unknown ones too.
fn filters() -> impl Strategy<Value = Vec<PredicateId>> {
    prop::collection::vec((0..=PREDICATES).prop_map(predicate), 0..4)
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 256,
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn given(edges: impl Iterator<Item = Edge>) -> Vec<Rectangle> {
    edges.map(Edge::rectangle).collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_view_answers_like_a_filter(naive in logs(), basis in bases(), filter in filters()) {
        let view = naive.fold();
        let graph = view.as_of(basis);
        for node in nodes() {
            for direction in [Outgoing, Incoming] {
                let naive = |sees: &dyn Fn(&Rectangle) -> bool| {
                    naive.answer(node, direction, &filter, sees)
                };
                prop_assert_eq!(
                    given(graph.edges(node, direction, &filter)),
                    naive(&|seen| basis.sees(seen.valid, seen.believed))
                );
                prop_assert_eq!(
                    given(view.believed_at(basis.tx, node, direction, &filter)),
                    naive(&|seen| seen.believed.contains(basis.tx))
                );
                prop_assert_eq!(
                    given(view.rectangles(node, direction, &filter)),
                    naive(&|_| true)
                );
            }
        }
    }

    #[test]
    fn loading_gives_what_folding_gives(
        (naive, shuffled) in logs().prop_flat_map(|naive| {
            let shuffled = Just(naive.rectangles.clone()).prop_shuffle();
            (Just(naive), shuffled)
        }),
        bases in prop::collection::vec(bases(), 4),
    ) {
        let folded = naive.fold();
        let loaded = GraphView::load(shuffled.into_iter(), folded.watermark());
        let counts = |view: &GraphView| {
            let nodes = (view.entity_count(), view.value_count());
            (view.watermark(), nodes, view.live_count(), view.closed_count())
        };
        prop_assert_eq!(counts(&loaded), counts(&folded));
        prop_assert!(loaded.subjects().eq(folded.subjects()));
        let subjects: BTreeSet<_> = naive.rectangles.iter().map(|r| r.triple.subject).collect();
        prop_assert!(loaded.subjects().eq(subjects));
        let places = nodes().into_iter().flat_map(|node| [(node, Outgoing), (node, Incoming)]);
        for (node, direction) in places {
            let all = |view: &GraphView| given(view.rectangles(node, direction, &[]));
            prop_assert_eq!(all(&loaded), all(&folded));
            for basis in &bases {
                let seen = |view: &GraphView| given(view.as_of(*basis).edges(node, direction, &[]));
                prop_assert_eq!(seen(&loaded), seen(&folded));
            }
        }
    }

    #[test]
    fn a_loaded_view_folds_on(naive in logs(), cut in 0..16_usize, basis in bases()) {
        let cut = cut.min(naive.log.len());
        let mut before = GraphView::default();
        naive.log[..cut].iter().for_each(|tx| before.apply(tx));
        let held = nodes().into_iter().flat_map(|node| before.rectangles(node, Outgoing, &[]));
        let mut view = GraphView::load(held.map(Edge::rectangle), before.watermark());
        naive.log[cut..].iter().for_each(|tx| view.apply(tx));
        for node in nodes() {
            let sees = |seen: &Rectangle| basis.sees(seen.valid, seen.believed);
            prop_assert_eq!(
                given(view.as_of(basis).edges(node, Incoming, &[])),
                naive.answer(node, Incoming, &[], sees)
            );
        }
    }

    #[test]
    fn petgraph_walks_what_the_basis_sees(naive in logs(), basis in bases(), from in 0..=ENTITIES) {
        let view = naive.fold();
        let graph = view.as_of(basis);
        let arcs = naive.arcs(basis);
        let near = hops(&arcs, entity(from));

        let mut reached = BTreeSet::new();
        let mut bfs = Bfs::new(graph, entity(from));
        while let Some(node) = bfs.next(graph) {
            prop_assert!(reached.insert(node), "every node once");
        }
        prop_assert!(reached.iter().eq(near.keys()));

        let costs = dijkstra(graph, entity(from), None, |_| 1_u32);
        prop_assert_eq!(&costs.into_iter().collect::<BTreeMap<_, _>>(), &near);
        for to in nodes() {
            let found = astar(graph, entity(from), |node| node == to, |_| 1_u32, |_| 0);
            prop_assert_eq!(found.map(|(cost, _)| cost), near.get(&to).copied());
        }
        check_components(graph, &arcs)?;
    }
}

fn check_components(graph: AsOf, arcs: &BTreeSet<(Object, Object)>) -> Result<(), TestCaseError> {
    let seen: BTreeSet<_> = graph.edge_references().map(|e| (e.source(), e.target())).collect();
    prop_assert_eq!(&seen, arcs);
    let nodes: Vec<_> = graph.node_identifiers().collect();
    for (index, node) in nodes.iter().enumerate() {
        prop_assert_eq!((graph.to_index(*node), graph.from_index(index)), (index, *node));
    }

    let both_ways = arcs.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
    let parts: BTreeSet<Vec<Object>> =
        nodes.iter().map(|node| hops(&both_ways, *node).into_keys().collect()).collect();
    prop_assert_eq!(connected_components(graph), parts.len());

    let reach: BTreeMap<_, _> = nodes.iter().map(|node| (*node, hops(arcs, *node))).collect();
    let mutual = |a: &Object| {
        let back = reach[a].keys().filter(|b| reach[*b].contains_key(a));
        back.copied().collect::<BTreeSet<_>>()
    };
    let strong: BTreeSet<_> = nodes.iter().map(mutual).collect();
    let tarjan = tarjan_scc(graph).into_iter().map(BTreeSet::from_iter);
    prop_assert_eq!(tarjan.collect::<BTreeSet<_>>(), strong);
    Ok(())
}

/// `count` rectangles out of entity 0, one a microsecond, over three predicates.
fn hub(count: u32, length: i64) -> impl Iterator<Item = Rectangle> {
    (0..count).map(move |number| {
        let start = i64::from(number);
        let object = entity(1 + number);
        Rectangle {
            triple: Triple { subject: EntityId::new(0), predicate: predicate(number % 3), object },
            valid: Interval::new(at(start), at(start + length)).expect("ordered"),
            believed: TxSpan { from: TxId::new(1), to: TxId::OPEN },
            closed: None,
        }
    })
}

#[test]
fn the_first_edges_of_a_hub_cost_about_their_number() {
    let view = GraphView::load(hub(30_000, 1_000_000), TxId::new(1));
    let graph = view.as_of(Basis { valid: at(20_000), tx: TxId::new(1) });
    let mut edges = graph.edges(entity(0), Outgoing, &[]);
    let first: Vec<_> = edges.by_ref().take(50).map(|edge| edge.valid.start().micros()).collect();
    assert!(first.into_iter().eq((19_951..=20_000).rev()));
    assert!(edges.examined() <= 60, "{} edges for 50", edges.examined());
    assert_eq!(edges.count(), 20_001 - 50);
}

#[test]
fn what_ended_long_ago_is_skipped_by_the_block() {
    let view = GraphView::load(hub(30_000, 10), TxId::new(1));
    let graph = view.as_of(Basis { valid: at(30_005), tx: TxId::new(1) });
    let mut edges = graph.edges(entity(0), Outgoing, &[]);
    assert_eq!(edges.by_ref().count(), 4);
    assert!(edges.examined() < 30_000 / 3, "{} edges for 4", edges.examined());
}

#[test]
fn the_present_does_not_walk_the_past() {
    let mut view = GraphView::load(hub(1_000, 1_000_000), TxId::new(1));
    for (tx, Rectangle { triple, valid, .. }) in (2..).zip(hub(900, 1_000_000)) {
        let (believed_from, reason) = (TxId::new(1), CloseReason::Ended);
        let closed = Change::Closed { triple, valid, believed_from, reason };
        view.apply(&Tx { id: TxId::new(tx), time: at(0), changes: vec![closed] });
    }
    assert_eq!((view.live_count(), view.closed_count()), (100, 900));
    for (tx, visible, examined_max) in [(901, 100, 110), (891, 110, 120), (1, 1_000, 1_010)] {
        let graph = view.as_of(Basis { valid: at(5_000), tx: TxId::new(tx) });
        let mut edges = graph.edges(entity(0), Outgoing, &[]);
        assert_eq!(edges.by_ref().count(), visible);
        assert!(edges.examined() <= examined_max, "{} at {tx}", edges.examined());
    }
}

#[test]
fn a_hub_can_grow_one_by_one() {
    let mut view = GraphView::default();
    for (tx, Rectangle { triple, valid, .. }) in (1..).zip(hub(100_000, 1_000_000)) {
        let changes = vec![Change::Opened { triple, valid }];
        view.apply(&Tx { id: TxId::new(tx), time: at(0), changes });
    }
    let graph = view.as_of(Basis { valid: at(500_000), tx: view.watermark() });
    let starts = graph.edges(entity(0), Outgoing, &[]).map(|edge| edge.valid.start().micros());
    assert!(starts.eq((0..100_000).rev()));
    assert_eq!(graph.edges(entity(0), Outgoing, &[predicate(2)]).count(), 33_333);
}

#[test]
#[should_panic(expected = "log gap before the graph view")]
fn a_gap_in_the_log_is_a_bug() {
    let mut view = GraphView::load(std::iter::empty(), TxId::new(4));
    view.apply(&Tx { id: TxId::new(6), time: at(0), changes: Vec::new() });
}

#[test]
#[should_panic(expected = "only a live rectangle is closed")]
fn closing_what_is_not_live_is_a_bug() {
    let Some(Rectangle { triple, valid, .. }) = hub(1, 5).next() else { return };
    let (believed_from, reason) = (TxId::new(1), CloseReason::Ended);
    let mut view = GraphView::default();
    let changes = vec![Change::Closed { triple, valid, believed_from, reason }];
    view.apply(&Tx { id: TxId::new(1), time: at(0), changes });
}
