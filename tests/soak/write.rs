//! Writers: each has subjects of its own, so that it knows what there is to know of them.

use tenure::rpc::proto;

use crate::load::Dice;
use crate::model::Model;
use crate::process::Clients;
use crate::support::op;

pub(crate) const SUBJECTS: u64 = 12;
/// Valid instants that facts begin at.
pub(crate) const INSTANTS: u64 = 100_000;
/// Holds one object.
pub(crate) const HEAD: &str = "head";
/// Holds many.
const MEMBER: &str = "member";
const BATCH: u64 = 20;

/// What a request says of the model's facts, once it is acknowledged.
#[derive(Clone, Debug)]
enum Act {
    Assert { subject: String, from: i64, object: String },
    Retract { subject: String, object: String },
}

/// A request that was sent and not answered: after the next start it is sent again to the letter.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) request: proto::TransactRequest,
    acts: Vec<Act>,
}

/// One writer, which outlives the servers it writes to.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) namespace: String,
    name: String,
    dice: Dice,
    sent: u64,
    pub(crate) model: Model,
    /// Sent and not answered yet.
    pending: Option<Pending>,
    /// Each acknowledged request; sent again it has to give the same answer.
    first: Option<(proto::TransactRequest, proto::TransactResponse)>,
    pub(crate) acknowledged: u64,
}

pub(crate) async fn declare(clients: &mut Clients, namespace: &str) {
    let request = proto::TransactRequest {
        namespace: namespace.to_owned(),
        operations: vec![op::one(HEAD)],
        ..Default::default()
    };
    clients.facts.transact(request).await.expect("a declaration");
}

impl Writer {
    pub(crate) fn new(namespace: &str, number: u64, seed: u64) -> Writer {
        Writer {
            namespace: namespace.to_owned(),
            name: format!("writer {number}"),
            dice: Dice(seed ^ (number << 32)),
            sent: 0,
            model: Model::default(),
            pending: None,
            first: None,
            acknowledged: 0,
        }
    }

    pub(crate) fn subject(&self, number: u64) -> String {
        format!("{} subject {number}", self.name)
    }

    /// The next request, which is under way from now on. It always has something to record.
    pub(crate) fn next(&mut self) -> Pending {
        self.sent += 1;
        let number = self.dice.below(SUBJECTS);
        let subject = self.subject(number);
        let pick = self.dice.below(u64::MAX);
        let (mut acts, mut operations) = (Vec::new(), Vec::new());
        match (self.dice.below(10), self.model.standing(&subject, pick)) {
            (0, Some(object)) => {
                operations.push(op::retract(&subject, HEAD, &object));
                acts.push(Act::Retract { subject, object });
            }
            (1, _) => {
                let member = |n: u64| format!("{} member {}-{n}", self.name, self.sent);
                let fact = |n| op::assert(&subject, MEMBER, &member(n), op::instant(1), None);
                operations.extend((0..BATCH).map(fact));
            }
            _ => {
                let mut from = self.dice.instant(INSTANTS);
                while !self.model.is_free(&subject, from) {
                    from = self.dice.instant(INSTANTS);
                }
                let object = format!("{} head {}", self.name, self.sent);
                operations.push(op::assert(&subject, HEAD, &object, op::instant(from), None));
                acts.push(Act::Assert { subject, from, object });
            }
        }
        let request = proto::TransactRequest {
            namespace: self.namespace.clone(),
            request_id: format!("{} request {}", self.name, self.sent),
            operations,
            ..Default::default()
        };
        let pending = Pending { request, acts };
        self.pending = Some(pending.clone());
        pending
    }

    /// The answer of the request that is under way.
    pub(crate) fn acknowledge(&mut self, answer: &proto::TransactResponse) {
        let pending = self.pending.take().expect("one is under way");
        self.take(&pending, answer);
    }

    fn take(&mut self, pending: &Pending, answer: &proto::TransactResponse) {
        assert!(answer.tx > self.model.last, "{}: transactions ascend", self.name);
        for outcome in &answer.outcomes {
            assert_eq!(outcome.status(), proto::OutcomeStatus::Applied, "{pending:?}");
        }
        for act in &pending.acts {
            match act {
                Act::Assert { subject, from, object } => {
                    self.model.assert(subject, *from, object, answer.tx);
                }
                Act::Retract { subject, object } => {
                    self.model.retract(subject, object, answer.tx);
                }
            }
        }
        self.model.last = answer.tx;
        self.acknowledged += 1;
        if self.dice.below(8) == 0 || self.first.is_none() {
            self.first = Some((pending.request.clone(), answer.clone()));
        }
    }

    /// After a start: the request in doubt is sent again and is recorded once, and one that was
    /// acknowledged gives its first answer.
    pub(crate) async fn settle(&mut self, clients: &mut Clients) {
        if let Some(pending) = self.pending.take() {
            let answer = clients.facts.transact(pending.request.clone()).await;
            let answer = answer.expect("the server is back").into_inner();
            self.take(&pending, &answer);
        }
        if let Some((request, first)) = &self.first {
            let again = clients.facts.transact(request.clone()).await;
            let again = again.expect("the server is back").into_inner();
            let first = proto::TransactResponse { replayed: true, ..first.clone() };
            assert_eq!(again, first, "{}", request.request_id);
        }
    }
}
