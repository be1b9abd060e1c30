//! Every case of `golden.jsonl` through the kernel: transactions, outcomes, rectangles, and what
//! holds at each as-of point.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value as Json;

use tenure::kernel::{
    Command, DecideError, Lookup, Memory, Mode, OutcomeStatus, Stamp, ViolationKind, decide,
};
use tenure::types::{Basis, Object, Rectangle, Timestamp, TxId};

use crate::script::{Operation, command, declare, timestamp};

#[derive(Deserialize)]
struct Case {
    id: String,
    card: BTreeMap<String, String>,
    tx: Vec<Request>,
    rects: Vec<(String, String, String, Json, Json, i64, Json)>,
    asof: Vec<(i64, i64, Vec<String>)>,
}

#[derive(Deserialize)]
struct Request {
    clock: i64,
    ops: Vec<Operation>,
    key: Option<String>,
    tx: Option<i64>,
    out: Option<Vec<String>>,
    refused: Option<String>,
    replayed: Option<i64>,
}

/// The kernel with just enough around it: a clock that never goes back, and remembered keys.
#[derive(Default)]
struct Shop {
    memory: Memory,
    receipts: BTreeMap<String, (Command, i64)>,
}

impl Shop {
    fn submit(
        &mut self,
        clock: i64,
        command: &Command,
    ) -> Result<(i64, Vec<OutcomeStatus>), String> {
        let directory = self.memory.directory();
        let last = directory.last_tx();
        let floor = directory.time_of(last).map_or(i64::MIN, |time| time.micros() + 1);
        let time = Timestamp::from_micros(clock.max(floor));
        let stamp = Stamp { tx: last.next(), time };
        match decide(command, stamp, &self.memory) {
            Ok(decision) => {
                self.memory.apply(&decision.tx);
                let out = decision.outcomes.iter().map(|outcome| outcome.status).collect();
                Ok((time.micros(), out))
            }
            Err(DecideError::Rejected(rejection)) => Err(word(rejection.kind()).to_owned()),
            Err(DecideError::Lookup(never)) => match never {},
        }
    }

    fn request(&mut self, request: &Request) -> Result<(i64, Option<Vec<OutcomeStatus>>), String> {
        let command = command(&request.ops);
        if let Some((known, tx)) = request.key.as_ref().and_then(|key| self.receipts.get(key)) {
            return if *known == command { Ok((*tx, None)) } else { Err("KEY_REUSED".to_owned()) };
        }
        let (tx, out) = self.submit(request.clock, &command)?;
        if let Some(key) = &request.key {
            self.receipts.insert(key.clone(), (command, tx));
        }
        Ok((tx, Some(out)))
    }
}

fn word(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::EmptyInterval => "EMPTY_INTERVAL",
        ViolationKind::InvertedInterval => "INVERTED_INTERVAL",
        ViolationKind::ConflictInRequest => "CONFLICT_IN_REQUEST",
        other => panic!("unexpected {other:?}"),
    }
}

fn status(word: &str) -> OutcomeStatus {
    match word {
        "APPLIED" => OutcomeStatus::Applied,
        "NO_CHANGE" => OutcomeStatus::NoChange,
        "NO_MATCH" => OutcomeStatus::NoMatch,
        "BLOCKED" => OutcomeStatus::Blocked,
        other => panic!("outcome {other}"),
    }
}

fn check(case: &Case) {
    let mut shop = Shop::default();
    let ops = case.card.iter().map(|(predicate, card)| declare(predicate, card)).collect();
    let declarations = Command { request: None, mode: Mode::Atomic, ops };
    shop.submit(0, &declarations).expect("declarations are accepted");
    for (place, request) in case.tx.iter().enumerate() {
        let at = format!("{} request {place}", case.id);
        let before = shop.memory.rectangles();
        match (shop.request(request), &request.refused, request.replayed) {
            (Err(reason), Some(refused), _) => assert_eq!(&reason, refused, "{at}"),
            (Ok((tx, None)), None, Some(replayed)) => assert_eq!(tx, replayed, "{at}"),
            (Ok((tx, Some(out))), None, None) => {
                assert_eq!(Some(tx), request.tx, "{at}");
                let wanted = request.out.as_ref().expect("outcomes are given");
                assert_eq!(out, wanted.iter().map(|word| status(word)).collect::<Vec<_>>(), "{at}");
            }
            (got, ..) => panic!("{at}: {got:?}"),
        }
        if request.tx.is_none() {
            assert_eq!(shop.memory.rectangles(), before, "{at}: nothing may be written");
        }
    }
    assert_eq!(canonical(&shop.memory), wanted(case), "{}: rectangles", case.id);
    for (valid, tx, facts) in &case.asof {
        let held = held(&shop.memory, *valid, *tx);
        assert_eq!(held, facts.iter().cloned().collect(), "{}: as of ({valid},{tx})", case.id);
    }
}

type Row = (String, String, String, i64, i64, i64, i64);

/// Golden transactions are named by their time.
fn canonical(memory: &Memory) -> BTreeSet<Row> {
    let directory = memory.directory();
    let time = |tx: TxId| directory.time_of(tx).map_or(i64::MAX, tenure::types::Timestamp::micros);
    let row = |rectangle: Rectangle| {
        let [s, p, o] = words(memory, &rectangle);
        let Rectangle { valid, believed, .. } = rectangle;
        let (from, to) = (valid.start().micros(), valid.end().micros());
        (s, p, o, from, to, time(believed.from), time(believed.to))
    };
    memory.rectangles().into_iter().map(row).collect()
}

fn wanted(case: &Case) -> BTreeSet<Row> {
    let micros = |json: &Json| timestamp(json).micros();
    let rows = case.rects.iter().cloned();
    rows.map(|(s, p, o, from, to, opened, closed)| {
        (s, p, o, micros(&from), micros(&to), opened, micros(&closed))
    })
    .collect()
}

fn held(memory: &Memory, valid: i64, tx: i64) -> BTreeSet<String> {
    let tx = memory.directory().tx_at(Timestamp::from_micros(tx));
    let basis = Basis { valid: Timestamp::from_micros(valid), tx };
    let rectangles = memory.rectangles().into_iter();
    let visible = rectangles.filter(|rectangle| basis.sees(rectangle.valid, rectangle.believed));
    visible.map(|rectangle| words(memory, &rectangle).join(" ")).collect()
}

fn words(memory: &Memory, rectangle: &Rectangle) -> [String; 3] {
    let directory = memory.directory();
    let entity = |id| directory.entity_name(id).expect("named").to_string();
    let predicate = directory.predicate_info(rectangle.triple.predicate).expect("named");
    let Object::Entity(object) = rectangle.triple.object else { panic!("golden has no values") };
    [entity(rectangle.triple.subject), predicate.name.to_string(), entity(object)]
}

#[test]
fn every_golden_case_holds_in_the_kernel() {
    let text = include_str!("../data/golden.jsonl");
    let cases: Vec<Case> =
        text.lines().map(|line| serde_json::from_str(line).expect("a golden case")).collect();
    assert_eq!(cases.len(), 55);
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let run = std::panic::AssertUnwindSafe(|| check(case));
            std::panic::catch_unwind(run).err().map(|_| case.id.clone())
        })
        .collect();
    assert!(failed.is_empty(), "{} golden cases fail: {failed:?}", failed.len());
}
