//! Readers: a past answer is what the model says, today and after every restart.

use tenure::rpc::proto;
use tonic::Status;

use crate::load::{Dice, Shared};
use crate::process::Clients;
use crate::support::at;
use crate::tally::Tally;
use crate::write::{HEAD, INSTANTS, SUBJECTS, Writer};

/// Bases of a subject that are looked at after each start.
const BASES: u64 = 6;

/// A question whose answer is known.
struct Question {
    namespace: String,
    subject: String,
    valid: i64,
    tx: u64,
    object: Option<String>,
    /// Nobody can ask about a name before it was written.
    is_known: bool,
}

impl Question {
    /// Of what a writer has been told of, so nothing that is under way can change the answer.
    fn new(writer: &Writer, subject: u64, tx: Option<u64>, dice: &mut Dice) -> Question {
        let subject = writer.subject(subject);
        let valid = dice.instant(INSTANTS);
        let tx = tx.unwrap_or_else(|| 1 + dice.below(writer.model.last.max(1)));
        let object = writer.model.holds(&subject, valid, tx).map(str::to_owned);
        let is_known = writer.model.is_known(&subject, tx);
        Question { namespace: writer.namespace.clone(), subject, valid, tx, object, is_known }
    }

    fn pattern(&self) -> proto::FactPattern {
        let (subject, predicates) = (self.subject.clone(), vec![HEAD.to_owned()]);
        proto::FactPattern { subject, predicates, object: None }
    }

    async fn ask(&self, tally: &Tally, clients: &mut Clients) -> Result<(), Status> {
        let request = proto::ListFactsRequest {
            namespace: self.namespace.clone(),
            pattern: Some(self.pattern()),
            as_of: at::tx(self.valid, self.tx),
            ..Default::default()
        };
        let answer = tally.timed("as of", clients.facts.list_facts(request)).await?.into_inner();
        let found: Vec<String> = answer.rectangles.iter().map(object).collect();
        let wanted: Vec<String> = self.object.iter().cloned().collect();
        assert_eq!(found, wanted, "{} at ({},{})", self.subject, self.valid, self.tx);
        Ok(())
    }

    /// The rows of a timeline do not overlap, and have the object at the instant.
    async fn ask_timeline(&self, tally: &Tally, clients: &mut Clients) -> Result<(), Status> {
        let request = proto::GetTimelineRequest {
            namespace: self.namespace.clone(),
            subject: self.subject.clone(),
            predicate: HEAD.to_owned(),
            known: at::tx(0, self.tx).and_then(|as_of| as_of.known),
            page_size: 10_000,
            ..Default::default()
        };
        let answer = tally.timed("timeline", clients.facts.get_timeline(request)).await?;
        let rows = answer.into_inner().rectangles;
        let mut bound = i64::MIN;
        for row in &rows {
            let (from, to) = bounds(row);
            assert!(bound <= from && from < to, "{}: {rows:?}", self.subject);
            bound = to;
        }
        let holding = rows.iter().find(|row| {
            let (from, to) = bounds(row);
            (from..to).contains(&self.valid)
        });
        assert_eq!(holding.map(object), self.object, "{} at {}", self.subject, self.valid);
        Ok(())
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
    let question = Question::new(&*writer.read().await, dice.below(SUBJECTS), None, dice);
    if !question.is_known {
        return tally.timed("ping", clients.admin.ping(proto::PingRequest {})).await.map(drop);
    }
    match dice.below(4) {
        0 => question.ask_timeline(tally, clients).await,
        1 => latest(&question, tally, clients).await,
        _ => question.ask(tally, clients).await,
    }
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

/// Every subject of a writer, at its last transaction and at others.
pub(crate) async fn check_all(writer: &Writer, clients: &mut Clients) {
    let tally = Tally::default();
    let mut dice = Dice(writer.model.last);
    for subject in 0..SUBJECTS {
        for basis in 0..BASES {
            let tx = (basis == 0).then_some(writer.model.last);
            let question = Question::new(writer, subject, tx, &mut dice);
            if question.is_known {
                question.ask(&tally, clients).await.expect("the server is back");
                question.ask_timeline(&tally, clients).await.expect("the server is back");
            }
        }
    }
}
