//! Which slot is which node of the graph, and which slots wait to become one.

use std::collections::VecDeque;

/// Where a slot stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Nowhere: it holds no vector.
    Outside,
    /// In the queue. It may have lost its vector since, and even have got another one.
    Waiting,
    Node(u32),
}

#[derive(Debug, Default)]
pub(super) struct Links {
    places: Vec<Place>,
    /// By node. A node whose slot has lost its vector is dead: `hnsw_rs` cannot take it out.
    slots: Vec<Option<u32>>,
    waiting: VecDeque<u32>,
    dead: usize,
}

impl Links {
    /// A vector has come to a slot.
    pub(super) fn arrived(&mut self, slot: u32) {
        let place = slot as usize;
        if self.places.len() <= place {
            self.places.resize(place + 1, Place::Outside);
        }
        if self.places[place] == Place::Outside {
            self.places[place] = Place::Waiting;
            self.waiting.push_back(slot);
        }
    }

    /// A slot has lost its vector. In the queue it keeps its turn.
    pub(super) fn left(&mut self, slot: u32) {
        if let Place::Node(node) = self.places[slot as usize] {
            self.places[slot as usize] = Place::Outside;
            self.slots[node as usize] = None;
            self.dead += 1;
        }
    }

    pub(super) fn slot(&self, node: usize) -> Option<u32> {
        self.slots.get(node).copied().flatten()
    }

    pub(super) fn is_node(&self, slot: u32) -> bool {
        matches!(self.places[slot as usize], Place::Node(_))
    }

    /// The slots of all nodes, in no order.
    pub(super) fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        self.slots.iter().copied().flatten()
    }

    pub(super) fn by_node(&self) -> &[Option<u32>] {
        &self.slots
    }

    pub(super) fn waiting(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.waiting.iter().copied()
    }

    pub(super) fn node_count(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn dead_count(&self) -> usize {
        self.dead
    }

    /// The slot at the head of the queue has become the next node, with what it held then: `Same`
    /// if it still does.
    pub(super) fn absorb(&mut self, now: Held) {
        let slot = self.waiting.pop_front().expect("the queue only shrinks by absorbing");
        let node = u32::try_from(self.slots.len()).expect("nodes are counted in 32 bits");
        self.slots.push((now == Held::Same).then_some(slot));
        self.dead += usize::from(now != Held::Same);
        self.places[slot as usize] = match now {
            Held::Same => Place::Node(node),
            Held::Nothing => Place::Outside,
            Held::Other => {
                self.waiting.push_back(slot);
                Place::Waiting
            }
        };
    }

    /// The slot at the head of the queue held nothing when its turn came; if it does now, it waits
    /// again.
    pub(super) fn pass(&mut self, holds: bool) {
        let slot = self.waiting.pop_front().expect("the queue only shrinks by absorbing");
        if holds {
            self.waiting.push_back(slot);
        } else {
            self.places[slot as usize] = Place::Outside;
        }
    }

    /// The graph is gone: every slot that holds a vector waits again, lowest first.
    pub(super) fn reset(&mut self, holds: impl Fn(u32) -> bool) {
        self.slots = Vec::new();
        self.dead = 0;
        self.waiting.clear();
        for (slot, place) in (0..).zip(&mut self.places) {
            *place = if holds(slot) { Place::Waiting } else { Place::Outside };
            if *place == Place::Waiting {
                self.waiting.push_back(slot);
            }
        }
    }

    /// A graph that was built elsewhere, by node.
    pub(super) fn adopt(&mut self, slots: Vec<Option<u32>>) {
        self.dead = slots.iter().filter(|slot| slot.is_none()).count();
        for (node, slot) in (0..).zip(&slots) {
            if let Some(slot) = slot {
                self.places[*slot as usize] = Place::Node(node);
            }
        }
        self.slots = slots;
        let places = &self.places;
        self.waiting.retain(|slot| places[*slot as usize] == Place::Waiting);
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
            + self.slots.capacity() * size_of::<Option<u32>>()
            + self.waiting.capacity() * size_of::<u32>()
    }
}

/// What a slot holds now, against what it held when the graph took it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    Same,
    Other,
    Nothing,
}
