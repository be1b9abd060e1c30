//! Vectors of an embedding space, as a search can take them: finite, with a direction, of length one.

use std::sync::Arc;

use thiserror::Error;

use super::limits::VECTOR_NUMBERS_MAX;

/// A direction. Its numbers are scaled to length one, so the dot product of two is their cosine.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    numbers: Arc<[f32]>,
}

/// Why numbers are no vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum VectorError {
    #[error("a vector has numbers, this one has none")]
    Empty,
    #[error("the vector has {numbers} numbers, {VECTOR_NUMBERS_MAX} are allowed")]
    TooLong { numbers: usize },
    #[error("number {place} of the vector is not finite")]
    NotFinite { place: usize },
    #[error("all {numbers} numbers of the vector are zero: it points nowhere")]
    Zero { numbers: usize },
}

impl Vector {
    /// # Errors
    /// [`VectorError`] if there are no numbers, too many, one that is not finite, or only zeros.
    pub fn new(numbers: &[f32]) -> Result<Vector, VectorError> {
        if numbers.is_empty() {
            return Err(VectorError::Empty);
        }
        if numbers.len() > VECTOR_NUMBERS_MAX {
            return Err(VectorError::TooLong { numbers: numbers.len() });
        }
        if let Some(place) = numbers.iter().position(|number| !number.is_finite()) {
            return Err(VectorError::NotFinite { place });
        }
        // In 64 bits the squares of finite numbers of 32 neither overflow nor vanish.
        let square: f64 = numbers.iter().map(|number| f64::from(*number).powi(2)).sum();
        if square == 0.0 {
            return Err(VectorError::Zero { numbers: numbers.len() });
        }
        let length = square.sqrt();
        #[allow(clippy::cast_possible_truncation, reason = "a quotient of at most one")]
        let scaled = numbers.iter().map(|number| (f64::from(*number) / length) as f32);
        Ok(Vector { numbers: scaled.collect() })
    }

    #[must_use]
    pub fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    #[must_use]
    pub fn dimension(&self) -> usize {
        self.numbers.len()
    }
}

// No number of a vector is NaN, so equality is total.
impl Eq for Vector {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_has_length_one_whatever_it_came_with() {
        for numbers in [[3.0, 4.0], [3e-30, 4e-30], [3e30, 4e30]] {
            let vector = Vector::new(&numbers).expect("a direction");
            let expected = [0.6, 0.8];
            for (number, expected) in vector.numbers().iter().zip(expected) {
                assert!((number - expected).abs() < 1e-6, "{numbers:?} gives {vector:?}");
            }
        }
    }

    #[test]
    fn what_points_nowhere_is_refused() {
        assert_eq!(Vector::new(&[]), Err(VectorError::Empty));
        assert_eq!(Vector::new(&[0.0; 4]), Err(VectorError::Zero { numbers: 4 }));
        assert_eq!(Vector::new(&[1.0, f32::NAN]), Err(VectorError::NotFinite { place: 1 }));
        assert_eq!(Vector::new(&[f32::INFINITY]), Err(VectorError::NotFinite { place: 0 }));
        let numbers = VECTOR_NUMBERS_MAX + 1;
        assert_eq!(Vector::new(&vec![1.0; numbers]), Err(VectorError::TooLong { numbers }));
    }
}
