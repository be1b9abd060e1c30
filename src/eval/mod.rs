//! The memory measured as an agent would use it: a history goes in turn by turn, questions are asked
//! where they stand in it, and a judge compares what is in each context with what was said.
//!
//! A client of the services like any other: nothing here reaches under the wire. Histories, judge and
//! measures are functions and need no server; only `run` talks to one.

mod words;
mod history;
mod fields;
mod parse;
mod chance;
mod generate;
mod holds;
mod judge;
mod run;
mod report;

pub use generate::{Language, SESSIONS_DEFAULT, SESSIONS_MAX, generate};
pub use history::{End, Entry, History, Question, Turn};
pub use holds::holds;
pub use judge::{Bundle, Line, Verdict, baseline, judge};
pub use parse::{Fault, parse};
pub use report::{AIMS, Aim, Figure, Measure, Report, Share, report};
pub use run::{Asked, EvalError, run};
