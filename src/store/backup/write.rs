//! Taking a backup, one step of bounded size at a time.

use std::collections::VecDeque;

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::kernel::Tx;
use crate::types::limits::BACKUP_STEP_BYTES;
use crate::types::{DocumentKind, NamespaceId, SpaceId, Timestamp, TxId};

use super::super::codec::unseal;
use super::super::erasure::ErasureRecord;
use super::super::error::{Corrupt, ReadError};
use super::super::key::{self, Key};
use super::super::read;
use super::super::reader::Reader;
use super::super::record::{NamespaceRecord, Receipt};
use super::manifest::{BACKUP_FORMAT, HASH, KINDS, MAGIC, Manifest, NamespaceManifest, Part};
use super::manifest::{LENGTH, hexadecimal};

/// Where an earlier backup of a namespace ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base {
    pub since: TxId,
    /// Hash of that transaction, where it is to be compared.
    pub head: Option<[u8; HASH]>,
}

#[derive(Debug, Error)]
pub enum BackupError {
    #[error("the namespace {name} was deleted while it was copied")]
    NamespaceGone { name: String },
    #[error(
        "transaction {since} of the namespace {name} is not the one the earlier backup ends with"
    )]
    BaseForeign { name: String, since: u64 },
    #[error("something was erased from the namespace {name} while it was copied")]
    Overtaken { name: String },
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// A backup under way. Between two steps nothing is held open.
pub struct BackupWriter {
    manifest: Manifest,
    waiting: VecDeque<Copying>,
    offset: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Closed,
}

struct Copying {
    id: NamespaceId,
    manifest: NamespaceManifest,
    since: TxId,
    /// Of the transaction before the first.
    since_time: Option<Timestamp>,
    last: TxId,
    stage: Stage,
    start: u64,
    hash: Sha256,
}

/// What comes next of a namespace.
#[derive(Clone)]
enum Stage {
    Log(TxId),
    Receipts(Bounds<{ key::REQUEST_AGE }>),
    Vectors(VecDeque<Bounds<{ key::VECTOR }>>),
    Done,
}

/// Keys that are still to be read, the first and the last.
#[derive(Clone, Copy)]
struct Bounds<const N: usize> {
    from: [u8; N],
    to: [u8; N],
}

impl<const N: usize> Bounds<N> {
    /// What follows a key; none where it was the last.
    fn after(self, mut key: [u8; N]) -> Option<Bounds<N>> {
        let place = key.iter().rposition(|byte| *byte < u8::MAX)?;
        key[place] += 1;
        key[place + 1..].fill(0);
        (key <= self.to).then_some(Bounds { from: key, to: self.to })
    }
}

impl BackupWriter {
    /// Notes where each namespace ends, all at one commit. `complete` says that these are all there
    /// are.
    ///
    /// # Errors
    /// [`BackupError::BaseForeign`], or when the disk cannot be read.
    pub fn begin(
        reader: &Reader,
        namespaces: &[(NamespaceRecord, Option<Base>)],
        complete: bool,
        time: Timestamp,
    ) -> Result<BackupWriter, BackupError> {
        let format = BACKUP_FORMAT;
        let time_micros = time.micros();
        let manifest = Manifest { format, time_micros, complete, namespaces: Vec::new() };
        let copied = namespaces.iter().map(|(record, base)| Copying::begin(reader, record, *base));
        let waiting = copied.collect::<Result<_, _>>()?;
        Ok(BackupWriter { manifest, waiting, offset: 0, state: State::New })
    }

    /// The next bytes of the file; none after the last.
    ///
    /// # Errors
    /// [`BackupError`]; what was given so far is then no backup.
    pub fn step(&mut self, reader: &Reader) -> Result<Option<Vec<u8>>, BackupError> {
        let bytes = match (self.state, self.waiting.front_mut()) {
            (State::New, _) => {
                self.state = State::Open;
                MAGIC.to_vec()
            }
            (State::Open, Some(copying)) => {
                let bytes = copying.step(reader, self.offset)?;
                if matches!(copying.stage, Stage::Done)
                    && let Some(done) = self.waiting.pop_front()
                {
                    self.manifest.namespaces.push(done.manifest);
                }
                bytes
            }
            (State::Open, None) => {
                self.state = State::Closed;
                self.manifest.closing()
            }
            (State::Closed, _) => return Ok(None),
        };
        self.offset += bytes.len() as u64;
        Ok(Some(bytes))
    }
}

/// Whether an erasure was noted behind a transaction.
fn erased_after(reader: &Reader, namespace: NamespaceId, tx: TxId) -> Result<bool, ReadError> {
    let erasures = reader.erasures()?;
    Ok(erasures.iter().any(|erasure| erasure.namespace == namespace && erasure.tx > tx))
}

impl Copying {
    fn begin(
        reader: &Reader,
        record: &NamespaceRecord,
        base: Option<Base>,
    ) -> Result<Copying, BackupError> {
        let since = base.map_or(TxId::ZERO, |base| base.since);
        let last = reader.last_tx(record.id)?;
        let (base_head, head) = (head(reader, record.id, since)?, head(reader, record.id, last)?);
        let expected = base.and_then(|base| base.head);
        // An erasure rewrites transactions that the earlier backup holds as they were.
        let foreign = base_head.is_none()
            || erased_after(reader, record.id, since)? && base.is_some()
            || expected.is_some_and(|expected| base_head != Some(hexadecimal(&expected)));
        if foreign {
            let name = record.name.to_string();
            return Err(BackupError::BaseForeign { name, since: since.raw() });
        }
        let since_time = reader.tx(record.id, since)?.map(|tx| tx.time);
        let mut manifest = NamespaceManifest {
            id: record.id.raw(),
            name: record.name.to_string(),
            zone: record.zone.clone(),
            created_micros: record.created.micros(),
            since_tx: since.raw(),
            last_tx: last.raw(),
            base_head: base_head.unwrap_or_default(),
            head: head.unwrap_or_default(),
            ..NamespaceManifest::default()
        };
        manifest.set_policy(reader.policy(record.id)?.as_ref());
        let erasures = reader.erasures()?;
        let noted = |erasure: &&ErasureRecord| erasure.namespace == record.id && erasure.tx <= last;
        manifest.set_erasures(erasures.iter().filter(noted));
        let stage = Stage::Log(since.next());
        let (id, hash) = (record.id, Sha256::new());
        Ok(Copying { id, manifest, since, since_time, last, stage, start: 0, hash })
    }

    /// Rows of one stage; none where it is over, and the next begins.
    fn step(&mut self, reader: &Reader, offset: u64) -> Result<Vec<u8>, BackupError> {
        let known = reader.namespace.get(&Key::of(self.id).full()).map_err(ReadError::from)?;
        if known.is_none() {
            return Err(BackupError::NamespaceGone { name: self.manifest.name.clone() });
        }
        // What was copied may hold it still.
        if erased_after(reader, self.id, self.last)? {
            return Err(BackupError::Overtaken { name: self.manifest.name.clone() });
        }
        if self.manifest.parts.is_empty() && self.start == 0 {
            self.start = offset;
        }
        let bytes = match self.stage.clone() {
            Stage::Log(next) if next <= self.last => self.log(reader, next)?,
            Stage::Log(_) => {
                self.close(offset);
                let from =
                    self.since_time.map_or(Key::of(self.id), |time| Key::of(self.id).time(time));
                let (from, to) = (from.least(), Key::of(self.id).greatest());
                self.stage = Stage::Receipts(Bounds { from, to });
                Vec::new()
            }
            Stage::Receipts(bounds) => {
                let (bytes, left) = self.receipts(reader, bounds)?;
                match left {
                    Some(left) => self.stage = Stage::Receipts(left),
                    None => {
                        self.hash.update(&bytes);
                        self.close(offset + bytes.len() as u64);
                        self.stage = self.vectors_of(reader)?;
                        return Ok(bytes);
                    }
                }
                bytes
            }
            Stage::Vectors(mut left) => match left.front().copied() {
                Some(bounds) => {
                    let (bytes, rest) = self.vectors(reader, bounds)?;
                    left.pop_front();
                    if let Some(rest) = rest {
                        left.push_front(rest);
                    }
                    self.stage = Stage::Vectors(left);
                    bytes
                }
                None => {
                    self.close(offset);
                    self.stage = Stage::Done;
                    Vec::new()
                }
            },
            Stage::Done => Vec::new(),
        };
        self.hash.update(&bytes);
        Ok(bytes)
    }

    /// Ends a part of the file.
    fn close(&mut self, end: u64) {
        let hash = std::mem::take(&mut self.hash).finalize();
        let kind = KINDS[self.manifest.parts.len()].to_owned();
        let (offset, bytes) = (self.start, end - self.start);
        self.manifest.parts.push(Part { kind, offset, bytes, sha256: hexadecimal(&hash) });
        self.start = end;
    }

    fn log(&mut self, reader: &Reader, from: TxId) -> Result<Vec<u8>, ReadError> {
        let mut bytes = Vec::new();
        let mut next = from;
        let (first, last) = (key::log(self.id, from), key::log(self.id, self.last));
        for row in reader.log.range::<&[u8; key::LOG]>(&first..=&last)? {
            let (key, value) = row?;
            if key::log_tx(key.value()) != next {
                break;
            }
            if next == self.since.next() || next == self.last {
                let tx: Tx = read::decoded("log", unseal(value.value()))?;
                let time = tx.time.micros();
                self.manifest.first_time_micros.get_or_insert(time);
                self.manifest.last_time_micros = Some(time);
            }
            put_row(&mut bytes, &[value.value()]);
            next = next.next();
            if bytes.len() >= BACKUP_STEP_BYTES {
                break;
            }
        }
        if next == from {
            return Err(ReadError::Corrupt(Corrupt::RowMissing { table: "log" }));
        }
        self.manifest.transactions += next.raw() - from.raw();
        self.stage = Stage::Log(next);
        Ok(bytes)
    }

    /// Those that came with the transactions that are copied, and what is still to be read.
    fn receipts(
        &mut self,
        reader: &Reader,
        bounds: Bounds<{ key::REQUEST_AGE }>,
    ) -> Result<(Vec<u8>, Option<Bounds<{ key::REQUEST_AGE }>>), ReadError> {
        let mut bytes = Vec::new();
        let range = &bounds.from..=&bounds.to;
        for row in reader.request_age.range::<&[u8; key::REQUEST_AGE]>(range)? {
            let age = *row?.0.value();
            let (_, digest) = key::request_age_parts(&age);
            if let Some(row) = reader.request.get(&key::request(self.id, digest))? {
                let receipt: Receipt = read::decoded("request", unseal(row.value()))?;
                if receipt.tx <= self.last {
                    put_row(&mut bytes, &[&digest, row.value()]);
                    self.manifest.receipts += 1;
                }
            }
            if bytes.len() >= BACKUP_STEP_BYTES {
                return Ok((bytes, bounds.after(age)));
            }
        }
        Ok((bytes, None))
    }

    fn vectors_of(&mut self, reader: &Reader) -> Result<Stage, ReadError> {
        let record = reader.embedding(self.id)?;
        self.manifest.set_spaces(&record);
        let spaces = [record.current, record.next].into_iter().flatten();
        let bounds = |space: SpaceId| {
            let space = Key::of(self.id).space(space);
            let (from, to) = (space.tx(self.since.next()).least(), space.tx(self.last).greatest());
            Bounds { from, to }
        };
        Ok(Stage::Vectors(spaces.map(|space| bounds(space.id)).collect()))
    }

    /// Vectors of texts, which may have come from callers. Those of facts a model made.
    fn vectors(
        &mut self,
        reader: &Reader,
        bounds: Bounds<{ key::VECTOR }>,
    ) -> Result<(Vec<u8>, Option<Bounds<{ key::VECTOR }>>), ReadError> {
        let mut bytes = Vec::new();
        if bounds.from > bounds.to {
            return Ok((bytes, None));
        }
        for row in reader.vector.range::<&[u8; key::VECTOR]>(&bounds.from..=&bounds.to)? {
            let (found, value) = row?;
            let document = read::decoded("vector", key::document_of(found.value()))?;
            if matches!(document.kind, DocumentKind::Statement | DocumentKind::Episode) {
                put_row(&mut bytes, &[&found.value()[key::NAMESPACE..], value.value()]);
                self.manifest.vectors += 1;
            }
            if bytes.len() >= BACKUP_STEP_BYTES {
                return Ok((bytes, bounds.after(*found.value())));
            }
        }
        Ok((bytes, None))
    }
}

/// Hash of a transaction as it is stored: empty before the first, missing where there is none.
fn head(reader: &Reader, id: NamespaceId, tx: TxId) -> Result<Option<String>, ReadError> {
    if tx == TxId::ZERO {
        return Ok(Some(String::new()));
    }
    let row = reader.log.get(&key::log(id, tx))?;
    Ok(row.map(|row| hexadecimal(&Sha256::digest(row.value()))))
}

fn put_row(bytes: &mut Vec<u8>, parts: &[&[u8]]) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let length = u32::try_from(length).expect("a row is bounded");
    bytes.extend(length.to_le_bytes());
    for part in parts {
        bytes.extend_from_slice(part);
    }
}

const _: () = assert!(LENGTH == size_of::<u32>());
