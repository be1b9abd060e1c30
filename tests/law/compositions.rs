//! Supersede, the world changed, and correct, the record was wrong.

use crate::check::check;

#[test]
fn supersede_ends_the_old_and_starts_the_new() {
    check(
        "one head
         assert d1 head ann from 10
         supersede d1 head ann bob at 20 held => APPLIED
         supersede d1 head - cid at 30 held => APPLIED
         supersede d1 head ann eve at 40 held => refused NO_MATCH
         retract d1 head bob",
        "d1 head/3 = ann [10,20) bob [20,30) cid [30,inf)
         d1 head = ann [10,30) cid [30,inf)
         no conflict",
    );
    check(
        "assert ann member t1 from 10; assert ann member t3 from 10
         supersede ann member t1 t2 at 20 held => APPLIED
         supersede ann member t1 t4 at 25 held => refused NO_MATCH
         supersede ann member - t4 at 25 => refused MISSING",
        "ann member ? @19 -> t1 t3
         ann member ? @20 -> t2 t3",
    );
}

/// Found by the random tests: rule E1 remembers an end even if nothing matched, and so must a
/// supersede, whose old object may arrive later than its end.
#[test]
fn supersede_remembers_the_end_of_what_is_not_known_yet() {
    check(
        "supersede ann member t1 t2 at 20 => APPLIED
         assert ann member t1 from 10",
        "ann member = t1 [10,20) t2 [20,inf)",
    );
}

#[test]
fn correct_replaces_a_whole_hold() {
    let story = "one head
         assert d1 head ann from 10
         assert d1 head bob from 20
         correct d1 head bob at 25 new bea => APPLIED";
    check(story, "d1 head = ann [10,20) bea [20,inf)");
    check(
        &format!("{story}\nassert d1 head bea from 20 to 30"),
        "d1 head = ann [10,20) bea [20,30)",
    );
    check(
        "assert ann member t1 from 10
         end ann member t1 at 20
         correct ann member t1 at 15 from 12 => APPLIED
         correct ann member t1 at 15 to 30 => APPLIED
         correct ann member t1 at 15 new t2 => APPLIED
         correct ann member t1 at 15 new t3 => NO_MATCH",
        "ann member/3 = t1 [12,20)
         ann member/4 = t1 [12,30)
         ann member = t2 [12,30)",
    );
    check(
        "assert ann member t1 from 10
         correct ann member t1 at 15 from 12
         end ann member t1 at 20
         correct ann member t1 at 15 to inf
         correct ann member t1 at 15 from 30 to 20 => refused INVERTED_INTERVAL",
        "ann member/2 = t1 [12,inf)
         ann member/3 = t1 [12,20)
         ann member = t1 [12,inf)",
    );
}

#[test]
fn correct_forgets_the_end_of_the_hold() {
    for (correction, runs) in
        [("to 15", "t1 [10,15) t1 [16,inf)"), ("new t2", "t2 [10,20) t1 [16,inf)")]
    {
        let story = format!(
            "assert ann member t1 from 10
             end ann member t1 at 20
             correct ann member t1 at 12 {correction}
             assert ann member t1 from 16"
        );
        check(&story, &format!("ann member = {runs}"));
    }
}

/// Found by the random tests: a missing end is another thing than +infinity, also when it is
/// corrected.
#[test]
fn correct_keeps_an_end_that_was_said_to_be_infinite() {
    check(
        "one head
         assert d1 head cid from 30
         assert d1 head ann from 10 to inf
         correct d1 head ann at 15 new bob",
        "d1 head = bob [10,inf)",
    );
}
