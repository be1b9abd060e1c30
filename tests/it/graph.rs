//! Walks and paths through facts that are true at the basis.

use tonic::Code;

use tenure::rpc::proto;

use crate::ask::{HOME, fact, micros, refused, request, words, write};
use crate::support::{Server, at, op};

/// A walk: whence, which way, how far, when; and the facts it finds, with their hops.
struct Walk<'a> {
    start: &'a str,
    direction: proto::Direction,
    hops: i32,
    valid: i64,
    wanted: &'a [&'a str],
}

fn walk<'a>(start: &'a str, hops: i32, valid: i64, wanted: &'a [&'a str]) -> Walk<'a> {
    Walk { start, direction: proto::Direction::Out, hops, valid, wanted }
}

impl Walk<'_> {
    fn request(&self) -> proto::TraverseRequest {
        proto::TraverseRequest {
            namespace: HOME.to_owned(),
            start: self.start.to_owned(),
            direction: self.direction.into(),
            hops: self.hops,
            as_of: at::valid(self.valid),
            ..Default::default()
        }
    }
}

fn shown(steps: &[proto::Step]) -> Vec<String> {
    let shown = steps.iter().map(|step| {
        let way = if step.reversed { " back" } else { "" };
        format!("{} {}{way}", step.hop, words(step.rectangle.as_ref().expect("a rectangle")))
    });
    shown.collect()
}

async fn traverse(server: &mut Server, request: proto::TraverseRequest) -> proto::TraverseResponse {
    server.graph.traverse(request).await.expect("an answer").into_inner()
}

async fn check(server: &mut Server, walk: Walk<'_>) {
    let answer = traverse(server, walk.request()).await;
    let case = format!("{} {:?} {} at {}", walk.start, walk.direction, walk.hops, walk.valid);
    assert_eq!(shown(&answer.steps), walk.wanted, "{case}");
    assert!(!answer.truncated, "{case}");
}

#[tokio::test]
async fn t14_r30_nothing_walks_through_an_edge_that_is_not_true() {
    let mut server = Server::start().await;
    let operations = vec![
        fact("a", "r", "b", 2020, 2021),
        fact("b", "r", "c", 2020, None),
        fact("x", "r", "y", 0, None),
        fact("y", "r", "z", 0, 10),
    ];
    write(&mut server, 1, operations).await;
    check(&mut server, walk("a", 2, 2023, &[])).await;
    check(&mut server, walk("a", 2, 2020, &["1 a r b", "2 b r c"])).await;
    check(&mut server, walk("x", 2, 12, &["1 x r y"])).await;
    check(&mut server, walk("x", 2, 9, &["1 x r y", "2 y r z"])).await;
    check(&mut server, walk("x", 1, 9, &["1 x r y"])).await;
    server.stop().await;
}

#[tokio::test]
async fn t15_a_fact_keeps_its_direction_whatever_way_it_is_walked() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![fact("x", "supplies", "a", 0, None)]).await;
    let cases: [(proto::Direction, &[&str]); 4] = [
        (proto::Direction::In, &["1 x supplies a back"]),
        (proto::Direction::Both, &["1 x supplies a back"]),
        (proto::Direction::Out, &[]),
        (proto::Direction::Unspecified, &[]),
    ];
    for (direction, wanted) in cases {
        check(&mut server, Walk { direction, ..walk("a", 1, 5, wanted) }).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn t16_a_hub_is_cut_the_same_way_every_time() {
    let mut server = Server::start().await;
    let mut spokes = (0..5_000).map(|n| fact("hub", "touches", &format!("n{n}"), n % 97, None));
    write(&mut server, 1, spokes.by_ref().take(2_500).collect()).await;
    write(&mut server, 2, spokes.collect()).await;
    let ask = |hops| proto::TraverseRequest { limit: 50, ..walk("hub", hops, 100, &[]).request() };
    let first = traverse(&mut server, ask(1)).await;
    assert_eq!((first.steps.len(), first.truncated), (50, true));
    let starts = first.steps.iter().map(|step| {
        let rectangle = step.rectangle.as_ref().expect("a rectangle");
        rectangle.valid_from.expect("a start").unix_micros
    });
    assert!(starts.is_sorted_by(|earlier, later| earlier >= later), "newest start first");
    for _ in 0..20 {
        assert_eq!(traverse(&mut server, ask(1)).await, first);
    }
    let all = proto::TraverseRequest { limit: 10_000, ..ask(1) };
    let all = traverse(&mut server, all).await;
    assert_eq!((all.steps.len(), all.truncated), (5_000, false));
    assert_eq!(all.steps[..50], first.steps);
    server.stop().await;
}

#[tokio::test]
async fn t16_cycles_self_loops_and_parallel_edges_come_once() {
    let mut server = Server::start().await;
    let operations = vec![
        fact("a", "r", "b", 4, None),
        fact("b", "r", "a", 3, None),
        fact("a", "r", "a", 2, None),
        fact("a", "s", "b", 1, None),
    ];
    write(&mut server, 1, operations).await;
    let out = ["1 a r b", "1 a r a", "1 a s b", "2 b r a"];
    check(&mut server, walk("a", 3, 9, &out)).await;
    let both = Walk { direction: proto::Direction::Both, ..walk("a", 3, 9, &[]) };
    let answer = traverse(&mut server, both.request()).await;
    let mut facts: Vec<_> =
        answer.steps.iter().map(|step| words(step.rectangle.as_ref().expect("one"))).collect();
    facts.sort();
    assert_eq!(facts, ["a r a", "a r b", "a s b", "b r a"]);
    server.stop().await;
}

#[tokio::test]
async fn walks_follow_the_predicates_and_the_fan_that_are_asked_for() {
    let mut server = Server::start().await;
    let operations = vec![
        fact("a", "r", "b", 3, None),
        fact("a", "r", "c", 2, None),
        fact("a", "s", "d", 1, None),
        fact("b", "s", "e", 1, None),
        fact("b", "r", "f", 1, None),
    ];
    write(&mut server, 1, operations).await;
    let cases: [(&[&str], i32, &[&str], bool); 6] = [
        (&["r"], 0, &["1 a r b", "1 a r c", "2 b r f"], false),
        (&["s"], 0, &["1 a s d"], false),
        (&["R", "nobody"], 0, &["1 a r b", "1 a r c", "2 b r f"], false),
        (&["nobody"], 0, &[], false),
        (&["r", "s"], 1, &["1 a r b", "2 b s e"], true),
        (&[], 2, &["1 a r b", "1 a r c", "2 b s e", "2 b r f"], true),
    ];
    for (predicates, fan_out, wanted, truncated) in cases {
        let predicates = predicates.iter().map(|name| (*name).to_owned()).collect();
        let request =
            proto::TraverseRequest { predicates, fan_out, ..walk("a", 2, 9, &[]).request() };
        let answer = traverse(&mut server, request.clone()).await;
        let (mut found, mut wanted) = (shown(&answer.steps), wanted.to_vec());
        // Two facts of one start have an order of their own, the same every time.
        assert_eq!(traverse(&mut server, request.clone()).await, answer);
        found.sort();
        wanted.sort_unstable();
        if fan_out != 1 {
            assert_eq!(found, wanted, "{:?}", request.predicates);
        }
        assert_eq!((found.len(), answer.truncated), (wanted.len(), truncated));
    }
    server.stop().await;
}

fn path_request(start: &str, target: &str) -> proto::FindPathsRequest {
    proto::FindPathsRequest {
        namespace: HOME.to_owned(),
        start: start.to_owned(),
        target: target.to_owned(),
        ..Default::default()
    }
}

async fn paths(server: &mut Server, request: proto::FindPathsRequest) -> Vec<proto::Path> {
    server.graph.find_paths(request).await.expect("an answer").into_inner().paths
}

fn route(path: &proto::Path) -> String {
    shown(&path.steps).join(", ")
}

#[tokio::test]
async fn c20_every_hop_holds_at_the_time_asked_for() {
    let mut server = Server::start().await;
    let operations = vec![
        op::assert("ana", "manages", "team-k", op::date("2024"), op::date("2025")),
        op::assert("team-k", "owns", "kiosk", op::date("2025"), None),
    ];
    write(&mut server, 1, operations).await;
    for instant in ["2024-06-01T00:00:00Z", "2025-06-01T00:00:00Z"] {
        let as_of = at::valid(micros(instant));
        let request = proto::FindPathsRequest { as_of, ..path_request("ana", "kiosk") };
        assert_eq!(paths(&mut server, request).await, Vec::new(), "{instant}");
    }
    let mode = proto::PathMode::AnyTime.into();
    let request = proto::FindPathsRequest { mode, ..path_request("ana", "kiosk") };
    let found = paths(&mut server, request).await;
    assert_eq!(
        found.iter().map(route).collect::<Vec<_>>(),
        ["1 ana manages team-k, 2 team-k owns kiosk"]
    );
    assert!(!found[0].simultaneous);
    assert_eq!((found[0].common_from, found[0].common_to), (None, None));
    let mode = proto::PathMode::CommonInstant.into();
    let request = proto::FindPathsRequest { mode, ..path_request("ana", "kiosk") };
    assert_eq!(paths(&mut server, request).await, Vec::new());
    server.stop().await;
}

#[tokio::test]
async fn paths_within_a_window_say_when_all_of_it_holds() {
    let mut server = Server::start().await;
    let operations = vec![
        fact("a", "r", "b", 0, 20),
        fact("b", "r", "c", 10, None),
        op::assert("c", "r", "d", op::unbounded(), op::instant(15)),
    ];
    write(&mut server, 1, operations).await;
    let within = |from: Option<proto::Bound>, to: Option<proto::Bound>| proto::FindPathsRequest {
        mode: proto::PathMode::CommonInstant.into(),
        within: Some(proto::Range { from, to }),
        ..path_request("a", "d")
    };
    let cases = [
        (within(None, None), Some((10, 15))),
        (within(op::instant(12), op::instant(14)), Some((12, 14))),
        (within(op::instant(12), None), Some((12, 15))),
        (within(op::instant(15), op::instant(30)), None),
        (within(None, op::instant(10)), None),
    ];
    for (request, common) in cases {
        let found = paths(&mut server, request).await;
        let found: Vec<_> = found
            .iter()
            .map(|path| {
                let bounds = (path.common_from, path.common_to);
                let (Some(from), Some(to)) = bounds else { panic!("bounds") };
                assert!(path.simultaneous);
                (from.unix_micros, to.unix_micros)
            })
            .collect();
        assert_eq!(found, common.into_iter().collect::<Vec<_>>());
    }
    server.stop().await;
}

#[tokio::test]
async fn paths_come_shortest_first_and_each_node_once() {
    let mut server = Server::start().await;
    let operations = vec![
        fact("a", "r", "d", 0, None),
        fact("a", "r", "b", 0, None),
        fact("b", "r", "d", 0, None),
        fact("b", "r", "a", 0, None),
        fact("b", "s", "c", 0, None),
        fact("c", "r", "d", 0, None),
    ];
    write(&mut server, 1, operations).await;
    let as_of = at::valid(5);
    let all = proto::FindPathsRequest { as_of: as_of.clone(), ..path_request("a", "d") };
    let found = paths(&mut server, all.clone()).await;
    let routes: Vec<_> = found.iter().map(route).collect();
    assert_eq!(routes, ["1 a r d", "1 a r b, 2 b r d", "1 a r b, 2 b s c, 3 c r d"]);
    let shortest = proto::FindPathsRequest { shortest: true, ..all.clone() };
    assert_eq!(paths(&mut server, shortest).await, found[..1]);
    let only = proto::FindPathsRequest { predicates: vec!["r".to_owned()], ..all.clone() };
    assert_eq!(paths(&mut server, only).await, found[..2]);
    let cut = proto::FindPathsRequest { limit: 2, ..all.clone() };
    let answer = server.graph.find_paths(cut).await.expect("an answer").into_inner();
    assert_eq!((&answer.paths[..], answer.truncated), (&found[..2], true));
    let back = proto::FindPathsRequest {
        direction: proto::Direction::Both.into(),
        as_of,
        hops: 2,
        ..path_request("d", "a")
    };
    let mut back: Vec<_> = paths(&mut server, back).await.iter().map(route).collect();
    back.sort();
    // There are two edges between a and b, so two ways.
    assert_eq!(back, ["1 a r d back", "1 b r d back, 2 a r b back", "1 b r d back, 2 b r a"]);
    server.stop().await;
}

#[tokio::test]
async fn an_unknown_start_or_target_is_an_error() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![fact("a", "r", "b", 0, None)]).await;
    let unknown = (Code::NotFound, "ENTITY_UNKNOWN".to_owned());
    let start = walk("ghost", 1, 5, &[]).request();
    assert_eq!(refused(server.graph.traverse(start).await), unknown);
    for (start, target) in [("ghost", "a"), ("a", "ghost"), ("ghost", "")] {
        let told = refused(server.graph.find_paths(path_request(start, target)).await);
        assert_eq!(told, unknown, "{start} {target}");
    }
    let (namespace, name) = (HOME.to_owned(), "ghost".to_owned());
    let request = proto::GetEntityRequest { namespace, name, ..Default::default() };
    assert_eq!(refused(server.graph.get_entity(request).await), unknown);
    // Looking for it did not make it.
    assert_eq!(crate::ask::statistics(&mut server).await.entities, 2);
    let merge = request_of(crate::ask::merge("ghost", "a"));
    assert_eq!(refused(server.facts.transact(merge).await), unknown);
    server.stop().await;
}

fn request_of(operation: proto::Operation) -> proto::TransactRequest {
    request(vec![operation])
}
