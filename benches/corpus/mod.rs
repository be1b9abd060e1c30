//! The corpus of the benches: a seeded, endless stream of facts, and questions about them.
//!
//! - One entity for ten facts, each named once to begin with. After that subjects follow Zipf with exponent 0.7 and objects with 1.0, so a few
//!   entities are hubs: of a million facts the first subject has about one in a hundred, the first
//!   object one in fifteen.
//! - 50 predicates: 20 hold one object, so their facts supersede one another in chains; 30 hold
//!   many. Every fifth of either kind points at values.
//! - Facts arrive roughly in the order in which they become true, over ten years; one in five comes
//!   late, from any time of them. Facts of predicates with many objects are open or have an end.
//!
//! The same seed gives the same facts on every machine.

#![allow(dead_code, reason = "each bench uses a part of it")]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "ranks, shares and times of a corpus are far from any bound"
)]

use tenure::kernel::Command;
use tenure::rpc::civil::Zone;
use tenure::rpc::proto::operation::Operation as Kind;
use tenure::rpc::{from_proto, proto};
use tenure::types::Clearance;

pub(crate) const NAMESPACE: &str = "bench";
pub(crate) const PREDICATES: u32 = 50;
pub(crate) const PREDICATES_ONE: u32 = 20;
/// Rows of one import message, and so of one transaction.
pub(crate) const BATCH: usize = 1_000;

/// 2015-01-01 and ten years on, in microseconds.
const YEARS_START: i64 = 1_420_070_400_000_000;
const YEARS_SPAN: i64 = 10 * 365 * DAY;
const DAY: i64 = 24 * 3_600 * 1_000_000;
const SEED: u64 = 0x7E4D_5EED;

/// splitmix64: small, fast, and good enough to shuffle a corpus.
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(SEED ^ seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        (self.unit() * f64::from(bound)) as u32
    }

    /// An instant within the ten years, but not before another.
    pub(crate) fn instant_from(&mut self, first: i64) -> i64 {
        first + (self.unit() * (YEARS_START + YEARS_SPAN - first).max(DAY) as f64) as i64
    }

    /// An instant within the ten years.
    pub(crate) fn instant(&mut self) -> i64 {
        YEARS_START + (self.unit() * YEARS_SPAN as f64) as i64
    }
}

/// Ranks from 0, the chance of each falling with a power of its place.
#[derive(Clone, Debug)]
struct Zipf {
    cumulative: Vec<f64>,
}

impl Zipf {
    fn new(count: u32, exponent: f64) -> Zipf {
        let mut sum = 0.0;
        let weight = |rank: u32| (f64::from(rank) + 1.0).powf(-exponent);
        let cumulative = (0..count).map(|rank| {
            sum += weight(rank);
            sum
        });
        Zipf { cumulative: cumulative.collect() }
    }

    fn draw(&self, rng: &mut Rng) -> u32 {
        let at = rng.unit() * self.cumulative.last().expect("at least one rank");
        self.cumulative.partition_point(|sum| *sum <= at) as u32
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Fact {
    pub(crate) subject: u32,
    pub(crate) predicate: u32,
    pub(crate) object: proto::Object,
    pub(crate) from: i64,
    pub(crate) to: Option<i64>,
}

impl Fact {
    pub(crate) fn operation(&self) -> proto::Operation {
        let triple = proto::Triple {
            subject: entity_name(self.subject),
            predicate: predicate_name(self.predicate),
            object: Some(self.object.clone()),
        };
        operation(Kind::Assert(proto::Assert {
            triple: Some(triple),
            from: Some(bound(self.from)),
            to: self.to.map(bound),
            ..Default::default()
        }))
    }
}

/// How many facts there are, and who is how often named in them.
#[derive(Clone, Debug)]
pub(crate) struct Corpus {
    pub(crate) size: usize,
    pub(crate) entities: u32,
    subjects: Zipf,
    objects: Zipf,
}

impl Corpus {
    pub(crate) fn new(size: usize) -> Corpus {
        let entities = u32::try_from(size / 10).expect("a corpus of this world").max(100);
        let (subjects, objects) = (Zipf::new(entities, 0.7), Zipf::new(entities, 1.0));
        Corpus { size, entities, subjects, objects }
    }

    /// As many facts as asked for by `TENURE_BENCH_FACTS`, or 100,000.
    pub(crate) fn from_env() -> Corpus {
        let asked = std::env::var("TENURE_BENCH_FACTS").ok();
        let size = asked.map_or(100_000, |text| {
            text.replace('_', "").parse().expect("TENURE_BENCH_FACTS is a number")
        });
        Corpus::new(size)
    }

    /// The facts of the corpus, then more of their kind without an end.
    pub(crate) fn facts(&self) -> impl Iterator<Item = Fact> + '_ {
        let mut rng = Rng::new(1);
        (0_u32..).map(move |place| {
            let reached = (f64::from(place) / self.size as f64).min(1.0);
            let fact = self.fact(&mut rng, reached);
            if place < self.entities { Fact { subject: place, ..fact } } else { fact }
        })
    }

    /// Some of the facts of the corpus, evenly over its length.
    pub(crate) fn sample(&self) -> Vec<Fact> {
        self.facts().take(self.size).step_by((self.size / 5_000).max(1)).collect()
    }

    /// A fact that arrives when this share of the ten years has passed.
    fn fact(&self, rng: &mut Rng, reached: f64) -> Fact {
        let (subject, predicate) = (self.subject(rng), rng.below(PREDICATES));
        let object = if predicate.is_multiple_of(5) {
            let value = proto::value::Value::Integer(i64::from(rng.below(10_000)));
            let value = proto::Value { value: Some(value) };
            proto::Object { object: Some(proto::object::Object::Value(value)) }
        } else {
            entity(self.objects.draw(rng))
        };
        let late = rng.below(5) == 0;
        let share = if late { rng.unit() } else { reached };
        let from = YEARS_START + (share * YEARS_SPAN as f64) as i64;
        let from = from + (rng.unit() * (30 * DAY) as f64) as i64;
        let ends = !holds_one(predicate) && rng.below(5) < 2;
        let length = DAY + (rng.unit().powi(3) * (YEARS_SPAN / 2) as f64) as i64;
        Fact { subject, predicate, object, from, to: ends.then_some(from + length) }
    }

    /// An entity, as often as it is a subject.
    pub(crate) fn subject(&self, rng: &mut Rng) -> u32 {
        self.subjects.draw(rng)
    }

    /// One of the twenty entities with the most facts.
    pub(crate) fn hub(rng: &mut Rng) -> u32 {
        rng.below(20)
    }
}

/// Whether a predicate is declared to hold one object.
pub(crate) fn holds_one(predicate: u32) -> bool {
    predicate < PREDICATES_ONE
}

pub(crate) fn declarations() -> Vec<proto::Operation> {
    let declare = |predicate| {
        operation(Kind::DeclarePredicate(proto::DeclarePredicate {
            predicate: predicate_name(predicate),
            cardinality: proto::Cardinality::One.into(),
        }))
    };
    (0..PREDICATES_ONE).map(declare).collect()
}

/// The world changed: the one object of a slot became another.
pub(crate) fn supersede(subject: u32, predicate: u32, new: u32, at: i64) -> proto::Operation {
    operation(Kind::Supersede(proto::Supersede {
        subject: entity_name(subject),
        predicate: predicate_name(predicate),
        new_object: Some(entity(new)),
        at: Some(bound(at)),
        ..Default::default()
    }))
}

/// A fact that was not there before, made of the number of the write.
pub(crate) fn novel(corpus: &Corpus, rng: &mut Rng, number: u32) -> proto::Operation {
    let predicate = PREDICATES_ONE + 1 + number % 4;
    let object = entity(corpus.entities + number);
    let (subject, from) = (corpus.subject(rng), rng.instant());
    Fact { subject, predicate, object, from, to: None }.operation()
}

/// A predicate that holds one entity.
pub(crate) fn one_predicate(rng: &mut Rng) -> u32 {
    1 + rng.below(4) + 5 * rng.below(PREDICATES_ONE / 5)
}

/// What the server would make of the operations.
pub(crate) fn command(operations: Vec<proto::Operation>) -> Command {
    let namespace = NAMESPACE.to_owned();
    let mode = proto::TransactMode::Partial.into();
    let request = proto::TransactRequest { namespace, operations, mode, ..Default::default() };
    from_proto::command(&request, Zone::UNSET, &Clearance::Everything)
        .expect("a well-formed request")
}

pub(crate) fn entity_name(rank: u32) -> String {
    const FIRST: [&str; 8] = ["Ada", "Bo", "Chandra", "Dmitri", "Élise", "Femi", "Grace", "Hiro"];
    const LAST: [&str; 7] = ["Lind", "Okafor", "Marsh", "Tanaka", "Weiss", "Duarte", "Novak"];
    let (first, last) = (FIRST[rank as usize % 8], LAST[rank as usize % 7]);
    format!("{first} {last} {rank}")
}

pub(crate) fn predicate_name(predicate: u32) -> String {
    const VERBS: [&str; 5] = ["measures", "works_at", "lives_in", "reports_to", "owns"];
    format!("{}_{predicate}", VERBS[predicate as usize % 5])
}

fn entity(rank: u32) -> proto::Object {
    proto::Object { object: Some(proto::object::Object::Entity(entity_name(rank))) }
}

fn operation(kind: Kind) -> proto::Operation {
    proto::Operation { operation: Some(kind) }
}

fn bound(unix_micros: i64) -> proto::Bound {
    let at = proto::bound::Bound::Instant(proto::Instant { unix_micros });
    proto::Bound { bound: Some(at), ..Default::default() }
}
