//! From text to terms: one analysis for documents and for queries.
//!
//! ```text
//! text ── compatibility forms ── runs of one script ─┬─ words and identifiers  (word.rs)
//!         (split.rs)                                 ├─ Hangul                 (korean.rs)
//!                                                    ├─ Han, kana and the like (split.rs)
//!                                                    └─ emoji
//! ```
//!
//! Nothing in a text is syntax. It knows no index: a change of any rule here changes [`VERSION`], and
//! an index of another version is built anew.

mod fold;
mod korean;
mod split;
mod stop;
mod token;
mod word;
#[cfg(test)]
mod tests;

pub(super) use split::{VERSION, analyze};
pub(super) use token::Use;
