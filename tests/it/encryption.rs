//! Data directories that are encrypted: nothing readable stands in them, and only their key opens
//! them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tenure::engine::{Config, Engine, OpenError, change_key};
use tenure::models::Models;
use tenure::rpc::proto;
use tenure::store;
use tenure::types::EncryptionKey;
use tenure::types::limits::TAIL_DOCUMENTS_MIN;

use crate::ask::{HOME, verify};
use crate::recall::{question, recall, tell, texts};
use crate::support::{Server, TestClock, op};

/// Words that stand in every part of what is stored.
const PLANTED: [&str; 5] =
    ["Zanzibarquux", "비밀단어조각", "plantedpredicate", "notetoken", "requesttoken"];

fn key(byte: u8) -> EncryptionKey {
    EncryptionKey::new([byte; 32])
}

async fn open(data: &Path, key: Option<EncryptionKey>) -> Server {
    let mut server = Server::open_keyed(data, Models::built_in(), key).await;
    if server.engine.namespaces().is_empty() {
        server.create_namespace(HOME).await;
    }
    server
}

/// Enough that the text index writes its files.
async fn plant(server: &mut Server) {
    let triple = op::assert(PLANTED[0], PLANTED[2], PLANTED[1], op::instant(0), None);
    let request = proto::TransactRequest {
        namespace: HOME.to_owned(),
        request_id: PLANTED[4].to_owned(),
        operations: vec![triple],
        ..Default::default()
    };
    server.facts.transact(request).await.expect("taken");
    let notes: Vec<String> = (0..TAIL_DOCUMENTS_MIN + 100)
        .map(|n| format!("{} {n} {}", PLANTED[3], PLANTED[1]))
        .collect();
    for notes in notes.chunks(500) {
        tell(server, &notes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    }
    // What a question finds is in the view; a clean stop commits it.
    let found = recall(server, question(PLANTED[0])).await;
    assert!(texts(&found)[0].contains(PLANTED[0]));
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { found.append(&mut files(&path)) } else { found.push(path) }
    }
    found
}

/// Which of the words stand in some file, or in its name.
fn readable(folder: &Path) -> Vec<&'static str> {
    let mut words: Vec<&str> = PLANTED.to_vec();
    words.extend([HOME, "request_age", "rectangle"]);
    let files = files(folder);
    words.retain(|word| {
        // The analysis of words folds case, and may cut a word to its beginning.
        let variants = [(*word).to_owned(), word.to_lowercase()];
        files.iter().any(|path| {
            let bytes = fs::read(path).expect("reads");
            let name = path.strip_prefix(folder).expect("inside").display().to_string();
            variants.iter().any(|word| {
                name.contains(word.as_str())
                    || bytes.windows(word.len()).any(|found| found == word.as_bytes())
            })
        })
    });
    words
}

fn refusal(data: &Path, key: Option<EncryptionKey>) -> store::OpenError {
    let config = Config { key, ..Config::new(data.to_owned()) };
    match Engine::open(&config, Arc::new(TestClock::default())) {
        Err(OpenError::Store(error)) => error,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it opens"),
    }
}

#[tokio::test]
async fn nothing_that_was_written_can_be_read_in_an_encrypted_directory() {
    let home = tempfile::tempdir().expect("a folder");
    for (name, given) in [("plain", None), ("closed", Some(key(1)))] {
        let data = home.path().join(name);
        let mut server = open(&data, given.clone()).await;
        plant(&mut server).await;
        server.stop().await;
        let texts = files(&data.join("views")).len();
        assert!(texts > 3, "{name}: the text index is on the disk");
        let found = readable(&data);
        if given.is_none() {
            assert_eq!(found.len(), PLANTED.len() + 3 - 1, "all but the request id: {found:?}");
        } else {
            assert_eq!(found, [""; 0]);
        }
        let mut again = open(&data, given).await;
        let found = recall(&mut again, question(PLANTED[1])).await;
        assert!(texts_hold(&found, PLANTED[1]), "{name}");
        verify(&mut again, HOME).await;
        again.stop().await;
    }
}

fn texts_hold(answer: &proto::RecallResponse, word: &str) -> bool {
    texts(answer).iter().any(|text| text.contains(word))
}

#[tokio::test]
async fn a_directory_opens_with_its_own_key_alone_and_the_error_has_both() {
    let home = tempfile::tempdir().expect("a folder");
    let (closed, plain) = (home.path().join("closed"), home.path().join("plain"));
    open(&closed, Some(key(1))).await.stop().await;
    open(&plain, None).await.stop().await;
    let before = fs::read(closed.join("tenure.redb")).expect("reads");

    let store::OpenError::KeyMissing { needed, .. } = refusal(&closed, None) else {
        panic!("no key")
    };
    let wrong = refusal(&closed, Some(key(2)));
    let store::OpenError::KeyWrong { needed: also, given, .. } = &wrong else {
        panic!("a wrong key")
    };
    assert_eq!(&needed, also);
    assert_ne!(&needed, given);
    assert!(wrong.to_string().contains(&needed) && wrong.to_string().contains(given.as_str()));
    let store::OpenError::NotEncrypted { given: also, .. } = refusal(&plain, Some(key(2))) else {
        panic!("not encrypted")
    };
    assert_eq!(given, &also);
    assert!(!plain.join("KEY").exists(), "it stays as it was");
    assert!(fs::read(closed.join("tenure.redb")).expect("reads") == before, "nothing was written");

    let path = closed.join("KEY");
    let whole = fs::read(&path).expect("reads");
    for place in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[place] ^= 1;
        fs::write(&path, flipped).expect("writes");
        let refused = refusal(&closed, Some(key(1)));
        assert!(matches!(refused, store::OpenError::KeyDamaged { .. }), "{place}: {refused}");
    }
    fs::remove_file(&path).expect("removes");
    let refused = refusal(&closed, Some(key(1)));
    assert!(matches!(refused, store::OpenError::NotEncrypted { .. }), "{refused}");
    let refused = refusal(&closed, None);
    assert!(matches!(refused, store::OpenError::Damaged { .. }), "{refused}");
    fs::write(&path, whole).expect("writes");
    open(&closed, Some(key(1))).await.stop().await;
}

#[tokio::test]
async fn a_key_is_changed_without_a_change_of_the_data() {
    let home = tempfile::tempdir().expect("a folder");
    let mut server = open(home.path(), Some(key(1))).await;
    tell(&mut server, &["the harbour is closed"]).await;
    server.stop().await;
    let before = fs::read(home.path().join("tenure.redb")).expect("reads");
    let wrong = change_key(home.path(), &key(2), &key(3)).expect_err("the wrong key");
    assert!(matches!(wrong, OpenError::Store(store::OpenError::KeyWrong { .. })), "{wrong}");
    change_key(home.path(), &key(1), &key(2)).expect("changed");
    assert!(fs::read(home.path().join("tenure.redb")).expect("reads") == before);
    let refused = refusal(home.path(), Some(key(1)));
    assert!(matches!(refused, store::OpenError::KeyWrong { .. }), "{refused}");
    let mut again = open(home.path(), Some(key(2))).await;
    assert_eq!(texts(&recall(&mut again, question("harbour")).await), ["the harbour is closed"]);
    let busy = change_key(home.path(), &key(2), &key(3)).expect_err("it is open");
    assert!(matches!(busy, OpenError::Store(store::OpenError::Locked { .. })), "{busy}");
    again.stop().await;
}
