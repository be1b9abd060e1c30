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
    let vectors = clustered(&mut random, 3_000, 30);
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
    assert_eq!((alive, state.links.waiting().len()), (3_000, 0));
    for node in 0..state.links.node_count() {
        let Some(slot) = state.links.slot(node) else { continue };
        let owner = state.slots.documents(slot).next().expect("a live node has a document");
        assert_eq!(state.slots.numbers(slot), expected[owner.index()].numbers());
    }
    drop(state);
    for raw in [0, 150, 299, 300, 1_000, 2_999] {
        assert_eq!(ids(&view.search(&expected[raw as usize], 1, &|_| true)), [raw]);
    }
}

#[test]
fn a_build_stops_when_told_and_goes_on_later() {
    let mut random = Random(9);
    let view = eager(None);
    assert!(!view.wants_build(), "an empty view wants nothing");
    fill(&view, &clustered(&mut random, 2_000, 20));
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
    fill(&view, &clustered(&mut random, 2_000, 20));
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
