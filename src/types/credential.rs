//! API keys as they are kept, what a namespace may use, and what is written of both.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Clearance, Reach, Role, Timestamp};

/// Names a credential. It is no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CredentialId(u64);

/// The text names no credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("is not 16 hexadecimal digits")]
pub struct CredentialIdError;

const ID_DIGITS: usize = 16;

impl CredentialId {
    #[must_use]
    pub const fn new(raw: u64) -> CredentialId {
        CredentialId(raw)
    }

    #[must_use]
    pub const fn raw(self) -> u64 {
        self.0
    }
}

impl fmt::Display for CredentialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for CredentialId {
    type Err = CredentialIdError;

    fn from_str(text: &str) -> Result<CredentialId, CredentialIdError> {
        let digits = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if text.len() != ID_DIGITS || !digits {
            return Err(CredentialIdError);
        }
        u64::from_str_radix(text, 16).map(CredentialId).map_err(|_| CredentialIdError)
    }
}

/// SHA-256 of a secret. The secret has 256 bits of chance, so nothing slower is needed.
pub type SecretDigest = [u8; 32];

/// An API key: what it lets its holder do, and the digest of its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    pub id: CredentialId,
    pub name: String,
    pub role: Role,
    pub reach: Reach,
    pub clearance: Clearance,
    pub created: Timestamp,
    pub expires: Option<Timestamp>,
    pub rotated: Option<Timestamp>,
    pub digest: SecretDigest,
    /// The secret before, and until when it is still taken.
    pub earlier: Option<(SecretDigest, Timestamp)>,
}

impl Credential {
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }
}

/// What one namespace may use. What is absent is unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Quotas {
    /// Facts believed now.
    pub facts: Option<u64>,
    /// Bytes of the log.
    pub bytes: Option<u64>,
    pub requests_per_second: Option<u32>,
    pub streams: Option<u32>,
}

/// One of the bounds of a namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotaKind {
    Facts,
    Bytes,
    RequestsPerSecond,
    Streams,
}

impl fmt::Display for QuotaKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            QuotaKind::Facts => "facts",
            QuotaKind::Bytes => "bytes",
            QuotaKind::RequestsPerSecond => "requests_per_second",
            QuotaKind::Streams => "streams",
        })
    }
}

/// One thing that was denied or changed, or several alike. Never a secret, never a content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEvent {
    /// Given by the store.
    pub sequence: u64,
    pub time: Timestamp,
    /// A stable reason, or what was done.
    pub action: String,
    pub about: AuditSubject,
    /// How many there were alike.
    pub count: u64,
}

impl AuditEvent {
    /// The event at the time when it was done, which may be long after it was asked for.
    #[must_use]
    pub fn at(self, time: Timestamp) -> AuditEvent {
        AuditEvent { time, ..self }
    }
}

/// Who did what to what. Events that agree in it are told together.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct AuditSubject {
    pub who: String,
    pub peer: String,
    pub method: String,
    pub namespace: String,
    pub credential: Option<CredentialId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written_and_no_other_way() {
        for raw in [0, 1, 0xAB, u64::MAX] {
            let id = CredentialId::new(raw);
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        for text in ["", "1", "+00000000000000a", "ABCDEF0123456789", "00000000000000001"] {
            assert_eq!(text.parse::<CredentialId>(), Err(CredentialIdError), "{text}");
        }
    }

    #[test]
    fn a_credential_is_over_at_its_end() {
        let at = Timestamp::from_micros;
        let credential = Credential {
            id: CredentialId::new(1),
            name: String::new(),
            role: Role::Reader,
            reach: Reach::All,
            clearance: Clearance::Everything,
            created: at(0),
            expires: Some(at(10)),
            rotated: None,
            digest: [0; 32],
            earlier: None,
        };
        assert!(!credential.is_over(at(9)) && credential.is_over(at(10)));
        assert!(!Credential { expires: None, ..credential }.is_over(Timestamp::INFINITY));
    }
}
