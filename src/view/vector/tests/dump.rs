use super::*;

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    names
}

/// A folder with the dump of some vectors.
fn dumped(vectors: &[Vector]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let view = eager(Some(folder.path()));
    fill(&view, vectors);
    finish(&view);
    view.save().expect("written");
    folder
}

#[test]
fn a_dump_is_read_back_whatever_the_order_of_the_vectors() {
    let mut random = Random(20);
    let vectors = clustered(&mut random, 800, 20);
    let folder = dumped(&vectors);
    let view = eager(Some(folder.path()));
    for (raw, vector) in (0..800).map(DocumentId::new).zip(&vectors).rev() {
        view.add(raw, vector);
    }
    assert_eq!(view.load(), Loaded::Fits { nodes: 800 });
    assert!(!view.wants_build());
    for raw in [0, 400, 799] {
        let hits = view.search(&vectors[raw as usize], 1, &|_| true);
        assert_eq!((ids(&hits), hits.path), (vec![raw], SearchPath::Graph));
    }
}

#[test]
fn what_changed_since_a_dump_waits_or_is_dead() {
    let mut random = Random(21);
    let mut vectors = clustered(&mut random, 800, 20);
    let folder = dumped(&vectors);
    vectors[5] = random.vector();
    vectors.push(random.vector());
    let view = eager(Some(folder.path()));
    fill(&view, &vectors);
    assert_eq!(view.load(), Loaded::Fits { nodes: 799 });
    assert_eq!(view.read().links.waiting().len(), 2);
    for built in [false, true] {
        for raw in [4, 5, 800] {
            let hits = view.search(&vectors[raw as usize], 1, &|_| true);
            assert_eq!((ids(&hits), hits.path), (vec![raw], SearchPath::Graph), "built {built}");
        }
        finish(&view);
    }
    view.save().expect("written");
    assert_eq!(
        files(folder.path()),
        ["graph-2.hnsw.data", "graph-2.hnsw.graph", "graph-2.nodes", "graph.manifest"]
    );
}

#[test]
fn a_dump_with_any_file_cut_short_is_discarded() {
    let vectors = clustered(&mut Random(22), 60, 5);
    let whole = dumped(&vectors);
    for name in files(whole.path()) {
        let length = fs::metadata(whole.path().join(&name)).expect("a file").len();
        let pages = (0..length).step_by(4_096);
        for cut in pages.chain([1, 4, 6, 8, 12, 40, length / 2, length - 1]) {
            spoiled(&vectors, &name, &format!("cut to {cut}"), |bytes| {
                bytes.truncate(usize::try_from(cut).expect("small"));
            });
        }
    }
}

#[test]
fn a_dump_with_any_byte_changed_is_discarded() {
    let mut random = Random(23);
    let vectors = clustered(&mut random, 60, 5);
    let whole = dumped(&vectors);
    for name in files(whole.path()) {
        let length = fs::metadata(whole.path().join(&name)).expect("a file").len();
        for _ in 0..12 {
            let place = usize::try_from(random.below(length)).expect("small");
            spoiled(&vectors, &name, &format!("byte {place}"), |bytes| bytes[place] ^= 0x10);
        }
    }
}

#[test]
fn a_dump_with_a_file_missing_or_longer_is_discarded() {
    let vectors = clustered(&mut Random(24), 60, 5);
    let whole = dumped(&vectors);
    for name in files(whole.path()) {
        spoiled(&vectors, &name, "longer", |bytes| bytes.push(0));
        if name != "graph.manifest" {
            let folder = dumped(&vectors);
            fs::remove_file(folder.path().join(&name)).expect("removed");
            check_discarded(&vectors, folder.path(), &name);
        }
    }
}

fn spoiled(vectors: &[Vector], name: &str, how: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let folder = dumped(vectors);
    let path = folder.path().join(name);
    let mut bytes = fs::read(&path).expect("a file");
    change(&mut bytes);
    fs::write(&path, bytes).expect("written");
    check_discarded(vectors, folder.path(), &format!("{name}, {how}"));
}

fn check_discarded(vectors: &[Vector], folder: &Path, context: &str) {
    let view = eager(Some(folder));
    fill(&view, vectors);
    assert_eq!(view.load(), Loaded::Discarded, "{context}");
    assert_eq!(files(folder), [""; 0], "{context}");
    assert_eq!(view.load(), Loaded::Nothing, "{context}");
    let hits = view.search(&vectors[7], 1, &|_| true);
    assert_eq!((ids(&hits), hits.path), (vec![7], SearchPath::Scan), "{context}");
    finish(&view);
}

#[test]
fn the_dump_of_another_space_is_discarded() {
    let vectors = clustered(&mut Random(25), 60, 5);
    let folder = dumped(&vectors);
    let view = VectorView::tuned(8, Some(folder.path().to_path_buf()), 1);
    assert_eq!(view.load(), Loaded::Discarded);
}

#[test]
fn a_view_without_a_directory_or_a_graph_writes_nothing() {
    let vectors = clustered(&mut Random(26), 60, 5);
    let folder = tempfile::tempdir().expect("a folder");
    for view in [eager(None), eager(Some(folder.path()))] {
        fill(&view, &vectors);
        view.save().expect("nothing to write");
        assert_eq!(view.load(), Loaded::Nothing);
    }
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn a_dump_that_cannot_be_written_is_an_error() {
    let vectors = clustered(&mut Random(27), 60, 5);
    let folder = tempfile::tempdir().expect("a folder");
    let occupied = folder.path().join("file");
    fs::write(&occupied, b"not a folder").expect("written");
    let view = eager(Some(&occupied));
    fill(&view, &vectors);
    finish(&view);
    assert!(matches!(view.save(), Err(DumpError::Io(_))));
}
