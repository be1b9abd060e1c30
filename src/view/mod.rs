//! The views: folds over the log that answer what the tables answer too slowly.
//!
//! Every view holds a watermark, the last transaction it has folded, and accepts exactly the next
//! one. First build, restart and steady state are the same fold; a view may start from a snapshot of
//! the tables at its watermark. A view reads no store and no clock, and no view knows another.
//!
//! | view      | answers                         | its state lives in       | rebuilt from                    |
//! |-----------|---------------------------------|--------------------------|---------------------------------|
//! | documents | what there is to find, and when | memory                   | the log, at open                |
//! | graph     | the edges of a node, as of      | memory                   | the `rectangle` table, at open  |
//! | text      | documents by their words        | its own directory        | the log, from its watermark on  |
//! | vector    | the documents near to one       | memory, its graph dumped | the `vector` table, at open     |

pub mod document;
pub mod graph;
pub mod text;
pub mod vector;
