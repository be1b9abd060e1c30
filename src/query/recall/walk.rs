//! The graph leg: from the entities of a question along facts that hold at the basis.
//!
//! A seed's weight flows over its facts and halves with each hop; an entity that many facts touch
//! passes less of it on, so a hub does not drown what is particular. What several ways lead to adds
//! up. Walks are bounded by a fan-out per entity, newest facts first, and by edges in all.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::types::limits::{RECALL_EDGES_MAX, RECALL_FAN_OUT};
use crate::types::{Object, Triple};
use crate::view::graph::{Direction, Edge, Edges};

use super::super::answer::Row;
use super::super::facts::Span;
use super::super::snapshot::{Budget, Snapshot};
use super::super::traverse::Step;
use super::answer::Seed;

/// What is left of a weight after a hop.
const DECAY: f32 = 0.5;

/// A fact that was reached.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reached {
    pub(super) triple: Triple,
    pub(super) weight: f32,
    /// From a seed to the fact, the fact last.
    pub(super) path: Vec<Step>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Walked {
    /// Best first, ties by triple.
    pub(super) facts: Vec<Reached>,
    pub(super) truncated: bool,
}

/// One fact on the way: how it was reached first, and what it weighs.
struct Passed {
    weight: f32,
    step: Step,
    /// The fact it was reached by.
    from: Option<Triple>,
}

pub(super) fn walk(snapshot: Snapshot<'_>, span: Span, seeds: &[Seed], hops: u32) -> Walked {
    let mut passed: HashMap<Triple, Passed> = HashMap::new();
    let mut budget = Budget::edges(RECALL_EDGES_MAX);
    let mut truncated = false;
    // Ordered, so that sums come out the same each time.
    let mut frontier: BTreeMap<Object, (f32, Option<Triple>)> = BTreeMap::new();
    for seed in seeds {
        frontier.insert(Object::Entity(seed.entity), (seed.weight, None));
    }
    let mut seen: HashSet<Object> = frontier.keys().copied().collect();
    for hop in 1..=hops {
        let mut next: BTreeMap<Object, (f32, Option<Triple>)> = BTreeMap::new();
        for (node, (weight, from)) in frontier {
            if budget.is_spent() {
                truncated = true;
                break;
            }
            let around = around(snapshot, span, node, &mut budget);
            truncated |= around.truncated;
            let share = weight / (1.0 + ln(around.edges.len()));
            for (direction, edge) in around.edges {
                let row = Row::of_edge(&edge, snapshot.basis);
                let step = Step { row, hop, reversed: direction == Direction::Incoming };
                let fact = passed.entry(edge.triple).or_insert(Passed { weight: 0.0, step, from });
                fact.weight += share;
                let other = edge.other(direction);
                // A literal joins what has nothing to do with one another.
                if matches!(other, Object::Entity(_)) && !seen.contains(&other) {
                    let onward = next.entry(other).or_insert((0.0, Some(edge.triple)));
                    onward.0 += share * DECAY;
                }
            }
        }
        seen.extend(next.keys().copied());
        frontier = next;
    }
    Walked { facts: ranked(&passed), truncated }
}

struct Around {
    edges: Vec<(Direction, Edge)>,
    truncated: bool,
}

fn around(snapshot: Snapshot<'_>, span: Span, node: Object, budget: &mut Budget) -> Around {
    let mut around = Around { edges: Vec::new(), truncated: false };
    for direction in [Direction::Outgoing, Direction::Incoming] {
        let mut edges: Edges<'_> = match span {
            Span::Basis => snapshot.graph_as_of().edges(node, direction, snapshot.seen.filter()),
            Span::Overlapping { .. } => snapshot.graph.believed_at(
                snapshot.basis.tx,
                node,
                direction,
                snapshot.seen.filter(),
            ),
        };
        around.edges.extend(edges.by_ref().take(RECALL_FAN_OUT).map(|edge| (direction, edge)));
        around.truncated |= edges.next().is_some();
        budget.spend(edges.examined());
    }
    around
}

fn ranked(passed: &HashMap<Triple, Passed>) -> Vec<Reached> {
    let mut facts: Vec<Reached> = passed
        .iter()
        .map(|(triple, fact)| {
            let (triple, weight) = (*triple, fact.weight);
            Reached { triple, weight, path: path(passed, triple) }
        })
        .collect();
    facts.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.triple.cmp(&b.triple)));
    facts
}

/// From the seed to the fact, the way it was first reached.
fn path(passed: &HashMap<Triple, Passed>, fact: Triple) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut next = Some(fact);
    while let Some(fact) = next.and_then(|triple| passed.get(&triple)) {
        steps.push(fact.step);
        next = fact.from;
    }
    steps.reverse();
    steps
}

#[allow(clippy::cast_precision_loss, reason = "a fan-out is small")]
fn ln(count: usize) -> f32 {
    (count.max(1) as f32).ln()
}
