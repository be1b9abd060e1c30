//! A vector in one byte a number, and how far that can be off.

use simsimd::SpatialSimilarity;

use crate::types::Vector;

/// Rounding of a dot product in 32 bits, which the error of a code does not contain.
const ROUNDING: f32 = 1e-5;

/// The direction of a vector, its largest number scaled to 127: a vector with one large number and
/// many small ones loses no more of its direction than one of equal numbers.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) numbers: Vec<i8>,
    pub(super) gauge: Gauge,
}

/// What turns the dot product of two codes into a cosine and its bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gauge {
    /// One over the length of the code.
    pub(super) inverse_length: f32,
    /// Distance between the vector and the code scaled to length one.
    pub(super) error: f32,
}

impl Code {
    pub(super) fn new(vector: &Vector) -> Code {
        let numbers = vector.numbers();
        let largest = numbers.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
        let scale = 127.0 / largest;
        #[allow(clippy::cast_possible_truncation, reason = "at most 127 after the scaling")]
        let codes: Vec<i8> = numbers.iter().map(|number| (number * scale).round() as i8).collect();
        let square: f32 = codes.iter().map(|code| f32::from(*code).powi(2)).sum();
        let inverse_length = square.sqrt().recip();
        let apart = numbers.iter().zip(&codes);
        let error: f32 =
            apart.map(|(number, code)| (number - f32::from(*code) * inverse_length).powi(2)).sum();
        Code { numbers: codes, gauge: Gauge { inverse_length, error: error.sqrt() } }
    }
}

impl Gauge {
    /// The cosine of two vectors as their codes have it.
    pub(super) fn cosine(self, other: Gauge, dot: f32) -> f32 {
        dot * self.inverse_length * other.inverse_length
    }

    /// The most by which that cosine differs from the one of the vectors. For unit vectors a, b and
    /// codes a', b': `|ab - a'b'| = |(a - a')b + a'(b - b')|`, at most the sum of the errors.
    pub(super) fn reach(self, other: Gauge) -> f32 {
        self.error + other.error + ROUNDING
    }
}

pub(super) fn dot_codes(a: &[i8], b: &[i8]) -> f32 {
    narrowed(i8::dot(a, b).expect("codes of one space have one length"))
}

/// The cosine of two vectors of length one.
pub(super) fn cosine(a: &[f32], b: &[f32]) -> f32 {
    narrowed(f32::dot(a, b).expect("vectors of one space have one length")).clamp(-1.0, 1.0)
}

#[allow(clippy::cast_possible_truncation, reason = "the nearest 32-bit number is what is wanted")]
fn narrowed(number: f64) -> f32 {
    number as f32
}
