//! XChaCha20-Poly1305 with a random nonce for every piece: with 192 bits none comes twice.
//!
//! ```text
//! | nonce 24 | as long as the plain bytes | tag 16 |
//! ```

use std::fmt;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

use crate::types::limits::KEY_BYTES;
use crate::types::{Cipher, EncryptionKey};

const NONCE: usize = 24;
const TAG: usize = 16;
/// Bytes that a piece takes more than what is in it.
pub(super) const OVERHEAD: usize = NONCE + TAG;

/// Encrypts with one key. It is never printed.
#[derive(Clone)]
pub struct DataCipher(XChaCha20Poly1305);

impl DataCipher {
    #[must_use]
    pub fn new(key: &EncryptionKey) -> DataCipher {
        DataCipher(XChaCha20Poly1305::new(&(*key.bytes()).into()))
    }

    /// Encrypts a piece under a name, which it opens under alone.
    ///
    /// # Panics
    /// When the system has no random bytes: then nothing may be encrypted.
    pub(super) fn close(&self, name: &[u8], plain: &[u8]) -> Vec<u8> {
        let nonce: [u8; NONCE] = random();
        let payload = Payload { msg: plain, aad: name };
        let body = self.0.encrypt(&XNonce::from(nonce), payload).expect("a piece is short");
        [nonce.as_slice(), &body].concat()
    }

    /// Missing where it is not what was encrypted under this name with this key.
    pub(super) fn open(&self, name: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
        let (nonce, body) = bytes.split_first_chunk::<NONCE>()?;
        self.0.decrypt(&XNonce::from(*nonce), Payload { msg: body, aad: name }).ok()
    }
}

impl fmt::Debug for DataCipher {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("DataCipher(..)")
    }
}

impl Cipher for DataCipher {
    fn encrypt(&self, what: &str, plain: &[u8]) -> Vec<u8> {
        self.close(what.as_bytes(), plain)
    }

    fn decrypt(&self, what: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        self.open(what.as_bytes(), bytes)
    }
}

/// # Panics
/// When the system has no random bytes.
pub(super) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

/// A key nobody has.
pub(super) fn fresh_key() -> EncryptionKey {
    EncryptionKey::new(random::<KEY_BYTES>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_opens_whole_under_its_own_name_and_key_alone() {
        let cipher = DataCipher::new(&fresh_key());
        let closed = cipher.close(b"one", b"plain");
        assert_eq!(closed.len(), 5 + OVERHEAD);
        assert_ne!(closed, cipher.close(b"one", b"plain"), "a nonce of its own each time");
        assert_eq!(cipher.open(b"one", &closed).as_deref(), Some(b"plain".as_slice()));
        assert_eq!(cipher.open(b"two", &closed), None);
        assert_eq!(DataCipher::new(&fresh_key()).open(b"one", &closed), None);
        for place in 0..closed.len() {
            let mut flipped = closed.clone();
            flipped[place] ^= 1;
            assert_eq!(cipher.open(b"one", &flipped), None, "byte {place}");
            assert_eq!(cipher.open(b"one", &closed[..place]), None, "{place} bytes");
        }
    }
}
