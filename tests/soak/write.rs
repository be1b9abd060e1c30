//! Writers: each has subjects of its own, so that it knows what there is to know of them.

use tenure::rpc::proto;

use crate::erase::Erasing;
use crate::load::Dice;
use crate::model::{Model, Without};
use crate::process::Clients;
use crate::support::op;

/// Subjects that a writer writes about at one time.
pub(crate) const SUBJECTS: u64 = 12;
/// Subjects that it wrote about before and still knows.
const FORMER: u64 = 2 * SUBJECTS;
/// Facts of a subject before another takes its turn, so that no check takes ever longer.
const FACTS_MAX: usize = 200;
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
    Assert { from: i64, object: String },
    Retract { object: String },
    Members,
}

/// A request that was sent and not answered: after the next start it is sent again to the letter.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) request: proto::TransactRequest,
    pub(crate) subject: String,
    act: Act,
}

/// One writer, which outlives the servers it writes to.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) dice: Dice,
    sent: u64,
    pub(crate) model: Model,
    /// Which subject has its turn, of each of those that take turns.
    turns: Vec<u64>,
    /// Sent and not answered yet.
    pub(crate) pending: Option<Pending>,
    /// An acknowledged request; sent again it has to give the same answer.
    pub(crate) first: Option<(Pending, proto::TransactResponse)>,
    pub(crate) acknowledged: u64,
    pub(crate) erasing: Erasing,
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
            name: format!("w{number}"),
            dice: Dice(seed ^ (number << 32)),
            sent: 0,
            model: Model::default(),
            turns: vec![0; usize::try_from(SUBJECTS).expect("a few")],
            pending: None,
            first: None,
            acknowledged: 0,
            erasing: Erasing::default(),
        }
    }

    /// The same writer in a namespace that nobody has written to yet.
    pub(crate) fn moved(&self, namespace: &str) -> Writer {
        let fresh = Writer::new(namespace, 0, 0);
        Writer { name: self.name.clone(), dice: self.dice.clone(), sent: self.sent, ..fresh }
    }

    fn subject(&self, number: usize, turn: u64) -> String {
        format!("{} subject {number}-{turn}", self.name)
    }

    /// A name that no other thing has, in one word that is easily found in a file.
    fn object(&self) -> String {
        format!("zq{}n{}qz", self.name, self.sent)
    }

    /// One that is not being erased: what would become of it depends on which comes first.
    fn pick_subject(&mut self) -> String {
        loop {
            let number = usize::try_from(self.dice.below(SUBJECTS)).expect("a place");
            let subject = self.subject(number, self.turns[number]);
            if self.model.facts(&subject).len() >= FACTS_MAX {
                self.turns[number] += 1;
                if let Some(former) = self.turns[number].checked_sub(FORMER / SUBJECTS + 1) {
                    let former = self.subject(number, former);
                    if !self.erasing.takes(&former) {
                        self.model.drop_subject(&former);
                    }
                }
            } else if !self.erasing.takes(&subject) {
                return subject;
            }
        }
    }

    /// The next request, which is under way from now on. It always has something to record.
    pub(crate) fn next(&mut self) -> Pending {
        self.sent += 1;
        let subject = self.pick_subject();
        let pick = self.dice.below(u64::MAX);
        let (act, operations) = match (self.dice.below(10), self.model.standing(&subject, pick)) {
            (0, Some(object)) => (
                Act::Retract { object: object.clone() },
                vec![op::retract(&subject, HEAD, &object)],
            ),
            (1, _) => {
                let member = |n: u64| format!("{} member {}-{n}", self.name, self.sent);
                let fact = |n| op::assert(&subject, MEMBER, &member(n), op::instant(1), None);
                (Act::Members, (0..BATCH).map(fact).collect())
            }
            _ => {
                let mut from = self.dice.instant(INSTANTS);
                while !self.model.is_free(&subject, from) {
                    from = self.dice.instant(INSTANTS);
                }
                let object = self.object();
                let said = op::assert(&subject, HEAD, &object, op::instant(from), None);
                (Act::Assert { from, object }, vec![said])
            }
        };
        let request = proto::TransactRequest {
            namespace: self.namespace.clone(),
            request_id: format!("{} request {}", self.name, self.sent),
            operations,
            ..Default::default()
        };
        let pending = Pending { request, subject, act };
        self.pending = Some(pending.clone());
        pending
    }

    /// The answer of the request that is under way.
    pub(crate) fn acknowledge(&mut self, answer: &proto::TransactResponse) {
        let pending = self.pending.take().expect("one is under way");
        self.take(&pending, answer);
    }

    fn take(&mut self, pending: &Pending, answer: &proto::TransactResponse) {
        let Pending { subject, act, .. } = pending;
        assert!(answer.tx > self.model.last, "{}: transactions ascend", self.name);
        for outcome in &answer.outcomes {
            assert_eq!(outcome.status(), proto::OutcomeStatus::Applied, "{pending:?}");
        }
        match act {
            Act::Assert { from, object } => {
                let told = (answer.tx, answer.outcomes[0].fact_id.as_str());
                self.model.assert(subject, *from, object, told);
            }
            Act::Retract { object } => self.model.retract(subject, object, answer.tx),
            Act::Members => {}
        }
        self.model.last = answer.tx;
        self.acknowledged += 1;
        let erased = self.erasing.takes(subject);
        if !erased && (self.dice.below(8) == 0 || self.first.is_none()) {
            self.first = Some((pending.clone(), answer.clone()));
        }
    }

    /// All that a subject may have at a basis: while it is being erased that is one of two things.
    pub(crate) fn answers(&self, subject: &str, valid: i64, tx: u64) -> Vec<Option<String>> {
        let holds = |without| self.model.holds(subject, valid, tx, without).cloned();
        let pending = self.erasing.pending.as_ref().filter(|pending| pending.subject == subject);
        let after = pending.map(|pending| holds(pending.without()));
        [holds(Without::Nothing)].into_iter().chain(after).collect()
    }

    /// After a start: the request in doubt is sent again and is recorded once, and one that was
    /// acknowledged gives its first answer.
    pub(crate) async fn settle(&mut self, clients: &mut Clients) {
        if let Some(pending) = self.pending.take() {
            let answer = clients.facts.transact(pending.request.clone()).await;
            let answer = answer.expect("the server is back").into_inner();
            self.take(&pending, &answer);
        }
        self.settle_erasure(clients).await;
        if let Some((pending, first)) = &self.first {
            let again = clients.facts.transact(pending.request.clone()).await;
            let again = again.expect("the server is back").into_inner();
            let first = proto::TransactResponse { replayed: true, ..first.clone() };
            assert_eq!(again, first, "{}", pending.request.request_id);
        }
    }
}
