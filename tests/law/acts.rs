//! Random requests as plain data, over domains so small that everything meets everything.

use proptest::prelude::*;

use tenure::kernel::{
    Assert, Command, Correct, Declare, End, Evidence, Merge, Mode, ObjectName, Op, Retract,
    Supersede, TripleName, Unmerge, WithdrawSource,
};
use tenure::types::{Cardinality, Dated, Timestamp};

use crate::script::name;

/// Instants are `0..INSTANTS`; the two infinities stand for themselves.
pub(crate) const INSTANTS: i64 = 14;
pub(crate) const START: i64 = i64::MIN;
pub(crate) const FOREVER: i64 = i64::MAX;

/// The first two are subjects, the others objects. A merge may join any two.
pub(crate) const NODES: [&str; 5] = ["s0", "s1", "ann", "bob", "cid"];
pub(crate) const PREDICATES: [&str; 2] = ["head", "member"];
pub(crate) const SOURCES: [&str; 2] = ["web", "desk"];

pub(crate) type Node = usize;
pub(crate) type Fact = (Node, usize, Node);

#[derive(Clone, Debug)]
pub(crate) enum Act {
    Assert {
        fact: Fact,
        from: Option<i64>,
        to: Option<i64>,
        at_least: bool,
        overrides: bool,
        source: Option<usize>,
    },
    End {
        fact: Fact,
        at: Option<i64>,
        source: Option<usize>,
    },
    Retract {
        fact: Fact,
        from: Option<i64>,
        to: Option<i64>,
        correct: bool,
        block: bool,
        source: Option<usize>,
    },
    Supersede {
        subject: Node,
        predicate: usize,
        old: Option<Node>,
        new: Node,
        at: Option<i64>,
        expect_held: bool,
    },
    Correct {
        fact: Fact,
        at: i64,
        new: Option<Node>,
        from: Option<i64>,
        to: Option<i64>,
    },
    Merge {
        duplicate: Node,
        into: Node,
    },
    Unmerge {
        duplicate: Node,
    },
    Declare {
        predicate: usize,
        one: bool,
    },
    Withdraw {
        source: usize,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) partial: bool,
    pub(crate) acts: Vec<Act>,
}

impl Request {
    pub(crate) fn one(act: Act) -> Request {
        Request { partial: false, acts: vec![act] }
    }

    pub(crate) fn command(&self) -> Command {
        let mode = if self.partial { Mode::Partial } else { Mode::Atomic };
        Command { request: None, mode, ops: self.acts.iter().map(Act::op).collect() }
    }
}

/// `head` holds one object, `member` many.
pub(crate) fn declarations() -> Request {
    let declare = |predicate, one| Act::Declare { predicate, one };
    Request { partial: false, acts: vec![declare(0, true), declare(1, false)] }
}

impl Act {
    pub(crate) fn op(&self) -> Op {
        match *self {
            Act::Assert { fact, from, to, at_least, overrides, source } => Op::Assert(Assert {
                triple: triple(fact),
                from: dated(from),
                to: dated(to),
                at_least,
                overrides,
                deliberate: false,
                contested_against: Vec::new(),
                evidence: by(source),
            }),
            Act::End { fact, at, source } => {
                Op::End(End { triple: triple(fact), at: dated(at), evidence: by(source) })
            }
            Act::Retract { fact, from, to, correct, block, source } => Op::Retract(Retract {
                triple: triple(fact),
                from: dated(from),
                to: dated(to),
                correct,
                block,
                evidence: by(source),
            }),
            Act::Supersede { subject, predicate, old, new, at, expect_held } => {
                Op::Supersede(Supersede {
                    subject: name(NODES[subject]),
                    predicate: name(PREDICATES[predicate]),
                    old: old.map(object),
                    new: object(new),
                    at: dated(at),
                    expect_held,
                    evidence: Evidence::default(),
                })
            }
            Act::Correct { fact, at, new, from, to } => Op::Correct(Correct {
                triple: triple(fact),
                at: dated(Some(at)),
                new: new.map(object),
                from: dated(from),
                to: dated(to),
                evidence: Evidence::default(),
            }),
            Act::Merge { duplicate, into } => {
                Op::Merge(Merge { duplicate: name(NODES[duplicate]), into: name(NODES[into]) })
            }
            Act::Unmerge { duplicate } => {
                Op::Unmerge(Unmerge { duplicate: name(NODES[duplicate]) })
            }
            Act::Declare { predicate, one } => {
                let cardinality = if one { Cardinality::One } else { Cardinality::Many };
                Op::Declare(Declare { predicate: name(PREDICATES[predicate]), cardinality })
            }
            Act::Withdraw { source } => {
                Op::WithdrawSource(WithdrawSource { source: name(SOURCES[source]) })
            }
        }
    }
}

fn triple((subject, predicate, node): Fact) -> TripleName {
    TripleName {
        subject: name(NODES[subject]),
        predicate: name(PREDICATES[predicate]),
        object: object(node),
    }
}

fn object(node: Node) -> ObjectName {
    ObjectName::Entity(name(NODES[node]))
}

fn dated(at: Option<i64>) -> Option<Dated> {
    at.map(|at| Timestamp::from_micros(at).into())
}

fn by(source: Option<usize>) -> Evidence {
    Evidence { source: source.map(|source| name(SOURCES[source])), ..Evidence::default() }
}

/// How much of the domain a property plays with.
#[derive(Clone)]
pub(crate) struct Domain {
    pub(crate) subjects: usize,
    pub(crate) predicates: std::ops::Range<usize>,
    pub(crate) objects: usize,
}

/// One single-valued slot, three objects that compete for it.
pub(crate) const SLOT: Domain = Domain { subjects: 1, predicates: 0..1, objects: 3 };
/// One fact of a predicate that holds many: stays, ends and stints of one object.
pub(crate) const STINTS: Domain = Domain { subjects: 1, predicates: 1..2, objects: 1 };
/// Two subjects and two objects of a single-valued predicate, any of which may be merged.
pub(crate) const TWINS: Domain = Domain { subjects: 2, predicates: 0..1, objects: 2 };
/// One subject, both predicates.
pub(crate) const PAIR: Domain = Domain { subjects: 1, predicates: 0..2, objects: 2 };
pub(crate) const ALL: Domain = Domain { subjects: 2, predicates: 0..2, objects: 3 };

impl Domain {
    pub(crate) fn fact(&self) -> impl Strategy<Value = Fact> + use<> {
        (0..self.subjects, self.predicates.clone(), 2..2 + self.objects)
    }
}

fn instant() -> impl Strategy<Value = i64> {
    0..INSTANTS
}

/// A bound: mostly an instant, now and then left out, seldom an infinity.
fn bound(infinity: i64) -> impl Strategy<Value = Option<i64>> {
    prop_oneof![16 => instant().prop_map(Some), 2 => Just(None), 1 => Just(Some(infinity))]
}

fn source() -> impl Strategy<Value = Option<usize>> {
    prop_oneof![2 => Just(None), 1 => Just(Some(0)), 1 => Just(Some(1))]
}

/// Two bounds, nearly always in order.
fn span() -> impl Strategy<Value = (Option<i64>, Option<i64>)> {
    (bound(START), bound(FOREVER), 0..20_u8).prop_map(|(from, to, as_is)| match (from, to) {
        (Some(a), Some(b)) if a > b && as_is > 0 => (Some(b), Some(a)),
        bounds => bounds,
    })
}

pub(crate) fn open(domain: &Domain) -> impl Strategy<Value = Act> + use<> {
    (domain.fact(), bound(START), seldom(), source()).prop_map(|(fact, from, overrides, source)| {
        Act::Assert { fact, from, to: None, at_least: false, overrides, source }
    })
}

pub(crate) fn bounded(domain: &Domain) -> impl Strategy<Value = Act> + use<> {
    (domain.fact(), span(), prop::bool::weighted(0.3), seldom(), source()).prop_map(
        |(fact, (from, to), at_least, overrides, source)| Act::Assert {
            fact,
            from,
            to: Some(to.unwrap_or(FOREVER)),
            at_least,
            overrides,
            source,
        },
    )
}

pub(crate) fn end(domain: &Domain) -> impl Strategy<Value = Act> + use<> {
    let at = prop_oneof![10 => instant().prop_map(Some), 1 => Just(None)];
    (domain.fact(), at, source()).prop_map(|(fact, at, source)| Act::End { fact, at, source })
}

pub(crate) fn retract(domain: &Domain) -> impl Strategy<Value = Act> + use<> {
    let range = prop_oneof![1 => Just((None, None)), 2 => span()];
    (domain.fact(), range, prop::bool::weighted(0.2), seldom(), source()).prop_map(
        |(fact, (from, to), correct, block, source)| Act::Retract {
            fact,
            from,
            to,
            correct,
            block,
            source,
        },
    )
}

fn seldom() -> impl Strategy<Value = bool> {
    prop::bool::weighted(0.1)
}

fn supersede(domain: &Domain) -> impl Strategy<Value = Act> + use<> {
    let old = prop::option::weighted(0.8, 2..2 + domain.objects);
    (domain.fact(), old, bound(FOREVER), prop::bool::ANY).prop_map(
        |((subject, predicate, new), old, at, expect_held)| {
            let old = old.filter(|old| *old != new);
            Act::Supersede { subject, predicate, old, new, at, expect_held }
        },
    )
}

fn correct(domain: &Domain) -> impl Strategy<Value = Act> + use<> {
    let new = prop::option::of(2..2 + domain.objects);
    let from = prop::option::weighted(0.3, instant());
    let to = prop::option::weighted(0.3, instant());
    (domain.fact(), instant(), new, from, to).prop_map(|(fact, at, new, from, to)| Act::Correct {
        fact,
        at,
        new,
        from,
        to,
    })
}

/// What is said: the operations that the fold reads.
pub(crate) fn statement(domain: &Domain) -> impl Strategy<Value = Act> + use<> {
    prop_oneof![
        4 => open(domain),
        4 => bounded(domain),
        2 => end(domain),
        3 => retract(domain),
    ]
}

fn composed(domain: &Domain) -> impl Strategy<Value = Act> + use<> {
    prop_oneof![8 => statement(domain), 1 => supersede(domain), 1 => correct(domain)]
}

/// What changes how statements are read. Each is a request of its own: the law does not say which
/// group rule T2 means when the group changes in mid-request.
fn reading() -> impl Strategy<Value = Act> {
    let nodes = || prop_oneof![(0..2_usize, 0..2_usize), (2..5_usize, 2..5_usize)];
    prop_oneof![
        4 => nodes().prop_map(|(duplicate, into)| Act::Merge { duplicate, into }),
        2 => (0..5_usize).prop_map(|duplicate| Act::Unmerge { duplicate }),
        2 => (0..2_usize, prop::bool::ANY)
            .prop_map(|(predicate, one)| Act::Declare { predicate, one }),
        2 => (0..2_usize).prop_map(|source| Act::Withdraw { source }),
    ]
}

/// A log of requests that only say things.
pub(crate) fn statements(domain: &Domain, max: usize) -> impl Strategy<Value = Vec<Request>> {
    let single = statement(domain).prop_map(Request::one);
    let several = (prop::bool::ANY, prop::collection::vec(statement(domain), 2..=3))
        .prop_map(|(partial, acts)| Request { partial, acts });
    prop::collection::vec(prop_oneof![5 => single, 1 => several], 1..=max)
}

/// A log that supersedes and corrects as often as it says things.
pub(crate) fn compositions(domain: &Domain, max: usize) -> impl Strategy<Value = Vec<Request>> {
    let act = prop_oneof![2 => statement(domain), 1 => supersede(domain), 1 => correct(domain)];
    prop::collection::vec(act.prop_map(Request::one), 1..=max)
}

/// A log in which every third request changes how the statements are read.
pub(crate) fn readings(domain: &Domain, max: usize) -> impl Strategy<Value = Vec<Request>> {
    let act = prop_oneof![2 => statement(domain), 1 => reading()];
    prop::collection::vec(act.prop_map(Request::one), 1..=max)
}

/// A log of every kind of request.
pub(crate) fn requests(domain: &Domain, max: usize) -> impl Strategy<Value = Vec<Request>> {
    let single = composed(domain).prop_map(Request::one);
    let several = (prop::bool::ANY, prop::collection::vec(composed(domain), 2..=3))
        .prop_map(|(partial, acts)| Request { partial, acts });
    let reading = reading().prop_map(Request::one);
    prop::collection::vec(prop_oneof![5 => single, 1 => several, 2 => reading], 1..=max)
}
