//! Requests and expectations as text, so that a case reads like the page it comes from.
//!
//! A line is a request, `;` parts its operations, and `=>` what is to become of them:
//!
//! ```text
//! one head                                                   (at clock 0, before the first request)
//! assert d1 head ann from 10 to 20 by web as CONFIRMED       => APPLIED
//! end d1 head ann at 15; retract d1 head bob from 1 block    => APPLIED NO_MATCH
//! partial: assert d1 head ann from 9 to 5; merge d9 into d1  => INVALID APPLIED
//! assert d1 head ann from 5 to 5                             => refused EMPTY_INTERVAL
//! ```
//!
//! Requests come at the clocks 1, 2, 3, unless `[7]` in front names another. A transaction is named
//! by its time, a statement by that and its place (`2.0`). `_` in a name stands for a space.

use tenure::kernel::{
    Accept, Assert, Command, Correct, Declare, End, Evidence, Lookup, Merge, Mode, ObjectName, Op,
    Retract, Supersede, TripleName, Unmerge, ViolationKind, WithdrawSource,
};
use tenure::types::{Cardinality, Dated, Name, RowKey, StatementId, Timestamp, Trust, TxId, Value};

use crate::shop::Shop;

/// One line, and the words that are to become of it.
pub(crate) struct Line {
    pub(crate) clock: Option<i64>,
    pub(crate) command: Command,
    pub(crate) expected: Vec<String>,
}

pub(crate) fn line(text: &str, shop: &Shop) -> Line {
    let (text, expected) = text.split_once("=>").unwrap_or((text, ""));
    let expected = expected.split_whitespace().map(str::to_owned).collect();
    let (clock, text) = match text.trim().strip_prefix('[') {
        None => (None, text.trim()),
        Some(rest) => {
            let (clock, text) = rest.split_once(']').expect("a clock in brackets");
            (Some(clock.parse().expect("a clock")), text)
        }
    };
    let (mode, text) = match text.trim().strip_prefix("partial:") {
        Some(text) => (Mode::Partial, text),
        None => (Mode::Atomic, text),
    };
    let ops = text.split(';').map(|op| Words::new(op, shop).op()).collect();
    Line { clock, command: Command { request: None, mode, ops }, expected }
}

struct Words<'a> {
    verb: &'a str,
    rest: Vec<&'a str>,
    shop: &'a Shop,
}

impl<'a> Words<'a> {
    fn new(text: &'a str, shop: &'a Shop) -> Words<'a> {
        let mut words = text.split_whitespace();
        Words { verb: words.next().expect("a verb"), rest: words.collect(), shop }
    }

    fn op(&self) -> Op {
        match self.verb {
            "one" => self.declare(Cardinality::One),
            "many" => self.declare(Cardinality::Many),
            "assert" => Op::Assert(Assert {
                triple: self.triple(),
                from: self.at("from"),
                to: self.at("to"),
                at_least: self.has("atleast"),
                overrides: self.has("override"),
                deliberate: false,
                contested_against: Vec::new(),
                evidence: self.evidence(),
            }),
            "end" => {
                Op::End(End { triple: self.triple(), at: self.at("at"), evidence: self.evidence() })
            }
            "retract" => Op::Retract(Retract {
                triple: self.triple(),
                from: self.at("from"),
                to: self.at("to"),
                correct: self.has("correct"),
                block: self.has("block"),
                evidence: self.evidence(),
            }),
            "supersede" => Op::Supersede(Supersede {
                subject: name(self.rest[0]),
                predicate: name(self.rest[1]),
                old: (self.rest[2] != "-").then(|| object(self.rest[2])),
                new: object(self.rest[3]),
                at: self.at("at"),
                expect_held: self.has("held"),
                evidence: self.evidence(),
            }),
            "correct" => Op::Correct(Correct {
                triple: self.triple(),
                at: self.at("at"),
                new: self.after("new").map(object),
                from: self.at("from"),
                to: self.at("to"),
                evidence: self.evidence(),
            }),
            "merge" => Op::Merge(Merge { duplicate: name(self.rest[0]), into: self.named("into") }),
            "unmerge" => Op::Unmerge(Unmerge { duplicate: name(self.rest[0]) }),
            "accept" => {
                Op::Accept(Accept { statement: self.statement(self.rest[0]), trust: self.trust() })
            }
            "withdraw" => Op::WithdrawSource(WithdrawSource { source: name(self.rest[0]) }),
            other => panic!("no operation is written {other}"),
        }
    }

    fn declare(&self, cardinality: Cardinality) -> Op {
        Op::Declare(Declare { predicate: name(self.rest[0]), cardinality })
    }

    fn triple(&self) -> TripleName {
        let object = object(self.rest[2]);
        TripleName { subject: name(self.rest[0]), predicate: name(self.rest[1]), object }
    }

    fn evidence(&self) -> Evidence {
        let grounds = self.after("derived").map_or(Vec::new(), |ids| ids.split(',').collect());
        Evidence {
            source: self.after("by").map(name),
            trust: self.trust(),
            derived_from: grounds.into_iter().map(|id| self.statement(id)).collect(),
            row: self.after("row").map(|row| RowKey([row.parse().expect("a row number"); 16])),
            ..Evidence::default()
        }
    }

    fn trust(&self) -> Trust {
        match self.after("as") {
            None | Some("STATED") => Trust::Stated,
            Some("UNVERIFIED") => Trust::Unverified,
            Some("INFERRED") => Trust::Inferred,
            Some("CONFIRMED") => Trust::Confirmed,
            Some("SYSTEM_OF_RECORD") => Trust::SystemOfRecord,
            Some(other) => panic!("no trust class is written {other}"),
        }
    }

    fn statement(&self, text: &str) -> StatementId {
        let (time, op) = text.split_once('.').expect("a time and a place");
        let time = time.parse().expect("a time");
        StatementId { tx: tx_at(self.shop, time), op: op.parse().expect("a place") }
    }

    fn has(&self, word: &str) -> bool {
        self.rest.contains(&word)
    }

    fn after(&self, word: &str) -> Option<&'a str> {
        let place = self.rest.iter().position(|found| *found == word)?;
        Some(self.rest[place + 1])
    }

    fn named(&self, word: &str) -> Name {
        name(self.after(word).expect("the operation names it"))
    }

    fn at(&self, word: &str) -> Option<Dated> {
        self.after(word).map(|text| Timestamp::from_micros(instant(text)).into())
    }
}

pub(crate) fn name(text: &str) -> Name {
    Name::new(&text.replace('_', " ")).expect("a name")
}

/// `#10` is a number, anything else the name of an entity.
pub(crate) fn object(text: &str) -> ObjectName {
    match text.strip_prefix('#') {
        Some(number) => ObjectName::Value(Value::Integer(number.parse().expect("a number"))),
        None => ObjectName::Entity(name(text)),
    }
}

pub(crate) fn instant(text: &str) -> i64 {
    match text {
        "inf" => i64::MAX,
        "-inf" => i64::MIN,
        number => number.parse().expect("an instant"),
    }
}

/// The transaction of a time.
pub(crate) fn tx_at(shop: &Shop, time: i64) -> TxId {
    shop.memory.directory().tx_at(Timestamp::from_micros(time))
}

pub(crate) fn refusal(word: &str) -> ViolationKind {
    match word {
        "EMPTY_INTERVAL" => ViolationKind::EmptyInterval,
        "INVERTED_INTERVAL" => ViolationKind::InvertedInterval,
        "CONFLICT_IN_REQUEST" => ViolationKind::ConflictInRequest,
        "NO_MATCH" => ViolationKind::NoMatch,
        "PREDICATE_CLASH" => ViolationKind::PredicateClash,
        "MISSING" => ViolationKind::Missing,
        "ENTITY_UNKNOWN" => ViolationKind::EntityUnknown,
        "SOURCE_UNKNOWN" => ViolationKind::SourceUnknown,
        "STATEMENT_UNKNOWN" => ViolationKind::StatementUnknown,
        "ALREADY_MERGED" => ViolationKind::AlreadyMerged,
        "NOT_MERGED" => ViolationKind::NotMerged,
        other => panic!("no refusal is written {other}"),
    }
}
