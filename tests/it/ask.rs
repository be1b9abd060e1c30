//! The shorthand of these tests: a request in one line, and answers as words that compare.

use std::fmt::Debug;

use tonic::{Code, Response, Status};

use tenure::rpc::proto;

use crate::support::{Server, at, op, reason};

pub(crate) const HOME: &str = "default";

/// An assert between instants in microseconds; no `to` is an open end.
pub(crate) fn fact(
    s: &str,
    p: &str,
    o: &str,
    from: i64,
    to: impl Into<Option<i64>>,
) -> proto::Operation {
    op::assert(s, p, o, op::instant(from), to.into().and_then(op::instant))
}

/// An assert of a literal.
pub(crate) fn value(s: &str, p: &str, value: proto::value::Value, from: i64) -> proto::Operation {
    let value = proto::Value { value: Some(value) };
    let object = Some(proto::Object { object: Some(proto::object::Object::Value(value)) });
    let triple = Some(proto::Triple { subject: s.to_owned(), predicate: p.to_owned(), object });
    let assert = proto::Assert { triple, from: op::instant(from), ..Default::default() };
    op::of(proto::operation::Operation::Assert(assert))
}

/// The same operation with evidence.
pub(crate) fn said_by(
    operation: proto::Operation,
    source: &str,
    trust: proto::Trust,
) -> proto::Operation {
    let evidence =
        proto::Evidence { source: source.to_owned(), trust: trust.into(), ..Default::default() };
    let Some(proto::operation::Operation::Assert(assert)) = operation.operation else {
        panic!("an assert")
    };
    let assert = proto::Assert { evidence: Some(evidence), ..assert };
    op::of(proto::operation::Operation::Assert(assert))
}

pub(crate) fn merge(duplicate: &str, into: &str) -> proto::Operation {
    let (duplicate, into) = (duplicate.to_owned(), into.to_owned());
    op::of(proto::operation::Operation::Merge(proto::Merge { duplicate, into }))
}

pub(crate) fn unmerge(duplicate: &str) -> proto::Operation {
    let duplicate = duplicate.to_owned();
    op::of(proto::operation::Operation::Unmerge(proto::Unmerge { duplicate }))
}

pub(crate) fn withdraw(source: &str) -> proto::Operation {
    let source = source.to_owned();
    op::of(proto::operation::Operation::WithdrawSource(proto::WithdrawSource { source }))
}

pub(crate) fn accept(statement_id: &str, trust: proto::Trust) -> proto::Operation {
    let (statement_id, trust) = (statement_id.to_owned(), trust.into());
    op::of(proto::operation::Operation::Accept(proto::Accept { statement_id, trust }))
}

pub(crate) fn request(operations: Vec<proto::Operation>) -> proto::TransactRequest {
    proto::TransactRequest { namespace: HOME.to_owned(), operations, ..Default::default() }
}

/// One transaction at a time of the clock.
pub(crate) async fn write(
    server: &mut Server,
    clock: i64,
    operations: Vec<proto::Operation>,
) -> proto::TransactResponse {
    server.clock.set(clock);
    server.facts.transact(request(operations)).await.expect("it is accepted").into_inner()
}

pub(crate) fn statuses(response: &proto::TransactResponse) -> Vec<proto::OutcomeStatus> {
    response.outcomes.iter().map(proto::Outcome::status).collect()
}

/// Every fact at a basis, as words in order.
pub(crate) async fn held(server: &mut Server, as_of: Option<proto::AsOf>) -> Vec<String> {
    held_in(server, HOME, as_of).await
}

pub(crate) async fn held_in(
    server: &mut Server,
    namespace: &str,
    as_of: Option<proto::AsOf>,
) -> Vec<String> {
    let request = proto::ListFactsRequest {
        namespace: namespace.to_owned(),
        as_of,
        page_size: 10_000,
        ..Default::default()
    };
    let answer = server.facts.list_facts(request).await.expect("an answer").into_inner();
    sorted(&answer.rectangles, words)
}

/// Every fact at (valid, tx), as words in order.
pub(crate) async fn snapshot(server: &mut Server, valid: i64, tx: u64) -> Vec<String> {
    held(server, at::tx(valid, tx)).await
}

pub(crate) async fn timeline(
    server: &mut Server,
    subject: &str,
    predicate: &str,
    tx: Option<u64>,
) -> Vec<String> {
    let known = tx.map(|tx| proto::TransactionPoint {
        point: Some(proto::transaction_point::Point::Tx(tx)),
        ..Default::default()
    });
    let request = proto::GetTimelineRequest {
        namespace: HOME.to_owned(),
        subject: subject.to_owned(),
        predicate: predicate.to_owned(),
        known,
        page_size: 10_000,
        ..Default::default()
    };
    let answer = server.facts.get_timeline(request).await.expect("an answer").into_inner();
    answer.rectangles.iter().map(bounded).collect()
}

/// What the log says. The views of recall follow it in their own time.
pub(crate) async fn statistics(server: &mut Server) -> proto::GetStatisticsResponse {
    let request = proto::GetStatisticsRequest { namespace: HOME.to_owned() };
    let counted = server.admin.get_statistics(request).await.expect("statistics").into_inner();
    proto::GetStatisticsResponse {
        store_bytes: 0,
        text_documents: 0,
        text_bytes: 0,
        embedding: None,
        vectors: 0,
        vectors_behind: 0,
        vector_bytes: 0,
        embedder: None,
        ..counted
    }
}

pub(crate) async fn conflicts(
    server: &mut Server,
    known: Option<proto::TransactionPoint>,
    include_settled: bool,
) -> Vec<proto::Conflict> {
    let request = proto::ListConflictsRequest {
        namespace: HOME.to_owned(),
        known,
        include_settled,
        page_size: 10_000,
        ..Default::default()
    };
    server.facts.list_conflicts(request).await.expect("an answer").into_inner().conflicts
}

/// Folds the log again and finds every table and view as it was.
pub(crate) async fn verify(server: &mut Server, namespace: &str) {
    let request = proto::VerifyRequest { namespace: namespace.to_owned() };
    let verified = server.admin.verify(request).await.expect("an answer").into_inner();
    assert!(verified.clean, "{namespace}: {:?}", verified.differences);
}

pub(crate) fn sorted(
    rectangles: &[proto::Rectangle],
    shown: fn(&proto::Rectangle) -> String,
) -> Vec<String> {
    let mut all: Vec<String> = rectangles.iter().map(shown).collect();
    all.sort();
    all
}

pub(crate) fn words(rectangle: &proto::Rectangle) -> String {
    let object = rectangle.object.as_ref().and_then(|object| object.object.as_ref());
    let object = match object.expect("an object") {
        proto::object::Object::Entity(name) => name.clone(),
        proto::object::Object::Value(value) => format!("{:?}", value.value),
    };
    format!("{} {} {object}", rectangle.subject, rectangle.predicate)
}

/// With its valid time: `d1 head ann [10,20)`.
pub(crate) fn bounded(rectangle: &proto::Rectangle) -> String {
    let shown = |at: Option<proto::Instant>, infinite: &str| {
        at.map_or_else(|| infinite.to_owned(), |at| at.unix_micros.to_string())
    };
    let from = shown(rectangle.valid_from, "-");
    format!("{} [{from},{})", words(rectangle), shown(rectangle.valid_to, "-"))
}

/// Whether the rectangle is visible at the basis (Q2).
pub(crate) fn visible(rectangle: &proto::Rectangle, basis: &proto::Basis) -> bool {
    let at = basis.valid_time.expect("a valid time").unix_micros;
    rectangle.valid_from.is_none_or(|from| from.unix_micros <= at)
        && rectangle.valid_to.is_none_or(|to| at < to.unix_micros)
        && rectangle.tx_from <= basis.tx
        && rectangle.tx_to.is_none_or(|to| basis.tx < to)
}

/// The refusal of a call: its code and its stable reason.
#[track_caller]
pub(crate) fn refused<T: Debug>(answer: Result<Response<T>, Status>) -> (Code, String) {
    let status = answer.expect_err("a refusal");
    (status.code(), reason(&status))
}

/// Every broken rule of a refusal: the field and the reason.
pub(crate) fn violations(status: &Status) -> Vec<(String, String)> {
    use tonic_types::StatusExt;
    let details = status.get_error_details();
    let fields = details.bad_request().map(|bad| bad.field_violations.clone()).unwrap_or_default();
    fields.into_iter().map(|violation| (violation.field, violation.reason)).collect()
}

/// Microseconds of an RFC 3339 time, read by somebody else's parser.
pub(crate) fn micros(text: &str) -> i64 {
    chrono::DateTime::parse_from_rfc3339(text).expect("RFC 3339").timestamp_micros()
}

/// Numbers that look random and are the same in every run (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    pub(crate) fn instant(&mut self, bound: u64) -> i64 {
        i64::try_from(self.below(bound)).expect("a small number")
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[usize::try_from(self.below(from.len() as u64)).expect("a small number")]
    }

    pub(crate) fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }
}
