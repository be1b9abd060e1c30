//! The text view: the documents of one namespace by the words in them, best first.
//!
//! ```text
//! TextView ─┬─ index  segments of tantivy, on disk or in memory    (index.rs, segment.rs)
//!           └─ tail   documents newer than the last commit         (tail.rs)
//! TextQuery ── terms ── one heap over the segments and the tail    (search.rs, bm25.rs)
//! ```
//!
//! Documents that are a name are listed a second time, apart: most questions name nothing, and to
//! learn that from the list of all documents each of them would have to be looked at.
//!
//! It knows ids and words, not what a document is or when it was true: the caller says which
//! documents are visible, and is asked during the search, before the list is cut.
//!
//! Invariants:
//! - Documents come in the order of their ids, each once. A search finds every document below
//!   `next` exactly once, before, during and after the commit that moves it into the index.
//! - One analysis serves documents and queries; one arithmetic, in whole numbers, scores both index
//!   and tail. So a score depends on the documents alone, not on segments, commits or merges.
//! - The hits are exactly the best visible documents, ties by id. Bounds only skip what could not
//!   be among them.
//! - What is on disk says whose it is and how far it goes. Anything that does not add up is thrown
//!   away and built anew from the log.

mod analyze;
mod bm25;
mod compare;
mod encrypted;
mod error;
mod fold;
mod index;
mod list;
mod query;
mod search;
mod segment;
mod tail;
#[cfg(test)]
mod tests;
mod top;
mod window;

pub use compare::{TextDifference, TextDifferences};
pub use error::TextError;
pub use fold::{Opened, TextView};
pub use index::Rebuilt;
pub use query::{TextQuery, found_by};
pub use search::TextHits;
pub use tail::Entry;
