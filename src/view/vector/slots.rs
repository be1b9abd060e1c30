//! Every distinct vector once, in flat arrays, with the documents that have it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;

use crate::types::{DocumentId, Vector};

use super::blocks::Blocks;
use super::code::{Code, Gauge, cosine, dot_codes};

/// Hashes that are tried for one vector before it gets a slot that is not shared.
const PROBES_MAX: u64 = 8;

/// No slot, in the array of documents.
const NO_SLOT: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct Slots {
    codes: Blocks<i8>,
    numbers: Blocks<f32>,
    gauges: Vec<Gauge>,
    owners: Vec<Owner>,
    /// By slot, the documents of those that have several, ascending.
    shared: HashMap<u32, Vec<DocumentId>>,
    by_hash: HashMap<u64, u32>,
    by_document: Vec<u32>,
    free: Vec<u32>,
    document_count: usize,
}

/// The documents of a slot, in four bytes: a search walks over all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner(u32);

impl Owner {
    const NOBODY: Owner = Owner(u32::MAX);
    const SHARED: Owner = Owner(u32::MAX - 1);
}

/// What became of the slots when a document got its vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moved {
    pub(super) emptied: Option<u32>,
    pub(super) filled: Option<u32>,
}

impl Slots {
    pub(super) fn new(dimension: usize) -> Slots {
        Slots {
            codes: Blocks::new(dimension),
            numbers: Blocks::new(dimension),
            gauges: Vec::new(),
            owners: Vec::new(),
            shared: HashMap::new(),
            by_hash: HashMap::new(),
            by_document: Vec::new(),
            free: Vec::new(),
            document_count: 0,
        }
    }

    /// Gives a document its vector, in place of the one it had.
    pub(super) fn put(&mut self, document: DocumentId, vector: &Vector) -> Moved {
        assert!(document.raw() < Owner::SHARED.0, "document ids leave room for two marks");
        let before = self.slot_of(document);
        if before.is_some_and(|slot| self.numbers(slot) == vector.numbers()) {
            return Moved::default();
        }
        let emptied = self.take(document);
        let found = self.find(vector);
        let slot = found.unwrap_or_else(|| self.fill(vector));
        self.attach(document, slot);
        Moved { emptied, filled: found.is_none().then_some(slot) }
    }

    /// Takes a document out; the slot it leaves empty, if it does.
    pub(super) fn take(&mut self, document: DocumentId) -> Option<u32> {
        let slot = self.slot_of(document)?;
        self.by_document[document.index()] = NO_SLOT;
        self.document_count -= 1;
        if let Some(documents) = self.shared.get_mut(&slot) {
            documents.retain(|other| *other != document);
            if let [last] = documents[..] {
                self.shared.remove(&slot);
                self.owners[slot as usize] = Owner(last.raw());
            }
            return None;
        }
        self.owners[slot as usize] = Owner::NOBODY;
        self.forget(slot);
        self.free.push(slot);
        Some(slot)
    }

    pub(super) fn slot_of(&self, document: DocumentId) -> Option<u32> {
        let slot = self.by_document.get(document.index()).copied();
        slot.filter(|slot| *slot != NO_SLOT)
    }

    /// The slot that holds this vector.
    pub(super) fn find(&self, vector: &Vector) -> Option<u32> {
        let hash = hash(vector.numbers());
        let tried = (0..PROBES_MAX).map_while(|probe| self.by_hash.get(&hash.wrapping_add(probe)));
        tried.copied().find(|slot| self.numbers(*slot) == vector.numbers())
    }

    /// The slot whose vector has this hash.
    pub(super) fn with_hash(&self, hash: u64) -> Option<u32> {
        self.by_hash.get(&hash).copied()
    }

    pub(super) fn hash_of(&self, slot: u32) -> u64 {
        hash(self.numbers(slot))
    }

    pub(super) fn numbers(&self, slot: u32) -> &[f32] {
        self.numbers.row(slot as usize)
    }

    pub(super) fn code(&self, slot: u32) -> &[i8] {
        self.codes.row(slot as usize)
    }

    pub(super) fn gauge(&self, slot: u32) -> Gauge {
        self.gauges[slot as usize]
    }

    pub(super) fn dot(&self, slot: u32, code: &[i8]) -> f32 {
        dot_codes(self.code(slot), code)
    }

    pub(super) fn cosine(&self, slot: u32, numbers: &[f32]) -> f32 {
        cosine(self.numbers(slot), numbers)
    }

    pub(super) fn holds(&self, slot: u32) -> bool {
        self.owners[slot as usize] != Owner::NOBODY
    }

    /// Whether any of its documents is visible.
    pub(super) fn is_visible(&self, slot: u32, visible: &dyn Fn(DocumentId) -> bool) -> bool {
        self.shows(slot, self.owners[slot as usize], visible)
    }

    /// The same for an owner at hand.
    #[inline]
    pub(super) fn shows(
        &self,
        slot: u32,
        owner: Owner,
        visible: &dyn Fn(DocumentId) -> bool,
    ) -> bool {
        match owner {
            Owner::NOBODY => false,
            Owner::SHARED => self.shared[&slot].iter().any(|document| visible(*document)),
            Owner(document) => visible(DocumentId::new(document)),
        }
    }

    /// Slots with their owners.
    pub(super) fn owners(&self, range: Range<u32>) -> impl Iterator<Item = (u32, Owner)> + '_ {
        let owners = &self.owners[range.start as usize..range.end as usize];
        (range.start..).zip(owners.iter().copied())
    }

    /// The documents of a slot, ascending.
    pub(super) fn documents(&self, slot: u32) -> impl Iterator<Item = DocumentId> + '_ {
        let owner = self.owners[slot as usize];
        let one = ![Owner::NOBODY, Owner::SHARED].contains(&owner);
        let many = self.shared.get(&slot).into_iter().flatten().copied();
        one.then_some(DocumentId::new(owner.0)).into_iter().chain(many)
    }

    /// Slots there are, those that hold nothing included.
    pub(super) fn slot_count(&self) -> usize {
        self.owners.len()
    }

    pub(super) fn slots_held(&self) -> usize {
        self.owners.len() - self.free.len()
    }

    pub(super) fn document_count(&self) -> usize {
        self.document_count
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let lists: usize =
            self.shared.values().map(|list| list.capacity() * size_of::<DocumentId>()).sum();
        self.codes.heap_bytes()
            + self.numbers.heap_bytes()
            + self.gauges.capacity() * size_of::<Gauge>()
            + self.owners.capacity() * size_of::<Owner>()
            + self.shared.capacity() * (size_of::<(u32, Vec<DocumentId>)>() + 1)
            + lists
            + self.by_hash.capacity() * (size_of::<(u64, u32)>() + 1)
            + (self.by_document.capacity() + self.free.capacity()) * size_of::<u32>()
    }

    fn attach(&mut self, document: DocumentId, slot: u32) {
        if self.by_document.len() <= document.index() {
            self.by_document.resize(document.index() + 1, NO_SLOT);
        }
        self.by_document[document.index()] = slot;
        self.document_count += 1;
        let owner = &mut self.owners[slot as usize];
        if *owner == Owner::NOBODY {
            *owner = Owner(document.raw());
            return;
        }
        let first = *owner;
        let documents = self.shared.entry(slot).or_insert_with(|| vec![DocumentId::new(first.0)]);
        let place = documents.partition_point(|other| *other < document);
        documents.insert(place, document);
        *owner = Owner::SHARED;
    }

    /// Puts a vector that no slot holds into one.
    fn fill(&mut self, vector: &Vector) -> u32 {
        let Code { numbers: code, gauge } = Code::new(vector);
        let slot = match self.free.pop() {
            Some(slot) => {
                self.codes.set(slot as usize, &code);
                self.numbers.set(slot as usize, vector.numbers());
                self.gauges[slot as usize] = gauge;
                slot
            }
            None => {
                let slot = u32::try_from(self.owners.len()).expect("no more slots than documents");
                self.codes.push(&code);
                self.numbers.push(vector.numbers());
                self.gauges.push(gauge);
                self.owners.push(Owner::NOBODY);
                slot
            }
        };
        let hash = hash(vector.numbers());
        let unused = (0..PROBES_MAX).map(|probe| hash.wrapping_add(probe));
        if let Some(hash) = unused.into_iter().find(|hash| !self.by_hash.contains_key(hash)) {
            self.by_hash.insert(hash, slot);
        }
        slot
    }

    fn forget(&mut self, slot: u32) {
        let hash = self.hash_of(slot);
        let probes = (0..PROBES_MAX).map(|probe| hash.wrapping_add(probe));
        let listed = probes.into_iter().find(|hash| self.by_hash.get(hash) == Some(&slot));
        if let Some(hash) = listed {
            self.by_hash.remove(&hash);
        }
    }
}

/// Not keyed: a dump names its nodes by it. Should it ever change, the dump no longer fits.
fn hash(numbers: &[f32]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for number in numbers {
        // The two zeros are equal numbers.
        hasher.write_u32((number + 0.0).to_bits());
    }
    hasher.finish()
}
