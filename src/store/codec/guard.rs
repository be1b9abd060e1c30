//! Credentials, quotas and events of the audit log in bytes.

use crate::types::{
    AuditEvent, AuditSubject, Clearance, Credential, CredentialId, Quotas, Reach, Role,
    SecretDigest, Timestamp,
};

use super::bytes::{DecodeError, Decoder, Stored, stored_as_byte};
use super::record::stored_by_field;

stored_as_byte!(Role, "role", Reader = 1, Writer = 2, Admin = 3);
stored_by_field!(Credential {
    id,
    name,
    role,
    reach,
    clearance,
    created,
    expires,
    rotated,
    digest,
    earlier,
});
stored_by_field!(Quotas { facts, bytes, requests_per_second, streams });
stored_by_field!(AuditEvent { sequence, time, action, about, count });
stored_by_field!(AuditSubject { who, peer, method, namespace, credential });

impl Stored for CredentialId {
    fn put(&self, out: &mut Vec<u8>) {
        self.raw().to_le_bytes().put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<CredentialId, DecodeError> {
        from.array().map(u64::from_le_bytes).map(CredentialId::new)
    }
}

impl Stored for (SecretDigest, Timestamp) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<(SecretDigest, Timestamp), DecodeError> {
        Ok((Stored::take(from)?, Stored::take(from)?))
    }
}

impl Stored for Reach {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Reach::All => out.push(1),
            Reach::One(name) => {
                out.push(2);
                name.put(out);
            }
        }
    }

    fn take(from: &mut Decoder<'_>) -> Result<Reach, DecodeError> {
        match from.byte()? {
            1 => Ok(Reach::All),
            2 => Stored::take(from).map(Reach::One),
            tag => Err(DecodeError::Tag { of: "reach", tag }),
        }
    }
}

impl Stored for Clearance {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Clearance::Everything => out.push(1),
            Clearance::Only(scope) => {
                out.push(2);
                scope.put(out);
            }
        }
    }

    fn take(from: &mut Decoder<'_>) -> Result<Clearance, DecodeError> {
        match from.byte()? {
            1 => Ok(Clearance::Everything),
            2 => Stored::take(from).map(Clearance::Only),
            tag => Err(DecodeError::Tag { of: "clearance", tag }),
        }
    }
}
