//! Why a batch came to nothing: what the disk said, as each of its callers is told.

use crate::store::{CommitError, OpenError, ReadError};

use super::error::SubmitError;

#[derive(Debug)]
pub(super) enum Failure {
    Full,
    Disk { message: String },
}

impl From<CommitError> for Failure {
    fn from(error: CommitError) -> Failure {
        match error {
            CommitError::StorageFull(_) => Failure::Full,
            other => Failure::Disk { message: other.to_string() },
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        CommitError::from(error).into()
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        match error {
            OpenError::StorageFull(_) => Failure::Full,
            other => Failure::Disk { message: other.to_string() },
        }
    }
}

impl From<&Failure> for SubmitError {
    fn from(failure: &Failure) -> SubmitError {
        match failure {
            Failure::Full => SubmitError::StorageFull,
            Failure::Disk { message } => SubmitError::Disk { message: message.clone() },
        }
    }
}
