//! A sorted run of records: what one node holds in one direction and is still believed.
//!
//! A short run is one vector. A long one is cut into blocks, so that inserting into a hub moves one
//! block and not the hub, and each block knows its latest end, so that a stretch of facts that ended
//! long ago is skipped at once.
//!
//! ```text
//! order   predicate, newest start first, other end, end, believed
//! long    [p1 s90 .. p1 s40 | end_max 95] [p1 s39 .. p2 s77 | end_max inf] ...
//! ```
//!
//! Invariants: records ascend within a block and across blocks; no block is empty, and two
//! neighbours together are more than half a block; a block's `end_max` is exact.

use std::cmp::Reverse;

use crate::types::{PredicateId, Timestamp};

use super::record::Record;

/// Records of one block, and of a run that needs no blocks. Tests cut early, to meet every seam.
pub(super) const BLOCK_RECORDS_MAX: usize = if cfg!(test) { 4 } else { 128 };

#[derive(Clone, Debug)]
pub(super) enum Run {
    Short(Vec<Record>),
    /// Boxed because most nodes are short and pay for the larger variant.
    Long(Box<Blocks>),
}

const _: () = assert!(size_of::<Run>() == 24);

impl Default for Run {
    fn default() -> Run {
        Run::Short(Vec::new())
    }
}

impl Run {
    /// A packed run of records in any order.
    pub(super) fn build(mut records: Vec<Record>) -> Run {
        records.sort_unstable();
        if records.len() <= BLOCK_RECORDS_MAX {
            records.shrink_to_fit();
            return Run::Short(records);
        }
        let blocks = records.chunks(BLOCK_RECORDS_MAX).map(|chunk| Block::new(chunk.to_vec()));
        Run::Long(Box::new(Blocks(blocks.collect())))
    }

    pub(super) fn insert(&mut self, record: Record) {
        match self {
            Run::Short(records) if records.len() < BLOCK_RECORDS_MAX => {
                let place = records.partition_point(|held| *held < record);
                reserve_tight(records);
                records.insert(place, record);
            }
            Run::Short(records) => {
                let mut blocks = Blocks(vec![Block::new(std::mem::take(records))]);
                blocks.insert(record);
                *self = Run::Long(Box::new(blocks));
            }
            Run::Long(blocks) => blocks.insert(record),
        }
    }

    /// Takes one record out; false if it is not there.
    pub(super) fn remove(&mut self, record: &Record) -> bool {
        match self {
            Run::Short(records) => remove_from(records, record),
            Run::Long(blocks) => blocks.remove(record),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Run::Short(records) => records.is_empty(),
            Run::Long(blocks) => blocks.0.is_empty(),
        }
    }

    /// No fewer records than there are, and no more than twice as many; counting blocks is enough.
    pub(super) fn len_max(&self) -> usize {
        match self {
            Run::Short(records) => records.len(),
            Run::Long(blocks) => blocks.0.len() * BLOCK_RECORDS_MAX,
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        match self {
            Run::Short(records) => size_of::<Record>() * records.capacity(),
            Run::Long(blocks) => {
                let records: usize = blocks.0.iter().map(|block| block.records.capacity()).sum();
                size_of::<Blocks>()
                    + size_of::<Block>() * blocks.0.capacity()
                    + size_of::<Record>() * records
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Block {
    records: Vec<Record>,
    /// The latest end of a record in here.
    end_max: Timestamp,
}

impl Block {
    fn new(records: Vec<Record>) -> Block {
        let end_max = end_max(&records);
        Block { records, end_max }
    }

    fn first(&self) -> &Record {
        self.records.first().expect("no block is empty")
    }

    fn last(&self) -> &Record {
        self.records.last().expect("no block is empty")
    }

    fn has_room(&self) -> bool {
        self.records.len() < BLOCK_RECORDS_MAX
    }

    fn insert(&mut self, record: Record) {
        let place = self.records.partition_point(|held| *held < record);
        reserve_tight(&mut self.records);
        self.records.insert(place, record);
        self.end_max = self.end_max.max(record.valid.end());
    }
}

/// The blocks of a long run.
#[derive(Clone, Debug)]
pub(super) struct Blocks(Vec<Block>);

impl Blocks {
    /// The predicates in here, ascending, at the price of one search for each.
    pub(super) fn predicates(&self) -> Vec<PredicateId> {
        let mut predicates = Vec::new();
        let mut next = self.0.first().map(|block| block.first().predicate);
        while let Some(predicate) = next {
            predicates.push(predicate);
            let (block, place) = self.seek(|record| record.predicate <= predicate);
            next = self.0.get(block).map(|block| block.records[place].predicate);
        }
        predicates
    }

    /// Reads one predicate from the first record that starts at or before `start_max`, leaving out
    /// blocks where everything ends at or before `ended_by`.
    pub(super) fn cursor(
        &self,
        predicate: PredicateId,
        start_max: Timestamp,
        ended_by: Timestamp,
    ) -> Cursor<'_> {
        let from = (predicate, Reverse(start_max));
        let (block, place) =
            self.seek(|record| (record.predicate, Reverse(record.valid.start())) < from);
        Cursor { blocks: &self.0[block..], place, predicate, ended_by, examined: 0 }
    }

    /// Where the first record stands that `before` is false of. It must be true of a prefix.
    fn seek(&self, before: impl Fn(&Record) -> bool) -> (usize, usize) {
        let block = self.0.partition_point(|block| before(block.last()));
        let place = self.0.get(block).map_or(0, |block| block.records.partition_point(before));
        (block, place)
    }

    fn insert(&mut self, record: Record) {
        let blocks = &mut self.0;
        let at = blocks.partition_point(|block| *block.last() < record);
        if blocks.get(at).is_some_and(|block| *block.first() < record) {
            if !blocks[at].has_room() {
                let right = blocks[at].records.split_off(BLOCK_RECORDS_MAX / 2);
                blocks[at].records.shrink_to_fit();
                blocks[at].end_max = end_max(&blocks[at].records);
                blocks.insert(at + 1, Block::new(right));
            }
            let half = at + usize::from(*blocks[at].last() < record);
            blocks[half].insert(record);
        } else if at > 0 && blocks[at - 1].has_room() {
            // Between two blocks it belongs to whichever has room, so that a run that only ever
            // grows at one spot still fills its blocks.
            blocks[at - 1].insert(record);
        } else if at < blocks.len() && blocks[at].has_room() {
            blocks[at].insert(record);
        } else {
            blocks.insert(at, Block::new(vec![record]));
        }
    }

    fn remove(&mut self, record: &Record) -> bool {
        let at = self.0.partition_point(|block| block.last() < record);
        let Some(block) = self.0.get_mut(at) else { return false };
        if !remove_from(&mut block.records, record) {
            return false;
        }
        if block.records.is_empty() {
            self.0.remove(at);
            give_back(&mut self.0);
            return true;
        }
        if block.end_max == record.valid.end() {
            block.end_max = end_max(&block.records);
        }
        self.join_next(at);
        if at > 0 {
            self.join_next(at - 1);
        }
        true
    }

    /// Joins a block with the next when both are nearly empty, so that a hub that was closed
    /// record by record gives its memory back.
    fn join_next(&mut self, at: usize) {
        let Some([left, right]) = self.0.get(at..).and_then(<[Block]>::first_chunk) else { return };
        if left.records.len() + right.records.len() <= BLOCK_RECORDS_MAX / 2 {
            let right = self.0.remove(at + 1);
            give_back(&mut self.0);
            let left = &mut self.0[at];
            left.records.extend(right.records);
            left.end_max = left.end_max.max(right.end_max);
        }
    }
}

/// A walk over the records of one predicate, newest start first.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    blocks: &'a [Block],
    place: usize,
    predicate: PredicateId,
    ended_by: Timestamp,
    examined: u64,
}

impl Cursor<'_> {
    /// What was looked at since the last call: records, and blocks that were skipped whole.
    pub(super) fn take_examined(&mut self) -> u64 {
        std::mem::take(&mut self.examined)
    }
}

impl<'a> Iterator for Cursor<'a> {
    type Item = &'a Record;

    fn next(&mut self) -> Option<&'a Record> {
        while let Some((block, rest)) = self.blocks.split_first() {
            let record = block.records.get(self.place);
            if record.is_some_and(|record| record.predicate != self.predicate) {
                self.blocks = &[];
                return None;
            }
            match record {
                Some(record) if block.end_max > self.ended_by => {
                    self.place += 1;
                    self.examined += 1;
                    return Some(record);
                }
                _ => {
                    self.examined += u64::from(record.is_some());
                    self.blocks = rest;
                    self.place = 0;
                }
            }
        }
        None
    }
}

/// Makes room for one more record, growing by halves: most vectors here stay tiny, and there are
/// two for every node.
pub(super) fn reserve_tight(records: &mut Vec<Record>) {
    if records.len() == records.capacity() {
        records.reserve_exact((records.len() / 2).max(1));
    }
}

fn remove_from(records: &mut Vec<Record>, record: &Record) -> bool {
    let Ok(place) = records.binary_search(record) else { return false };
    records.remove(place);
    give_back(records);
    true
}

fn give_back<T>(items: &mut Vec<T>) {
    if items.len() <= items.capacity() / 4 {
        items.shrink_to(items.capacity() / 2);
    }
}

fn end_max(records: &[Record]) -> Timestamp {
    records.iter().map(|record| record.valid.end()).max().unwrap_or(Timestamp::NEG_INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{EntityId, Interval, Object, TxId, TxSpan};

    fn record(predicate: u32, start: i64, end: i64) -> Record {
        let at = Timestamp::from_micros;
        Record {
            valid: Interval::new(at(start), at(end)).expect("ordered"),
            believed: TxSpan { from: TxId::new(1), to: TxId::OPEN },
            other: Object::Entity(EntityId::new(0)),
            predicate: PredicateId::new(predicate),
            closed: None,
        }
    }

    fn blocks(run: &Run) -> &[Block] {
        let Run::Long(blocks) = run else { panic!("a long run") };
        &blocks.0
    }

    /// Checks the invariants and gives the records in order.
    fn records(run: &Run) -> Vec<Record> {
        let records = match run {
            Run::Short(records) => records.clone(),
            Run::Long(blocks) => {
                for block in &blocks.0 {
                    assert!(!block.records.is_empty() && block.records.len() <= BLOCK_RECORDS_MAX);
                    assert_eq!(block.end_max, end_max(&block.records));
                }
                let joinable = |pair: &[Block]| {
                    pair[0].records.len() + pair[1].records.len() <= BLOCK_RECORDS_MAX / 2
                };
                assert!(!blocks.0.windows(2).any(joinable));
                blocks.0.iter().flat_map(|block| block.records.clone()).collect()
            }
        };
        assert!(records.is_sorted());
        records
    }

    /// Numbers below `count`, each once, in an order without a pattern.
    fn shuffled(count: u32) -> impl Iterator<Item = u32> {
        (0..count).map(move |number| number * 7919 % count)
    }

    fn orders(count: u32) -> [Vec<u32>; 3] {
        [(0..count).collect(), (0..count).rev().collect(), shuffled(count).collect()]
    }

    fn short_lived(number: u32, predicates: u32) -> Record {
        let start = i64::from(number);
        record(number % predicates, start, start + 1 + start % 10)
    }

    #[test]
    fn a_run_holds_what_was_put_in_and_not_taken_out() {
        let mut run = Run::default();
        let mut model = Vec::new();
        for (step, number) in shuffled(1_000).enumerate() {
            let new = short_lived(number, 3);
            run.insert(new);
            model.push(new);
            if step % 3 == 0 {
                let old = model.swap_remove(step * 31 % model.len());
                assert!(run.remove(&old) && !run.remove(&old), "it was there once");
            }
            model.sort_unstable();
            assert_eq!(records(&run), model);
        }
        for old in model.drain(..) {
            assert!(run.remove(&old));
            records(&run);
        }
        assert!(run.is_empty());
    }

    #[test]
    fn whatever_the_order_of_insertion_blocks_stay_half_full() {
        for order in orders(3_000) {
            let mut run = Run::default();
            for number in order {
                run.insert(short_lived(number, 2));
            }
            assert_eq!(records(&run).len(), 3_000);
            assert!(blocks(&run).len() * BLOCK_RECORDS_MAX <= 2 * 3_000);
        }
    }

    #[test]
    fn a_hub_that_was_emptied_gives_its_memory_back() {
        for order in orders(400) {
            let mut run = Run::build(order.iter().map(|number| short_lived(*number, 1)).collect());
            let full = run.heap_bytes();
            for number in order.into_iter().filter(|number| number % 10 != 0) {
                assert!(run.remove(&short_lived(number, 1)));
                records(&run);
            }
            assert_eq!(records(&run).len(), 40);
            assert!(run.heap_bytes() < full / 4, "{} of {full} bytes", run.heap_bytes());
        }
    }

    #[test]
    fn a_node_that_was_emptied_gives_its_memory_back() {
        let mut run = Run::build((0..4).map(|number| short_lived(number, 1)).collect());
        let full = run.heap_bytes();
        assert!((0..3).all(|number| run.remove(&short_lived(number, 1))));
        assert!(run.heap_bytes() <= full / 2);
    }

    #[test]
    fn a_cursor_skips_blocks_where_everything_has_ended() {
        let mut all: Vec<Record> = (0..4_000).map(|start| record(1, start, start + 1)).collect();
        all.extend([record(0, 5, 9_000), record(1, 3, 9_000), record(2, 7, 9_000)]);
        let run = Run::build(all);
        let Run::Long(blocks) = &run else { panic!("a long run") };
        assert_eq!(blocks.predicates(), [0, 1, 2].map(PredicateId::new));

        let at = Timestamp::from_micros(8_000);
        let mut cursor = blocks.cursor(PredicateId::new(1), at, at);
        let open: Vec<_> = cursor.by_ref().filter(|record| record.valid.contains(at)).collect();
        assert_eq!(open, [&record(1, 3, 9_000)]);
        assert!(cursor.take_examined() < 4_000 / BLOCK_RECORDS_MAX as u64 + 20);
    }
}
