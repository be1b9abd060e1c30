//! The read path: what can be asked, and how it is answered over one snapshot.

mod request;

pub use request::{AsOf, Known, PatternName};
