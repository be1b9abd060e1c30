//! A backup file, whose every byte was looked at before anything of it is used.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::types::Name;
use crate::types::limits::{BACKUP_MANIFEST_BYTES_MAX, BACKUP_STEP_BYTES};

use super::fault::Fault;
use super::manifest::{
    BACKUP_FORMAT, END, HASH, KINDS, LENGTH, MAGIC, Manifest, NamespaceManifest, Part, TRAILER,
    hexadecimal,
};

/// A whole backup.
#[derive(Debug)]
pub struct BackupFile {
    path: PathBuf,
    manifest: Manifest,
}

/// Of a manifest of any format.
#[derive(Deserialize)]
struct Format {
    format: u32,
}

impl BackupFile {
    /// Reads the manifest and compares every hash.
    ///
    /// # Errors
    /// [`Fault`].
    pub fn open(path: &Path) -> Result<BackupFile, Fault> {
        let unread = |source: io::Error| {
            let path = path.to_owned();
            if source.kind() == ErrorKind::UnexpectedEof {
                return Fault::Damaged { path, what: "the backup ends too early" };
            }
            Fault::Unread { path, source }
        };
        let damaged = |what| Fault::Damaged { path: path.to_owned(), what };
        let mut file = File::open(path).map_err(unread)?;
        let length = file.metadata().map_err(unread)?.len();
        let mut magic = [0; MAGIC.len()];
        file.read_exact(&mut magic).map_err(unread)?;
        if magic != MAGIC {
            return Err(damaged("this is no backup"));
        }
        let (bytes, start) = manifest_bytes(&mut file, length).map_err(unread)?;
        let bytes = bytes.ok_or_else(|| damaged("the manifest of the backup is damaged"))?;
        let format = serde_json::from_slice::<Format>(&bytes).map(|Format { format }| format);
        match format {
            Ok(BACKUP_FORMAT) => {}
            Ok(found) => {
                let path = path.to_owned();
                return Err(Fault::Format { path, found, known: BACKUP_FORMAT });
            }
            Err(_) => return Err(damaged("the manifest of the backup cannot be read")),
        }
        let manifest = serde_json::from_slice::<Manifest>(&bytes)
            .map_err(|_| damaged("the manifest of the backup cannot be read"))?;
        check_shape(&manifest, start).map_err(damaged)?;
        for part in manifest.namespaces.iter().flat_map(|namespace| &namespace.parts) {
            if hash(&mut file, part).map_err(unread)? != part.sha256 {
                return Err(damaged("a part of the backup is damaged"));
            }
        }
        Ok(BackupFile { path: path.to_owned(), manifest })
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub(super) fn namespace(&self, id: u32) -> Option<&NamespaceManifest> {
        self.manifest.namespaces.iter().find(|namespace| namespace.id == id)
    }

    pub(super) fn damaged(&self, what: &'static str) -> Fault {
        Fault::Damaged { path: self.path.clone(), what }
    }

    /// The rows of one part, in order.
    pub(super) fn rows(&self, part: &Part) -> Result<Rows, Fault> {
        let unread = |source| Fault::Unread { path: self.path.clone(), source };
        let mut file = File::open(&self.path).map_err(unread)?;
        file.seek(SeekFrom::Start(part.offset)).map_err(unread)?;
        Ok(Rows { file: BufReader::new(file).take(part.bytes), path: self.path.clone() })
    }
}

/// Rows that are read one by one.
pub(super) struct Rows {
    file: Take<BufReader<File>>,
    path: PathBuf,
}

impl Iterator for Rows {
    type Item = Result<Vec<u8>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.file.limit() == 0 {
            return None;
        }
        let mut length = [0; LENGTH];
        let read = self.file.read_exact(&mut length).and_then(|()| {
            let length = u32::from_le_bytes(length);
            if u64::from(length) > self.file.limit() {
                return Err(ErrorKind::InvalidData.into());
            }
            let mut row = vec![0; length as usize];
            self.file.read_exact(&mut row).map(|()| row)
        });
        Some(read.map_err(|_| {
            let path = self.path.clone();
            Fault::Damaged { path, what: "a row of the backup is damaged" }
        }))
    }
}

/// The manifest where it has its hash, and where it begins.
fn manifest_bytes(file: &mut File, length: u64) -> io::Result<(Option<Vec<u8>>, u64)> {
    let trailer_at = length.checked_sub(TRAILER as u64).ok_or(ErrorKind::UnexpectedEof)?;
    file.seek(SeekFrom::Start(trailer_at))?;
    let mut trailer = [0; TRAILER];
    file.read_exact(&mut trailer)?;
    let (width, rest) = trailer.split_at(8);
    let (expected, end) = rest.split_at(HASH);
    if end != END {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    let width = u64::from_le_bytes(width.try_into().expect("8 bytes"));
    let fits = width <= BACKUP_MANIFEST_BYTES_MAX as u64;
    let start = trailer_at.checked_sub(width).filter(|start| fits && *start >= MAGIC.len() as u64);
    let Some(start) = start else { return Ok((None, 0)) };
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(width).read_to_end(&mut bytes)?;
    let whole = Sha256::digest(&bytes).as_slice() == expected;
    Ok((whole.then_some(bytes), start))
}

/// The parts cover the file from the magic to the manifest, and name what they must.
fn check_shape(manifest: &Manifest, end: u64) -> Result<(), &'static str> {
    let mut at = MAGIC.len() as u64;
    for namespace in &manifest.namespaces {
        let kinds = namespace.parts.iter().map(|part| part.kind.as_str());
        if !kinds.eq(KINDS) {
            return Err("the backup lacks a part");
        }
        if Name::new(&namespace.name).is_err() {
            return Err("the backup has a namespace without a name");
        }
        if namespace.last_tx.checked_sub(namespace.since_tx) != Some(namespace.transactions) {
            return Err("the backup lacks transactions");
        }
        for part in &namespace.parts {
            if part.offset != at {
                return Err("the parts of the backup are not in order");
            }
            at = at.checked_add(part.bytes).ok_or("a part of the backup is too long")?;
        }
    }
    if at == end { Ok(()) } else { Err("the backup has bytes that its manifest does not name") }
}

fn hash(file: &mut File, part: &Part) -> io::Result<String> {
    file.seek(SeekFrom::Start(part.offset))?;
    let mut rest = file.take(part.bytes);
    let mut hash = Sha256::new();
    let mut buffer = vec![0; BACKUP_STEP_BYTES];
    loop {
        match rest.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&hash.finalize())),
            count => hash.update(&buffer[..count]),
        }
    }
}
