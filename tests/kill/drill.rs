//! The drill: backups are taken by the command line while clients write, the server is killed in the
//! middle, and what was copied is restored by the command line and served again.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use tenure::rpc::proto;
use tokio::task::JoinSet;

use crate::load::{Fuse, load};
use crate::process::{Clients, Process};
use crate::{CLIENTS, create_namespace, verify};

/// Backups before the kill.
const BACKUPS: usize = 4;
/// Far more acknowledgements than come.
const NEVER: u64 = u64::MAX;

fn tenure(server: &str, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tenure"))
        .args(["--server", server, "--namespace", "round 0"])
        .args(words)
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

async fn export(clients: &mut Clients) -> Vec<proto::ExportFactsResponse> {
    let request = proto::ExportFactsRequest { namespace: "round 0".to_owned(), from_tx: 0 };
    let mut stream = clients.facts.export_facts(request).await.expect("a stream").into_inner();
    let mut all = Vec::new();
    while let Some(message) = stream.message().await.expect("a message") {
        all.push(message);
    }
    all
}

async fn serve(data: &Path) -> (Process, Clients) {
    let process = Process::start(data).unwrap_or_else(|refused| panic!("{}", refused.said));
    let clients = process.connect().await;
    (process, clients)
}

/// The paths of so many backups, as words.
fn names(home: &Path) -> Vec<String> {
    (0..=BACKUPS).map(|n| home.join(format!("backup-{n}")).display().to_string()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_copied_before_a_kill_is_restored() {
    let home = tempfile::tempdir().expect("a place for data");
    let data = home.path().join("data");
    let (process, mut clients) = serve(&data).await;
    let namespace = create_namespace(&mut clients, 0).await;
    let mut tasks = JoinSet::new();
    for client in 0..CLIENTS {
        let clients = process.connect().await;
        tasks.spawn(load(clients, namespace.clone(), client, Fuse::new(NEVER)));
    }
    let names = names(home.path());
    for number in 0..BACKUPS {
        let since = number.checked_sub(1).map(|before| ["--since", &names[before]]);
        let words = [&["backup", &names[number]][..], since.as_ref().map_or(&[], |s| &s[..])];
        let done = tenure(&process.url, &words.concat());
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    // One more, which the kill meets in the middle or not: it is whole, or there is none.
    let (url, last) = (process.url.clone(), names[BACKUPS].clone());
    let before = names[BACKUPS - 1].clone();
    let copied = Arc::new(tokio::sync::Notify::new());
    let started = Arc::clone(&copied);
    let backup = tokio::task::spawn_blocking(move || {
        started.notify_one();
        tenure(&url, &["backup", &last, "--since", &before])
    });
    copied.notified().await;
    process.kill();
    let ended = backup.await.expect("it ends");
    tasks.join_all().await;
    let whole = ended.status.success();
    assert_eq!(Path::new(&names[BACKUPS]).exists(), whole);
    let files = &names[..BACKUPS + usize::from(whole)];

    let copy = home.path().join("copy").display().to_string();
    let words: Vec<&str> =
        std::iter::once("restore").chain(files.iter().map(String::as_str)).collect();
    let done = tenure("127.0.0.1:1", &[&words[..], &["--data", &copy]].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let again = tenure("127.0.0.1:1", &[&words[..], &["--data", &copy]].concat());
    assert_eq!(again.status.code(), Some(2), "it is not written over");
    assert!(String::from_utf8_lossy(&again.stderr).contains("RESTORE_TARGET_EXISTS"));

    let (original, mut clients) = serve(&data).await;
    let all = export(&mut clients).await;
    original.kill();
    let (restored, mut clients) = serve(Path::new(&copy)).await;
    verify(&mut clients, namespace).await;
    let found = export(&mut clients).await;
    assert!(!found.is_empty() && found[..] == all[..found.len()], "it begins as the original");
    restored.kill();
}
