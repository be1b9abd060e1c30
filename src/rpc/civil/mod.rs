//! Dates as people write them, read once into instants. Section 5 of the law.
//!
//! Pure: text, a zone and the zone of the namespace go in; nothing is looked up but the zone
//! database that is compiled in. Nothing below this module ever compares or resolves text.

mod resolve;
mod text;
mod zone;

pub use resolve::{DateError, Resolved, resolve};
pub use zone::Zone;
