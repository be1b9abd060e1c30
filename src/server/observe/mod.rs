//! What an operator sees of a running server: requests as they end, metrics, whether it is ready.
//!
//! - Nothing here knows what a request asked: no name, text or value of anybody's facts can come
//!   into a metric or a line of the log. Names of namespaces, which operators give, are in metrics.
//! - The log and traces tell of a call what the engine noted of it, which is numbers.
//! - What a stranger sends makes no metric grow: labels come from the contract, or are `other`.

mod traces;
mod requests;
mod layer;
mod sizes;
mod pages;

pub(super) use layer::ObserveLayer;
pub(super) use pages::{Pages, pages};
pub(super) use requests::Requests;
pub use traces::TraceError;
pub(super) use traces::Traces;
