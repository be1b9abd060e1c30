//! Readers: a past answer is what the model says, today and after every restart.

use tenure::rpc::proto;
use tonic::Status;

use crate::load::{Dice, Shared};
use crate::process::Clients;
use crate::support::{at, reason};
use crate::tally::Tally;
use crate::write::{HEAD, INSTANTS, Writer};

/// Bases of a subject that are looked at after each start.
const BASES: u64 = 6;

/// Which of the two things that a subject may have while it is being erased.
pub(crate) enum Found {
    First,
    Second,
    Both,
}

/// A question whose answer is known.
struct Question {
    namespace: String,
    subject: String,
    valid: i64,
    tx: u64,
    /// One; two while the subject is being erased.
    answers: Vec<Option<String>>,
    /// Erasures of the writer so far.
    begun: u64,
    /// What was known was changed by an erasure.
    is_rewritten: bool,
}

impl Question {
    /// Of what a writer has been told of, so nothing but an erasure can change the answer.
    fn new(writer: &Writer, subject: &str, basis: (i64, u64)) -> Question {
        let (valid, tx) = basis;
        Question {
            namespace: writer.namespace.clone(),
            subject: subject.to_owned(),
            valid,
            tx,
            answers: writer.answers(subject, valid, tx),
            begun: writer.erasing.begun,
            is_rewritten: writer.erasing.rewrote(tx),
        }
    }

    /// Some subject at some basis; none while nothing is known.
    fn any(writer: &Writer, dice: &mut Dice) -> Option<Question> {
        let names: Vec<&String> = writer.model.names().collect();
        let place = dice.below(u64::MAX).checked_rem(names.len() as u64)?;
        let subject = names[usize::try_from(place).expect("a place")];
        let first = writer.model.first_tx(subject).saturating_sub(2).max(1);
        let tx = first + dice.below(writer.model.last.max(first) + 1 - first);
        Some(Question::new(writer, subject, (dice.instant(INSTANTS), tx)))
    }

    fn pattern(&self) -> proto::FactPattern {
        let (subject, predicates) = (self.subject.clone(), vec![HEAD.to_owned()]);
        proto::FactPattern { subject, predicates, object: None }
    }

    async fn ask(&self, tally: &Tally, clients: &mut Clients) -> Result<Option<String>, Status> {
        let request = proto::ListFactsRequest {
            namespace: self.namespace.clone(),
            pattern: Some(self.pattern()),
            as_of: at::tx(self.valid, self.tx),
            ..Default::default()
        };
        let answer = tally.timed("as of", clients.facts.list_facts(request)).await?.into_inner();
        let found: Vec<String> = answer.rectangles.iter().map(object).collect();
        assert!(found.len() <= 1, "{} at ({},{}): {found:?}", self.subject, self.valid, self.tx);
        self.check_basis(answer.basis.as_ref());
        Ok(found.into_iter().next())
    }

    /// The rows of a timeline do not overlap, and one has the object at the instant.
    async fn ask_timeline(
        &self,
        tally: &Tally,
        clients: &mut Clients,
    ) -> Result<Option<String>, Status> {
        let request = proto::GetTimelineRequest {
            namespace: self.namespace.clone(),
            subject: self.subject.clone(),
            predicate: HEAD.to_owned(),
            known: at::tx(0, self.tx).and_then(|as_of| as_of.known),
            page_size: 10_000,
            ..Default::default()
        };
        let answer = match tally.timed("timeline", clients.facts.get_timeline(request)).await {
            Err(status) if reason(&status) == "ENTITY_UNKNOWN" => return Ok(None),
            answer => answer?.into_inner(),
        };
        let mut bound = i64::MIN;
        for row in &answer.rectangles {
            let (from, to) = bounds(row);
            assert!(bound <= from && from < to, "{}: {:?}", self.subject, answer.rectangles);
            bound = to;
        }
        let holding = answer.rectangles.iter().find(|row| {
            let (from, to) = bounds(row);
            (from..to).contains(&self.valid)
        });
        self.check_basis(answer.basis.as_ref());
        Ok(holding.map(object))
    }

    fn check_basis(&self, basis: Option<&proto::Basis>) {
        let says = basis.is_some_and(|basis| basis.erased);
        assert!(says || !self.is_rewritten, "{} at tx {}", self.subject, self.tx);
    }

    /// An erasure may have begun or ended while the answer was on its way. Where more than one did,
    /// nothing is known.
    fn check(&self, found: Option<&String>, writer: &Writer) {
        if writer.namespace != self.namespace || writer.erasing.begun > self.begun + 1 {
            return;
        }
        let later = writer.answers(&self.subject, self.valid, self.tx);
        let mut answers = self.answers.iter().chain(&later);
        assert!(
            answers.any(|answer| answer.as_ref() == found),
            "{} at ({},{}): {found:?} instead of {:?}",
            self.subject,
            self.valid,
            self.tx,
            self.answers
        );
    }
}

fn object(row: &proto::Rectangle) -> String {
    match row.object.as_ref().and_then(|object| object.object.as_ref()) {
        Some(proto::object::Object::Entity(name)) => name.clone(),
        other => panic!("an entity: {other:?}"),
    }
}

fn bounds(row: &proto::Rectangle) -> (i64, i64) {
    let micros = |bound: Option<proto::Instant>| bound.map(|at| at.unix_micros);
    (micros(row.valid_from).unwrap_or(i64::MIN), micros(row.valid_to).unwrap_or(i64::MAX))
}

/// One question of a reader, of one of several kinds.
pub(crate) async fn read(
    tally: &Tally,
    clients: &mut Clients,
    writer: &Shared,
    dice: &mut Dice,
) -> Result<(), Status> {
    let question = Question::any(&*writer.read().await, dice);
    let Some(question) = question else {
        return tally.timed("ping", clients.admin.ping(proto::PingRequest {})).await.map(drop);
    };
    let found = match dice.below(4) {
        0 => question.ask_timeline(tally, clients).await?,
        1 => return latest(&question, tally, clients).await,
        _ => question.ask(tally, clients).await?,
    };
    question.check(found.as_ref(), &*writer.read().await);
    Ok(())
}

/// Of what is written at this moment, there is one object.
async fn latest(question: &Question, tally: &Tally, clients: &mut Clients) -> Result<(), Status> {
    let request = proto::ListFactsRequest {
        namespace: question.namespace.clone(),
        pattern: Some(question.pattern()),
        ..Default::default()
    };
    let answer = tally.timed("latest", clients.facts.list_facts(request)).await?.into_inner();
    assert!(answer.rectangles.len() <= 1, "one at a time: {:?}", answer.rectangles);
    Ok(())
}

/// Which of what it may have a subject has, when nothing else is under way.
pub(crate) async fn look(
    writer: &Writer,
    subject: &str,
    basis: (i64, u64),
    clients: &mut Clients,
) -> Found {
    let question = Question::new(writer, subject, basis);
    let found = question.ask(&Tally::default(), clients).await.expect("the server is back");
    let [first, second] = question.answers.as_slice() else { panic!("it is being erased") };
    match (*first == found, *second == found) {
        (true, true) => Found::Both,
        (true, false) => Found::First,
        (false, true) => Found::Second,
        (false, false) => panic!("{subject} at {basis:?}: {found:?}, {:?}", question.answers),
    }
}

/// Every subject of a writer, at its last transaction and at others, when nothing is under way.
/// Answers say that something was erased where an erasure of anybody rewrote the past, and only
/// there.
pub(crate) async fn check_all(
    writer: &Writer,
    rewrote: impl Fn(u64) -> bool,
    clients: &mut Clients,
) {
    let tally = Tally::default();
    let mut dice = Dice(writer.model.last);
    for subject in writer.model.names() {
        let first = writer.model.first_tx(subject);
        for basis in 0..BASES {
            let tx = first + dice.below(writer.model.last.max(first) + 1 - first);
            let tx = if basis == 0 { writer.model.last } else { tx };
            let question = Question::new(writer, subject, (dice.instant(INSTANTS), tx));
            let listed = question.ask(&tally, clients).await.expect("the server is back");
            let drawn = question.ask_timeline(&tally, clients).await.expect("the server is back");
            let expected = &question.answers[0];
            assert_eq!((&listed, &drawn), (expected, expected), "{subject} at tx {tx}");
            let request = proto::ListFactsRequest {
                namespace: writer.namespace.clone(),
                as_of: at::tx(0, tx),
                page_size: 1,
                ..Default::default()
            };
            let answer = clients.facts.list_facts(request).await.expect("the server is back");
            let says = answer.into_inner().basis.is_some_and(|basis| basis.erased);
            assert_eq!(says, rewrote(tx), "{} at tx {tx}", writer.namespace);
        }
    }
}
