//! Random requests over few names and few instants, so that they meet: every kind of operation, both
//! modes, request ids that come again, dry runs, imports with times, and namespaces that come and go.

use tenure::engine::Submission;
use tenure::kernel::{
    Accept, Assert, Command, Correct, Declare, End, Evidence, Merge, Mode, ObjectName, Op,
    RequestKey, Retract, Supersede, TripleName, Unmerge, Violation, ViolationKind, WithdrawSource,
};
use tenure::types::{
    Cardinality, Confidence, Dated, Granularity, Name, RowKey, StatementId, Timestamp, Trust, TxId,
    Value, Written,
};

use crate::model::{Model, Space};
use crate::world::{HOME, Step, name};

/// Filled by imports only, so that the times that come with them are taken.
const IMPORTED: &str = "imported";
/// Comes and goes.
const GUEST: &str = "guest";
const STEPS_MAX: u64 = 8;

/// Numbers that are the same for the same seed (splitmix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let place = self.below(from.len() as u64);
        from[usize::try_from(place).expect("below a length")]
    }

    fn micros(&mut self, bound: u64) -> i64 {
        self.below(bound).cast_signed()
    }
}

#[derive(Clone)]
pub(crate) struct Workload {
    random: Random,
    now: i64,
    requests: u64,
    /// Submissions that carried a request id.
    keyed: Vec<(Name, Submission)>,
}

impl Workload {
    pub(crate) fn new(seed: u64) -> Workload {
        Workload { random: Random::new(seed), now: 100, requests: 0, keyed: Vec::new() }
    }

    /// The wall clock: it mostly goes on, and sometimes goes back.
    pub(crate) fn tick(&mut self) -> i64 {
        let back = self.random.one_in(10);
        self.now += if back { -3 } else { self.random.micros(6) };
        self.now
    }

    pub(crate) fn group(&mut self, model: &Model) -> Vec<Step> {
        let steps = 1 + self.random.below(STEPS_MAX);
        (0..steps).map(|_| self.step(model)).collect()
    }

    fn step(&mut self, model: &Model) -> Step {
        match self.random.below(24) {
            0 | 1 => Step::Create { name: name(GUEST) },
            2 => Step::Create { name: name(IMPORTED) },
            3 => Step::Delete { name: name(GUEST) },
            4 if self.random.one_in(4) => Step::Delete { name: name(IMPORTED) },
            5 | 6 if !self.keyed.is_empty() => self.again(),
            7..10 => self.submit(IMPORTED, model),
            10..13 => self.submit(GUEST, model),
            _ => self.submit(HOME, model),
        }
    }

    /// A request id that was used: with the same body, or with another.
    fn again(&mut self) -> Step {
        let place = self.random.below(self.keyed.len() as u64);
        let (namespace, mut submission) =
            self.keyed[usize::try_from(place).expect("below a length")].clone();
        if self.random.one_in(4)
            && let Some(key) = &mut submission.command.request
        {
            key.body[31] = 1;
        }
        Step::Submit { namespace, submission }
    }

    fn submit(&mut self, namespace: &str, model: &Model) -> Step {
        let namespace = name(namespace);
        let space = model.spaces.get(&namespace);
        let mode = if self.random.one_in(2) { Mode::Atomic } else { Mode::Partial };
        let count = 1 + self.random.below(3);
        let ops = (0..count).map(|_| self.op(space)).collect();
        let request = (!self.random.one_in(4)).then(|| self.request());
        let dry_run = self.random.one_in(12);
        let imported = namespace == name(IMPORTED) && !self.random.one_in(12);
        let time = imported.then(|| self.import_time(space));
        let submission = Submission { command: Command { request, mode, ops }, dry_run, time };
        if submission.command.request.is_some() {
            self.keyed.push((namespace.clone(), submission.clone()));
        }
        Step::Submit { namespace, submission }
    }

    fn request(&mut self) -> RequestKey {
        self.requests += 1;
        let mut body = [0; 32];
        body[..8].copy_from_slice(&self.requests.to_le_bytes());
        RequestKey { id: format!("request {}", self.requests), body }
    }

    /// Mostly after the last, sometimes not, sometimes in the future.
    fn import_time(&mut self, space: Option<&Space>) -> Timestamp {
        let last = space.and_then(|space| space.log.last()).map_or(0, |tx| tx.time.micros());
        Timestamp::from_micros(last + self.random.micros(4))
    }

    fn op(&mut self, space: Option<&Space>) -> Op {
        match self.random.below(32) {
            13..15 => Op::End(End {
                triple: self.triple(),
                at: self.maybe_date(),
                evidence: self.evidence(space),
            }),
            15..18 => Op::Retract(Retract {
                triple: self.triple(),
                from: self.maybe_date(),
                to: self.maybe_date(),
                correct: self.random.one_in(3),
                block: self.random.one_in(5),
                evidence: self.evidence(space),
            }),
            18..20 => self.supersede(space),
            20..22 => self.correct(space),
            22..24 => Op::Merge(Merge { duplicate: self.entity(), into: self.entity() }),
            24 => Op::Unmerge(Unmerge { duplicate: self.entity() }),
            25..27 => {
                let cardinality = self.random.pick(&[Cardinality::One, Cardinality::Many]);
                Op::Declare(Declare { predicate: self.predicate(), cardinality })
            }
            27..29 => Op::Accept(Accept { statement: self.statement(space), trust: self.trust() }),
            29 => Op::WithdrawSource(WithdrawSource { source: self.source() }),
            30 => Op::Invalid(vec![Violation {
                op: None,
                field: "from".into(),
                kind: ViolationKind::DateInvalid,
                detail: "no such day".to_owned(),
            }]),
            _ => self.assert(space),
        }
    }

    fn assert(&mut self, space: Option<&Space>) -> Op {
        Op::Assert(Assert {
            triple: self.triple(),
            from: self.maybe_date(),
            to: self.maybe_date(),
            at_least: self.random.one_in(4),
            overrides: self.random.one_in(4),
            deliberate: self.random.one_in(4),
            contested_against: Vec::new(),
            evidence: self.evidence(space),
        })
    }

    fn supersede(&mut self, space: Option<&Space>) -> Op {
        let TripleName { subject, predicate, object: new } = self.triple();
        let old = self.random.one_in(2).then(|| self.object_of(&predicate));
        let (at, expect_held) = (self.maybe_date(), self.random.one_in(3));
        let evidence = self.evidence(space);
        Op::Supersede(Supersede { subject, predicate, old, new, at, expect_held, evidence })
    }

    fn correct(&mut self, space: Option<&Space>) -> Op {
        let triple = self.triple();
        let new = self.random.one_in(2).then(|| self.object_of(&triple.predicate));
        let (at, from, to) = (self.maybe_date(), self.maybe_date(), self.maybe_date());
        Op::Correct(Correct { triple, at, new, from, to, evidence: self.evidence(space) })
    }

    fn triple(&mut self) -> TripleName {
        let (subject, predicate) = (self.entity(), self.predicate());
        let object = self.object_of(&predicate);
        TripleName { subject, predicate, object }
    }

    fn entity(&mut self) -> Name {
        name(self.random.pick(&["Ann", "Bob", "Cho", "Dan", "Eve", "Fay"]))
    }

    fn predicate(&mut self) -> Name {
        name(self.random.pick(&["works_at", "knows", "lives_in", "height", "nick"]))
    }

    /// Of the kind the predicate has, but for now and then.
    fn object_of(&mut self, predicate: &Name) -> ObjectName {
        let literal = ["height", "nick"].contains(&predicate.key().as_ref());
        if literal == self.random.one_in(20) {
            return ObjectName::Entity(self.entity());
        }
        ObjectName::Value(match self.random.below(3) {
            0 => Value::Integer(self.random.micros(3)),
            1 => Value::number(0.5).expect("finite"),
            _ => Value::text("tall".to_owned()).expect("short"),
        })
    }

    fn source(&mut self) -> Name {
        name(self.random.pick(&["mail", "chat", "web"]))
    }

    fn trust(&mut self) -> Trust {
        self.random.pick(&[Trust::Unverified, Trust::Inferred, Trust::Stated, Trust::Confirmed])
    }

    fn evidence(&mut self, space: Option<&Space>) -> Evidence {
        Evidence {
            source: self.random.one_in(2).then(|| self.source()),
            trust: if self.random.one_in(3) { self.trust() } else { Trust::Stated },
            confidence: self.random.one_in(3).then(|| Confidence::new(0.75).expect("in range")),
            text: self.random.one_in(3).then(|| "somebody said so".repeat(20)),
            derived_from: (0..self.random.below(2)).map(|_| self.statement(space)).collect(),
            row: self
                .random
                .one_in(6)
                .then(|| RowKey([self.random.pick(&[1, 2, 3, 4, 5, 6, 7, 8]); 16])),
            ..Evidence::default()
        }
    }

    /// One that exists, mostly.
    fn statement(&mut self, space: Option<&Space>) -> StatementId {
        let last = space.map_or(0, |space| space.last().raw());
        let contested = space.into_iter().flat_map(|space| space.directory().open_conflicts());
        let open: Vec<StatementId> = contested.map(tenure::types::Conflict::id).collect();
        if !open.is_empty() && self.random.one_in(2) {
            return self.random.pick(&open);
        }
        let op = u32::try_from(self.random.below(3)).expect("below three");
        StatementId { tx: TxId::new(1 + self.random.below(last + 1)), op }
    }

    fn maybe_date(&mut self) -> Option<Dated> {
        let at = match self.random.below(16) {
            0..6 => return None,
            6 => Timestamp::NEG_INFINITY,
            7 => Timestamp::INFINITY,
            _ => Timestamp::from_micros(self.random.micros(120)),
        };
        let written = Written {
            text: "about then".to_owned(),
            zone: "UTC".to_owned(),
            granularity: Granularity::Day,
        };
        Some(Dated { at, written: self.random.one_in(4).then_some(written) })
    }
}
