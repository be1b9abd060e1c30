//! Question: what does the engine itself cost, without a wire?
//!
//! Corpus: `corpus/mod.rs`, `TENURE_BENCH_FACTS` facts (100,000), imported in batches of 1,000.
//! Subjects are drawn as often as they are subjects, dates anywhere in the ten years.
//!
//! Caveat: the writes grow the store while they are measured, and they wait for the disk: compare
//! them with `small commit` of the same run, which is one row and one fsync. Reads of the same run
//! see the corpus before any measured write.

mod corpus;
#[allow(dead_code, reason = "only the small commit is of use here")]
mod report;

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tokio::runtime::{Builder, Runtime};

use corpus::{BATCH, Corpus, NAMESPACE, Rng};
use report::SmallCommit;
use tenure::engine::{Config, Engine, SystemClock};
use tenure::kernel::Command;
use tenure::query::{
    AsOf, Budget, DiffQuery, FactsQuery, Heading, Pattern, Side, Snapshot, Span, TraverseQuery,
    diff, entity_facts, facts, timeline, traverse,
};
use tenure::rpc::proto;
use tenure::types::{Basis, EntityId, Grant, Name, Object, PredicateId, Timestamp};

struct Loaded {
    corpus: Corpus,
    engine: Engine,
    runtime: Runtime,
    namespace: Grant,
}

impl Loaded {
    fn new(home: &Path) -> Loaded {
        let corpus = Corpus::from_env();
        let engine = open(home);
        let runtime = Builder::new_multi_thread().worker_threads(1).build().expect("a runtime");
        let namespace = Name::new(NAMESPACE).expect("a name");
        runtime.block_on(engine.create_namespace(&namespace, "", None)).expect("a new namespace");
        let namespace = Grant::all(namespace);
        let loaded = Loaded { corpus, engine, runtime, namespace };
        loaded.submit(corpus::command(corpus::declarations()));
        let facts = loaded.corpus.facts().take(loaded.corpus.size);
        for batch in batches(facts.map(|fact| fact.operation())) {
            loaded.submit(batch);
        }
        loaded
    }

    fn submit(&self, command: Command) {
        let submitted = self.engine.submit(&self.namespace, command.into());
        self.runtime.block_on(submitted).expect("a durable write");
    }

    fn read<T>(&self, rng: &mut Rng, ask: impl FnOnce(Snapshot<'_>) -> T) -> T {
        let as_of = AsOf { valid: Some(instant(rng)), ..AsOf::default() };
        self.engine.read(&self.namespace, as_of, ask).expect("the namespace exists")
    }
}

fn open(home: &Path) -> Engine {
    let config = Config::new(home.to_owned());
    Engine::open(&config, Arc::new(SystemClock)).expect("the directory opens")
}

fn named(snapshot: Snapshot<'_>, rank: u32) -> EntityId {
    let name = Name::new(&corpus::entity_name(rank)).expect("a name");
    snapshot.entity(&name).expect("the corpus names every entity")
}

fn predicate(snapshot: Snapshot<'_>, predicate: u32) -> Vec<PredicateId> {
    let name = Name::new(&corpus::predicate_name(predicate)).expect("a name");
    snapshot.predicates(&[name]).expect("every predicate is used")
}

fn instant(rng: &mut Rng) -> Timestamp {
    Timestamp::from_micros(rng.instant())
}

fn batches(
    mut operations: impl Iterator<Item = proto::Operation>,
) -> impl Iterator<Item = Command> {
    std::iter::from_fn(move || {
        let batch: Vec<_> = operations.by_ref().take(BATCH).collect();
        (!batch.is_empty()).then(|| corpus::command(batch))
    })
}

fn reads(criterion: &mut Criterion, loaded: &Loaded) {
    let mut group = criterion.benchmark_group("read");
    let mut rng = Rng::new(2);
    let all = || Budget::edges(u64::MAX);
    let sample = loaded.corpus.sample();
    let count = u32::try_from(sample.len()).expect("a few thousand");
    let slot = |rng: &mut Rng| {
        let fact = &sample[rng.below(count) as usize];
        (fact.subject, fact.predicate)
    };
    group.bench_function("as-of lookup", |bench| {
        bench.iter(|| {
            let (rank, wanted) = slot(&mut rng);
            loaded.read(&mut rng, |snapshot| {
                let subject = Some(named(snapshot, rank));
                let predicates = predicate(snapshot, wanted);
                let pattern = Pattern { subject, predicates, object: None };
                let query = FactsQuery { pattern, span: Span::Basis, limit: 100, after: None };
                black_box(facts(snapshot, &query, &mut all()))
            })
        });
    });
    group.bench_function("entity snapshot", |bench| {
        bench.iter(|| {
            let rank = loaded.corpus.subject(&mut rng);
            let ask = |snapshot: Snapshot<'_>| entity_facts(snapshot, named(snapshot, rank), 100);
            black_box(loaded.read(&mut rng, ask))
        });
    });
    for (hops, hub) in [(1, false), (2, false), (3, false), (3, true)] {
        let name = format!("{hops} hops, limit 100{}", if hub { ", hubs" } else { "" });
        let heading = Heading::Both;
        group.bench_function(name, |bench| {
            bench.iter(|| {
                let rank =
                    if hub { Corpus::hub(&mut rng) } else { loaded.corpus.subject(&mut rng) };
                loaded.read(&mut rng, |snapshot| {
                    let start = Object::Entity(named(snapshot, rank));
                    let (predicates, limit, fan_out) = (Vec::new(), 100, usize::MAX);
                    let query = TraverseQuery { start, hops, heading, predicates, limit, fan_out };
                    black_box(traverse(snapshot, &query, &mut all()))
                })
            });
        });
    }
    group.bench_function("timeline of a slot", |bench| {
        bench.iter(|| {
            let (rank, wanted) = slot(&mut rng);
            loaded.read(&mut rng, |snapshot| {
                let subject = named(snapshot, rank);
                let predicate = predicate(snapshot, wanted)[0];
                black_box(timeline(snapshot, subject, &[predicate]))
            })
        });
    });
    group.bench_function("diff of an entity", |bench| {
        bench.iter(|| {
            let (from, rank) = (instant(&mut rng), loaded.corpus.subject(&mut rng));
            loaded.read(&mut rng, |snapshot| {
                let subject = Some(named(snapshot, rank));
                let pattern = Pattern { subject, ..Pattern::default() };
                let (from, to) = (Basis { valid: from, ..snapshot.basis }, snapshot.basis);
                let (plain, limit, after) = (false, 100, None);
                let side = |basis| Side { basis, pattern: Some(pattern.clone()) };
                let (from, to) = (side(from), side(to));
                let query = DiffQuery { from, to, plain, limit, after };
                black_box(diff(snapshot, &query, &mut all()))
            })
        });
    });
    group.finish();
}

fn writes(criterion: &mut Criterion, loaded: &Loaded, small: &mut SmallCommit) {
    let mut group = criterion.benchmark_group("write");
    group.sample_size(20);
    let mut rng = Rng::new(3);
    let mut number = 0;
    let mut fresh = |rng: &mut Rng| {
        number += 1;
        corpus::command(vec![corpus::novel(&loaded.corpus, rng, number)])
    };
    group.bench_function("small commit", |bench| bench.iter(|| small.run()));
    group.bench_function("assert", |bench| {
        bench.iter_custom(|times| timed(times, || fresh(&mut rng), |one| loaded.submit(one)));
    });
    group.bench_function("supersede", |bench| {
        let mut change = || {
            let (subject, predicate) =
                (loaded.corpus.subject(&mut rng), corpus::one_predicate(&mut rng));
            let (new, at) = (loaded.corpus.subject(&mut rng), rng.instant());
            corpus::command(vec![corpus::supersede(subject, predicate, new, at)])
        };
        bench.iter_custom(|times| timed(times, &mut change, |one| loaded.submit(one)));
    });
    group.throughput(Throughput::Elements(16));
    group.bench_function("assert, 16 writers", |bench| {
        bench.iter_custom(|times| {
            let make = || (0..16).map(|_| fresh(&mut rng)).collect::<Vec<_>>();
            timed(times, make, |commands| sixteen(loaded, commands))
        });
    });
    group.throughput(Throughput::Elements(BATCH as u64));
    let more = loaded.corpus.facts().skip(loaded.corpus.size).map(|fact| fact.operation());
    let mut more = batches(more);
    group.bench_function("import of 1,000", |bench| {
        bench.iter_custom(|times| {
            let next = || more.next().expect("the facts have no end");
            timed(times, next, |batch| loaded.submit(batch))
        });
    });
    group.finish();
}

/// Time spent in `act` alone.
fn timed<T>(times: u64, mut make: impl FnMut() -> T, mut act: impl FnMut(T)) -> Duration {
    let mut took = Duration::ZERO;
    for _ in 0..times {
        let next = make();
        let began = Instant::now();
        act(next);
        took += began.elapsed();
    }
    took
}

fn sixteen(loaded: &Loaded, commands: Vec<Command>) {
    let writers: Vec<_> = commands
        .into_iter()
        .map(|command| {
            let (engine, namespace) = (loaded.engine.clone(), loaded.namespace.clone());
            loaded.runtime.spawn(async move { engine.submit(&namespace, command.into()).await })
        })
        .collect();
    for writer in writers {
        loaded.runtime.block_on(writer).expect("no panic").expect("a durable write");
    }
}

fn all(criterion: &mut Criterion) {
    let home = tempfile::tempdir().expect("a place for data");
    let data = home.path().join("data");
    let loaded = Loaded::new(&data);
    reads(criterion, &loaded);
    writes(criterion, &loaded, &mut SmallCommit::new(home.path()));
    loaded.engine.close();
    drop(loaded);
    let mut group = criterion.benchmark_group("reopen");
    group.sample_size(10);
    group.bench_function("open and close", |bench| bench.iter(|| open(&data).close()));
    group.finish();
}

criterion_group!(benches, all);
criterion_main!(benches);
