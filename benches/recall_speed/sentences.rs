//! A seeded corpus of facts with sentences and vectors, and questions about it.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "ranks and shares of a corpus are far from any bound"
)]

use tenure::rpc::proto;
use tenure::rpc::proto::operation::Operation as Kind;

use crate::corpus::Rng;

pub(crate) const DIMENSION: usize = 256;
/// Per cent that hold, and the date.
pub(crate) const DATES: [(u32, i64); 3] = [(100, 10_000_000), (20, 20_000_000), (1, 30_000_000)];
const CLUSTERS: usize = 500;
const LATENT: usize = 40;
const WORDS: f64 = 100_000.0;
const EXPONENT: f64 = 1.07;

pub(crate) struct Sentences {
    pub(crate) size: usize,
    /// From latent numbers to those of a vector.
    spread: Vec<[f32; LATENT]>,
    centres: Vec<[f32; LATENT]>,
}

impl Sentences {
    pub(crate) fn new(size: usize) -> Sentences {
        let mut rng = Rng::new(11);
        let mut latent = || std::array::from_fn(|_| normal(&mut rng));
        let spread = (0..DIMENSION).map(|_| latent()).collect();
        let centres = (0..CLUSTERS).map(|_| latent()).collect();
        Sentences { size, spread, centres }
    }

    pub(crate) fn operation(&self, n: usize) -> proto::Operation {
        let mut rng = Rng::new(n as u64 + 1_000);
        let object = proto::object::Object::Entity(format!("thing {}", n % 5_000));
        let triple = proto::Triple {
            subject: subject(n),
            predicate: format!("relates_{}", n % 40),
            object: Some(proto::Object { object: Some(object) }),
        };
        let length = 8 + (rng.unit() * 24.0) as usize;
        let statement: Vec<String> = (0..length).map(|_| word(&mut rng)).collect();
        let vector = proto::Vector { numbers: self.vector(&mut rng), ..Default::default() };
        let evidence = proto::Evidence {
            statement: statement.join(" "),
            vector: Some(vector),
            ..Default::default()
        };
        let instant = |micros| {
            let at = proto::bound::Bound::Instant(proto::Instant { unix_micros: micros });
            Some(proto::Bound { bound: Some(at), ..Default::default() })
        };
        let assert = proto::Assert {
            triple: Some(triple),
            from: instant(1),
            to: end(n).map_or_else(|| None, instant),
            evidence: Some(evidence),
            ..Default::default()
        };
        proto::Operation { operation: Some(Kind::Assert(assert)) }
    }

    /// Three words, none of the commonest, and a vector.
    pub(crate) fn question(&self, n: usize) -> (String, Vec<f32>) {
        let mut rng = Rng::new(n as u64 + 1_000_000_000);
        let words: Vec<String> = (0..3).map(|_| word(&mut rng)).collect();
        (words.join(" "), self.vector(&mut rng))
    }

    fn vector(&self, rng: &mut Rng) -> Vec<f32> {
        let centre = &self.centres[(rng.unit() * CLUSTERS as f64) as usize];
        let point: [f32; LATENT] = std::array::from_fn(|i| centre[i] + 0.4 * normal(rng));
        let numbers = self
            .spread
            .iter()
            .map(|row| row.iter().zip(&point).map(|(a, b)| a * b).sum::<f32>() + 0.5 * normal(rng));
        numbers.collect()
    }

    /// The subjects nearest to each of the first questions among the facts that hold at each date of
    /// [`DATES`], by comparing with every one. Each vector is made once and none is kept.
    pub(crate) fn nearest(&self, questions: usize, count: usize) -> Vec<[Vec<String>; 3]> {
        let asked: Vec<Vec<f32>> =
            (0..questions).map(|n| normal_length(self.question(n).1)).collect();
        let half = self.size / 2;
        let (first, second) = std::thread::scope(|scope| {
            let other = scope.spawn(|| self.nearest_in(0..half, &asked, count));
            (self.nearest_in(half..self.size, &asked, count), other.join().expect("no panic"))
        });
        let merge = |(mut a, b): (Best, Best)| {
            for near in b {
                insert(&mut a, near, count);
            }
            a.into_iter().map(|(_, n)| subject(n)).collect()
        };
        let pairs = first.into_iter().zip(second);
        pairs
            .map(|(a, b)| {
                let mut lists = a.into_iter().zip(b).map(merge);
                std::array::from_fn(|_| lists.next().expect("one for each date"))
            })
            .collect()
    }

    fn nearest_in(
        &self,
        part: std::ops::Range<usize>,
        asked: &[Vec<f32>],
        count: usize,
    ) -> Vec<[Best; 3]> {
        let mut best: Vec<[Best; 3]> = vec![<[Best; 3]>::default(); asked.len()];
        for n in part {
            let vector = normal_length(self.of(n));
            for (question, best) in asked.iter().zip(&mut best) {
                let near = (dot(question, &vector), n);
                for ((_, date), best) in DATES.iter().zip(best) {
                    if end(n).is_none_or(|end| end > *date) {
                        insert(best, near, count);
                    }
                }
            }
        }
        best
    }

    fn of(&self, n: usize) -> Vec<f32> {
        let mut rng = Rng::new(n as u64 + 1_000);
        let length = 8 + (rng.unit() * 24.0) as usize;
        for _ in 0..length {
            word(&mut rng);
        }
        self.vector(&mut rng)
    }
}

fn subject(n: usize) -> String {
    format!("subject {n}")
}

fn end(n: usize) -> Option<i64> {
    match n {
        n if n.is_multiple_of(100) => None,
        n if n.is_multiple_of(5) => Some(25_000_000),
        _ => Some(15_000_000),
    }
}

/// The nearest so far, best first.
type Best = Vec<(f32, usize)>;

fn insert(best: &mut Best, near: (f32, usize), count: usize) {
    let place = best.partition_point(|held| held.0 >= near.0);
    if place < count {
        best.insert(place, near);
        best.truncate(count);
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    // Eight sums at a time: one sum is one long chain of additions.
    let mut sums = [0.0_f32; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    sums.iter().sum()
}

fn normal_length(mut vector: Vec<f32>) -> Vec<f32> {
    let length = dot(&vector, &vector).sqrt();
    for number in &mut vector {
        *number /= length;
    }
    vector
}

fn normal(rng: &mut Rng) -> f32 {
    let (a, b) = (rng.unit().max(f64::MIN_POSITIVE), rng.unit());
    ((-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()) as f32
}

/// A word by its rank under Zipf's law, by inverting the integral of the density.
fn word(rng: &mut Rng) -> String {
    let power = 1.0 - EXPONENT;
    let whole = (WORDS.powf(power) - 1.0) / power;
    let rank = (1.0 + rng.unit() * whole * power).powf(1.0 / power);
    // Letters alone, so that a word is one token and no stem of another.
    let mut rank = rank as usize;
    let mut word = String::from("q");
    loop {
        word.push(char::from(b"bcdfghjkmp"[rank % 10]));
        rank /= 10;
        if rank == 0 {
            return word + "u";
        }
    }
}
