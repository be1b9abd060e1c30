//! The gate before long-term memory: what of a conversation is kept, and as what.
//!
//! 1. `screen`: each sentence is dropped with a reason, or kept for what rules see in it.
//! 2. `english`, `korean`, `when`: the facts that it states, and since when.
//! 3. `settle`: facts and texts as operations on what is known.
//!
//! Pure: what is there already, what was given out and what day it was are handed in.

mod when;
mod claim;
mod lexicon;
mod english;
mod korean;
mod screen;
mod settle;

pub use claim::{Claim, Says, Who};
pub use screen::{Dropped, FENCE, Finding, Heard, Verdict, is_silent, normal, screen, unkept};
pub use settle::{Settling, trust_of, utc_day};
pub use when::{When, when};
