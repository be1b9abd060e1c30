//! A clock that is set back: transaction times ascend all the same, and answers stay right.

use tenure::rpc::proto;

use crate::ask::{HOME, fact, held, request, statuses, verify, words, write};
use crate::support::{Server, at, op};

const HOUR: i64 = 3_600_000_000;
const NOON: i64 = 1_700_000_000_000_000;

fn time(response: &proto::TransactResponse) -> i64 {
    response.tx_time.expect("a time").unix_micros
}

#[tokio::test]
async fn a_clock_set_back_by_an_hour_leaves_times_ascending_and_answers_right() {
    let mut server = Server::start().await;
    write(&mut server, NOON, vec![op::one("head")]).await;
    let mut last = NOON;
    for (n, clock) in (0_i64..).zip([NOON, NOON - HOUR, NOON - HOUR, NOON - HOUR + 1, NOON + 1]) {
        let head = format!("head {n}");
        let written = write(&mut server, clock, vec![fact("d1", "head", &head, n, None)]).await;
        assert!(time(&written) > last, "{} after {last}, the clock at {clock}", time(&written));
        last = time(&written);
        // The writer reads what it wrote, also without a basis, and also as known at that time.
        assert_eq!(held(&mut server, None).await, [format!("d1 head {head}")]);
        let known = held(&mut server, at::times(n, last)).await;
        assert_eq!(known, [format!("d1 head {head}")]);
        if n > 0 {
            let before = held(&mut server, at::times(n, last - 1)).await;
            assert_eq!(before, [format!("d1 head head {}", n - 1)], "as known just before");
        }
    }
    verify(&mut server, HOME).await;
    server.stop().await;
}

/// A fact without a start holds from its transaction time, which may be ahead of a clock that was
/// set back; a question without a time is about the clock's (R31). Both are kept: the fact is found
/// at its own time at once, and without a time when the clock comes to it.
#[tokio::test]
async fn a_fact_from_now_on_is_found_at_its_time_although_the_clock_was_set_back() {
    let mut server = Server::start().await;
    write(&mut server, NOON, vec![op::assert("s1", "is", "here", None, None)]).await;
    assert_eq!(held(&mut server, None).await, ["s1 is here"]);
    let here = op::assert("s2", "is", "here", None, None);
    let written = write(&mut server, NOON - HOUR, vec![here]).await;
    assert_eq!(held(&mut server, None).await, [""; 0], "neither holds yet");
    let both = ["s1 is here", "s2 is here"];
    assert_eq!(held(&mut server, at::valid(time(&written))).await, both);
    server.clock.set(time(&written));
    assert_eq!(held(&mut server, None).await, both);
    server.stop().await;
}

#[tokio::test]
async fn a_server_started_under_an_earlier_clock_goes_on_after_its_last_time() {
    let mut server = Server::start().await;
    let first = write(&mut server, NOON, vec![fact("d1", "head", "ann", 0, None)]).await;
    let home = server.stop().await.expect("a directory");
    let mut server = Server::open(home.path()).await;
    server.clock.set(NOON - HOUR);
    let keyed = proto::TransactRequest {
        request_id: "one".to_owned(),
        ..request(vec![fact("d1", "head", "bob", 5, None)])
    };
    let second = server.facts.transact(keyed.clone()).await.expect("a write").into_inner();
    assert!(time(&second) > time(&first));
    server.clock.set(NOON - 2 * HOUR);
    let again = server.facts.transact(keyed).await.expect("a write").into_inner();
    assert!(again.replayed, "a receipt is not too old under a clock set back");
    assert_eq!((again.tx, time(&again)), (second.tx, time(&second)));
    assert_eq!(statuses(&again), statuses(&second));
    let listed = proto::ListFactsRequest { namespace: HOME.to_owned(), ..Default::default() };
    let answer = server.facts.list_facts(listed).await.expect("an answer").into_inner();
    let rows: Vec<String> = answer.rectangles.iter().map(words).collect();
    assert_eq!(rows, ["d1 head ann", "d1 head bob"], "many at once, as none was declared");
    server.stop().await;
}
