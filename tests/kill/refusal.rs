//! Directories that a server must not open, and what it says then.

use std::path::Path;

use redb::{Database, TableDefinition};

use crate::process::{Process, refused, run};

/// As `docs/storage-format.md` has it: version 3, the number, a checksum.
fn sealed(number: u8) -> Vec<u8> {
    let mut bytes = vec![3, number];
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

fn set_format(data: &Path, version: u8) {
    let meta: TableDefinition<&str, &[u8]> = TableDefinition::new("meta");
    let database = Database::open(data.join("tenure.redb")).expect("a database");
    let txn = database.begin_write().expect("begins");
    let mut table = txn.open_table(meta).expect("the table is there");
    let before = table.insert("format", sealed(version).as_slice()).expect("inserts");
    assert_eq!(before.expect("it was there").value(), sealed(3), "the layout is as written down");
    drop(table);
    txn.commit().expect("commits");
}

#[test]
fn a_second_server_on_a_directory_is_refused_while_the_first_lives() {
    let home = tempfile::tempdir().expect("a place for data");
    let first = Process::start(home.path()).unwrap_or_else(|refused| panic!("{}", refused.said));
    let second = refused(home.path());
    assert!(!second.status.success(), "{}", second.said);
    let path = home.path().display().to_string();
    assert!(second.said.contains("is in use by another process"), "{}", second.said);
    assert!(second.said.contains(&path), "{}", second.said);
    first.kill();
    let third = Process::start(home.path()).unwrap_or_else(|refused| panic!("{}", refused.said));
    third.kill();
}

#[test]
fn a_directory_of_a_newer_format_is_refused_and_both_versions_are_named() {
    let home = tempfile::tempdir().expect("a place for data");
    let made = Process::start(home.path()).unwrap_or_else(|refused| panic!("{}", refused.said));
    made.kill();
    set_format(home.path(), 4);
    let refused = refused(home.path());
    assert!(!refused.status.success(), "{}", refused.said);
    assert!(
        refused.said.contains("format 4") && refused.said.contains("format 3"),
        "{}",
        refused.said
    );
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let home = tempfile::tempdir().expect("a place for data");
    let file = home.path().join("tenure.redb");
    std::fs::write(&file, "my thesis".repeat(1_000)).expect("writes");
    let refused = refused(home.path());
    assert!(!refused.status.success(), "{}", refused.said);
    assert!(refused.said.contains("damaged"), "{}", refused.said);
    assert_eq!(std::fs::read(&file).expect("reads"), "my thesis".repeat(1_000).into_bytes());
}

#[test]
fn a_database_that_was_cut_is_refused_by_name() {
    let home = tempfile::tempdir().expect("a place for data");
    let made = Process::start(home.path()).unwrap_or_else(|refused| panic!("{}", refused.said));
    made.kill();
    let file = home.path().join("tenure.redb");
    let whole = std::fs::read(&file).expect("reads");
    for len in [0, 4_096, 8_192] {
        std::fs::write(&file, &whole[..len]).expect("writes");
        let refused = refused(home.path());
        assert!(!refused.status.success(), "{len}: {}", refused.said);
        let named = refused.said.contains("damaged") && refused.said.contains("tenure.redb");
        assert!(named && !refused.said.contains("panicked"), "{len}: {}", refused.said);
    }
}

#[tokio::test]
async fn a_database_that_is_gone_is_no_empty_one() {
    let home = tempfile::tempdir().expect("a place for data");
    let made = Process::start(home.path()).unwrap_or_else(|refused| panic!("{}", refused.said));
    let request =
        tenure::rpc::proto::CreateNamespaceRequest { name: "one".to_owned(), ..Default::default() };
    let mut clients = made.connect().await;
    clients.admin.create_namespace(request).await.expect("a new namespace");
    made.kill();
    // The views of a namespace are made after it.
    std::fs::create_dir_all(home.path().join("views")).expect("made");
    std::fs::remove_file(home.path().join("tenure.redb")).expect("removed");
    let refused = refused(home.path());
    assert!(refused.said.contains("no tenure.redb"), "{}", refused.said);
    assert!(!home.path().join("tenure.redb").exists(), "none was made");
    std::fs::remove_dir_all(home.path().join("views")).expect("removed");
    let anew = Process::start(home.path()).unwrap_or_else(|refused| panic!("{}", refused.said));
    anew.kill();
}

#[test]
fn a_server_that_others_reach_is_refused_until_there_is_a_key() {
    let home = tempfile::tempdir().expect("a place for data");
    let data = home.path().to_str().expect("a path");
    let exposed = ["serve", "--listen", "0.0.0.0:0", "--data", data];
    let open = run(&exposed);
    assert_eq!(open.status.code(), Some(1), "{}", open.said);
    assert!(open.said.contains("tenure key create --data"), "{}", open.said);
    let make = ["key", "create", "--data", data, "--name", "root", "--role", "admin", "--json"];
    let made = run(&make);
    assert!(made.status.success(), "{}", made.said);
    assert!(made.told.contains("\"key\":\"tn_"), "{}", made.told);
    // Now it starts, and a second key is not made beside it.
    let running = Process::start_with(&exposed).unwrap_or_else(|told| panic!("{}", told.said));
    let beside = run(&make);
    assert_eq!(beside.status.code(), Some(2), "{}", beside.said);
    assert!(beside.said.contains("in use by another process"), "{}", beside.said);
    running.kill();
    // A wrong key is shown nowhere.
    let wrong =
        run(&["namespace", "list", "--server", "http://127.0.0.1:1", "--api-key", "s3 cret"]);
    assert!(!wrong.status.success() && !wrong.said.contains("cret"), "{}", wrong.said);
    let help = run(&["namespace", "list", "--help"]);
    assert!(help.told.contains("TENURE_API_KEY") && !help.told.contains("hidden"), "{}", help.told);
}
