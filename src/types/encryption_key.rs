//! The key of a data directory, as an operator gives it. It is never printed.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use thiserror::Error;

use super::limits::{KEY_BYTES, KEY_TEXT_BYTES_MAX};

/// Random bytes that open what is encrypted.
#[derive(Clone, PartialEq, Eq)]
pub struct EncryptionKey([u8; KEY_BYTES]);

/// Why a text or a file is no key. It says nothing of what stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeyError {
    #[error("a key has {KEY_BYTES} bytes, this one has {found}")]
    Length { found: usize },
    #[error("a key is written in hexadecimal or base64")]
    Malformed,
}

impl EncryptionKey {
    #[must_use]
    pub const fn new(bytes: [u8; KEY_BYTES]) -> EncryptionKey {
        EncryptionKey(bytes)
    }

    #[must_use]
    pub const fn bytes(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }

    /// Reads hexadecimal or base64, with or without padding.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn parse(text: &str) -> Result<EncryptionKey, KeyError> {
        let text = text.trim();
        if text.len() > KEY_TEXT_BYTES_MAX {
            return Err(KeyError::Length { found: text.len() });
        }
        let bytes = match hexadecimal(text) {
            Some(bytes) => bytes,
            None => [&STANDARD, &STANDARD_NO_PAD, &URL_SAFE, &URL_SAFE_NO_PAD]
                .into_iter()
                .find_map(|alphabet| alphabet.decode(text).ok())
                .ok_or(KeyError::Malformed)?,
        };
        EncryptionKey::of(&bytes)
    }

    /// Reads the content of a file: the bytes themselves, or their text.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn read(content: &[u8]) -> Result<EncryptionKey, KeyError> {
        if content.len() == KEY_BYTES {
            return EncryptionKey::of(content);
        }
        EncryptionKey::parse(std::str::from_utf8(content).map_err(|_| KeyError::Malformed)?)
    }

    fn of(bytes: &[u8]) -> Result<EncryptionKey, KeyError> {
        let found = bytes.len();
        bytes.try_into().map(EncryptionKey).map_err(|_| KeyError::Length { found })
    }
}

impl fmt::Debug for EncryptionKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Key(..)")
    }
}

/// Bytes from pairs of hexadecimal digits; none where the text is anything else.
fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> = text.chars().map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    // A short text of such digits may be base64; it is no key either way.
    let (pairs, rest) = digits.as_chunks::<2>();
    let byte = |[high, low]: &[u32; 2]| u8::try_from(high * 16 + low).ok();
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEX: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

    #[test]
    fn a_key_is_read_however_it_is_written() {
        let key: Vec<u8> = (0..32).collect();
        let expected = EncryptionKey::of(&key).expect("a key");
        for text in [
            HEX.to_owned(),
            HEX.to_uppercase(),
            format!(" {HEX}\n"),
            STANDARD.encode(&key),
            URL_SAFE_NO_PAD.encode(&key),
        ] {
            assert_eq!(EncryptionKey::parse(&text).as_ref(), Ok(&expected), "{text}");
            assert_eq!(EncryptionKey::read(text.as_bytes()).as_ref(), Ok(&expected), "{text}");
        }
        assert_eq!(EncryptionKey::read(&key), Ok(expected));
    }

    #[test]
    fn short_long_and_malformed_keys_are_refused() {
        let error = |text: &str| EncryptionKey::parse(text).expect_err("refused");
        assert_eq!(error(&HEX[2..]), KeyError::Length { found: KEY_BYTES - 1 });
        assert_eq!(error(&format!("{HEX}00")), KeyError::Length { found: KEY_BYTES + 1 });
        assert_eq!(error(""), KeyError::Length { found: 0 });
        assert_eq!(error("a password, not a key"), KeyError::Malformed);
        let long = "0".repeat(KEY_TEXT_BYTES_MAX + 1);
        assert_eq!(error(&long), KeyError::Length { found: KEY_TEXT_BYTES_MAX + 1 });
        let longest = "0".repeat(KEY_TEXT_BYTES_MAX);
        assert_eq!(error(&longest), KeyError::Length { found: KEY_TEXT_BYTES_MAX / 2 });
        assert_eq!(EncryptionKey::read(&[0xff; 33]), Err(KeyError::Malformed));
    }

    #[test]
    fn a_key_is_not_shown() {
        let key = EncryptionKey::new([0x5a; KEY_BYTES]);
        assert_eq!(format!("{key:?}"), "Key(..)");
    }
}
