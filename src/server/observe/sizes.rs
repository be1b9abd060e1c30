//! What is read from the engine, the models and the process when somebody looks.

use std::fmt::Error;
use std::sync::Arc;
use std::time::SystemTime;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;

use crate::engine::{Engine, Seen, Sizes};
use crate::models::{Embedder, Models, Reranker, Usage};
use crate::types::limits::{METRIC_NAMESPACES_MAX, QUEUE_COMMANDS_MAX};

/// What stands for all namespaces past the bound. No namespace can have this name.
const OTHER: &str = "(other)";

pub(super) struct Looks {
    pub(super) engine: Engine,
    pub(super) models: Arc<Models>,
    pub(super) started: SystemTime,
}

impl std::fmt::Debug for Looks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Looks")
    }
}

impl Collector for Looks {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), Error> {
        let out = &mut encoder;
        self.writer(out)?;
        self.recall(out)?;
        self.namespaces(out)?;
        self.models(out)?;
        self.process(out)
    }
}

type Gauge = (&'static str, &'static str, fn(&Sizes) -> u64);

/// Per namespace.
const GAUGES: [Gauge; 9] = [
    ("namespace_transactions", "Transactions of a namespace", |sizes| sizes.transactions),
    ("namespace_facts_live", "Rectangles that are believed", |sizes| sizes.rectangles_live),
    ("namespace_facts_closed", "Rectangles of history", |sizes| sizes.rectangles_closed),
    ("namespace_documents", "Documents that recall can find", |sizes| sizes.documents),
    ("text_behind_documents", "Documents the text view lacks", |sizes| sizes.text_behind),
    ("vector_behind_documents", "Documents that wait for a vector", |sizes| sizes.vectors_behind),
    ("graph_bytes", "Memory of the graph", |sizes| sizes.graph_bytes),
    ("text_bytes", "Disk of the text view", |sizes| sizes.text_bytes),
    ("vector_bytes", "Memory of the vectors", |sizes| sizes.vector_bytes),
];

type Count = (&'static str, &'static str, fn(&Usage) -> u64);

/// Per model.
const COUNTS: [Count; 6] = [
    ("model_calls", "Calls of a model, each with its attempts", |usage| usage.calls),
    ("model_failures", "Calls that ended in an error", |usage| usage.failures),
    ("model_retries", "Attempts after the first", |usage| usage.retries),
    ("model_inputs", "Texts that were answered", |usage| usage.inputs),
    ("model_tokens", "Tokens as the other side counts them", |usage| usage.tokens),
    ("model_cache_hits", "Questions answered from memory", |usage| usage.cache_hits),
];

impl Looks {
    fn writer(&self, out: &mut DescriptorEncoder<'_>) -> Result<(), Error> {
        let meters = self.engine.meters();
        gauge(out, "writer_queue_commands", "Commands that wait", count(self.engine.queued()))?;
        let bound = count(QUEUE_COMMANDS_MAX);
        gauge(out, "writer_queue_commands_max", "Commands that may wait", bound)?;
        let help = "From the end of a batch to the end of its fsync";
        let kind = MetricType::Histogram;
        let durations =
            out.encode_descriptor("commit_duration", help, Some(&Unit::Seconds), kind)?;
        spread(durations, &meters.commits, 1e6)?;
        let help = "Commands of a batch";
        spread(out.encode_descriptor("commit_commands", help, None, kind)?, &meters.batches, 1.0)?;
        counter(out, "commit_failures", "Batches the disk did not take", meters.failures)?;
        let broken = u64::from(meters.broken);
        gauge(out, "store_broken", "1 while nothing can be written", broken)?;
        gauge(out, "store_bytes", "Length of the data file", self.engine.file_bytes())
    }

    fn recall(&self, out: &mut DescriptorEncoder<'_>) -> Result<(), Error> {
        let help = "Legs of recall, by how they ended";
        let mut family = out.encode_descriptor("recall_legs", help, None, MetricType::Counter)?;
        for (leg, counts) in self.engine.meters().legs {
            let ends = [
                ("searched", counts.searched),
                ("skipped", counts.skipped),
                ("broken", counts.broken),
            ];
            for (end, count) in ends {
                let labels = [("leg", leg), ("state", end)];
                family
                    .encode_family(&labels)?
                    .encode_counter::<NoLabelSet, u64, f64>(&count, None)?;
            }
        }
        let meters = self.engine.meters();
        let help = "Steps of recall that ended in an error";
        let mut family =
            out.encode_descriptor("recall_step_failures", help, None, MetricType::Counter)?;
        for seen in &meters.steps {
            family
                .encode_family(&[("step", seen.step)])?
                .encode_counter::<NoLabelSet, u64, f64>(&seen.failures, None)?;
        }
        let (help, kind) = ("One step of recall", MetricType::Histogram);
        let seconds = Some(&Unit::Seconds);
        let mut family = out.encode_descriptor("recall_step_duration", help, seconds, kind)?;
        for seen in &meters.steps {
            spread(family.encode_family(&[("step", seen.step)])?, &seen.took, 1e6)?;
        }
        Ok(())
    }

    fn namespaces(&self, out: &mut DescriptorEncoder<'_>) -> Result<(), Error> {
        let all = self.engine.sizes();
        gauge(out, "namespaces", "Namespaces there are", count(all.len()))?;
        let shown = bounded(all, METRIC_NAMESPACES_MAX);
        for (name, help, get) in GAUGES {
            let mut family = out.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for (namespace, sizes) in &shown {
                let labels = [("namespace", namespace.as_str())];
                family.encode_family(&labels)?.encode_gauge(&clamped(get(sizes)))?;
            }
        }
        Ok(())
    }

    fn models(&self, out: &mut DescriptorEncoder<'_>) -> Result<(), Error> {
        let embedder = self.models.embedder.as_ref().map(Embedder::usage);
        let reranker = self.models.reranker.as_ref().map(Reranker::usage);
        for (name, help, get) in COUNTS {
            let mut family = out.encode_descriptor(name, help, None, MetricType::Counter)?;
            for (model, usage) in [("embedder", &embedder), ("reranker", &reranker)] {
                let Some(usage) = usage else { continue };
                family
                    .encode_family(&[("model", model)])?
                    .encode_counter::<NoLabelSet, u64, f64>(&get(usage), None)?;
            }
        }
        Ok(())
    }

    fn process(&self, out: &mut DescriptorEncoder<'_>) -> Result<(), Error> {
        let started = self.started.duration_since(SystemTime::UNIX_EPOCH);
        let started = started.map_or(0, |started| started.as_secs());
        gauge(out, "process_start_time_seconds", "When it started, in Unix time", started)?;
        if let Some(bytes) = resident_bytes() {
            gauge(out, "process_resident_memory_bytes", "Memory of the process", bytes)?;
        }
        let help = "What runs";
        let mut family = out.encode_descriptor("build", help, None, MetricType::Info)?;
        family.encode_info(&[("version", env!("CARGO_PKG_VERSION"))])
    }
}

/// The largest namespaces each by itself, all others added up.
fn bounded(mut all: Vec<(String, Sizes)>, bound: usize) -> Vec<(String, Sizes)> {
    if all.len() <= bound {
        return all;
    }
    all.sort_by_key(|(_, sizes)| std::cmp::Reverse(sizes.transactions));
    let rest = all.split_off(bound).into_iter();
    let other = rest.fold(Sizes::default(), |sum, (_, sizes)| sum.and(sizes));
    all.push((OTHER.to_owned(), other));
    all
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// A gauge of the exposition is signed.
fn clamped(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn gauge(out: &mut DescriptorEncoder<'_>, name: &str, help: &str, now: u64) -> Result<(), Error> {
    out.encode_descriptor(name, help, None, MetricType::Gauge)?.encode_gauge(&clamped(now))
}

fn counter(out: &mut DescriptorEncoder<'_>, name: &str, help: &str, now: u64) -> Result<(), Error> {
    let mut metric = out.encode_descriptor(name, help, None, MetricType::Counter)?;
    metric.encode_counter::<NoLabelSet, u64, f64>(&now, None)
}

#[allow(clippy::cast_precision_loss, reason = "a metric is a number of about that size")]
fn spread(mut metric: MetricEncoder<'_>, seen: &Seen, per_unit: f64) -> Result<(), Error> {
    let mut buckets: Vec<(f64, u64)> =
        seen.buckets.iter().map(|(end, count)| (*end as f64 / per_unit, *count)).collect();
    buckets.push((f64::MAX, seen.above));
    let count = buckets.iter().map(|(_, count)| count).sum();
    metric.encode_histogram::<NoLabelSet>(seen.sum as f64 / per_unit, count, &buckets, None)
}

/// Where the system tells it in the way of Linux.
fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1_024)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many(count: u64) -> Vec<(String, Sizes)> {
        let of = |transactions| Sizes { transactions, documents: 1, ..Sizes::default() };
        (0..count).map(|each| (format!("n{each}"), of(each))).collect()
    }

    #[test]
    fn namespaces_past_the_bound_are_added_up() {
        let bound = u64::try_from(METRIC_NAMESPACES_MAX).expect("a small number");
        assert_eq!(bounded(many(bound), METRIC_NAMESPACES_MAX).len(), METRIC_NAMESPACES_MAX);
        let shown = bounded(many(bound + 2), METRIC_NAMESPACES_MAX);
        assert_eq!(shown.len(), METRIC_NAMESPACES_MAX + 1);
        let (name, sizes) = shown.last().expect("one");
        assert_eq!((name.as_str(), sizes.transactions, sizes.documents), (OTHER, 1, 2));
    }
}
