//! The file `KEY`: the key of the data, encrypted with the key of the operator.
//!
//! ```text
//! | magic 8 | fingerprint of the operator's key 8 | encrypted key of the data 72 | CRC-32 4 |
//! ```
//!
//! The fingerprint says which key it takes and nothing else. The file is made before the database
//! and replaced in one step; without it the data is lost.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::types::EncryptionKey;
use crate::types::limits::KEY_BYTES;

use super::super::error::OpenError;
use super::aead::{DataCipher, OVERHEAD, fresh_key};

const KEY_FILE: &str = "KEY";
const DRAFT_FILE: &str = "KEY.new";
const MAGIC: [u8; 8] = *b"TNRKEY01";
const NAME: &[u8] = b"tenure: key of the data";
const FINGERPRINT: usize = 8;
const WRAPPED: usize = KEY_BYTES + OVERHEAD;
const CRC: usize = 4;

/// The cipher of a directory; none where it has no key. A new directory gets the key it is opened
/// with.
pub(in crate::store) fn open(
    directory: &Path,
    key: Option<&EncryptionKey>,
    has_data: bool,
) -> Result<Option<DataCipher>, OpenError> {
    let path = directory.to_owned();
    let unusable = |source| OpenError::Directory { path: path.clone(), source };
    let found = directory.join(KEY_FILE).try_exists().map_err(unusable)?;
    match key {
        Some(key) if found => unwrap(directory, key).map(|key| Some(DataCipher::new(&key))),
        Some(key) if has_data => {
            Err(OpenError::NotEncrypted { path: path.clone(), given: shown(fingerprint(key)) })
        }
        Some(key) => {
            let data = fresh_key();
            write(directory, key, &data).map_err(unusable)?;
            Ok(Some(DataCipher::new(&data)))
        }
        None if found => {
            let needed = shown(read(directory)?.0);
            Err(OpenError::KeyMissing { path: path.clone(), needed })
        }
        None => Ok(None),
    }
}

/// Puts another operator's key in the place of the first. The data stays as it is.
pub(in crate::store) fn change(
    directory: &Path,
    from: &EncryptionKey,
    to: &EncryptionKey,
) -> Result<(), OpenError> {
    let unusable = |source| OpenError::Directory { path: directory.to_owned(), source };
    if !directory.join(KEY_FILE).try_exists().map_err(unusable)? {
        let given = shown(fingerprint(from));
        return Err(OpenError::NotEncrypted { path: directory.to_owned(), given });
    }
    let data = unwrap(directory, from)?;
    write(directory, to, &data).map_err(unusable)
}

fn unwrap(directory: &Path, key: &EncryptionKey) -> Result<EncryptionKey, OpenError> {
    let (needed, wrapped) = read(directory)?;
    let given = fingerprint(key);
    if needed != given {
        return Err(OpenError::KeyWrong {
            path: directory.to_owned(),
            needed: shown(needed),
            given: shown(given),
        });
    }
    let damaged = || OpenError::KeyDamaged { path: directory.join(KEY_FILE) };
    let plain = DataCipher::new(key).open(NAME, &wrapped).ok_or_else(damaged)?;
    EncryptionKey::read(&plain).map_err(|_| damaged())
}

fn read(directory: &Path) -> Result<([u8; FINGERPRINT], [u8; WRAPPED]), OpenError> {
    let path = directory.join(KEY_FILE);
    let bytes = fs::read(&path)
        .map_err(|source| OpenError::Directory { path: directory.to_owned(), source })?;
    parts(&bytes).ok_or(OpenError::KeyDamaged { path })
}

fn parts(bytes: &[u8]) -> Option<([u8; FINGERPRINT], [u8; WRAPPED])> {
    let (body, crc) = bytes.split_last_chunk::<CRC>()?;
    if crc32fast::hash(body) != u32::from_le_bytes(*crc) {
        return None;
    }
    let (fingerprint, wrapped) = body.strip_prefix(&MAGIC)?.split_first_chunk()?;
    Some((*fingerprint, wrapped.try_into().ok()?))
}

fn write(directory: &Path, key: &EncryptionKey, data: &EncryptionKey) -> io::Result<()> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(fingerprint(key));
    bytes.extend(DataCipher::new(key).close(NAME, data.bytes()));
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    let draft = directory.join(DRAFT_FILE);
    let mut file = File::create(&draft)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    fs::rename(&draft, directory.join(KEY_FILE))?;
    super::super::file::sync_directory(directory)
}

/// Tells two keys apart. A key is random, so its hash does not give it away.
fn fingerprint(key: &EncryptionKey) -> [u8; FINGERPRINT] {
    let hash = Sha256::new().chain_update(b"tenure: fingerprint").chain_update(key.bytes());
    *hash.finalize().first_chunk().expect("a hash is longer")
}

fn shown(fingerprint: [u8; FINGERPRINT]) -> String {
    format!("{:016x}", u64::from_be_bytes(fingerprint))
}
