//! Instants as people write them, and points between which the answer changes.

use tonic::Code;

use tenure::rpc::proto;
use tenure::rpc::proto::transaction_point::Point as KnownPoint;
use tenure::rpc::proto::valid_point::Point;

use crate::ask::{HOME, fact, held, micros, refused, request, timeline, violations, write};
use crate::support::{Server, at, op};

fn on(text: &str, zone: &str, edge: proto::Edge) -> Option<proto::AsOf> {
    let zone = zone.to_owned();
    let date = proto::CivilDate { text: text.to_owned(), zone, ..Default::default() };
    let valid = proto::ValidPoint { point: Some(Point::Date(date)), edge: edge.into() };
    Some(proto::AsOf { valid: Some(valid), known: None })
}

fn known_on(text: &str, zone: &str, edge: proto::Edge, valid: i64) -> Option<proto::AsOf> {
    let zone = zone.to_owned();
    let date = proto::CivilDate { text: text.to_owned(), zone, ..Default::default() };
    let known = proto::TransactionPoint { point: Some(KnownPoint::Date(date)), edge: edge.into() };
    Some(proto::AsOf { valid: at::valid(valid)?.valid, known: Some(known) })
}

/// Facts written as dates, then the facts that hold at each of some instants.
async fn check(operations: Vec<proto::Operation>, cases: &[(&str, &[&str])]) {
    let mut server = Server::start().await;
    write(&mut server, micros("2025-06-01T00:00:00Z"), operations).await;
    for (text, facts) in cases {
        let by_number = held(&mut server, at::valid(micros(text))).await;
        let by_text = held(&mut server, on(text, "", proto::Edge::Unspecified)).await;
        assert_eq!(by_number, by_text, "{text}");
        assert_eq!(by_text, *facts, "{text}");
    }
    server.stop().await;
}

fn since(s: &str, p: &str, o: &str, from: &str) -> proto::Operation {
    op::assert(s, p, o, op::date(from), None)
}

#[tokio::test]
async fn t02_one_owner_at_the_instant_of_the_hand_over() {
    let operations = vec![
        op::one("owner"),
        since("crane-3", "owner", "firm-a", "2020-01-01"),
        since("crane-3", "owner", "firm-b", "2022-01-01T00:00Z"),
    ];
    let cases: [(&str, &[&str]); 4] = [
        ("2019-12-31T23:59:59.999999Z", &[]),
        ("2020-01-01T00:00:00Z", &["crane-3 owner firm-a"]),
        ("2021-12-31T23:59:59.999Z", &["crane-3 owner firm-a"]),
        ("2022-01-01T00:00:00Z", &["crane-3 owner firm-b"]),
    ];
    check(operations, &cases).await;
}

#[tokio::test]
async fn t12_zones_order_instants() {
    let operations = vec![
        since("e1", "happened", "here", "2024-03-10T23:30:00-05:00"),
        since("e2", "happened", "here", "2024-03-11T04:15:00Z"),
        since("e3", "happened", "there", "2024-03-12T00:00:00.250Z"),
    ];
    let cases: [(&str, &[&str]); 4] = [
        ("2024-03-11T04:20:00Z", &["e2 happened here"]),
        ("2024-03-11T04:30:00Z", &["e1 happened here", "e2 happened here"]),
        ("2024-03-12T00:00:00Z", &["e1 happened here", "e2 happened here"]),
        (
            "2024-03-12T00:00:00.250Z",
            &["e1 happened here", "e2 happened here", "e3 happened there"],
        ),
    ];
    check(operations, &cases).await;
}

#[tokio::test]
async fn t12_ten_spellings_of_one_instant() {
    let mut server = Server::start().await;
    let spellings = [
        "2024-03-05T06:07:08.123456Z",
        "2024-03-05T08:07:08.123456+02:00",
        "2024-03-05T06:07:08.123456+00:00",
        "2024-03-05T06:07:08.123456-00:00",
        "2024-03-05 06:07:08.123456Z",
        "2024-03-05t06:07:08.123456z",
        "2024-03-05T06:07:08.123456000Z",
        "2024-03-05T15:07:08.123456+0900",
        "2024-03-05T15:07:08.123456+09",
        "2024-03-04T23:37:08.123456-06:30",
    ];
    let instant = micros(spellings[0]);
    server.clock.set(instant);
    for (place, text) in spellings.iter().enumerate() {
        let subject = format!("s{place}");
        write(&mut server, instant, vec![since(&subject, "at", "x", text)]).await;
        let rows = timeline(&mut server, &subject, "at", None).await;
        assert_eq!(rows, [format!("{subject} at x [{instant},-)")], "{text}");
    }
    for text in spellings {
        let facts = held(&mut server, on(text, "", proto::Edge::Unspecified)).await;
        assert_eq!(facts.len(), spellings.len(), "{text}");
    }
    assert_eq!(held(&mut server, at::valid(instant - 1)).await, Vec::<String>::new());
    server.stop().await;
}

#[tokio::test]
async fn r32_spellings_of_an_end_behave_alike_just_before_at_and_after() {
    let mut server = Server::start().await;
    let ends =
        ["2024-01-01T10:00:00Z", "2024-01-01T10:00:00.000+00:00", "2024-01-01T12:00:00+02:00"];
    for (place, end) in ends.iter().enumerate() {
        let to = op::date(end);
        let subject = format!("s{place}");
        let operation = op::assert(&subject, "at", "x", op::date("2024"), to);
        write(&mut server, micros(end), vec![operation]).await;
    }
    let end = micros(ends[0]);
    for (at_instant, count) in [(end - 1, 3), (end, 0), (end + 1, 0)] {
        assert_eq!(held(&mut server, at::valid(at_instant)).await.len(), count, "{at_instant}");
    }
    server.stop().await;
}

#[tokio::test]
async fn t07_r19_a_fact_starts_when_the_clock_reaches_it_without_a_write() {
    let mut server = Server::start().await;
    let day = 24 * 3_600 * 1_000_000;
    let start = 100 * day;
    let operations = vec![
        fact("tariff-2", "applies_to", "zone-c", start + 30 * day, None),
        fact("tariff-1", "applies_to", "zone-c", 0, start + 10 * day),
    ];
    write(&mut server, start, operations).await;
    let cases: [(i64, &[&str]); 4] = [
        (start, &["tariff-1 applies_to zone-c"]),
        (start + 10 * day, &[]),
        (start + 30 * day - 1, &[]),
        (start + 31 * day, &["tariff-2 applies_to zone-c"]),
    ];
    for (now, facts) in cases {
        server.clock.set(now);
        assert_eq!(held(&mut server, None).await, facts, "now {now}");
        // What is asked of a time does not depend on the clock.
        assert_eq!(held(&mut server, at::valid(start)).await, ["tariff-1 applies_to zone-c"]);
    }
    server.stop().await;
}

#[tokio::test]
async fn r08_a_missing_start_is_the_transaction_time_and_an_end_never_becomes_one() {
    let mut server = Server::start().await;
    write(&mut server, 7, vec![op::assert("s", "p", "o", None, op::instant(50))]).await;
    assert_eq!(timeline(&mut server, "s", "p", None).await, ["s p o [7,50)"]);
    assert_eq!(held(&mut server, at::valid(60)).await, Vec::<String>::new());
    // Without bounds the end is open; an end before the transaction has no start to stand on.
    write(&mut server, 8, vec![op::assert("s", "q", "o", None, None)]).await;
    assert_eq!(timeline(&mut server, "s", "q", None).await, ["s q o [8,-)"]);
    let backwards = request(vec![op::assert("s", "r", "o", None, op::instant(3))]);
    let status = server.facts.transact(backwards).await.expect_err("an end before its start");
    assert_eq!(
        violations(&status),
        [("operations[0].assert.to".to_owned(), "INVERTED_INTERVAL".to_owned())]
    );
    server.stop().await;
}

#[tokio::test]
async fn r31_a_question_without_a_time_uses_the_clock_not_the_last_write() {
    let mut server = Server::start().await;
    write(&mut server, 19, vec![fact("a", "p", "x", 15, None)]).await;
    write(&mut server, 20, vec![fact("b", "p", "x", 3, 5)]).await;
    server.clock.set(20);
    assert_eq!(held(&mut server, None).await, ["a p x"]);
    let answer = server
        .facts
        .list_facts(proto::ListFactsRequest { namespace: HOME.to_owned(), ..Default::default() });
    let basis = answer.await.expect("an answer").into_inner().basis.expect("a basis");
    assert_eq!((basis.valid_time.map(|at| at.unix_micros), basis.tx), (Some(20), 2));
    server.stop().await;
}

#[tokio::test]
async fn r35_before_the_first_commit_nothing_was_known() {
    let mut server = Server::start().await;
    assert_eq!(held(&mut server, None).await, Vec::<String>::new());
    write(&mut server, 10, vec![fact("a", "p", "x", 0, None)]).await;
    for as_of in [at::tx(5, 0), at::times(5, 9), at::times(5, i64::MIN + 1)] {
        assert_eq!(held(&mut server, as_of).await, Vec::<String>::new());
    }
    for as_of in [at::tx(5, 1), at::times(5, 10), at::times(5, i64::MAX - 1), at::tx(5, u64::MAX)] {
        assert_eq!(held(&mut server, as_of).await, ["a p x"]);
    }
    let empty = proto::AsOf {
        valid: Some(proto::ValidPoint::default()),
        known: Some(proto::TransactionPoint::default()),
    };
    let namespace = HOME.to_owned();
    let request = proto::ListFactsRequest { namespace, as_of: Some(empty), ..Default::default() };
    let status = server.facts.list_facts(request).await.expect_err("points without a point");
    let fields = [("as_of.valid", "MALFORMED_FIELD"), ("as_of.known", "MALFORMED_FIELD")];
    let fields = fields.map(|(field, reason)| (field.to_owned(), reason.to_owned()));
    assert_eq!(violations(&status), fields);
    server.stop().await;
}

#[tokio::test]
async fn r27_transaction_times_increase_whatever_the_clock_does() {
    let mut server = Server::start().await;
    let mut times = Vec::new();
    for (place, clock) in [10, 7, 7, 10, 13, -5].into_iter().enumerate() {
        let written =
            write(&mut server, clock, vec![fact(&format!("s{place}"), "p", "x", 0, None)]);
        times.push(written.await.tx_time.expect("a time").unix_micros);
    }
    assert_eq!(times, [10, 11, 12, 13, 14, 15]);
    server.stop().await;
}

#[tokio::test]
async fn r40_n17_a_day_has_a_zone_and_two_edges() {
    let mut server = Server::start().await;
    let noon = micros("2024-07-01T12:00:00Z");
    write(&mut server, noon, vec![fact("a", "p", "x", noon, None)]).await;
    let day = 24 * 3_600 * 1_000_000;
    let midnight = micros("2024-07-01T00:00:00Z");
    let auckland = midnight - 12 * 3_600 * 1_000_000;
    let cases = [
        ("2024-07-01", "UTC", proto::Edge::Unspecified, midnight),
        ("2024-07-01", "UTC", proto::Edge::Start, midnight),
        ("2024-07-01", "UTC", proto::Edge::End, midnight + day - 1),
        ("2024-07-01", "Pacific/Auckland", proto::Edge::Start, auckland),
        ("2024-07-01", "Pacific/Auckland", proto::Edge::End, auckland + day - 1),
        ("2024-07", "UTC", proto::Edge::End, micros("2024-08-01T00:00:00Z") - 1),
        ("2024", "UTC", proto::Edge::Start, micros("2024-01-01T00:00:00Z")),
    ];
    for (text, zone, edge, instant) in cases {
        let namespace = HOME.to_owned();
        let as_of = on(text, zone, edge);
        let request = proto::ListFactsRequest { namespace, as_of, ..Default::default() };
        let answer = server.facts.list_facts(request).await.expect("an answer").into_inner();
        let basis = answer.basis.expect("a basis");
        assert_eq!(basis.valid_time.map(|at| at.unix_micros), Some(instant), "{text} {zone}");
        assert_eq!(answer.rectangles.len(), usize::from(instant >= noon), "{text} {zone}");
        // The same edges of the known time: the fact was recorded at noon.
        let known = held(&mut server, known_on(text, zone, edge, noon)).await;
        assert_eq!(known.len(), usize::from(instant >= noon), "known {text} {zone}");
    }
    let unknown = on("2024-07-01", "Mars/Olympus", proto::Edge::Start);
    let namespace = HOME.to_owned();
    let request = proto::ListFactsRequest { namespace, as_of: unknown, ..Default::default() };
    let told = refused(server.facts.list_facts(request).await);
    assert_eq!(told, (Code::InvalidArgument, "ZONE_UNKNOWN".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn n03_finer_than_a_microsecond_is_cut_and_said_to_be() {
    let mut server = Server::start().await;
    let cases = [
        ("2024-03-05T06:07:08.123456789Z", true),
        ("2024-03-05T06:07:08.123456000Z", false),
        ("2024-03-05T06:07:08.123456Z", false),
    ];
    for (text, floored) in cases {
        let response = write(&mut server, 0, vec![since("s", text, "x", text)]).await;
        assert_eq!(response.outcomes[0].floored, floored, "{text}");
        let start = micros("2024-03-05T06:07:08.123456Z");
        assert_eq!(
            timeline(&mut server, "s", text, None).await,
            [format!("s {text} x [{start},-)")]
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn c25_dates_are_read_in_the_zone_of_the_namespace() {
    let mut server = Server::start().await;
    let name = "seoul".to_owned();
    let zone = "Asia/Seoul".to_owned();
    let create = proto::CreateNamespaceRequest { name, zone, ..Default::default() };
    server.admin.create_namespace(create).await.expect("a zone of its own");
    let cases = [
        ("2026-03-01", "2026-02-28T15:00:00Z"),
        ("2026-03-01T00:30", "2026-02-28T15:30:00Z"),
        ("2026-03-01T00:30+09:00", "2026-02-28T15:30:00Z"),
        ("2026-03-01T00:30Z", "2026-03-01T00:30:00Z"),
    ];
    for (text, instant) in cases {
        let as_of = on(text, "", proto::Edge::Unspecified);
        let namespace = "seoul".to_owned();
        let request = proto::ListFactsRequest { namespace, as_of, ..Default::default() };
        let answer = server.facts.list_facts(request).await.expect("an answer").into_inner();
        let at_instant = answer.basis.expect("a basis").valid_time.expect("an instant");
        assert_eq!(at_instant.unix_micros, micros(instant), "{text}");
    }
    for text in ["2026-13-40", "2025-02-30", "100,000 years ago", "1700000000"] {
        let namespace = HOME.to_owned();
        let as_of = on(text, "", proto::Edge::Unspecified);
        let request = proto::ListFactsRequest { namespace, as_of, ..Default::default() };
        let told = refused(server.facts.list_facts(request).await);
        assert_eq!(told, (Code::InvalidArgument, "DATE_INVALID".to_owned()), "{text}");
    }
    server.stop().await;
}

#[tokio::test]
async fn n14_n15_dates_far_from_ours() {
    let operations = vec![
        since("voc", "founded", "amsterdam", "1602-03-20"),
        op::assert("caesar", "lived", "rome", op::date("-0099-07-12"), op::date("-0043-03-15")),
        op::assert("role", "held_by", "x", op::date("2020"), op::date("9999-12-31")),
        op::assert("adam", "knew", "eve", op::unbounded(), op::date("-3000")),
    ];
    let cases: [(&str, &[&str]); 3] = [
        ("1602-03-19T23:59:59.999999Z", &[]),
        ("1602-03-20T00:00:00Z", &["voc founded amsterdam"]),
        ("9999-12-31T23:59:59Z", &["role held_by x", "voc founded amsterdam"]),
    ];
    check(operations.clone(), &cases).await;
    let mut server = Server::start().await;
    write(&mut server, 0, operations).await;
    for (text, facts) in [
        ("-0050-01-01", vec!["caesar lived rome"]),
        ("-0043-03-15", vec![]),
        ("-5000", vec!["adam knew eve"]),
        ("+20000", vec!["role held_by x", "voc founded amsterdam"]),
    ] {
        assert_eq!(held(&mut server, on(text, "UTC", proto::Edge::Start)).await, facts, "{text}");
    }
    let role = timeline(&mut server, "role", "held_by", None).await;
    assert_eq!(role, [format!("role held_by x [{},-)", micros("2020-01-01T00:00:00Z"))]);
    server.stop().await;
}

/// A fact that spans a window whole: one row with its stored bounds, and nothing happens inside.
#[tokio::test]
async fn r15_a_fact_that_spans_a_window_is_one_row_and_no_event() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![fact("a", "p", "b", 2, None)]).await;
    let overlapping = Some(proto::Range { from: op::instant(5), to: op::instant(8) });
    let request =
        proto::ListFactsRequest { namespace: HOME.to_owned(), overlapping, ..Default::default() };
    let rows = server.facts.list_facts(request).await.expect("an answer").into_inner().rectangles;
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].valid_from, Some(proto::Instant { unix_micros: 2 }));
    assert_eq!(rows[0].valid_to, None);
    let request = proto::DiffFactsRequest {
        namespace: HOME.to_owned(),
        from: at::valid(5),
        to: at::valid(7),
        ..Default::default()
    };
    let diff = server.facts.diff_facts(request).await.expect("an answer").into_inner();
    assert!(diff.removed.is_empty() && diff.added.is_empty() && diff.changed.is_empty());
    server.stop().await;
}
