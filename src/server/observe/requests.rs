//! Requests by method and code, and how long they took. What is slow is told in the log, and all of
//! it to a collector of traces, where there is one.

use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tonic::Code;
use tracing::warn;

use crate::engine::{Account, DURATION_BUCKETS, Notes};
use crate::types::TxId;

use super::traces::{Came, Traces};

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Method {
    method: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Ended {
    method: &'static str,
    code: &'static str,
}

#[derive(Clone, Debug)]
pub(in crate::server) struct Requests {
    ended: Family<Ended, Counter>,
    seconds: Family<Method, Histogram>,
    in_flight: Family<Method, Gauge>,
    /// A request that takes longer is told in the log.
    slow: Duration,
    /// Missing where no collector is named.
    traces: Option<Arc<Traces>>,
}

#[allow(clippy::cast_precision_loss, reason = "the ends of the buckets are small")]
fn histogram() -> Histogram {
    Histogram::new(DURATION_BUCKETS.into_iter().map(|micros| micros as f64 / 1e6))
}

impl Requests {
    pub(in crate::server) fn new(slow: Duration, traces: Option<Arc<Traces>>) -> Requests {
        Requests {
            ended: Family::default(),
            seconds: Family::new_with_constructor(histogram),
            in_flight: Family::default(),
            slow,
            traces,
        }
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        let ended = self.ended.clone();
        registry.register("requests", "Requests that ended, by method and gRPC code", ended);
        let seconds = self.seconds.clone();
        let help = "From the head of a request to the end of its answer";
        registry.register_with_unit("request_duration", help, Unit::Seconds, seconds);
        let in_flight = self.in_flight.clone();
        registry.register("requests_in_flight", "Requests that have not ended", in_flight);
        if let Some(traces) = &self.traces {
            traces.register(registry);
        }
    }

    pub(super) fn begin(&self, method: &'static str, headers: &HeaderMap) -> Call {
        self.in_flight.get_or_create(&Method { method }).inc();
        let came = self.traces.as_ref().and_then(|traces| traces.came(method, headers));
        Call {
            requests: self.clone(),
            method,
            began: Instant::now(),
            code: Code::Cancelled,
            account: Arc::default(),
            sent: 0,
            came,
        }
    }
}

/// One request that runs. It is counted when it is dropped, with the code it had by then; one that
/// was never told a code was given up by its caller.
pub(super) struct Call {
    requests: Requests,
    method: &'static str,
    began: Instant,
    code: Code,
    account: Arc<Account>,
    /// Bytes of the answer.
    sent: u64,
    /// Missing where no trace is told of it.
    came: Option<Came>,
}

/// A request that has ended, as it is told.
pub(super) struct Told {
    pub(super) method: &'static str,
    pub(super) code: Code,
    pub(super) began: Instant,
    pub(super) took: Duration,
    pub(super) sent: u64,
    pub(super) notes: Notes,
}

impl Call {
    pub(super) fn ended(mut self, code: Code) {
        self.code = code;
    }

    /// What is done for it is noted there.
    pub(super) fn account(&self) -> Arc<Account> {
        Arc::clone(&self.account)
    }

    pub(super) fn sent(&mut self, bytes: usize) {
        self.sent += u64::try_from(bytes).unwrap_or(u64::MAX);
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let Call { requests, method, began, code, account, sent, came } = self;
        let (method, took) = (*method, began.elapsed());
        requests.in_flight.get_or_create(&Method { method }).dec();
        requests.ended.get_or_create(&Ended { method, code: code_text(*code) }).inc();
        requests.seconds.get_or_create(&Method { method }).observe(took.as_secs_f64());
        let (slow, came) = (took >= requests.slow, came.take());
        if !slow && came.is_none() {
            return;
        }
        let notes = account.notes();
        let told = Told { method, code: *code, began: *began, took, sent: *sent, notes };
        let trace = match (&requests.traces, came) {
            (Some(traces), Some(came)) => traces.tell(came, &told),
            _ => None,
        };
        if slow {
            tell(&told, trace.as_deref());
        }
    }
}

fn tell(told: &Told, trace: Option<&str>) {
    let Told { method, code, took, sent, notes, .. } = told;
    let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    warn!(
        method,
        code = code_text(*code),
        millis,
        trace,
        namespace = notes.namespace.as_ref().map(|name| &**name.display()),
        valid_micros = notes.basis.map(|basis| basis.valid.micros()),
        tx = notes.basis.map(|basis| basis.tx.raw()),
        written_tx = notes.written.map(TxId::raw),
        found = notes.found,
        answer_bytes = sent,
        steps = steps(notes),
        "a slow request"
    );
}

/// Such as `text 1200us 30, fuse 90us 10`: the step, its time, what came of it.
fn steps(notes: &Notes) -> String {
    let mut text = String::new();
    for note in &notes.steps {
        let comma = if text.is_empty() { "" } else { ", " };
        let (name, micros) = (note.step.name(), note.took.as_micros());
        let failed = if note.failed { " failed" } else { "" };
        // Writing into a text cannot fail.
        let _ = write!(text, "{comma}{name} {micros}us {}{failed}", note.found);
    }
    if notes.steps_left_out > 0 {
        let _ = write!(text, ", {} more", notes.steps_left_out);
    }
    text
}

pub(super) fn code_text(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Step, StepNote};

    #[test]
    fn steps_are_told_in_their_order() {
        let (began, took) = (Instant::now(), Duration::from_micros(1_200));
        let step = |step, failed| StepNote { step, began, took, found: 3, failed };
        let steps_of = vec![step(Step::Text, false), step(Step::Rerank, true)];
        let notes = Notes { steps: steps_of, steps_left_out: 2, ..Notes::default() };
        assert_eq!(steps(&notes), "text 1200us 3, rerank 1200us 3 failed, 2 more");
    }
}
