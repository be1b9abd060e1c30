//! A restore that is killed while it erases again what a later backup has erased: nothing has the name
//! of the directory before it is whole, and the next restore begins anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tenure::rpc::proto;
use tenure::rpc::proto::erase_request::What;

use crate::erase::{facts, held, plant, start};
use crate::process::run;
use crate::verify;

const TOKEN: &str = "Qzx99Jv";
const NAMESPACE: &str = "forgotten";
const ROUNDS: usize = 6;

/// What the restore has made by the time it is killed.
const STAGES: [&str; 3] = ["", "tenure.redb", "tenure.redb.new"];

struct Shelf {
    home: tempfile::TempDir,
}

impl Shelf {
    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn word(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// `tenure restore` of the old backup, without what the new one has erased.
    fn words(&self) -> [String; 6] {
        let data = self.word("copy");
        let (old, new) = (self.word("old"), self.word("new"));
        ["restore".to_owned(), old, "--data".to_owned(), data, "--forget".to_owned(), new]
    }

    fn restore(&self) -> Child {
        Command::new(env!("CARGO_BIN_EXE_tenure"))
            .args(self.words())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs")
    }
}

fn backup(url: &str, file: &str) {
    let done = run(&["--server", url, "--namespace", NAMESPACE, "backup", file]);
    assert!(done.status.success(), "{}", done.said);
}

/// A backup that holds the token, and one from after it was erased.
async fn shelf() -> Shelf {
    let shelf = Shelf { home: tempfile::tempdir().expect("a place for data") };
    let process = start(&shelf.path("data"));
    let mut clients = process.connect().await;
    plant(&mut clients, NAMESPACE, TOKEN).await;
    backup(&process.url, &shelf.word("old"));
    let what = Some(What::Entity(TOKEN.to_owned()));
    let namespace = NAMESPACE.to_owned();
    let request = proto::EraseRequest { namespace, what, ..Default::default() };
    clients.admin.erase(request).await.expect("it is erased");
    backup(&process.url, &shelf.word("new"));
    process.kill();
    shelf
}

/// Kills the restore once a file of the draft is there. Says whether it met it at work.
fn killed_at(shelf: &Shelf, stage: &str) -> bool {
    let awaited = shelf.path("copy.restoring").join(stage);
    let mut child = shelf.restore();
    while !awaited.exists() {
        if child.try_wait().expect("it can be asked").is_some() {
            return false;
        }
        std::thread::yield_now();
    }
    child.kill().expect("it can be killed");
    !child.wait().expect("it ends").success()
}

async fn check(copy: &Path) {
    let process = start(copy);
    let mut clients = process.connect().await;
    verify(&mut clients, NAMESPACE.to_owned()).await;
    assert_eq!(facts(&mut clients, NAMESPACE).await, 1);
    process.kill();
    assert!(!held(copy, TOKEN.as_bytes()), "what was erased came back");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_restore_leaves_nothing_that_looks_whole() {
    let shelf = shelf().await;
    assert!(held(shelf.home.path(), TOKEN.as_bytes()), "the old backup holds it");
    let mut met = 0;
    for round in 0..ROUNDS {
        let was_met = killed_at(&shelf, STAGES[round % STAGES.len()]);
        met += usize::from(was_met);
        assert_eq!(shelf.path("copy").exists(), !was_met, "round {round}");
        if was_met {
            let words = shelf.words();
            let done = run(&words.each_ref().map(String::as_str));
            assert!(done.status.success(), "round {round}: {}", done.said);
        }
        assert!(!shelf.path("copy.restoring").exists(), "round {round}");
        check(&shelf.path("copy")).await;
        fs::remove_dir_all(shelf.path("copy")).expect("it was only for that");
    }
    assert!(met > 0, "no restore was met at work");
}
