//! The envelope of every value, and the primitives inside it.

use std::sync::Arc;

use thiserror::Error;

/// Version of the payload of every value. A change of any layout takes the next number, and the
/// decoder of the old one stays.
const VALUE_VERSION: u8 = 3;
/// The oldest layout that is still read.
const VALUE_VERSION_OLDEST: u8 = 1;
const CRC_LEN: usize = 4;
/// Elements reserved before any was read; past it a list grows as it is read.
const RESERVED_MAX: usize = 1_024;

/// The bytes are not a value of this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    #[error("the value ends too early")]
    Short,
    #[error("the checksum does not match")]
    Checksum,
    #[error("the value has layout {found}, layout {VALUE_VERSION} is known")]
    Version { found: u8 },
    #[error("{tag} is no kind of {of}")]
    Tag { of: &'static str, tag: u8 },
    #[error("a number is wider than its field")]
    Wide,
    #[error("a text is not UTF-8")]
    Utf8,
    #[error("the {of} is out of range")]
    Range { of: &'static str },
    #[error("bytes follow the value")]
    Trailing,
}

/// A type with a spelling in bytes.
pub(in crate::store) trait Stored: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn take(from: &mut Decoder<'_>) -> Result<Self, DecodeError>;
}

/// Most rows fit, so that sealing one allocates once.
const ROW_BYTES: usize = 128;

pub(in crate::store) fn seal(value: &impl Stored) -> Vec<u8> {
    let mut out = Vec::with_capacity(ROW_BYTES);
    out.push(VALUE_VERSION);
    value.put(&mut out);
    let crc = crc32fast::hash(&out);
    out.extend_from_slice(&crc.to_le_bytes());
    out
}

pub(in crate::store) fn unseal<T: Stored>(bytes: &[u8]) -> Result<T, DecodeError> {
    let (body, crc) = bytes.split_last_chunk::<CRC_LEN>().ok_or(DecodeError::Short)?;
    if crc32fast::hash(body) != u32::from_le_bytes(*crc) {
        return Err(DecodeError::Checksum);
    }
    match body.split_first() {
        Some((&version @ VALUE_VERSION_OLDEST..=VALUE_VERSION, payload)) => {
            let mut from = Decoder { version, rest: payload };
            let value = T::take(&mut from)?;
            if from.rest.is_empty() { Ok(value) } else { Err(DecodeError::Trailing) }
        }
        Some((&found, _)) => Err(DecodeError::Version { found }),
        None => Err(DecodeError::Short),
    }
}

/// What is left of a payload.
pub(in crate::store) struct Decoder<'a> {
    version: u8,
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    /// A field that values have since a version; an older value has none.
    pub(super) fn since<T: Stored + Default>(&mut self, version: u8) -> Result<T, DecodeError> {
        if self.version >= version { T::take(self) } else { Ok(T::default()) }
    }

    pub(super) fn byte(&mut self) -> Result<u8, DecodeError> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (head, rest) = self.rest.split_first_chunk::<N>().ok_or(DecodeError::Short)?;
        self.rest = rest;
        Ok(*head)
    }

    fn slice(&mut self, len: usize) -> Result<&'a [u8], DecodeError> {
        let (head, rest) = self.rest.split_at_checked(len).ok_or(DecodeError::Short)?;
        self.rest = rest;
        Ok(head)
    }

    fn text(&mut self) -> Result<&'a str, DecodeError> {
        let len = self.count()?;
        std::str::from_utf8(self.slice(len)?).map_err(|_| DecodeError::Utf8)
    }

    /// A number of elements or bytes to follow. Each takes a byte at least, so more than are left
    /// cannot be true.
    pub(super) fn count(&mut self) -> Result<usize, DecodeError> {
        let count = usize::take(self)?;
        if count <= self.rest.len() { Ok(count) } else { Err(DecodeError::Short) }
    }
}

impl Stored for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(from: &mut Decoder<'_>) -> Result<bool, DecodeError> {
        match from.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            tag => Err(DecodeError::Tag { of: "boolean", tag }),
        }
    }
}

/// LEB128: seven bits a byte, lowest first, the high bit set on all but the last.
impl Stored for u64 {
    fn put(&self, out: &mut Vec<u8>) {
        let mut left = *self;
        while left >= 0x80 {
            out.push(left.to_le_bytes()[0] | 0x80);
            left >>= 7;
        }
        out.push(left.to_le_bytes()[0]);
    }

    fn take(from: &mut Decoder<'_>) -> Result<u64, DecodeError> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = from.byte()?;
            let bits = u64::from(byte & 0x7F);
            if bits << shift >> shift != bits {
                return Err(DecodeError::Wide);
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(DecodeError::Wide)
    }
}

impl Stored for u32 {
    fn put(&self, out: &mut Vec<u8>) {
        u64::from(*self).put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<u32, DecodeError> {
        u64::take(from)?.try_into().map_err(|_| DecodeError::Wide)
    }
}

impl Stored for usize {
    fn put(&self, out: &mut Vec<u8>) {
        (*self as u64).put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<usize, DecodeError> {
        u64::take(from)?.try_into().map_err(|_| DecodeError::Wide)
    }
}

impl Stored for i64 {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn take(from: &mut Decoder<'_>) -> Result<i64, DecodeError> {
        from.array().map(i64::from_le_bytes)
    }
}

impl<const N: usize> Stored for [u8; N] {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }

    fn take(from: &mut Decoder<'_>) -> Result<[u8; N], DecodeError> {
        from.array()
    }
}

impl Stored for String {
    fn put(&self, out: &mut Vec<u8>) {
        put_text(self, out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<String, DecodeError> {
        from.text().map(str::to_owned)
    }
}

impl Stored for Arc<str> {
    fn put(&self, out: &mut Vec<u8>) {
        put_text(self, out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<Arc<str>, DecodeError> {
        from.text().map(Arc::from)
    }
}

impl<T: Stored> Stored for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(from: &mut Decoder<'_>) -> Result<Option<T>, DecodeError> {
        if bool::take(from)? { T::take(from).map(Some) } else { Ok(None) }
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        for value in self {
            value.put(out);
        }
    }

    fn take(from: &mut Decoder<'_>) -> Result<Vec<T>, DecodeError> {
        let count = from.count()?;
        let mut list = Vec::with_capacity(count.min(RESERVED_MAX));
        for _ in 0..count {
            list.push(T::take(from)?);
        }
        Ok(list)
    }
}

pub(super) fn put_text(text: &str, out: &mut Vec<u8>) {
    text.len().put(out);
    out.extend_from_slice(text.as_bytes());
}

/// Spells an enum without fields as one byte. The numbers are the format: none is ever reused.
macro_rules! stored_as_byte {
    ($type:ty, $of:literal, $($variant:ident = $number:literal),+ $(,)?) => {
        impl Stored for $type {
            fn put(&self, out: &mut Vec<u8>) {
                out.push(match self {
                    $(<$type>::$variant => $number,)+
                });
            }

            fn take(from: &mut Decoder<'_>) -> Result<$type, DecodeError> {
                match from.byte()? {
                    $($number => Ok(<$type>::$variant),)+
                    tag => Err(DecodeError::Tag { of: $of, tag }),
                }
            }
        }
    };
}

pub(super) use stored_as_byte;

#[cfg(test)]
mod tests {
    use super::*;

    fn round(value: u64) {
        assert_eq!(unseal::<u64>(&seal(&value)), Ok(value));
    }

    #[test]
    fn numbers_survive_at_every_width() {
        for bit in 0..64 {
            round(1 << bit);
            round((1 << bit) - 1);
        }
        round(u64::MAX);
        assert_eq!(unseal::<u32>(&seal(&u64::from(u32::MAX))), Ok(u32::MAX));
        assert_eq!(unseal::<u32>(&seal(&(1_u64 << 32))), Err(DecodeError::Wide));
        assert_eq!(unseal::<u64>(&seal(&[0xFF_u8; 10])), Err(DecodeError::Wide));
        assert_eq!(unseal::<u64>(&seal(&[0x80_u8; 11])), Err(DecodeError::Wide));
    }

    #[test]
    fn a_forged_count_is_refused_before_anything_is_reserved() {
        assert_eq!(unseal::<Vec<u64>>(&seal(&u64::MAX)), Err(DecodeError::Short));
        assert_eq!(unseal::<String>(&seal(&u64::MAX)), Err(DecodeError::Short));
    }

    #[test]
    fn the_envelope_is_checked() {
        assert_eq!(unseal::<u64>(&[]), Err(DecodeError::Short));
        assert_eq!(unseal::<u64>(&[0; 4]), Err(DecodeError::Short));
        assert_eq!(unseal::<u64>(&seal(&[1_u8, 1])), Err(DecodeError::Trailing));
        assert_eq!(unseal::<String>(&seal(&[1_u8, 0xFF])), Err(DecodeError::Utf8));
        let mut newer = vec![VALUE_VERSION + 1, 5];
        newer.extend_from_slice(&crc32fast::hash(&newer).to_le_bytes());
        assert_eq!(unseal::<u64>(&newer), Err(DecodeError::Version { found: VALUE_VERSION + 1 }));
    }
}
