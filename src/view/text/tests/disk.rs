use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::index::Disk;
use super::super::tail::Piece;
use super::super::{Rebuilt, TextError, TextView};
use super::support::{IDENTITY, add, entries, ids, open, owned};
use crate::types::DocumentId;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn filled(directory: &Path) {
    let view = open(directory);
    add(&view, &owned(&["red ship", "blue boat"]));
    view.commit().expect("a writable index");
    add(&view, &owned(&["green ship"]));
    view.commit().expect("a writable index");
    add(&view, &owned(&["lost ship"]));
}

fn reopened(directory: &Path, identity: [u8; 16]) -> (TextView, Option<Rebuilt>) {
    let opened = TextView::open(Some(directory), identity, None).expect("a directory");
    (opened.view, opened.rebuilt)
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_none_or(|end| end != "lock")).collect();
    paths.sort();
    paths
}

#[test]
fn a_view_goes_on_from_its_last_commit() {
    let folder = folder();
    filled(folder.path());
    let (view, rebuilt) = reopened(folder.path(), IDENTITY);
    assert_eq!(rebuilt, None);
    assert_eq!((view.next().raw(), view.committed().raw()), (3, 3));
    assert_eq!(ids(&view, "ship"), [0, 2]);
    assert!(view.disk_bytes().expect("readable") > 1_000);
    add(&view, &owned(&["another ship"]));
    assert_eq!(ids(&view, "ship"), [0, 2, 3]);
}

#[test]
fn a_new_view_is_missing_and_another_one_is_foreign() {
    let folder = folder();
    let inside = folder.path().join("deep/text");
    assert_eq!(reopened(&inside, IDENTITY).1, Some(Rebuilt::Missing));
    assert_eq!(reopened(&inside, IDENTITY).1, Some(Rebuilt::Missing), "nothing was committed");
    filled(&inside);
    let (view, rebuilt) = reopened(&inside, [8; 16]);
    assert_eq!((view.next().raw(), rebuilt), (0, Some(Rebuilt::Foreign)));
    assert!(ids(&view, "ship").is_empty());
}

/// Each file cut at many places, and with a bit turned at many places: the view begins anew, or
/// goes on with the right answers when what was hurt does not matter.
#[test]
fn damage_is_never_believed() {
    let folder = folder();
    filled(folder.path());
    let mut rebuilt = 0;
    let whole: Vec<(PathBuf, Vec<u8>)> = files(folder.path())
        .into_iter()
        .map(|path| (path.clone(), fs::read(&path).expect("a file")))
        .collect();
    for (path, bytes) in &whole {
        let step = (bytes.len() / 5).max(1);
        for place in (0..bytes.len()).step_by(step) {
            let mut turned = bytes.clone();
            turned[place] ^= 1;
            for hurt in [&bytes[..place], &turned] {
                for entry in fs::read_dir(folder.path()).expect("a folder") {
                    fs::remove_file(entry.expect("an entry").path()).expect("removed");
                }
                for (path, bytes) in &whole {
                    fs::write(path, bytes).expect("written");
                }
                fs::write(path, hurt).expect("written");
                rebuilt += usize::from(begins_anew_or_answers(folder.path(), path, place));
            }
        }
    }
    assert!(rebuilt > 60, "only {rebuilt} were noticed");
}

/// Of an index with files of many pages, each file that a search reads cut at each page.
#[test]
fn a_file_cut_at_any_page_is_damage() {
    let folder = folder();
    let view = open(folder.path());
    let texts: Vec<String> = (0..4_000).map(|n| format!("word{n} other{}", n * 7)).collect();
    add(&view, &texts);
    view.commit().expect("a writable index");
    drop(view);
    let whole: Vec<(PathBuf, Vec<u8>)> = files(folder.path())
        .into_iter()
        .map(|path| (path.clone(), fs::read(&path).expect("a file")))
        .collect();
    let mut cuts = 0;
    for (path, bytes) in &whole {
        // Whom tantivy's files belong to is only looked at when one is removed.
        if path.ends_with(".managed.json") {
            continue;
        }
        for place in (0..bytes.len()).step_by(4_096) {
            fs::remove_dir_all(folder.path()).expect("removed");
            fs::create_dir(folder.path()).expect("made");
            for (path, bytes) in &whole {
                fs::write(path, bytes).expect("written");
            }
            fs::write(path, &bytes[..place]).expect("written");
            let (view, rebuilt) = reopened(folder.path(), IDENTITY);
            let what = format!("{} cut to {place}", path.display());
            assert_eq!((view.next().raw(), rebuilt), (0, Some(Rebuilt::Damaged)), "{what}");
            cuts += 1;
        }
    }
    assert!(cuts > 20, "only {cuts} pages");
}

fn begins_anew_or_answers(directory: &Path, path: &Path, place: usize) -> bool {
    let (view, rebuilt) = reopened(directory, IDENTITY);
    let what = format!("{} at {place}", path.display());
    if rebuilt.is_some() {
        assert_eq!(view.next().raw(), 0, "{what}");
        add(&view, &owned(&["red ship"]));
        view.commit().expect("a writable index");
        assert_eq!(ids(&view, "ship"), [0], "{what}");
        return true;
    }
    assert_eq!(view.next().raw(), 3, "{what}");
    assert_eq!(ids(&view, "ship"), [0, 2], "{what}");
    false
}

#[test]
fn a_missing_file_is_damage() {
    let folder = folder();
    filled(folder.path());
    let parts = files(folder.path()).into_iter();
    let mut terms = parts.filter(|path| path.extension().is_some_and(|end| end == "term"));
    fs::remove_file(terms.next().expect("a term dictionary")).expect("removed");
    assert_eq!(reopened(folder.path(), IDENTITY).1, Some(Rebuilt::Damaged));
}

#[test]
fn an_index_of_fewer_documents_than_it_says_is_damage() {
    let folder = folder();
    let (mut disk, committed, _) = Disk::open(folder.path(), IDENTITY, None).expect("a directory");
    let piece = Arc::new(Piece::build(DocumentId::new(0), &entries(&owned(&["red ship"]))));
    assert!(disk.commit(&[piece], DocumentId::new(2), &committed).is_err());
    drop(disk);
    assert_eq!(reopened(folder.path(), IDENTITY).1, Some(Rebuilt::Damaged));
}

#[test]
fn a_failed_commit_is_said_and_nothing_is_lost() {
    let folder = folder();
    let inside = folder.path().join("text");
    let view = open(&inside);
    add(&view, &owned(&["red ship"]));
    fs::remove_dir_all(&inside).expect("removed");
    assert!(view.commit().is_err());
    assert!(view.is_broken());
    assert!(matches!(view.commit(), Err(TextError::Broken)));
    assert_eq!(ids(&view, "ship"), [0]);
    drop(view);
    assert_eq!(reopened(&inside, IDENTITY).1, Some(Rebuilt::Missing));
}
