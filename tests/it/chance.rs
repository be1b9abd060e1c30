//! Random logs of every kind of operation, from a fixed seed.

use tenure::rpc::proto;
use tenure::rpc::proto::operation::Operation as Kind;

use crate::ask::{Dice, accept, merge, unmerge, withdraw};
use crate::support::{Server, op};

pub(crate) const SUBJECTS: [&str; 4] = ["ann", "bob", "cid", "dan"];
pub(crate) const PREDICATES: [&str; 3] = ["head", "member", "size"];
/// Valid instants of the log.
pub(crate) const INSTANTS: u64 = 14;
const SOURCES: [&str; 3] = ["s1", "s2", "s3"];
const TRUSTS: [proto::Trust; 3] =
    [proto::Trust::Stated, proto::Trust::Stated, proto::Trust::Unverified];

/// A log in the making: statements that were recorded may be accepted later.
pub(crate) struct Log {
    dice: Dice,
    recorded: Vec<String>,
}

impl Log {
    pub(crate) fn new(seed: u64) -> Log {
        Log { dice: Dice(seed), recorded: Vec::new() }
    }

    /// The next request of one to three operations; what cannot be applied is left out. Gives the
    /// last transaction.
    pub(crate) async fn step(&mut self, server: &mut Server, namespace: &str, clock: i64) -> u64 {
        let count = 1 + self.dice.below(3);
        let operations = (0..count).map(|_| self.operation()).collect();
        self.commit(server, namespace, clock, operations).await
    }

    /// The first transaction declares what is single-valued.
    pub(crate) async fn begin(&mut self, server: &mut Server, namespace: &str) {
        self.commit(server, namespace, 1, vec![op::one("head"), op::one("size")]).await;
    }

    async fn commit(
        &mut self,
        server: &mut Server,
        namespace: &str,
        clock: i64,
        operations: Vec<proto::Operation>,
    ) -> u64 {
        server.clock.set(clock);
        let request = proto::TransactRequest {
            namespace: namespace.to_owned(),
            operations,
            mode: proto::TransactMode::Partial.into(),
            ..Default::default()
        };
        let response = server.facts.transact(request).await.expect("partial").into_inner();
        let recorded = response.outcomes.into_iter().map(|outcome| outcome.statement_id);
        self.recorded.extend(recorded.filter(|id| !id.is_empty()));
        response.tx
    }

    fn operation(&mut self) -> proto::Operation {
        match self.dice.below(24) {
            0..=10 => self.assert(),
            11 | 12 => self.end(),
            13 | 14 => self.retract(),
            15 | 16 => self.supersede(),
            17 | 18 => self.correct(),
            19 => merge(self.dice.pick(&SUBJECTS), self.dice.pick(&SUBJECTS)),
            20 => unmerge(self.dice.pick(&SUBJECTS)),
            21 => self.declare(),
            22 if !self.recorded.is_empty() => {
                let place = self.dice.below(self.recorded.len() as u64);
                let id = &self.recorded[usize::try_from(place).expect("a place")];
                accept(id, proto::Trust::Confirmed)
            }
            _ if self.dice.one_in(3) => withdraw(self.dice.pick(&SOURCES)),
            _ => self.assert(),
        }
    }

    fn triple(&mut self) -> proto::Triple {
        let predicate = self.dice.pick(&PREDICATES);
        let object = self.object(predicate);
        let subject = self.dice.pick(&SUBJECTS).to_owned();
        proto::Triple { subject, predicate: predicate.to_owned(), object: Some(object) }
    }

    fn object(&mut self, predicate: &str) -> proto::Object {
        if predicate != "size" {
            return op::entity(self.dice.pick(&SUBJECTS));
        }
        let size = proto::value::Value::Integer(self.dice.instant(3));
        let value = proto::Value { value: Some(size) };
        proto::Object { object: Some(proto::object::Object::Value(value)) }
    }

    fn instant(&mut self) -> Option<proto::Bound> {
        op::instant(self.dice.instant(INSTANTS))
    }

    fn span(&mut self) -> (Option<proto::Bound>, Option<proto::Bound>) {
        let from = self.dice.instant(INSTANTS - 1);
        let to = from + 1 + self.dice.instant(INSTANTS - u64::try_from(from + 1).expect("small"));
        let start = if self.dice.one_in(8) { op::unbounded() } else { op::instant(from) };
        let end = match self.dice.below(6) {
            0..=2 => None,
            3 => op::unbounded(),
            _ => op::instant(to),
        };
        (start, end)
    }

    fn evidence(&mut self) -> Option<proto::Evidence> {
        let trust = TRUSTS[usize::try_from(self.dice.below(3)).expect("a place")];
        let source = self.dice.pick(&SOURCES).to_owned();
        let confidence = self.dice.one_in(2).then_some(0.5);
        Some(proto::Evidence { source, trust: trust.into(), confidence, ..Default::default() })
    }

    fn assert(&mut self) -> proto::Operation {
        let (triple, evidence) = (Some(self.triple()), self.evidence());
        let (from, to) = self.span();
        let at_least = to.is_some() && self.dice.one_in(4);
        let (r#override, deliberate) = (self.dice.one_in(3), self.dice.one_in(5));
        let assert = proto::Assert { triple, from, to, at_least, evidence, ..Default::default() };
        op::of(Kind::Assert(proto::Assert { r#override, deliberate, ..assert }))
    }

    fn end(&mut self) -> proto::Operation {
        let (triple, at) = (Some(self.triple()), self.instant());
        op::of(Kind::End(proto::End { triple, at, evidence: self.evidence() }))
    }

    fn retract(&mut self) -> proto::Operation {
        let triple = Some(self.triple());
        let (from, to) = if self.dice.one_in(2) { (None, None) } else { self.span() };
        let (correct, block) = (self.dice.one_in(4), self.dice.one_in(4));
        op::of(Kind::Retract(proto::Retract { triple, from, to, correct, block, evidence: None }))
    }

    fn supersede(&mut self) -> proto::Operation {
        let predicate = self.dice.pick(&PREDICATES);
        let old_object = (predicate == "member").then(|| self.object(predicate));
        let new_object = Some(self.object(predicate));
        op::of(Kind::Supersede(proto::Supersede {
            subject: self.dice.pick(&SUBJECTS).to_owned(),
            predicate: predicate.to_owned(),
            old_object,
            new_object,
            at: self.instant(),
            expect_held: self.dice.one_in(2),
            evidence: self.evidence(),
        }))
    }

    fn correct(&mut self) -> proto::Operation {
        let triple = self.triple();
        let new_object = self.dice.one_in(2).then(|| self.object(&triple.predicate));
        let (from, to) = if self.dice.one_in(2) { (None, None) } else { self.span() };
        let (triple, at, evidence) = (Some(triple), self.instant(), self.evidence());
        op::of(Kind::Correct(proto::Correct { triple, at, new_object, from, to, evidence }))
    }

    fn declare(&mut self) -> proto::Operation {
        let one = self.dice.one_in(2);
        let cardinality = if one { proto::Cardinality::One } else { proto::Cardinality::Many };
        op::declare(self.dice.pick(&PREDICATES), cardinality)
    }
}
