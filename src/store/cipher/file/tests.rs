//! Encrypted blocks over memory that is damaged and torn.

use redb::backends::InMemoryBackend;

use super::super::aead::fresh_key;
use super::*;

const BLOCKS: usize = 6;

/// Handles share one memory, as two openings of a file do.
#[derive(Clone, Debug)]
struct Memory(Arc<InMemoryBackend>, Arc<Mutex<Disk>>);

/// What is surely on the disk, and what each write since made of it.
#[derive(Debug, Default)]
struct Disk {
    synced: Vec<u8>,
    writes: Vec<(Vec<u8>, Vec<u8>)>,
    fails: bool,
}

impl StorageBackend for Memory {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut disk = self.1.lock().expect("no panic");
        if disk.fails {
            return Err(io::Error::other("the disk does not sync"));
        }
        disk.synced = self.bytes();
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.write(offset, data)?;
        let mut disk = self.1.lock().expect("no panic");
        let write = (disk.synced.clone(), self.bytes());
        disk.writes.push(write);
        Ok(())
    }
}

impl Memory {
    fn new() -> Memory {
        Memory(Arc::new(InMemoryBackend::new()), Arc::default())
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; usize::try_from(self.len().expect("memory")).expect("short")];
        self.read(0, &mut bytes).expect("memory");
        bytes
    }

    fn holding(bytes: &[u8]) -> Memory {
        let memory = Memory::new();
        memory.set_len(bytes.len() as u64).expect("memory");
        memory.write(0, bytes).expect("memory");
        memory
    }
}

fn open(memory: &Memory, cipher: &DataCipher) -> io::Result<EncryptedFile<Memory>> {
    EncryptedFile::new(memory.clone(), cipher.clone(), Slots::default())
}

fn filled(cipher: &DataCipher) -> (Memory, Vec<u8>) {
    let memory = Memory::new();
    let file = open(&memory, cipher).expect("opens");
    assert_eq!(file.len().expect("memory"), 0, "it is new");
    let plain: Vec<u8> =
        (0..BLOCKS * BLOCK).map(|at| u8::try_from(at / 7 % 251).expect("small")).collect();
    file.set_len(plain.len() as u64).expect("memory");
    file.write(0, &plain).expect("memory");
    file.sync_data().expect("memory");
    (memory, plain)
}

fn whole(file: &EncryptedFile<Memory>) -> io::Result<Vec<u8>> {
    let mut out = vec![0; BLOCKS * BLOCK];
    file.read(0, &mut out).map(|()| out)
}

#[test]
fn any_range_reads_as_it_was_written() {
    let cipher = DataCipher::new(&fresh_key());
    let (memory, mut plain) = filled(&cipher);
    let mut random = 1_u64;
    for round in 0..200 {
        let mut below = |bound: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % bound
        };
        let start = below(plain.len());
        let end = start + below(plain.len() - start) + 1;
        let file = open(&memory, &cipher).expect("opens");
        plain[start..end].fill(round);
        file.write(start as u64, &plain[start..end]).expect("memory");
        let (start, end) = (start / 2, end);
        let mut out = vec![0; end - start];
        file.read(start as u64, &mut out).expect("memory");
        assert!(out == plain[start..end], "round {round}");
    }
    let file = open(&memory, &cipher).expect("opens");
    assert!(whole(&file).expect("memory") == plain);
    let past = file.read(plain.len() as u64 - 1, &mut [0; 2]).expect_err("past the end");
    assert_eq!(past.kind(), ErrorKind::UnexpectedEof);
}

#[test]
fn blocks_that_changed_or_changed_places_are_refused() {
    let cipher = DataCipher::new(&fresh_key());
    let (memory, _) = filled(&cipher);
    let bytes = memory.bytes();
    let refused = |bytes: &[u8]| {
        let file = open(&Memory::holding(bytes), &cipher);
        let error = file.and_then(|file| whole(&file)).expect_err("refused");
        assert_eq!(error.kind(), ErrorKind::InvalidData);
    };
    let at = |number| usize::try_from(block_at(number)).expect("short");
    for place in [0, 10, at(1), at(2) + 100, at(3) - 1] {
        let mut flipped = bytes.clone();
        flipped[place] ^= 1;
        refused(&flipped);
    }
    let mut swapped = bytes.clone();
    let (low, high) = swapped.split_at_mut(at(3));
    low[at(2)..].swap_with_slice(&mut high[..ENCRYPTED]);
    refused(&swapped);
    let mut blank = bytes.clone();
    blank[at(2)..at(3)].fill(0);
    refused(&blank);
    let other = DataCipher::new(&fresh_key());
    let error = open(&memory, &other).expect_err("another key");
    assert_eq!(error.kind(), ErrorKind::InvalidData);
}

/// Each write of the head is torn: between two syncs, after a sync that failed, and over openings
/// by this process and by others.
#[test]
fn a_torn_head_leaves_the_one_of_the_last_sync_or_a_newer_one() {
    let cipher = DataCipher::new(&fresh_key());
    let (memory, _) = filled(&cipher);
    let mut slots = Slots::default();
    let again = |slots: &Slots| {
        EncryptedFile::new(memory.clone(), cipher.clone(), slots.clone()).expect("opens")
    };
    let mut file = again(&slots);
    file.write(0, &[1; 64]).expect("memory");
    file.sync_data().expect("memory");
    let mut durable = 1;
    for step in 2..80_u8 {
        memory.1.lock().expect("no panic").writes.clear();
        file.write(0, &[step; 64]).expect("memory");
        let writes = std::mem::take(&mut memory.1.lock().expect("no panic").writes);
        for (synced, after) in writes {
            let places = synced.iter().zip(&after).enumerate().filter(|(_, (a, b))| a != b);
            let mut torn = synced.clone();
            for (count, (place, (_, new))) in places.enumerate() {
                torn[place] = if count % 2 == 0 { *new } else { !*new };
            }
            let file = open(&Memory::holding(&torn), &cipher).expect("a head is left");
            let mut found = [0; 64];
            file.read(0, &mut found).expect("memory");
            assert!(found[0] >= durable, "step {step}: {} for {durable}", found[0]);
        }
        if step % 5 == 0 {
            memory.1.lock().expect("no panic").fails = true;
            file.sync_data().expect_err("it fails");
            memory.1.lock().expect("no panic").fails = false;
            file = again(&slots);
        } else if step % 3 == 0 {
            file.sync_data().expect("memory");
            durable = step;
        }
        if step % 16 == 15 {
            slots = Slots::default();
            file = again(&slots);
        }
    }
}
