//! API keys: `tn_<id>_<secret>`, made here and compared here.
//!
//! The secret is 256 bits of chance in base64url and is never kept: only its SHA-256 is.

use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio::sync::{oneshot, watch};

use crate::store::{AuditKind, Store};
use crate::types::limits::CREDENTIALS_MAX;
use crate::types::{
    AuditSubject, Clearance, Credential, CredentialId, Reach, Role, SecretDigest, Timestamp,
};

use super::audit::event;
use super::clock::Clock;
use super::error::SubmitError;
use super::guard::{CredentialChange, GuardJob};
use super::handle::Engine;
use super::job::Job;
use super::open::OpenError;

const PREFIX: &str = "tn_";
const MICROS: i64 = 1_000_000;

/// What a credential is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCredential {
    pub name: String,
    pub role: Role,
    pub reach: Reach,
    pub clearance: Clearance,
    /// Seconds after which it ends.
    pub lifetime: Option<i64>,
}

/// A credential and its key. Nothing else in the process ever holds the key.
#[derive(Clone, PartialEq, Eq)]
pub struct Issued {
    pub credential: Arc<Credential>,
    pub key: String,
}

/// Why a key is not taken. Only the audit log is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeyFault {
    #[error("KEY_MALFORMED")]
    Malformed,
    #[error("KEY_UNKNOWN")]
    Unknown,
    #[error("KEY_WRONG")]
    Wrong { id: CredentialId },
    #[error("KEY_EXPIRED")]
    Expired { id: CredentialId },
}

impl KeyFault {
    /// The credential that the key names.
    #[must_use]
    pub fn credential(self) -> Option<CredentialId> {
        match self {
            KeyFault::Malformed | KeyFault::Unknown => None,
            KeyFault::Wrong { id } | KeyFault::Expired { id } => Some(id),
        }
    }
}

impl NewCredential {
    fn made(self, now: Timestamp, digest: SecretDigest) -> Credential {
        let NewCredential { name, role, reach, clearance, lifetime } = self;
        let expires = lifetime.map(|seconds| later(now, seconds));
        let id = CredentialId::new(u64::from_be_bytes(chance()));
        Credential {
            id,
            name,
            role,
            reach,
            clearance,
            created: now,
            expires,
            rotated: None,
            digest,
            earlier: None,
        }
    }
}

impl Engine {
    /// Makes a credential. Its key is in the reply and nowhere else.
    ///
    /// # Errors
    /// [`SubmitError::CredentialsFull`], or why it could not be recorded.
    pub async fn create_credential(
        &self,
        new: NewCredential,
        by: AuditSubject,
    ) -> Result<Issued, SubmitError> {
        let secret = chance();
        let credential = new.made(self.now(), digest_of(&secret));
        let about = AuditSubject { credential: Some(credential.id), ..by };
        let change = CredentialChange::Create(credential);
        let credential = self.change_credential(change, "CREDENTIAL_CREATED", about).await?;
        Ok(Issued { key: text(credential.id, &secret), credential })
    }

    /// Gives a credential another key. The one before stays valid for so many seconds.
    ///
    /// # Errors
    /// [`SubmitError::CredentialUnknown`], or why it could not be recorded.
    pub async fn rotate_credential(
        &self,
        id: CredentialId,
        grace: i64,
        by: AuditSubject,
    ) -> Result<Issued, SubmitError> {
        let secret = chance();
        let now = self.now();
        let until = (grace > 0).then(|| later(now, grace));
        let change = CredentialChange::Rotate { id, digest: digest_of(&secret), now, until };
        let about = AuditSubject { credential: Some(id), ..by };
        let credential = self.change_credential(change, "CREDENTIAL_ROTATED", about).await?;
        Ok(Issued { key: text(id, &secret), credential })
    }

    /// Ends a credential. No request that comes after the reply gets in with it.
    ///
    /// # Errors
    /// [`SubmitError::CredentialUnknown`], or why it could not be recorded.
    pub async fn revoke_credential(
        &self,
        id: CredentialId,
        by: AuditSubject,
    ) -> Result<(), SubmitError> {
        let about = AuditSubject { credential: Some(id), ..by };
        let change = CredentialChange::Revoke(id);
        self.change_credential(change, "CREDENTIAL_REVOKED", about).await.map(drop)
    }

    async fn change_credential(
        &self,
        change: CredentialChange,
        action: &str,
        about: AuditSubject,
    ) -> Result<Arc<Credential>, SubmitError> {
        let (reply, done) = oneshot::channel();
        // Where it is for one namespace, whoever administers that sees it in the log.
        let reach = match &change {
            CredentialChange::Create(fresh) => Some(fresh.reach.clone()),
            CredentialChange::Rotate { id, .. } | CredentialChange::Revoke(id) => {
                self.guard().credential(*id).map(|known| known.reach.clone())
            }
        };
        let namespace = match reach {
            Some(Reach::One(name)) => name.to_string(),
            Some(Reach::All) | None => String::new(),
        };
        let event = event(self.now(), action, AuditSubject { namespace, ..about });
        self.send(Job::Guard(GuardJob::Credential { change, event, reply }))?;
        done.await.unwrap_or(Err(SubmitError::Closed))
    }

    /// By id.
    #[must_use]
    pub fn credentials(&self) -> Vec<Arc<Credential>> {
        self.guard().credentials()
    }

    #[must_use]
    pub fn credential(&self, id: CredentialId) -> Option<Arc<Credential>> {
        self.guard().credential(id)
    }

    #[must_use]
    pub fn has_credentials(&self) -> bool {
        !self.guard().is_empty()
    }

    /// Counts changes of credentials.
    #[must_use]
    pub fn credentials_changed(&self) -> watch::Receiver<u64> {
        self.guard().changes()
    }

    /// The credential that a key opens, and the digest of its secret.
    ///
    /// # Errors
    /// [`KeyFault`].
    pub fn authenticate(&self, key: &str) -> Result<(Arc<Credential>, SecretDigest), KeyFault> {
        let (id, secret) = parsed(key).ok_or(KeyFault::Malformed)?;
        // Before the id is looked up: both ways take the same time.
        let digest = digest_of(&secret);
        let credential = self.guard().credential(id).ok_or(KeyFault::Unknown)?;
        let now = self.now();
        if !fits(&credential, &digest, now) {
            return Err(KeyFault::Wrong { id });
        }
        if credential.is_over(now) {
            return Err(KeyFault::Expired { id });
        }
        Ok((credential, digest))
    }

    /// Whether a key that was taken still is.
    #[must_use]
    pub fn still_opens(&self, id: CredentialId, digest: &SecretDigest) -> bool {
        let now = self.now();
        let credential = self.guard().credential(id);
        credential.is_some_and(|known| fits(&known, digest, now) && !known.is_over(now))
    }

    /// When a key that was taken ends by itself, if it does.
    #[must_use]
    pub fn opens_until(&self, id: CredentialId, digest: &SecretDigest) -> Option<Timestamp> {
        let credential = self.guard().credential(id)?;
        let grace = credential.earlier.filter(|(earlier, _)| same(earlier, digest));
        match (credential.expires, grace.map(|(_, until)| until)) {
            (Some(end), Some(until)) => Some(end.min(until)),
            (end, until) => end.or(until),
        }
    }
}

/// Makes a credential in a directory that no process has open: the first one has no admin to make it.
///
/// # Errors
/// [`OpenError`]; in particular when a server has the directory open.
pub fn create_credential_in(
    data: &Path,
    new: NewCredential,
    clock: &dyn Clock,
) -> Result<Issued, OpenError> {
    let store = Store::open(data)?;
    let secret = chance();
    let credential = new.made(clock.now(), digest_of(&secret));
    let about = AuditSubject {
        who: "data directory".to_owned(),
        credential: Some(credential.id),
        ..AuditSubject::default()
    };
    let mut batch = store.begin().map_err(store_error)?;
    let count = batch.credential_count()?;
    if count >= CREDENTIALS_MAX as u64 {
        return Err(OpenError::CredentialsFull { count });
    }
    batch.put_credential(&credential).map_err(store_error)?;
    let event = event(credential.created, "CREDENTIAL_CREATED", about);
    batch.add_audit(AuditKind::Change, vec![event]).map_err(store_error)?;
    batch.commit().map_err(store_error)?;
    Ok(Issued { key: text(credential.id, &secret), credential: Arc::new(credential) })
}

fn store_error(error: crate::store::CommitError) -> OpenError {
    OpenError::Store(error.into())
}

fn fits(credential: &Credential, digest: &SecretDigest, now: Timestamp) -> bool {
    let earlier = credential.earlier.filter(|(_, until)| now < *until);
    same(digest, &credential.digest) | earlier.is_some_and(|(earlier, _)| same(digest, &earlier))
}

/// Whether two digests are the same, in a time that does not tell where they differ.
#[must_use]
pub fn same(one: &SecretDigest, other: &SecretDigest) -> bool {
    one.iter().zip(other).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

#[must_use]
pub fn digest_of(secret: &[u8]) -> SecretDigest {
    Sha256::digest(secret).into()
}

fn chance<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

fn later(now: Timestamp, seconds: i64) -> Timestamp {
    let micros = now.micros().saturating_add(seconds.saturating_mul(MICROS));
    Timestamp::from_micros(micros)
}

fn text(id: CredentialId, secret: &[u8; 32]) -> String {
    format!("{PREFIX}{id}_{}", URL_SAFE_NO_PAD.encode(secret))
}

fn parsed(key: &str) -> Option<(CredentialId, [u8; 32])> {
    let (id, secret) = key.strip_prefix(PREFIX)?.split_once('_')?;
    let secret = URL_SAFE_NO_PAD.decode(secret).ok()?;
    Some((id.parse().ok()?, secret.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_it_was_written_and_no_other_way() {
        let (id, secret) = (CredentialId::new(0xAB), [0xFF; 32]);
        let key = text(id, &secret);
        assert_eq!(key.len(), 3 + 16 + 1 + 43);
        assert_eq!(parsed(&key), Some((id, secret)));
        let upper = key.replace("ab", "AB");
        let short = &key[..key.len() - 1];
        for bad in ["", "tn_", "tn__", &key[3..], short, &format!("{key}="), &upper, "Bearer x"] {
            assert_eq!(parsed(bad), None, "{bad}");
        }
    }

    #[test]
    fn digests_differ_in_any_bit() {
        let digest = digest_of(b"secret");
        assert!(same(&digest, &digest.clone()));
        for bit in 0..256 {
            let mut other = digest;
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(!same(&digest, &other));
        }
    }

    #[test]
    fn no_two_secrets_are_alike() {
        assert_ne!(chance::<32>(), chance::<32>());
    }
}
