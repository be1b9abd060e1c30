use super::*;

#[test]
fn a_graph_with_many_dead_nodes_is_built_anew() {
    let mut random = Random(7);
    let view = eager(None);
    fill(&view, &clustered(&mut random, 500, 20));
    finish(&view);
    let again: Vec<Vector> = (0..100).map(|_| random.vector()).collect();
    fill(&view, &again);
    finish(&view);
    let nodes = || view.graph().as_ref().map(graph::Graph::len);
    assert_eq!(nodes(), Some(600), "a fifth of all nodes may be dead");
    let once_more: Vec<Vector> = (0..100).map(|_| random.vector()).collect();
    fill(&view, &once_more);
    assert!(view.read().is_worn());
    finish(&view);
    assert_eq!(nodes(), Some(500));
    for (raw, vector) in (0..).zip(&once_more) {
        assert_eq!(ids(&view.search(vector, 1, &|_| true)), [raw]);
    }
}

#[test]
fn additions_and_searches_go_on_while_the_graph_is_built() {
    let mut random = Random(8);
    let view = eager(None);
    let vectors = clustered(&mut random, 2_000, 30);
    let replaced: Vec<Vector> = (0..300).map(|_| random.vector()).collect();
    fill(&view, &vectors[..1_000]);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let builder = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                assert_ne!(view.build(&done), Built::Failed);
            }
        });
        let searcher = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                // Documents from 300 on keep their vectors, so this one is always there.
                assert_eq!(ids(&view.search(&vectors[777], 1, &|_| true)), [777]);
            }
        });
        for (raw, vector) in (1_000..).zip(&vectors[1_000..]) {
            view.add(document(raw), vector);
            if let Some(vector) = replaced.get(raw as usize - 1_000) {
                view.add(document(raw - 1_000), vector);
            }
        }
        done.store(true, Ordering::Relaxed);
        builder.join().expect("the builder is well");
        searcher.join().expect("the searcher is well");
    });
    finish(&view);
    let mut expected = vectors;
    expected[..300].clone_from_slice(&replaced);
    let state = view.read();
    let alive = state.links.node_count() - state.links.dead_count();
    assert_eq!((alive, state.links.waiting().len()), (2_000, 0));
    for node in 0..state.links.node_count() {
        let Some(slot) = state.links.slot(node) else { continue };
        let owner = state.slots.documents(slot).next().expect("a live node has a document");
        assert_eq!(state.slots.numbers(slot), expected[owner.index()].numbers());
    }
    drop(state);
    for raw in [0, 150, 299, 300, 1_000, 1_999] {
        assert_eq!(ids(&view.search(&expected[raw as usize], 1, &|_| true)), [raw]);
    }
}

#[test]
fn a_build_stops_when_told_and_goes_on_later() {
    let mut random = Random(9);
    let view = eager(None);
    assert!(!view.wants_build(), "an empty view wants nothing");
    fill(&view, &clustered(&mut random, 1_200, 20));
    assert!(view.wants_build());
    assert_eq!(view.build(&AtomicBool::new(true)), Built::Stopped);
    assert!(view.wants_build());
    finish(&view);
    assert!(!view.wants_build());
}

#[test]
fn a_small_view_wants_no_graph() {
    let mut random = Random(10);
    let view = scanning();
    fill(&view, &clustered(&mut random, 1_200, 20));
    assert!(!view.wants_build());
}

#[test]
fn a_panic_of_the_graph_costs_the_graph_and_nothing_else() {
    let mut random = Random(11);
    let vectors = clustered(&mut random, 500, 20);
    for during_search in [true, false] {
        let view = eager(None);
        fill(&view, &vectors[..400]);
        finish(&view);
        // A node that is too short makes every distance to it panic.
        let short = view.graph().as_ref().map(|graph| graph.insert(&[1; 8], 400));
        assert_eq!(short, Some(Err(graph::GraphPanic)));
        fill(&view, &vectors);
        if during_search {
            break_links(&view);
            assert_eq!(ids(&view.search(&vectors[3], 1, &|_| true)), [3]);
            assert!(view.is_broken());
        } else {
            break_links(&view);
        }
        assert_eq!(view.build(&AtomicBool::new(false)), Built::Failed);
        assert!(view.graph().is_none() && !view.wants_build());
        assert_eq!(view.build(&AtomicBool::new(false)), Built::Failed);
        let hits = view.search(&vectors[450], 1, &|_| true);
        assert_eq!((ids(&hits), hits.path), (vec![450], SearchPath::Scan));
    }
}

/// A graph whose entry is a node of the wrong length: whoever walks it panics.
fn break_links(view: &VectorView) {
    let broken = graph::Graph::new(DIMENSION, 1);
    assert_eq!(broken.insert(&[1; 8], 0), Ok(()));
    view.set_graph(broken);
}

/// Equally far from each other: no walk along neighbours leads anywhere.
#[test]
fn a_graph_that_does_not_find_enough_is_not_asked() {
    let mut random = Random(16);
    let view = eager(None);
    let centre = random.vector();
    let vectors: Vec<Vector> = (0..1_500).map(|_| random.near(&centre, 0.001)).collect();
    fill(&view, &vectors);
    finish(&view);
    let by_id = by_id(&vectors);
    assert_eq!(view.effort(), None);
    for _ in 0..20 {
        let query = random.near(&centre, 0.001);
        let hits = view.search(&query, 10, &|_| true);
        check_exact(&hits, &oracle(&by_id, &query, 10, |_| true), "a crowd");
    }
}

#[test]
fn what_changes_while_the_graph_takes_it_waits_again() {
    let mut random = Random(18);
    let view = eager(None);
    fill(&view, &clustered(&mut random, 10, 2));
    let (taken, first, _) = view.next_chunk();
    assert_eq!((taken.len(), first), (10, 0));
    {
        let graph = view.graph_or_new(10);
        let graph = graph.as_ref().expect("made just now");
        let nodes = taken.iter().filter_map(|taken| taken.node.as_ref());
        for (number, node) in nodes.enumerate() {
            assert_eq!(graph.insert(node, number), Ok(()));
        }
    }
    view.add(document(3), &random.vector());
    view.remove(document(4));
    view.settle(&taken);
    let state = view.read();
    let by_node: Vec<bool> = state.links.by_node().iter().map(Option::is_some).collect();
    assert_eq!(by_node, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|node| ![3, 4].contains(&node)));
    assert_eq!(state.links.waiting().collect::<Vec<u32>>(), [3]);
    assert_eq!(state.links.dead_count(), 2);
}
