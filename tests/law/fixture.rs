//! The fixture of section 7 of the law, and what the kernel alone can answer of its queries.

use tenure::kernel::{Command, Memory, Mode};

use crate::check::{check, tell};
use crate::text::tx_at;

const FIXTURE: &str = "
    one head; one part_of; many member
    assert d1 head ann from 10
    assert d1 head bob from 20
    assert ann member t1 from 5 to 25; assert bob member t1 from 15
    assert t1 part_of d1 from 1; assert t2 part_of d1 from 12
    retract bob member t1; assert bob member t2 from 15
    assert d1 head cid from 18
    end ann member t1 at 22; assert t1 part_of d2 from 24";

#[test]
fn the_fixture_has_exactly_the_rectangles_of_section_7() {
    check(
        FIXTURE,
        "ann member rectangles = t1 [5,22)x[7,inf) t1 [5,25)x[3,7)
         bob member rectangles = t1 [15,inf)x[3,5) t2 [15,inf)x[5,inf)
         d1 head rectangles = ann [10,18)x[6,inf) ann [10,20)x[2,6) ann [10,inf)x[1,2) \
         bob [20,inf)x[2,inf) cid [18,20)x[6,inf)
         t1 part_of rectangles = d1 [1,24)x[7,inf) d1 [1,inf)x[4,7) d2 [24,inf)x[7,inf)
         t2 part_of rectangles = d1 [12,inf)x[4,inf)
         rows 13",
    );
}

#[test]
fn q01_to_q03_snapshots() {
    check(
        FIXTURE,
        "ann member ? @16/4 -> t1
         bob member ? @16/4 -> t1
         d1 head ? @16/4 -> ann
         t1 part_of ? @16/4 -> d1
         t2 part_of ? @16/4 -> d1
         bob member ? @16/5 -> t2
         ann member ? @23/6 -> t1
         bob member ? @23/6 -> t2
         d1 head ? @23/6 -> bob
         ann member ? @23/7 -> nothing
         bob member ? @23/7 -> t2",
    );
}

#[test]
fn q04_to_q06_timelines_and_what_was_believed() {
    check(
        FIXTURE,
        "d1 head/1 = ann [10,inf)
         d1 head/2 = ann [10,20) bob [20,inf)
         d1 head/6 = ann [10,18) cid [18,20) bob [20,inf)
         d1 head believed @19 = 1 ann, 6 cid
         bob member believed @16 = 1 nothing, 3 t1, 5 t2",
    );
}

#[test]
fn q16_a_transaction_to_come_is_the_last_one() {
    let told = tell(FIXTURE);
    assert_eq!(tx_at(&told.shop, 99), told.shop.last_tx());
}

#[test]
fn a_replayed_log_is_the_same_memory() {
    let told = tell(FIXTURE);
    let mut memory = Memory::default();
    told.shop.log.iter().for_each(|tx| memory.apply(tx));
    assert_eq!(memory, told.shop.memory);
}

#[test]
fn an_empty_request_is_a_transaction_without_changes() {
    let mut told = tell("many at");
    let empty = Command { request: None, mode: Mode::Atomic, ops: Vec::new() };
    told.shop.submit(1, &empty).expect("nothing is wrong with it");
    assert!(told.shop.log[1].changes.is_empty());
}
