//! What a backup holds, as the JSON at its end, and the frame around it.
//!
//! ```text
//! | magic 8 | rows of the parts, one after another | manifest | its length 8 | its SHA-256 32 | end 8 |
//! ```
//!
//! A row is its length in 4 bytes, little-endian, and its bytes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::types::SpaceId;

use super::super::codec::{DecodeError, seal, unseal};
use super::super::erasure::ErasureRecord;
use super::super::record::{EmbeddingRecord, PolicyRecord, SpaceRecord};

/// The layout of a backup. The rows in it have versions of their own.
pub const BACKUP_FORMAT: u32 = 1;

pub(super) const MAGIC: [u8; 8] = *b"TNRBAK01";
pub(super) const END: [u8; 8] = *b"TNRBAKEN";
pub(super) const HASH: usize = 32;
/// Bytes behind the manifest.
pub(super) const TRAILER: usize = 8 + HASH + END.len();
/// Bytes of the length of a row.
pub(super) const LENGTH: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: u32,
    /// When it was begun, in microseconds since 1970.
    pub time_micros: i64,
    /// It holds every namespace there was: one that is missing was deleted.
    pub complete: bool,
    pub namespaces: Vec<NamespaceManifest>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamespaceManifest {
    pub id: u32,
    pub name: String,
    pub zone: String,
    pub created_micros: i64,
    /// Transactions up to this one are in an earlier backup; 0 where there is none.
    pub since_tx: u64,
    pub last_tx: u64,
    pub first_time_micros: Option<i64>,
    pub last_time_micros: Option<i64>,
    /// SHA-256 of the transactions `since_tx` and `last_tx` as they are stored, in hexadecimal;
    /// empty for 0.
    pub base_head: String,
    pub head: String,
    pub transactions: u64,
    pub receipts: u64,
    pub vectors: u64,
    pub current_space: Option<SpaceManifest>,
    pub next_space: Option<SpaceManifest>,
    pub last_space: u32,
    /// The policy as it is stored, in base64; empty where none was set.
    #[serde(default)]
    pub policy: String,
    /// Receipts of erasures as they are stored, in base64.
    #[serde(default)]
    pub erasures: Vec<String>,
    /// Transactions, receipts and vectors, in this order.
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpaceManifest {
    pub id: u32,
    pub model: String,
    pub dimension: u32,
    pub supplied: bool,
}

/// Rows of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub kind: String,
    /// Of its first byte in the file.
    pub offset: u64,
    pub bytes: u64,
    pub sha256: String,
}

pub(super) const KINDS: [&str; 3] = ["log", "receipt", "vector"];

impl NamespaceManifest {
    /// Whether both are of one namespace. Another of the same name was made at another time.
    pub(super) fn is_same(&self, other: &NamespaceManifest) -> bool {
        self.name == other.name && self.created_micros == other.created_micros
    }

    pub(super) fn set_spaces(&mut self, record: &EmbeddingRecord) {
        let shown = |space: &SpaceRecord| SpaceManifest {
            id: space.id.raw(),
            model: space.model.clone(),
            dimension: space.dimension,
            supplied: space.supplied,
        };
        self.current_space = record.current.as_ref().map(shown);
        self.next_space = record.next.as_ref().map(shown);
        self.last_space = record.last;
    }

    pub(super) fn set_policy(&mut self, record: Option<&PolicyRecord>) {
        self.policy = record.map_or_else(String::new, |record| STANDARD.encode(seal(record)));
    }

    pub(super) fn set_erasures<'a>(&mut self, all: impl Iterator<Item = &'a ErasureRecord>) {
        self.erasures = all.map(|record| STANDARD.encode(seal(record))).collect();
    }

    /// Receipts of erasures; an error where one cannot be read.
    pub(super) fn erasures(&self) -> Result<Vec<ErasureRecord>, DecodeError> {
        let bytes = |text: &String| STANDARD.decode(text).map_err(|_| DecodeError::Short);
        self.erasures.iter().map(|text| unseal(&bytes(text)?)).collect()
    }

    /// The policy; an error where it cannot be read.
    pub(super) fn policy(&self) -> Result<Option<PolicyRecord>, DecodeError> {
        if self.policy.is_empty() {
            return Ok(None);
        }
        let bytes = STANDARD.decode(&self.policy).map_err(|_| DecodeError::Short)?;
        unseal(&bytes).map(Some)
    }

    /// The spaces with nothing looked at yet: what a model made is made again.
    pub(super) fn spaces(&self) -> EmbeddingRecord {
        let record = |space: &SpaceManifest| SpaceRecord {
            id: SpaceId::new(space.id),
            model: space.model.clone(),
            dimension: space.dimension,
            supplied: space.supplied,
            looked_at: 0,
        };
        EmbeddingRecord {
            current: self.current_space.as_ref().map(record),
            next: self.next_space.as_ref().map(record),
            last: self.last_space,
        }
    }
}

impl Manifest {
    /// The end of a file with this manifest.
    pub(super) fn closing(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(self).expect("a manifest has no keys but texts");
        let hash = Sha256::digest(&bytes);
        bytes.extend((bytes.len() as u64).to_le_bytes());
        bytes.extend(hash);
        bytes.extend(END);
        bytes
    }
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.push_str(&format!("{byte:02x}"));
    }
    text
}
