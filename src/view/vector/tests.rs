use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::*;
use crate::types::{DocumentId, Vector};

const DIMENSION: usize = 32;

/// Asks the graph as soon as a few hundred are visible.
fn eager(directory: Option<&Path>) -> VectorView {
    VectorView::tuned(DIMENSION, directory.map(Path::to_path_buf), 200)
}

/// A scan only.
fn scanning() -> VectorView {
    VectorView::new(DIMENSION, None)
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// About normal, around zero.
    fn number(&mut self) -> f32 {
        let sum: u64 = (0..4).map(|_| self.below(1_000)).sum();
        #[allow(clippy::cast_precision_loss, reason = "a small number")]
        let centred = sum as f32 / 1_000.0 - 2.0;
        centred
    }

    fn vector(&mut self) -> Vector {
        let numbers: Vec<f32> = (0..DIMENSION).map(|_| self.number()).collect();
        Vector::new(&numbers).expect("a direction")
    }

    /// A vector around another: the larger `spread`, the farther.
    fn near(&mut self, centre: &Vector, spread: f32) -> Vector {
        let numbers: Vec<f32> =
            centre.numbers().iter().map(|number| number + spread * self.number() / 6.0).collect();
        Vector::new(&numbers).expect("a direction")
    }
}

/// Vectors in clusters, the documents numbered from zero.
fn clustered(random: &mut Random, count: usize, clusters: usize) -> Vec<Vector> {
    let centres: Vec<Vector> = (0..clusters).map(|_| random.vector()).collect();
    (0..count).map(|place| random.near(&centres[place % clusters], 0.5)).collect()
}

fn fill(view: &VectorView, vectors: &[Vector]) {
    view.add_all((0..).map(DocumentId::new).zip(vectors));
}

fn finish(view: &VectorView) {
    assert_eq!(view.build(&AtomicBool::new(false)), Built::Complete);
}

fn document(raw: u32) -> DocumentId {
    DocumentId::new(raw)
}

fn ids(hits: &VectorHits) -> Vec<u32> {
    hits.hits.iter().map(|(document, _)| document.raw()).collect()
}

fn exact(a: &Vector, b: &Vector) -> f64 {
    a.numbers().iter().zip(b.numbers()).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

/// What the answer has to be, by the plain definition in 64 bits.
fn oracle(
    vectors: &BTreeMap<u32, Vector>,
    query: &Vector,
    limit: usize,
    visible: impl Fn(DocumentId) -> bool,
) -> Vec<(u32, f64)> {
    let seen = vectors.iter().filter(|(raw, _)| visible(document(**raw)));
    let mut all: Vec<(u32, f64)> = seen.map(|(raw, vector)| (*raw, exact(query, vector))).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all.truncate(limit);
    all
}

/// Two lists are the same answer when every place has the same cosine: which of two documents comes
/// first that differ in the seventh digit is not for an oracle to say.
fn check_exact(hits: &VectorHits, expected: &[(u32, f64)], context: &str) {
    assert_eq!(hits.hits.len(), expected.len(), "{context}");
    for ((found, cosine), (wanted, right)) in hits.hits.iter().zip(expected) {
        let apart = (f64::from(*cosine) - right).abs();
        assert!(apart < 1e-5, "{context}: {found:?} at {cosine} for {wanted} at {right}");
    }
    let mut distinct = ids(hits);
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), hits.hits.len(), "{context}: a document twice");
}

#[test]
fn the_scan_finds_exactly_the_best_that_are_visible() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let view = scanning();
        let mut vectors = BTreeMap::new();
        let centre = random.vector();
        for _ in 0..400 {
            let raw = u32::try_from(random.below(500)).expect("small");
            // Some are far apart, some closer than one step of a code, some equal.
            let vector = match random.below(4) {
                0 => random.vector(),
                1 => random.near(&centre, 0.5),
                2 => random.near(&centre, 0.001),
                _ => centre.clone(),
            };
            if random.below(10) == 0 {
                view.remove(document(raw));
                vectors.remove(&raw);
            } else {
                view.add(document(raw), &vector);
                vectors.insert(raw, vector);
            }
        }
        let share = 1 + random.below(100);
        let visible = |document: DocumentId| u64::from(document.raw()) * 37 % 100 < share;
        for limit in [1, 10, 100, 1_000] {
            let query = if limit == 10 { centre.clone() } else { random.near(&centre, 0.2) };
            let hits = view.search(&query, limit, &visible);
            let expected = oracle(&vectors, &query, limit, visible);
            assert_eq!(hits.path, SearchPath::Scan);
            check_exact(&hits, &expected, &format!("seed {seed}, limit {limit}, share {share}"));
            // Documents that have no vector are among them, too.
            let few: Vec<DocumentId> = (0..600).map(document).filter(|id| visible(*id)).collect();
            assert_eq!(view.search_among(&query, limit, &few).hits, hits.hits);
        }
        assert_eq!(view.len(), vectors.len());
    }
}

#[test]
fn many_equal_vectors_hide_nothing() {
    let mut random = Random(1);
    let view = eager(None);
    let (same, different) = (random.vector(), random.vector());
    for raw in (0..300).rev() {
        view.add(document(raw), &same);
    }
    view.add(document(300), &different);
    for built in [false, true] {
        if built {
            finish(&view);
        }
        assert_eq!(ids(&view.search(&different, 1, &|_| true)), [300], "built {built}");
        // Equal vectors come by id, and each document counts.
        assert_eq!(ids(&view.search(&same, 5, &|_| true)), [0, 1, 2, 3, 4], "built {built}");
        let odd = |document: DocumentId| document.raw() % 2 == 1;
        assert_eq!(ids(&view.search(&same, 3, &odd)), [1, 3, 5], "built {built}");
        let mut all = ids(&view.search(&same, 1_000, &|_| true));
        assert_eq!(all.pop(), Some(300), "built {built}");
        assert_eq!(all, (0..300).collect::<Vec<u32>>(), "built {built}");
    }
}

#[test]
fn nearer_vectors_that_are_invisible_take_no_place() {
    let mut random = Random(2);
    let view = eager(None);
    let query = random.vector();
    let mut vectors: Vec<Vector> = (0..1_000).map(|_| random.near(&query, 0.1)).collect();
    vectors.extend((0..3).map(|_| random.vector()));
    fill(&view, &vectors);
    finish(&view);
    let mut far = ids(&view.search(&query, 10, &|document| document.raw() >= 1_000));
    far.sort_unstable();
    assert_eq!(far, [1_000, 1_001, 1_002]);
}

/// Invisible in a way that a sample does not see: the whole neighbourhood of the query.
#[test]
fn a_graph_that_shows_too_little_is_not_believed() {
    let mut random = Random(3);
    let view = eager(None);
    let vectors = clustered(&mut random, 1_200, 20);
    fill(&view, &vectors);
    finish(&view);
    let visible = |document: DocumentId| document.raw() % 20 != 7;
    let query = vectors[7].clone();
    let hits = view.search(&query, 10, &visible);
    assert_eq!(hits.path, SearchPath::Scan);
    check_exact(&hits, &oracle(&by_id(&vectors), &query, 10, visible), "around the invisible");
}

#[test]
fn the_graph_recalls_nearly_everything() {
    let mut random = Random(4);
    let view = eager(None);
    let vectors = clustered(&mut random, 2_500, 50);
    fill(&view, &vectors);
    assert_eq!(view.search(&vectors[0], 10, &|_| true).path, SearchPath::Scan);
    finish(&view);
    let by_id = by_id(&vectors);
    for modulus in [1, 2, 5] {
        // Fifty documents in a row are one of each cluster.
        let visible = |document: DocumentId| (document.raw() / 50).is_multiple_of(modulus);
        let (mut found, mut wanted) = (0, 0);
        for _ in 0..50 {
            let place = usize::try_from(random.below(2_500)).expect("small");
            let query = random.near(&vectors[place], 0.3);
            let hits = view.search(&query, 10, &visible);
            assert_eq!(hits.path, SearchPath::Graph, "one in {modulus}");
            assert!(hits.examined < 1_250, "one in {modulus}: {} examined", hits.examined);
            let expected = oracle(&by_id, &query, 10, visible);
            let ids = ids(&hits);
            found += expected.iter().filter(|(raw, _)| ids.contains(raw)).count();
            wanted += expected.len();
        }
        assert!(found * 100 >= wanted * 98, "one in {modulus}: {found} of {wanted}");
    }
}

#[test]
fn what_the_graph_does_not_hold_yet_is_scanned() {
    let mut random = Random(5);
    let view = eager(None);
    let vectors = clustered(&mut random, 600, 20);
    fill(&view, &vectors);
    finish(&view);
    let newest = random.vector();
    view.add(document(600), &newest);
    let hits = view.search(&newest, 1, &|_| true);
    assert_eq!((ids(&hits), hits.path), (vec![600], SearchPath::Graph));
}

#[test]
fn a_document_is_found_by_its_last_vector_only() {
    let mut random = Random(6);
    let view = eager(None);
    let vectors = clustered(&mut random, 600, 20);
    fill(&view, &vectors);
    finish(&view);
    let (old, new) = (vectors[9].clone(), random.vector());
    for (vector, other) in [(&new, &old), (&old, &new), (&new, &old)] {
        view.add(document(9), vector);
        assert_eq!(view.similarity(vector, document(9)), Some(1.0));
        assert_eq!(ids(&view.search(vector, 1, &|_| true)), [9]);
        assert_ne!(ids(&view.search(other, 1, &|_| true)), [9]);
        finish(&view);
        assert_eq!(ids(&view.search(vector, 1, &|_| true)), [9]);
        assert_ne!(ids(&view.search(other, 1, &|_| true)), [9]);
    }
    // A slot that was emptied and filled again is looked at once, whatever its old node says.
    view.add(document(9), &random.near(&new, 0.1));
    let hits = view.search(&new, 5, &|_| true);
    assert_eq!((ids(&hits)[0], hits.path), (9, SearchPath::Graph));
    assert!(!ids(&hits)[1..].contains(&9), "{hits:?}");
    assert_eq!(view.len(), 600);
    view.remove(document(9));
    assert_eq!((view.len(), view.similarity(&new, document(9))), (599, None));
    assert_ne!(ids(&view.search(&new, 1, &|_| true)), [9]);
}

#[test]
fn a_slot_that_is_free_is_nobodys() {
    let mut random = Random(17);
    let view = scanning();
    let (first, second) = (random.vector(), random.vector());
    view.add(document(0), &first);
    view.remove(document(0));
    view.add(document(1), &first);
    view.add(document(2), &second);
    assert_eq!(ids(&view.search(&first, 1, &|_| true)), [1]);
    assert_eq!(ids(&view.search(&second, 1, &|_| true)), [2]);
}

#[test]
fn similarities_are_cosines() {
    let mut random = Random(12);
    let view = scanning();
    let (a, b, query) = (random.vector(), random.vector(), random.vector());
    view.add(document(0), &a);
    view.add(document(5), &b);
    let near = |found: Option<f32>, right: f64| {
        (f64::from(found.expect("both there")) - right).abs() < 1e-6
    };
    assert!(near(view.similarity(&query, document(5)), exact(&query, &b)));
    assert!(near(view.similarity_between(document(0), document(5)), exact(&a, &b)));
    assert_eq!(view.similarity(&query, document(1)), None);
    assert_eq!(view.similarity_between(document(0), document(9)), None);
}

#[test]
fn differences_from_what_should_be_are_counted() {
    let mut random = Random(13);
    let vectors = clustered(&mut random, 10, 3);
    let view = scanning();
    fill(&view, &vectors);
    let expected = || (0..).map(DocumentId::new).zip(vectors.iter().cloned());
    assert_eq!(view.compare(expected()), VectorDifferences::default());
    view.remove(document(1));
    view.add(document(2), &random.vector());
    view.add(document(77), &vectors[0]);
    let differences = VectorDifferences { missing: 1, different: 1, unexpected: 1 };
    assert_eq!(view.compare(expected()), differences);
}

#[test]
fn codes_keep_the_order_of_sparse_and_of_dense_vectors() {
    let mut random = Random(14);
    for _ in 0..200 {
        let mut vectors = [random.vector(), random.vector()];
        if random.below(2) == 0 {
            let mut numbers = vectors[1].numbers().to_vec();
            numbers[3] = 50.0;
            vectors[1] = Vector::new(&numbers).expect("a direction");
        }
        let [a, b] = vectors.each_ref().map(code::Code::new);
        let cosine = a.gauge.cosine(b.gauge, code::dot_codes(&a.numbers, &b.numbers));
        let apart = (f64::from(cosine) - exact(&vectors[0], &vectors[1])).abs();
        assert!(apart <= f64::from(a.gauge.reach(b.gauge)), "{apart} is out of reach");
        assert!(a.gauge.reach(b.gauge) < 0.05);
    }
}

#[test]
fn an_empty_view_answers() {
    let query = Random(15).vector();
    let view = scanning();
    assert!(view.is_empty() && view.search(&query, 10, &|_| true).hits.is_empty());
    view.add(document(3), &query);
    assert!(view.search(&query, 0, &|_| true).hits.is_empty());
    assert!(view.search(&query, 10, &|_| false).hits.is_empty());
}

#[test]
#[should_panic(expected = "the dimension is checked at the door")]
fn another_dimension_is_a_bug_of_the_caller() {
    scanning().add(document(0), &Vector::new(&[1.0, 2.0]).expect("a direction"));
}

fn by_id(vectors: &[Vector]) -> BTreeMap<u32, Vector> {
    (0..).zip(vectors.iter().cloned()).collect()
}

mod build;
mod dump;
