//! The database file in encrypted blocks, for redb.
//!
//! ```text
//! 0       magic 8, id of the file 16
//! 4096    | head, 1st place |   each: | nonce 24 | number 8, block 0 | tag 16 |
//! 12288   | head, 2nd place |
//! 20480   | head, 3rd place |
//! 28672   | block 1 | block 2 | ...   each: | nonce 24 | 4096 bytes | tag 16 |
//! ```
//!
//! Each block is bound to its number and to the id of the file, so blocks cannot change places. A
//! block that was torn is lost as a whole. redb writes every block but the first only while no commit
//! on the disk refers to it; what must stay true for the first, which it overwrites, is kept here: the
//! newest head that is surely on the disk is never written over. It stays until a sync has put
//! another one there.

use std::fmt;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::StorageBackend;

use super::aead::{DataCipher, OVERHEAD, random};

const BLOCK: usize = 4_096;
const BLOCK_WIDTH: u64 = BLOCK as u64;
const ENCRYPTED: usize = BLOCK + OVERHEAD;
const ENCRYPTED_WIDTH: u64 = ENCRYPTED as u64;
const NUMBER: usize = 8;
const HEAD: usize = NUMBER + BLOCK + OVERHEAD;
const HEADS: [u64; 3] = [4_096, 12_288, 20_480];
const BLOCKS_AT: u64 = 28_672;
const MAGIC: [u8; 8] = *b"TNRENC01";
const FILE_ID: usize = 16;

/// The place of the head that is surely on the disk, as long as the process lives. After a sync that
/// failed the file is opened again, and what it then reads may be in a cache alone.
#[derive(Clone, Debug, Default)]
pub(in crate::store) struct Slots(Arc<Mutex<Option<usize>>>);

impl Slots {
    fn durable(&self) -> Option<usize> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another file takes the place of the one it was about.
    pub(in crate::store) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn set_durable(&self, slot: usize) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(slot);
    }
}

pub(in crate::store) struct EncryptedFile<B> {
    inner: B,
    cipher: DataCipher,
    id: [u8; FILE_ID],
    slots: Slots,
    head: Mutex<Head>,
    /// Set while redb looks for the newest commit that is whole: then a block that does not open
    /// reads as zeros, which fail its checksum, instead of ending the search.
    forgiving: Arc<AtomicBool>,
}

/// Block 0.
struct Head {
    plain: Box<[u8; BLOCK]>,
    /// Of the newest head written; it grows with each.
    number: u64,
    slot: usize,
    /// Where the next one goes while nothing is known to be on the disk.
    spare: usize,
    unsynced: bool,
}

impl<B: StorageBackend> EncryptedFile<B> {
    /// Opens what is there; an empty file becomes an empty database.
    pub(in crate::store) fn new(
        inner: B,
        cipher: DataCipher,
        slots: Slots,
    ) -> io::Result<EncryptedFile<B>> {
        let forgiving = Arc::default();
        if inner.len()? == 0 {
            let id = random();
            inner.set_len(BLOCKS_AT)?;
            inner.write(0, &[MAGIC.as_slice(), &id].concat())?;
            let plain = Box::new([0; BLOCK]);
            let head = Head { plain, number: 0, slot: 0, spare: 0, unsynced: false };
            let head = Mutex::new(head);
            return Ok(EncryptedFile { inner, cipher, id, slots, head, forgiving });
        }
        let mut start = [0; MAGIC.len() + FILE_ID];
        inner.read(0, &mut start)?;
        let id = start.strip_prefix(&MAGIC).and_then(|id| id.try_into().ok());
        let id = id.ok_or_else(|| damaged("the file is no encrypted database"))?;
        let head = Mutex::new(Head::newest(&inner, &cipher, &id)?);
        Ok(EncryptedFile { inner, cipher, id, slots, head, forgiving })
    }

    pub(in crate::store) fn forgiving(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.forgiving)
    }

    fn head(&self) -> MutexGuard<'_, Head> {
        self.head.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes block 0 without touching the one that is surely on the disk.
    fn write_head(&self, head: &mut Head) -> io::Result<()> {
        let durable = self.slots.durable();
        head.number += 1;
        head.slot = match durable {
            Some(durable) if head.unsynced && head.slot != durable => head.slot,
            Some(durable) => (durable + 1) % HEADS.len(),
            None => head.spare,
        };
        head.unsynced = true;
        let plain = [head.number.to_le_bytes().as_slice(), head.plain.as_slice()].concat();
        let bytes = self.cipher.close(&head_name(&self.id, head.slot), &plain);
        self.inner.write(HEADS[head.slot], &bytes)
    }

    /// Before the first write of a process the newest head is written once more, to the place of the
    /// oldest, and synced: only then is one known to be on the disk.
    fn settle(&self, head: &mut Head) -> io::Result<()> {
        if self.slots.durable().is_none() && head.number > 0 && !head.unsynced {
            self.write_head(head)?;
            self.sync(head)?;
        }
        Ok(())
    }

    fn sync(&self, head: &mut Head) -> io::Result<()> {
        self.inner.sync_data()?;
        if head.unsynced {
            head.unsynced = false;
            self.slots.set_durable(head.slot);
        }
        Ok(())
    }

    /// Whole blocks, of which 0 is none.
    fn read_blocks(&self, first: u64, out: &mut [u8]) -> io::Result<()> {
        let count = out.len() / BLOCK;
        let mut bytes = vec![0; count * ENCRYPTED];
        self.inner.read(block_at(first), &mut bytes)?;
        let pieces = bytes.as_chunks::<ENCRYPTED>().0.iter();
        for ((number, piece), out) in (first..).zip(pieces).zip(out.chunks_mut(BLOCK)) {
            match self.cipher.open(&block_name(&self.id, number), piece) {
                Some(plain) => out.copy_from_slice(&plain),
                None if self.forgiving.load(Ordering::Acquire) => out.fill(0),
                None => return Err(damaged("a block of the encrypted database does not open")),
            }
        }
        Ok(())
    }

    fn write_blocks(&self, first: u64, plain: &[u8]) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(plain.len() / BLOCK * ENCRYPTED);
        for (number, plain) in (first..).zip(plain.chunks(BLOCK)) {
            bytes.extend(self.cipher.close(&block_name(&self.id, number), plain));
        }
        self.inner.write(block_at(first), &bytes)
    }
}

impl Head {
    /// The newest that opens. A file that was never written past its length has none.
    fn newest(
        inner: &impl StorageBackend,
        cipher: &DataCipher,
        id: &[u8; FILE_ID],
    ) -> io::Result<Head> {
        let mut found: Option<Head> = None;
        let (mut oldest, mut spare, mut blank) = (u64::MAX, 0, true);
        for (slot, at) in HEADS.into_iter().enumerate() {
            let mut bytes = [0; HEAD];
            inner.read(at, &mut bytes)?;
            blank &= bytes.iter().all(|byte| *byte == 0);
            let opened = cipher.open(&head_name(id, slot), &bytes);
            let parts = opened.as_ref().and_then(|plain| plain.split_first_chunk::<NUMBER>());
            let number = parts.map_or(0, |(number, _)| u64::from_le_bytes(*number));
            if number < oldest {
                (oldest, spare) = (number, slot);
            }
            if let Some((_, plain)) = parts
                && found.as_ref().is_none_or(|newest| newest.number < number)
            {
                let plain = Box::new(plain.try_into().map_err(|_| damaged("a head is short"))?);
                found = Some(Head { plain, number, slot, spare: 0, unsynced: false });
            }
        }
        let empty = || {
            let plain = Box::new([0; BLOCK]);
            Head { plain, number: 0, slot: 0, spare: 0, unsynced: false }
        };
        let head = found.or_else(|| blank.then(empty));
        let head = head.ok_or_else(|| damaged("no head of the encrypted database opens"))?;
        Ok(Head { spare, ..head })
    }
}

impl<B> fmt::Debug for EncryptedFile<B> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("EncryptedFile(..)")
    }
}

impl<B: StorageBackend> StorageBackend for EncryptedFile<B> {
    fn len(&self) -> io::Result<u64> {
        let blocks = self.inner.len()?.saturating_sub(BLOCKS_AT) / ENCRYPTED_WIDTH;
        let is_empty = blocks == 0 && self.head().number == 0;
        Ok(if is_empty { 0 } else { (blocks + 1) * BLOCK_WIDTH })
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        if offset + out.len() as u64 > self.len()? {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        for Piece { block, blocks, start, place, length } in pieces(offset, out.len()) {
            let out = &mut out[place..place + length];
            if block == 0 {
                out.copy_from_slice(&self.head().plain[start..start + length]);
            } else if length == blocks * BLOCK {
                self.read_blocks(block, out)?;
            } else {
                let mut whole = vec![0; BLOCK];
                self.read_blocks(block, &mut whole)?;
                out.copy_from_slice(&whole[start..start + length]);
            }
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        if len == 0 || !len.is_multiple_of(BLOCK_WIDTH) {
            return Err(ErrorKind::InvalidInput.into());
        }
        self.inner.set_len(block_at(len / BLOCK_WIDTH))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.sync(&mut self.head())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        for Piece { block, blocks, start, place, length } in pieces(offset, data.len()) {
            let data = &data[place..place + length];
            if block == 0 {
                let mut head = self.head();
                self.settle(&mut head)?;
                head.plain[start..start + length].copy_from_slice(data);
                self.write_head(&mut head)?;
            } else if length == blocks * BLOCK {
                self.write_blocks(block, data)?;
            } else {
                let mut whole = vec![0; BLOCK];
                self.read_blocks(block, &mut whole)?;
                whole[start..start + length].copy_from_slice(data);
                self.write_blocks(block, &whole)?;
            }
        }
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.inner.close()
    }
}

/// A part of a range: block 0, whole blocks, or a part of one.
struct Piece {
    block: u64,
    blocks: usize,
    /// Where it begins in its first block.
    start: usize,
    /// Where it begins in the range.
    place: usize,
    length: usize,
}

fn pieces(offset: u64, length: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut place = 0;
    while place < length {
        let at = offset + place as u64;
        let block = at / BLOCK_WIDTH;
        let start = usize::try_from(at % BLOCK_WIDTH).expect("a block is short");
        let left = length - place;
        let blocks = if block == 0 || start > 0 { 1 } else { (left / BLOCK).max(1) };
        let piece = Piece { block, blocks, start, place, length: left.min(blocks * BLOCK - start) };
        place += piece.length;
        pieces.push(piece);
    }
    pieces
}

/// Where a block stands; also where the file ends that has so many.
fn block_at(number: u64) -> u64 {
    BLOCKS_AT + (number - 1) * ENCRYPTED_WIDTH
}

fn block_name(id: &[u8; FILE_ID], number: u64) -> Vec<u8> {
    [b"block".as_slice(), id, &number.to_le_bytes()].concat()
}

fn head_name(id: &[u8; FILE_ID], slot: usize) -> Vec<u8> {
    [b"head".as_slice(), id, &(slot as u64).to_le_bytes()].concat()
}

fn damaged(what: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests;
