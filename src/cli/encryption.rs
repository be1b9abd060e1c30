//! The key of a data directory: in a file, or in the environment. Never an argument, which every
//! process of the machine can read, and never printed.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use thiserror::Error;

use crate::types::limits::KEY_TEXT_BYTES_MAX;
use crate::types::{EncryptionKey, KeyError};

const VARIABLE: &str = "TENURE_ENCRYPTION_KEY";

/// What a verb takes that opens a data directory.
#[derive(Clone, Debug, Default, Args)]
pub struct EncryptionArgs {
    /// File with the key that the data is encrypted with: 32 random bytes, or their hexadecimal or
    /// base64. The key itself may stand in `TENURE_ENCRYPTION_KEY` instead
    #[arg(long, value_name = "FILE", env = "TENURE_ENCRYPTION_KEY_FILE")]
    pub encryption_key_file: Option<PathBuf>,
}

/// Why there is no key although one was meant.
#[derive(Debug, Error)]
pub enum EncryptionArgsError {
    #[error("the key file {} cannot be read", path.display())]
    Unread { path: PathBuf, source: io::Error },
    #[error("the key file {} holds no key", path.display())]
    File { path: PathBuf, source: KeyError },
    #[error("{VARIABLE} holds no key")]
    Variable { source: KeyError },
    #[error("a key file and {VARIABLE} are both given; one of them is too many")]
    Both,
}

impl EncryptionArgs {
    /// The key, if one is given.
    ///
    /// # Errors
    /// [`EncryptionArgsError`].
    pub fn key(&self) -> Result<Option<EncryptionKey>, EncryptionArgsError> {
        let variable = std::env::var_os(VARIABLE);
        choose(self.encryption_key_file.as_deref(), variable.map(OsString::into_encoded_bytes))
    }
}

fn choose(
    file: Option<&Path>,
    variable: Option<Vec<u8>>,
) -> Result<Option<EncryptionKey>, EncryptionArgsError> {
    match (file, variable.filter(|text| !text.is_empty())) {
        (None, None) => Ok(None),
        (Some(path), None) => read_key(path).map(Some),
        (None, Some(text)) => {
            let text = str::from_utf8(&text).map_err(|_| KeyError::Malformed);
            let key = text.and_then(EncryptionKey::parse);
            key.map(Some).map_err(|source| EncryptionArgsError::Variable { source })
        }
        (Some(_), Some(_)) => Err(EncryptionArgsError::Both),
    }
}

/// The key in a file.
///
/// # Errors
/// [`EncryptionArgsError`].
pub(crate) fn read_key(path: &Path) -> Result<EncryptionKey, EncryptionArgsError> {
    let mut content = Vec::new();
    // One byte more than fits shows that it is too long, however long it is.
    let bound = 2 * KEY_TEXT_BYTES_MAX as u64;
    let read = File::open(path).and_then(|file| file.take(bound).read_to_end(&mut content));
    read.map_err(|source| EncryptionArgsError::Unread { path: path.to_owned(), source })?;
    EncryptionKey::read(&content)
        .map_err(|source| EncryptionArgsError::File { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_from_one_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("key");
        std::fs::write(&path, [7; 32]).expect("writes");
        let text = "07".repeat(32).into_bytes();
        let key = EncryptionKey::new([7; 32]);
        assert_eq!(choose(Some(&path), None).expect("a key"), Some(key.clone()));
        assert_eq!(choose(None, Some(text.clone())).expect("a key"), Some(key));
        assert_eq!(choose(None, None).expect("none is meant"), None);
        assert_eq!(choose(None, Some(Vec::new())).expect("none is meant"), None);
        assert!(matches!(choose(Some(&path), Some(text)), Err(EncryptionArgsError::Both)));
        let short = choose(None, Some(b"0707".to_vec()));
        assert!(matches!(
            short,
            Err(EncryptionArgsError::Variable { source: KeyError::Length { found: 2 } })
        ));
        std::fs::write(&path, [7; 31]).expect("writes");
        assert!(matches!(choose(Some(&path), None), Err(EncryptionArgsError::File { .. })));
        std::fs::write(&path, vec![b'0'; 10_000]).expect("writes");
        assert!(matches!(choose(Some(&path), None), Err(EncryptionArgsError::File { .. })));
        let missing = folder.path().join("none");
        assert!(matches!(choose(Some(&missing), None), Err(EncryptionArgsError::Unread { .. })));
    }
}
