//! What an agent remembers of its conversations: sessions, their summaries, and what it reads of them.
//!
//! A rim over the engine, and nothing of its own: turns and summaries are episodes in the one log, so
//! every answer is as of both clocks. Nothing here needs a model from outside; a chat model writes better
//! summaries, and draws conclusions.

mod sentence;
mod signal;
mod extract;
mod session;
mod fold;
mod rewrite;
mod reflection;
mod derived;
mod window;
mod core;
mod context;
mod bearing;
mod gate;
mod forget;
mod sweep;

pub use self::core::{Edit, EditError, edited};
pub use bearing::{Bearing, Candidate, names};
pub use context::{
    Format, Item, Language, Part, Section, asks_of_self, assemble, language_of, written,
};
pub use derived::{Derived, Root, derived, is_gone};
pub use extract::{Said, summarise};
pub use fold::{Due, Material, due, made_again, summary_op};
pub use forget::{days, ends, value};
pub use gate::{
    Claim, Dropped, FENCE, Finding, Heard, Says, Settling, Verdict, When, Who, is_silent, normal,
    screen, trust_of, unkept, utc_day, when,
};
pub use reflection::{Observation, Observed, conclusion_ops, observe};
pub use rewrite::{OVER_BUDGET, rewritten, to_read};
pub use sentence::sentences;
pub use session::{Session, SessionKey, Summary, Turn, tokens};
pub use signal::{Signal, is_failure, is_idle, signals};
pub use sweep::{Counts, Place, Step, Sweep, plan};
pub use window::{Shape, Window, window};
