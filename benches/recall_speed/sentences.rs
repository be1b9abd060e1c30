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

    /// Subjects of the facts that are nearest among those that hold, by comparing with every one.
    pub(crate) fn nearest(&self, question: &[f32], date: i64, count: usize) -> Vec<String> {
        let mut all: Vec<(f32, usize)> = (0..self.size)
            .filter(|n| end(*n).is_none_or(|end| end > date))
            .map(|n| (cosine(question, &self.of(n)), n))
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.into_iter().take(count).map(|(_, n)| subject(n)).collect()
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

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
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
