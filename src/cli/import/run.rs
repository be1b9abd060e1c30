//! The loop: read records, plan operations, send streams, write back what was rejected.

use std::sync::{Arc, atomic::AtomicU64};

use crate::rpc::proto::{
    Cardinality, DeclarePredicate, Operation, TransactRequest, operation::Operation as Kind,
};

use super::super::{
    connect::Client,
    error::{Error, violation_text},
    ops,
    output::Output,
    run::Ending,
};
use super::{
    args::{Format, ImportArgs},
    graph,
    load::Load,
    plan::Plan,
    rejects::Rejects,
    sender::{Sender, Settled},
    source::{Record, Source},
    summary::{Progress, Summary},
};

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    args: &ImportArgs,
) -> Result<Ending, Error> {
    if args.format == Some(Format::MemoryLines) {
        return graph::run(client, output, args).await;
    }
    let bytes = Arc::new(AtomicU64::new(0));
    let mut source = Source::open(args, Arc::clone(&bytes))?;
    let reading = if source.holds_transactions()? {
        Reading::Transactions
    } else {
        let plan = Plan::new(args, source.header.as_deref())?;
        if !plan.left_out.is_empty() {
            eprintln!("note: columns left out: {}", plan.left_out.join(", "));
        }
        Reading::Rows(Box::new(plan))
    };
    declare_ones(client, &args.ones).await?;
    let progress = Progress::new(&args.file, bytes);
    let rejects = Rejects::new(args, &source, progress.bar.clone())?;
    let mut import =
        Import { reading, rejects, summary: Summary::new(), progress, sender: Sender::default() };
    let ended = import.all(client, &mut source, args).await;
    import.progress.bar.finish_and_clear();
    import.rejects.finish()?;
    if let Err(error) = ended {
        eprintln!(
            "the import stopped after {} rows; what is recorded stays",
            import.summary.settled()
        );
        return Err(error);
    }
    let (rejected, written) = (import.rejects.count, import.rejects.written());
    output.say(&import.summary.json(rejected, written), &import.summary.text(rejected, written))?;
    Ok(if rejected > 0 { Ending::Partly } else { Ending::Done })
}

/// What the records of the file are.
enum Reading {
    Rows(Box<Plan>),
    Transactions,
}

struct Import {
    reading: Reading,
    rejects: Rejects,
    summary: Summary,
    progress: Progress,
    sender: Sender,
}

impl Import {
    async fn all(
        &mut self,
        client: &Client,
        source: &mut Source,
        args: &ImportArgs,
    ) -> Result<(), Error> {
        // Rows are known by their content. A transaction that is replayed must be kept as it was,
        // even where it says again what was said before.
        let deduplicate = matches!(self.reading, Reading::Rows(_));
        let fresh = || Load::new(&client.namespace, args.batch as usize, deduplicate);
        let mut load = fresh();
        while let Some(record) = source.next_record()? {
            self.summary.read += 1;
            let planned = self.plan(&record);
            if load.is_full_for(planned.len()) {
                let full = std::mem::replace(&mut load, fresh());
                let settled = self.sender.send(client, full).await?;
                self.take(settled)?;
            }
            planned.put(&mut load, record);
        }
        if !load.is_empty() {
            let settled = self.sender.send(client, load).await?;
            self.take(settled)?;
        }
        let settled = self.sender.settle(client).await?;
        self.take(settled)
    }

    fn plan(&self, record: &Record) -> Planned {
        let content = match &record.content {
            Ok(content) => content,
            Err(reason) => return Planned::Rejected(vec![reason.clone()]),
        };
        match &self.reading {
            Reading::Rows(plan) => match plan.operation(content) {
                Ok(operation) => Planned::Row(operation),
                Err(reason) => Planned::Rejected(vec![reason]),
            },
            Reading::Transactions => match ops::request(&record.raw) {
                Ok(request) => Planned::Transaction(request),
                Err(refusal) if refusal.violations.is_empty() => {
                    Planned::Rejected(vec![refusal.to_string()])
                }
                Err(refusal) => {
                    Planned::Rejected(refusal.violations.iter().map(violation_text).collect())
                }
            },
        }
    }

    fn take(&mut self, settled: Option<Settled>) -> Result<(), Error> {
        let Some(Settled { load, response }) = settled else { return Ok(()) };
        self.summary.add(load.records.len() as u64, &response);
        self.rejects.write(&load)?;
        self.progress.show(&self.summary);
        Ok(())
    }
}

/// What a record became.
#[allow(clippy::large_enum_variant)] // It lives for one record.
enum Planned {
    Row(Operation),
    Transaction(ops::Request),
    Rejected(Vec<String>),
}

impl Planned {
    fn len(&self) -> usize {
        match self {
            Planned::Row(_) => 1,
            Planned::Transaction(request) => request.operations.len(),
            Planned::Rejected(_) => 0,
        }
    }

    fn put(self, load: &mut Load, record: Record) {
        match self {
            Planned::Row(operation) => load.row(record, operation),
            Planned::Transaction(request) => {
                load.transaction(record, request.operations, request.tx_time);
            }
            Planned::Rejected(reasons) => load.reject(record, reasons),
        }
    }
}

/// Before the first row, so that every row is folded under it. Saying it again changes nothing.
async fn declare_ones(client: &mut Client, ones: &[String]) -> Result<(), Error> {
    if ones.is_empty() {
        return Ok(());
    }
    let operations = ones
        .iter()
        .map(|name| Operation {
            operation: Some(Kind::DeclarePredicate(DeclarePredicate {
                predicate: name.clone(),
                cardinality: Cardinality::One.into(),
            })),
        })
        .collect();
    let request = TransactRequest {
        namespace: client.namespace.clone(),
        operations,
        ..TransactRequest::default()
    };
    let reply = client.facts.transact(request).await;
    client.answer(reply).map(|_| ())
}
