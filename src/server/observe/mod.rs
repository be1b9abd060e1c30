//! What an operator sees of a running server: requests as they end, metrics, whether it is ready.
//!
//! - Nothing here knows what a request asked: no name, text or value of anybody's facts can come
//!   into a metric or a line of the log. Names of namespaces, which operators give, are in metrics.
//! - What a stranger sends makes no metric grow: labels come from the contract, or are `other`.

mod requests;
mod layer;
mod sizes;
mod pages;

pub(super) use layer::ObserveLayer;
pub(super) use pages::{Pages, pages};
pub(super) use requests::Requests;
