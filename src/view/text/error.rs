//! What can go wrong: the index could not be read or written.

use std::io;

use tantivy::TantivyError;
use tantivy::directory::error::OpenReadError;
use thiserror::Error;

#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TextError {
    /// An earlier commit failed. The view still searches what it holds; opened anew, it goes on from
    /// the last commit that succeeded.
    #[error("an earlier commit of the text index failed")]
    Broken,
    #[error("the text index cannot be accessed: {0}")]
    Io(#[from] io::Error),
    #[error("a file of the text index cannot be read: {0}")]
    Read(#[from] OpenReadError),
    #[error("the text index failed: {0}")]
    Index(#[from] TantivyError),
}
