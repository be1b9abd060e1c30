//! How views encrypt their files without knowing who holds the key.

use std::fmt::Debug;

/// Encrypts pieces of files, or leaves them as they are. `what` says which piece it is; under
/// another name a piece does not open.
pub trait Cipher: Debug + Send + Sync {
    fn encrypt(&self, what: &str, plain: &[u8]) -> Vec<u8>;

    /// Missing where a byte of it is not what was encrypted under this name.
    fn decrypt(&self, what: &str, bytes: &[u8]) -> Option<Vec<u8>>;
}
