//! A disk in memory that can lose power, fill up and fail, the same way every time.
//!
//! It keeps what was written and what was synced apart. A power cut leaves what was synced, and of
//! the writes since then any part: [`Disk::after_power_cut`] leaves none, [`Disk::after_torn_cut`]
//! leaves those that a seed picks.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, MutexGuard};

/// Handles share one disk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk {
    state: Arc<Mutex<State>>,
    encrypted: bool,
}

/// What a disk without room refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Full {
    #[default]
    No,
    /// To grow. What the file has is its own.
    Growth,
    /// Every write, as where the file has holes or the file system copies on write.
    Writes,
    /// To sync, as where the file system finds room for what was written only then.
    Syncs,
}

#[derive(Debug, Default)]
struct State {
    live: Vec<u8>,
    durable: Vec<u8>,
    unsynced: Vec<Write>,
    syncs: u64,
    fails_at_sync: Option<u64>,
    full: Full,
    fails_reads: bool,
    fails_writes: bool,
}

#[derive(Clone, Debug)]
enum Write {
    Length(usize),
    At(usize, Vec<u8>),
}

/// What a disk writes as a whole or not at all.
const SECTOR: usize = 512;

impl Disk {
    /// One whose store is encrypted.
    pub(crate) fn encrypted() -> Disk {
        Disk { encrypted: true, ..Disk::default() }
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.encrypted
    }

    /// From this sync on, counted from 1, every sync fails and nothing more becomes durable.
    pub(crate) fn fail_at_sync(&self, sync: u64) {
        self.state().fails_at_sync = Some(sync);
    }

    pub(crate) fn set_full(&self, full: Full) {
        self.state().full = full;
    }

    pub(crate) fn set_fails_reads(&self, fails: bool) {
        self.state().fails_reads = fails;
    }

    pub(crate) fn set_fails_writes(&self, fails: bool) {
        self.state().fails_writes = fails;
    }

    /// Forgets what was written since the last sync, as a cache of pages may after a failed one.
    pub(crate) fn lose_unsynced(&self) {
        let mut state = self.state();
        let durable = state.durable.clone();
        state.live = durable;
        state.unsynced.clear();
    }

    /// What a power cut would leave.
    pub(crate) fn durable(&self) -> Vec<u8> {
        self.state().durable.clone()
    }

    pub(crate) fn syncs(&self) -> u64 {
        self.state().syncs
    }

    /// The disk as it is found when nothing that was not synced got through.
    pub(crate) fn after_power_cut(&self) -> Disk {
        let durable = self.state().durable.clone();
        self.holding(durable)
    }

    /// The disk as it is found when all that was written got through, although no sync said so.
    pub(crate) fn after_lucky_cut(&self) -> Disk {
        let live = self.state().live.clone();
        self.holding(live)
    }

    /// The disk as it is found when some of what was not synced got through, in any order.
    pub(crate) fn after_torn_cut(&self, seed: u64) -> Disk {
        let state = self.state();
        let mut bytes = state.durable.clone();
        let mut random = Coins(seed);
        for write in &state.unsynced {
            if random.toss() {
                write.apply(&mut bytes);
            }
        }
        self.holding(bytes)
    }

    /// The same, where of one write too some sectors got through and some did not. A file that grew
    /// is as long as it was made, as file systems write that apart.
    pub(crate) fn after_torn_sectors(&self, seed: u64) -> Disk {
        let state = self.state();
        let mut bytes = state.durable.clone();
        let mut random = Coins(seed);
        for write in &state.unsynced {
            match write {
                Write::Length(_) => write.apply(&mut bytes),
                Write::At(at, data) => {
                    for (start, sector) in sectors(*at, data) {
                        if random.toss() {
                            Write::At(start, sector.to_vec()).apply(&mut bytes);
                        }
                    }
                }
            }
        }
        self.holding(bytes)
    }

    fn holding(&self, bytes: Vec<u8>) -> Disk {
        let state = State { live: bytes.clone(), durable: bytes, ..State::default() };
        Disk { state: Arc::new(Mutex::new(state)), encrypted: self.encrypted }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panics while it holds the disk")
    }
}

/// The parts of a write that lie in one sector each, and where.
fn sectors(at: usize, data: &[u8]) -> Vec<(usize, &[u8])> {
    let mut parts = Vec::new();
    let mut place = 0;
    while place < data.len() {
        let left = SECTOR - (at + place) % SECTOR;
        let end = data.len().min(place + left);
        parts.push((at + place, &data[place..end]));
        place = end;
    }
    parts
}

struct Coins(u64);

impl Coins {
    fn toss(&mut self) -> bool {
        let Coins(random) = self;
        *random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *random >> 63 == 1
    }
}

impl State {
    fn write(&mut self, write: Write) -> io::Result<()> {
        let grows = match &write {
            Write::Length(len) => *len > self.live.len(),
            Write::At(at, bytes) => at + bytes.len() > self.live.len(),
        };
        if self.fails_writes {
            return Err(io::Error::other("the disk does not write"));
        }
        match self.full {
            Full::Writes => return Err(ErrorKind::StorageFull.into()),
            Full::Growth if grows => return Err(ErrorKind::StorageFull.into()),
            Full::Growth | Full::Syncs | Full::No => {}
        }
        write.apply(&mut self.live);
        self.unsynced.push(write);
        Ok(())
    }
}

impl Write {
    fn apply(&self, to: &mut Vec<u8>) {
        match self {
            Write::Length(len) => to.resize(*len, 0),
            Write::At(at, bytes) => {
                let end = at + bytes.len();
                if to.len() < end {
                    to.resize(end, 0);
                }
                to[*at..end].copy_from_slice(bytes);
            }
        }
    }
}

impl redb::StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().live.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let state = self.state();
        if state.fails_reads {
            return Err(io::Error::other("the disk does not answer"));
        }
        let at = usize::try_from(offset).expect("the disk fits in memory");
        let bytes = state.live.get(at..at + out.len()).ok_or(ErrorKind::UnexpectedEof)?;
        out.copy_from_slice(bytes);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let len = usize::try_from(len).expect("the disk fits in memory");
        self.state().write(Write::Length(len))
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut state = self.state();
        state.syncs += 1;
        if state.fails_at_sync.is_some_and(|sync| state.syncs >= sync) {
            return Err(io::Error::other("the power went"));
        }
        if state.full == Full::Syncs {
            return Err(ErrorKind::StorageFull.into());
        }
        let unsynced = std::mem::take(&mut state.unsynced);
        for write in &unsynced {
            write.apply(&mut state.durable);
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let at = usize::try_from(offset).expect("the disk fits in memory");
        self.state().write(Write::At(at, data.to_vec()))
    }
}
