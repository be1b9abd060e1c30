//! What a chat model is asked of a memory, and how its reply is held against what was sent.
//!
//! The texts to read are data: they go as JSON between two marks, in which nothing can end a string
//! or a mark, and what they say is never a wish of ours. A reply may name only ids that were sent,
//! and may quote only what stands in the text it names. One claim that breaks this fails the reply
//! as a whole: a model that invents once is not to be believed next time.

mod fence;
mod extract;
mod summarise;
mod reflect;
mod verdict;

pub use extract::{Claim, ClaimKind, extract};
pub use fence::Passage;
pub use reflect::{Conclusion, reflect};
pub use summarise::summarise;
pub use verdict::{Action, Existing, Verdict, consolidate};
