//! Requests by method and code, and how long they took.

use std::time::{Duration, Instant};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tonic::Code;
use tracing::warn;

use crate::engine::DURATION_BUCKETS;

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
}

#[allow(clippy::cast_precision_loss, reason = "the ends of the buckets are small")]
fn histogram() -> Histogram {
    Histogram::new(DURATION_BUCKETS.into_iter().map(|micros| micros as f64 / 1e6))
}

impl Requests {
    pub(in crate::server) fn new(slow: Duration) -> Requests {
        Requests {
            ended: Family::default(),
            seconds: Family::new_with_constructor(histogram),
            in_flight: Family::default(),
            slow,
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
    }

    pub(super) fn begin(&self, method: &'static str) -> Call {
        self.in_flight.get_or_create(&Method { method }).inc();
        Call { requests: self.clone(), method, began: Instant::now(), code: Code::Cancelled }
    }
}

/// One request that runs. It is counted when it is dropped, with the code it had by then; one that
/// was never told a code was given up by its caller.
pub(super) struct Call {
    requests: Requests,
    method: &'static str,
    began: Instant,
    code: Code,
}

impl Call {
    pub(super) fn ended(mut self, code: Code) {
        self.code = code;
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let Call { requests, method, began, code } = self;
        let (method, code, took) = (*method, code_text(*code), began.elapsed());
        requests.in_flight.get_or_create(&Method { method }).dec();
        requests.ended.get_or_create(&Ended { method, code }).inc();
        requests.seconds.get_or_create(&Method { method }).observe(took.as_secs_f64());
        if took >= requests.slow {
            let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
            warn!(method, code, millis, "a slow request");
        }
    }
}

fn code_text(code: Code) -> &'static str {
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
