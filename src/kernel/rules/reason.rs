//! Why a rectangle was closed, read off what stands in its place.

use crate::types::{CloseReason, Interval, Timestamp, Triple};

use super::super::group::Live;

/// `runs` are those of the rectangle's slot after the transaction, each group ascending.
pub(in crate::kernel) fn close_reason(
    closed: &Live,
    runs: impl Iterator<Item = (Triple, Interval)>,
    retracted: bool,
) -> CloseReason {
    let (mine, others): (Vec<_>, Vec<_>) =
        runs.partition(|(triple, _)| triple.object == closed.triple.object);
    let lost = uncovered(closed.valid, &mine);
    if lost.is_empty() {
        return CloseReason::Extended;
    }
    if retracted {
        return CloseReason::Retracted;
    }
    let taken = |lost: &Interval| others.iter().any(|(_, valid)| valid.overlaps(*lost));
    if lost.iter().any(taken) { CloseReason::Superseded } else { CloseReason::Ended }
}

/// The parts of a span that the ascending runs leave free.
fn uncovered(span: Interval, runs: &[(Triple, Interval)]) -> Vec<Interval> {
    let mut free = Vec::new();
    let mut reached: Timestamp = span.start();
    for (_, valid) in runs.iter().filter(|(_, valid)| valid.overlaps(span)) {
        free.extend(Interval::new(reached, valid.start()));
        reached = reached.max(valid.end());
    }
    free.extend(Interval::new(reached, span.end()));
    free
}
