//! The cases that broke other products, each by its number on that page. Merges, sources and
//! conflicts are in `disputes`.

use tenure::kernel::{Change, Lookup};
use tenure::types::TxId;

use crate::check::{check, tell};
use crate::text::{line, tx_at};

#[test]
fn t01_the_same_fact_comes_back() {
    check(
        "assert unit-7 assigned_to north from 2021 to 2022
         assert unit-7 assigned_to north from 2024",
        "unit-7 assigned_to = north [2021,2022) north [2024,inf)
         unit-7 assigned_to ? @2023 -> nothing
         rows 2",
    );
}

#[test]
fn t02_a_hand_over_has_one_owner_at_every_instant() {
    check(
        "one owner
         assert crane-3 owner firm-a from 200
         assert crane-3 owner firm-b from 220",
        "crane-3 owner ? @219 -> firm-a
         crane-3 owner ? @220 -> firm-b",
    );
}

#[test]
fn t03_two_values_from_one_start_are_a_conflict() {
    let story = "one list_price
         assert part-9 list_price #10 from 2025 by s1
         assert part-9 list_price #12 from 2025 by s2 => APPLIED";
    check(
        story,
        "part-9 list_price ? @2026 -> #12
         part-9 list_price ? @2026/1 -> #10
         conflict 2.0 SAME_START 1.0
         displaced 2.0 1.0",
    );
    let sides = tell(story).evidence("part-9", "list_price");
    let wanted = [("#10", "s1"), ("#12", "s2")].map(|(o, s)| (o.to_owned(), s.to_owned()));
    assert_eq!(sides, wanted);
}

#[test]
fn t04_a_late_fact_falls_into_its_place_in_every_order() {
    check(
        "one hq
         [2019] assert org-x hq rivermouth from 2019
         [2023] assert org-x hq hillcrest from 2023
         [2024] assert org-x hq lakeside from 2021",
        "org-x hq = rivermouth [2019,2021) lakeside [2021,2023) hillcrest [2023,inf)
         org-x hq ? @2022/2023 -> rivermouth",
    );
    let facts = [("rivermouth", 2019), ("hillcrest", 2023), ("lakeside", 2021)];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let said = order.map(|place| facts[place]);
        let said = said.map(|(place, from)| format!("assert org-x hq {place} from {from}"));
        check(
            &format!("one hq\n{}", said.join("\n")),
            "org-x hq = rivermouth [2019,2021) lakeside [2021,2023) hillcrest [2023,inf)",
        );
    }
}

/// The page would also have taken firm-b. Rule A1 is clear: a definite assert takes every instant of
/// its interval. One owner, and the outcome names the other.
#[test]
fn t05_a_late_fact_with_an_end_of_its_own_never_makes_two_owners() {
    check(
        "one owner
         assert lot-4 owner firm-b from 2023
         assert lot-4 owner firm-a from 2020 to 2030",
        "lot-4 owner ? @2025 -> firm-a
         lot-4 owner = firm-a [2020,2030) firm-b [2030,inf)
         displaced 2.0 1.0",
    );
}

#[test]
fn t07_t08_starts_to_come_and_starts_not_known() {
    check(
        "[100] assert tariff-2 applies_to zone-c from 130",
        "tariff-2 applies_to ? @100 -> nothing
         tariff-2 applies_to ? @131 -> zone-c",
    );
    check(
        "one supplier
         assert valve-8 supplier firm-a from -inf
         assert valve-8 supplier firm-b from 2025",
        "valve-8 supplier = firm-a [-inf,2025) firm-b [2025,inf)",
    );
}

#[test]
fn t09_c02_c03_c04_r16_bystanders_are_left_alone() {
    check(
        "assert k manages team-1 from 2022; assert k works_for org-x from 2020; \
         assert k speaks lang-1 from 2000
         assert k manages team-2 from 2024; assert k administers repo-3 from 2024
         assert pump uses seal; assert engine uses pump",
        "k manages ? @2025 -> team-1 team-2
         k works_for ? @2025 -> org-x
         k speaks ? @2025 -> lang-1
         k administers ? @2025 -> repo-3
         engine uses ? @2025 -> pump
         pump uses ? @2025 -> seal
         displaced 2.1
         displaced 3.1
         rows 7",
    );
    check(
        "assert rig tested_with a from 1; assert rig tested_with b from 1; \
         assert rig tested_with c from 1; assert rig run_by a from 1; assert rig-2 tested_with a
         assert rig tested_with d from 1",
        "rig tested_with ? @1 -> a b c d
         rows 6
         live 6",
    );
}

#[test]
fn t10_r21_intervals_that_enclose_nothing_are_refused() {
    check(
        "assert x at y from 2025 to 2020 => refused INVERTED_INTERVAL
         assert x at y from 5 to 5 => refused EMPTY_INTERVAL
         assert x at y from inf => refused EMPTY_INTERVAL
         assert x at y from 1 atleast => refused MISSING
         retract x at y from 5 to 5 => refused EMPTY_INTERVAL
         retract x at y from 9 to 5 => refused INVERTED_INTERVAL",
        "rows 0",
    );
}

#[test]
fn t11_c08_a_correction_is_no_change_of_the_world() {
    check(
        "one located_at
         [1] assert sensor-1 located_at bay-2 from 1
         [6] correct sensor-1 located_at bay-2 at 3 new bay-3 => APPLIED",
        "sensor-1 located_at ? @3 -> bay-3
         sensor-1 located_at ? @3/4 -> bay-2
         closed bay-2 [1,inf) RETRACTED",
    );
    check(
        "one floor
         assert site-7 floor #3 from 1
         correct site-7 floor #3 at 2 new #4
         end site-7 floor #4 at 6",
        "site-7 floor ? @3 -> #4
         site-7 floor ? @3/1 -> #3
         site-7 floor ? @7 -> nothing",
    );
}

#[test]
fn t27_c05_the_same_fact_twice_is_one_fact_with_two_sources() {
    let story = "
        assert tomo likes tea from 1 by s1 => APPLIED
        assert tomo likes tea from 1 by s2 => NO_CHANGE
        assert tomo likes tea from 1 by s2 row 7 => NO_CHANGE
        assert tomo likes tea from 1 by s2 row 7 => REPLAYED";
    check(story, "rows 1");
    let sources: Vec<String> =
        tell(story).evidence("tomo", "likes").into_iter().map(|(_, source)| source).collect();
    assert_eq!(sources, ["s1", "s2", "s2"]);
}

#[test]
fn t31_one_bad_row_of_a_hundred() {
    let rows: Vec<String> = (0..100)
        .map(|row| format!("assert e{row} at x from {} to 10", if row == 37 { 11 } else { 1 }))
        .collect();
    let batch = rows.join("; ");
    check(&format!("{batch} => refused INVERTED_INTERVAL"), "rows 0");
    let mut told = tell("many at");
    let command = line(&format!("partial: {batch}"), &told.shop).command;
    let outcomes = told.shop.submit(1, &command).expect("a partial request is not refused");
    let bad: Vec<_> = outcomes.iter().flat_map(|outcome| &outcome.violations).collect();
    assert_eq!((outcomes.len(), bad.len(), bad[0].op), (100, 1, Some(37)));
    assert_eq!(told.shop.memory.rectangles().len(), 99);
    assert_eq!(told.entity("e37"), None, "not even its name");
}

#[test]
fn c01_c06_c07_late_arrivals_and_changes() {
    check(
        "one works_at
         assert mira works_at halden from 202401
         assert mira works_at borvik from 202301",
        "mira works_at = borvik [202301,202401) halden [202401,inf)
         mira works_at ? @202306 -> borvik
         mira works_at ? @202306/1 -> nothing",
    );
    check(
        "one diet
         assert pau diet omnivore from 1
         assert pau diet vegetarian from 5",
        "pau diet ? @9 -> vegetarian
         pau diet ? @3 -> omnivore
         pau diet = omnivore [1,5) vegetarian [5,inf)
         closed omnivore [1,inf) SUPERSEDED
         displaced 2.0 1.0
         no conflict",
    );
}

#[test]
fn r01_to_r03_an_overlay_leaves_one_value_at_every_instant() {
    check(
        "one at
         assert x at p from 1
         assert x at q from 4 to 6",
        "x at = p [1,4) q [4,6) p [6,inf)",
    );
    check(
        "one at
         assert x at p from 1 to 10
         assert x at q from 4 to 6",
        "x at = p [1,4) q [4,6) p [6,10)
         x at ? @5/1 -> p
         x at ? @5 -> q
         live 3",
    );
}

#[test]
fn r04_a_hundred_changes() {
    let said: Vec<String> = (1..=100).map(|i| format!("assert x at v{i} from {i}")).collect();
    check(&format!("one at\n{}", said.join("\n")), "live 100\n rows 199");
}

#[test]
fn r06_r12_r23_operations_of_one_request_apply_in_order() {
    check(
        "assert a m t1 from 1 to 10; retract a m t1 from 3 to 5 => APPLIED APPLIED",
        "a m = t1 [1,3) t1 [5,10)
         rows 2",
    );
    check(
        "retract a m t1 from 3 to 5; assert a m t1 from 1 to 10 => NO_MATCH APPLIED",
        "a m = t1 [1,10)",
    );
    check("assert a m t from 1; retract a m t => APPLIED APPLIED", "rows 0");
    check("retract a m t; assert a m t from 1 => NO_MATCH APPLIED", "a m = t [1,inf)");
    check(
        "one head
         assert d1 head ann from 1
         assert d1 head bob from 5; end d1 head bob at 8; assert d1 head cid from 6",
        "d1 head rectangles = ann [1,5)x[2,inf) ann [1,inf)x[1,2) bob [5,6)x[2,inf) \
         cid [6,inf)x[2,inf)",
    );
}

#[test]
fn r08_an_end_alone_never_becomes_a_start() {
    check("[7] assert x at p to 50", "x at = p [7,50)");
}

#[test]
fn r10_r11_what_is_retracted_is_gone_and_what_it_displaced_returns() {
    check(
        "assert x at p from 10
         retract x at p => APPLIED",
        "x at ? @11 -> nothing
         x at ? @11/1 -> p
         x at ? @11/1000000000 -> nothing
         closed p [10,inf) RETRACTED",
    );
    check(
        "one head
         assert d1 head ann from 10
         assert d1 head bob from 20
         retract d1 head ann",
        "d1 head = bob [20,inf)
         d1 head ? @15/2 -> ann",
    );
}

#[test]
fn r13_r17_stays_of_one_fact() {
    check(
        "assert x at p from 1 to 5
         assert x at p from 3 to 7",
        "x at = p [1,7)
         closed p [1,5) EXTENDED",
    );
    check(
        "assert x at p from 1 to 10
         assert x at p from 20 to 30",
        "x at = p [1,10) p [20,30)",
    );
    check(
        "assert x at p from 1
         assert x at p from 1 to 10",
        "x at = p [1,10)
         closed p [1,inf) ENDED",
    );
}

#[test]
fn r18_r22_neighbours() {
    for (ann, runs) in
        [("from 5 to 10", "ann [5,10) bob [20,inf)"), ("from 5", "ann [5,20) bob [20,inf)")]
    {
        let story = format!("one head\nassert d1 head bob from 20\nassert d1 head ann {ann}");
        check(&story, &format!("d1 head = {runs}\nd1 head ? @25 -> bob"));
    }
    check(
        "one head
         assert d1 head ann from 10 to 20
         assert d1 head bob from 20 to 30",
        "d1 head ? @20 -> bob
         d1 head ? @30 -> nothing
         no conflict",
    );
}

#[test]
fn r24_believed_during_finds_the_old_and_the_new() {
    let told = tell(
        "one head
         [1] assert d1 head ann from 10
         [5] assert d1 head bob from 20",
    );
    let (from, to) = (tx_at(&told.shop, 4), tx_at(&told.shop, 6));
    let during = told.shop.memory.rectangles().into_iter();
    let during = during.filter(|found| found.believed.from <= to && from < found.believed.to);
    assert_eq!(during.count(), 3);
}

#[test]
fn r25_a_closed_rectangle_cannot_be_closed_again() {
    let told = tell(
        "assert x at p from 10
         retract x at p
         assert x at p from 30",
    );
    let mut tx = told.shop.log[1].clone();
    tx.id = told.shop.last_tx().next();
    tx.changes.retain(|change| matches!(change, Change::Closed { .. }));
    let again = std::panic::AssertUnwindSafe(|| told.shop.memory.clone().apply(&tx));
    assert!(std::panic::catch_unwind(again).is_err());
}

#[test]
fn r27_transactions_order_by_number_whatever_the_clock_says() {
    let told = tell(
        "one head
         [10] assert d1 head ann
         [7] assert d1 head bob
         [7] assert d1 head cid",
    );
    let directory = told.shop.memory.directory();
    let times: Vec<i64> =
        (1..=4).map(|tx| directory.time_of(TxId::new(tx)).expect("recorded").micros()).collect();
    assert_eq!(times, [0, 10, 11, 12]);
}

#[test]
fn r29_a_block_holds_until_it_is_overridden() {
    check(
        "assert x likes p from 1 by s
         retract x likes p block => APPLIED
         assert x likes p from 1 by s => BLOCKED
         supersede x likes q p at 5 => BLOCKED
         assert x likes p from 1 by s override => APPLIED
         assert x likes p from 2 by s => BLOCKED",
        "x likes ? @1/4 -> nothing
         x likes = p [1,inf)",
    );
}

#[test]
fn r37_a_refused_request_takes_no_number() {
    let told = tell(
        "assert x at p from 1
         assert x at ghost from 5 to 5 => refused EMPTY_INTERVAL
         assert x at q from 2",
    );
    assert_eq!(told.shop.last_tx(), TxId::new(2));
    assert_eq!(told.entity("ghost"), None);
}

#[test]
fn r38_a_slowly_changing_dimension_has_shared_boundaries() {
    check(
        "one segment
         assert c1 segment gold from 2022 to inf row 3; assert c1 segment bronze from 2020 to 2021 \
         row 1; assert c1 segment silver from 2021 to 2022 row 2
         assert c1 segment bronze from 2020 to 2021 row 1 => REPLAYED",
        "c1 segment = bronze [2020,2021) silver [2021,2022) gold [2022,inf)
         no conflict",
    );
}
