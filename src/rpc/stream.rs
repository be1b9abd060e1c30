//! Streams: import, export, watch. Each holds a bounded number of messages, and waits for whoever is
//! slow instead of buffering for them.

use std::collections::VecDeque;
use std::pin::Pin;

use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

use crate::engine::{Account, Receipt, Submission, SubmitError};
use crate::kernel::{Change, OutcomeStatus, Tx};
use crate::query::{AsOf, Known, Pattern, PatternName, Row, Snapshot};
use crate::types::limits::{
    IMPORT_ERRORS_MAX, IMPORT_OPS_WAITING_MAX, STREAM_MESSAGES_MAX, STREAM_ROWS_MAX,
};
use crate::types::{Basis, Grant, Role, Triple, TxId};

use super::caller::Caller;
use super::context::{Context, Stopping};
use super::export::operations;
use super::from_proto::{self, Import};
use super::status::rejected;
use super::{failure, proto, render, to_proto};

pub(super) type Reply<T> =
    Pin<Box<dyn tokio_stream::Stream<Item = Result<T, Status>> + Send + 'static>>;

/// A message of an import on its way to the writer, while the next ones are read.
struct Waiting {
    first_row: u64,
    operations: Vec<proto::Operation>,
    receipt: oneshot::Receiver<Result<Receipt, SubmitError>>,
}

/// Each message becomes a transaction, in order. What has been committed stays when a later message
/// is refused, and so does what was on its way to the writer.
pub(super) async fn import(
    context: &Context,
    caller: &Caller,
    mut messages: Streaming<proto::ImportFactsRequest>,
) -> Result<proto::ImportFactsResponse, Status> {
    let mut report = proto::ImportFactsResponse::default();
    let mut waiting: VecDeque<Waiting> = VecDeque::new();
    let mut next_row = 0;
    let mut ops_waiting = 0;
    let mut permit = None;
    while let Some(message) = next_message(context, caller, &mut messages).await? {
        let (namespace, zone) = match permit {
            None => context.whole_namespace(caller, Role::Writer, &message.namespace)?,
            Some(_) => context.admit(caller, Role::Writer, &message.namespace)?,
        };
        if permit.is_none() {
            permit = Some(context.stream(&namespace)?);
        }
        let Import { command, time } = from_proto::import(&message, zone, &namespace.clearance)
            .map_err(|rejection| rejected(&rejection, &message.operations))?;
        let first_row = if message.first_row == 0 { next_row } else { message.first_row };
        let ops = message.operations.len();
        next_row = first_row.saturating_add(ops as u64);
        let submission = Submission { command, dry_run: false, time };
        while ops_waiting + ops > IMPORT_OPS_WAITING_MAX {
            let Some(first) = waiting.pop_front() else { break };
            ops_waiting -= first.operations.len();
            settle(first, &mut report).await?;
        }
        let receipt = enqueue(context, &namespace, submission).await?;
        ops_waiting += ops;
        let operations = message.operations;
        waiting.push_back(Waiting { first_row, operations, receipt });
    }
    for first in waiting {
        settle(first, &mut report).await?;
    }
    Ok(report)
}

/// The next message of a caller that is still let in. One that says nothing for too long loses its
/// stream: what it holds on to is wanted by others.
async fn next_message(
    context: &Context,
    caller: &Caller,
    messages: &mut Streaming<proto::ImportFactsRequest>,
) -> Result<Option<proto::ImportFactsRequest>, Status> {
    caller.must_still_be_taken(context.engine())?;
    tokio::select! {
        next = timeout(context.import_idle(), messages.message()) => {
            next.unwrap_or_else(|_| Err(failure::stream_idle()))
        }
        status = caller.ended(context.engine()) => Err(status),
    }
}

/// Waits for room in the writer's queue: an import must not fail because others write too.
async fn enqueue(
    context: &Context,
    namespace: &Grant,
    submission: Submission,
) -> Result<oneshot::Receiver<Result<Receipt, SubmitError>>, Status> {
    context
        .engine()
        .enqueue_patiently(namespace, submission)
        .await
        .map_err(|error| failure::submit(&error, &[]))
}

async fn settle(waiting: Waiting, report: &mut proto::ImportFactsResponse) -> Result<(), Status> {
    let Waiting { first_row, operations, receipt } = waiting;
    let receipt = receipt.await.unwrap_or(Err(SubmitError::Closed));
    let receipt = receipt.map_err(|error| failure::submit(&error, &operations))?;
    report.tx = receipt.tx.raw();
    for (place, outcome) in (0..).zip(&receipt.outcomes) {
        let count = match outcome.status {
            OutcomeStatus::Applied => &mut report.applied,
            OutcomeStatus::NoChange => &mut report.no_change,
            OutcomeStatus::NoMatch => &mut report.no_match,
            OutcomeStatus::Blocked => &mut report.blocked,
            OutcomeStatus::Replayed => &mut report.replayed,
            OutcomeStatus::Contested => &mut report.contested,
            OutcomeStatus::Invalid => &mut report.rejected,
        };
        *count += 1;
        let invalid = outcome.status == OutcomeStatus::Invalid;
        if invalid && report.rejected_rows.len() < IMPORT_ERRORS_MAX {
            let violations = to_proto::outcome(outcome, &operations).violations;
            // A caller may number its rows as it likes, up to the last number there is.
            let row = first_row.saturating_add(place);
            report.rejected_rows.push(proto::RejectedRow { row, violations });
        }
    }
    Ok(())
}

/// Every transaction up to the last one when the stream began.
pub(super) fn export(
    context: &Context,
    caller: Caller,
    namespace: Grant,
    from: TxId,
) -> Result<Reply<proto::ExportFactsResponse>, Status> {
    let permit = context.stream(&namespace)?;
    let (sender, receiver) = mpsc::channel(STREAM_MESSAGES_MAX);
    let context = context.clone();
    let work = async move {
        let _permit = permit;
        let result = tokio::select! {
            result = export_into(&context, namespace, from, &sender) => result,
            status = caller.ended(context.engine()) => Err(status),
        };
        if let Err(status) = result {
            // A caller that has gone does not mind.
            let _ = sender.send(Err(status)).await;
        }
    };
    tokio::spawn(Account::along(work));
    Ok(Box::pin(ReceiverStream::new(receiver)))
}

async fn export_into(
    context: &Context,
    namespace: Grant,
    from: TxId,
    sender: &mpsc::Sender<Result<proto::ExportFactsResponse, Status>>,
) -> Result<(), Status> {
    let latest = AsOf { valid: None, known: Known::Latest };
    let last = context.read(&namespace, latest, |snapshot| snapshot.basis.tx)?;
    let mut next = from.max(TxId::new(1));
    while next <= last {
        let messages = chunk(context, &namespace, next, |snapshot, tx| {
            Some(proto::ExportFactsResponse {
                tx: tx.id.raw(),
                tx_time: Some(to_proto::instant(tx.time)),
                operations: operations(snapshot, tx),
            })
        });
        let (messages, reached) = messages.await?;
        next = reached.next();
        for message in messages.into_iter().filter(|message| message.tx <= last.raw()) {
            if sender.send(Ok(message)).await.is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Transactions from one on, then as they come, until the caller or the server goes.
pub(super) fn watch(
    context: &Context,
    caller: Caller,
    namespace: Grant,
    pattern: PatternName,
    from: Option<TxId>,
    stopping: Stopping,
) -> Result<Reply<proto::WatchFactsResponse>, Status> {
    let permit = context.stream(&namespace)?;
    let committed = context.engine().follow(&namespace).map_err(|error| failure::read(&error))?;
    let next = from.unwrap_or_else(|| committed.borrow().next()).max(TxId::new(1));
    let (sender, receiver) = mpsc::channel(STREAM_MESSAGES_MAX);
    let watch = Watch { context: context.clone(), namespace, pattern, next, committed };
    let engine = context.engine().clone();
    let work = async move {
        let _permit = permit;
        let mut stopping = stopping;
        let ended = tokio::select! {
            ended = watch.run(&sender) => ended,
            _ = stopping.wait_for(|stop| *stop) => Err(failure::shutting_down()),
            status = caller.ended(&engine) => Err(status),
            () = sender.closed() => Ok(()),
        };
        if let Err(status) = ended {
            let _ = sender.send(Err(status)).await;
        }
    };
    tokio::spawn(Account::along(work));
    Ok(Box::pin(ReceiverStream::new(receiver)))
}

struct Watch {
    context: Context,
    namespace: Grant,
    pattern: PatternName,
    next: TxId,
    committed: watch::Receiver<TxId>,
}

impl Watch {
    async fn run(
        mut self,
        sender: &mpsc::Sender<Result<proto::WatchFactsResponse, Status>>,
    ) -> Result<(), Status> {
        loop {
            let next = self.next;
            if self.committed.wait_for(|last| *last >= next).await.is_err() {
                return Err(failure::namespace_gone(&self.namespace));
            }
            let pattern = self.pattern.clone();
            let messages = chunk(&self.context, &self.namespace, next, move |snapshot, tx| {
                watched(snapshot, tx, &pattern)
            });
            let (messages, reached) = messages.await?;
            self.next = reached.next();
            for message in messages.into_iter().flatten() {
                if sender.send(Ok(message)).await.is_err() {
                    return Ok(());
                }
            }
        }
    }
}

/// One read of the log, with each transaction made into a message, and how far it reached.
async fn chunk<T: Send + 'static>(
    context: &Context,
    namespace: &Grant,
    from: TxId,
    message: impl Fn(Snapshot<'_>, &Tx) -> Option<T> + Send + 'static,
) -> Result<(Vec<T>, TxId), Status> {
    let engine = context.engine().clone();
    let namespace = namespace.clone();
    let read = move || {
        let chunk = engine.log(&namespace, from)?;
        let reached = chunk.txs.last().map_or(from, |tx| tx.id);
        let latest = AsOf { valid: None, known: Known::Latest };
        engine.read(&namespace, latest, |snapshot| {
            let messages = chunk.txs.iter().filter_map(|tx| message(snapshot, tx)).collect();
            (messages, reached)
        })
    };
    context.aside(read).await?.map_err(|error| failure::read(&error))
}

/// What a transaction opened and closed of a pattern, in as many messages as it takes; nothing if
/// that is nothing.
fn watched(
    snapshot: Snapshot<'_>,
    tx: &Tx,
    asked: &PatternName,
) -> Option<Vec<proto::WatchFactsResponse>> {
    // What it closes is named as before it, what it opens as after it: it may be a merge.
    let pattern_at = |id| {
        let basis = Basis { tx: id, ..snapshot.basis };
        Snapshot { basis, ..snapshot }.pattern(asked)
    };
    let before = pattern_at(TxId::new(tx.id.raw() - 1));
    let after = pattern_at(tx.id);
    let fits = |pattern: &Option<Pattern>, triple: &Triple| {
        pattern.as_ref().is_some_and(|pattern| pattern.matches(triple))
    };
    let (mut opened, mut closed) = (Vec::new(), Vec::new());
    for change in &tx.changes {
        match change {
            Change::Opened { triple, valid } if fits(&after, triple) => {
                let row = Row { triple: *triple, valid: *valid, tx_from: tx.id, closed: None };
                opened.push(render::rectangle(snapshot.directory, &row));
            }
            Change::Closed { triple, valid, believed_from, reason } if fits(&before, triple) => {
                let closed_at = Some((tx.id, *reason));
                let (triple, valid, tx_from) = (*triple, *valid, *believed_from);
                let row = Row { triple, valid, tx_from, closed: closed_at };
                closed.push(render::rectangle(snapshot.directory, &row));
            }
            _ => {}
        }
    }
    let erased = tx.changes.iter().any(|change| matches!(change, Change::Erasure(_)));
    let everything = *asked == PatternName::default();
    if !everything && !erased && opened.is_empty() && closed.is_empty() {
        return None;
    }
    let message =
        |closed: &[proto::Rectangle], opened: &[proto::Rectangle]| proto::WatchFactsResponse {
            tx: tx.id.raw(),
            tx_time: Some(to_proto::instant(tx.time)),
            opened: opened.to_vec(),
            closed: closed.to_vec(),
            continued: true,
            erased,
        };
    let mut messages: Vec<proto::WatchFactsResponse> =
        closed.chunks(STREAM_ROWS_MAX).map(|closed| message(closed, &[])).collect();
    messages.extend(opened.chunks(STREAM_ROWS_MAX).map(|opened| message(&[], opened)));
    if closed.len() + opened.len() <= STREAM_ROWS_MAX {
        messages = vec![message(&closed, &opened)];
    }
    if let Some(last) = messages.last_mut() {
        last.continued = false;
    }
    Some(messages)
}
