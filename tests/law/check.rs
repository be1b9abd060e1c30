//! `check`: tell the kernel some requests, then ask it some questions.
//!
//! ```text
//! d1 head ? @15 -> ann          what holds at 15, as known now; `nothing`, or several names
//! d1 head ? @15/2 -> bob        the same as known at tx time 2
//! d1 head = ann [10,20) bob [20,inf)        the timeline now; `/2` after the predicate: then
//! d1 head believed @19 = 1 ann, 6 cid       what was believed of 19, and from when
//! d1 head rectangles = ann [10,inf)x[1,2) ann [10,20)x[2,inf)    every one, by object
//! rows 3                        rectangles ever; `live 3` those believed now
//! closed ann [10,inf) SUPERSEDED            why a rectangle was closed
//! conflict 2.0 SAME_START 1.0   the open conflicts, all of them; `no conflict`
//! displaced 2.0 1.0             what the outcome of statement 2.0 named
//! ```

use std::collections::BTreeMap;

use tenure::kernel::{Lookup, Outcome, OutcomeStatus};
use tenure::types::{
    CloseReason, Conflict, ConflictKind, Object, Rectangle, StatementId, Timestamp, TxId,
};

use crate::shop::Shop;
use crate::text::{instant, line, name, refusal, tx_at};

/// The kernel after a story, with what became of each statement.
pub(crate) struct Told {
    pub(crate) shop: Shop,
    outcomes: BTreeMap<StatementId, Outcome>,
}

pub(crate) fn check(story: &str, questions: &str) {
    let told = tell(story);
    for question in lines(questions) {
        told.ask(question);
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

pub(crate) fn tell(story: &str) -> Told {
    let mut told = Told { shop: Shop::default(), outcomes: BTreeMap::new() };
    let mut clock = 0;
    for text in lines(story) {
        let line = line(text, &told.shop);
        let declares = text.starts_with("one ") || text.starts_with("many ");
        let first = told.shop.log.is_empty() && declares;
        clock = line.clock.unwrap_or(if first { 0 } else { clock + 1 });
        let before = told.shop.memory.clone();
        match told.shop.submit(clock, &line.command) {
            Ok(outcomes) => {
                let got: Vec<&str> = outcomes.iter().map(|outcome| word(outcome.status)).collect();
                if !line.expected.is_empty() {
                    assert_eq!(got, line.expected, "{text}");
                }
                let named = outcomes.into_iter();
                told.outcomes.extend(named.filter_map(|out| Some((out.statement?, out))));
            }
            Err(rejection) => {
                let wanted = match line.expected.as_slice() {
                    [refused, kind] if refused == "refused" => refusal(kind),
                    _ => panic!("{text}: {rejection:?}"),
                };
                assert_eq!(rejection.kind(), wanted, "{text}");
                assert_eq!(told.shop.memory, before, "{text}: nothing may be written");
            }
        }
    }
    told
}

pub(crate) const fn word(status: OutcomeStatus) -> &'static str {
    match status {
        OutcomeStatus::Applied => "APPLIED",
        OutcomeStatus::NoChange => "NO_CHANGE",
        OutcomeStatus::NoMatch => "NO_MATCH",
        OutcomeStatus::Blocked => "BLOCKED",
        OutcomeStatus::Replayed => "REPLAYED",
        OutcomeStatus::Contested => "CONTESTED",
        OutcomeStatus::Invalid => "INVALID",
    }
}

impl Told {
    /// Asks some questions.
    pub(crate) fn check(&self, questions: &str) {
        for question in lines(questions) {
            self.ask(question);
        }
    }

    fn ask(&self, question: &str) {
        let words: Vec<&str> = question.split_whitespace().collect();
        match words.as_slice() {
            ["rows", count] => {
                assert_eq!(self.shop.memory.rectangles().len().to_string(), *count, "{question}");
            }
            ["live", count] => {
                let live = self.shop.believed(self.shop.last_tx()).len();
                assert_eq!(live.to_string(), *count, "{question}");
            }
            ["no", "conflict"] => assert_eq!(self.conflicts(), [""; 0], "{question}"),
            ["conflict", ..] => {
                let wanted: Vec<String> =
                    question.split(',').map(|text| text.trim().to_owned()).collect();
                assert_eq!(self.conflicts(), wanted, "{question}");
            }
            ["displaced", statement, displaced @ ..] => {
                let outcome = self.outcomes.iter().find(|(id, _)| self.spell(**id) == *statement);
                let named = &outcome.expect("the statement was recorded").1.displaced;
                let named: Vec<String> =
                    named.iter().map(|displaced| self.spell(displaced.statement)).collect();
                assert_eq!(named, *displaced, "{question}");
            }
            ["closed", object, bounds, reason] => {
                let closed = self.shop.memory.rectangles().into_iter().find(|rectangle| {
                    let [_, _, name] = self.shop.words(rectangle.triple);
                    name == *object
                        && format!("{:?}", rectangle.valid) == *bounds
                        && rectangle.closed.is_some()
                });
                let closed = closed.unwrap_or_else(|| panic!("{question}: no such rectangle"));
                assert_eq!(closed.closed.map(reason_word), Some(*reason), "{question}");
            }
            [subject, predicate, "?", at, "->", objects @ ..] => {
                let (at, tx) = self.basis(at.strip_prefix('@').expect("a point"));
                let wanted = if *objects == ["nothing"] { &[] } else { objects };
                assert_eq!(self.objects(subject, predicate, at, tx), wanted, "{question}");
            }
            [subject, predicate, "believed", at, "=", ..] => {
                let at = instant(at.strip_prefix('@').expect("an instant"));
                let (_, wanted) = question.split_once('=').expect("an answer");
                assert_eq!(self.history(subject, predicate, at), wanted.trim(), "{question}");
            }
            [subject, predicate, "rectangles", "=", rows @ ..] => {
                assert_eq!(self.rows(subject, predicate), rows.join(" "), "{question}");
            }
            [subject, predicate, "=", runs @ ..] => {
                let (predicate, tx) = self.basis_of(predicate);
                let wanted = if *runs == ["nothing"] { String::new() } else { runs.join(" ") };
                assert_eq!(self.timeline(subject, predicate, tx), wanted, "{question}");
            }
            _ => panic!("no question is written {question}"),
        }
    }

    /// `15` or `15/2`.
    fn basis(&self, text: &str) -> (i64, TxId) {
        let (at, tx) = self.basis_of(text);
        (instant(at), tx)
    }

    fn basis_of<'a>(&self, text: &'a str) -> (&'a str, TxId) {
        match text.split_once('/') {
            None => (text, self.shop.last_tx()),
            Some((text, time)) => (text, tx_at(&self.shop, instant(time))),
        }
    }

    /// What is believed of a slot at a transaction, by time.
    fn rectangles(&self, subject: &str, predicate: &str, tx: TxId) -> Vec<Rectangle> {
        let directory = self.shop.memory.directory();
        let subject = directory.entity(&name(subject));
        let predicate = directory.predicate(&name(predicate));
        let mut found = self.shop.believed(tx);
        found.retain(|found| {
            Some(found.triple.predicate) == predicate
                && subject.is_some_and(|id| directory.canonical_at(id, tx) == found.triple.subject)
        });
        found.sort_by_key(|found| (found.valid, found.triple));
        found
    }

    fn object(&self, rectangle: &Rectangle) -> String {
        let [_, _, object] = self.shop.words(rectangle.triple);
        object.replace(' ', "_")
    }

    fn objects(&self, subject: &str, predicate: &str, at: i64, tx: TxId) -> Vec<String> {
        let held = self.shop.held(at, tx);
        let found = self.rectangles(subject, predicate, tx).into_iter();
        let mut objects: Vec<String> = found
            .filter(|found| held.contains(&found.triple))
            .filter(|found| found.valid.start().micros() <= at && at < found.valid.end().micros())
            .map(|found| self.object(&found))
            .collect();
        objects.sort();
        objects
    }

    fn timeline(&self, subject: &str, predicate: &str, tx: TxId) -> String {
        let found = self.rectangles(subject, predicate, tx).into_iter();
        let runs: Vec<String> =
            found.map(|found| format!("{} {:?}", self.object(&found), found.valid)).collect();
        runs.join(" ")
    }

    fn history(&self, subject: &str, predicate: &str, at: i64) -> String {
        let mut history: Vec<(i64, String)> = Vec::new();
        for raw in 1..=self.shop.last_tx().raw() {
            let tx = TxId::new(raw);
            let time = self.shop.memory.directory().time_of(tx).expect("recorded").micros();
            let mut believed = self.objects(subject, predicate, at, tx).join(" ");
            if believed.is_empty() {
                believed.push_str("nothing");
            }
            if time > 0 && history.last().is_none_or(|(_, last)| *last != believed) {
                history.push((time, believed));
            }
        }
        let spelled: Vec<String> =
            history.iter().map(|(time, believed)| format!("{time} {believed}")).collect();
        spelled.join(", ")
    }

    /// Every rectangle of a slot, by object, valid time and transaction time.
    fn rows(&self, subject: &str, predicate: &str) -> String {
        let directory = self.shop.memory.directory();
        let mut rows: Vec<(String, Rectangle)> = Vec::new();
        for rectangle in self.shop.memory.rectangles() {
            let [found, by, object] = self.shop.words(rectangle.triple);
            if found == *name(subject).display().as_ref()
                && by == *name(predicate).display().as_ref()
            {
                rows.push((object, rectangle));
            }
        }
        rows.sort();
        let time = |tx: TxId| directory.time_of(tx).unwrap_or(Timestamp::INFINITY);
        let spell = |(object, found): &(String, Rectangle)| {
            let (from, to) = (time(found.believed.from), time(found.believed.to));
            format!("{object} {:?}x[{from:?},{to:?})", found.valid)
        };
        rows.iter().map(spell).collect::<Vec<_>>().join(" ")
    }

    fn conflicts(&self) -> Vec<String> {
        self.shop
            .memory
            .directory()
            .open_conflicts()
            .map(|found| self.spell_conflict(found))
            .collect()
    }

    fn spell_conflict(&self, conflict: &Conflict) -> String {
        let kind = match conflict.kind {
            ConflictKind::SameStart => "SAME_START",
            ConflictKind::Overlap => "OVERLAP",
            ConflictKind::Contested => "CONTESTED",
        };
        let against: Vec<String> =
            conflict.against.iter().map(|side| self.spell(side.statement)).collect();
        format!("conflict {} {kind} {}", self.spell(conflict.id()), against.join(" "))
    }

    /// A statement by the time of its transaction.
    fn spell(&self, id: StatementId) -> String {
        let time = self.shop.memory.directory().time_of(id.tx).expect("recorded");
        format!("{}.{}", time.micros(), id.op)
    }

    /// The objects and the sources of all statements about a slot, in recording order.
    pub(crate) fn evidence(&self, subject: &str, predicate: &str) -> Vec<(String, String)> {
        let directory = self.shop.memory.directory();
        let mut found: Vec<_> = self.shop.memory.all_statements().collect();
        found.retain(|statement| {
            Some(statement.triple.subject) == directory.entity(&name(subject))
                && Some(statement.triple.predicate) == directory.predicate(&name(predicate))
        });
        found.sort_by_key(|statement| statement.id);
        let source = |id| directory.source_name(id).expect("named").to_string();
        found
            .into_iter()
            .map(|statement| {
                let [_, _, object] = self.shop.words(statement.triple);
                (object, statement.source.map_or(String::new(), source))
            })
            .collect()
    }

    /// The entity a name stands for now.
    pub(crate) fn entity(&self, text: &str) -> Option<Object> {
        self.shop.memory.directory().entity(&name(text)).map(Object::Entity)
    }
}

const fn reason_word(reason: CloseReason) -> &'static str {
    match reason {
        CloseReason::Superseded => "SUPERSEDED",
        CloseReason::Ended => "ENDED",
        CloseReason::Retracted => "RETRACTED",
        CloseReason::Extended => "EXTENDED",
        CloseReason::Merged => "MERGED",
        CloseReason::Regrouped => "REGROUPED",
    }
}
