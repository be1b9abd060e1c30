//! The first five minutes: real dated facts go in, questions come out, each with the command that
//! asked it.

mod facts;
mod tour;

pub use tour::{TourError, Toured, tour};
