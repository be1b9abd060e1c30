//! The key of the operator, which is set beside the server and not stored in its directory.

use std::fmt::{self, Debug, Formatter};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::engine::{digest_of, same};
use crate::types::SecretDigest;
use crate::types::limits::{ADMIN_KEY_BYTES_MIN, CREDENTIAL_BYTES_MAX};

/// The digest of the key; the key itself is forgotten once it is read.
#[derive(Clone, PartialEq, Eq)]
pub struct AdminKey(SecretDigest);

#[derive(Debug, Error)]
pub enum AdminKeyError {
    #[error(
        "the admin key has {bytes} bytes, between {ADMIN_KEY_BYTES_MIN} and {CREDENTIAL_BYTES_MAX} are needed"
    )]
    Length { bytes: usize },
    #[error("the admin key has characters that cannot stand in a header")]
    Character,
    #[error("the admin key cannot be read from {}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
}

impl AdminKey {
    /// White space around it is not part of it: files end with a line break.
    ///
    /// # Errors
    /// [`AdminKeyError`].
    pub fn new(text: &str) -> Result<AdminKey, AdminKeyError> {
        let text = text.trim();
        if !(ADMIN_KEY_BYTES_MIN..=CREDENTIAL_BYTES_MAX).contains(&text.len()) {
            return Err(AdminKeyError::Length { bytes: text.len() });
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(AdminKeyError::Character);
        }
        Ok(AdminKey(digest_of(text.as_bytes())))
    }

    /// # Errors
    /// [`AdminKeyError`].
    pub fn from_file(path: &Path) -> Result<AdminKey, AdminKeyError> {
        let unreadable = |source| AdminKeyError::Unreadable { path: path.to_owned(), source };
        AdminKey::new(&std::fs::read_to_string(path).map_err(unreadable)?)
    }

    pub(super) fn opens(&self, text: &str) -> bool {
        same(&self.0, &digest_of(text.as_bytes()))
    }
}

impl Debug for AdminKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("AdminKey(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_key_is_none() {
        let key = "k".repeat(ADMIN_KEY_BYTES_MIN);
        let admin = AdminKey::new(&format!("{key}\n")).expect("long enough");
        assert!(admin.opens(&key) && !admin.opens(&format!("{key}k")) && !admin.opens(""));
        assert_eq!(format!("{admin:?}"), "AdminKey(***)");
        assert!(matches!(AdminKey::new(&key[1..]), Err(AdminKeyError::Length { bytes: 31 })));
        let long = "k".repeat(CREDENTIAL_BYTES_MAX + 1);
        assert!(matches!(AdminKey::new(&long), Err(AdminKeyError::Length { .. })));
        assert!(AdminKey::new(&long[1..]).is_ok());
        let spaced = key.replacen('k', " ", 0) + " x";
        assert!(matches!(AdminKey::new(&spaced), Err(AdminKeyError::Character)));
    }
}
